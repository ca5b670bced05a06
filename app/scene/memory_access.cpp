// One access in full: the segments of global memory that it touches, sector by sector, with the lanes that asked; or
// the 32 banks of shared memory as columns, in which the words that lanes ask of one bank stack up, a pass each.
#include "app/scene/memory_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/scene/kit.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

struct Touched {
    std::uint32_t per_segment = 32, per_sector = 8, width = 1;
    std::uint8_t array = 0;
    std::set<std::uint32_t> cells;
    std::map<std::uint32_t, std::size_t> segments;  // number -> place on the screen
};

Touched touched_by(const MemoryContext& c) {
    const trace::Trace& t = c.subject().trace;
    const counters::Access& access = c.accesses.access(c.shown);
    Touched out;
    const auto size = static_cast<std::uint32_t>(c.element_bytes());
    out.per_segment = counters::kSegmentBytes / size;
    out.per_sector = counters::kSectorBytes / size;
    out.width = t.sites[access.site].width;
    out.array = t.sites[access.site].array;
    for (const std::uint32_t row : access.rows) {
        const std::uint32_t first = t.index[row] / out.width * out.width;
        for (std::uint32_t i = first; i < first + out.width; ++i) out.cells.insert(i);
    }
    for (const std::uint32_t cell : out.cells) out.segments.emplace(cell / out.per_segment, 0);
    std::size_t place = 0;
    for (auto& [number, at] : out.segments) at = place++;
    return out;
}

struct Cells {
    float x = 0, y = 0, h = 0, segment = 0, gap = 0, cell = 0;
    float left(const Touched& t, std::uint32_t cell_index) const {
        const auto place = static_cast<float>(t.segments.at(cell_index / t.per_segment));
        return x + place * (segment + gap) + cell * static_cast<float>(cell_index % t.per_segment);
    }
};

Cells place(const Touched& t, Box box, float y) {
    const auto count = static_cast<float>(t.segments.size());
    const float gap = count <= 4 ? 18.0f : count <= 12 ? 8.0f : 4.0f;
    const float segment = std::min(box.w, (box.w - (count - 1) * gap) / count);
    const float h = std::clamp(0.2f * box.h, 22.0f, 60.0f);
    return {box.x, y, h, segment, gap, segment / static_cast<float>(t.per_segment)};
}

/// Whether every cell has room for its index: they are all numbered, or none.
bool numbered(const MemoryContext& c, const Touched& t, const Cells& l) {
    const std::string widest(std::to_string(*t.cells.rbegin()).size(), '0');
    return c.pen.width(widest, Face::kMonoBold, kIndex) <= l.cell - 4;
}

/// Neighbouring cells of a sector that moves, used or not.
void draw_cells(const MemoryContext& c, const Cells& l, float left, std::uint32_t count, bool used, Id id) {
    const Box box{left, l.y, l.cell * static_cast<float>(count) - (l.cell > 8 ? 3.0f : 1.0f), l.h};
    c.pen.mark(box, {c.role(), used ? 1.0f : 0.75f}, used ? Fill::kSolid : Fill::kHatched, box.w <= 5 ? 0.0f : 1.2f,
               std::min(4.0f, 0.2f * box.w), id);
}

/// The cells of a sector that moves, told apart.
void draw_used(const MemoryContext& c, const Touched& t, const Cells& l, std::uint32_t first, Id id) {
    const bool numbers = numbered(c, t, l);
    for (std::uint32_t cell = first; cell < first + t.per_sector;) {
        const float x = l.left(t, cell);
        if (t.cells.count(cell) == 0) {
            std::uint32_t run = cell + 1;
            while (run < first + t.per_sector && t.cells.count(run) == 0) ++run;
            draw_cells(c, l, x, run - cell, false, id);
            cell = run;
            continue;
        }
        draw_cells(c, l, x, 1, true, id);
        if (numbers)
            c.pen.put({x + 0.5f * (l.cell - (l.cell > 8 ? 3.0f : 1.0f)), l.y + l.h / 2}, fmt::format("{}", cell),
                      {Face::kMonoBold, kIndex, {c.on_role()}}, Align::kCentre, id);
        ++cell;
    }
}

/// A sector: moved whole if one byte of it is asked for.
void draw_sector(const MemoryContext& c, const Touched& t, const Cells& l, std::uint32_t first) {
    const auto begin = t.cells.lower_bound(first), end = t.cells.lower_bound(first + t.per_sector);
    const bool moved = begin != end;
    const float w = l.cell * static_cast<float>(t.per_sector);
    const Box box{l.left(t, first), l.y, w - (w > 20 ? 3.0f : 1.0f), l.h};
    const Id id = pack({Target::Kind::kSegment, 0, t.array, first / t.per_segment * t.per_segment});
    const bool apart = moved && l.cell >= 3;
    const float outline = box.w > 5 ? 1.2f : 0.0f, radius = std::min(4.0f, 0.2f * box.w);
    apart   ? c.pen.spot(box, id)
    : moved ? c.pen.hatched(box, {c.role(), 0.75f}, outline, radius, id)
            : c.pen.framed(box, {Role::kRaised, 0.5f}, {Role::kLine}, outline, radius, id);
    if (!moved) return;
    if (!apart) {  // cells too small to tell apart: the share of the sector that is used
        const float used = l.h * static_cast<float>(std::distance(begin, end)) / static_cast<float>(t.per_sector);
        c.pen.fill({box.x, box.bottom() - used, box.w, used}, {c.role()}, 0, id);
        return;
    }
    draw_used(c, t, l, first, id);
}

void draw_names(const MemoryContext& c, const Touched& t, const Cells& l, Box box) {
    const std::string& array = c.subject().trace.arrays[t.array].name;
    const float y = l.y + l.h + 16;
    if (l.segment < 190) {
        c.pen.line(
            {box.x, y},
            fmt::format("{} of 128 bytes, {} cells each, from {}[{}] to {}[{}]", counted(t.segments.size(), "segment"),
                        t.per_segment, array, *t.cells.begin(), array, *t.cells.rbegin()),
            kFine, box.w);
        return;
    }
    for (const auto& [number, at] : t.segments) {
        c.pen.line({l.x + static_cast<float>(at) * (l.segment + l.gap), y},
                   fmt::format("segment {}: from {}[{}]", number, array, number * t.per_segment), kFine, l.segment - 6);
    }
}

void draw_use(const MemoryContext& c, Box box) {
    const counters::Global cost = c.accesses.global(c.shown);
    const std::uint64_t moved = cost.sectors * counters::kSectorBytes;
    if (moved == 0) return;
    const float used = box.w * static_cast<float>(cost.bytes) / static_cast<float>(moved);
    c.pen.hatched({box.x, box.y, box.w, 14}, {c.role(), 0.75f}, 1.2f, 3);
    c.pen.fill({box.x, box.y, used, 14}, {c.role()}, 3);
    c.pen.line({box.x, box.y + 30},
               fmt::format("{} of {} bytes moved are used: {}", grouped(cost.bytes), grouped(moved),
                           percent(static_cast<double>(cost.bytes) / static_cast<double>(moved))),
               kEntry, box.w);
}

constexpr float kPassName = 64, kBankRow = 22, kRemark = 28;

struct BankGrid {
    Box area;
    float pitch = 0, row = 0;
    std::uint32_t passes = 1;
    float span = 1;  // banks that an element covers
    float text = 0;  // size of the words' indices; 0: no room for the longest, so for none
    Box cell(const BankWord& w) const {
        const float gap = pitch > 12 ? 3.0f : 1.0f;
        return {area.x + pitch * static_cast<float>(w.bank), area.y + row * static_cast<float>(w.pass),
                pitch * span - gap, row - (row > 14 ? 3.0f : 1.0f)};
    }
};

/// The index of the element, or how many lanes share it.
std::string label_of(const trace::Trace& t, const BankWord& word) {
    return word.rows.size() > 1 ? fmt::format("×{}", word.rows.size()) : fmt::format("{}", t.index[word.rows.front()]);
}

/// The largest letters in which every word's label has room; 0: there are none.
float text_size(const MemoryContext& c, const BankGrid& g, const std::vector<BankWord>& words) {
    std::size_t longest = 0;
    for (const BankWord& w : words) {
        const std::string text = label_of(c.subject().trace, w);
        longest = std::max(longest, text.size() - (text.starts_with("×") ? 1 : 0));
    }
    const float room = g.pitch * g.span - (g.pitch > 12 ? 3.0f : 1.0f) - 1;
    return fitting_size(c.pen, std::string(longest, '0'), Face::kMonoBold, kLeast, kIndex, room);
}

void draw_word(const MemoryContext& c, const BankGrid& g, const BankWord& word, bool first_of_half) {
    const Box box = g.cell(word);
    const trace::Trace& t = c.subject().trace;
    const std::uint32_t row = word.rows.front();
    const Id id = cell_id(t.step[row] + 1, t.array(row), t.index[row]);
    c.pen.mark(box, {first_of_half ? c.role() : Role::kDivergent}, first_of_half ? Fill::kSolid : Fill::kHatched,
               box.h > 6 ? 1.2f : 0.0f, std::min({4.0f, 0.2f * box.w, 0.2f * box.h}), id);
    if (g.text == 0 || box.h < g.text + 2) return;
    const std::string text = label_of(t, word);
    const float width = c.pen.width(text, Face::kMonoBold, g.text);
    if (!first_of_half)
        c.pen.fill({box.centre().x - width / 2 - 1, box.y + 1, width + 2, box.h - 2}, {Role::kPanel, 0.8f}, 3, id);
    c.pen.put(box.centre(), text, {Face::kMonoBold, g.text, {first_of_half ? c.on_role() : Role::kOnDivergent}},
              Align::kCentre, id);
}

/// Grounds and numbers of the banks, names of the passes.
void draw_frame(const MemoryContext& c, const BankGrid& g) {
    for (std::uint32_t bank = 0; bank < counters::kBanks; ++bank) {
        const float x = g.area.x + g.pitch * static_cast<float>(bank);
        c.pen.fill({x, g.area.y, g.pitch - (g.pitch > 12 ? 3.0f : 1.0f), g.row * static_cast<float>(g.passes)},
                   {Role::kRaised, 0.6f}, 3);
        const std::uint32_t every = g.pitch >= 22 ? 1 : g.pitch >= 11 ? 2 : 4;
        if (bank % every != 0) continue;
        c.pen.put({x + 0.45f * g.pitch, g.area.y + g.row * static_cast<float>(g.passes) + 12}, fmt::format("{}", bank),
                  {Face::kMono, kIndex, {Role::kTextDim}}, Align::kCentre);
    }
    const auto every = static_cast<std::uint32_t>(std::ceil(17 / g.row));
    for (std::uint32_t pass = 0; pass < g.passes; pass += every) {
        c.pen.line({g.area.x - 10, g.area.y + g.row * (static_cast<float>(pass) + 0.45f)},
                   fmt::format("pass {}", pass + 1), kFine, kPassName - 8, Align::kRight);
    }
    c.pen.line({g.area.x - 10, g.area.y + g.row * static_cast<float>(g.passes) + 12}, "bank", kFine, kPassName - 8,
               Align::kRight);
}

std::string sentence(const MemoryContext& c, const std::vector<BankWord>& words) {
    const std::uint64_t conflicts = c.accesses.conflicts(c.shown), passes = c.accesses.passes(c.shown);
    const std::size_t lanes = c.accesses.access(c.shown).rows.size();
    if (words.size() == 1 && lanes > 1) return fmt::format("{} lanes want one word: a broadcast, one pass.", lanes);
    if (words.size() == 1) return "One lane wants one word: one pass, no conflict.";
    if (conflicts == 0 && passes == 1)
        return fmt::format("{} in as many banks: one pass, no conflict.", counted(words.size(), "word"));
    if (conflicts == 0) return "Elements of 8 bytes: each half of the warp takes a pass of its own; no conflict.";
    return fmt::format("Words in one bank are served one after the other: {} passes, {}.", passes,
                       counted(conflicts, "conflict"));
}

}  // namespace

LaneRow draw_lane_row(const MemoryContext& c, Box row, float widest) {
    const trace::Trace& t = c.subject().trace;
    const counters::Access& access = c.accesses.access(c.shown);
    const std::size_t warp = t.launch.warp_size, first = access.warp * warp;
    LaneRow l;
    l.pitch = std::min(widest, row.w / static_cast<float>(warp));
    l.x = row.x + (row.w - l.pitch * static_cast<float>(warp)) / 2;
    l.bottom = row.bottom();
    const std::string longest(std::to_string(std::min<std::size_t>(first + warp, t.launch.block) - 1).size(), '0');
    // All lanes are numbered, or none; then those that have room above them.
    const float size =
        fitting_size(c.pen, longest, Face::kMonoBold, std::min(16.0f, 0.55f * row.h), kIndex, 0.84f * l.pitch - 2);
    const bool inside = size > 0;
    const bool above = !inside && row.h >= kNumberedLanes;
    if (above) row = {row.x, row.y + kIndex, row.w, row.h - kIndex};
    const std::uint32_t every = every_nth(c.pen.width(longest, Face::kMono, kIndex) + 8, l.pitch);
    std::vector<bool> asks(warp, false);
    for (const std::uint32_t r : access.rows) asks[t.thread[r] - first] = true;
    for (std::size_t lane = 0; lane < warp && first + lane < t.launch.block; ++lane) {
        const Box box{l.x + l.pitch * static_cast<float>(lane), row.y, 0.84f * l.pitch, row.h};
        const Id id = lane_id(t.step[access.rows.front()], first + lane);
        Rect chip = lane_chip(box, asks[lane] ? LaneState::kActive : LaneState::kDiverged, id);
        c.pen.add(chip);
        const std::string text = fmt::format("{}", first + lane);
        if (above && lane % every == 0)
            c.pen.put({box.centre().x, row.y - 8}, text, {Face::kMono, kIndex, {Role::kTextDim}}, Align::kCentre);
        if (!asks[lane] || !inside) continue;
        c.pen.put(box.centre(), text, {Face::kMonoBold, size, {Role::kOnActive}}, Align::kCentre, id);
    }
    return l;
}

void draw_wire(const MemoryContext& c, Vec from, Vec to, bool wrong) {
    const Ink ink{wrong ? Role::kDivergent : c.role(), 0.85f};
    c.pen.add(edge_curve(from, to, ink, 1.6f, eased(c.progress / 0.7f)));
}

void draw_segments(const MemoryContext& c, Box box) {
    const trace::Trace& t = c.subject().trace;
    const counters::Access& access = c.accesses.access(c.shown);
    if (t.sites[access.site].array == trace::Site::kNoArray) {
        c.pen.line({box.x, box.y + 20}, "An atomic on a counter of the grid's: one request, whoever asks.", kSaid,
                   box.w);
        return;
    }
    const Touched touched = touched_by(c);
    const float lane_h = std::clamp(0.12f * box.h, 22.0f, 36.0f), use = box.h >= 190 ? 56.0f : 0.0f;
    const float cell_h = std::clamp(0.2f * box.h, 22.0f, 60.0f);
    const LaneRow lanes = draw_lane_row(c, {box.x, box.y, box.w, lane_h}, 64);
    const Cells line = place(touched, box, box.bottom() - use - 30 - cell_h);
    for (const std::uint32_t row : access.rows) {
        const std::uint32_t first = t.index[row] / touched.width * touched.width;
        const float x = line.left(touched, first) + 0.42f * line.cell * static_cast<float>(touched.width);
        draw_wire(c, {lanes.middle(t.thread[row] % t.launch.warp_size), lanes.bottom + 2}, {x, line.y - 2}, false);
    }
    for (const auto& [number, at] : touched.segments)
        for (std::uint32_t i = 0; i < touched.per_segment; i += touched.per_sector)
            draw_sector(c, touched, line, number * touched.per_segment + i);
    draw_names(c, touched, line, box);
    if (use > 0) draw_use(c, {box.x, box.bottom() - use + 6, box.w, use});
}

void draw_banks(const MemoryContext& c, Box box) {
    const std::vector<BankWord> words = bank_words(c.accesses, c.shown);
    const trace::Trace& t = c.subject().trace;
    BankGrid g;
    g.passes = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, c.accesses.passes(c.shown)));
    g.span = c.element_bytes() == 8 ? 2.0f : 1.0f;
    g.pitch = (box.w - kPassName) / static_cast<float>(counters::kBanks);
    const float lane_h = std::clamp(0.12f * box.h, 22.0f, 36.0f);
    const float room = box.h - lane_h - kBankRow - kRemark;
    float wires = std::clamp(0.34f * room, 20.0f, 130.0f);
    g.row = std::min(40.0f, (room - wires) / static_cast<float>(g.passes));
    wires = std::clamp(room - g.row * static_cast<float>(g.passes), wires, 300.0f);
    g.text = text_size(c, g, words);
    g.area = {box.x + kPassName, box.y + lane_h + wires, box.w - kPassName, g.row * static_cast<float>(g.passes)};
    const LaneRow lanes =
        draw_lane_row(c, {g.area.x, box.y, g.area.w, lane_h}, t.launch.warp_size == counters::kBanks ? g.pitch : 64);
    draw_frame(c, g);
    // The halves of a warp with 8-byte elements have a first pass each
    std::uint32_t second = g.passes;
    for (const BankWord& w : words) {
        const bool upper =
            c.element_bytes() == 8 && t.thread[w.rows.front()] % t.launch.warp_size >= counters::kBanks / 2;
        if (upper) second = std::min(second, w.pass);
    }
    for (const BankWord& w : words) {
        const bool first = w.pass == 0 || w.pass == second;
        const Box cell = g.cell(w);
        for (const std::uint32_t row : w.rows) {
            draw_wire(c, {lanes.middle(t.thread[row] % t.launch.warp_size), lanes.bottom + 2},
                      {cell.centre().x, cell.y - 1}, !first);
        }
    }
    for (const BankWord& w : words) draw_word(c, g, w, w.pass == 0 || w.pass == second);
    c.pen.line({box.x, g.area.bottom() + kBankRow + kRemark / 2}, sentence(c, words), kEntry, box.w);
}

}  // namespace warptree::scene
