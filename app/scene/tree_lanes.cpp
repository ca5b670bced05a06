// Rows of lanes: who worked in a step, who waited, which warps were idle.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/kit.hpp"
#include "app/scene/tree_parts.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastDisc = 2.6f;  // radius below which a lane is a bar
constexpr float kLeastFrame = 7;    // units a warp; narrower ones have no frame

/// Units that a warp takes.
float warp_width(const TreeContext& c) {
    return c.subject.trace.launch.warp_size * c.layout.lane_pitch;
}

bool seen(const TreeLayout& l, float x, float radius) {
    return x + radius >= l.area.x - 8 && x - radius <= l.area.right() + 8;
}

float number_size(const TreeContext& c, float radius) {
    std::uint32_t last = static_cast<std::uint32_t>(c.layout.home.size() - 1);  // in sight
    while (last > 0 && !seen(c.layout, c.layout.lane_x(last), radius)) --last;
    const std::string widest = fmt::format("{}", last);
    const float width = c.pen.width(widest, Face::kMonoBold, 100) / 100;
    const float size = std::floor(std::min(1.22f * radius, 1.6f * radius / width));
    return size >= kIndex ? std::min(size, 19.0f) : 0;
}

void draw_disc(const TreeContext& c, const TreeRow& row, std::uint32_t thread, const Marked& mark, float radius,
               float number) {
    const LaneState state = c.subject.lanes[row.state][thread];
    const Vec at{c.layout.lane_x(thread), row.middle()};
    const Id id = lane_id(row.state, thread);
    const When when = c.when(row.state);
    const float presence =
        when == When::kPresent ? kFaint + (1 - kFaint) * c.clock(row.state).lanes : c.presence(row.state);
    Disc disc{.centre = at, .radius = radius, .ink = {}, .outline = {}, .id = id};
    if (state == LaneState::kActive) {
        disc.ink = {mark.role, presence};
    } else if (state == LaneState::kDiverged) {
        disc.ink = {Role::kDivergent, presence};
        disc.fill = Fill::kHatched;
        disc.outline = {Role::kDivergent, presence};
        disc.outline_width = std::min(1.6f, radius / 3);
    } else {
        disc.ink = {Role::kIdle, presence};
        disc.fill = Fill::kNone;
        disc.outline = {Role::kIdle, presence};
        disc.outline_width = std::min(1.4f, radius / 3);
        disc.dashed = radius > 6;
    }
    c.pen.add(disc);
    if (number == 0) return;
    if (state == LaneState::kDiverged)  // a quiet ground, so that the hatching does not cross the number
        c.pen.disc(at, 0.66f * radius, {Role::kPanel, 0.8f * presence}, id);
    const Role role = state == LaneState::kIdleWarp ? Role::kTextFaint : role_on(state, mark.on);
    const Ink ink{role, std::min(1.0f, presence + 0.15f)};
    c.put({at, std::to_string(thread), Face::kMonoBold, number, Align::kCentre, ink, id});
}

/// Lanes [begin, end) in one state as a single bar: used where discs would be specks.
void draw_bar(const TreeContext& c, const TreeRow& row, std::uint32_t begin, std::uint32_t end, LaneState state,
              Role working) {
    const TreeLayout& l = c.layout;
    const float half = std::max(0.6f, (l.lane_pitch - gap_of(l.lane_pitch)) / 2);
    const float left = l.lane_x(begin) - half, right = l.lane_x(end - 1) + half;
    const float presence = c.presence(row.state), inset = 0.14f * row.h;
    Rect rect = lane_chip({left, row.y + inset, right - left, row.h - 2 * inset}, state, 0, presence);
    if (state == LaneState::kActive) rect.ink.role = working;
    rect.radius = 0;
    const std::uint32_t warp = c.subject.trace.launch.warp_size;
    rect.id = end == begin + 1                   ? lane_id(row.state, begin)
              : begin / warp == (end - 1) / warp ? warp_id(row.state, begin / warp)
                                                 : 0;
    c.pen.add(rect);
}

struct Frame {
    Box box;
    LaneState state = LaneState::kActive;  // kDiverged: some lanes wait
};

void draw_frame(const TreeContext& c, const TreeRow& row, const Frame& f) {
    const float presence = c.presence(row.state);
    const float weight = c.when(row.state) == When::kPresent ? 2.2f : 1.4f;
    const bool idle = f.state == LaneState::kIdleWarp;
    c.pen.frame(f.box,
                {f.state == LaneState::kDiverged ? Role::kDivergent : Role::kIdle, idle ? 0.8f * presence : presence},
                std::min(weight, 0.1f * f.box.w), std::min(12.0f, 0.3f * std::min(f.box.w, f.box.h)), 0, idle);
}

/// Hides edges behind a note, where some may pass: those from rows further up, beside lanes that stand close.
void clear_behind(const TreeContext& c, const TreeRow& row, Box box) {
    const std::vector<TreeRow>& rows = c.layout.rows;
    const std::size_t place = &row - rows.data();
    const bool above = place > 0 && !rows[place - 1].cells;
    const bool below = place + 1 < rows.size() && !rows[place + 1].cells;
    if (!above && !below) return;
    c.pen.fill(box, {Role::kPanel}, 6);
    if (c.when(row.state) == When::kPresent) c.pen.fill(box, kBand, 6);
}

}  // namespace

float lane_radius(const TreeLayout& l, const TreeRow& row) {
    return std::min({0.44f * l.lane_pitch, 0.5f * row.h - 5, 20.0f});
}

void draw_lanes(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.layout;
    const auto& lanes = c.subject.lanes[row.state];
    const float radius = lane_radius(l, row), number = number_size(c, radius);
    const std::vector<Marked> marks = error_marks(c, row);
    for (std::uint32_t t = 0; t < lanes.size(); ++t) {
        if (!seen(l, l.lane_x(t), radius)) continue;
        if (radius >= kLeastDisc) {
            draw_disc(c, row, t, marks[t], radius, number);
            continue;
        }
        std::uint32_t end = t + 1;  // runs of equal lanes, but working lanes stay apart
        const bool joined = lanes[t] != LaneState::kActive;
        while (joined && end < lanes.size() && lanes[end] == lanes[t] && seen(l, l.lane_x(end), radius)) ++end;
        // The frame of an idle warp says so already.
        if (lanes[t] != LaneState::kIdleWarp || warp_width(c) < kLeastFrame)
            draw_bar(c, row, t, end, lanes[t], marks[t].role);
        t = end - 1;
    }
}

void draw_lane_columns(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.layout;
    const auto& lanes = c.subject.lanes[row.state];
    const std::uint32_t groups = (l.columns + l.group - 1) / l.group;
    std::vector<ShareColumn> columns(groups);  // active solid, diverged hatched, the rest empty
    for (std::uint32_t t = 0; t < lanes.size(); ++t) {
        ShareColumn& s = columns[std::min(groups - 1, static_cast<std::uint32_t>(l.home[t]) / l.group)];
        ++s.all;
        s.first += lanes[t] == LaneState::kActive;
        s.second += lanes[t] == LaneState::kDiverged;
    }
    const float presence = c.presence(row.state);
    const auto x = [&](std::size_t column) { return l.column_x(std::min<std::size_t>(column * l.group, l.columns)); };
    draw_share_columns(c.pen, {l.area.x, row.y, l.area.w, row.h}, columns, x, {Role::kActive, presence},
                       {Role::kDivergent, presence}, Fill::kHatched);
}

void draw_warp_frames(const TreeContext& c, const TreeRow& row) {
    constexpr float kJoinIdle = 48;  // units a warp
    const TreeLayout& l = c.layout;
    const auto& lanes = c.subject.lanes[row.state];
    const std::uint32_t width = c.subject.trace.launch.warp_size, threads = static_cast<std::uint32_t>(lanes.size());
    const float across = warp_width(c);
    if (across < kLeastFrame) return;
    const float half = std::min({std::max(0.0f, lane_radius(l, row)) + 9, 0.5f * l.pitch + 9,
                                 0.5f * l.lane_pitch - std::min(2.0f, 0.04f * l.lane_pitch)});
    std::vector<Frame> frames;
    for (std::uint32_t first = 0; first < threads; first += width) {
        const std::uint32_t end = std::min(first + width, threads);
        const Box box{l.lane_x(first) - half, row.y, l.lane_x(end - 1) - l.lane_x(first) + 2 * half, row.h};
        if (box.right() < l.area.x - 8 || box.x > l.area.right() + 8) continue;
        const LaneState state = warp_state(lanes, first, end);
        const bool idle = state == LaneState::kIdleWarp;
        if (idle && across < kJoinIdle && !frames.empty() && frames.back().state == state) {
            frames.back().box.w = box.right() - frames.back().box.x;  // idle neighbours are one frame
        } else {
            frames.push_back({box, state});
        }
    }
    for (const Frame& frame : frames) draw_frame(c, row, frame);
}

void draw_warp_note(const TreeContext& c, const TreeRow& row) {
    constexpr float kLeastNote = 150;
    const TreeLayout& l = c.layout;
    const auto& lanes = c.subject.lanes[row.state];
    const float left = l.lane_x(static_cast<std::uint32_t>(lanes.size() - 1)) + lane_radius(l, row) + 26;
    const float y = row.middle(), room = l.area.right() - left;
    if (room < kLeastNote || !c.whole(y, kSmall)) return;
    const WarpCount w = count_warps(lanes, c.subject.trace.launch.warp_size);
    std::string text = w.all() > 1 ? fmt::format("{} of {} warps active", w.active(), w.all())
                                   : std::string(w.diverged > 0   ? "1 warp, diverging"
                                                 : w.active() > 0 ? "1 warp active"
                                                                  : "1 warp, idle");
    if (c.subject.on_host()) text = "on the CPU";
    if (w.diverged > 0 && w.all() > 1) text += fmt::format(", {} diverging", w.diverged);
    const float width = c.pen.width(text, Face::kSans, kSmall);
    if (width > room) return;
    clear_behind(c, row, {l.area.right() - width - 8, y - 11, width + 16, 22});
    c.pen.line({l.area.right(), y}, text, {Face::kSans, kSmall, {name_role(c.when(row.state))}}, room, Align::kRight);
}

}  // namespace warptree::scene
