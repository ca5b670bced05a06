// A block in the grid view: a card with its slice of the input, its tree in small and what it leaves; or a cell.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/scene/grid_view.hpp"

namespace warptree::scene {
namespace {

constexpr float kSide = 10;          // air inside a card
constexpr float kLeastPitch = 2.2f;  // between leaves, to tell them apart

struct Marks {
    std::map<std::uint32_t, std::uint32_t> level;  // of each step with a join, from 0
    float top = 0, each = 0;
    float y(std::uint32_t of) const { return top + (of + 1) * each; }
};

Marks marks_of(const GridTree& tree, Box area) {
    Marks marks;
    for (const GridJoin& join : tree.joins) marks.level.try_emplace(join.step, 0);
    std::uint32_t next = 0;
    for (auto& [step, level] : marks.level) level = next++;
    marks.top = area.y + 4;
    marks.each = (area.h - 8) / std::max<std::size_t>(1, marks.level.size());
    return marks;
}

/// Too many leaves to tell apart: a bar a step, as long as it has adds.
void draw_silhouette(const GridContext& c, const GridRow& row, const GridTree& tree, Box area) {
    const Marks marks = marks_of(tree, area);
    std::map<std::uint32_t, std::size_t> adds;
    std::size_t most = 1;
    for (const GridJoin& join : tree.joins) most = std::max(most, ++adds[join.step]);
    const float h = std::clamp(0.7f * marks.each, 0.5f, 8.0f);
    const std::size_t first = c.subject.run().first_step(row.launch);
    for (const auto& [step, count] : adds) {
        const float w = std::max(2.0f, area.w * count / most);
        c.pen.fill({area.centre().x - w / 2, marks.y(marks.level.at(step)) - marks.each / 2 - h / 2, w, h},
                   {Role::kActive, c.come(first + step) ? 1.0f : kGridFaint}, std::min(2.0f, h / 2));
    }
}

/// Leaves as ticks, joins below them, a level a step; each stands where its first operand stood.
void draw_tree(const GridContext& c, const GridRow& row, const GridTree& tree, Box card, Box area) {
    if (tree.leaves.empty() || area.h < 20) return;
    const float leaves = tree.leaves.size();
    const float pitch = area.w / leaves;
    if (pitch < kLeastPitch) return draw_silhouette(c, row, tree, area);
    const Marks marks = marks_of(tree, area);
    const std::size_t first = c.subject.run().first_step(row.launch);
    const trace::Launch& launch = c.trace(row).launch;
    const bool begun = c.come(c.first_step(row));
    const float radius = std::clamp(std::min(0.3f * pitch, 0.28f * marks.each), 1.2f, 5.0f);
    const auto at = [&](std::int32_t operand) {
        if (operand < 0) return Vec{grid_column_x(tree, card, static_cast<std::uint32_t>(~operand)), marks.top};
        const GridJoin& join = tree.joins[static_cast<std::size_t>(operand)];
        return Vec{grid_column_x(tree, card, join.column), marks.y(marks.level.at(join.step))};
    };
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i) {
        const GridLeaf& leaf = tree.leaves[i];
        // Read, but neither an element of the user's nor any block's result: the identity, which the host filled in.
        const bool partial = c.trace(row).arrays[leaf.place.array].role == trace::Role::kPartial;
        const bool padding =
            !leaf.from && (partial ? c.subject.run().complete() : row.launch == 0 && leaf.place.index >= launch.n);
        const float w = std::clamp(0.5f * pitch, 1.0f, 4.0f);
        c.pen.fill({grid_column_x(tree, card, i) - w / 2, marks.top - 5, w, 6},
                   {padding ? Role::kIdle : Role::kText, begun ? 1.0f : kGridFaint});
    }
    for (const GridJoin& join : tree.joins) {
        const Vec to{grid_column_x(tree, card, join.column), marks.y(marks.level.at(join.step))};
        const float presence = c.come(first + join.step) ? 1.0f : kGridFaint;
        for (const std::int32_t operand : join.operands)
            draw_segment(c.pen, at(operand), to, {Role::kTextDim, presence}, 1.2f);
    }
    for (const GridJoin& join : tree.joins) {
        const std::size_t step = first + join.step;
        const bool present = step + 1 == c.at.position;
        c.pen.ring({grid_column_x(tree, card, join.column), marks.y(marks.level.at(join.step))},
                   radius + (present ? 0.8f : 0.0f), {Role::kActive, c.come(step) ? 1.0f : kGridFaint}, {Role::kText},
                   present && radius > 2 ? 1.5f : 0.0f);
    }
}

/// Wordings of one thing of a block, the longest first.
using Wordings = std::vector<std::string>;

/// What all cards of a row have room for, the last one's as a rule the longest; "" where not even its shortest fits.
template <class Make>
std::string wording(const GridContext& c, const GridRow& row, std::uint32_t block, Face face, float width,
                    Make&& make) {
    const Wordings longest = make(c.first_of(row, row.marks() - 1)), own = make(block);
    for (std::size_t i = 0; i < std::min(own.size(), longest.size()); ++i)
        if (std::max(c.pen.width(longest[i], face, kLeast), c.pen.width(own[i], face, kLeast)) <= width) return own[i];
    return "";
}

/// "[24–31]", with the array's name where there is room.
Wordings slices(const GridContext& c, const GridRow& row, std::uint32_t of) {
    if (row.last) return {"what the others left", "the others'"};
    const GridBlock& block = c.block(row, of);
    if (!block.slice) return {};
    const Slice& slice = *block.slice;
    const std::string range =
        slice.first == slice.last ? fmt::format("{}", slice.first) : fmt::format("{}–{}", slice.first, slice.last);
    return {fmt::format("{}[{}]", c.trace(row).arrays[slice.array].name, range), "[" + range + "]", range};
}

std::string left_text(const GridContext& c, const GridRow& row, const GridBlock& block, bool done, float width) {
    if (!block.left) return "";
    const Left& left = *block.left;
    if (c.grid.launches[row.launch].round_step) {  // the value with which the cluster's rounds begin
        if (block.tree.joins.empty()) return "";
        const GridJoin& last = block.tree.joins.back();
        if (!c.come(c.subject.run().first_step(row.launch) + last.step)) return "";
        return fitting(c.pen, {c.trace(row).value.text(last.row)}, Face::kMonoBold, kLeast, width);
    }
    const std::string to = left.shared ? "for its cluster" : "→ " + place_text(c.trace(row), left.place);
    if (!done) return fitting(c.pen, {to}, Face::kMono, kLeast, width);
    const std::string value = (left.atomic ? "+ " : "") + c.trace(row).value.text(left.row);
    return fitting(c.pen, {value + " " + to, value}, Face::kMono, kLeast, width);
}

std::string title(const GridContext& c, const GridRow& row, std::uint32_t block) {
    const trace::Launch& launch = c.trace(row).launch;
    if (launch.processor == trace::Processor::kHost) return "CPU";
    if (row.last) return fmt::format("block {}", launch.last_block.value_or(block));
    const bool came_last =
        c.grid.launches[row.launch].gather_step && block == launch.last_block.value_or(launch.grid - 1);
    return fmt::format("block {}{}", block, came_last ? ", last" : "");
}

/// The ground of a card: raised while at work, framed in the accent where it is the block on show. The CPU is no block:
/// its card is round.
void draw_ground(const GridContext& c, const GridRow& row, std::uint32_t block, Box card) {
    const bool host = c.trace(row).launch.processor == trace::Processor::kHost;
    const bool shown = row.launch == c.subject.launch && block == c.subject.block;
    const BlockState state = c.state(row, block);
    const Id id = c.id(row, block);
    const bool before = state == BlockState::kBefore, working = state == BlockState::kWorking;
    const Role outline = shown ? Role::kAccent : working ? Role::kActive : host ? Role::kSegment : Role::kLine;
    const float width = shown ? 3.0f : host ? 2.0f : 1.3f;
    c.pen.framed(card, {pack(c.hover) == id ? Role::kRaisedHover : Role::kRaised, before ? 0.5f : 1.0f}, {outline},
                 width, host ? std::min(30.0f, card.h / 2) : 7.0f, id, before && !shown);
}

void draw_card(const GridContext& c, const GridRow& row, std::uint32_t block) {
    const Box card = row.of(block);
    const GridBlock& facts = c.block(row, block);
    const BlockState state = c.state(row, block);
    const Id id = c.id(row, block);
    const bool host = c.trace(row).launch.processor == trace::Processor::kHost;
    const Role text = state == BlockState::kBefore ? Role::kTextDim : Role::kText;
    const float side = host ? 24.0f : kSide, room = card.w - 2 * side, left = card.x + side,
                right = card.right() - side;
    draw_ground(c, row, block, card);
    const std::string name = wording(c, row, block, Face::kSansBold, room, [&](std::uint32_t of) {
        return Wordings{title(c, row, of), std::to_string(of)};
    });
    const float used = c.pen.line({left, card.y + 16}, name, {Face::kSansBold, kLeast, {text}}, room, Align::kLeft, id);
    const std::string slice = wording(c, row, block, row.last ? Face::kSans : Face::kMono, room,
                                      [&](std::uint32_t of) { return slices(c, row, of); });
    const float widest = c.pen.width("block 00, last", Face::kSansBold, kLeast);
    const bool beside =
        std::max(used, row.blocks > 1 ? widest : 0) + 12 + c.pen.width(slice, Face::kMono, kLeast) <= room;
    const bool below = !beside && card.h >= 96;
    const Style dim = row.last ? kFine : kAxisText;
    if (beside) c.pen.line({right, card.y + 16}, slice, dim, room - used, Align::kRight, id);
    if (below) c.pen.line({left, card.y + 36}, slice, dim, room, Align::kLeft, id);
    const float top = card.y + (below ? 48.0f : 28.0f);
    draw_tree(c, row, facts.tree, card, {left, top, room, card.bottom() - 26 - top});
    if (card.h < 46) return;
    const bool done = state == BlockState::kDone;
    c.pen.line({card.centre().x, card.bottom() - 13}, left_text(c, row, facts, done, room),
               {done ? Face::kMonoBold : Face::kMono, kLeast, {done ? Role::kText : Role::kTextDim}}, room,
               Align::kCentre, id);
}

void draw_small(const GridContext& c, const GridRow& row, std::uint32_t block) {
    const Box card = row.of(block);
    draw_ground(c, row, block, card);
    const Role text = c.state(row, block) == BlockState::kBefore ? Role::kTextDim : Role::kText;
    const std::string name =
        wording(c, row, block, Face::kMono, card.w - 4, [](std::uint32_t of) { return Wordings{std::to_string(of)}; });
    c.pen.line({card.centre().x, card.y + 13}, name, {Face::kMono, kLeast, {text}}, card.w - 4, Align::kCentre,
               c.id(row, block));
    draw_tree(c, row, c.block(row, block).tree, card, {card.x + 4, card.y + 24, card.w - 8, card.h - 30});
}

void draw_cell(const GridContext& c, const GridRow& row, std::uint32_t mark) {
    const std::uint32_t block = c.first_of(row, mark), end = std::min(block + row.group, row.blocks);
    BlockState state = c.state(row, block);
    for (std::uint32_t i = block + 1; i < end; ++i) state = std::min(state, c.state(row, i));
    const bool shown = row.launch == c.subject.launch && c.subject.block >= block && c.subject.block < end;
    const Id id = c.id(row, block);
    const bool before = state == BlockState::kBefore, hot = pack(c.hover) == id;
    const Role role = state == BlockState::kDone ? Role::kSegment : before ? Role::kIdle : Role::kActive;
    const float outline = shown ? 3.0f : hot ? 2.0f : 0.0f;
    c.pen.framed(row.mark(mark), {role, before ? 0.25f : 1.0f}, {shown ? Role::kAccent : Role::kText}, outline,
                 state == BlockState::kWorking ? row.pitch / 2 : 2.0f, id);
}

}  // namespace

BlockState GridContext::state(const GridRow& row, std::uint32_t i) const {
    const std::size_t first = first_step(row), end = subject.run().first_step(row.launch) + block(row, i).last_step + 1;
    if (at.position <= first) return BlockState::kBefore;
    const bool held = trace(row).holds(i);
    const std::size_t last = held ? end : subject.run().first_step(row.launch + 1);
    return at.position > last || (at.position == last && at.progress >= 1) ? BlockState::kDone : BlockState::kWorking;
}

Id GridContext::id(const GridRow& row, std::uint32_t block) const {
    return pack({Target::Kind::kBlock, static_cast<std::uint16_t>(row.launch),
                 static_cast<std::uint8_t>(row.last ? 1 : 0), block});
}

float grid_column_x(const GridTree& tree, Box card, std::uint32_t column) {
    const float side = card.w > 60 ? kSide : 4.0f,
                pitch = (card.w - 2 * side) / std::max<std::size_t>(1, tree.leaves.size());
    return card.x + side + (column + 0.5f) * pitch;
}

void draw_grid_row(const GridContext& c, const GridRow& row) {
    for (std::uint32_t mark = 0; mark < row.marks(); ++mark) {
        const std::uint32_t block = c.first_of(row, mark);
        switch (row.grain) {
            case GridGrain::kCards:
                draw_card(c, row, block);
                break;
            case GridGrain::kBrief:
                draw_small(c, row, block);
                break;
            case GridGrain::kCells:
                draw_cell(c, row, mark);
                break;
        }
    }
}

}  // namespace warptree::scene
