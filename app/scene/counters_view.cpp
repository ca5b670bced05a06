// The cost so far: efficiency, the book against the measurement, memory, and what each step counted.
#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "app/scene/counters_parts.hpp"
#include "app/study/words.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "kernels/measured.hpp"

namespace warptree::scene {
namespace {

constexpr float kEfficiency = 96;
constexpr int kRows = 5, kWholeRank = 2;

/// "4e 34.6 %, 5e 29.5 %": what the book gives for the whole kernel; "" where it gives nothing.
std::string book_efficiency(const Book& book) {
    std::string text;
    for (const textbook::Form& form : book.forms()) {
        if (form.quantity != "efficiency" || form.note_only() || !book.shows(form)) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Book::tag(form), percent(form.value));
    }
    return text;
}

std::string slots_sentence(const Subject& s, const study::Useful& useful) {
    if (s.on_host()) return "the CPU pays no slots";
    if (useful.slots == 0) return "no slot of a step that adds is spent yet";
    const std::uint64_t idle = useful.slots - std::min(useful.operations, useful.slots);
    const std::string wasted = idle == 0 ? "none wasted" : grouped(idle) + " wasted";
    return fmt::format("{}, {}", useful_text(useful), useful.known ? wasted : "useful or not");
}

/// "255 / 864 = 29.5 %".
std::string fraction(std::uint64_t operations, std::uint64_t slots) {
    return fmt::format("{} / {} = {}", grouped(operations), grouped(slots), percent(operations, slots));
}

/// The badge of a wrong result, once it is out: what came out, what would be right, and why.
void add_result_section(const CountersContext& c, std::vector<Section>& sections) {
    constexpr float kVerdictLine = 34;
    constexpr Style kReason{Face::kSans, 15, {Role::kText}};
    const kernels::Verdict& v = c.subject.verdict;
    if (v.correct || c.at.position < c.subject.steps()) return;
    const auto& hazards = c.subject.hazards;
    const std::string came = v.result.empty() ? "none" : v.result;
    const std::string reason = hazards.empty()
                                   ? v.note
                                   : fmt::format("Threads race: {} {} read and written with no barrier between.",
                                                 counted(hazards.size(), "cell"), hazards.size() == 1 ? "is" : "are");
    const float inside = c.width - 24;
    const bool scans = c.subject.trace.launch.scans();
    const std::string whole =
        scans ? "Wrong: " + v.wrong : fmt::format("Wrong result: {}, right would be {}", came, v.expected);
    const bool one_line = scans || c.pen.width(whole, Face::kSansBold, kLeast) <= inside;
    Section why = words(c.pen, reason, kReason, inside, 0, 0, 0, 4);
    const float head = one_line ? kVerdictLine : 2 * kVerdictLine - 10;
    const auto draw = [=, &c, right = v.expected](Box box) {
        c.pen.framed(box, {Role::kRaised}, {Role::kWrong}, 2, 8);
        const Vec at{box.x + 12, box.y + 19};
        c.pen.line(at, one_line ? whole : "Wrong result " + came, {Face::kSansBold, 17, {Role::kWrong}}, inside);
        if (!one_line) c.pen.line({at.x, at.y + 24}, "right would be " + right, kSubHeading, inside);
        why.draw({at.x, box.y + head - 1.5f, inside, why.height});
    };
    sections.push_back({head + why.height + 6, 0, draw});
}

void add_efficiency_sections(const CountersContext& c, std::vector<Section>& sections) {
    sections.push_back(
        {kEfficiency, 0, [&c](Box box) {
             const study::Useful useful = c.subject.useful_up_to(c.at.position);
             const std::string share = useful.slots == 0 ? std::string("–") : percent(useful.efficiency());
             const Vec right{box.right(), box.y + 18};
             const float used =
                 c.pen.line(right, share, {Face::kMonoBold, 40, {Role::kText}}, 0.6f * box.w, Align::kRight);
             c.pen.line({box.x, right.y}, "Efficiency", {Face::kSans, 20, {Role::kText}}, box.w - used - 12);
             draw_efficiency(c.pen, useful, {box.x, box.y + 46, box.w, 20});
             std::string slots =
                 slots_sentence(c.subject, useful);  // without what is wasted where there is no room for it
             if (c.pen.width(slots, Face::kSans, kLeast) > box.w) slots = slots.substr(0, slots.rfind(", "));
             c.pen.line({box.x, box.y + 86}, slots, kEntry, box.w);
         }});
    if (!c.tells_all()) return;
    std::vector<Section> lines;
    const auto add = [&](std::string_view name, const std::string& figures) {
        lines.push_back({26, 0, [=, &c, first = lines.empty()](Box row) {
                             const Style style{Face::kMono, kSmall, {first ? Role::kText : Role::kBook}};
                             const float y = row.y + 16, used = c.pen.line({row.right(), y}, figures, style,
                                                                           row.w - 110, Align::kRight);
                             c.pen.line({row.x, y}, name, kDim, row.w - used - 12);
                         }});
    };
    const study::Useful useful = c.subject.useful_up_to(c.subject.steps());
    add("whole kernel", useful.slots == 0 ? "no slot that adds" : fraction(useful.operations, useful.slots));
    const counters::Counters& tree = c.subject.summary.tree;  // books count by its steps alone
    if (tree.consumed_slots > 0 && (tree.operations != useful.operations || tree.consumed_slots != useful.slots))
        add("as books count", fraction(tree.operations, tree.consumed_slots));
    if (const std::string book = book_efficiency(c.book); !book.empty()) add("in the book", book);
    sections.push_back(together(std::move(lines), kWholeRank, 0));
}

/// The width of each column of numbers: wide enough for the largest of the whole run.
float number_column(const CountersContext& c) {
    constexpr float kUsual = 84;
    constexpr std::uint64_t kNarrow = 1'000'000;  // numbers below are shrunk to fit such a column
    const counters::Counters& all = c.subject.summary.totals;
    using namespace counters;
    const std::uint64_t most = std::max({kConsumedSlots(all), kActiveThreads(all), kRequests(all), kSectors(all),
                                         kSharedRequests(all), kBankConflicts(all), kBlockBarriers(all)});
    const float needed = c.pen.width(grouped(most), Face::kMono, 18) + 18;
    return most < kNarrow ? kUsual : std::clamp(needed, kUsual, 0.34f * c.width);
}

/// Counters of the step and so far, a line each.
class CountTable {
public:
    CountTable(const CountersContext& c, std::string_view title, Box box)
        : c_(c),
          table_(c.pen, box, {{"", 0, Align::kLeft}, {"step", number_column(c)}, {"so far", number_column(c)}}, kRow) {
        table_.heads();
        table_.text(0, title, kSubHeading);
    }
    void row(const counters::Quantity& of, const std::string& remark = "", Role role = Role::kText) {
        const bool some = c_.has_step();
        table_.next();
        const float used = table_.text(0, of.name, {Face::kSans, 17, {Role::kText}}) + 12;
        const Box name = table_.cell(0);
        c_.pen.either({name.x + used, table_.y()}, {remark}, kFine, name.w - used);
        table_.text(1, some ? grouped(of(c_.step())) : "–", {Face::kMonoBold, 18, {role}});
        table_.text(2, some ? grouped(of(c_.so_far())) : "–", {Face::kMono, 18, {role}});
    }
    static float height(int rows) { return 20 + kRow * rows; }
    static constexpr float kRow = 27;

private:
    const CountersContext& c_;
    Table table_;
};

/// The first segment of global memory that the step touches, sector by sector; the cells that it touches filled.
void draw_first_segment(const CountersContext& c, Box box) {
    const trace::Trace& t = c.subject.trace;
    const auto size = static_cast<std::uint32_t>(value::size_bytes(t.value.type()));
    const std::uint32_t per_segment = counters::kSegmentBytes / size, per_sector = counters::kSectorBytes / size;
    std::set<std::pair<std::uint8_t, std::uint32_t>> touched;
    const auto range = t.range(c.subject.block, static_cast<std::uint32_t>(c.at.step()));
    for (std::uint32_t row = range.begin; row < range.end; ++row)
        if (t.array(row) != trace::Site::kNoArray && t.space(row) == trace::Space::kGlobal)
            touched.insert({t.array(row), t.index[row]});
    if (touched.empty()) return;
    const std::uint8_t array = touched.begin()->first;
    const std::uint32_t first = touched.begin()->second / per_segment * per_segment,
                        cells = std::min(per_segment, t.arrays[array].extent - first),
                        sectors = (cells + per_sector - 1) / per_sector;
    constexpr float kApart = 6;
    const float pitch = std::min(26.0f, (box.w - (sectors - 1) * kApart) / (sectors * per_sector));
    for (std::uint32_t i = 0; i < sectors * per_sector; ++i) {
        const Box cell{box.x + i * pitch + i / per_sector * kApart, box.y, pitch - 2, 18};
        const bool used = touched.contains({array, first + i});
        const Id id = pack({Target::Kind::kSegment, 0, array, first});
        const Role outline = used ? Role::kSegment : Role::kLine;
        i < cells ? c.pen.framed(cell, {used ? Role::kSegment : Role::kRaised}, {outline}, 1, 2, id)
                  : c.pen.frame(cell, {outline}, 1, 2, id, true);
    }
    const std::string last = cells == 1 ? "" : fmt::format(" to {}", first + cells - 1);
    c.pen.line({box.x, box.y + 34},
               fmt::format("{}[{}{}]: cells touched, 32 bytes a sector", t.arrays[array].name, first, last), kNote,
               box.w);
}

void draw_moved(const CountersContext& c, Box box) {
    const counters::Counters step = c.has_step() ? c.step() : counters::Counters();
    if (step.sectors() == 0)
        return say(c.pen, box,
                   !c.has_step()         ? "No step has run yet."
                   : c.subject.on_host() ? "The CPU works: the GPU's counters stand still."
                                         : "This step leaves global memory alone.",
                   kNote, 1);
    draw_first_segment(c, box);
    const auto asked = step.global_ld.bytes + step.global_st.bytes + step.global_red.bytes + step.global_atom.bytes;
    c.pen.line({box.x, box.y + 56}, moved_text(asked, step.sectors() * counters::kSectorBytes), kEntry, box.w);
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
    if (c.tells_all()) add_request_section(c, sections);
    sections.push_back(words(c.pen, kWhy, kNote, c.width, 6, 0, 6));
    sections.push_back({82, 5, [&c](Box box) { draw_moved(c, {box.x, box.y + 12, box.w, box.h}); }, 0});
}

/// What the table ends with: that the warp is a teaching one, or that a GPU counted the same.
std::string table_note(const trace::Launch& launch) {
    if (launch.warp_size != 32) return fmt::format("Teaching warp of {} lanes; CUDA has 32.", launch.warp_size);
    const auto check = kernels::hardware_check(launch);
    if (!check) return "";
    const std::string when = fmt::format("{}, {}", study::brief_device(check->device), check->date);
    if (check->equal == check->figures) return "Equal to hardware: " + when;
    return fmt::format("{} of {} equal to hardware: {}", check->equal, check->figures, when);
}

/// rows  0: as many as there are besides those of memory; else so many, memory among them
void add_table_section(const CountersContext& c, int rows, std::vector<Section>& sections) {
    const bool brief = rows > 0;
    const std::string note = brief ? "" : table_note(c.subject.trace.launch);
    const auto draw = [&c, note, brief, rows](Box box) {
        CountTable table(c, c.subject.trace.launch.grid > 1 ? "Counted, all blocks" : "Counted", box);
        const counters::Counters sum = c.so_far();
        const std::uint64_t moving = sum.consumed_slots - c.subject.useful_up_to(c.at.position).slots;
        const bool moves = moving > 0 && !c.subject.on_host();
        const std::tuple<const counters::Quantity&, bool, std::string> all[] = {
            {counters::kActiveThreads, true, ""},
            {counters::kActiveWarps, true, ""},
            {counters::kDivergentWarps, true, ""},
            {counters::kSegments, false, ""},
            {counters::kConsumedSlots, true, moves ? grouped(moving) + " only move data" : ""},
            {counters::kBlockBarriers, true,
             sum.cluster_barriers == 0 ? "" : fmt::format("+ {} of clusters", grouped(sum.cluster_barriers))},
            {counters::kRequests, false, ""},
            {counters::kSectors, false, ""}};
        int left = brief ? rows : kRows;
        for (const auto& [quantity, always, remark] : all)
            if ((always || brief) && left-- > 0) table.row(quantity, remark);
        if (note.empty()) return;
        const bool measured = c.subject.trace.launch.warp_size == 32;
        const float y = box.bottom() - 10;
        if (measured) draw_tick(c.pen, {box.x + 7, y}, {Role::kSegment});
        const float inset = measured ? 22.0f : 0.0f;
        c.pen.line({box.x + inset, y}, note, kNote, box.w - inset, Align::kLeft,
                   measured ? pack({.kind = Target::Kind::kHardware}) : 0);
    };
    sections.push_back(
        {CountTable::height(brief ? rows : kRows) + (note.empty() ? 0.0f : CountTable::kRow - 1), 1, draw});
}

}  // namespace

Scene counters_view(const Subject& s, Playhead at, Box box, const Measure& measure, const Target& hover,
                    const std::string& edition) {
    return on_panel(box, measure, [&](Pen& pen) {
        const std::string steps =
            at.has_step() ? fmt::format("step {} of {}", at.position, s.steps()) : fmt::format("{} steps", s.steps());
        const bool alone = s.run().launches.size() == 1;
        panel_title(pen, box, "Cost so far", alone ? steps : fmt::format("launch {}, its {}", s.launch + 1, steps));
        const Book book(s, edition);
        const Box inside = panel_inside(box, 16);
        const CountersContext c{s, book, at, pen, inside.w, hover};
        std::vector<Section> sections;
        add_result_section(c, sections);
        add_efficiency_sections(c, sections);
        if (c.tells_all()) add_book_sections(c, sections);
        add_memory_sections(c, sections);
        add_table_section(c, 0, sections);
        float needed = -kRule;  // by those parts that do not give way
        for (const Section& section : sections)
            if (section.rank <= kWholeRank) needed += section.height + section.above;
        if (needed > inside.h) {  // efficiency and one table, as long as the room
            sections.clear();
            add_result_section(c, sections);
            add_efficiency_sections(c, sections);
            if (c.tells_all()) sections.pop_back();
            const float rows = (inside.h - kEfficiency - kRule - CountTable::height(0)) / CountTable::kRow;
            add_table_section(c, std::clamp(static_cast<int>(rows), 2, 8), sections);
        }
        stack(pen, std::move(sections), inside, 36);
    });
}

}  // namespace warptree::scene
