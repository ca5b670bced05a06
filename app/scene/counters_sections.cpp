// The book's formulas, term by term, edition by edition, beside what was measured; and memory of the present step: how
// often it was asked, what had to be moved, and how much of that was used.
#include "app/scene/counters_parts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kEdition = 34;  // the edition's column
constexpr float kFormSize = 17, kFormPitch = 31;

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

/// How a formula stands: on one line with its value, or, where that is too long, on a line of its own below.
struct FormSetting {
    std::vector<Token> tokens;
    float size = 0, from = 0;
    bool below = false;
    float height() const { return below ? 2 * kFormPitch - 6 : kFormPitch; }
};

FormSetting set_form(const CountersContext& c, const Formula& f) {
    const float tag = c.pen.width(f.tag, f.tag_style.face, f.tag_style.size) + 12;
    FormSetting s{tokens_of(f.form), 0, std::max(kEdition, tag), false};
    const float value = c.pen.width(f.value, Face::kMonoBold, kFormSize);
    s.size = tokens_size(c.pen, s.tokens, c.width - s.from - value - 10);
    if (s.size >= kLeast + 1) return s;
    s.size = tokens_size(c.pen, s.tokens, c.width);
    s.below = true;
    return s;
}

Formula slots_formula(const textbook::Form& form) {
    return {form,
            Book::tag(form),
            fmt::format("= {}", grouped(static_cast<std::uint64_t>(form.value))),
            {Face::kSansBold, kSmall, {Role::kTextDim}}};
}

/// The book's forms of some quantities.
std::vector<const textbook::Form*> forms_of(const Book& book, std::initializer_list<std::string_view> quantities) {
    std::vector<const textbook::Form*> forms;
    for (const textbook::Form& form : book.forms())
        if (std::ranges::count(quantities, form.quantity) > 0 && !form.note_only() && book.shows(form))
            forms.push_back(&form);
    return forms;
}

Formula other_formula(const textbook::Form& form) {
    return {form, form.quantity, verdict_of(form), kDim};
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

/// The first segment of global memory that a step touches, and which of its cells.
struct Segment {
    std::uint8_t array = 0;
    std::uint32_t first = 0, cells = 0;
    std::set<std::uint32_t> touched;
};

Segment first_segment(const Subject& s, std::size_t step) {
    const trace::Trace& t = s.trace;
    const auto per_segment = static_cast<std::uint32_t>(counters::kSegmentBytes / value::size_bytes(t.value.type()));
    std::map<std::pair<std::uint8_t, std::uint32_t>, std::set<std::uint32_t>> touched;
    const auto range = t.range(s.block, static_cast<std::uint32_t>(step));
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
        if (t.array(row) == trace::Site::kNoArray || t.space(row) != trace::Space::kGlobal) continue;
        touched[{t.array(row), t.index[row] / per_segment}].insert(t.index[row]);
    }
    if (touched.empty()) return {};
    const auto& [key, cells] = *touched.begin();
    const std::uint32_t first = key.second * per_segment;
    return {key.first, first, std::min(per_segment, t.arrays[key.first].extent - first), cells};
}

/// A segment's cells, sector by sector; the ones that the step touches filled.
void draw_segment(const CountersContext& c, const Segment& segment, Box box) {
    const auto per_sector =
        static_cast<std::uint32_t>(counters::kSectorBytes / value::size_bytes(c.subject.trace.value.type()));
    const std::uint32_t slots = (segment.cells + per_sector - 1) / per_sector * per_sector;
    const float gap = 6, sectors = static_cast<float>(slots / per_sector);
    const float pitch = std::min(26.0f, (box.w - (sectors - 1) * gap) / static_cast<float>(slots));
    const Id id = pack({Target::Kind::kSegment, 0, segment.array, segment.first});
    for (std::uint32_t i = 0; i < slots; ++i) {
        const float x = box.x + static_cast<float>(i) * pitch + static_cast<float>(i / per_sector) * gap;
        const bool used = segment.touched.count(segment.first + i) > 0, exists = i < segment.cells;
        const Box cell{x, box.y, pitch - 2, 18};
        const Role outline = used ? Role::kSegment : Role::kLine;
        exists ? c.pen.framed(cell, {used ? Role::kSegment : Role::kRaised}, {outline}, 1, 2, id)
               : c.pen.frame(cell, {outline}, 1, 2, id, true);
    }
}

std::string range_name(const Subject& s, const Segment& segment) {
    const std::string& name = s.trace.arrays[segment.array].name;
    if (segment.cells == 1) return fmt::format("{}[{}]", name, segment.first);
    return fmt::format("{}[{} to {}]", name, segment.first, segment.first + segment.cells - 1);
}

void draw_strip(const CountersContext& c, Box box) {
    const Subject& s = c.subject;
    if (!c.has_step() || c.step().sectors() == 0) {
        c.pen.line({box.x, box.y + 12},
                   !c.has_step() ? "No step has run yet."
                   : s.on_host() ? "The CPU works: the GPU's counters stand still."
                                 : "This step leaves global memory alone.",
                   kNote, box.w);
        return;
    }
    const Segment segment = first_segment(s, c.at.step());
    if (segment.cells > 0) {
        draw_segment(c, segment, box);
        c.pen.line({box.x, box.y + 34}, range_name(s, segment) + ": cells touched, 32 bytes a sector", kNote, box.w);
    }
    const counters::Counters step = c.step();
    const std::uint64_t moved = step.sectors() * counters::kSectorBytes;
    const auto asked = step.global_ld.bytes + step.global_st.bytes + step.global_red.bytes + step.global_atom.bytes;
    c.pen.line({box.x, box.y + 56},
               fmt::format("{} of {} bytes moved are used: {}", grouped(asked), grouped(moved),
                           percent(static_cast<double>(asked) / static_cast<double>(moved))),
               kEntry, box.w);
}

/// The book's form for memory requests; null where it has none.
const textbook::Form* request_form(const Book& book) {
    const textbook::Form* form = book.find("memory requests");
    return form != nullptr && !form->note_only() ? form : nullptr;
}

/// The book's figure is of the loop where it leaves the load and the output step out.
Formula request_formula(const CountersContext& c, const textbook::Form& form) {
    const bool whole = form.measured == static_cast<double>(c.subject.summary.totals.segments());
    return {form, !form.agrees ? "book differs" : whole ? "book agrees" : "book's loop", verdict_of(form), kDim};
}

}  // namespace

std::string verdict_of(const textbook::Form& form) {
    const auto whole = [](double value) { return grouped(static_cast<std::uint64_t>(value)); };
    return form.agrees ? "= " + whole(form.value)
                       : fmt::format("= {}, not {}", whole(form.value), whole(form.measured));
}

float formula_height(const CountersContext& c, const Formula& f) {
    return set_form(c, f).height();
}

void draw_formula(const CountersContext& c, const Formula& f, Vec at) {
    const FormSetting s = set_form(c, f);
    c.pen.line({at.x + c.width, at.y}, f.value,
               {Face::kMonoBold, kFormSize, {f.form.agrees ? Role::kBook : Role::kWrong}}, c.width / 2, Align::kRight);
    c.pen.line(at, f.tag, f.tag_style, s.from);
    s.below ? at.y += kFormPitch - 6 : at.x += s.from;
    if (s.size == 0) {  // too many terms even so: the whole, elided
        c.pen.line(at, f.form.expression, {Face::kMono, kLeast, {Role::kBook}}, c.width);
        return;
    }
    for (const Token& token : s.tokens) {
        const float width = c.pen.width(token.text, Face::kMonoBold, s.size);
        draw_token(c, f.form, token, at, s.size, width);
        at.x += width;
    }
}

void add_book_sections(const CountersContext& c, std::vector<Section>& sections) {
    const auto forms = forms_of(c.book, {"consumed slots"});
    auto others = forms_of(c.book, {"barriers", "operations", "steps"});
    if (!forms.empty()) others.clear();  // slots need the room
    if (c.book.forms().empty()) return;
    const std::string note = note_of(forms.empty() ? others : forms, c.book);
    constexpr float kHead = 26, kMeasured = 28, kNoteSize = 15;
    const auto lines = wrap(c.pen.measure(), note, Face::kSans, kNoteSize, c.width).size();
    const auto shown = static_cast<int>(std::min<std::size_t>(lines, forms.empty() ? 3 : 4));
    const float note_height = static_cast<float>(shown) * line_height(kNoteSize);
    const bool alone = forms.empty() && others.empty();  // the note is all there is
    float height = kHead + (forms.empty() ? 0 : kMeasured) + (alone ? note_height : 0);
    for (const textbook::Form* form : forms) height += formula_height(c, slots_formula(*form));
    for (const textbook::Form* form : others) height += formula_height(c, other_formula(*form));
    const auto draw_note = [&c, note, shown](Box box) {
        if (shown > 0) c.pen.paragraph({box.x, box.y + 12}, note, kNote, box.w, shown);
    };
    const auto draw = [&c, forms, others, alone, draw_note](Box box) {
        const Box head = cut_top(box, kHead);
        const Vec right{head.right(), head.y + 10};
        const float used =
            c.pen.line({head.x, right.y}, "The book, N = " + grouped(c.subject.trace.launch.n), kSubHeading, head.w);
        if (!c.book.editions().empty()) {
            draw_editions(c, {head.x + used + 12, head.y - 3, head.w - used - 12, 26});
        } else if (!forms.empty()) {
            c.pen.line(right, "consumed slots", kNote, head.w - used - 12, Align::kRight);
        }
        const auto put = [&](const Formula& formula) {
            const Box row = cut_top(box, formula_height(c, formula));
            draw_formula(c, formula, {row.x, row.y + 14});
        };
        for (const textbook::Form* form : forms) put(slots_formula(*form));
        if (!forms.empty()) {
            const Box row = cut_top(box, kMeasured);
            const std::string measured = grouped(static_cast<std::uint64_t>(forms.front()->measured));
            const bool named = c.book.editions().empty();  // what is counted stands in the title's row
            c.pen.line({row.x, row.y + 14}, named ? "measured" : "slots measured", kDim, row.w / 2);
            c.pen.line({row.right(), row.y + 14}, measured, {Face::kMonoBold, kFormSize, {Role::kText}}, row.w / 2,
                       Align::kRight);
        }
        for (const textbook::Form* form : others) put(other_formula(*form));
        if (alone) draw_note(box);
    };
    sections.push_back({height, 3, draw});
    if (!alone) sections.push_back({note_height, 4, draw_note, 0});
}

void add_memory_sections(const CountersContext& c, std::vector<Section>& sections) {
    constexpr auto kWhy =
        "A request is one warp's access. It falls into 128-byte segments, which move in sectors of 32.";
    const bool shared = counters::kSharedRequests(c.subject.summary.totals) > 0;
    sections.push_back({CountTable::height(shared ? 5 : 3), 2, [&c, shared](Box box) {
                            CountTable table(c, "Global memory", box);
                            table.row(counters::kRequests, "profiler", Role::kSegment);
                            table.row(counters::kSegments, "book, 128 B", Role::kSegment);
                            table.row(counters::kSectors, "32 B", Role::kSegment);
                            if (!shared) return;
                            table.row(counters::kSharedRequests);
                            table.row(counters::kBankConflicts);
                        }});
    if (const textbook::Form* form = c.tells_all() ? request_form(c.book) : nullptr)
        sections.push_back({formula_height(c, request_formula(c, *form)) - 4, 3,
                            [&c, form](Box box) {
                                draw_formula(c, request_formula(c, *form), {box.x, box.y + 17});
                            },
                            0});
    sections.push_back(words(c.pen, kWhy, kNote, c.width, 6, 0, 6));
    sections.push_back({82, 5, [&c](Box box) { draw_strip(c, {box.x, box.y + 12, box.w, box.h}); }, 0});
}

}  // namespace warptree::scene
