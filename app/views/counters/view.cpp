// The cost so far: efficiency, the book against the measurement, memory, and what each step counted.
#include <set>
#include <tuple>

#include "app/views/counters/book.hpp"
#include "app/views/counters/view.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/judge/measured.hpp"

namespace warptree::scene {
namespace {

/// Every number of the panel is one of the summary's, a sum of its steps, or a form's.
struct CountersContext : ViewContext {
    const Book& book;
    float width;
    bool tells_all = at.told == Playhead::kAllTold;  // figures of the whole run may be said
    counters::Counters step = sum_of(s.summary, present), so_far = sum_of(s.summary, {0, present.end});
};

constexpr float kEfficiency = 96, kFormSize = 17, kFormPitch = 31;
constexpr int kRows = 5, kWholeRank = 2, kBookRank = 3;

std::string slots_sentence(const Subject& s, const Useful& useful) {
    if (s.on_host()) return "the CPU pays no slots";
    if (useful.slots == 0) return "no step that adds elements has run yet";
    const std::uint64_t idle = useful.slots - std::min(useful.operations, useful.slots);
    return useful_text(useful) +
           (!useful.known ? ", useful or not" : ", " + (idle == 0 ? "none" : grouped(idle)) + " wasted");
}

/// What the type could not hold; the badge of a wrong result, once it is out: what came out, what would be right, and
/// why.
void add_result_section(const CountersContext& c, std::vector<Section>& sections) {
    constexpr float kVerdictLine = 34;
    const trace::Launch& l = c.s.trace.launch;
    if (l.rounded.values > 0)
        sections.push_back(
            words(c.pen, rounded_text(l.rounded, l.n, l.type), {kSans, 15, {kText}}, c.width, 0, 1, 0, 4));
    const judge::Verdict& v = c.s.verdict;
    if (v.correct || c.at.position < c.s.steps()) return;
    const std::size_t races = c.s.hazards.size();
    const std::string reason =
        races == 0 ? v.note : fmt::format("Threads race for {}, with no barrier between.", counted(races, "cell"));
    const float inside = c.width - 24;
    const bool many = c.s.trace.launch.has_many_results();
    const std::string came = v.result.empty() ? "none" : v.result, right = "right would be " + v.expected,
                      whole = many ? "Wrong: " + v.wrong : fmt::format("Wrong result: {}, {}", came, right);
    const bool one_line = many || c.pen.width(whole, kSansBold, kLeast) <= inside;
    Section why = words(c.pen, reason, {kSans, 15, {kText}}, inside, 0, 0, 0, 4);
    const float head = one_line ? kVerdictLine : 2 * kVerdictLine - 10;
    const auto draw = [=, &c](Box box) {
        c.pen.framed(box, {kRaised}, {kWrong}, 2, 8);
        const Vec at{box.x + 12, box.y + 19};
        c.pen.line(at, one_line ? whole : "Wrong result " + came, {kSansBold, 17, {kWrong}}, inside);
        if (!one_line) c.pen.line({at.x, at.y + 24}, right, kSubHeading, inside);
        why.draw({at.x, box.y + head - 1.5f, inside, why.height});
    };
    sections.push_back({head + why.height + 6, 0, draw});
}

void add_efficiency_sections(const CountersContext& c, std::vector<Section>& sections) {
    const auto draw = [&c](Box box) {
        const About about(c.pen, Word::kEfficiency);
        const Useful useful = c.s.useful_up_to(c.at.position);
        const std::string share = useful.slots == 0 ? "–" : percent(useful.efficiency());
        const Vec right{box.right(), box.y + 18};
        const float used = c.pen.line(right, share, {kMonoBold, 40, {kText}}, 0.6f * box.w, kRight);
        c.pen.line({box.x, right.y}, "Efficiency", {kSans, 20, {kText}}, box.w - used - 12);
        draw_efficiency(c.pen, useful, {box.x, box.y + 46, box.w, 20});
        std::string slots = slots_sentence(c.s, useful);  // without what is wasted where there is no room for it
        if (c.pen.width(slots, kSans, kLeast) > box.w) slots = slots.substr(0, slots.rfind(", "));
        c.pen.line({box.x, box.y + 86}, slots, kEntry, box.w);
    };
    sections.push_back({kEfficiency, 0, draw});
    if (!c.tells_all) return;
    std::vector<Section> lines;
    const auto add = [&](Word word, const std::string& figures) {
        const Style style{kMono, kSmall, {lines.empty() ? kText : kBook}};
        lines.push_back({26, 0, [=, &c](Box row) {
                             const About about(c.pen, word);
                             const float y = row.y + 16, room = row.w - 110;
                             const float used = c.pen.line({row.right(), y}, figures, style, room, kRight);
                             c.pen.line({row.x, y}, meaning_of(word).name, kDim, row.w - used - 12);
                         }});
    };
    const auto fraction = [](std::uint64_t operations, std::uint64_t slots) {  // "255 / 864 = 29.5 %"
        return fmt::format("{} / {} = {}", grouped(operations), grouped(slots), percent(operations, slots));
    };
    const Useful useful = c.s.useful_up_to(c.s.steps());
    add(Word::kWholeKernel, useful.slots == 0 ? "no step adds elements" : fraction(useful.operations, useful.slots));
    const counters::Counters& tree = c.s.summary.tree;  // books count by its steps alone
    if (tree.consumed_slots > 0 && (tree.operations != useful.operations || tree.consumed_slots != useful.slots))
        add(Word::kAsBooksCount, fraction(tree.operations, tree.consumed_slots));
    std::string book;  // "4e 34.6 %, 5e 29.5 %"
    for (const textbook::Form* form : c.book.of("efficiency"))
        book += fmt::format("{}{} {}", book.empty() ? "" : ", ", Book::tag(*form), percent(form->value));
    if (!book.empty()) add(Word::kInTheBook, book);
    sections.push_back(together(std::move(lines), kWholeRank, 0));
}

constexpr float kCountHead = 20, kCountRow = 27;  // heights of the heads of a table of counters, and of a line

/// Counters of the step and so far, a line each. The columns are wide enough for the largest of the whole run.
Table count_table(const CountersContext& c, std::string_view title, Box box) {
    constexpr float kUsual = 84;
    constexpr std::uint64_t kNarrow = 1'000'000;  // numbers below are shrunk to fit such a column
    using namespace counters;
    std::uint64_t most = 0;
    for (const Quantity* one :
         {&kConsumedSlots, &kActiveThreads, &kRequests, &kSectors, &kSharedRequests, &kBankConflicts, &kBlockBarriers})
        most = std::max(most, (*one)(c.s.summary.totals));
    const float needed = c.pen.width(grouped(most), kMono, 18) + 18;
    const float column = most < kNarrow ? kUsual : std::clamp(needed, kUsual, 0.34f * c.width);
    Table table(c.pen, box, {{"", 0, kLeft}, column_of(Word::kStepCost, column), column_of(Word::kSoFar, column)},
                kCountRow);
    table.heads();
    table.text(0, title, kSubHeading, word_id(Word::kCounted));
    return table;
}
void add_count(const CountersContext& c, Table& table, const counters::Quantity& of, std::string_view remark = "",
               Role role = kText) {
    table.next(word_of(of));
    const About about(c.pen, word_of(of));
    const float used = table.text(0, of.name, {kSans, 17, {kText}}) + 12;
    const Box name = table.cell(0);
    c.pen.either({name.x + used, table.y()}, {remark}, kFine, name.w - used);
    table.text(1, c.has_step ? grouped(of(c.step)) : "–", {kMonoBold, 18, {role}});
    table.text(2, c.has_step ? grouped(of(c.so_far)) : "–", {kMono, 18, {role}});
}

/// The first segment of global memory that the step touches, sector by sector; the cells that it touches filled.
void draw_first_segment(const CountersContext& c, Box box) {
    constexpr float kApart = 6;
    const trace::Trace& t = c.s.trace;
    std::set<std::pair<std::uint8_t, std::uint32_t>> touched;
    const auto [begin, end] = t.range(c.s.block, c.at.step());
    for (std::uint32_t row = begin; row < end; ++row)
        if (t.array(row) != trace::Site::kNoArray && t.space(row) == trace::Space::kGlobal)
            touched.insert({t.array(row), t.index[row]});
    if (touched.empty()) return;
    const auto [array, index] = *touched.begin();
    const std::uint32_t size = value::size_bytes(t.type_of(array)), in_segment = counters::kSegmentBytes / size,
                        in_sector = counters::kSectorBytes / size, first = index / in_segment * in_segment,
                        cells = std::min(in_segment, t.arrays[array].extent - first),
                        sectors = (cells + in_sector - 1) / in_sector;
    const float pitch = std::min(26.0f, (box.w - (sectors - 1) * kApart) / (sectors * in_sector));
    for (std::uint32_t i = 0; i < sectors * in_sector; ++i) {
        const Box cell{box.x + i * pitch + i / in_sector * kApart, box.y, pitch - 2, 18};
        const bool used = touched.contains({array, first + i});
        const Id id = target_id(Target::Kind::kSegment, first, 0, array);
        const Ink outline{used ? kSegment : kLine};
        i < cells ? c.pen.framed(cell, {used ? kSegment : kRaised}, outline, 1, 2, id)
                  : c.pen.frame(cell, outline, 1, 2, id, true);
    }
    const std::string last = cells == 1 ? "" : fmt::format(" to {}", first + cells - 1);
    c.pen.line({box.x, box.y + 34},
               fmt::format("{}[{}{}]: cells touched, 32 bytes a sector", t.arrays[array].name, first, last), kNote,
               box.w);
}

/// A token of an expression: plain, or a term.
struct Token {
    std::string text;
    const textbook::Term* term = nullptr;
};

std::vector<Token> tokens_of(const textbook::Form& form) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    for (const textbook::Term& term : form.terms) {
        if (term.missing_in_print) tokens.push_back({fmt::format("[+{}]", term.text), &term});
        if (term.missing_in_print || term.at == term.kNowhere || term.at < at || term.at > form.expression.size())
            continue;
        if (term.at > at) tokens.push_back({form.expression.substr(at, term.at - at)});
        tokens.push_back({term.text, &term});
        at = term.at + term.text.size();
    }
    if (at < form.expression.size()) tokens.push_back({form.expression.substr(at)});
    return tokens;
}

/// A token; bright where its term stands for the present step, or for the one whose bar the pointer is over.
void draw_token(const CountersContext& c, const textbook::Form& form, const Token& token, Vec at, float size,
                float width) {
    const textbook::Term* term = token.term;
    const bool bar = c.hover.kind == Target::Kind::kStepBar, missing = term != nullptr && term->missing_in_print;
    const std::size_t step = bar ? c.hover.state - c.s.first_step : c.at.step();
    const bool on = term != nullptr && (bar || c.has_step) && std::ranges::count(term->steps, step) > 0;
    const std::uint32_t number = term ? Book::number(c.book.place(&form), term - form.terms.data()) : 0;
    const bool log = token.text.find("log₂") != token.text.npos;
    const Id id = term != nullptr ? target_id(Target::Kind::kTerm, number) : log ? word_id(Word::kLog2) : 0;
    if (on || (term != nullptr && id == pack(c.hover))) {
        c.pen.fill({at.x - 1, at.y - 13, width + 2, 26}, {kRaisedHover}, 4, id);
        c.pen.fill({at.x, at.y + 13, width, 3}, {missing ? kWrong : kActive}, 1, id);
    }
    const Role role = missing ? kWrong : on ? kText : kBook;
    c.pen.put(at, token.text, {on ? kMonoBold : kMono, size, {role}}, kLeft, id);
}

/// "= 864", or "= 736, not 864".
std::string verdict_of(const textbook::Form& form) {
    return "= " + grouped(form.value) + (form.agrees ? "" : ", not " + grouped(form.measured));
}

/// A formula under a short tag, term by term, its value at the right; on a line of its own where it is too long.
Section formula(const CountersContext& c, const textbook::Form& form, const std::string& tag, const std::string& value,
                Style style = kDim) {
    constexpr float kEdition = 34;
    const std::vector<Token> tokens = tokens_of(form);
    const auto size_in = [&](float room) {  // the largest letters in which they fit; 0 if they do not
        const auto width = [&](float size) {
            float all = 0;
            for (const Token& token : tokens) all += c.pen.width(token.text, kMonoBold, size);
            return all;
        };
        float size = kFormSize;
        while (size >= kLeast && width(size) > room) size -= 1;
        return size >= kLeast ? size : 0;
    };
    const float from = std::max(kEdition, c.pen.width(tag, style.face, style.size) + 12);
    float size = size_in(c.width - from - c.pen.width(value, kMonoBold, kFormSize) - 10);
    const bool below = size <= kLeast;
    if (below) size = size_in(c.width);
    const auto draw = [=, &c, &form](Box box) {
        const About about(c.pen, Word::kInTheBook);
        Vec at{box.x, box.y + 16};
        c.pen.line({box.right(), at.y}, value, {kMonoBold, kFormSize, {form.agrees ? kBook : kWrong}}, box.w / 2,
                   kRight);
        c.pen.line(at, tag, style, from);
        below ? at.y += kFormPitch - 6 : at.x += from;
        if (size == 0) {  // too many terms even so: the whole, elided
            c.pen.line(at, form.expression, {kMono, kLeast, {kBook}}, box.w);
            return;
        }
        for (const Token& token : tokens) {
            const float width = c.pen.width(token.text, kMonoBold, size);
            draw_token(c, form, token, at, size, width);
            at.x += width;
        }
    };
    return {below ? 2 * kFormPitch - 6 : kFormPitch, kBookRank, draw, 0};
}

/// The note worth its room: an erratum first. Where it is about another quantity than what stands above it, it says so.
std::string note_of(const std::vector<const textbook::Form*>& forms, const Book& book) {
    for (const textbook::Form* form : forms)
        if (!form->note.empty()) return form->note;
    for (const textbook::Form& form : book.forms())
        if (!form.note.empty() && book.shows(form))
            return form.note_only() ? form.note : capitalised(form.quantity) + ": " + form.note;
    return "";
}

/// What the book says of slots, else of other quantities.
void add_book_sections(const CountersContext& c, std::vector<Section>& sections) {
    constexpr float kBookHead = 26, kMeasured = 28;
    if (c.book.forms().empty()) return;
    auto forms = c.book.of("consumed slots");
    const bool slots = !forms.empty();
    if (!slots)  // which need the room
        for (const textbook::Form& form : c.book.forms())
            if (form.quantity == "barriers" || form.quantity == "operations" || form.quantity == "steps")
                if (!form.note_only() && c.book.shows(form)) forms.push_back(&form);
    // Whether the editions differ; else the title's row says what is counted.
    const bool differ = c.book.of("consumed slots", true).size() > 1;
    const auto draw_head = [&c, slots, differ](Box head) {
        const float y = head.y + 10;
        const float used = c.pen.line({head.x, y}, "The book, N = " + grouped(c.s.trace.launch.n), kSubHeading, head.w);
        if (!differ && slots)
            c.pen.line({head.right(), y}, "consumed slots", kNote, head.w - used - 12, kRight, word_id(Word::kSlots));
        if (!differ) return;
        std::vector<Choice> editions;  // all of them, or one alone
        for (const auto& [name, means] : {std::pair{"both", "The formulas of both editions"},
                                          {"4e", "As the 4th edition prints them"},
                                          {"5e", "As the 5th edition prints them"}})
            editions.push_back(
                {name, set(Field::kEdition, name), means, c.book.edition() == (editions.empty() ? "" : name)});
        draw_choices(c.pen, {head.x + used + 12, head.y - 3, head.w - used - 12, 26}, {editions}, c.hover, kRight);
    };
    std::vector<Section> parts{{kBookHead, 0, draw_head}};
    for (const textbook::Form* form : forms)
        parts.push_back(
            slots ? formula(c, *form, Book::tag(*form), "= " + grouped(form->value), {kSansBold, kSmall, {kTextDim}})
                  : formula(c, *form, form->quantity, verdict_of(*form)));
    if (slots)
        parts.push_back({kMeasured, 0, [&c, differ, measured = grouped(forms.front()->measured)](Box row) {
                             const About about(c.pen, Word::kSlots);
                             const float y = row.y + 14, half = row.w / 2;
                             c.pen.line({row.x, y}, differ ? "slots measured" : "measured", kDim, half);
                             c.pen.line({row.right(), y}, measured, {kMonoBold, kFormSize, {kText}}, half, kRight);
                         }});
    Section note = words(c.pen, note_of(forms, c.book), kNote, c.width, 4, 0, 0, slots ? 4 : 3);
    if (forms.empty()) parts.push_back(std::exchange(note, {}));  // the note is all there is
    sections.push_back(together(std::move(parts), kBookRank));
    if (note.height > 0) sections.push_back(std::move(note));
}

void add_memory_sections(const CountersContext& c, std::vector<Section>& sections) {
    constexpr auto kWhy =
        "A request is one warp's access. It falls into 128-byte segments, which move in sectors of 32.";
    const bool shared = counters::kSharedRequests(c.s.summary.totals) > 0;
    sections.push_back({kCountHead + kCountRow * (shared ? 5 : 3), 2, [&c, shared](Box box) {
                            Table table = count_table(c, "Global memory", box);
                            add_count(c, table, counters::kRequests, "profiler", kSegment);
                            add_count(c, table, counters::kSegments, "book, 128 B", kSegment);
                            add_count(c, table, counters::kSectors, "32 B", kSegment);
                            if (shared) add_count(c, table, counters::kSharedRequests);
                            if (shared) add_count(c, table, counters::kBankConflicts);
                        }});
    const textbook::Form* form = c.book.find("memory requests");
    if (c.tells_all && form != nullptr && !form->note_only()) {
        // The book's figure is of the loop where it leaves the load and the output step out.
        const bool whole = form->measured == c.s.summary.totals.segments();
        const char* tag = !form->agrees ? "book differs" : whole ? "book agrees" : "book's loop";
        sections.push_back(formula(c, *form, tag, verdict_of(*form)));
    }
    sections.push_back(words(c.pen, kWhy, kNote, c.width, 6, 0, 6));
    const auto draw_moved = [&c](Box box) {
        const counters::Counters& step = c.step;
        box.y += 12;
        const char* stands =
            c.s.on_host() ? "The CPU works: the GPU's counters stand still." : "This step leaves global memory alone.";
        if (step.sectors() == 0) return say(c.pen, box, c.has_step ? stands : "No step has run yet.", kNote, 1);
        draw_first_segment(c, box);
        const auto asked = step.global_ld.bytes + step.global_st.bytes + step.global_red.bytes + step.global_atom.bytes;
        c.pen.line({box.x, box.y + 56}, moved_text(asked, step.sectors() * counters::kSectorBytes), kEntry, box.w);
    };
    sections.push_back({82, 5, draw_moved, 0});
}

/// rows  0: as many as there are besides those of memory; else so many, memory among them
void add_table_section(const CountersContext& c, int rows, std::vector<Section>& sections) {
    const bool brief = rows > 0, measured = c.s.trace.launch.warp_size == 32;
    std::string note;  // that the warp is a teaching one, or that a GPU counted the same
    if (!measured && !brief) note = fmt::format("Teaching warp of {} lanes; CUDA has 32.", c.s.trace.launch.warp_size);
    if (const auto check = judge::hardware_check(c.s.run(), c.s.launch); check && measured && !brief) {
        const std::string some =
            check->equal == check->figures ? "Equal" : fmt::format("{} of {} equal", check->equal, check->figures);
        note = fmt::format("{} to hardware: {}, {}", some, brief_device(check->device), check->date);
    }
    const int shown = brief ? rows : kRows;
    const auto draw = [&c, note, brief, measured, shown](Box box) {
        Table table = count_table(c, grid_scope(c.s).empty() ? "Counted" : "Counted, " + grid_scope(c.s), box);
        const std::uint64_t moving = c.so_far.consumed_slots - c.s.useful_up_to(c.at.position).slots;
        const std::string moves = moving > 0 && !c.s.on_host() ? grouped(moving) + " only move data" : "";
        const std::uint64_t clusters = c.so_far.cluster_barriers;
        const std::tuple<const counters::Quantity&, bool, std::string> all[] = {
            {counters::kActiveThreads, true, ""},
            {counters::kActiveWarps, true, ""},
            {counters::kDivergentWarps, true, ""},
            {counters::kSegments, false, ""},
            {counters::kConsumedSlots, true, moves},
            {counters::kBlockBarriers, true, clusters == 0 ? "" : fmt::format("+ {} of clusters", grouped(clusters))},
            {counters::kRequests, false, ""},
            {counters::kSectors, false, ""}};
        for (int left = shown; const auto& [quantity, always, remark] : all)
            if ((always || brief) && left-- > 0) add_count(c, table, quantity, remark);
        const float y = box.bottom() - 10, inset = measured ? 22 : 0;
        if (measured && !note.empty()) draw_tick(c.pen, {box.x + 7, y}, {kSegment});
        c.pen.line({box.x + inset, y}, note, kNote, box.w - inset, kLeft,
                   measured ? pack({.kind = Target::Kind::kHardware}) : 0);
    };
    sections.push_back({kCountHead + kCountRow * shown + (note.empty() ? 0 : kCountRow - 1), 1, draw});
}

}  // namespace

Scene counters_view(const Subject& s, Playhead at, Box box, const Measure& measure, const Target& hover,
                    const std::string& edition) {
    return on_panel(box, measure, [&](Pen& pen) {
        const std::string steps =
            at.has_step() ? fmt::format("step {} of {}", at.position, s.steps()) : fmt::format("{} steps", s.steps());
        const bool alone = s.run().launches.size() == 1;
        panel_title(pen, box, grid_scope(s).empty() ? "Cost so far" : "Cost so far, " + grid_scope(s),
                    alone ? steps : fmt::format("{} · launch {}", steps, s.launch + 1));
        const Book book(s, edition);
        const Box inside = panel_inside(box, 16);
        const CountersContext c{{s, at, pen, hover}, book, inside.w};
        std::vector<Section> sections;
        add_result_section(c, sections);
        add_efficiency_sections(c, sections);
        if (c.tells_all) add_book_sections(c, sections);
        add_memory_sections(c, sections);
        add_table_section(c, 0, sections);
        float needed = -kRule;  // by those parts that do not give way
        for (const Section& section : sections)
            if (section.rank <= kWholeRank) needed += section.height + section.above;
        if (needed > inside.h) {  // efficiency and one table, as long as the room
            sections.clear();
            add_result_section(c, sections);
            add_efficiency_sections(c, sections);
            if (c.tells_all) sections.pop_back();
            const float rows = (inside.h - kEfficiency - kRule - kCountHead) / kCountRow;
            add_table_section(c, std::clamp(static_cast<int>(rows), 2, 8), sections);
        }
        stack(pen, std::move(sections), inside, 36);
    });
}

}  // namespace warptree::scene
