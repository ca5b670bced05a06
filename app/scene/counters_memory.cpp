// Memory of the present step: how often it was asked, what had to be moved, and how much of that was used.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/scene/counters_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

std::uint64_t bytes_asked(const counters::Counters& c) {
    return c.global_ld.bytes + c.global_st.bytes + c.global_red.bytes + c.global_atom.bytes;
}

bool uses_shared(const Subject& s) {
    return counters::kSharedRequests(s.summary.totals) > 0;
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
    const std::uint64_t asked = bytes_asked(c.step()), moved = c.step().sectors() * counters::kSectorBytes;
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

void add_memory_sections(const CountersContext& c, std::vector<Section>& sections) {
    static constexpr std::string_view kWhy =
        "A request is one warp's access. It falls into 128-byte segments, which move in sectors of 32.";
    const bool shared = uses_shared(c.subject);
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
    const auto lines = static_cast<float>(wrap(c.pen.measure(), kWhy, Face::kSans, 15, c.width).size());
    sections.push_back({lines * line_height(15) + 4, 6,
                        [&c](Box box) {
                            c.pen.paragraph({box.x, box.y + 17}, kWhy, kNote, box.w);
                        },
                        0});
    sections.push_back({82, 5, [&c](Box box) { draw_strip(c, {box.x, box.y + 12, box.w, box.h}); }, 0});
}

}  // namespace warptree::scene
