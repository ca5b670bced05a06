// Rows of cells: what an array held after a step, the cells of that step's results bright.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kWidestDigit = 24;

struct Span {
    std::uint32_t begin, end;  // indices of cells that can be seen
};

Span seen(const TreeLayout& l, const TreeRow& row) {
    const std::uint32_t begin = std::min(l.first_column(), row.extent), end = std::min(l.end_column(), row.extent);
    return {row.first + begin, row.first + std::max(begin, end)};
}

/// How the values of a row are written: at which size, and with how many characters at most; size 0 where none fit.
struct Writing {
    float size = 0;
    std::size_t characters = 0;  // 0: as they are
    // Of pairs of a value and its place, "7@3", where they find no room in one line: the place below, or not at all
    bool apart = false, placed = false;
};

constexpr float kPlace = 13;  // size of "@3" below its value
// How far a value and its place reach above and below their middles, as shares of their sizes.
constexpr float kValueUp = 0.37f, kValueDown = 0.56f, kPlaceUp = 0.42f, kPlaceDown = 0.45f;
constexpr float kMargin = 4.5f;  // above and below both: a bright cell's outline takes 1.5 of it

/// "7" and "@3" of "7@3".
std::pair<std::string, std::string> parts(const std::string& text) {
    const std::size_t at = std::min(text.find('@'), text.size());
    return {text.substr(0, at), text.substr(at)};
}

/// What a cell held; of one that atomics of several blocks change, in an order that the rows do not say, what this
/// block has added: "+60".
std::string cell_text(const Subject& s, const TreeRow& row, std::uint32_t index) {
    const std::string text = s.memory.text(row.array, index, row.state);
    if (!s.is_shared(s.memory.cell(row.array, index, row.state))) return text;
    const std::string_view sign = value::sign(s.trace.launch.op);
    return std::string(sign) + (sign.size() > 1 ? " " : "") + text;
}

Writing writing(const TreeContext& c, const TreeRow& row, Span span) {
    const float room = c.layout.pitch - c.layout.cell_gap() - std::min(5.0f, 0.1f * c.layout.pitch);
    const float most = std::min(kWidestDigit, 0.58f * row.h);
    const float digit = c.pen.width("0", Face::kMonoBold, 100) / 100;
    if (room < digit * kLeast || most < kLeast) return {};
    const auto size_of = [&](std::size_t characters, float largest) {
        return std::floor(std::min(largest, room / (digit * characters)));
    };
    std::size_t longest = 1, value_length = 1,
                place_length = 0;  // of the cells' texts, and if they are pairs, of their parts
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
        const std::string text = cell_text(c.subject, row, i);
        const auto [value, place] = parts(text);
        longest = std::max(longest, text.size());
        value_length = std::max(value_length, value.size());
        place_length = std::max(place_length, place.size());
    }
    if (const float size = size_of(longest, most); size >= kLeast) return {size};
    const std::size_t fitting = room / (digit * kLeast);
    Writing shorter{kLeast, fitting};
    if (place_length > 0) {
        shorter.apart = true;
        // Two lines where the row is high enough.
        const float largest = (row.h - 2 * kMargin - (kPlaceUp + kPlaceDown) * kPlace) / (kValueUp + kValueDown);
        shorter.placed = largest >= kLeast && digit * kPlace * place_length <= room;
        const float size = size_of(value_length, shorter.placed ? std::min(most, largest) : most);
        if (size >= kLeast) return {size, 0, true, shorter.placed};
    }
    return fitting < 4 ? Writing{} : shorter;
}

std::string value_text(const Subject& s, const TreeRow& row, std::uint32_t index, const Writing& w) {
    std::string text = cell_text(s, row, index);
    double value = s.memory.value(row.array, index, row.state);
    if (w.apart) {
        text = parts(text).first;
        value = std::strtod(text.c_str(), nullptr);
    }
    if (w.characters == 0 || text.size() <= w.characters) return text;
    return std::isfinite(value) ? short_number(value, w.characters) : std::string();  // no part of a matrix
}

/// A cell's value, in one line or two.
void put_value(const TreeContext& c, const TreeRow& row, std::uint32_t index, const Writing& w, Face face, Ink ink,
               Id id) {
    const Vec centre = cell_box(c.layout, row, index).centre();
    const std::string value = value_text(c.subject, row, index, w);
    if (value.empty()) return;
    if (!w.placed) {
        c.put({centre, value, face, w.size, Align::kCentre, ink, id});
        return;
    }
    const float high = (kValueUp + kValueDown) * w.size + (kPlaceUp + kPlaceDown) * kPlace;
    const float first = centre.y - high / 2 + kValueUp * w.size, second = centre.y + high / 2 - kPlaceDown * kPlace;
    const std::string place = parts(c.subject.memory.text(row.array, index, row.state)).second;
    if (c.put({{centre.x, first}, value, face, w.size, Align::kCentre, ink, id}))
        c.put({{centre.x, second}, place, Face::kMono, kPlace, Align::kCentre, ink, id});
}

/// A cell that its step wrote.
void draw_result(const TreeContext& c, const TreeRow& row, std::uint32_t index, const Writing& w) {
    const Box box = cell_box(c.layout, row, index);
    const std::size_t step = row.state - 1;
    const When when = c.when(step);
    const float radius = std::min(6.0f, 0.2f * box.w), filled = c.clock(step).cells;
    const Id id = cell_id(row.state, row.array, index);
    const float opacity = when == When::kFuture ? kFaint : when == When::kPast ? 1 : kFaint + (1 - kFaint) * filled;
    const bool bright = when == When::kPresent && filled > 0.5f && box.w > 5;
    c.pen.framed(box, {Role::kWritten, opacity}, {Role::kText}, bright ? std::min(3.0f, 0.12f * box.w) : 0, radius, id);
    if (when == When::kFuture || w.size == 0 || (when == When::kPresent && filled < 0.5f)) return;
    put_value(c, row, index, w, Face::kMonoBold, {Role::kOnWritten}, id);
}

/// A cell that kept its value, or never had one; padding of the input looks as if it had none, with the identity in it.
void draw_kept(const TreeContext& c, const TreeRow& row, std::uint32_t index, bool defined, const Writing& w) {
    const Box box = cell_box(c.layout, row, index);
    const bool padding = c.subject.is_padding(row.array, index), input = row.state == 0 && !padding;
    const Id id = cell_id(row.state, row.array, index);
    const float presence = row.state == 0 ? 1 : c.presence(row.state - 1);
    const Ink ground{input ? Role::kRaised : Role::kPanel};  // hides the edges that pass behind
    c.pen.framed(box, ground, {Role::kLine, presence}, 1.2f, std::min(6.0f, 0.2f * box.w), id, !defined || padding);
    if (!defined || w.size == 0 || presence < 0.6f) return;  // faint: the value is still to come
    put_value(c, row, index, w, Face::kMono, {input ? Role::kText : Role::kTextDim}, id);
}

/// A run of cells that kept their values, too narrow to be told apart.
void draw_kept_run(const TreeContext& c, const TreeRow& row, std::uint32_t begin, std::uint32_t end) {
    const Box first = cell_box(c.layout, row, begin), last = cell_box(c.layout, row, end - 1);
    const float presence = row.state == 0 ? 1 : c.presence(row.state - 1);
    const Box all{first.x, first.y, last.right() - first.x, first.h};
    row.state == 0 ? c.pen.framed(all, {Role::kRaised, presence}, {Role::kLine, presence}, 1, 2)
                   : c.pen.frame(all, {Role::kLine, presence}, 1, 2);
}

/// Cells of a row's array that the step before its state wrote, of some of them, in order.
std::vector<std::uint32_t> written_cells(const TreeContext& c, const TreeRow& row, Span of) {
    std::set<std::uint32_t> written;
    if (row.state == 0) return {};
    for (const Flow& flow : c.subject.flows->of(c.layout.steps_with(row.state - 1)))
        if (flow.written && flow.written->array == row.array) written.insert(flow.written->index);
    return {written.lower_bound(of.begin), written.lower_bound(of.end)};
}

/// A result's text in the room at the right of its cell.
struct Beside {
    std::string text;
    float x = 0, room = 0;
};

/// Results of a row whose cells are too narrow for values, beside the cell where there is room. A result among
/// neighbours is left alone: the value would seem to be that of all. Pairs are whole in all of them or in none.
void draw_beside(const TreeContext& c, const TreeRow& row, const std::vector<std::uint32_t>& results) {
    const TreeLayout& l = c.layout;
    if (row.state > c.at.position || row.state == 0 || c.clock(row.state - 1).cells < 0.5f) return;
    const float size = std::min(kSmall, row.h - 1);
    if (size < kLeast || !c.whole(row.middle(), size)) return;
    const auto width = [&](const std::string& text) { return c.pen.width(text, Face::kMonoBold, size); };
    std::vector<Beside> texts;
    bool whole = true;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const bool after = i > 0 && results[i] == results[i - 1] + 1;
        const bool before = i + 1 < results.size() && results[i] + 1 == results[i + 1];
        if (after || before) continue;
        const float x = cell_box(l, row, results[i]).right() + 5;
        const float end = i + 1 < results.size() ? cell_box(l, row, results[i + 1]).x : l.area.right();
        texts.push_back({cell_text(c.subject, row, results[i]), x, end - 5 - x});
        whole = whole && width(texts.back().text) <= texts.back().room;
    }
    for (Beside& beside : texts) {
        if (!whole) beside.text = parts(beside.text).first;
        const float w = width(beside.text), x = beside.x;
        if (w > beside.room || x < l.area.x) continue;
        c.pen.fill({x - 3, row.y + 1, w + 6, row.h - 2}, {Role::kPanel}, 3);
        c.pen.put({x, row.middle()}, beside.text, {Face::kMonoBold, size, {Role::kText}});
    }
}

}  // namespace

void draw_cells(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.layout;
    const Span span = seen(l, row);
    if (span.begin >= span.end) return;
    const Writing w = l.grain == Grain::kCells ? writing(c, row, span) : Writing{};
    const auto cells = c.subject.memory.array(row.array, row.state);
    constexpr float kMergeBelow = 7;  // units a cell
    const std::vector<std::uint32_t> results = written_cells(c, row, span);
    auto next = results.begin();
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
        if (next != results.end() && *next == i) {
            draw_result(c, row, i, w);
            ++next;
        } else if (l.pitch >= kMergeBelow) {
            draw_kept(c, row, i, cells[i].defined, w);
        } else {
            const std::uint32_t end = next == results.end() ? span.end : *next;
            draw_kept_run(c, row, i, end);
            i = end - 1;
        }
    }
    if (w.size == 0) draw_beside(c, row, results);
}

Box cell_box(const TreeLayout& l, const TreeRow& row, std::uint32_t index) {
    const float gap = l.cell_gap();
    return {l.column_x(index - row.first) + gap / 2, row.y, l.pitch - gap, row.h};
}

void draw_races(const TreeContext& c) {
    const TreeLayout& l = c.layout;
    if (l.grain == Grain::kColumns) return;
    for (const replay::Hazard& hazard : c.subject.hazards) {
        const std::uint32_t step = step_of(c.subject, hazard);
        if (c.when(step) == When::kFuture) continue;
        const TreeRow* lanes = l.lanes_of(step);
        const TreeRow* row = l.cells_above(static_cast<std::size_t>(lanes - l.rows.data()), hazard.cell);
        if (row == nullptr || !l.visible(*row)) continue;
        const Box box = cell_box(l, *row, hazard.cell.index).inset(-3);
        if (box.right() < l.area.x || box.x > l.area.right()) continue;
        c.pen.frame(box, {Role::kWrong}, std::min(4.0f, 0.3f * box.w), std::min(9.0f, 0.3f * box.w));
    }
}

void draw_cell_columns(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.layout;
    const Span span = seen(l, row);
    if (span.begin >= span.end) return;
    draw_kept_run(c, row, span.begin, span.end);
    if (row.state == 0) return;
    // Bars as high as the share of the column's cells that were written.
    const When when = c.when(row.state - 1);
    const float cells = c.clock(row.state - 1).cells;
    const float opacity = when == When::kPresent ? kFaint + (1 - kFaint) * cells : c.presence(row.state - 1);
    const std::vector<std::uint32_t> results = written_cells(c, row, {row.first, row.first + row.extent});
    std::vector<ShareColumn> columns((row.extent + l.group - 1) / l.group, {0, 0, l.group});
    for (const std::uint32_t index : results) ++columns[(index - row.first) / l.group].first;
    const auto x = [&](std::size_t column) { return l.column_x(std::min<std::size_t>(column * l.group, row.extent)); };
    draw_share_columns(c.pen, {l.area.x, row.y, l.area.w, row.h}, columns, x, {Role::kWritten, opacity});
    draw_beside(c, row, results);
}

}  // namespace warptree::scene
