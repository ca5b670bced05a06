// The network of a scan, drawn row by row: edges, the adds' nodes, the cells.
#include "app/scene/network_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "app/scene/lanes.hpp"
#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kWidestCell = 72, kRuler = 20, kHead = 34;
constexpr float kLeastRow = 26, kLegibleRow = 39, kTwoLines = 60, kMostRow = 116;
constexpr float kSliver = 12, kMerged = 7, kColumns = 2;  // units a cell: below, no values; runs; shares
constexpr std::size_t kMostEdges = 64;                    // of a step, where cells have merged

/// How a cell looks.
enum class Look : std::uint8_t { kPadding, kEmpty, kKept, kWritten, kFinished };

struct Net {
    const Network& network;
    const Subject& s;
    Playhead at;
    Pen& pen;
    Box box, area;  // the panel; where columns stand
    std::vector<NetworkRow> rows;
    std::vector<std::vector<NetworkEdge>> edges;
    float label = 0, pitch = 1, left = 0, row_pitch = 1, cell_h = 1, top = 0, radius = 0;

    float x(replay::Place p) const { return left + (static_cast<float>(network.column(p)) + 0.5f) * pitch; }
    float y(std::size_t row) const { return top + static_cast<float>(row) * row_pitch; }
    When when(std::size_t row) const {
        const NetworkRow& r = rows[row];
        if (r.steps.steps() == 0) return When::kPast;
        if (at.position <= r.steps.first) return When::kFuture;
        return at.position <= r.steps.end ? When::kPresent : When::kPast;
    }
    /// Whether the cells of a row have come.
    bool shown(std::size_t row) const {
        const When w = when(row);
        return w == When::kPast || (w == When::kPresent && at.progress >= 0.6f);
    }
    float gap() const { return pitch < 30 ? std::min(1.5f, gap_of(pitch)) : std::min(5.0f, gap_of(pitch)); }
    bool seen(std::size_t row) const { return y(row) >= area.y - 1 && y(row) + cell_h <= area.bottom() + 1; }
    Box cell(std::size_t row, replay::Place p) const {
        return {x(p) - (pitch - gap()) / 2, y(row), pitch - gap(), cell_h};
    }
};

void place(Net& n) {
    const float across = static_cast<float>(n.network.columns);
    n.pitch = std::min(kWidestCell, n.area.w / across);
    n.left = n.area.x + (n.area.w - across * n.pitch) / 2;
    const auto count = static_cast<float>(std::max<std::size_t>(2, n.rows.size()));
    const float fitting = std::min(n.area.h / (count - 0.54f), (n.area.h - 18) / (count - 1));
    n.row_pitch = std::clamp(fitting, n.pitch >= 2 * kSliver ? kLegibleRow : kLeastRow, kMostRow);
    n.cell_h = std::clamp(0.46f * n.row_pitch, n.pitch >= kSliver ? 18.0f : 14.0f, 38.0f);
    n.radius = std::min({0.3f * n.pitch, 0.16f * n.row_pitch, 11.0f});
    const float content = (count - 1) * n.row_pitch + n.cell_h;
    n.top = n.area.y + std::max(0.0f, (n.area.h - content) / 2);
    if (content <= n.area.h) return;
    const auto centre = [&](std::size_t position) {  // of the rows that the step at a position leads to
        std::size_t row = 0;
        while (row + 1 < n.rows.size() && n.rows[row].steps.end < position) ++row;
        const float up = static_cast<float>(row) * n.row_pitch - n.area.h / 2;
        return std::clamp(up, 0.0f, content - n.area.h);
    };
    const float p = n.at.progress, eased = p * p * (3 - 2 * p);
    const float up = n.at.has_step() ? centre(n.at.step()) * (1 - eased) + centre(n.at.position) * eased : 0;
    n.top -= std::round(up);
}

Look look_of(const Net& n, const NetworkRow& row, replay::Place p, bool written) {
    if (n.network.padding(p)) return Look::kPadding;
    if (!n.s.memory.cell(p.array, p.index, row.state).defined) return Look::kEmpty;
    if (n.network.finished(p, row.state)) return Look::kFinished;
    return written ? Look::kWritten : Look::kKept;
}

std::set<std::uint32_t> written_in(const Net& n, std::size_t row) {
    std::set<std::uint32_t> written;
    for (const Flow& flow : n.s.flows->of(n.rows[row].steps))
        if (flow.written && n.rows[row].holds(*flow.written)) written.insert(flow.written->index);
    return written;
}

// Edges and nodes

struct Stroke {
    Ink ink;
    float width = 1, drawn = 1;
};

/// An add's operands are bright; a value that goes to another column unchanged is blue, one that stays thin.
Stroke stroke(const Net& n, std::size_t row, const NetworkEdge& edge) {
    const bool stays = n.network.column(edge.from) == n.network.column(*edge.flow->written);
    const bool dense = n.pitch < 2 * kSliver;
    const float thin = edge.flow->combine ? 1.0f : stays ? 0.6f : 0.9f;
    switch (n.when(row)) {
        case When::kPresent: {
            const Role role = edge.flow->combine ? Role::kActive : stays ? Role::kTextDim : Role::kWritten;
            return {{role}, (dense ? 1.5f : 2.6f) * thin, std::clamp(n.at.progress / 0.55f, 0.0f, 1.0f)};
        }
        case When::kPast: {
            const bool copy = !edge.flow->combine && !stays;
            return {copy ? Ink{Role::kWritten, 0.8f} : Ink{Role::kTextDim, dense ? 0.4f : 0.7f}, 1.5f * thin};
        }
        default:
            return {{Role::kTextFaint, dense ? 0.35f : 0.55f}, 1.2f * thin};
    }
}

/// From the operand's cell to the node, or where nothing is added to the cell.
Curve edge_path(const Net& n, std::size_t row, const NetworkEdge& edge, Stroke s) {
    const float end = n.y(row) - (edge.flow->combine ? 2 * n.radius + 1 : 0);
    const Vec to{n.x(*edge.flow->written), end};
    const Id id = edge.flow->combine
                      ? pack({Target::Kind::kEdge, static_cast<std::uint16_t>(edge.flow->step), 0, edge.flow->row})
                      : Id{0};
    if (edge.from_row == row) {  // made by one of the steps that this row shows as one
        const Vec from{n.x(edge.from), n.y(row)};
        return {from, {from.x, end - 4}, {to.x, end - 4}, to, s.ink, s.width, s.drawn, id};
    }
    return edge_curve({n.x(edge.from), n.y(edge.from_row) + n.cell_h}, to, s.ink, s.width, s.drawn, id);
}

void draw_node(const Net& n, std::size_t row, const Flow& flow) {
    const When when = n.when(row);
    const float opacity = when == When::kFuture ? kFaint : when == When::kPast ? 0.75f : 1;
    const Vec at{n.x(*flow.written), n.y(row) - n.radius - 1};
    if (n.radius < 1.5f || (when == When::kPresent && n.at.progress < 0.3f)) return;
    n.pen.add(Disc{.centre = at,
                   .radius = n.radius,
                   .ink = {Role::kActive, opacity},
                   .outline = {},
                   .id = pack({Target::Kind::kEdge, static_cast<std::uint16_t>(flow.step), 0, flow.row})});
    const std::string_view sign = value::sign(n.s.trace.launch.op);
    const float size = std::max(kLeast, 1.7f * n.radius);
    if (n.radius < 6 || n.pen.width(sign, Face::kMonoBold, size) > 1.7f * n.radius) return;
    n.pen.add(Text{at, std::string(sign), Face::kMonoBold, size, Align::kCentre, {Role::kOnActive, opacity}});
}

/// A value that comes from nowhere into a cell that had one: the clear.
void draw_clear(const Net& n, std::size_t row, const Flow& flow) {
    const replay::Place p = *flow.written;
    if (n.when(row) == When::kPast && n.radius < 4) return;
    const float opacity = n.when(row) == When::kFuture ? kFaint : 1, r = std::max(3.0f, n.radius);
    const Vec at{n.x(p), n.y(row) - r - 3};
    n.pen.add(
        Rect{.box = {at.x - r, at.y - r, 2 * r, 2 * r}, .ink = {Role::kText, opacity}, .radius = 2, .outline = {}});
    const std::string value = n.shown(row) ? n.s.trace.value.text(flow.row) : "";
    if (value.size() == 1 && r >= 7)
        n.pen.add(Text{at, value, Face::kMonoBold, kLeast, Align::kCentre, {Role::kPanel, opacity}});
}

bool clears(const Net& n, const Flow& flow) {
    return !flow.combine && flow.sources.empty() &&
           n.s.memory.cell(flow.written->array, flow.written->index, flow.step).defined;
}

/// Each how manyth of a row's lines is drawn.
std::size_t lines_for(const Net& n, std::size_t row) {
    return n.pitch >= kMerged ? 1 : std::max<std::size_t>(1, (n.edges[row].size() + kMostEdges - 1) / kMostEdges);
}

void draw_edges(const Net& n, std::size_t row) {
    const auto& edges = n.edges[row];
    if (edges.empty() || n.y(row) < n.area.y - 2 || n.y(row) - n.row_pitch > n.area.bottom()) return;
    const std::size_t every = lines_for(n, row);
    std::size_t flows = 0;
    const Flow* last = nullptr;
    for (const NetworkEdge& edge : edges) {
        if (edge.flow != last) ++flows, last = edge.flow;
        if ((flows - 1) % every == 0) n.pen.add(edge_path(n, row, edge, stroke(n, row, edge)));
    }
}

void draw_marks(const Net& n, std::size_t row) {
    if (!n.seen(row) || n.y(row) - 2 * n.radius < n.area.y - 4 || n.pitch < kMerged) return;
    for (const Flow& flow : n.s.flows->of(n.rows[row].steps)) {
        if (!flow.written || !n.rows[row].holds(*flow.written)) continue;
        if (flow.combine) draw_node(n, row, flow);
        if (clears(n, flow)) draw_clear(n, row, flow);
    }
}

// Cells

Rect cell_rect(const Net& n, std::size_t row, Box box, Look look, bool written) {
    const When when = n.when(row);
    const float presence = n.shown(row) ? 1 : kFaint;
    Rect r{.box = box, .radius = std::min(6.0f, 0.2f * box.w), .outline = {Role::kLine, presence}};
    const bool bright = when == When::kPresent && n.shown(row) && written && n.pitch >= kMerged;
    switch (look) {
        case Look::kPadding:
            r.ink = {Role::kIdle, 0.5f * presence};
            r.fill = Fill::kHatched;
            r.radius = 0;
            return r;
        case Look::kEmpty:
            r.ink = {Role::kPanel};
            r.outline_width = 1;
            r.dashed = n.pitch >= kSliver;
            return r;
        case Look::kKept:
            r.ink = {n.rows[row].steps.steps() == 0 ? Role::kRaised : Role::kPanel};
            r.outline_width = n.pitch < kMerged ? 0.8f : 1.2f;
            break;
        case Look::kWritten:
            r.ink = {Role::kWritten, presence};
            break;
        case Look::kFinished:
            r.ink = {Role::kSegment, presence};
            break;
    }
    if (bright) r.outline = {Role::kText}, r.outline_width = std::min(3.0f, 0.12f * box.w);
    return r;
}

/// The size at which all values of a row fit into its cells; 0: they do not.
float value_size(const Net& n, std::size_t row) {
    if (n.pitch < kSliver || !n.shown(row)) return 0;
    std::size_t longest = 1;
    bool digits = true;
    for (std::uint32_t i = 0; i < n.rows[row].extent; ++i) {
        const std::string text = n.s.memory.text(n.rows[row].array, n.rows[row].first + i, n.rows[row].state);
        longest = std::max(longest, text.size());
        digits = digits && text.find_first_not_of("0123456789") == std::string::npos;
    }
    const float digit = n.pen.width("0", Face::kMonoBold, 100) / 100;
    const float room = n.pitch - n.gap() - 0.04f * n.pitch * (n.pitch > 30 ? 1 : 0);
    const float size = std::floor(std::min({22.0f, 0.68f * n.cell_h, room / (digit * static_cast<float>(longest))}));
    return size >= (digits ? kIndex : kLeast) ? size : 0;
}

void draw_cell(const Net& n, std::size_t row, replay::Place p, Look look, bool written, float size) {
    const NetworkRow& r = n.rows[row];
    const Box box = n.cell(row, p);
    const Id id = pack({Target::Kind::kCell, static_cast<std::uint16_t>(r.state), p.array, p.index});
    Rect rect = cell_rect(n, row, box, look, written);
    rect.id = id;
    n.pen.add(rect);
    if (look == Look::kFinished && box.w >= 9) {  // its mark: a corner cut off
        const float side = std::clamp(0.2f * box.w, 4.0f, 9.0f);
        n.pen.add(
            Triangle{{box.right() - side, box.y}, {box.right(), box.y}, {box.right(), box.y + side}, {Role::kPanel}});
        n.pen.add(Triangle{{box.right() - side, box.y},
                           {box.right() - side, box.y + side},
                           {box.right(), box.y + side},
                           {Role::kText}});
    }
    if (size == 0 || look == Look::kPadding || look == Look::kEmpty) return;
    const bool strong = look == Look::kWritten || look == Look::kFinished;
    const Role role = look == Look::kFinished  ? Role::kOnSegment
                      : look == Look::kWritten ? Role::kOnWritten
                      : r.steps.steps() == 0   ? Role::kText
                                               : Role::kTextDim;
    const std::string text = n.s.memory.text(p.array, p.index, r.state);
    if (!text.empty())
        n.pen.add(Text{box.centre(), text, strong ? Face::kMonoBold : Face::kMono, size, Align::kCentre, {role}, id});
}

/// Neighbours that look alike, too narrow to be told apart. Finished ones reach to the top, others do not.
void draw_run(const Net& n, std::size_t row, std::uint32_t begin, std::uint32_t end, Look look) {
    const NetworkRow& r = n.rows[row];
    const float from = n.x({r.array, begin}) - n.pitch / 2, to = n.x({r.array, end - 1}) + n.pitch / 2;
    const float h = look == Look::kFinished ? n.cell_h : look == Look::kWritten ? 0.65f * n.cell_h : n.cell_h - 4;
    Rect rect = cell_rect(n, row, {from, n.y(row) + n.cell_h - h, to - from, h}, look, false);
    rect.radius = 0;
    n.pen.add(rect);
}

/// Columns of cells as shares: from below the finished ones, above them what else was written.
void draw_shares(const Net& n, std::size_t row, const std::vector<Look>& looks) {
    const NetworkRow& r = n.rows[row];
    const float presence = n.shown(row) ? 1 : kFaint, first = n.x({r.array, r.first}) - n.pitch / 2;
    const auto group = static_cast<std::size_t>(std::ceil(4 / n.pitch));
    struct Bar {
        float from, to;
        std::size_t finished, written, cells;
    };
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < looks.size(); i += group) {
        const std::size_t end = std::min(i + group, looks.size());
        Bar bar{first + static_cast<float>(i) * n.pitch, first + static_cast<float>(end) * n.pitch, 0, 0, end - i};
        for (std::size_t k = i; k < end; ++k) {
            bar.finished += looks[k] == Look::kFinished ? 1 : 0;
            bar.written += looks[k] == Look::kWritten ? 1 : 0;
        }
        const bool same = !bars.empty() && bars.back().finished == bar.finished && bars.back().written == bar.written &&
                          bars.back().cells == bar.cells;
        if (same) {
            bars.back().to = bar.to;
        } else {
            bars.push_back(bar);
        }
    }
    n.pen.add(Rect{.box = {first, n.y(row), bars.back().to - first, n.cell_h},
                   .fill = Fill::kNone,
                   .outline = {Role::kLine, presence},
                   .outline_width = 1});
    for (const Bar& bar : bars) {
        const float unit = n.cell_h / static_cast<float>(bar.cells), y = n.y(row) + n.cell_h;
        const float done = unit * static_cast<float>(bar.finished), rest = unit * static_cast<float>(bar.written);
        const auto put = [&](float bottom, float h, Role role) {
            if (h > 0)
                n.pen.add(
                    Rect{.box = {bar.from, bottom - h, bar.to - bar.from, h}, .ink = {role, presence}, .outline = {}});
        };
        put(y, done, Role::kSegment);
        put(y - done, std::max(rest, rest > 0 ? 2.0f : 0.0f), Role::kWritten);
    }
}

void draw_cells(const Net& n, std::size_t row) {
    if (!n.seen(row)) return;
    const NetworkRow& r = n.rows[row];
    const std::set<std::uint32_t> written = written_in(n, row);
    std::vector<Look> looks(r.extent);
    for (std::uint32_t i = 0; i < r.extent; ++i) {
        const bool now = written.count(r.first + i) > 0;
        looks[i] = look_of(n, r, {r.array, r.first + i}, now);
        if (!n.shown(row) && looks[i] == Look::kFinished)
            looks[i] = now ? Look::kWritten : Look::kKept;  // not told yet
    }
    if (n.pitch < kColumns) return draw_shares(n, row, looks);
    const float size = value_size(n, row);
    for (std::uint32_t i = 0; i < r.extent; ++i) {
        if (n.pitch >= kMerged) {
            draw_cell(n, row, {r.array, r.first + i}, looks[i], written.count(r.first + i) > 0, size);
            continue;
        }
        std::uint32_t end = i + 1;
        while (end < r.extent && looks[end] == looks[i]) ++end;
        draw_run(n, row, r.first + i, r.first + end, looks[i]);
        i = end - 1;
    }
}

// What a hovered cell is made of

void draw_traced(const Net& n, const Target& hover) {
    if (hover.kind != Target::Kind::kCell || n.pitch < kMerged) return;
    std::set<std::pair<std::size_t, std::uint32_t>> open;  // (row, index) of cells
    for (std::size_t row = 0; row < n.rows.size(); ++row)
        if (n.rows[row].state == hover.state && n.rows[row].holds({hover.array, hover.index}))
            open.insert({row, hover.index});
    while (!open.empty()) {
        const auto [row, index] = *open.rbegin();
        open.erase(std::prev(open.end()));
        bool made = false;
        for (const NetworkEdge& edge : n.edges[row]) {
            if (edge.flow->written->index != index) continue;
            made = true;
            const bool future = n.when(row) == When::kFuture;
            n.pen.add(edge_path(n, row, edge, {{Role::kText, future ? 0.55f : 1.0f}, 3.4f, 1}));
            if (edge.from_row < row) open.insert({edge.from_row, edge.from.index});
        }
        const auto writes = [&](const Flow& flow) {
            return flow.written && *flow.written == replay::Place{n.rows[row].array, index};
        };
        if (made || std::ranges::any_of(n.s.flows->of(n.rows[row].steps), writes)) continue;
        for (std::size_t above = row; above-- > 0;)
            if (n.rows[above].holds({n.rows[row].array, index})) {
                open.insert({above, index});
                break;
            }
    }
}

// Words

void draw_label(const Net& n, std::size_t row) {
    const NetworkRow& r = n.rows[row];
    const float middle = n.y(row) + n.cell_h / 2, x = n.box.x + kPad;
    const When when = n.when(row);
    const bool again = row > 0 && n.rows[row - 1].steps == r.steps;  // a second array of the same step
    const bool two = n.row_pitch >= kTwoLines && r.steps.steps() > 0 && !again;
    if (middle - (two ? 19 : 9) < n.area.y - 4 || middle + (two ? 19 : 9) > n.area.bottom() + 6) return;
    const std::string& array = n.s.trace.arrays[r.array].name;
    const Role strong = when == When::kPresent ? Role::kText : when == When::kPast ? Role::kTextDim : Role::kTextFaint;
    if (r.steps.steps() == 0 || again) {
        n.pen.line({x, middle}, array, {Face::kMono, kSmall, {strong}}, n.label);
        return;
    }
    std::size_t adds = 0;
    for (const Flow& flow : n.s.flows->of(r.steps)) adds += flow.combine ? 1 : 0;
    const std::string detail = n.network.doubled && r.array == n.network.work
                                   ? std::string(r.spare ? "into 2nd half" : "into 1st half")
                               : adds > 0                                                       ? counted(adds, "add")
                               : r.steps.steps() == 1 && step_name(n.s, r.steps.first) == array ? std::string()
                                                                                                : array;
    n.pen.line({x, two ? middle - 9 : middle}, row_name(n.s, r.steps), {Face::kSansBold, kSmall, {strong}}, n.label);
    if (two)
        n.pen.line({x, middle + 10}, detail,
                   {Face::kMono, kLeast, {when == When::kFuture ? Role::kTextFaint : Role::kTextDim}}, n.label);
    draw_fold_mark(n.pen, n.s, r.steps, {n.box.x, middle - 20, kPad + n.label, 40}, {strong});
}

void draw_column_numbers(const Net& n) {
    const float size = std::clamp(std::floor(0.3f * n.pitch), kIndex, 15.0f);
    const float widest =
        n.pen.width(std::to_string(n.network.columns), Face::kMono, size) + (n.pitch < 24 ? 12.0f : 6.0f);
    std::uint32_t every = 1;
    while (static_cast<float>(every) * n.pitch < widest) every *= 2;
    for (std::uint32_t i = 0; i + n.network.lead < n.network.columns; i += every) {
        const float x = n.left + (static_cast<float>(i + n.network.lead) + 0.5f) * n.pitch;
        n.pen.add(Text{{x, n.area.y - 12}, std::to_string(i), Face::kMono, size, Align::kCentre, {Role::kTextDim}});
    }
}

/// The ground of the present step, and that of the second half of a double buffer.
void draw_grounds(const Net& n) {
    for (std::size_t row = 0; row < n.rows.size(); ++row) {
        const float before = static_cast<float>(n.network.lead) * n.pitch;
        const float across = static_cast<float>(n.network.columns) * n.pitch - before;
        if (n.rows[row].spare)
            n.pen.add(Rect{.box = {n.left + before - 7, n.y(row) - 5, across + 14, n.cell_h + 10},
                           .ink = {Role::kRaised, n.when(row) == When::kFuture ? 0.4f : 1.0f},
                           .radius = 9,
                           .outline = {Role::kIdle, n.when(row) == When::kFuture ? kFaint : 1.0f},
                           .outline_width = 1.2f});
        if (n.when(row) != When::kPresent) continue;
        const float top = row == 0 ? n.y(row) - 4 : n.y(row) - n.row_pitch + n.cell_h + 3;
        n.pen.add(Rect{.box = {n.box.x + 8, top, n.box.w - 16, n.y(row) + n.cell_h + 8 - top},
                       .ink = kBand,
                       .radius = 12,
                       .outline = {}});
    }
}

constexpr LegendItem kLegend[] = {{"prefix finished", Role::kSegment, Fill::kSolid, "finished"},
                                  {"written in its step", Role::kWritten, Fill::kSolid, "written"},
                                  {"add", Role::kActive},
                                  {"word left unused", Role::kIdle, Fill::kHatched, "unused"}};

std::span<const LegendItem> legend(const Network& network) {
    bool padding = false;
    const trace::Array& array = network.subject->trace.arrays[network.work];
    for (std::uint32_t i = 0; i < std::min(network.columns, array.extent); ++i)
        padding = padding || network.padding({network.work, i});
    return std::span(kLegend).first(padding && !network.doubled ? 4 : 3);
}

/// "Inclusive scan: result i is x0 + … + xi".
std::string definition(const Subject& s) {
    const bool exclusive = s.trace.launch.problem == value::Problem::kExclusiveScan;
    const std::string_view sign = value::sign(s.trace.launch.op);
    return fmt::format("{}: result i is x0 {} … {} x{}", capitalised(std::string(value::name(s.trace.launch.problem))),
                       sign, sign, exclusive ? "(i − 1)" : "i");
}

void draw_head(const Net& n, Box row) {
    const std::uint32_t state = static_cast<std::uint32_t>(
        n.at.progress >= 0.6f || !n.at.has_step() ? n.at.position : n.s.steps_with(n.at.step(), n.at.open).first);
    const std::string count =
        fmt::format("{} of {} finished", grouped(n.network.finished(state)), grouped(n.network.results));
    const float used = n.pen.line({row.right(), row.y + 12}, count, {Face::kMonoBold, kSmall, {Role::kText}}, row.w / 2,
                                  Align::kRight);
    const std::string place = network_place(n.network);
    n.pen.line({row.x, row.y + 12}, place.empty() ? definition(n.s) : place, {Face::kSansBold, kSmall, {Role::kText}},
               row.w - used - 20);
}

std::string help(const Net& n) {
    if (n.pitch >= kMerged)
        return "Columns are cells, rows are steps; lines lead from the cells that an add read to the one it wrote.";
    std::size_t every = 1;
    for (std::size_t row = 0; row < n.rows.size(); ++row) every = std::max(every, lines_for(n, row));
    const auto cells = static_cast<int>(std::ceil(4 / n.pitch));
    return fmt::format("{}Lines lead from cells that were read to those that were written{}.",
                       n.pitch < kColumns ? fmt::format("One column is {} cells. ", cells) : "",
                       every == 1 ? "" : fmt::format("; in the fullest row every {}th is drawn", every));
}

}  // namespace

std::string network_place(const Network& network) {
    const Subject& s = *network.subject;
    const std::size_t launches = s.run().launches.size();
    const trace::Launch& launch = s.trace.launch;
    if (launches == 1 && launch.grid == 1) return "";
    bool scans = false, input = false;
    for (const trace::Step& step : s.trace.steps) scans = scans || is_tree_step(step);
    for (const trace::Array& array : s.trace.arrays) input = input || array.role == trace::Role::kInput;
    for (const trace::Step& step : s.trace.steps)
        if (step.phase == trace::Phase::kAdd && s.trace.steps.size() == 1) scans = false;
    const std::string block = launch.grid > 1 ? fmt::format("{}block {} of {}", launches > 1 ? ", " : "",
                                                            grouped(s.block), grouped(launch.grid))
                                              : "";
    const std::string_view does = !scans            ? "adds the sum of all sections before"
                                  : input           ? launch.grid > 1 ? "scans its own section" : "scans the input"
                                  : launch.grid > 1 ? "scans its section of the sums"
                                                    : "scans the sums of the blocks";
    const std::string where = launches > 1 ? fmt::format("launch {} of {}", s.launch + 1, launches) : "";
    return capitalised(fmt::format("{}{}: {}", where, block, does));
}

Scene network_view(const Network& network, Playhead at, Box box, const Measure& measure, const Target& hover) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    scene.shapes.reserve(2048);
    Pen pen(scene, measure);
    const Subject& s = *network.subject;
    if (!s.trace.launch.scans()) {
        instead_of_view(pen, box,
                        "This view shows how a scan's prefixes come about; the run is a reduction, and the tree shows "
                        "how it adds.");
        return scene;
    }
    panel_ground(pen, box);
    Net n{network, s, at, pen, box, {}, network.rows(at.open), {}};
    n.edges = network.edges(n.rows);
    if (n.rows.empty()) return scene;
    Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 12};
    const bool low = inside.h < 420;
    n.label = std::min(0.2f * box.w, 120.0f);
    n.pitch = (inside.w - n.label - 12) / static_cast<float>(network.columns);
    inside.h -= panel_foot(pen, box, inside, legend(network), help(n), low);
    draw_head(n, inside);
    const float top = inside.y + kHead + kRuler;
    n.area = {inside.x + n.label + 12, top, inside.w - n.label - 12, inside.bottom() - 10 - top};
    place(n);
    draw_column_numbers(n);
    pen.add(ClipBegin{{box.x, n.area.y - 4, box.w, n.area.h + 12}});
    draw_grounds(n);
    for (std::size_t row = 0; row < n.rows.size(); ++row) draw_edges(n, row);
    draw_traced(n, hover);
    for (std::size_t row = 0; row < n.rows.size(); ++row) {
        draw_marks(n, row);
        draw_cells(n, row);
        draw_label(n, row);
    }
    pen.add(ClipEnd{});
    return scene;
}

std::vector<std::string> network_story(const Network& network, Playhead at, const Target& target) {
    std::vector<std::string> lines = story(*network.subject, at, target);
    if (target.kind != Target::Kind::kCell || lines.empty() || target.state > at.position) return lines;
    if (target.array >= network.subject->trace.arrays.size()) return lines;
    const replay::Place place{target.array, target.index};
    if (network.padding(place)) return {lines[0], "left unused, so that the words behind it fall into other banks"};
    const Elements e = network.held(place, target.state);
    if (!e.known) return lines;
    const std::string_view sign = value::sign(network.subject->trace.launch.op);
    const std::uint32_t count = e.end - e.first;
    std::string text = count == 0   ? std::string("holds no element: the identity")
                       : count == 1 ? fmt::format("holds x{}", e.first)
                       : count == 2 ? fmt::format("holds x{} {} x{}", e.first, sign, e.first + 1)
                                    : fmt::format("holds x{} {} … {} x{}, {} elements", e.first, sign, sign, e.end - 1,
                                                  grouped(count));
    if (network.finished(place, target.state)) text += ": a finished prefix";
    lines.insert(lines.begin() + 1, text);
    return lines;
}

}  // namespace warptree::scene
