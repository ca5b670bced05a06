// The network's cells: what each holds, whether it was written, and whether it is finished.
#include "app/scene/network_parts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace warptree::scene {
namespace {

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
    const Id id = cell_id(r.state, p.array, p.index);
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
        n.pen.put(box.centre(), text, {strong ? Face::kMonoBold : Face::kMono, size, {role}}, Align::kCentre, id);
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
    std::vector<ShareColumn> columns;
    for (std::size_t i = 0; i < looks.size(); i += group) {
        const auto of = std::span(looks).subspan(i, std::min(group, looks.size() - i));
        columns.push_back({static_cast<std::size_t>(std::ranges::count(of, Look::kFinished)),
                           static_cast<std::size_t>(std::ranges::count(of, Look::kWritten)), of.size()});
    }
    const auto x = [&](std::size_t column) {
        return first + static_cast<float>(std::min(column * group, looks.size())) * n.pitch;
    };
    const Box box{first, n.y(row), x(columns.size()) - first, n.cell_h};
    n.pen.frame(box, {Role::kLine, presence}, 1);
    draw_share_columns(n.pen, box, columns, x, {Role::kSegment, presence}, {Role::kWritten, presence});
}

}  // namespace

void draw_network_cells(const Net& n, std::size_t row) {
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

}  // namespace warptree::scene
