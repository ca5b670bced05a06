// Memory while nobody asks for anything: how the arrays lie in segments and sectors, and over the banks.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kHeadRow = 30, kSegmentPitch = 34, kSegmentHeight = 24, kSegmentGap = 14, kWidestSegment = 230;
constexpr float kWordPitch = 18, kAirBelow = 18;
constexpr std::uint32_t kMostWordRows = 8;

/// One array as it lies in memory.
struct ArrayLayout {
    const trace::Array& array;
    std::size_t bytes = 0;  // of the array
    std::string facts, brief;
};

/// How high a picture is, and how many segments or words of how many it shows.
struct Drawn {
    float height = 0;
    std::size_t pieces = 0, of = 0;
};

ArrayLayout layout_of(const trace::Trace& t, std::size_t id) {
    const trace::Array& array = t.arrays[id];
    const std::size_t size = value::size_bytes(t.value.type()), bytes = std::size_t{array.extent} * size;
    const auto pieces = [bytes](std::size_t of) { return (bytes + of - 1) / of; };
    const std::string elements = fmt::format("{} of {}", counted(array.extent, "element"), counted(size, "byte"));
    if (array.space == trace::Space::kShared)
        return {array, bytes, fmt::format("{} over {} banks of 4 bytes", elements, counters::kBanks), elements};
    return {
        array, bytes,
        fmt::format("{} in {} of 128 bytes, {} of 32", elements, counted(pieces(counters::kSegmentBytes), "segment"),
                    counted(pieces(counters::kSectorBytes), "sector")),
        elements};
}

void draw_piece(Pen& pen, Box box, bool whole) {
    pen.framed(box, {Role::kRaised, whole ? 1.0f : 0.4f}, {Role::kLine}, box.w > 5 ? 1.2f : 0.0f,
               std::min(4.0f, 0.2f * box.w));
}

/// Segments from left to right, each of four sectors, in as many rows as there is room for.
Drawn draw_global(Pen& pen, const ArrayLayout& a, Box box) {
    const auto in_row = static_cast<std::size_t>(std::max(1.0f, std::floor(box.w / kWidestSegment)));
    const float width = (box.w + kSegmentGap) / static_cast<float>(in_row) - kSegmentGap;
    const std::size_t segments = (a.bytes + counters::kSegmentBytes - 1) / counters::kSegmentBytes;
    const auto rows = static_cast<std::size_t>(std::max(0.0f, std::floor(box.h / kSegmentPitch)));
    const std::size_t shown = std::min(segments, rows * in_row);
    constexpr std::size_t kSectors = counters::kSegmentBytes / counters::kSectorBytes;
    const float sector = width / kSectors;
    for (std::size_t i = 0; i < shown; ++i) {
        const float x = box.x + static_cast<float>(i % in_row) * (width + kSegmentGap);
        const float y = box.y + static_cast<float>(i / in_row) * kSegmentPitch;
        for (std::size_t s = 0; s < kSectors; ++s) {
            const std::size_t begin = i * counters::kSegmentBytes + s * counters::kSectorBytes;
            draw_piece(pen, {x + sector * static_cast<float>(s), y, sector - 3, kSegmentHeight}, begin < a.bytes);
        }
    }
    return {static_cast<float>((shown + in_row - 1) / in_row) * kSegmentPitch, shown, segments};
}

/// Words under the bank that serves them.
Drawn draw_shared(Pen& pen, const ArrayLayout& a, Box box) {
    const std::size_t words = (a.bytes + 3) / 4;
    const auto room = static_cast<std::uint32_t>(std::max(0.0f, std::floor((box.h - kWordPitch) / kWordPitch)));
    const auto rows = std::min<std::uint32_t>(
        {static_cast<std::uint32_t>((words + counters::kBanks - 1) / counters::kBanks), kMostWordRows, room});
    if (rows == 0) return {0, 0, words};
    const float pitch = box.w / static_cast<float>(counters::kBanks);
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t bank = 0; bank < counters::kBanks; ++bank) {
            const bool there = std::size_t{row} * counters::kBanks + bank < words;
            draw_piece(pen,
                       {box.x + pitch * static_cast<float>(bank), box.y + kWordPitch * static_cast<float>(row),
                        pitch - 3, kWordPitch - 4},
                       there);
        }
    const float y = box.y + kWordPitch * static_cast<float>(rows) + 6;
    for (std::uint32_t bank = 0; bank < counters::kBanks; ++bank)
        pen.line({box.x + pitch * static_cast<float>(bank) + (pitch - 3) / 2, y}, fmt::format("{}", bank),
                 {Face::kMono, kIndex, {Role::kTextDim}}, pitch, Align::kCentre);
    return {kWordPitch * static_cast<float>(rows + 1), std::size_t{rows} * counters::kBanks, words};
}

/// What an array is, and which part of it is drawn where that is not all: before all else.
void put_facts(Pen& pen, const ArrayLayout& a, const Drawn& drawn, std::string_view piece, Vec at, float width) {
    const bool all = drawn.of <= drawn.pieces;
    const std::string part = all ? "" : fmt::format("; drawn: the first {}", counted(drawn.pieces, piece));
    const std::string alone =
        all ? "" : fmt::format("the first {} of {}", grouped(drawn.pieces), counted(drawn.of, piece));
    pen.either(at, {a.facts + part, a.brief + part, alone}, kDim, width);
}

}  // namespace

void draw_memory_at_rest(Pen& pen, const Subject& subject, Box inside) {
    const trace::Trace& t = subject.trace;
    if (inside.h >= 300) {
        const Box row = cut_bottom(inside, kHeadRow);
        pen.either({row.x, row.y + 14},
                   {"A box of global memory is a sector of 32 bytes, four are a segment; a box of shared memory is a "
                    "word, in the column of its bank.",
                    "Boxes are sectors of global memory, words of shared memory.", "Boxes: sectors and words."},
                   kDim, row.w);
    }
    float y = inside.y;
    for (std::size_t id = 0; id < t.arrays.size(); ++id) {
        const ArrayLayout a = layout_of(t, id);
        const bool shared = a.array.space == trace::Space::kShared;
        const std::size_t left = t.arrays.size() - id - 1;  // arrays whose head and first row want room too
        const float rest = static_cast<float>(left) * (kHeadRow + 2 * kSegmentPitch + kAirBelow);
        Box box{inside.x, y + kHeadRow, inside.w, inside.bottom() - y - kHeadRow - rest};
        if (box.h < kSegmentPitch) box.h += rest;
        if (box.h < kSegmentPitch) return;
        const Drawn drawn = shared ? draw_shared(pen, a, box) : draw_global(pen, a, box);
        const float used =
            pen.line({inside.x, y + 12}, a.array.name, {Face::kMonoBold, kBody, {Role::kText}}, inside.w / 3);
        put_facts(pen, a, drawn, shared ? "word" : "segment", {inside.x + used + 14, y + 12}, inside.w - used - 14);
        y += kHeadRow + drawn.height + kAirBelow;
    }
}

}  // namespace warptree::scene
