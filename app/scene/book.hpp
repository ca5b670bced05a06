// The book's forms as the counters panel and its stories number them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/views.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree::scene {

/// The forms of a subject. A term's number is 64 x its form + its place in the form.
class Book {
public:
    /// edition  the one to show where they differ, "4e" or "5e"; "": all of them
    explicit Book(const Subject& s, std::string edition = {})
        : forms_(textbook::forms(s.trace, s.summary)), edition_(std::move(edition)) {}
    const std::string& edition() const { return edition_; }
    /// "4e" of "PMPP 4e".
    static std::string tag(const textbook::Form& form) { return form.edition.substr(form.edition.rfind(' ') + 1); }
    /// Whether a form is of the edition to show; a quantity that this edition has no other form for always is.
    bool shows(const textbook::Form& form) const {
        if (edition_.empty() || tag(form) == edition_) return true;
        return std::none_of(forms_.begin(), forms_.end(), [&](const textbook::Form& other) {
            return other.quantity == form.quantity && tag(other) == edition_;
        });
    }
    /// The editions that give different values for the same quantity; empty where none do.
    std::vector<std::string> editions() const {
        std::vector<std::string> tags;
        for (const textbook::Form& form : forms_)
            if (form.quantity == "consumed slots" && !form.note_only()) tags.push_back(tag(form));
        return tags.size() > 1 ? tags : std::vector<std::string>{};
    }
    const std::vector<textbook::Form>& forms() const { return forms_; }
    static std::uint32_t number(std::size_t form, std::size_t term) {
        return static_cast<std::uint32_t>(64 * form + term);
    }
    const textbook::Term* term(std::uint32_t number) const {
        const std::size_t form = number / 64, at = number % 64;
        return form < forms_.size() && at < forms_[form].terms.size() ? &forms_[form].terms[at] : nullptr;
    }
    /// The first form of a quantity; null if there is none.
    const textbook::Form* find(std::string_view quantity) const {
        const auto form = std::ranges::find(forms_, quantity, &textbook::Form::quantity);
        return form == forms_.end() ? nullptr : &*form;
    }
    std::size_t place(const textbook::Form* form) const { return static_cast<std::size_t>(form - forms_.data()); }

    /// The steps that the term under the pointer stands for; none where it is over no term.
    static std::vector<std::uint32_t> steps_under(const Subject& s, const Target& hover) {
        if (hover.kind != Target::Kind::kTerm) return {};
        const Book book(s);
        const textbook::Term* term = book.term(hover.index);
        return term == nullptr ? std::vector<std::uint32_t>{} : term->steps;
    }

private:
    std::vector<textbook::Form> forms_;
    std::string edition_;
};

}  // namespace warptree::scene
