// The network of a scan: where its rows and columns stand, what each cell holds, whether it was written and whether it
// is finished; the lines from operands to what was written, the marks of adds and of the clear; and the words around.
#include <set>

#include "app/kit/strip.hpp"
#include "app/views/network/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kLegibleRow = 39, kWidestCell = 72;

/// How a cell looks.
enum class Look : std::uint8_t { kPadding, kEmpty, kKept, kWritten, kFinished };

struct Net : ViewContext {
    const Network& network;
    Box box, inside = panel_inside(box);  // the panel
    std::vector<NetworkRow> rows = network.rows(at.open);
    std::vector<std::vector<NetworkEdge>> edges = network.edges(rows);
    float label = std::max(std::min(0.2f * box.w, 120.0f), std::min(0.34f * box.w, widest_name()));
    Box area{inside.x + label + 12, inside.y, inside.w - label - 12, 0};  // where columns stand
    float wide = std::min(kWidestCell * network.columns, area.w);
    Strip columns = strip_in({area.x + (area.w - wide) / 2, 0, wide, 0}, network.columns,
                             wide < 30 * network.columns ? 1.5f : 5.0f);  // narrow cells have room for their values
    float pitch = columns.pitch();
    float row_pitch = 1, cell_h = 1, top = 0, radius = 0;
    bool cut = false;  // not all rows have room

    float widest_name() const {
        float widest = 0;
        for (const NetworkRow& row : rows)
            widest = std::max({widest, pen.width(row_name(s, row.steps), kSansBold, kSmall),
                               pen.width(s.trace.arrays[row.array].name, kMono, kSmall)});
        return widest + 1;
    }
    float x(replay::Place p) const { return columns.middle(network.column(p)); }
    float y(std::size_t row) const { return top + row * row_pitch; }
    When when(std::size_t row) const {
        const Fold steps = rows[row].steps;
        if (steps.steps() > 0 && at.position <= steps.first) return kFuture;
        return steps.steps() > 0 && at.position <= steps.end ? kPresent : kPast;
    }
    /// Whether the cells of a row have come; how bright they are.
    bool shown(std::size_t row) const { return when(row) == kPast || (when(row) == kPresent && at.progress >= 0.6f); }
    float presence(std::size_t row) const { return shown(row) ? 1 : kFaint; }
    /// A row's cells.
    Strip cells(std::size_t row) const {
        const std::size_t first = network.column({rows[row].array, rows[row].first});
        Strip strip = columns.part(first, first + rows[row].extent);
        strip.box.y = y(row), strip.box.h = cell_h;
        return strip;
    }
    bool seen(std::size_t row) const { return y(row) >= area.y - 1 && y(row) + cell_h <= area.bottom() + 1; }
    /// Each how manyth of a row's lines is drawn.
    std::size_t every(std::size_t row) const {
        constexpr std::size_t kMostEdges = 64;  // of a step, where cells have merged
        return pitch >= kMerged ? 1 : std::max<std::size_t>(1, (edges[row].size() + kMostEdges - 1) / kMostEdges);
    }
};

void place_rows(Net& n) {
    constexpr float kLeastRow = 26, kMostRow = 116;
    const float count = std::max<std::size_t>(2, n.rows.size());
    const float fitting = std::min(n.area.h / (count - 0.54f), (n.area.h - 18) / (count - 1));
    n.row_pitch = std::clamp(fitting, n.pitch >= 2 * kSliver ? kLegibleRow : kLeastRow, kMostRow);
    n.cell_h = std::clamp(0.46f * n.row_pitch, n.pitch >= kSliver ? 18.0f : 14.0f, 38.0f);
    n.radius = std::min({0.3f * n.pitch, 0.16f * n.row_pitch, 11.0f});
    const float content = (count - 1) * n.row_pitch + n.cell_h;
    n.cut = content > n.area.h + 1 && n.area.h >= 2 * kLegibleRow;
    if (n.cut) n.area.h -= kLeftOutRow;
    n.top = n.area.y + std::max(0.0f, (n.area.h - content) / 2);
    if (content <= n.area.h || !n.at.has_step()) return;
    const auto centre = [&](std::size_t position) {  // of the rows that the step at a position leads to
        std::size_t row = 0;
        while (row + 1 < n.rows.size() && n.rows[row].steps.end < position) ++row;
        return std::clamp(row * n.row_pitch - n.area.h / 2, 0.0f, content - n.area.h);
    };
    const float p = eased(n.at.progress);
    n.top -= std::round(centre(n.at.step()) * (1 - p) + centre(n.at.position) * p);
}

Rect cell_rect(const Net& n, std::size_t row, Box box, Look look, bool written) {
    const float presence = n.presence(row);
    const Ink ink[] = {{kIdle, 0.5f * presence},
                       {kPanel},
                       {n.rows[row].steps.steps() == 0 ? kRaised : kPanel},
                       {kWritten, presence},
                       {kSegment, presence}};
    const float line[] = {0, 1, n.pitch < kMerged ? 0.8f : 1.2f, 0, 0};
    const bool padding = look == Look::kPadding;
    Rect r{box, ink[int(look)], padding ? kHatched : kSolid, padding ? 0 : std::min(6.0f, 0.2f * box.w)};
    static constexpr Word kWords[] = {Word::kUnused, Word::kNone, Word::kNone, Word::kWrittenThen, Word::kFinished};
    r.id = word_id(kWords[int(look)]);
    r.outline = {kLine, presence};
    r.outline_width = line[int(look)];
    r.dashed = look == Look::kEmpty && n.pitch >= kSliver;
    if (look >= Look::kKept && n.when(row) == kPresent && n.shown(row) && written && n.pitch >= kMerged)
        r.outline = {kText}, r.outline_width = std::min(3.0f, 0.12f * box.w);
    return r;
}

/// The size at which all values of a row fit into its cells, or the least one and how many characters have room then;
/// 0: too few.
std::pair<float, std::size_t> value_size(const Net& n, const NetworkRow& row) {
    constexpr std::size_t kLeastCharacters = 4;
    std::size_t longest = 1;
    bool digits = true;
    for (std::uint32_t i = row.first; i < row.first + row.extent; ++i) {
        const std::string text = n.s.memory.text(row.array, i, row.state);
        longest = std::max(longest, text.size());
        digits = digits && text.find_first_not_of("0123456789") == std::string::npos;
    }
    const float room = n.pitch - n.columns.gap - (n.pitch > 30 ? 0.04f * n.pitch : 0);
    const float digit = n.pen.width("0", kMonoBold, 100) / 100, most = std::min(22.0f, 0.68f * n.cell_h);
    const float size = std::floor(std::min(most, room / (digit * longest)));
    if (size >= (digits ? kIndex : kLeast)) return {size, longest};
    const std::size_t characters = std::max(0.0f, room / (digit * kLeast));
    return {most >= kLeast && characters >= kLeastCharacters ? kLeast : 0, characters};
}

void draw_cell(const Net& n, std::size_t row, Box box, replay::Place p, Look look, bool written,
               std::pair<float, std::size_t> writing) {
    const NetworkRow& r = n.rows[row];
    const bool finished = look == Look::kFinished;
    Rect rect = cell_rect(n, row, box, look, written);
    rect.id = cell_id(r.state, p.array, p.index);
    n.pen.add(rect);
    if (finished && box.w >= 9) {  // its mark: a corner cut off
        const float side = std::clamp(0.2f * box.w, 4.0f, 9.0f), left = box.right() - side, low = box.y + side;
        draw_corner(n.pen, box, side, {kPanel});
        n.pen.add(Triangle{{left, box.y}, {left, low}, {box.right(), low}, {kText}});
    }
    const auto [size, characters] = writing;
    const std::string text = short_value(n.s.memory.text(p.array, p.index, r.state), characters);
    if (size == 0 || look < Look::kKept || text.empty()) return;
    const Role role = finished                 ? kOnSegment
                      : look == Look::kWritten ? kOnWritten
                      : r.steps.steps() == 0   ? kText
                                               : kTextDim;
    const Face face = look == Look::kKept ? kMono : kMonoBold;
    n.pen.put(box.centre(), text, {face, size, {role}}, kCentre, rect.id);
}

/// Columns of cells as shares: from below the finished ones, above them what else was written.
void draw_columns(const Net& n, std::size_t row, const std::vector<Look>& looks) {
    const Strip strip = n.cells(row);
    const std::size_t group = std::ceil(4 / n.pitch);
    std::vector<ShareColumn> columns((looks.size() + group - 1) / group);
    for (std::size_t i = 0; i < looks.size(); ++i) {
        ShareColumn& column = columns[i / group];
        column.all += 1, column.first += looks[i] == Look::kFinished, column.second += looks[i] == Look::kWritten;
    }
    n.pen.frame(strip.box, {kLine, n.presence(row)}, 1);
    draw_shares(n.pen, strip, group, columns, n.presence(row), {Word::kFinished, kSegment},
                {Word::kWrittenThen, kWritten});
}

void draw_cells(const Net& n, std::size_t row) {
    if (!n.seen(row)) return;
    const NetworkRow& r = n.rows[row];
    std::vector<bool> written(r.extent);
    for (const Flow& flow : n.s.flows->of(r.steps))
        if (flow.written && r.holds(*flow.written)) written[flow.written->index - r.first] = true;
    std::vector<Look> looks(r.extent);
    for (std::uint32_t i = 0; i < r.extent; ++i) {
        const replay::Place p{r.array, r.first + i};
        looks[i] = n.network.padding(p)                                  ? Look::kPadding
                   : !n.s.memory.cell(p.array, p.index, r.state).defined ? Look::kEmpty
                   : n.shown(row) && n.network.finished(p, r.state)      ? Look::kFinished
                   : written[i]                                          ? Look::kWritten
                                                                         : Look::kKept;
    }
    if (n.pitch < kShares) return draw_columns(n, row, looks);
    const auto writing = n.pitch >= kSliver && n.shown(row) ? value_size(n, r) : std::pair<float, std::size_t>{};
    const Strip strip = n.cells(row);
    const auto alike = [&](std::size_t i, std::size_t j) { return strip.merged() && looks[i] == looks[j]; };
    each_run(0, looks.size(), alike, [&](std::size_t i, std::size_t end) {
        Box box = strip.cells(i, end);
        const replay::Place place{r.array, r.first + std::uint32_t(i)};
        if (!strip.merged()) return draw_cell(n, row, box, place, looks[i], written[i], writing);
        // Finished ones reach to the top, others do not.
        const bool finished = looks[i] == Look::kFinished, now = looks[i] == Look::kWritten;
        cut_top(box, finished ? 0 : now ? 0.35f * n.cell_h : 4);
        Rect rect = cell_rect(n, row, box, looks[i], false);
        rect.radius = 0;
        n.pen.add(rect);
    });
}

/// From the operand's cell to the node, or where nothing is added to the cell. An add's operands are bright; a value
/// that goes to another column unchanged is blue, one that stays thin.
Curve edge_of(const Net& n, std::size_t row, const NetworkEdge& edge) {
    const bool adds = edge.flow->combine, stays = n.network.column(edge.from) == n.network.column(*edge.flow->written);
    const bool dense = n.pitch < 2 * kSliver, copies = !adds && !stays;
    const float end = n.y(row) - (adds ? 2 * n.radius + 1 : 0), thin = adds ? 1.0f : stays ? 0.6f : 0.9f;
    Curve curve = edge_curve({n.x(edge.from), n.y(edge.from_row) + n.cell_h}, {n.x(*edge.flow->written), end},
                             {kTextFaint, dense ? 0.35f : 0.55f}, 1.2f * thin, 1,
                             adds ? edge_id(edge.flow->row, edge.flow->step) : Id{0});
    if (n.when(row) == kPresent) {
        curve.ink = {adds ? kActive : stays ? kTextDim : kWritten};
        curve.width = (dense ? 1.5f : 2.6f) * thin;
        curve.drawn = std::clamp(n.at.progress / 0.55f, 0.0f, 1.0f);
    } else if (n.when(row) == kPast) {
        curve.ink = copies ? Ink{kWritten, 0.8f} : Ink{kTextDim, dense ? 0.4f : 0.7f};
        curve.width = 1.5f * thin;
    }
    if (edge.from_row == row)  // made by one of the steps that this row shows as one
        curve.from.y = n.y(row), curve.control_a.y = curve.control_b.y = end - 4;
    return curve;
}

/// The nodes of adds, and what clears a cell: a value that comes from nowhere into one that had a value.
void draw_marks(const Net& n, std::size_t row) {
    if (!n.seen(row) || n.y(row) - 2 * n.radius - 2 < n.area.y || n.pitch < kMerged) return;
    const When when = n.when(row);
    for (const Flow& flow : n.s.flows->of(n.rows[row].steps)) {
        if (!flow.written || !n.rows[row].holds(*flow.written)) continue;
        const bool adds = flow.combine, past = when == kPast;
        const auto& [array, index] = *flow.written;
        if (adds ? n.radius < 1.5f || (when == kPresent && n.at.progress < 0.3f) : past && n.radius < 4) continue;
        if (!adds && (!flow.sources.empty() || !n.s.memory.cell(array, index, flow.step).defined)) continue;
        const float r = adds ? n.radius : std::max(3.0f, n.radius), size = adds ? std::max(kLeast, 1.7f * r) : kLeast;
        const float opacity = when == kFuture ? kFaint : adds && when == kPast ? 0.75f : 1;
        const Vec at{n.x(*flow.written), n.y(row) - r - (adds ? 1 : 3)};
        if (adds) n.pen.disc(at, r, {kActive, opacity}, edge_id(flow.row, flow.step));
        if (!adds) n.pen.fill({at.x - r, at.y - r, 2 * r, 2 * r}, {kText, opacity}, 2);
        const std::string text = adds           ? std::string(value::sign(n.s.trace.launch.op))
                                 : n.shown(row) ? n.s.trace.text(flow.row)
                                                : "";
        if (adds ? r >= 6 && n.pen.width(text, kMonoBold, size) <= 1.7f * r : r >= 7 && text.size() == 1)
            n.pen.put(at, text, {kMonoBold, size, {adds ? kOnActive : kPanel, opacity}}, kCentre);
    }
}

/// All that a hovered cell is made of.
void draw_traced(const Net& n) {
    const Target& hover = n.hover;
    if (hover.kind != Target::Kind::kCell || n.pitch < kMerged) return;
    std::set<std::pair<std::size_t, std::uint32_t>> open;  // (row, index) of cells
    for (std::size_t row = 0; row < n.rows.size(); ++row)
        if (n.rows[row].state == hover.state && n.rows[row].holds({hover.array, hover.index}))
            open.insert({row, hover.index});
    while (!open.empty()) {
        const auto [row, index] = *open.rbegin();
        open.erase(std::prev(open.end()));
        const replay::Place place{n.rows[row].array, index};
        bool made = std::ranges::any_of(n.s.flows->of(n.rows[row].steps),
                                        [&](const Flow& flow) { return flow.written == place; });
        for (const NetworkEdge& edge : n.edges[row]) {
            if (edge.flow->written->index != index) continue;
            made = true;
            Curve curve = edge_of(n, row, edge);
            curve.ink = {kText, n.when(row) == kFuture ? 0.55f : 1.0f}, curve.width = 3.4f, curve.drawn = 1;
            n.pen.add(curve);
            if (edge.from_row < row) open.insert({edge.from_row, edge.from.index});
        }
        std::size_t above = row;
        while (!made && above > 0 && !n.rows[above - 1].holds(place)) --above;
        if (!made && above > 0) open.insert({above - 1, index});
    }
}

void draw_label(const Net& n, std::size_t row) {
    constexpr float kTwoLines = 60;
    const NetworkRow& r = n.rows[row];
    const float middle = n.y(row) + n.cell_h / 2, x = n.box.x + kPad;
    const bool again = row > 0 && n.rows[row - 1].steps == r.steps;  // a second array of the same step
    const bool named = r.steps.steps() > 0 && !again, two = n.row_pitch >= kTwoLines && named;
    const float half = two ? 19 : 9;
    if (middle - half < n.area.y - 4 || middle + half > n.area.bottom() + 6) return;
    const std::string& array = n.s.trace.arrays[r.array].name;
    const Ink ink{name_role(n.when(row))};
    if (!named) return static_cast<void>(n.pen.line({x, middle}, array, {kMono, kSmall, ink}, n.label));
    const std::size_t adds = std::ranges::count(n.s.flows->of(r.steps), true, &Flow::combine);
    const bool buffer = n.network.doubled && r.array == n.network.work;
    const bool same = r.steps.steps() == 1 && step_name(n.s, r.steps.first) == array;
    const std::string detail = buffer     ? (r.spare ? "into 2nd half" : "into 1st half")
                               : adds > 0 ? counted(adds, "add")
                               : same     ? ""
                                          : array;
    const About about(n.pen, word_of(n.s.trace.steps[r.steps.first]));
    n.pen.line({x, two ? middle - 9 : middle}, row_name(n.s, r.steps), {kSansBold, kSmall, ink}, n.label);
    if (two) n.pen.line({x, middle + 10}, detail, {kMono, kLeast, {detail_role(n.when(row))}}, n.label);
    draw_fold_mark(n.pen, n.s, n.at.open, r.steps, {n.box.x, middle - 20, kPad + n.label, 40}, ink);
}

void draw_picture(const Net& n) {
    n.pen.add(ClipBegin{{n.box.x, n.area.y - 4, n.box.w, n.area.h + 12}});
    for (std::size_t row = 0; row < n.rows.size(); ++row) {  // the present step, and the second half of a double buffer
        const bool future = n.when(row) == kFuture;
        const Box own = n.columns.part(n.network.lead, n.network.columns).box;
        const float y = n.y(row);
        const Box half{own.x - 7, y - 5, own.w + 14, n.cell_h + 10};
        if (n.rows[row].spare)
            n.pen.framed(half, {kRaised, future ? 0.4f : 1.0f}, {kIdle, future ? kFaint : 1.0f}, 1.2f, 9);
        const float top = row == 0 ? y - 4 : y - n.row_pitch + n.cell_h + 3;
        if (n.when(row) == kPresent)
            n.pen.fill({n.box.x + 8, top, n.box.w - 16, y + n.cell_h + 8 - top}, kPresentBand, 12);
    }
    std::size_t told = 0;
    while (told < n.rows.size() && (n.rows[told].steps.steps() == 0 || !n.at.hides(n.rows[told].steps.end - 1))) ++told;
    for (std::size_t row = 0; row < told; ++row) {
        if (n.y(row) < n.area.y - 2 || n.y(row) - n.row_pitch > n.area.bottom()) continue;
        std::size_t flows = 0;
        const Flow* last = nullptr;
        for (const NetworkEdge& edge : n.edges[row]) {
            if (std::exchange(last, edge.flow) != edge.flow) ++flows;
            if ((flows - 1) % n.every(row) == 0) n.pen.add(edge_of(n, row, edge));
        }
    }
    draw_traced(n);
    for (std::size_t row = 0; row < told; ++row) {
        draw_marks(n, row);
        draw_cells(n, row);
        draw_label(n, row);
    }
    n.pen.add(ClipEnd{});
    std::size_t above = 0, below = 0;
    for (std::size_t row = 0; n.cut && row < told; ++row) {
        above += n.y(row) + n.cell_h / 2 < n.area.y;
        below += n.y(row) + n.cell_h / 2 > n.area.bottom();
    }
    draw_left_out(n.pen, {n.box.x + kPad, n.area.bottom() + 8, n.box.w - 2 * kPad, kLeftOutRow}, above, below, "row");
}

constexpr LegendItem kLegend[] = {{Word::kFinished, kSegment},
                                  {Word::kWrittenThen, kWritten},
                                  {Word::kAdd, kActive},
                                  {Word::kUnused, kIdle, kHatched}};

/// "Inclusive scan: result i is x0 + … + xi", or which part of it this is; and how much of it is done.
void draw_head(const Net& n, Box row) {
    const Subject& s = n.s;
    const std::string count =
        fmt::format("{} of {} finished", grouped(n.network.finished(n.state())), grouped(n.network.results));
    const float used = n.pen.line({row.right(), row.y + 12}, count, {kMonoBold, kSmall, {kText}}, row.w / 2, kRight);
    const trace::Launch& launch = s.trace.launch;
    std::string text = network_place(n.network);
    if (text.empty())
        text = fmt::format("{0}: result i is x0 {1} … {1} x{2}", capitalised(std::string(value::name(launch.problem))),
                           value::sign(launch.op), launch.problem == value::Problem::kExclusiveScan ? "(i − 1)" : "i");
    n.pen.line({row.x, row.y + 12}, text, chosen_style(kEntry, true), row.w - used - 20);
}

}  // namespace

std::string network_place(const Network& network) {
    const Subject& s = *network.subject;
    const std::size_t launches = s.run().launches.size();
    const trace::Launch& launch = s.trace.launch;
    const auto& steps = s.trace.steps;
    if (launches == 1 && launch.grid == 1) return "";
    const bool adds = steps.size() == 1 && steps[0].phase == trace::Phase::kAdd;
    const bool scans = !adds && std::ranges::any_of(steps, [](const trace::Step& step) { return is_tree_step(step); });
    const bool input = std::ranges::count(s.trace.arrays, trace::Role::kInput, &trace::Array::role) > 0;
    const bool known = kernels::find(launch.kernel) != nullptr;  // else what it is for is not
    const std::string_view does = !known            ? std::string_view(launch.function)
                                  : !scans          ? "adds the sum of all sections before"
                                  : input           ? launch.grid > 1 ? "scans its own section" : "scans the input"
                                  : launch.grid > 1 ? "scans its section of the sums"
                                                    : "scans the sums of the blocks";
    const std::string where = launches > 1 ? fmt::format("launch {} of {}", s.launch + 1, launches) : "";
    return capitalised(where + (launches > 1 && launch.grid > 1 ? ", " : "") + block_remark(s).text) + ": " +
           std::string(does);
}

Scene network_view(const Network& network, Playhead at, Box box, const Measure& measure, const Target& hover) {
    constexpr float kRuler = 20, kHead = 34;
    constexpr std::string_view kNone =
        "This view shows how a scan's prefixes come about; the run is a reduction, and the tree shows how it adds.";
    return on_panel(box, measure, [&](Pen& pen) {
        if (!network.subject->trace.launch.scans()) return instead_of_view(pen, box, kNone, Offered::kScan);
        Net n{{*network.subject, at, pen, hover}, network, box};
        if (n.rows.empty()) return;
        bool unused = false;
        for (std::uint32_t i = 0; i < std::min(network.columns, n.s.trace.arrays[network.work].extent); ++i)
            unused = unused || network.padding({network.work, i});
        std::size_t every = 1;
        for (std::size_t row = 0; row < n.rows.size(); ++row) every = std::max(every, n.every(row));
        const std::string columns =
            n.pitch < kShares ? fmt::format("One column is {} cells. ", std::ceil(4 / n.pitch)) : "";
        const std::string help =
            n.pitch >= kMerged
                ? "Columns are cells, rows are steps; lines lead from the cells that an add read to the one it wrote."
                : columns + "Lines lead from cells that were read to those that were written" +
                      (every == 1 ? "." : fmt::format("; in the fullest row every {}th is drawn.", every));
        const auto numbers = [&](Box row) {
            const Strip strip = n.columns.part(network.lead, network.columns);
            draw_numbers(pen, strip, row.y + 8, {0, strip.count}, network.columns, 0,
                         {box.x + kPad, row.y, box.w - kPad - 6, 0});
        };
        const auto draw = [&](Box row) {
            n.area.y = row.y, n.area.h = row.h - 10;
            place_rows(n);
            draw_picture(n);
        };
        stack_panel(pen, box, 0,
                    {{kHead, 2, [&](Box row) { draw_head(n, row); }},
                     {kRuler, 1, numbers, kClose},
                     {2 * kLegibleRow + 28, 0, draw, kClose, kRest, kLegibleRow}},
                    n.inside, std::span(kLegend).first(unused && !network.doubled ? 4 : 3), help);
    });
}

}  // namespace warptree::scene
