// Strips: numbers, lanes and shares in a row of cells.
#include "app/kit/strip.hpp"

namespace warptree::scene {
namespace {

/// Each how manyth of numbered things in a row can be numbered: a power of two.
std::uint32_t every_nth(float widest, float pitch) {
    std::uint32_t every = 1;
    while (every * pitch < widest) every *= 2;
    return every;
}

/// A lane's number in the middle of its chip; on a quiet ground where that is hatched.
void draw_lane_number(Pen& pen, Box chip, LaneState state, std::size_t thread, float size, float opacity, Id id) {
    if (state == LaneState::kDiverged)
        pen.disc(chip.centre(), std::min(0.5f * size + 5, 0.4f * std::min(chip.w, chip.h)), {kPanel, 0.8f}, id);
    pen.put(chip.centre(), std::to_string(thread), {kMonoBold, size, {role_on(state), opacity}}, kCentre, id);
}

}  // namespace

float gap_of(float pitch) {
    constexpr float kLeastPitch = 3.5f, kLeastGap = 1.25f;  // a whole pixel in the smallest window
    return pitch < kLeastPitch ? 0 : std::max(kLeastGap, 0.16f * pitch);
}

float Strip::number_size(const Pen& pen, std::size_t all, float most) const {
    const std::string widest(std::to_string(std::max<std::size_t>(all, 1) - 1).size(), '0');
    return fitting_size(pen, widest, kMonoBold, std::min(most, 0.5f * box.h), kIndex, pitch() - gap - 4);
}

void draw_numbers(Pen& pen, const Strip& strip, float y, Shown cells, std::size_t last, std::size_t add, Box within) {
    const float pitch = strip.pitch(), size = std::clamp(std::floor(0.3f * pitch), kIndex, 15.0f);
    const float widest = pen.width(std::to_string(last), kMono, size) + (pitch < 24 ? 12 : 6);
    const std::size_t every = every_nth(widest, pitch);
    for (std::size_t i = (cells.first + every - 1) / every * every; i < cells.end; i += every) {
        const std::string text = std::to_string(add + i);
        const float half = pen.width(text, kMono, size) / 2;
        if (strip.middle(i) - half >= within.x && strip.middle(i) + half <= within.right())
            pen.put({strip.middle(i), y}, text, {kMono, size, {kTextDim}}, kCentre);
    }
}

Rect lane_chip(Box box, LaneState state, Id id, float opacity) {
    const float narrow = std::min(box.w, box.h), radius = std::min(6.0f, 0.2f * narrow);
    const Ink works{kActive, opacity}, waits{kDivergent, opacity};
    if (id == 0)
        id = word_id(state == LaneState::kActive     ? Word::kWorks
                     : state == LaneState::kDiverged ? Word::kWaits
                                                     : Word::kIdle);
    if (state == LaneState::kActive) return {.box = box, .ink = works, .radius = radius, .id = id};
    if (state == LaneState::kDiverged) return {box, waits, kHatched, radius, waits, narrow < 7 ? 0 : 1.4f, false, id};
    return {box, {}, kNone, radius, {kIdle, opacity}, 1.3f, true, id};
}

Role role_on(LaneState state, Role working) {
    return state == LaneState::kActive ? working : state == LaneState::kDiverged ? kOnDivergent : kTextDim;
}

void draw_lanes(Pen& pen, const Strip& strip, const Lanes& lanes) {
    const float size = strip.number_size(pen, lanes.threads);
    const auto& states = lanes.states;
    const auto alike = [&](std::size_t i, std::size_t j) {
        return states[i] == states[j] && (strip.merged() || (size == 0 && states[i] == LaneState::kIdleWarp));
    };
    const auto id = [&](std::size_t begin, std::size_t end) {
        return lanes.first + begin < lanes.threads ? lanes.id(lanes.first + begin, lanes.first + end) : 0;
    };
    each_run(0, states.size(), alike, [&](std::size_t begin, std::size_t end) {
        const Box chip = strip.cells(begin, end);
        pen.add(lane_chip(chip, states[begin], id(begin, end), lanes.opacity));
        for (std::size_t i = begin; i < end && end > begin + 1 && !strip.merged(); ++i)
            pen.spot(strip.cell(i), id(i, i + 1));  // each idle lane tells itself
        const bool numbered = lanes.all_numbered || states[begin] == LaneState::kActive;
        if (size > 0 && numbered && lanes.first + begin < lanes.threads)
            draw_lane_number(pen, chip, states[begin], lanes.first + begin, size, lanes.opacity, id(begin, end));
    });
}

void draw_shares(Pen& pen, const Strip& strip, std::size_t group, const std::vector<ShareColumn>& columns,
                 float presence, LegendItem first, LegendItem second) {
    constexpr float kLeastHeight = 2, kLeastWidth = 1.5f;  // to be seen
    const auto alike = [&](std::size_t i, std::size_t j) { return columns[i] == columns[j]; };
    each_run(0, columns.size(), alike, [&](std::size_t i, std::size_t end) {
        const float x = strip.x(i * group), right = strip.x(std::min(end * group, strip.count));
        Box rest{x, strip.box.y, std::max(kLeastWidth, right - x), strip.box.h};
        const auto draw = [&](double some, const LegendItem& like) {
            if (some <= 0) return;
            const float high = std::max<float>(kLeastHeight, strip.box.h * some / columns[i].all);
            pen.add(Rect{.box = cut_bottom(rest, std::min(rest.h, high)),
                         .ink = {like.role, presence},
                         .fill = like.fill,
                         .id = word_id(like.word)});
        };
        draw(columns[i].first, first);
        draw(columns[i].second, second);
    });
}

}  // namespace warptree::scene
