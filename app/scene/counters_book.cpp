// The book's formulas in the counters panel, term by term, edition by edition, beside what was measured.
#include "app/scene/counters_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kFormSize = 17, kFormPitch = 31;
constexpr int kBookRank = 3;

/// A token of an expression: plain, a term, or a term that the book left out.
struct Token {
    std::string text;
    std::size_t term = textbook::Term::kNowhere;
    bool missing = false;
};

std::vector<Token> tokens_of(const textbook::Form& form) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    for (std::size_t i = 0; i < form.terms.size(); ++i) {
        const textbook::Term& term = form.terms[i];
        if (term.missing_in_print) {
            tokens.push_back({fmt::format("[+{}]", term.text), i, true});
            continue;
        }
        if (term.at == textbook::Term::kNowhere || term.at < at || term.at > form.expression.size()) continue;
        if (term.at > at) tokens.push_back({form.expression.substr(at, term.at - at)});
        tokens.push_back({term.text, i, false});
        at = term.at + term.text.size();
    }
    if (at < form.expression.size()) tokens.push_back({form.expression.substr(at)});
    return tokens;
}

/// Whether a term stands for the present step, or for the one whose bar the pointer is over.
bool lit(const CountersContext& c, const textbook::Term& term) {
    const auto has = [&](std::size_t step) { return std::ranges::find(term.steps, step) != term.steps.end(); };
    if (c.hover.kind == Target::Kind::kStepBar)
        return c.hover.state >= c.subject.first_step && has(c.hover.state - c.subject.first_step);
    return c.has_step() && has(c.at.step());
}

void draw_token(const CountersContext& c, const textbook::Form& form, const Token& token, Vec at, float size,
                float width) {
    const bool is_term = token.term != textbook::Term::kNowhere;
    const bool on = is_term && lit(c, form.terms[token.term]);
    const Id id = is_term ? pack({Target::Kind::kTerm, 0, 0, Book::number(c.book.place(&form), token.term)}) : Id{0};
    const bool over = id != 0 && id == pack(c.hover);
    if (on || over) {
        c.pen.fill({at.x - 1, at.y - 13, width + 2, 26}, {Role::kRaisedHover}, 4, id);
        c.pen.fill({at.x, at.y + 13, width, 3}, {token.missing ? Role::kWrong : Role::kActive}, 1, id);
    }
    const Role role = token.missing ? Role::kWrong : on ? Role::kText : Role::kBook;
    c.pen.put(at, token.text, {on ? Face::kMonoBold : Face::kMono, size, {role}}, Align::kLeft, id);
}

/// The largest letters in which an expression fits a width; 0 if it does not.
float tokens_size(const Pen& pen, const std::vector<Token>& tokens, float room) {
    for (float size = kFormSize; size >= kLeast; size -= 1) {
        float total = 0;
        for (const Token& token : tokens) total += pen.width(token.text, Face::kMonoBold, size);
        if (total <= room) return size;
    }
    return 0;
}

/// "= 864", or "= 736, not 864".
std::string verdict_of(const textbook::Form& form) {
    const std::string value = grouped(static_cast<std::uint64_t>(form.value));
    return form.agrees ? "= " + value
                       : fmt::format("= {}, not {}", value, grouped(static_cast<std::uint64_t>(form.measured)));
}

/// A formula under a short tag, term by term, its value at the right; on a line of its own where it is too long.
Section formula(const CountersContext& c, const textbook::Form& form, const std::string& tag, const std::string& value,
                Style style = kDim) {
    constexpr float kEdition = 34;
    const std::vector<Token> tokens = tokens_of(form);
    const float from = std::max(kEdition, c.pen.width(tag, style.face, style.size) + 12);
    float size = tokens_size(c.pen, tokens, c.width - from - c.pen.width(value, Face::kMonoBold, kFormSize) - 10);
    const bool below = size <= kLeast;
    if (below) size = tokens_size(c.pen, tokens, c.width);
    const auto draw = [=, &c, &form](Box box) {
        Vec at{box.x, box.y + 16};
        c.pen.line({box.right(), at.y}, value, {Face::kMonoBold, kFormSize, {form.agrees ? Role::kBook : Role::kWrong}},
                   box.w / 2, Align::kRight);
        c.pen.line(at, tag, style, from);
        below ? at.y += kFormPitch - 6 : at.x += from;
        if (size == 0) {  // too many terms even so: the whole, elided
            c.pen.line(at, form.expression, {Face::kMono, kLeast, {Role::kBook}}, box.w);
            return;
        }
        for (const Token& token : tokens) {
            const float width = c.pen.width(token.text, Face::kMonoBold, size);
            draw_token(c, form, token, at, size, width);
            at.x += width;
        }
    };
    return {below ? 2 * kFormPitch - 6 : kFormPitch, kBookRank, draw, 0};
}

/// The book's forms of some quantities.
std::vector<const textbook::Form*> forms_of(const Book& book, std::initializer_list<std::string_view> quantities) {
    std::vector<const textbook::Form*> forms;
    for (const textbook::Form& form : book.forms())
        if (std::ranges::count(quantities, form.quantity) > 0 && !form.note_only() && book.shows(form))
            forms.push_back(&form);
    return forms;
}

/// The switch between editions, at the right: all of them, or one alone.
void draw_editions(const CountersContext& c, Box row) {
    std::vector<Choice> editions;
    for (const std::string_view name : kEditionNames)
        editions.push_back({std::string(name), control_id(static_cast<Control>(kEditions + editions.size())),
                            c.book.edition() == (editions.empty() ? "" : name)});
    draw_choices(c.pen, row, {editions}, c.hover, Align::kRight);
}

/// The note worth its room: an erratum first. Where it is about another quantity than what stands above it, it says so.
std::string note_of(const std::vector<const textbook::Form*>& forms, const Book& book) {
    for (const textbook::Form* form : forms)
        if (!form->note.empty()) return form->note;
    for (const textbook::Form& form : book.forms())
        if (!form.note.empty() && book.shows(form))
            return form.note_only() ? form.note : fmt::format("{}: {}", capitalised(form.quantity), form.note);
    return "";
}

}  // namespace

void add_book_sections(const CountersContext& c, std::vector<Section>& sections) {
    constexpr float kHead = 26, kMeasured = 28;
    if (c.book.forms().empty()) return;
    const auto slots = forms_of(c.book, {"consumed slots"});
    auto forms = slots;
    if (slots.empty()) forms = forms_of(c.book, {"barriers", "operations", "steps"});  // slots need the room
    const bool named = c.book.editions().empty();  // what is counted stands in the title's row
    std::vector<Section> parts{{kHead, 0, [=, &c, counts = !slots.empty()](Box head) {
                                    const Vec right{head.right(), head.y + 10};
                                    const float used = c.pen.line({head.x, right.y},
                                                                  "The book, N = " + grouped(c.subject.trace.launch.n),
                                                                  kSubHeading, head.w);
                                    if (!named)
                                        draw_editions(c, {head.x + used + 12, head.y - 3, head.w - used - 12, 26});
                                    if (named && counts)
                                        c.pen.line(right, "consumed slots", kNote, head.w - used - 12, Align::kRight);
                                }}};
    for (const textbook::Form* form : forms)
        parts.push_back(slots.empty() ? formula(c, *form, form->quantity, verdict_of(*form))
                                      : formula(c, *form, Book::tag(*form),
                                                "= " + grouped(static_cast<std::uint64_t>(form->value)),
                                                {Face::kSansBold, kSmall, {Role::kTextDim}}));
    if (!slots.empty())
        parts.push_back({kMeasured, 0, [&c, named, form = slots.front()](Box row) {
                             const std::string measured = grouped(static_cast<std::uint64_t>(form->measured));
                             const float y = row.y + 14, half = row.w / 2;
                             c.pen.line({row.x, y}, named ? "measured" : "slots measured", kDim, half);
                             c.pen.line({row.right(), y}, measured, {Face::kMonoBold, kFormSize, {Role::kText}}, half,
                                        Align::kRight);
                         }});
    Section note = words(c.pen, note_of(forms, c.book), kNote, c.width, 4, 0, 0, slots.empty() ? 3 : 4);
    if (forms.empty()) parts.push_back(std::exchange(note, {}));  // the note is all there is
    sections.push_back(together(std::move(parts), kBookRank));
    if (note.height > 0) sections.push_back(std::move(note));
}

void add_request_section(const CountersContext& c, std::vector<Section>& sections) {
    const textbook::Form* form = c.book.find("memory requests");
    if (form == nullptr || form->note_only()) return;
    // The book's figure is of the loop where it leaves the load and the output step out.
    const bool whole = form->measured == static_cast<double>(c.subject.summary.totals.segments());
    const char* tag = !form->agrees ? "book differs" : whole ? "book agrees" : "book's loop";
    sections.push_back(formula(c, *form, tag, verdict_of(*form)));
}

}  // namespace warptree::scene
