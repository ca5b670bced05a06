// How results go on from card to card in the grid view, and into the run's result.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/scene/grid_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

void arrow_head(const GridContext& c, Vec at, Ink ink, float size) {
    c.pen.add(Triangle{{at.x - size, at.y - 1.5f * size}, {at.x + size, at.y - 1.5f * size}, at, ink, 0});
}

Ink ink_of(const GridContext& c, std::size_t step) {
    if (!c.come(step)) return {Role::kTextFaint, kGridFaint + 0.2f};
    return {step + 1 == c.at.position ? Role::kActive : Role::kTextDim};
}

/// A card's lower end, or its place after the rounds of its cluster.
Vec foot(const GridRow& row, std::uint32_t block) {
    const Box card = row.of(block);
    return {card.centre().x, row.grain == GridGrain::kCells ? row.end() : card.bottom()};
}

/// From every leaf of a card to the card that made it; from neighbours of one card in one line.
void draw_to_card(const GridContext& c, const GridRow& from, const GridRow& to, std::uint32_t block) {
    const GridTree& tree = c.block(to, block).tree;
    const Box card = to.of(block);
    const std::size_t first = c.subject.run().first_step(to.launch);
    std::map<std::uint32_t, std::uint32_t> steps;  // of each leaf's first add
    for (const GridJoin& join : tree.joins)
        for (const std::int32_t operand : join.operands)
            if (operand < 0) steps.try_emplace(static_cast<std::uint32_t>(~operand), join.step);
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i) {
        const GridLeaf& leaf = tree.leaves[i];
        if (!leaf.from || *leaf.launch != from.launch) continue;
        const auto step = steps.find(i);
        const Ink ink = ink_of(c, first + (step == steps.end() ? 0 : step->second));
        const std::uint32_t begin = i;
        while (i + 1 < tree.leaves.size() && tree.leaves[i + 1].from == leaf.from &&
               tree.leaves[i + 1].launch == leaf.launch)
            ++i;
        const float x = (grid_column_x(tree, card, begin) + grid_column_x(tree, card, i)) / 2;
        c.pen.add(edge_curve(foot(from, *leaf.from), {x, card.y}, ink, i == begin ? 1.6f : 3.0f));
    }
}

/// Between rows of which one has no cards: one arrow, with how many results it stands for.
void draw_bundle(const GridContext& c, const GridRow& from, const GridRow& to, std::uint64_t results) {
    const Vec start{from.box.centre().x, from.end() + 4}, end{to.box.centre().x, to.box.y - 4};
    if (end.y - start.y < 14) return;
    const Ink ink = ink_of(c, c.first_step(to));
    draw_segment(c.pen, start, {end.x, end.y - 6}, ink, 3);
    arrow_head(c, end, ink, 6);
    c.pen.line({start.x + 14, (start.y + end.y) / 2},
               counted(results, "result") + (results == 1 ? " goes on" : " go on"), kFine, 200);
}

/// next  whether there is no row in between, where a bundle would pass behind the cards
void draw_between(const GridContext& c, const GridRow& from, const GridRow& to, bool next) {
    if (from.grain != GridGrain::kCells && to.grain != GridGrain::kCells) {
        for (std::uint32_t i = 0; i < to.marks(); ++i) draw_to_card(c, from, to, c.first_of(to, i));
        return;
    }
    std::uint64_t results = 0;
    for (const GridEdge& e : c.grid.edges)
        results +=
            e.launch == from.launch && e.to_launch == to.launch && (to.last == (e.way == Way::kExchange)) ? 1 : 0;
    if (to.last && c.trace(to).holds(c.trace(to).launch.grid - 1)) ++results;  // its own
    if (results > 0 && next) draw_bundle(c, from, to, results);
}

/// From card to card of a row: what a block left for another one of its launch.
void draw_along(const GridContext& c, const GridRow& row) {
    if (row.grain == GridGrain::kCells || c.grid.launches[row.launch].gather_step) return;
    for (const GridEdge& e : c.grid.edges) {
        if (e.way != Way::kExchange || e.launch != row.launch) continue;
        const Box one = row.of(e.block), other = row.of(e.to_block);
        const Vec from{one.right() - 0.25f * one.w, one.bottom()}, to{other.x + 0.25f * other.w, other.bottom() + 2};
        const Ink ink = ink_of(c, e.step);
        constexpr float kDip = 34;
        c.pen.add(Curve{from, {from.x, from.y + kDip}, {to.x, to.y + kDip}, {to.x, to.y + 6}, ink, 1.6f, 1, 0});
        c.pen.add(Triangle{{to.x - 5, to.y + 8}, {to.x + 5, to.y + 8}, to, ink, 0});
    }
}

/// Blocks of a cluster: below their cards the tree goes on, a round a line, with a join where the sum goes on.
void draw_rounds(const GridContext& c, const GridRow& row) {
    const std::vector<std::uint32_t> steps = cluster_steps(c.grid, row.launch);
    std::map<std::uint32_t, float> stem;  // how far down each block's line has come
    float at = row.box.bottom();
    for (const std::uint32_t step : steps) {
        at += row.round;
        for (const GridEdge& e : c.grid.edges) {
            if (e.way != Way::kCluster || e.launch != row.launch || e.step != step) continue;
            const Vec to{row.of(e.to_block).centre().x, at};
            for (const std::uint32_t block : {e.to_block, e.block}) {
                const auto from = stem.find(block);
                const Vec start{row.of(block).centre().x, from == stem.end() ? row.box.bottom() : from->second};
                draw_segment(c.pen, start, to, ink_of(c, step), 1.6f);
            }
            c.pen.ring(to, 4.5f, {Role::kActive, c.come(step) ? 1.0f : kGridFaint}, {Role::kText},
                       step + 1 == c.at.position ? 1.5f : 0.0f);
            const bool end = step == steps.back();  // its line goes on to the right
            if (c.come(step) && row.round >= 26)
                c.pen.line({to.x + (end ? -8.0f : 8.0f), at + 13}, c.trace(row).value.text(e.made),
                           {Face::kMonoBold, kLeast, {Role::kText}}, row.pitch / 2 - 4,
                           end ? Align::kRight : Align::kLeft);
            stem[e.to_block] = at;
        }
    }
}

/// Blocks of a row whose result is the run's, or goes into it.
std::vector<std::uint32_t> leading_there(const GridContext& c, const GridRow& row) {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i < row.marks(); ++i) {
        const std::uint32_t block = c.first_of(row, i);
        const auto& left = c.block(row, block).left;
        if (c.trace(row).launch.scans()) {
            if (c.block(row, block).results) blocks.push_back(block);
        } else if (left && !left->shared && c.trace(row).arrays[left->place.array].role == trace::Role::kOutput)
            blocks.push_back(block);
    }
    return blocks;
}

/// Where a block's line ends, below its card or its last round.
Vec last_foot(const GridContext& c, const GridRow& row, std::uint32_t block) {
    Vec at = foot(row, block);
    float y = row.box.bottom();
    for (const std::uint32_t step : cluster_steps(c.grid, row.launch)) {
        y += row.round;
        for (const GridEdge& e : c.grid.edges)
            if (e.way == Way::kCluster && e.launch == row.launch && e.step == step && e.to_block == block) at.y = y;
    }
    return at;
}

}  // namespace

void draw_grid_edges(const GridContext& c) {
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        if (c.rows[i].rounds > 0) draw_rounds(c, c.rows[i]);
        if (!c.rows[i].last) draw_along(c, c.rows[i]);
        for (std::size_t k = 0; k < i; ++k)
            if (c.rows[k].launch != c.rows[i].launch || c.rows[i].last)
                draw_between(c, c.rows[k], c.rows[i], k + 1 == i);
    }
}

void draw_grid_block_edges(const GridContext& c) {
    const bool over = c.hover.kind == Target::Kind::kBlock;
    const std::uint32_t launch = over ? c.hover.state : static_cast<std::uint32_t>(c.subject.launch),
                        block = over ? c.hover.index : c.subject.block;
    const auto row_of = [&](std::uint32_t of, bool last) {
        return std::ranges::find_if(c.rows, [&](const GridRow& row) { return row.launch == of && row.last == last; });
    };
    std::map<std::pair<Id, Id>, Curve> lines;  // by their marks, which may stand for several blocks
    std::map<Id, Box> others;                  // at the far ends
    for (const GridEdge& e : c.grid.edges) {
        const auto from = row_of(e.launch, false), to = row_of(e.to_launch, e.way == Way::kExchange);
        if (from == c.rows.end() || to == c.rows.end() || from == to) continue;
        if (from->grain != GridGrain::kCells && to->grain != GridGrain::kCells) continue;  // each is drawn
        const auto meant = [&](const GridRow& row, std::uint32_t one) {
            return row.launch == launch && (row.last ? one == block : one / row.group == block / row.group) &&
                   (!over || row.last == (c.hover.array == 1) || !c.grid.launches[launch].gather_step);
        };
        const bool makes = meant(*from, e.block);
        if (!makes && !meant(*to, e.to_block)) continue;
        const Box start = from->of(e.block), end = to->of(e.to_block);
        const Id start_id = c.id(*from, e.block / from->group), end_id = c.id(*to, e.to_block / to->group);
        lines.try_emplace({start_id, end_id},
                          edge_curve({start.centre().x, start.bottom()}, {end.centre().x, end.y - 2},
                                     {Role::kText, c.come(e.step) ? 1.0f : 0.7f}, 2));
        others.try_emplace(makes ? end_id : start_id, makes ? end : start);
    }
    constexpr std::size_t kMostLines = 16;  // to follow with the eye; of more, the far ends are marked
    for (const auto& [ends, line] : lines) {
        if (lines.size() > kMostLines) break;
        Curve ground = line;
        ground.ink = {Role::kPanel};
        ground.width = 6;
        c.pen.add(ground);
        c.pen.add(line);
    }
    for (const auto& [id, box] : others) c.pen.frame(box.inset(-1), {Role::kText}, 1.5f, 3);
}

void draw_grid_result(const GridContext& c, Box box) {
    const auto& run = c.subject.run();
    const kernels::Verdict& verdict = c.subject.facts->verdict;
    const bool done = c.at.position >= run.steps() && c.at.progress >= 1;
    std::uint64_t atomics = 0;
    std::string cell = "the result";
    for (const GridRow& row : c.rows) {
        const std::vector<std::uint32_t> blocks = leading_there(c, row);
        atomics = std::max(atomics, c.grid.launches[row.launch].atomics);
        if (!blocks.empty()) cell = place_text(c.trace(row), c.block(row, blocks.front()).left->place);
        const auto step_of = [&](std::uint32_t block) {
            return run.first_step(row.launch) + c.block(row, block).last_step;
        };
        if (row.grain == GridGrain::kCells) {
            if (blocks.empty()) continue;
            const Ink ink = ink_of(c, step_of(blocks.back()));
            const Vec from{row.box.centre().x, row.end() + 4}, to{box.centre().x, box.y - 2};
            draw_segment(c.pen, from, {to.x, to.y - 6}, ink, 3);
            arrow_head(c, to, ink, 6);
            continue;
        }
        for (const std::uint32_t block : blocks) {
            const Ink ink = ink_of(c, step_of(block));
            const Vec from = last_foot(c, row, block);
            const float middle = box.centre().x;
            const Vec to{blocks.size() == 1
                             ? middle
                             : middle + std::clamp(0.12f * (from.x - middle), -0.4f * box.w, 0.4f * box.w),
                         box.y - 2};
            c.pen.add(edge_curve(from, {to.x, to.y - 6}, ink, 1.6f));
            arrow_head(c, to, ink, 5);
        }
    }
    const Role role = !done ? Role::kRaised : verdict.correct ? Role::kSegment : Role::kWrong;
    c.pen.framed(box, {role, done ? 0.25f : 1.0f}, {done ? role : Role::kLine}, done ? 2.5f : 1.3f, 8, 0, !done);
    const bool scans = run.launch().scans();
    if (scans) cell = fmt::format("output[0] to [{}]", grouped(run.output()->size() - 1));
    std::string text = cell, brief = cell;
    if (done && scans) {
        text = verdict.correct ? fmt::format("{}, right: the last is {}", cell, verdict.result)
                               : "wrong: " + verdict.wrong;
        brief = verdict.correct ? cell + ", right" : "wrong";
    } else if (done) {
        text = brief = verdict.correct
                           ? fmt::format("{} = {}, right", cell, verdict.result)
                           : fmt::format("{} = {}, wrong: {} is right", cell, verdict.result, verdict.expected);
    }
    c.pen.either(box.centre(), {text, brief}, chosen_style({Face::kSans, kBody, {Role::kTextDim}}, done), box.w - 20,
                 Align::kCentre);
    if (atomics < 2) return;
    const float room = std::max(110.0f, c.rows.front().box.right() - box.right() - 16);
    c.pen.either({box.right() + 16, box.centre().y},
                 {counted(atomics, "atomic add") + ": in any order", "atomics: in any order", "in any order"}, kEntry,
                 room);
}

}  // namespace warptree::scene
