// Rows, columns and camera of the tree view.
#include "app/views/tree/parts.hpp"

namespace warptree::scene {
namespace {

/// A value within bounds; what is no number is 0.
float within(float value, float low, float high) {
    return std::clamp(std::isfinite(value) ? value : 0.0f, low, high);
}

constexpr float kRuler = 22;         // the numbers above the cells
constexpr float kLeastStep = 68;     // units a step, so that its two labels fit
constexpr float kLeastLegible = 98;  // and so that the values in its cells do, where cells are wide enough
constexpr float kMostStep = 210;
constexpr float kWidestCell = 88;                      // at zoom 1
constexpr float kPairPitch = 30, kWidePairPitch = 48;  // from a cell that holds "@15" to one that holds "7@15"
constexpr float kLeastColumn = 4;

}  // namespace

TreeLayout::TreeLayout(const Subject& subject, const Camera& wanted, Box box_in, std::uint64_t open)
    : box(box_in),
      camera(wanted),
      windows_(subject.windows),
      pairs_(value::is_pair(trace::value_type(subject.trace.launch))) {
    const std::size_t digits = std::to_string(subject.trace.launch.block).size();
    std::size_t characters = std::max<std::size_t>(6, 2 * digits + 4);  // of the longest label, in the widest face used
    for (std::size_t step = 0; step < subject.steps(); ++step) {
        steps_with_.push_back(subject.steps_with(step, open));
        characters = std::max(characters, row_name(subject, steps_with_.back()).size());
    }
    for (const trace::Array& array : subject.trace.arrays) characters = std::max(characters, array.name.size());
    const float most = std::max(0.24f * box.w, std::min(0.38f * box.w, 100.0f));
    label_width = std::min(most, 0.61f * kSmall * std::min<std::size_t>(characters, 16));
    const float left = box.x + kPad + label_width + 20;
    const float top = box.y + title_height(box.h) + kRuler;
    area = {left, top, std::max(1.0f, box.right() - kPad - left), std::max(1.0f, box.bottom() - 10 - top)};
    list_rows(subject);
    place_lanes(subject);
    place_columns();
    place_all_rows();
    const std::uint32_t warp_size = subject.trace.launch.warp_size;
    for (std::uint32_t i = 0; i < home.size() && camera.zoom > 1.01f; ++i) {
        if (lane_x(i) < area.x || lane_x(i) > area.right()) continue;
        if (warp.value_or(i / warp_size) != i / warp_size) {
            warp.reset();
            break;
        }
        warp = i / warp_size;
    }
}

void TreeLayout::list_rows(const Subject& subject) {
    std::optional<std::uint8_t> last;  // the array of the last row of cells
    const auto add = [&](std::uint32_t state, std::uint8_t array) {
        const Window window = windows_[array];
        if (window.end == 0) return;
        rows.push_back({true, state, array, window.first, window.end - window.first, last != array});
        last = array;
        columns = std::max(columns, rows.back().extent);
    };
    const auto note = [](std::vector<std::uint8_t>& list, std::uint8_t array) {
        if (std::ranges::find(list, array) == list.end()) list.push_back(array);
    };
    for (std::uint32_t step = 0, end = 0; step < steps_with_.size(); step = end) {
        end = steps_with_[step].end;
        // The arrays read must stand right above the lanes, the arrays written right below.
        std::vector<std::uint8_t> reads, writes, above;
        for (const Flow& flow : subject.flows->of(steps_with_[step])) {
            for (const Source& source : flow.sources)
                if (source.in_cell && source.step == flow.step) note(reads, source.cell.array);
            if (flow.written) note(writes, flow.written->array);
        }
        for (std::size_t i = rows.size(); i-- > 0 && rows[i].cells;) above.push_back(rows[i].array);
        for (const std::uint8_t array : reads)
            if (std::ranges::find(above, array) == above.end()) add(step, array);
        for (std::uint8_t a = 0; a < windows_.size() && rows.empty(); ++a)
            if (subject.trace.arrays[a].role == trace::Role::kInput) add(step, a);
        lanes_at_.insert(lanes_at_.end(), end - step, rows.size());
        rows.push_back({.cells = false, .state = end - 1});
        for (const std::uint8_t array : writes) add(end, array);
    }
}

void TreeLayout::place_lanes(const Subject& subject) {
    const std::uint32_t threads = subject.trace.launch.block;
    home.assign(threads, -1.0f);
    for (const Flow& flow : subject.flows->all()) {
        float& at = home[flow.thread];
        if (at < 0 && flow.written && subject.trace.steps[flow.step].phase != trace::Phase::kOutput)
            at = flow.written->index - windows_[flow.written->array].first + 0.5f;
    }
    // A thread that never writes stands where its neighbours' spacing would put it.
    const float step = threads > 1 && home[0] >= 0 && home[1] >= 0 ? home[1] - home[0] : 1.0f;
    bool ordered = home[0] >= 0;
    for (std::uint32_t i = 1; i < threads && ordered; ++i) {
        if (home[i] < 0) home[i] = home[i - 1] + step;
        ordered = home[i] > home[i - 1] && home[i] < columns;
    }
    for (std::uint32_t i = 0; i < threads && !ordered; ++i)  // no cell is a thread's own: spread the lanes evenly
        home[i] = (i + 0.5f) * columns / threads;
}

void TreeLayout::place_columns() {
    const float fitting = std::min(kWidestCell, area.w / columns);
    camera.zoom = within(camera.zoom, 1.0f, std::max(1.0f, kWidestCell / fitting));
    pitch = fitting * camera.zoom;
    const float width = columns * pitch;
    camera.pan.x = within(camera.pan.x, std::min(0.0f, area.w - width), 0.0f);
    left_ = area.x + std::max(0.0f, (area.w - width) / 2) + camera.pan.x;
    float nearest = columns;
    for (std::size_t i = 1; i < home.size(); ++i) nearest = std::min(nearest, home[i] - home[i - 1]);
    lane_pitch = nearest * pitch;
    grain = pitch >= kSliver ? Grain::kCells : pitch >= kShares ? Grain::kSlivers : Grain::kColumns;
    if (grain == Grain::kColumns)
        while (group * pitch < kLeastColumn) group *= 2;
}

/// Rows that have no room leave a line for what says so.
void TreeLayout::place_all_rows() {
    const float pan = camera.pan.y;
    place_rows();
    if (camera.zoom > 1.01f || content_height <= area.h + 1) return;
    area.h = std::max(1.0f, area.h - kLeftOutRow);
    camera.pan.y = pan;
    place_rows();
    for (const TreeRow& row : rows) rows_above += row.middle()<area.y, rows_below += row.middle()> area.bottom();
}

void TreeLayout::place_rows() {
    // A step is a gap, a row of lanes, a gap and a row of cells.
    // The gap above the lanes, where operands cross, is the wider one.
    const auto share = [this](std::size_t i) {  // of a step, between the middles of rows i - 1 and i
        if (!rows[i].cells) return 0.57f;
        return rows[i - 1].cells ? 0.5f : 0.43f;
    };
    float units = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) units += share(i);
    const float least = pitch >= 24 ? kLeastLegible : kLeastStep;
    const float at_rest = std::clamp((area.h - 54) / std::max(1.0f, units), least, kMostStep);
    const float step = std::min(at_rest * camera.zoom, std::max(at_rest, kMostStep));
    const bool tall = pairs_ && pitch >= kPairPitch && pitch < kWidePairPitch;  // cells of two lines
    const float most_cell = (tall ? 0.36f : 0.28f) * step, high = (tall ? 1.4f : 1.2f) * (pitch - cell_gap());
    const float cell_h = std::clamp(std::min(most_cell, std::max(high, 0.24f * step)), 15.0f, 46.0f);
    const float lane_h = std::clamp(0.31f * step, 22.0f, 44.0f);
    float middle = cell_h / 2 + 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) middle += share(i) * step;
        rows[i].h = rows[i].cells ? cell_h : lane_h;
        rows[i].y = middle - rows[i].h / 2;
    }
    content_height = rows.empty() ? 0 : rows.back().bottom() + 4;
    if (!rows.empty() && !rows.back().cells) content_height = std::max(content_height, middle + kBelowLabels);
    camera.pan.y = within(camera.pan.y, std::min(0.0f, area.h - content_height), 0.0f);
    const float spare = std::max(0.0f, area.h - content_height);  // a short tree stands in the middle
    for (TreeRow& row : rows) row.y += area.y + camera.pan.y + spare / 2;
}

float TreeLayout::title_height(float box_height) {
    constexpr float kLow = 320, kLowTitle = 49;  // a low box needs its height for rows
    return box_height < kLow ? kLowTitle : kTitleHeight;
}

const TreeRow* TreeLayout::cells_above(std::size_t row, replay::Place place) const {
    for (std::size_t i = row; i-- > 0;)
        if (rows[i].cells && rows[i].array == place.array) return &rows[i];
    return nullptr;
}

const TreeRow* TreeLayout::cells_below(std::size_t row, replay::Place place) const {
    for (std::size_t i = row + 1; i < rows.size() && rows[i].cells; ++i)
        if (rows[i].array == place.array) return &rows[i];
    return nullptr;
}

const TreeRow* TreeLayout::lanes_of(std::size_t step) const {
    return step < lanes_at_.size() ? &rows[lanes_at_[step]] : nullptr;
}

float TreeLayout::step_top(std::size_t step) const {
    const TreeRow* lanes = lanes_of(step);
    if (lanes == rows.data()) return lanes->y;
    return lanes[-1].cells ? lanes[-1].y : (lanes[-1].bottom() + lanes->y) / 2 + 8;
}

float TreeLayout::step_bottom(std::size_t step) const {
    const TreeRow* lanes = lanes_of(step);
    if (lanes == &rows.back()) return lanes->bottom();
    return lanes[1].cells ? lanes[1].bottom() : (lanes->bottom() + lanes[1].y) / 2 - 8;
}

Shown TreeLayout::seen(std::uint32_t extent) const {
    const auto column = [&](float at) { return std::min<std::uint32_t>(extent, std::max(0.0f, at)); };
    return {column(std::floor((area.x - left_) / pitch)), column(std::ceil((area.right() - left_) / pitch))};
}

Camera tree_camera(const Subject& subject, Playhead at, const Camera& wanted, Box box, bool follow) {
    const TreeLayout layout(subject, wanted, box, at.open);
    if (!follow) return layout.camera;
    // Bring the present step to the middle; while it is animated, travel there from the step before.
    const auto pan_at = [&](std::size_t position) {
        if (position == 0) return 0.0f;
        const float middle = (layout.step_top(position - 1) + layout.step_bottom(position - 1)) / 2;
        const float pan = layout.camera.pan.y + layout.area.centre().y - middle;
        return std::clamp(pan, std::min(0.0f, layout.area.h - layout.content_height), 0.0f);
    };
    Camera camera = layout.camera;
    camera.pan.y = pan_at(at.position);
    if (at.has_step() && at.progress < 1) {
        const float p = eased(at.progress);
        camera.pan.y = pan_at(layout.steps_with(at.step()).first) * (1 - p) + camera.pan.y * p;
    }
    return camera;
}

Camera tree_zoom(const Subject& subject, Playhead at, const Camera& from, Box box, Vec point, float factor) {
    const TreeLayout before(subject, from, box, at.open);
    const float column = (point.x - before.column_x(0)) / before.pitch;
    const float row = (point.y - before.area.y - before.camera.pan.y) / std::max(1.0f, before.content_height);
    Camera wanted = before.camera;
    wanted.zoom *= factor;
    const TreeLayout scale(subject, wanted, box, at.open);
    wanted.zoom = scale.camera.zoom;
    wanted.pan = {point.x - before.area.x - column * scale.pitch, point.y - before.area.y - row * scale.content_height};
    return TreeLayout(subject, wanted, box, at.open).camera;
}

Camera tree_warp(const Subject& subject, Playhead at, Box box, std::uint32_t warp) {
    constexpr float kLegible = 24;  // units a cell
    const TreeLayout whole(subject, {}, box, at.open);
    const trace::Launch& launch = subject.trace.launch;
    const std::uint32_t first = warp * launch.warp_size, last = std::min(first + launch.warp_size, launch.block) - 1;
    const float half = 0.5f * whole.lane_pitch / whole.pitch, left = whole.home[first] - half;
    const float across = whole.home[last] + half - left;
    Camera wanted{.zoom = std::max(whole.area.w / (across * whole.pitch), kLegible / whole.pitch), .pan = {}};
    wanted.zoom = TreeLayout(subject, wanted, box, at.open).camera.zoom;
    wanted.pan.x = -left * whole.pitch * wanted.zoom;
    return TreeLayout(subject, wanted, box, at.open).camera;
}

}  // namespace warptree::scene
