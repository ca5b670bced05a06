// Memory while nobody asks for anything: how the arrays lie in segments and sectors, and over the banks.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kHeadRow = 30, kSegmentPitch = 34, kSegmentGap = 14, kWidestSegment = 230;
constexpr float kWordPitch = 18, kAirBelow = 18;
constexpr std::size_t kMostWordRows = 8, kSectors = counters::kSegmentBytes / counters::kSectorBytes, kWordBytes = 4;

std::size_t pieces(std::size_t all, std::size_t each) {
    return (all + each - 1) / each;
}

/// How high a picture is, and how many segments or words it shows.
struct Drawn {
    float height = 0;
    std::size_t pieces = 0;
};

void draw_piece(Pen& pen, Box box, bool whole) {
    pen.framed(box, {Role::kRaised, whole ? 1.0f : 0.4f}, {Role::kLine}, box.w > 5 ? 1.2f : 0.0f,
               std::min(4.0f, 0.2f * box.w));
}

/// Segments from left to right, each of four sectors, in as many rows as there is room for.
Drawn draw_global(Pen& pen, std::size_t bytes, Box box) {
    const std::size_t in_row = std::max(1.0f, box.w / kWidestSegment), rows = std::max(0.0f, box.h / kSegmentPitch);
    const float width = (box.w + kSegmentGap) / in_row, sector = (width - kSegmentGap) / kSectors;
    const std::size_t shown = std::min(pieces(bytes, counters::kSegmentBytes), rows * in_row);
    for (std::size_t i = 0; i < shown * kSectors; ++i) {
        const std::size_t segment = i / kSectors;
        draw_piece(pen,
                   {box.x + segment % in_row * width + sector * (i % kSectors),
                    box.y + segment / in_row * kSegmentPitch, sector - 3, kSegmentPitch - 10},
                   i * counters::kSectorBytes < bytes);
    }
    return {pieces(shown, in_row) * kSegmentPitch, shown};
}

/// Words under the bank that serves them.
Drawn draw_shared(Pen& pen, std::size_t bytes, Box box) {
    const std::size_t words = pieces(bytes, kWordBytes), room = std::max(0.0f, box.h / kWordPitch - 1);
    const std::size_t rows = std::min({pieces(words, counters::kBanks), kMostWordRows, room});
    if (rows == 0) return {};
    const float pitch = box.w / counters::kBanks;
    for (std::size_t i = 0; i < rows * counters::kBanks; ++i)
        draw_piece(pen,
                   {box.x + pitch * (i % counters::kBanks), box.y + i / counters::kBanks * kWordPitch, pitch - 3,
                    kWordPitch - 4},
                   i < words);
    for (std::size_t bank = 0; bank < counters::kBanks; ++bank)
        pen.line({box.x + pitch * bank + (pitch - 3) / 2, box.y + kWordPitch * rows + 6}, std::to_string(bank),
                 {Face::kMono, kIndex, {Role::kTextDim}}, pitch, Align::kCentre);
    return {kWordPitch * (rows + 1), rows * counters::kBanks};
}

/// An array: its name, what it is, and which part of it is drawn where that is not all, before all else.
/// returns  the height used
float draw_array(Pen& pen, const trace::Trace& t, const trace::Array& array, Box box) {
    const bool shared = array.space == trace::Space::kShared;
    const std::size_t size = value::size_bytes(t.value.type()), bytes = array.extent * size,
                      all = pieces(bytes, shared ? kWordBytes : counters::kSegmentBytes);
    const Vec head{box.x, box.y + 12};
    cut_top(box, kHeadRow);
    const auto [height, drawn] = shared ? draw_shared(pen, bytes, box) : draw_global(pen, bytes, box);
    const float used = pen.line(head, array.name, {Face::kMonoBold, kBody, {Role::kText}}, box.w / 3) + 14;
    const std::string brief = fmt::format("{} of {}", counted(array.extent, "element"), counted(size, "byte"));
    const std::string facts = shared ? fmt::format("{} over {} banks of 4 bytes", brief, counters::kBanks)
                                     : fmt::format("{} in {} of 128 bytes, {} of 32", brief, counted(all, "segment"),
                                                   counted(pieces(bytes, counters::kSectorBytes), "sector"));
    const std::string_view piece = shared ? "word" : "segment";
    const bool whole = all <= drawn;
    const std::string part = whole ? "" : fmt::format("; drawn: the first {}", counted(drawn, piece));
    const std::string alone = whole ? "" : fmt::format("the first {} of {}", grouped(drawn), counted(all, piece));
    pen.either({head.x + used, head.y}, {facts + part, brief + part, alone}, kDim, box.w - used);
    return kHeadRow + height;
}

}  // namespace

void draw_memory_at_rest(Pen& pen, const Subject& subject, Box inside) {
    const auto& arrays = subject.trace.arrays;
    if (inside.h >= 300) {
        const Box row = cut_bottom(inside, kHeadRow);
        pen.either({row.x, row.y + 14},
                   {"A box of global memory is a sector of 32 bytes, four are a segment; a box of shared memory is a "
                    "word, in the column of its bank.",
                    "Boxes are sectors of global memory, words of shared memory.", "Boxes: sectors and words."},
                   kDim, row.w);
    }
    for (std::size_t left = arrays.size(); const trace::Array& array : arrays) {  // heads and first rows want room too
        Box box = inside;
        cut_bottom(box, --left * (kHeadRow + 2 * kSegmentPitch + kAirBelow));
        if (box.h < kHeadRow + kSegmentPitch) box = inside;
        if (box.h < kHeadRow + kSegmentPitch) return;
        cut_top(inside, draw_array(pen, subject.trace, array, box), kAirBelow);
    }
}

}  // namespace warptree::scene
