// Rows of cells: what an array held after a step, the cells of that step's results bright. Rows of lanes: who worked in
// a step, who waited, which warps were idle.
#include "app/views/tree/parts.hpp"

namespace warptree::scene {
namespace {

/// How the values of a row are written: at which size, and with how many characters at most; size 0 where none fit.
struct Writing {
    float size = 0;
    std::size_t characters = 0;  // 0: as they are
    // Of pairs of a value and its place, "7@3", where they find no room in one line: the place below, or not at all
    bool apart = false, placed = false;
};

constexpr std::size_t kLeastCharacters = 4;  // fewer are no number
constexpr float kPlace = 13;                 // size of "@3" below its value
// How far a value and its place reach above and below their middles, as shares of their sizes.
constexpr float kValueUp = 0.37f, kValueDown = 0.56f, kPlaceUp = 0.42f, kPlaceDown = 0.45f;

/// "7" and "@3" of "7@3".
std::pair<std::string, std::string> parts(const std::string& text) {
    const std::size_t at = std::min(text.find('@'), text.size());
    return {text.substr(0, at), text.substr(at)};
}

/// What a cell held, in so many characters; of one that atomics of several blocks change, in an order that the rows do
/// not say, what this block has added: "+60".
std::string cell_text(const Subject& s, const TreeRow& row, std::uint32_t index, const Writing& w = {}) {
    std::string text = s.memory.text(row.array, index, row.state), sign;
    if (w.apart) text = parts(text).first;
    if (s.is_shared(s.memory.cell(row.array, index, row.state))) {
        sign = value::sign(s.trace.launch.op);
        if (sign.size() > 1) sign += " ";
    }
    if (w.characters > 0) text = short_value(text, w.characters - std::min(w.characters, sign.size()));
    return sign + text;
}

Writing writing(const TreeContext& c, const TreeRow& row, Shown cells) {
    constexpr float kWidestDigit = 24, kMargin = 4.5f;  // above and below both: a bright outline takes 1.5 of it
    const float room = c.l.pitch - c.l.cell_gap() - std::min(5.0f, 0.1f * c.l.pitch);
    const float most = std::min(kWidestDigit, 0.58f * row.h);
    const float digit = c.pen.width("0", kMonoBold, 100) / 100;
    if (room < digit * kLeast || most < kLeast) return {};
    const auto size_of = [&](std::size_t characters, float largest) {
        return std::floor(std::min(largest, room / (digit * characters)));
    };
    std::size_t longest = 1, values = 1, places = 0;  // of the cells' texts, and if they are pairs, of their parts
    for (std::uint32_t i = cells.first; i < cells.end; ++i) {
        const std::string text = cell_text(c.s, row, i);
        const auto [value, place] = parts(text);
        longest = std::max(longest, text.size());
        values = std::max(values, value.size());
        places = std::max(places, place.size());
    }
    if (const float size = size_of(longest, most); size >= kLeast) return {size};
    const std::size_t fitting = room / (digit * kLeast);
    Writing shorter{kLeast, fitting, places > 0};
    if (places > 0) {  // two lines where the row is high enough
        const float largest = (row.h - 2 * kMargin - (kPlaceUp + kPlaceDown) * kPlace) / (kValueUp + kValueDown);
        shorter.placed = largest >= kLeast && digit * kPlace * places <= room;
        const float size = size_of(values, shorter.placed ? std::min(most, largest) : most);
        if (size >= kLeast) return {size, 0, true, shorter.placed};
    }
    return fitting < kLeastCharacters ? Writing{} : shorter;
}

/// A cell's value, in one line or two.
void put_value(const TreeContext& c, const TreeRow& row, std::uint32_t index, const Writing& w, Face face, Ink ink,
               Id id) {
    Vec at = cell_box(c.l, row, index).centre();
    const std::string text = cell_text(c.s, row, index, w), place = parts(cell_text(c.s, row, index)).second;
    if (text.empty()) return;
    const float high = (kValueUp + kValueDown) * w.size + (kPlaceUp + kPlaceDown) * kPlace, bottom = at.y + high / 2;
    if (w.placed) at.y += kValueUp * w.size - high / 2;
    if (c.put({at, text, face, w.size, kCentre, ink, id}) && w.placed)
        c.put({{at.x, bottom - kPlaceDown * kPlace}, place, kMono, kPlace, kCentre, ink, id});
}

/// A cell that its step wrote; or one that kept its value, or never had one. Padding of the input looks as if it had
/// none, with the identity in it.
void draw_cell(const TreeContext& c, const TreeRow& row, std::uint32_t index, bool written, bool defined,
               const Writing& w) {
    const Box box = cell_box(c.l, row, index);
    const std::size_t step = row.state - 1;  // that led here
    const Id id = cell_id(row.state, row.array, index);
    const float radius = std::min(6.0f, 0.2f * box.w);
    if (written) {
        const float filled = c.clock(step).cells;
        const bool bright = c.when(step) == kPresent && filled > 0.5f && box.w > 5;
        c.pen.framed(box, {kWritten, c.presence(step, &Clock::cells)}, {kText},
                     bright ? std::min(3.0f, 0.12f * box.w) : 0, radius, id);
        if (w.size > 0 && filled >= 0.5f) put_value(c, row, index, w, kMonoBold, {kOnWritten}, id);
        return;
    }
    const bool padding = c.s.is_padding(row.array, index), input = row.state == 0 && !padding;
    const float presence = c.presence(row);
    const Ink ground{input ? kRaised : kPanel};  // hides the edges that pass behind
    c.pen.framed(box, ground, {kLine, presence}, 1.2f, radius, id, !defined || padding);
    if (defined && w.size > 0 && presence >= 0.6f)  // faint: the value is still to come
        put_value(c, row, index, w, kMono, {input ? kText : kTextDim}, id);
}

/// A run of cells that kept their values, too narrow to be told apart.
void draw_kept_run(const TreeContext& c, const TreeRow& row, std::uint32_t begin, std::uint32_t end) {
    const Box first = cell_box(c.l, row, begin), last = cell_box(c.l, row, end - 1);
    const float presence = c.presence(row);
    const Box all{first.x, first.y, last.right() - first.x, first.h};
    row.state == 0 ? c.pen.framed(all, {kRaised, presence}, {kLine, presence}, 1, 2)
                   : c.pen.frame(all, {kLine, presence}, 1, 2);
}

/// Results of a row whose cells are too narrow for values, beside the cell where there is room. A result among
/// neighbours is left alone: the value would seem to be that of all. Pairs are whole in all of them or in none.
void draw_beside(const TreeContext& c, const TreeRow& row, const std::vector<std::uint32_t>& results) {
    struct Beside {
        std::uint32_t index;
        std::string text;
        float x = 0, room = 0;
    };
    const TreeLayout& l = c.l;
    const float size = std::min(kSmall, row.h - 1);
    if (row.state == 0 || c.clock(row.state - 1).cells < 0.5f || size < kLeast || !c.whole(row.middle(), size)) return;
    const auto width = [&](const std::string& text) { return c.pen.width(text, kMonoBold, size); };
    std::vector<Beside> texts;
    bool whole = true;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const bool after = i > 0 && results[i] == results[i - 1] + 1, last = i + 1 == results.size();
        if (after || (!last && results[i] + 1 == results[i + 1])) continue;
        const float x = cell_box(l, row, results[i]).right() + 5;
        const float end = last ? l.area.right() : cell_box(l, row, results[i + 1]).x;
        texts.push_back({results[i], cell_text(c.s, row, results[i]), x, end - 5 - x});
        whole = whole && width(texts.back().text) <= texts.back().room;
    }
    for (auto& [index, text, x, room] : texts) {
        const auto fitting = static_cast<std::size_t>(std::max(0.0f, room / width("0")));
        if (!whole) text = parts(text).first;
        if (width(text) > room && fitting >= kLeastCharacters) text = cell_text(c.s, row, index, {size, fitting, true});
        const float w = width(text);
        if (w > room || x < l.area.x) continue;
        c.pen.fill({x - 3, row.y + 1, w + 6, row.h - 2}, {kPanel}, 3);
        c.pen.put({x, row.middle()}, text, {kMonoBold, size, {kText}});
    }
}

// Lanes

constexpr float kLeastDisc = 2.6f;  // radius below which a lane is a bar
constexpr float kLeastFrame = 7;    // units a warp; narrower ones have no frame

/// Units that a warp takes.
float warp_width(const TreeContext& c) {
    return c.s.trace.launch.warp_size * c.l.lane_pitch;
}

bool seen(const TreeLayout& l, float x, float radius) {
    return x + radius >= l.area.x - 8 && x - radius <= l.area.right() + 8;
}

void draw_disc(const TreeContext& c, const TreeRow& row, std::uint32_t thread, const Marked& mark, float radius,
               float number) {
    const LaneState state = c.s.lanes[row.state][thread];
    const bool active = state == LaneState::kActive, idle = state == LaneState::kIdleWarp;
    const Vec at{c.l.lane_x(thread), row.middle()};
    const Id id = lane_id(row.state, thread);
    const float presence = c.presence(row.state, &Clock::lanes);
    const Ink ink{active ? mark.role : idle ? kIdle : kDivergent, presence};
    const Fill fill = active ? kSolid : idle ? kNone : kHatched;
    const float outline = active ? 0.0f : std::min(idle ? 1.4f : 1.6f, radius / 3);
    c.pen.add(Disc{at, radius, ink, fill, active ? Ink{} : ink, outline, idle && radius > 6, id});
    if (number == 0) return;
    if (state == LaneState::kDiverged)  // a quiet ground, so that the hatching does not cross the number
        c.pen.disc(at, 0.66f * radius, {kPanel, 0.8f * presence}, id);
    const Ink on{idle ? kTextFaint : role_on(state, mark.on), std::min(1.0f, presence + 0.15f)};
    c.put({at, std::to_string(thread), kMonoBold, number, kCentre, on, id});
}

void draw_warp_frames(const TreeContext& c, const TreeRow& row) {
    constexpr float kJoinIdle = 48;  // units a warp
    const TreeLayout& l = c.l;
    const auto& lanes = c.s.lanes[row.state];
    const std::uint32_t width = c.s.trace.launch.warp_size, threads = lanes.size();
    const float across = warp_width(c);
    if (across < kLeastFrame) return;
    const float half = std::min({std::max(0.0f, lane_radius(l, row)) + 9, 0.5f * l.pitch + 9,
                                 0.5f * l.lane_pitch - std::min(2.0f, 0.04f * l.lane_pitch)});
    std::vector<std::pair<Box, LaneState>> frames;
    for (std::uint32_t first = 0; first < threads; first += width) {
        const std::uint32_t end = std::min(first + width, threads);
        const Box box{l.lane_x(first) - half, row.y, l.lane_x(end - 1) - l.lane_x(first) + 2 * half, row.h};
        if (box.right() < l.area.x - 8 || box.x > l.area.right() + 8) continue;
        const LaneState state = warp_state(lanes, first, end);
        const bool join = state == LaneState::kIdleWarp && across < kJoinIdle;  // idle neighbours are one frame
        if (join && !frames.empty() && frames.back().second == state)
            frames.back().first.w = box.right() - frames.back().first.x;
        else
            frames.emplace_back(box, state);
    }
    const float presence = c.presence(row.state), weight = c.when(row.state) == kPresent ? 2.2f : 1.4f;
    for (const auto& [box, state] : frames) {
        const bool idle = state == LaneState::kIdleWarp;
        c.pen.frame(box, {state == LaneState::kDiverged ? kDivergent : kIdle, idle ? 0.8f * presence : presence},
                    std::min(weight, 0.1f * box.w), std::min(12.0f, 0.3f * std::min(box.w, box.h)), 0, idle);
    }
}

/// "1 of 2 warps active, 1 diverging", where the row leaves room at its right.
void draw_warp_note(const TreeContext& c, const TreeRow& row) {
    constexpr float kLeastNote = 150;
    const TreeLayout& l = c.l;
    const auto& lanes = c.s.lanes[row.state];
    const float left = l.lane_x(lanes.size() - 1) + lane_radius(l, row) + 26;
    const float y = row.middle(), room = l.area.right() - left;
    if (room < kLeastNote || !c.whole(y, kSmall)) return;
    const WarpCount w = count_warps(lanes, c.s.trace.launch.warp_size);
    const std::string also = w.diverged > 0 ? fmt::format(", {} diverging", w.diverged) : "";
    const std::string text = c.s.on_host()    ? "on the CPU" + (w.all() > 1 ? also : "")
                             : w.all() > 1    ? fmt::format("{} of {} warps active{}", w.active(), w.all(), also)
                             : w.diverged > 0 ? "1 warp, diverging"
                             : w.active() > 0 ? "1 warp active"
                                              : "1 warp, idle";
    const float width = c.pen.width(text, kSans, kSmall);
    if (width > room) return;
    // It hides edges, where some may pass: those from rows further up, beside lanes that stand close.
    const bool above = &row != &l.rows.front() && !(&row)[-1].cells, below = &row != &l.rows.back() && !(&row)[1].cells;
    const Box box{l.area.right() - width - 8, y - 11, width + 16, 22};
    if (above || below) c.pen.fill(box, {kPanel}, 6);
    if ((above || below) && c.when(row.state) == kPresent) c.pen.fill(box, kPresentBand, 6);
    c.pen.line({l.area.right(), y}, text, {kSans, kSmall, {name_role(c.when(row.state))}}, room, kRight,
               word_id(Word::kActiveWarps));
}

/// Lanes one by one: as discs, or as bars.
void draw_each_lane(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.l;
    const auto& lanes = c.s.lanes[row.state];
    const float radius = lane_radius(l, row);
    std::uint32_t last = lanes.size() - 1;  // in sight: as wide as that all numbers are
    while (last > 0 && !seen(l, l.lane_x(last), radius)) --last;
    const float width = c.pen.width(std::to_string(last), kMonoBold, 100) / 100;
    const float size = std::floor(std::min({1.22f * radius, 1.6f * radius / width, 19.0f}));
    const float number = size >= kIndex ? size : 0;
    const std::vector<Marked> marks = error_marks(c, row);
    for (std::uint32_t t = 0, end = 0; t < lanes.size(); t = end) {
        end = t + 1;
        if (!seen(l, l.lane_x(t), radius)) continue;
        if (radius >= kLeastDisc) {
            draw_disc(c, row, t, marks[t], radius, number);
            continue;
        }
        if (lanes[t] != LaneState::kActive)  // runs of equal lanes, but working lanes stay apart
            while (end < lanes.size() && lanes[end] == lanes[t] && seen(l, l.lane_x(end), radius)) ++end;
        if (lanes[t] == LaneState::kIdleWarp && warp_width(c) >= kLeastFrame) continue;  // its frame says so already
        const float half = std::max(0.6f, (l.lane_pitch - gap_of(l.lane_pitch)) / 2), inset = 0.14f * row.h;
        const float left = l.lane_x(t) - half, right = l.lane_x(end - 1) + half;
        const std::uint32_t warp = c.s.trace.launch.warp_size;
        const Id id = end == t + 1                   ? lane_id(row.state, t)
                      : t / warp == (end - 1) / warp ? warp_id(row.state, t / warp)
                                                     : 0;
        const Box bar{left, row.y + inset, right - left, row.h - 2 * inset};
        Rect rect = lane_chip(bar, lanes[t], id, c.presence(row.state));
        if (lanes[t] == LaneState::kActive) rect.ink.role = marks[t].role;
        rect.radius = 0;
        c.pen.add(rect);
    }
}

}  // namespace

Box cell_box(const TreeLayout& l, const TreeRow& row, std::uint32_t index) {
    return l.strip(row).cell(index - row.first);
}

void draw_cells(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.l;
    const bool shares = l.grain == Grain::kColumns;
    const Shown seen = l.seen(row.extent), span{row.first + seen.first, row.first + seen.end};
    if (span.first >= span.end) return;
    const Writing w = l.grain == Grain::kCells ? writing(c, row, span) : Writing{};
    std::set<std::uint32_t> written;  // by the step before its state
    if (row.state > 0)
        for (const Flow& flow : c.s.flows->of(l.steps_with(row.state - 1)))
            if (flow.written && flow.written->array == row.array) written.insert(flow.written->index);
    const std::vector<std::uint32_t> results(written.lower_bound(shares ? row.first : span.first),
                                             written.lower_bound(shares ? row.first + row.extent : span.end));
    if (shares) {  // bars as high as the share of the column's cells that were written
        draw_kept_run(c, row, span.first, span.end);
        if (row.state == 0) return;
        std::vector<ShareColumn> columns((row.extent + l.group - 1) / l.group, {0, 0, 1.0 * l.group});
        for (const std::uint32_t index : results) columns[(index - row.first) / l.group].first += 1;
        draw_shares(c.pen, l.strip(row).part(0, row.extent), l.group, columns, c.presence(row.state - 1, &Clock::cells),
                    {Word::kWritten, kWritten});
        return draw_beside(c, row, results);
    }
    auto next = results.begin();
    for (std::uint32_t i = span.first, end = i; i < span.end; i = end) {
        const bool now = next != results.end() && *next == i, apart = now || l.pitch >= kMerged;
        end = apart ? i + 1 : next == results.end() ? span.end : *next;
        apart ? draw_cell(c, row, i, now, c.s.memory.cell(row.array, i, row.state).defined, w)
              : draw_kept_run(c, row, i, end);
        if (now) ++next;
    }
    if (w.size == 0) draw_beside(c, row, results);
}

float lane_radius(const TreeLayout& l, const TreeRow& row) {
    return std::min({0.44f * l.lane_pitch, 0.5f * row.h - 5, 20.0f});
}

void draw_lanes(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.l;
    if (l.grain == Grain::kColumns) {
        const auto& lanes = c.s.lanes[row.state];
        std::vector<ShareColumn> columns((l.columns + l.group - 1) / l.group);  // active solid, diverged hatched
        for (std::uint32_t t = 0; t < lanes.size(); ++t) {
            ShareColumn& s = columns[std::min<std::size_t>(columns.size() - 1, std::uint32_t(l.home[t]) / l.group)];
            ++s.all;
            s.first += lanes[t] == LaneState::kActive;
            s.second += lanes[t] == LaneState::kDiverged;
        }
        draw_shares(c.pen, l.strip(row), l.group, columns, c.presence(row.state), {Word::kWorks, kActive},
                    {Word::kWaits, kDivergent, kHatched});
    } else {
        draw_each_lane(c, row);
    }
    draw_warp_frames(c, row);
    draw_warp_note(c, row);
}

}  // namespace warptree::scene
