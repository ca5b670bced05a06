// A block in the grid view: a card with its slice of the input, its tree in small and what it leaves; or a cell. And
// how results go on from card to card, and into the run's result.
#include <cmath>
#include <map>

#include "app/kit/target.hpp"
#include "app/views/grid/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kSide = 10;  // air inside a card

enum class BlockState : std::uint8_t { kBefore, kWorking, kDone };

BlockState state_of(const GridContext& c, const GridRow& row, std::uint32_t i) {
    if (c.at.position <= row.begin()) return BlockState::kBefore;
    const std::size_t end =
        row.trace->holds(i) ? row.first_step + row.block(i).last_step + 1 : c.s.run().first_step(row.launch + 1);
    return c.at.position > end || (c.at.position == end && c.at.progress >= 1) ? BlockState::kDone
                                                                               : BlockState::kWorking;
}

/// Where the tree of a card has a leaf's or join's column.
float column_x(const GridTree& tree, Box card, std::uint32_t column) {
    const float side = card.w > 60 ? kSide : 4.0f, room = card.w - 2 * side;
    return card.x + side + (column + 0.5f) * (room / std::max<std::size_t>(1, tree.leaves.size()));
}

/// Leaves as ticks, joins below them, a level a step; each stands where its first operand stood. Of too many leaves to
/// tell apart a bar a step, as long as it has adds.
void draw_small_tree(const GridContext& c, const GridRow& row, const GridTree& tree, Box card, Box area) {
    struct Level {
        std::size_t adds = 0;
        float y = 0;
    };
    constexpr float kLeastPitch = 2.2f;  // between leaves
    constexpr float kLeastApart = 3.5f;  // of lines
    if (tree.leaves.empty() || area.h < 20) return;
    std::map<std::uint32_t, Level> levels;
    for (const GridJoin& join : tree.joins) ++levels[join.step].adds;
    const float pitch = area.w / tree.leaves.size(), top = area.y + 4;
    const float each = (area.h - 8) / std::max<std::size_t>(1, levels.size());
    std::size_t most = 1, at = 0;
    for (auto& [step, level] : levels) level.y = top + ++at * each, most = std::max(most, level.adds);
    if (pitch < kLeastPitch) {
        const float h = std::clamp(0.7f * each, 0.5f, 8.0f);
        for (const auto& [step, level] : levels) {
            const float w = std::max(2.0f, area.w * level.adds / most);
            c.pen.fill({area.centre().x - w / 2, level.y - each / 2 - h / 2, w, h},
                       {kActive, c.presence(row.first_step + step)}, std::min(2.0f, h / 2));
        }
        return;
    }
    const auto place = [&](const GridJoin& join) {
        return Vec{column_x(tree, card, join.column), levels[join.step].y};
    };
    for (std::uint32_t i = 0; i < tree.leaves.size(); ++i) {
        const GridLeaf& leaf = tree.leaves[i];
        // Read, but neither an element of the user's nor any block's result: the identity, which the host filled in.
        const bool partial = row.trace->arrays[leaf.place.array].role == trace::Role::kPartial;
        const bool padding =
            !leaf.from && (partial ? c.s.run().complete() : row.launch == 0 && leaf.place.index >= row.trace->launch.n);
        const float w = std::clamp(0.5f * pitch, 1.0f, 6.0f);
        c.pen.fill({column_x(tree, card, i) - w / 2, top - 5, w, 6},
                   {padding ? kIdle : kText, c.presence(row.begin())});
    }
    std::map<std::pair<std::uint32_t, bool>, float>
        drawn;  // of each step: where the last line began that leans, or not
    for (const GridJoin& join : tree.joins)
        for (const std::int32_t part : join.operands) {
            const Vec from = part < 0 ? Vec{column_x(tree, card, ~part), top} : place(tree.joins[part]),
                      to = place(join);
            // How far apart lines of one step lie that lean alike; closer ones would be a solid wedge.
            const float rise = to.y - from.y, far = std::hypot(to.x - from.x, rise);
            const bool leans = std::abs(to.x - from.x) > 1;
            const auto [last, first] = drawn.try_emplace({join.step, leans}, from.x);
            if (!first && std::abs(from.x - last->second) * rise / far < kLeastApart) continue;
            last->second = from.x;
            draw_segment(c.pen, from, to, {kTextDim, c.presence(row.first_step + join.step)}, 1.2f);
        }
    const float radius = std::clamp(std::min(0.3f * pitch, 0.28f * each), 1.2f, 7.0f);
    for (const GridJoin& join : tree.joins) {
        const std::size_t step = row.first_step + join.step;
        const bool present = step + 1 == c.at.position;
        c.pen.ring(place(join), radius + (present ? 0.8f : 0.0f), {kActive, c.presence(step)}, {kText},
                   present && radius > 2 ? 1.5f : 0.0f);
    }
}

/// What all cards of a row have room for, the last one's as a rule the longest; "" where not even its shortest fits.
/// make  wordings of one thing of a block, the longest first
template <class Make>
std::string wording(const GridContext& c, const GridRow& row, std::uint32_t block, Face face, float width, Make make) {
    const std::vector<std::string> longest = make(row.first_of(row.marks() - 1)), own = make(block);
    for (std::size_t i = 0; i < std::min(own.size(), longest.size()); ++i)
        if (std::max(c.pen.width(longest[i], face, kLeast), c.pen.width(own[i], face, kLeast)) <= width) return own[i];
    return "";
}

/// "[24–31]", with the array's name where there is room.
std::vector<std::string> slices(const GridRow& row, std::uint32_t of) {
    if (row.last) return {"what the others left", "the others'"};
    const auto& slice = row.block(of).slice;
    if (!slice) return {};
    const std::string first = std::to_string(slice->first),
                      range = slice->first == slice->last ? first : fmt::format("{}–{}", first, slice->last);
    return {fmt::format("{}{}[{}]", slice->part(), row.trace->arrays[slice->array].name, range),
            slice->part() + "[" + range + "]", slice->part() + range};
}

std::string left_text(const GridContext& c, const GridRow& row, const GridBlock& block, bool done, float width) {
    const auto& left = block.left;
    if (!left) return "";
    if (row.facts->round_step) {  // the value with which the cluster's rounds begin
        if (block.tree.joins.empty() || !c.come(row.first_step + block.tree.joins.back().step)) return "";
        return fitting(c.pen, {row.trace->text(block.tree.joins.back().row)}, kMonoBold, kLeast, width);
    }
    const std::string to = left->shared ? "for its cluster" : "→ " + place_text(*row.trace, left->place);
    const std::string sign = left->atomic ? "+ " : "", whole = row.trace->text(left->row);
    if (!done) return fitting(c.pen, {to}, kMono, kLeast, width);
    const auto room = static_cast<std::size_t>(std::max(0.0f, width / c.pen.width("0", kMono, kLeast)));
    const std::string shorter = sign + short_value(whole, room - std::min(room, sign.size()));
    return fitting(c.pen, {sign + whole + " " + to, sign + whole, shorter}, kMono, kLeast, width);
}

std::vector<std::string> titles(const GridRow& row, std::uint32_t block) {
    const trace::Launch& launch = row.trace->launch;
    const std::string number = std::to_string(block);
    if (row.on_host()) return {"CPU", number};
    if (row.devices() == row.blocks && row.blocks > 1) {  // alone on its device
        const std::string device = std::to_string(launch.device_of_block(block));
        return {"device " + device, device};
    }
    if (row.last) return {fmt::format("block {}", launch.last_block.value_or(block)), number};
    const bool last = row.facts->gather_step && block == launch.last_block.value_or(launch.grid - 1);
    return {fmt::format("block {}{}", block, last ? ", last" : ""), number};
}

void draw_card(const GridContext& c, const GridRow& row, std::uint32_t block) {
    const Box card = row.of(block);
    const BlockState state = state_of(c, row, block);
    const Id id = row.id(block);
    const Ink ink{state == BlockState::kBefore ? kTextDim : kText};
    const float side = row.on_host() ? 24.0f : kSide, room = card.w - 2 * side, left = card.x + side;
    // Raised while at work, framed in the accent where it is the block on show. The CPU is no block: its card is round.
    const bool host = row.on_host(), shown = c.shows(row, block, block + 1);
    const bool before = state == BlockState::kBefore, working = state == BlockState::kWorking;
    const Ink outline{shown ? kAccent : working ? kActive : host ? kSegment : kLine};
    const float weight = shown ? 3.0f : host ? 2.0f : 1.3f, radius = host ? std::min(30.0f, card.h / 2) : 7.0f;
    c.pen.framed(card, {pack(c.hover) == id ? kRaisedHover : kRaised, before ? 0.5f : 1.0f}, outline, weight, radius,
                 id, before && !shown);
    if (row.grain == GridGrain::kBrief) {
        const std::string number =
            wording(c, row, block, kMono, card.w - 4, [](std::uint32_t of) { return std::vector{std::to_string(of)}; });
        c.pen.line({card.centre().x, card.y + 13}, number, {kMono, kLeast, ink}, card.w - 4, kCentre, id);
        return draw_small_tree(c, row, row.block(block).tree, card, {card.x + 4, card.y + 24, card.w - 8, card.h - 30});
    }
    const Style dim = row.last ? kFine : kAxisText;
    const std::string name = wording(c, row, block, kSansBold, room, [&](std::uint32_t of) { return titles(row, of); });
    const float used = c.pen.line({left, card.y + 16}, name, {kSansBold, kLeast, ink}, room, kLeft, id);
    const std::string slice = wording(c, row, block, dim.face, room, [&](std::uint32_t of) { return slices(row, of); });
    const float widest = row.blocks > 1 ? c.pen.width("block 00, last", kSansBold, kLeast) : 0;
    const bool beside = std::max(used, widest) + 12 + c.pen.width(slice, kMono, kLeast) <= room;
    const bool below = !beside && card.h >= 96;
    if (beside) c.pen.line({card.right() - side, card.y + 16}, slice, dim, room - used, kRight, id);
    if (below) c.pen.line({left, card.y + 36}, slice, dim, room, kLeft, id);
    const float top = card.y + (below ? 48.0f : 28.0f);
    draw_small_tree(c, row, row.block(block).tree, card, {left, top, room, card.bottom() - 26 - top});
    const bool done = state == BlockState::kDone;
    if (card.h >= 46)
        c.pen.line({card.centre().x, card.bottom() - 13}, left_text(c, row, row.block(block), done, room),
                   chosen_style(kAxisText, done), room, kCentre, id);
}

void draw_cell(const GridContext& c, const GridRow& row, std::uint32_t mark) {
    const std::uint32_t block = row.first_of(mark), end = std::min(block + row.group, row.blocks);
    BlockState state = state_of(c, row, block);
    for (std::uint32_t i = block + 1; i < end; ++i) state = std::min(state, state_of(c, row, i));
    const bool shown = c.shows(row, block, end), before = state == BlockState::kBefore;
    const Id id = row.id(block);
    const Role role = state == BlockState::kDone ? kSegment : before ? kIdle : kActive;
    const float outline = shown ? 3.0f : pack(c.hover) == id ? 2.0f : 0.0f;
    c.pen.framed(row.mark(mark), {role, before ? 0.25f : 1.0f}, {shown ? kAccent : kText}, outline,
                 state == BlockState::kWorking ? row.pitch / 2 : 2.0f, id);
}

Ink ink_of(const GridContext& c, std::size_t step) {
    if (!c.come(step)) return {kTextFaint, 0.6f};
    return {step + 1 == c.at.position ? kActive : kTextDim};
}

/// A line to a point above, and its head.
void draw_arrow(const GridContext& c, Vec from, Vec to, Ink ink, float width, float head) {
    const Vec end{to.x, to.y - 6};
    width > 2 ? draw_segment(c.pen, from, end, ink, width) : c.pen.add(edge_curve(from, end, ink, width));
    c.pen.add(Triangle{{to.x - head, to.y - 1.5f * head}, {to.x + head, to.y - 1.5f * head}, to, ink});
}

/// The edges of a launch that go one way: use(edge).
template <class Use>
void each_edge(const GridContext& c, const GridRow& row, Way way, Use use) {
    for (const GridEdge& e : c.grid.edges)
        if (e.way == way && e.launch == row.launch) use(e);
}

/// From every leaf of a card to the card that made it; from neighbours of one card in one line.
void draw_to_card(const GridContext& c, const GridRow& from, const GridRow& to, std::uint32_t block) {
    const GridTree& tree = to.block(block).tree;
    const Box card = to.of(block);
    std::map<std::uint32_t, std::uint32_t> steps;  // of each leaf's first add
    for (const GridJoin& join : tree.joins)
        for (const std::int32_t operand : join.operands)
            if (operand < 0) steps.try_emplace(~operand, join.step);
    const auto same = [](const GridLeaf& a, const GridLeaf& b) { return a.from == b.from && a.launch == b.launch; };
    for (std::uint32_t begin = 0, end = 0; begin < tree.leaves.size(); begin = end) {
        const GridLeaf& leaf = tree.leaves[begin];
        const bool meant = leaf.from && *leaf.launch == from.launch;
        for (end = begin + 1; meant && end < tree.leaves.size() && same(tree.leaves[end], leaf);) ++end;
        if (!meant) continue;
        const auto step = steps.find(end - 1);
        const Ink ink = ink_of(c, to.first_step + (step == steps.end() ? 0 : step->second));
        const Box made = from.of(*leaf.from);
        const float x = (column_x(tree, card, begin) + column_x(tree, card, end - 1)) / 2;
        c.pen.add(edge_curve({made.centre().x, made.bottom()}, {x, card.y}, ink, end == begin + 1 ? 1.6f : 3.0f));
    }
}

/// next  whether there is no row in between, where a bundle would pass behind the cards
void draw_between(const GridContext& c, const GridRow& from, const GridRow& to, bool next) {
    if (!from.cells() && !to.cells()) {
        for (std::uint32_t i = 0; i < to.marks(); ++i) draw_to_card(c, from, to, to.first_of(i));
        for (const GridEdge& e : c.grid.edges) {  // to a card without adds, which hands on what it read
            if (e.way != Way::kLaunch || e.launch != from.launch || e.to_launch != to.launch) continue;
            if (from.last || to.last || !to.block(e.to_block).tree.leaves.empty()) continue;
            const Box made = from.of(e.block), card = to.of(e.to_block);
            c.pen.add(edge_curve({made.centre().x, made.bottom()}, {card.centre().x, card.y}, ink_of(c, e.step), 1.6f));
        }
        return;
    }
    // One of them has no cards: one arrow, with how many results it stands for.
    std::uint64_t results = to.last && to.trace->holds(to.trace->launch.grid - 1) ? 1 : 0;  // its own
    for (const GridEdge& e : c.grid.edges)
        results += e.launch == from.launch && e.to_launch == to.launch && to.last == (e.way == Way::kExchange);
    const Vec start{from.box.centre().x, from.end() + 4}, end{to.box.centre().x, to.box.y - 4};
    if (results == 0 || !next || end.y - start.y < 14) return;
    draw_arrow(c, start, end, ink_of(c, to.begin()), 3, 6);
    c.pen.line({start.x + 14, (start.y + end.y) / 2},
               counted(results, "result") + (results == 1 ? " goes on" : " go on"), kFine, 200);
}

/// Blocks of a cluster: below their cards the tree goes on, a round a line, with a join where the sum goes on.
void draw_rounds(const GridContext& c, const GridRow& row) {
    std::map<std::uint32_t, float> stem;  // how far down each block's line has come
    for (std::size_t i = 0; i < row.rounds.size(); ++i) {
        const std::uint32_t step = row.rounds[i];
        const bool end = i + 1 == row.rounds.size();  // its line goes on to the right
        const float y = row.box.bottom() + (i + 1) * row.round;
        each_edge(c, row, Way::kCluster, [&](const GridEdge& e) {
            if (e.step != step) return;
            const Vec to{row.of(e.to_block).centre().x, y};
            for (const std::uint32_t block : {e.to_block, e.block}) {
                const auto from = stem.try_emplace(block, row.box.bottom()).first;
                draw_segment(c.pen, {row.of(block).centre().x, from->second}, to, ink_of(c, step), 1.6f);
            }
            c.pen.ring(to, 4.5f, {kActive, c.presence(step)}, {kText}, step + 1 == c.at.position ? 1.5f : 0.0f);
            if (c.come(step) && row.round >= 26)
                c.pen.line({to.x + (end ? -8.0f : 8.0f), y + 13}, row.trace->text(e.made), {kMonoBold, kLeast, {kText}},
                           row.pitch / 2 - 4, end ? kRight : kLeft);
            stem[e.to_block] = y;
        });
    }
}

/// Blocks of a row whose result is the run's, or goes into it.
std::vector<std::uint32_t> leading_there(const GridRow& row) {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i < row.marks(); ++i) {
        const GridBlock& block = row.block(row.first_of(i));
        const auto& left = block.left;
        const bool result = left && !left->shared && row.trace->arrays[left->place.array].role == trace::Role::kOutput;
        if (row.trace->launch.has_many_results() ? block.results.has_value() : result)
            blocks.push_back(row.first_of(i));
    }
    return blocks;
}

/// From where to where the results go that one block makes and takes: the one under the pointer, else the one on show.
void draw_block_edges(const GridContext& c) {
    const bool over = c.hover.kind == Target::Kind::kBlock;
    const std::uint32_t launch = over ? c.hover.state : c.s.launch, block = over ? c.hover.index : c.s.block;
    const auto row_of = [&](std::uint32_t of, bool last) {
        return std::ranges::find_if(c.rows, [&](const GridRow& row) { return row.launch == of && row.last == last; });
    };
    std::map<std::pair<Id, Id>, Curve> lines;  // by their marks, which may stand for several blocks
    std::map<Id, Box> others;                  // at the far ends
    for (const GridEdge& e : c.grid.edges) {
        const auto from = row_of(e.launch, false), to = row_of(e.to_launch, e.way == Way::kExchange);
        if (from == c.rows.end() || to == c.rows.end() || from == to) continue;
        if (!from->cells() && !to->cells()) continue;  // each is drawn
        const auto meant = [&](const GridRow& row, std::uint32_t one) {
            return row.launch == launch && (row.last ? one == block : one / row.group == block / row.group) &&
                   (!over || row.last == (c.hover.array == 1) || !row.facts->gather_step);
        };
        const bool makes = meant(*from, e.block);
        if (!makes && !meant(*to, e.to_block)) continue;
        const Box start = from->of(e.block), end = to->of(e.to_block);
        const Id start_id = from->id(e.block / from->group), end_id = to->id(e.to_block / to->group);
        lines.try_emplace({start_id, end_id},
                          edge_curve({start.centre().x, start.bottom()}, {end.centre().x, end.y - 2},
                                     {kText, c.come(e.step) ? 1.0f : 0.7f}, 2));
        others.try_emplace(makes ? end_id : start_id, makes ? end : start);
    }
    constexpr std::size_t kMostLines = 16;  // to follow with the eye; of more, the far ends are marked
    for (const auto& [ends, line] : lines) {
        if (lines.size() > kMostLines) break;
        Curve ground = line;
        ground.ink = {kPanel}, ground.width = 6;
        c.pen.add(ground), c.pen.add(line);
    }
    for (const auto& [id, box] : others) c.pen.frame(box.inset(-1), {kText}, 1.5f, 3);
}

/// The run's result, and what leads there.
void draw_result(const GridContext& c, Box box) {
    const auto& run = c.s.run();
    const judge::Verdict& verdict = c.s.facts->verdict;
    const bool done = c.at.position >= run.steps() && c.at.progress >= 1, many = run.launch().has_many_results();
    const float middle = box.centre().x, top = box.y - 2;
    std::uint64_t atomics = 0;
    std::string cell =
        many ? fmt::format("output[0] to [{}]", grouped(judge::results_of(run.launch(), run.output()->size()) - 1))
             : "the result";
    constexpr std::size_t kMostLines = 24;  // to follow with the eye; of more those of the last row alone
    std::size_t lines = 0;
    for (const GridRow& row : c.rows) lines += row.cells() ? 0 : leading_there(row).size();
    for (const GridRow& row : c.rows) {
        const std::vector<std::uint32_t> blocks = leading_there(row);
        atomics = std::max(atomics, row.facts->atomics);
        if (blocks.empty()) continue;
        if (!many) cell = place_text(*row.trace, row.block(blocks.front()).left->place);
        if (lines > kMostLines && !row.cells() && &row != &c.rows.back()) continue;
        const auto ink = [&](std::uint32_t block) { return ink_of(c, row.first_step + row.block(block).last_step); };
        if (row.cells()) {
            draw_arrow(c, {row.box.centre().x, row.end() + 4}, {middle, top}, ink(blocks.back()), 3, 6);
            continue;
        }
        for (const std::uint32_t block : blocks) {
            Vec from{row.of(block).centre().x, row.of(block).bottom()};  // below its card, or its last round
            each_edge(c, row, Way::kCluster, [&](const GridEdge& e) {
                const auto round = std::ranges::find(row.rounds, e.step);
                if (e.to_block == block && round != row.rounds.end())
                    from.y = std::max(from.y, row.box.bottom() + (round - row.rounds.begin() + 1) * row.round);
            });
            const float aside = std::clamp(0.12f * (from.x - middle), -0.4f * box.w, 0.4f * box.w);
            draw_arrow(c, from, {blocks.size() == 1 ? middle : middle + aside, top}, ink(block), 1.6f, 5);
        }
    }
    const Role role = !done ? kRaised : verdict.correct ? kSegment : kWrong;
    const About about(c.pen, Word::kResult);
    c.pen.framed(box, {role, done ? 0.25f : 1.0f}, {done ? role : kLine}, done ? 2.5f : 1.3f, 8, 0, !done);
    std::string text = cell, brief = cell;
    if (done && many) {
        text = !verdict.judged   ? cell + ", not judged"
               : verdict.correct ? cell + ", right: the last is " + verdict.result
                                 : "wrong: " + verdict.wrong;
        brief = !verdict.judged ? cell : verdict.correct ? cell + ", right" : "wrong";
    } else if (done) {
        const std::string said = !verdict.judged   ? "not judged"
                                 : verdict.correct ? "right"
                                                   : "wrong: " + verdict.expected + " is right";
        text = brief = fmt::format("{} = {}, {}", cell, verdict.result, said);
    }
    c.pen.either(box.centre(), {text, brief}, chosen_style({kSans, kBody, {kTextDim}}, done), box.w - 20, kCentre);
    const float beside = box.right() + 16, room = std::max(110.0f, c.rows.front().box.right() - beside);
    if (atomics >= 2)
        c.pen.either({beside, box.centre().y},
                     {counted(atomics, "atomic add") + ": in any order", "atomics: in any order", "in any order"},
                     kEntry, room);
}

}  // namespace

void draw_grid(const GridContext& c, Box result) {
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        const GridRow& row = c.rows[i];
        draw_rounds(c, row);
        if (!row.last && !row.cells() && !row.facts->gather_step)  // to another card of the row
            each_edge(c, row, Way::kExchange, [&](const GridEdge& e) {
                constexpr float kDip = 34;
                const Box one = row.of(e.block), other = row.of(e.to_block);
                const Vec from{one.right() - 0.25f * one.w, one.bottom()},
                    to{other.x + 0.25f * other.w, other.bottom() + 2};
                const Ink ink = ink_of(c, e.step);
                c.pen.add(Curve{from, {from.x, from.y + kDip}, {to.x, to.y + kDip}, {to.x, to.y + 6}, ink, 1.6f});
                c.pen.add(Triangle{{to.x - 5, to.y + 8}, {to.x + 5, to.y + 8}, to, ink});
            });
        for (std::size_t k = 0; k < i; ++k)
            if (c.rows[k].launch != row.launch || row.last) draw_between(c, c.rows[k], row, k + 1 == i);
    }
    draw_result(c, result);
    for (const GridRow& row : c.rows)
        for (std::uint32_t mark = 0; mark < row.marks(); ++mark)
            row.cells() ? draw_cell(c, row, mark) : draw_card(c, row, row.first_of(mark));
    for (const GridRow& row : c.rows)
        for (std::uint32_t i = 0; row.names > 0 && i < row.devices(); ++i) {
            const std::uint32_t each = row.blocks / row.devices();
            const Box first = row.mark(i * each);
            const std::string name = fmt::format("device {}", row.trace->launch.device_of_block(i * each));
            const About about(c.pen, Word::kADevice);
            c.pen.fill({first.x, first.y - 18, c.pen.width(name, kFine.face, kFine.size) + 6, 16}, {kPanel});
            c.pen.line({first.x, first.y - 10}, name, kFine, row.mark((i + 1) * each - 1).right() - first.x);
        }
    draw_block_edges(c);
}

}  // namespace warptree::scene
