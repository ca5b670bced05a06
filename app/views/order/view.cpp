// The order view: how parallel the run is, in which order and with which parentheses it was put together beside the
// sequential order, as a picture and as text, and what the operator says to that.
#include <unordered_set>

#include "app/views/order/view.hpp"
#include "app/views/tree/parts.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::scene {
namespace {

using Join = judge::Combination::Join;
using Parts = std::vector<std::int32_t>;
constexpr float kTitleRow = 30, kTextLine = 24, kLeastTree = 90, kMostTree = 302, kAir = 18, kCloser = 6;
constexpr float kWidestPitch = 60, kTextPitch = 20, kSieve = 4, kCrowded = 2;

/// How far a run is, in rounds, when as many have been made as of the run on show.
struct Rounds {
    std::size_t done;
    bool moving;  // the last of them is being made now
};

struct OrderContext : ViewContext {
    const Orders& orders;
    const value::Operator* op;
    bool minds = op != nullptr && !op->commutative;  // operands that changed places matter
    bool finished() const { return at.position >= orders.subject->steps(); }
    Role moved() const { return minds ? kWrong : kAccent; }

    bool over(const OrderOf& of) const {
        return &of == &orders.own ? finished() : rounds(of).done >= of.parallelism.steps();
    }
    Rounds rounds(const OrderOf& of) const {
        const std::vector<std::uint32_t>& own = orders.own.parallelism.step;
        const std::size_t all = of.parallelism.steps(), position = orders.subject->first_step + at.position;
        const std::size_t done = std::ranges::lower_bound(own, position) - own.begin();
        return {std::min(done, all), at.has_step() && done > 0 && done <= all && own[done - 1] + 1 == position};
    }
};

// How parallel the runs are

struct Figure {
    Word word;
    int rank;  // with little room, those with the highest go first
};
constexpr Figure kFigures[] = {
    {Word::kSteps, 1}, {Word::kOperations, 5}, {Word::kBusiest, 3}, {Word::kAverage, 4}, {Word::kSpeedUp, 2}};

std::array<std::string, std::size(kFigures)> figures_of(const OrderOf& of, const OrderOf& sequential) {
    const auto& p = of.parallelism;
    const double average = p.average(), speed = counters::speed_up(sequential.parallelism, p);
    return {grouped(p.steps()), grouped(p.work()) + (of.afterwards() == 0 ? "" : fmt::format(" + {}", of.afterwards())),
            grouped(p.peak()), average < 1000 ? fmt::format("{:.1f}", average) : grouped(average + 0.5),
            speed == 0 ? "–" : times(speed) + "×"};
}

/// Steps, operations, peak, average and speed-up, a run a line; below them, how many steps fewer.
Section table_section(const OrderContext& c) {
    constexpr float kRowHeight = 28, kOrderNames = 178, kNumbers = 122;
    const Orders& o = c.orders;
    const OrderOf &first = o.own_is_sequential() ? o.own : o.sequential, &last = o.own_is_ideal() ? o.own : o.ideal;
    std::vector<std::pair<const OrderOf*, std::string>> rows{{&first, "sequential"}};
    if (!o.own_is_sequential() && !o.own_is_ideal()) rows.emplace_back(&o.own, o.own.name);
    rows.emplace_back(&last, "ideal tree (PRAM)");
    const std::string fewer = fewer_sentence(o.sequential.parallelism, o.own.parallelism);
    const auto draw = [=, &c, &first](Box box) {
        std::vector<Column> columns{{"", 0, kLeft}};
        for (const Figure& figure : kFigures)
            columns.push_back({meaning_of(figure.word).name, kNumbers, kRight, figure.rank, figure.word});
        Table table(c.pen, {box.x, box.y - 2, box.w, box.h}, columns, kRowHeight, kOrderNames);
        table.heads();
        for (const auto& [of, name] : rows) {
            table.next();
            const bool own = of == &c.orders.own;
            const Box line = table.line();
            if (own) c.pen.fill({line.x - 10, line.y + 1, 4, line.h - 2}, {kAccent}, 2);
            table.text(0, name, chosen_style({kSans, 17, {kText}}, own));
            const float room = line.w - table.cell(0).w;
            std::string problem = of->problem;  // or as many of its clauses as have room
            for (const std::string_view end : {" (", "; "})
                if (const std::size_t cut = problem.find(end);
                    cut != problem.npos && c.pen.width(problem, kSans, kLeast) > room)
                    problem = problem.substr(0, cut) + ".";
            if (!of->present()) c.pen.line({line.right(), table.y()}, problem, kDim, room, kRight);
            for (std::size_t i = 0; of->present() && i < std::size(kFigures); ++i) {
                const Style style = chosen_style({kMono, 18, {kText}}, own);
                std::string text = figures_of(*of, first)[i];
                if (c.pen.width(text, style.face, kLeast) > kNumbers - 8)  // "1,044,480 + 4,096" as one
                    text = grouped(of->parallelism.work() + of->afterwards());
                table.text(i + 1, text, style);
            }
        }
        if (!fewer.empty()) c.pen.line({box.x, box.bottom() - 12}, fewer + ".", kDim, box.w);
    };
    return {22 + kRowHeight * rows.size() + (fewer.empty() ? 0 : kTextLine), 3, draw};
}

// An order as text: "((3 max 1) max 7) max 0", what has met so far in bold

struct Expression {
    std::vector<Text> runs;  // from the first line's left end; neighbours that look alike are one
    int lines = 1;           // one more than there may be, if there is no room for all
};

Expression expression(const OrderContext& c, const OrderOf& of, float width, int most) {
    constexpr float kSize = 17, kNarrowest = 9, kHangs = 12;  // a letter's; a parenthesis that closes begins no line
    const judge::Combination& all = of.combination;
    const trace::Launch& launch = c.orders.subject->trace.launch;
    const bool identity = c.op != nullptr && !c.op->associative && all.identity_first;
    const std::size_t done = c.orders.own.present() ? c.rounds(of).done : 0, limit = most * int(width / kNarrowest);
    Expression out;
    std::size_t place = 0;  // of the next operand
    float x = 0;
    for (const judge::Token& token : judge::tokens(all, of.run(), !c.minds && c.orders.brief, limit)) {
        const bool operand = token.join == judge::Token::kOperand;
        const bool moved = operand && c.minds && place < all.operands.size() && all.operands[place] != place;
        const bool met = token.join >= 0 ? done > 0 && all.joins[token.join].step <= of.parallelism.step[done - 1]
                                         : !operand && c.over(of);
        const Face face = moved || met ? kMonoBold : kMono;
        const Ink ink{moved ? kWrong : operand || met ? kText : kTextFaint};
        std::string text = token.text;
        if (operand && place++ == 0 && identity)  // which is not the same as to begin with the operand
            text = fmt::format("({} {} {})", value::identity_text(*c.op, launch.type), value::sign(c.op->name), text);
        if (x + c.pen.width(text, face, kSize) > width + (text.front() == ')' ? kHangs : 0)) {
            if (++out.lines > most) return out;
            x = 0;
        }
        if (x == 0 && text.front() == ' ') text.erase(0, 1);  // a symbol at the end of a line leaves its blank behind
        const Vec at{x, (out.lines - 1) * kTextLine};
        const Text* last = out.runs.empty() ? nullptr : &out.runs.back();
        if (last == nullptr || last->at.y != at.y || last->face != face || last->ink != ink)
            out.runs.push_back({at, "", face, kSize, kLeft, ink});
        out.runs.back().text += text;
        x += c.pen.width(text, face, kSize);
    }
    return out;
}

// An order as a picture: operands as the run takes them, below them a line for each pair that met, in its round. Where
// operands are narrower than a few units, lines that would lie on one another are drawn once.

float pitch_in(float width, const OrderOf& of) {
    return std::min(kWidestPitch, width / std::max<std::size_t>(1, of.combination.operands.size()));
}

struct Picture {
    const OrderContext& c;
    const OrderOf& of;
    Box area;
    const judge::Combination& all = of.combination;
    Rounds rounds = c.rounds(of);
    float pitch = pitch_in(area.w, of), span = pitch * all.operands.size();
    bool numbered = pitch >= kTextPitch;
    Strip strip = strip_in({area.x + (area.w - span) / 2, area.y + (numbered || pitch < kSieve ? 18.0f : 2.0f), span,
                            numbered ? 30.0f : 16.0f},
                           all.operands.size());
    std::size_t levels = of.parallelism.steps() + (of.afterwards() > 0 ? 1 : 0);
    float fall = std::max(1.0f, area.bottom() - 8 - strip.box.bottom()) / std::max<std::size_t>(1, levels);
    std::unordered_set<std::uint64_t> seen{};  // places of strokes

    void draw() {
        const bool thin = pitch < kSieve && !of.thinned.empty();
        for (const int pass : {0, 1, 2}) {  // future, done, present: the brightest on top
            seen.clear();
            for (std::size_t i = 0; i < (thin ? of.thinned.size() : all.joins.size()); ++i) {
                const std::size_t place = thin ? of.thinned[i] : i;
                const Join& join = all.joins[place];
                const std::size_t at = level(join);
                const bool come = at < rounds.done, present = rounds.moving && at + 1 == rounds.done;
                if (come + present == pass) draw_join(join.parts, place_of(place), pass, join.launch, join.row);
            }
            const Parts& roots = all.roots;
            if (of.afterwards() > 0 && pass == (c.over(of) ? 1 : 0))
                draw_join(roots, {(point(roots.front()).x + point(roots.back()).x) / 2, level_y(levels - 1)}, pass,
                          all.launch, all.row);
        }
        if (pitch < kSieve) return draw_bar();
        for (std::size_t place = 0; place < all.operands.size(); ++place) draw_operand(place);
    }

    std::size_t level(const Join& join) const {
        return std::ranges::lower_bound(of.parallelism.step, join.step) - of.parallelism.step.begin();
    }
    float level_y(std::size_t level) const { return strip.box.bottom() + fall * (level + 1); }
    /// Where a part hangs from: an operand's cell, or the line of what it was made in.
    Vec point(std::int32_t part) const {
        return part < 0 ? place_of(~part) : Vec{strip.middle(part), strip.box.bottom()};
    }
    Vec place_of(std::size_t join) const { return {strip.x(of.centres[join]), level_y(level(all.joins[join]))}; }

    /// Whether a stroke is the first at its place.
    bool first(Vec at, std::uint64_t kind) {
        const auto cell = [](float v) -> std::uint64_t { return std::max(0.0f, v) / kSieve; };
        return pitch >= kCrowded || seen.insert(cell(at.x) << 34 | cell(at.y) << 4 | kind).second;
    }

    void draw_join(const Parts& parts, Vec at, int pass, std::uint32_t launch, std::uint32_t row) {
        const float thin = pitch < kSieve ? 1.0f : 1.2f;  // equally wide on every screen
        const float width = pass == 0 ? thin : pass == 1 ? 2.0f : 3.0f;
        const Ink ink = pass == 0 ? Ink{kTextFaint, 0.7f} : Ink{kActive};
        const float p = pass == 2 ? eased(c.at.progress) : 1;
        const float down = std::min(1.0f, 2 * p), across = std::max(0.0f, 2 * p - 1);
        const Subject& s = c.s;
        const bool own = &of == &c.orders.own;
        const Id id = own && launch == s.launch && s.trace.block[row] == s.block ? edge_id(row) : 0;
        for (const std::int32_t part : parts) {
            const Vec from = point(part);
            if (at.y > from.y && first(from, 1))
                c.pen.fill({from.x - width / 2, from.y, width, (at.y - from.y) * down}, ink, 0, id);
        }
        if (across <= 0 || !first(at, 2)) return;
        const float left = point(parts.front()).x, right = point(parts.back()).x, half = (right - left) / 2 * across;
        const auto stroke = [&](float x, float w) { c.pen.fill({x, at.y - width / 2, w, width}, ink, 0, id); };
        stroke(left - width / 2, across < 1 ? half + width / 2 : right - left + width);
        if (across < 1) stroke(right - half, half + width / 2);
        if (pass > 0 && pitch >= 9 && across >= 1) c.pen.disc(at, pass == 2 ? 5.0f : 3.5f, ink);
    }

    /// Cells too narrow to be told apart: a bar, filled from below by the share that changed places, and its name.
    void draw_bar() {
        const About about(c.pen, of.moved_before.back() > 0 ? Word::kChangedPlaces : Word::kOperands);
        const std::size_t count = all.operands.size(), moved = of.moved_before.back();
        const std::string operands = grouped(count) + " operands", each = operands + ", each in its place",
                          some = fmt::format("{} of {} changed places", grouped(moved), operands);
        if (moved > 0) c.pen.fill({area.x, strip.box.y - 17, 12, 12}, {c.moved()}, 2);
        const float key = moved > 0 ? 20 : 0;
        c.pen.either({area.x + key, strip.box.y - 11},
                     {moved > 0 ? some + "; filled: their share at each spot" : each, some + "; filled: their share",
                      some, "changed places"},
                     kFine, area.w - key);
        c.pen.fill(strip.box, {kTextFaint, 0.45f});
        const std::size_t group = std::ceil(kSieve / pitch);
        std::vector<ShareColumn> columns;
        for (std::size_t begin = 0; begin < count; begin += group) {
            const std::size_t end = std::min(count, begin + group);
            columns.push_back({1.0 * (of.moved_before[end] - of.moved_before[begin]), 0, 1.0 * (end - begin)});
        }
        draw_shares(c.pen, strip, group, columns, 1, {Word::kChangedPlaces, c.moved()});
    }

    void draw_operand(std::size_t place) {
        const std::uint32_t element = all.operands[place];
        const bool moved = element != place;
        const Box box = strip.cell(place);
        const float x = box.centre().x, width = box.w;
        const bool fine = width >= 8;
        const Role ground = fine ? kRaised : moved ? c.moved() : kTextFaint;
        const float outline = !fine ? 0.0f : moved ? 2.4f : 1.0f;
        const auto& arrays = c.orders.subject->trace.arrays;
        const auto input = std::ranges::find(arrays, trace::Role::kInput, &trace::Array::role);
        c.pen.framed(box, {ground}, {moved ? c.moved() : kLine}, outline, fine ? 4.0f : 0.0f,
                     cell_id(0, input - arrays.begin(), element));
        if (!numbered) return;
        if (moved) draw_corner(c.pen, box, 10, {c.moved()});
        // The value with its index above; a value that finds no room, a matrix say, leaves the cell to its name.
        const std::string& value = c.orders.operands[element];
        const Fitted fitted = fit(c.pen.measure(), value, kMonoBold, 16, kLeast, width - 4);
        const bool shown = fitted.text == value && !value.empty();
        const Style name{moved ? kMonoBold : kMono, 16, {kText}};
        if (shown)
            c.pen.line({x, box.y - 10}, std::to_string(element), {name.face, kIndex, {moved ? kText : kTextDim}}, pitch,
                       kCentre);
        c.pen.line(box.centre(), shown ? value : fmt::format("x{}", element),
                   shown ? Style{kMonoBold, fitted.size, {kText}} : name, width - 4, kCentre);
    }
};

/// A picture with its heading, and its parentheses as text below, unless they are a page.
void add_part(const OrderContext& c, std::vector<Section>& sections, const OrderOf& of, const std::string& name,
              int rank, float width) {
    constexpr int kMostLines = 3;
    const auto draw = [&c, &of, name](Box box) {
        const Box head = cut_top(box, kTitleRow);
        const float y = head.y + 12, used = c.pen.line({head.x, y}, name, kTopic, 0.6f * head.w) + 14;
        const std::string remark = of.combination.known ? fmt::format("{} of {} steps", grouped(c.rounds(of).done),
                                                                      grouped(of.parallelism.steps()))
                                                        : "not all of its operands can be followed";
        c.pen.line({head.x + used, y}, remark, kDim, 0.7f * head.w - used, kLeft, word_id(Word::kSteps));
        const bool wrong = &of == &c.orders.own && !of.correct;
        if (c.finished())
            c.pen.line({head.right(), y}, (wrong ? "✗ = " : "= ") + of.result,
                       {kMonoBold, kBody, {wrong ? kWrong : kText}}, 0.3f * head.w, kRight, word_id(Word::kResult));
        if (!of.combination.operands.empty() && box.w > 0) Picture{c, of, box}.draw();
    };
    sections.push_back({kTitleRow + kLeastTree, rank, draw, kAir, kTitleRow + kMostTree});
    const Expression text = expression(c, of, width, kMostLines);
    const auto write = [&c, text](Box box) {
        for (Text run : text.runs) {
            run.at = {box.x + run.at.x, box.y + 16 + run.at.y};
            c.pen.add(run);
        }
    };
    if (text.lines <= kMostLines) sections.push_back({kTextLine * text.lines + 12, rank == 0 ? 5 : 6, write, 0});
}

std::string help(const OrderContext& c, float width) {
    const float pitch = pitch_in(width, c.orders.own);
    const std::string_view mark = c.orders.own.moved_before.back() == 0 ? ""
                                  : pitch >= kTextPitch                 ? "Marked operands changed places. "
                                  : pitch >= kSieve                     ? "Operands in colour changed places. "
                                                                        : "Filled: the share that changed places. ";
    return fmt::format(
        "{}A line joins two values in the step in which they meet. Operands stand from left to right as the run takes "
        "them.{}",
        mark, pitch < kSieve ? " Lines that lie close run into one." : "");
}

}  // namespace

/// What gives way, first what is needed least: help, the parentheses, the sequential order, the table, the verdict.
Scene order_view(const Orders& orders, Playhead at, Box box, const Measure& measure, const Target&) {
    return on_panel(box, measure, [&](Pen& pen) {
        const OrderContext c{{*orders.subject, at, pen}, orders, value::find_operator(orders.subject->trace.launch.op)};
        if (orders.subject->trace.launch.has_many_results())
            return instead_of_view(pen, box, "This view takes one result apart; the run has one for each element.",
                                   Offered::kReduction);
        const trace::Launch& launch = orders.subject->trace.launch;
        std::string what = launch.op;
        if (c.op != nullptr) {
            const std::string identity = value::identity_text(*c.op, launch.type);
            what = fmt::format("operator: {} {}", launch.op, trace::name(launch.type));
            if (identity.size() <= 8) what += " · identity " + identity;
        }
        {
            const About about(pen, Word::kOperator);
            panel_title(pen, box, "", what);
        }
        const float title = std::max(50.0f, TreeLayout::title_height(box.h));
        const Box inside{box.x + kPad, box.y + title, box.w - 2 * kPad, box.h - title - 14};
        std::vector<Section> sections{table_section(c)};
        if (!orders.own_is_sequential() && orders.sequential.present())
            add_part(c, sections, orders.sequential, "sequential", 4, inside.w);
        add_part(c, sections, orders.own, orders.own.name, 0, inside.w);
        // What the operator says to the order; at the end, what is wrong: a line is kept free for it until then.
        const std::string sentence = order_sentence(orders);
        const float lines = line_count(measure, sentence, kSaid, inside.w),
                    wrong = orders.own.correct ? 0 : kTextLine + 4;
        const auto draw_verdict = [&](Box row) {
            const Box line = cut_top(row, c.finished() ? wrong : 0);
            const std::string& right = orders.subject->verdict.expected;
            if (line.h > 0)
                pen.line({line.x, line.y + 10},
                         fmt::format("Wrong: {}. Right, from left to right: {}.", orders.own.result, right),
                         {kSansBold, kBody, {kWrong}}, line.w);
            pen.paragraph({row.x, row.y + 10}, sentence, kSaid, row.w);
        };
        sections.push_back({line_height(kBody) * lines + wrong, 2, draw_verdict, kAir});
        float room = inside.h + sections[0].above;
        for (const Section& one : sections) room -= one.height + one.above;
        const std::string all = help(c, inside.w);
        Section full = words(pen, all, kDim, inside.w, 7, kCloser);
        if (full.height + full.above > room)  // all of it where all else has room too, else its first sentence
            full = words(pen, std::string(first_sentences(measure, all, inside.w, 1)), kDim, inside.w, 7, kCloser);
        sections.push_back(full);
        stack(pen, sections, inside, 0);
    });
}

}  // namespace warptree::scene
