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
void draw_segment(const CountersContext& c, const Segment& segment, float top) {
    const auto per_sector =
        static_cast<std::uint32_t>(counters::kSectorBytes / value::size_bytes(c.subject.trace.value.type()));
    const std::uint32_t slots = (segment.cells + per_sector - 1) / per_sector * per_sector;
    const float gap = 6, sectors = static_cast<float>(slots / per_sector);
    const float pitch = std::min(26.0f, (c.width - (sectors - 1) * gap) / static_cast<float>(slots));
    const Id id = pack({Target::Kind::kSegment, 0, segment.array, segment.first});
    for (std::uint32_t i = 0; i < slots; ++i) {
        const float x = c.x + static_cast<float>(i) * pitch + static_cast<float>(i / per_sector) * gap;
        const bool used = segment.touched.count(segment.first + i) > 0, exists = i < segment.cells;
        c.pen.add(Rect{.box = {x, top, pitch - 2, 18},
                       .ink = {used ? Role::kSegment : Role::kRaised},
                       .fill = exists ? Fill::kSolid : Fill::kNone,
                       .radius = 2,
                       .outline = {used ? Role::kSegment : Role::kLine},
                       .outline_width = 1,
                       .dashed = !exists,
                       .id = id});
    }
}

std::string range_name(const Subject& s, const Segment& segment) {
    const std::string& name = s.trace.arrays[segment.array].name;
    if (segment.cells == 1) return fmt::format("{}[{}]", name, segment.first);
    return fmt::format("{}[{} to {}]", name, segment.first, segment.first + segment.cells - 1);
}

void draw_strip(const CountersContext& c, float top) {
    const Subject& s = c.subject;
    const Style dim{Face::kSans, 15, {Role::kTextDim}};
    const bool some = c.has_step() && c.step().sectors() > 0;
    if (!some) {
        c.pen.line({c.x, top + 12},
                   !c.has_step() ? "No step has run yet."
                   : s.on_host() ? "The CPU works: the GPU's counters stand still."
                                 : "This step leaves global memory alone.",
                   dim, c.width);
        return;
    }
    const Segment segment = first_segment(s, c.at.step());
    if (segment.cells > 0) {
        draw_segment(c, segment, top);
        c.pen.line({c.x, top + 34}, fmt::format("{}: cells touched, 32 bytes a sector", range_name(s, segment)), dim,
                   c.width);
    }
    const std::uint64_t asked = bytes_asked(c.step()), moved = c.step().sectors() * counters::kSectorBytes;
    c.pen.line({c.x, top + 56},
               fmt::format("{} of {} bytes moved are used: {}", grouped(asked), grouped(moved),
                           percent(static_cast<double>(asked) / static_cast<double>(moved))),
               {Face::kSans, kSmall, {Role::kText}}, c.width);
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

float draw_rows(const CountersContext& c, float y) {
    const bool some = c.has_step();
    const counters::Counters step = some ? c.step() : counters::Counters{}, sum = c.so_far();
    const auto row = [&](const counters::Quantity& of, const char* remark, Role role) {
        y += kRow;
        table_row(
            c, {std::string(of.name), remark, some ? grouped(of(step)) : "–", some ? grouped(of(sum)) : "–", role}, y);
    };
    row(counters::kRequests, "profiler", Role::kSegment);
    row(counters::kSegments, "book, 128 B", Role::kSegment);
    row(counters::kSectors, "32 B", Role::kSegment);
    if (uses_shared(c.subject)) {
        row(counters::kSharedRequests, "", Role::kText);
        row(counters::kBankConflicts, "", Role::kText);
    }
    return y;
}

}  // namespace

Section memory_section(const CountersContext& c, const Detail& detail) {
    static constexpr std::string_view kWhy =
        "A request is one warp's access. It falls into 128-byte segments, which move in sectors of 32.";
    const textbook::Form* form = detail.book && c.tells_all() ? request_form(c.book) : nullptr;
    const float rows = uses_shared(c.subject) ? 5 : 3;
    const auto why = detail.why ? wrap(c.pen.measure(), kWhy, Face::kSans, 15, c.width) : std::vector<std::string>{};
    const float why_height = static_cast<float>(why.size()) * line_height(15);
    const float formula = form != nullptr ? formula_height(c, request_formula(c, *form)) - 4 : 0;
    const float height =
        20 + rows * kRow + formula + (why.empty() ? 0.0f : why_height + 4) + (detail.strip ? 82.0f : 0.0f);
    const auto draw = [&c, detail, form, formula, why_height](float top) {
        table_head(c, "Global memory", top + 10);
        float y = draw_rows(c, top + 10);
        if (form != nullptr) {
            draw_formula(c, request_formula(c, *form), y + kRow);
            y += formula;
        }
        if (detail.why) {
            c.pen.paragraph({c.x, y + kRow}, kWhy, {Face::kSans, 15, {Role::kTextDim}}, c.width);
            y += why_height + 4;
        }
        if (detail.strip) draw_strip(c, y + 22);
    };
    return {height, 2, draw};
}

}  // namespace warptree::scene
