// The branch of the present step, lane by lane and warp by warp, with what it means in a sentence.
#include "app/kit/strip.hpp"
#include "app/views/listing/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kHeadHeight = 34, kGroupGap = 18;

/// "Both warps", "All 4 warps", "Warp 0 alone".
std::string which(std::size_t some, std::size_t all) {
    if (all == 1) return "The warp";
    if (some == all) return all == 2 ? "Both warps" : fmt::format("All {} warps", count_word(all));
    return fmt::format("{} of {} warps", capitalised(count_word(some)), count_word(all));
}

/// What the active warps do, some of their lanes waiting.
std::string divergence(const WarpCount& w, std::size_t working, std::size_t idle) {
    const std::string share = working == idle
                                  ? "half of the lanes"
                                  : fmt::format("{} of {} lanes", count_word(working), count_word(working + idle));
    const std::string others = idle == 1 ? "lane waits, and its" : fmt::format("{} wait, and their", count_word(idle));
    std::string text = fmt::format("{} {} the branch with {}; the other {} slot{} spent.", which(w.active(), w.all()),
                                   w.active() == 1 ? "takes" : "take", share, others, idle == 1 ? " is" : "s are");
    if (w.full > 0)
        text += fmt::format(" {} of them {}.", capitalised(count_word(w.diverged)),
                            w.diverged == 1 ? "diverges" : "diverge");
    return text;
}

/// Whether threads of a warp write in a step in which none of them combines, while others do.
std::vector<bool> warps_that_move(const Subject& s, std::size_t step) {
    const std::size_t warp = s.trace.launch.warp_size;
    const auto& lanes = s.lanes[step];
    std::vector<bool> moves((lanes.size() + warp - 1) / warp);
    const auto [begin, end] = s.trace.range(s.block, step);
    for (std::uint32_t row = begin; row < end; ++row)
        if (s.trace.kind(row) == trace::Kind::kWrite && lanes[s.trace.thread[row]] == LaneState::kIdleWarp)
            moves[s.trace.thread[row] / warp] = true;
    return moves;
}

/// How lanes are laid out as chips: `per_line` warps side by side, a warp in `lines` lines.
struct LaneGrid {
    float pitch = 0, group = 0, row = 0, height = 0;  // of a lane, and with its label of a warp: width and height
    std::size_t lanes_a_line = 0, lines = 1, per_line = 1;
    bool labelled = false;
};

LaneGrid fit_grid(std::size_t threads, std::size_t warp, float width, float height) {
    LaneGrid g;
    const std::size_t lanes = std::min(warp, threads), warps = (threads + warp - 1) / warp;
    g.lanes_a_line = std::min<std::size_t>(lanes, 16);
    g.lines = (lanes + g.lanes_a_line - 1) / g.lanes_a_line;
    for (g.pitch = 40; g.pitch >= 12; g.pitch -= 2) {
        g.group = g.lanes_a_line * g.pitch;
        g.per_line = std::max(1.0f, (width + kGroupGap) / (g.group + kGroupGap));
        g.labelled = g.group >= 118;
        g.row = g.lines * g.pitch + (g.labelled ? 24 : 8);
        g.height = (warps + g.per_line - 1) / g.per_line * g.row;
        if (g.group <= width && g.height <= height) return g;
    }
    return {};
}

void draw_grid(Pen& pen, const Subject& s, std::size_t step, const LaneGrid& g, Vec at) {
    const auto& lanes = s.lanes[step];
    const std::size_t width = s.trace.launch.warp_size;
    const float gap = std::min(kWidestGap, gap_of(g.pitch));
    const std::vector<bool> moves = warps_that_move(s, step);
    const auto id = [&](std::size_t thread, std::size_t) { return lane_id(step, thread); };
    for (std::size_t t = 0, end = 0; t < lanes.size(); t = end) {  // line by line
        const std::size_t warp = t / width, lane = t % width;
        end = std::min({t + g.lanes_a_line, (warp + 1) * width, lanes.size()});
        const Vec corner{at.x + warp % g.per_line * (g.group + kGroupGap), at.y + warp / g.per_line * g.row};
        const Box box{corner.x, corner.y + lane / g.lanes_a_line * g.pitch, g.group - gap, g.pitch - gap};
        draw_lanes(pen, {box, g.lanes_a_line, gap}, {std::span(lanes).subspan(t, end - t), t, lanes.size(), id});
        if (lane != 0 || !g.labelled) continue;
        const LaneState state = warp_state(lanes, t, std::min(t + width, lanes.size()));
        const bool all = state == LaneState::kActive, diverges = state == LaneState::kDiverged;
        const char* word = all ? "all active" : diverges ? "diverges" : moves[warp] ? "copies" : "idle";
        pen.line({corner.x + (g.group - gap) / 2, corner.y + g.lines * g.pitch + 7},
                 fmt::format("warp {} · {}", warp, word), {kSansBold, kLeast, {diverges ? kDivergent : kTextDim}},
                 g.group + kGroupGap - 4, kCentre, word_id(Word::kWarp));
    }
}

/// One strip a warp; many warps stand in several columns.
struct Strips {
    std::size_t columns = 1, lines = 1;
    float pitch = 0, height = 0;
};

Strips fit_strips(std::size_t warps, float width, float height) {
    for (std::size_t columns = 1; columns <= 16; ++columns) {
        const std::size_t lines = (warps + columns - 1) / columns;
        const float pitch = std::min(30.0f, std::floor(height / lines));
        if (pitch >= (columns < 8 ? 16 : 9) && width / columns >= 18) return {columns, lines, pitch, pitch * lines};
    }
    return {};
}

void draw_strips(Pen& pen, const Subject& s, std::size_t step, const Strips& g, Vec at, float width) {
    const auto& lanes = s.lanes[step];
    const std::size_t warp = s.trace.launch.warp_size;
    const float column = width / g.columns, gap = g.columns > 1 ? 12.0f : 0.0f, h = std::min(16.0f, g.pitch - 3);
    const bool numbered = g.pitch >= 16 && column >= 76;
    const std::string last = std::to_string((lanes.size() - 1) / warp);
    const float label = numbered ? pen.width(last, kMono, kLeast) + 10 : 0;
    for (std::size_t w = 0; w * warp < lanes.size(); ++w) {
        const float x = at.x + w / g.lines * column, y = at.y + w % g.lines * g.pitch;
        if (numbered) pen.line({x + label - 10, y + g.pitch / 2}, std::to_string(w), kAxisText, label, kRight);
        const auto id = [&](std::size_t, std::size_t) { return warp_id(step, w); };
        draw_lanes(
            pen, strip_in({x + label, y + (g.pitch - h) / 2, column - gap - label, h}, warp),
            {std::span(lanes).subspan(w * warp, std::min(warp, lanes.size() - w * warp)), w * warp, lanes.size(), id});
    }
}

/// What the kernel removes and what remains: before a step has run, there is no branch to show.
Section purpose_section(Pen& pen, const Subject& s, float width) {
    constexpr float kBeside = 86, kApart = 6;
    const int lines = line_count(pen.measure(), s.kernel->removes, kSaid, width - kBeside) +
                      line_count(pen.measure(), s.kernel->remains, kSaid, width - kBeside);
    const auto draw = [&](Box box) {
        pen.line({box.x, box.bottom() - 12}, "Step forward to see which lanes work.", kDim, box.w);
        box.y += line_height(kBody) / 2;
        for (const auto& [label, text] : {std::pair{"removes", s.kernel->removes}, {"remains", s.kernel->remains}}) {
            if (!text.empty()) pen.line({box.x, box.y}, label, {kSansBold, kBody, {kTextDim}}, kBeside - 8);
            box.y = kApart + pen.paragraph({box.x + kBeside, box.y}, text, kSaid, box.w - kBeside);
        }
    };
    return {line_height(kBody) * lines + kApart + 42, 2, draw};
}

}  // namespace

std::string branch_sentence(const Subject& s, std::size_t step) {
    if (s.on_host()) return "The CPU runs this, one thread without a warp: no slot is spent.";
    const auto& lanes = s.lanes[step];
    const std::size_t warp = s.trace.launch.warp_size, over = lanes.size() % warp;
    // Lanes for which the block has no thread, in a last warp that is active: their slots are spent too.
    const std::size_t missing = over == 0 || lanes.back() == LaneState::kIdleWarp ? 0 : warp - over;
    const WarpCount w = count_warps(lanes, warp);
    if (w.active() == 0) return "No thread of this block works in this step, so none of its slots is spent.";
    const std::size_t idle = std::ranges::count(lanes, LaneState::kDiverged);
    const std::size_t working = std::ranges::count(lanes, LaneState::kActive);
    const std::string who = fmt::format("{} {}", which(w.active(), w.all()), w.active() == 1 ? "runs" : "run");
    std::string text = w.diverged > 0 ? divergence(w, working, idle)
                       : missing == 0
                           ? who + " with every lane at work: none is idle."
                           : who + fmt::format(" with {} of {} lanes.", count_word(working), w.active() * warp);
    if (missing > 0)
        text += fmt::format(" The block has no {} for {} of {} lanes; {} spent all the same.",
                            missing == 1 ? "thread" : "threads", count_word(missing), w.active() == 1 ? "the" : "their",
                            missing == 1 ? "its slot is" : "their slots are");
    const std::size_t moving = std::ranges::count(warps_that_move(s, step), true);
    const auto others = [&text](std::size_t warps, const char* one, const char* many) {
        if (warps > 0)
            text += fmt::format(" {} {}.", warps == 1 ? "One warp" : capitalised(count_word(warps)) + " warps",
                                warps == 1 ? one : many);
    };
    others(moving, "only copies, and is not counted among those that add",
           "only copy, and are not counted among those that add");
    others(w.idle - moving, "is idle and costs nothing", "are idle and cost nothing");
    return text;
}

Section branch_section(Pen& pen, const Subject& s, Playhead at, float width, float height) {
    if (!at.has_step() || at.step() >= s.steps()) return purpose_section(pen, s, width);
    constexpr Style kSentence{kSans, 17, {kText}};
    const std::size_t step = at.step();
    const std::string text = branch_sentence(s, step);
    const float words = line_count(pen.measure(), text, kSentence, width) * line_height(kSentence.size);
    const std::size_t threads = s.lanes[step].size(), warp = s.trace.launch.warp_size;
    const float room = height - kHeadHeight - words - 14;
    const LaneGrid grid = threads <= 64 ? fit_grid(threads, warp, width, std::min(room, 230.0f)) : LaneGrid{};
    const Strips strips =
        grid.pitch > 0 ? Strips{} : fit_strips((threads + warp - 1) / warp, width, std::min(room, 240.0f));
    const auto draw = [=, &pen, &s](Box box) {
        const Box head = cut_top(box, kHeadHeight);
        const std::string condition = branch_condition(s, step);
        const bool all = std::ranges::all_of(s.lanes[step], [](LaneState lane) { return lane == LaneState::kActive; });
        const char* plain = all ? "no branch: every thread runs the line" : "not every thread runs the line";
        const float used = pen.line({head.right(), head.y + 12}, step_name(s, step), {kMono, kSmall, {kTextDim}},
                                    head.w / 3, kRight, word_id(word_of(s.trace.steps[step])));
        pen.line({head.x, head.y + 12}, condition.empty() ? plain : condition,
                 {condition.empty() ? kSans : kMono, kBody, {kText}}, head.w - used - 14);
        if (grid.pitch > 0) draw_grid(pen, s, step, grid, {box.x, box.y});
        if (strips.pitch > 0) draw_strips(pen, s, step, strips, {box.x, box.y}, box.w);
        pen.paragraph({box.x, box.bottom() - words + 9}, text, kSentence, box.w);
    };
    return {kHeadHeight + std::max(grid.height, strips.height) + 14 + words, 2, draw};
}

}  // namespace warptree::scene
