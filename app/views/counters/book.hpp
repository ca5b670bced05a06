// The book's forms as the counters panel and its stories number them.
#pragma once

#include "app/kit/kit.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::scene {

/// The forms of a subject. A term's number is 64 x its form + its place in the form.
class Book {
public:
    /// edition  the one to show where they differ, "4e" or "5e"; "": all of them
    explicit Book(const Subject& s, std::string edition = {})
        : forms_(textbook::forms(s.trace, s.summary)), edition_(std::move(edition)) {}
    const std::vector<textbook::Form>& forms() const { return forms_; }
    const std::string& edition() const { return edition_; }
    /// "4e" of "PMPP 4e".
    static std::string tag(const textbook::Form& form) { return form.edition.substr(form.edition.rfind(' ') + 1); }
    /// Whether a form is of the edition to show; a quantity that this edition has no other form for always is.
    bool shows(const textbook::Form& form) const {
        return edition_.empty() || tag(form) == edition_ ||
               std::ranges::none_of(forms_, [&](const textbook::Form& other) {
                   return other.quantity == form.quantity && tag(other) == edition_;
               });
    }
    /// Those to show of a quantity, or all.
    std::vector<const textbook::Form*> of(std::string_view quantity, bool all = false) const {
        std::vector<const textbook::Form*> some;
        for (const textbook::Form& form : forms_)
            if (form.quantity == quantity && !form.note_only() && (all || shows(form))) some.push_back(&form);
        return some;
    }
    /// The first form of a quantity; null if there is none.
    const textbook::Form* find(std::string_view quantity) const {
        const auto form = std::ranges::find(forms_, quantity, &textbook::Form::quantity);
        return form == forms_.end() ? nullptr : &*form;
    }
    std::size_t place(const textbook::Form* form) const { return form - forms_.data(); }
    static std::uint32_t number(std::size_t form, std::size_t term) { return 64 * form + term; }
    /// The term under the pointer; null where it is over none.
    const textbook::Term* term(const Target& hover) const {
        const std::size_t form = hover.index / 64, at = hover.index % 64;
        const bool known = hover.kind == Target::Kind::kTerm && form < forms_.size() && at < forms_[form].terms.size();
        return known ? &forms_[form].terms[at] : nullptr;
    }
    /// The steps that it stands for.
    static std::vector<std::uint32_t> steps_under(const Subject& s, const Target& hover) {
        if (hover.kind != Target::Kind::kTerm) return {};
        const Book book(s);
        const textbook::Term* term = book.term(hover);
        return term == nullptr ? std::vector<std::uint32_t>{} : term->steps;
    }

private:
    std::vector<textbook::Form> forms_;
    std::string edition_;
};

}  // namespace warptree::scene
