// The links between devices: their use over time, and what they are together, a circle or trees.
#include <cmath>
#include <map>

#include "app/kit/timeline.hpp"
#include "app/views/devices/parts.hpp"

namespace warptree::scene {
namespace {

constexpr float kLinksHead = 28, kLegibleRow = 13;

/// Where devices stand in a box, how large what they hold can be drawn, and which of their links is drawn.
struct Shape {
    std::vector<Vec> at;  // (devices,) middles
    Vec bar{0, 0};        // of what a device holds: width and height; of discs, which say less, the width is 0
    float radius = 0;     // of discs
    float reach(Vec along) const {  // from a middle to its edge
        if (bar.x <= 0) return radius;
        const float length = std::hypot(along.x, along.y), x = std::abs(along.x) / length,
                    y = std::abs(along.y) / length;
        return std::min(x > 0 ? bar.x / 2 / x : 1e6f, y > 0 ? bar.y / 2 / y : 1e6f);
    }
};

constexpr Vec kWhole{84, 18};  // a bar in which numbers are legible, for a few devices

/// apart  between neighbours: how far, and whether bars of that width find room there
void choose_size(Shape& shape, float apart, float bar) {
    if (bar >= 50)
        shape.bar = {std::min(kWhole.x, bar), kWhole.y};
    else
        shape.radius = std::clamp(0.36f * apart, 2.0f, 10.0f);
}

Shape circle(Box box, std::uint32_t devices) {
    Shape shape;
    const float radius_x = box.w / 2 - kWhole.x / 2, radius_y = box.h / 2 - kWhole.y / 2 - 2;
    shape.at = in_circle(box.centre(), radius_x, radius_y, devices);
    float apart = 1e6f, bar = kWhole.x;
    for (std::uint32_t a = 0; a < devices; ++a) {
        const Vec one = shape.at[a], other = shape.at[(a + 1) % devices];
        const float x = std::abs(one.x - other.x), y = std::abs(one.y - other.y);
        apart = std::min(apart, std::hypot(x, y));
        if (y < kWhole.y + 12) bar = std::min(bar, x - 16);
    }
    choose_size(shape, apart, bar);
    return shape;
}

/// A level a row, from the root down; below their parent children stand side by side, as wide as what hangs on them.
Shape tree_shape(Box box, const DeviceTree& tree) {
    const std::size_t devices = tree.parent.size();
    std::vector<std::vector<std::uint32_t>> children(devices);
    std::uint32_t root = 0;
    for (std::uint32_t device = 0; device < devices; ++device)
        tree.parent[device] == device ? void(root = device) : children[tree.parent[device]].push_back(device);
    Shape shape;
    shape.at.resize(devices);
    std::vector<std::uint32_t> order;  // from left to right
    float column = 0;
    std::size_t levels = 1;
    const auto place = [&](const auto& self, std::uint32_t device, std::size_t level) -> void {
        levels = std::max(levels, level + 1);
        const auto& below = children[device];
        const std::size_t half = (below.size() + 1) / 2;  // its own column lies between them
        for (std::size_t i = 0; i < half; ++i) self(self, below[i], level + 1);
        shape.at[device] = {column++, static_cast<float>(level)};
        order.push_back(device);
        for (std::size_t i = half; i < below.size(); ++i) self(self, below[i], level + 1);
    };
    place(place, root, 0);
    std::map<float, float> last;  // of each level, the column used last
    float apart = 1e6f;
    for (const std::uint32_t device : order) {
        const Vec at = shape.at[device];
        if (const auto [before, first] = last.try_emplace(at.y, at.x); !first)
            apart = std::min(apart, at.x - std::exchange(before->second, at.x));
    }
    const float x = box.w / devices, y = box.h / levels;
    for (Vec& at : shape.at) at = {box.x + (at.x + 0.5f) * x, box.y + (at.y + 0.5f) * y};
    choose_size(shape, std::min(apart * x, y), y >= kWhole.y + 12 ? apart * x - 12 : 0.0f);
    return shape;
}

using Ends = std::pair<std::uint32_t, std::uint32_t>;
/// Links by who sent to whom: those of the round on show strong, those of rounds before faint. Of a tree its own alone.
void draw_shape(const DeviceContext& c, const Shape& shape, const DeviceTree* tree) {
    std::map<Ends, bool> links;  // and whether they are in use
    const auto of_tree = [&](const counters::Message& one) {
        return tree == nullptr || tree->parent[one.from] == one.to || tree->parent[one.to] == one.from;
    };
    for (std::size_t round = 0; round <= std::min(c.s.launch, c.rounds - 1); ++round)
        for (const counters::Message& one : c.messages(round))
            if (of_tree(one) && c.draws(one)) links[{one.from, one.to}] = c.present(round);
    for (std::uint32_t device = 0; tree != nullptr && device < c.all.devices; ++device)
        draw_segment(c.pen, shape.at[device], shape.at[tree->parent[device]], {kLine}, 1);
    for (const bool present : {false, true})
        for (const auto& [ends, now] : links) {
            if (now != present) continue;
            const Vec a = shape.at[ends.first], b = shape.at[ends.second], along{b.x - a.x, b.y - a.y};
            draw_arrow_between(c.pen, a, b, shape.reach(along), {now ? kActive : kTextFaint}, now ? 2.4f : 1.4f,
                               std::min(6.0f, 0.2f * std::hypot(along.x, along.y)));
        }
    for (std::uint32_t device = 0; device < c.all.devices; ++device) {
        const Vec at = shape.at[device];
        const std::string name = std::to_string(device);
        const About about(c.pen, Word::kADevice);
        if (shape.bar.x <= 0) {
            const auto& held = c.all.held[c.done][device];
            const unsigned most = tree != nullptr ? piece_at(held, tree->element).count()
                                                  : std::ranges::max(held, {}, &Piece::count).count();
            const bool all = tree != nullptr ? most == c.all.devices : c.all.finished(c.done, device) == c.all.part,
                       some = most > 1;
            c.pen.ring(at, shape.radius, {all ? kSegment : some ? kWritten : kPanel}, {kText}, 1.2f);
            if (shape.radius >= 8)
                c.pen.put(at, name, {kMonoBold, kLeast, {all ? kOnSegment : some ? kOnWritten : kText}}, kCentre);
            continue;
        }
        const Box bar{at.x - shape.bar.x / 2, at.y - shape.bar.y / 2, shape.bar.x, shape.bar.y};
        c.pen.fill(bar, {kPanel}, 3);
        draw_pieces(c, {bar.x + 16, bar.y, bar.w - 16, bar.h}, c.done, device);
        c.pen.put({bar.x + 7, at.y}, name, {kMonoBold, kLeast, {kText}}, kCentre);
    }
}

}  // namespace

void draw_device_shape(const DeviceContext& c, Box box) {
    const Box title = cut_top(box, kLinksHead);
    const char* what = c.all.trees.size() == 1   ? "a tree"
                       : c.all.trees.size() == 2 ? "two trees, each for its elements"
                                                 : "";
    const float used = c.pen.line({title.x, title.y + 12}, "The links", kTopic, title.w);
    c.pen.either({title.right(), title.y + 12}, {c.few ? what : c.whose(), c.all.trees.size() == 2 ? "two trees" : ""},
                 kFine, title.w - used - 12, kRight);
    if (c.all.trees.empty()) return draw_shape(c, circle(box, c.all.devices), nullptr);
    for (std::size_t i = 0; i < c.all.trees.size(); ++i) {
        const Box part = cut_left(box, box.w / (c.all.trees.size() - i));
        draw_shape(c, tree_shape(part.inset(2), c.all.trees[i]), &c.all.trees[i]);
    }
}

void draw_links_over_time(const DeviceContext& c, Box box, const Target& hover) {
    const About about(c.pen, Word::kLinkTime);
    const Box title = cut_top(box, kLinksHead);
    const float used = c.pen.line({title.x, title.y + 12}, "Each device's way out, over time", kTopic, title.w);
    if (c.done > 0)
        c.pen.either({title.right(), title.y + 12},
                     {fmt::format("{} of their time in use so far", brief_percent(c.all.links_use(c.done))),
                      brief_percent(c.all.links_use(c.done)) + " in use"},
                     kFine, title.w - used - 16, kRight);
    cut_bottom(box, 6);
    const float row = std::min(30.0f, box.h / c.all.devices);
    const Box names = cut_left(box, 68);
    const auto every = static_cast<std::uint32_t>(std::ceil(kLegibleRow / row));
    box.h = row * c.all.devices;
    std::uint64_t time = 0;
    for (const Sent& round : c.all.sent) time += round.most;
    constexpr float kApart = 4, kLeastBand = 10;
    const float room = box.w - kLeastBand * c.rounds;
    std::vector<Band> bands;
    float x = box.x;
    for (std::size_t round = 0; round < c.rounds; ++round) {
        const float share = time == 0 ? 0.0f : float(1.0 * c.all.sent[round].most / time);
        const float w = kLeastBand + std::max(0.0f, room) * share;
        bands.push_back({{static_cast<std::uint32_t>(c.s.run().first_step(round)),
                          static_cast<std::uint32_t>(c.s.run().first_step(round + 1))},
                         {x, box.y, w - kApart, box.h}});
        x += w;
    }
    draw_timeline(c.pen, bands, {c.s.first_step + c.at.position, c.at.progress}, hover, false);
    for (std::uint32_t device = 0; device < c.all.devices; device += every)
        c.pen.line({names.x, box.y + (device + 0.5f) * row}, fmt::format("from {}", device), kFine, names.w);
    const float air = std::min(3.0f, 0.2f * row);
    for (std::size_t round = 0; round < c.rounds; ++round) {
        const Box& band = bands[round].box;
        const Sent now = sent(c.messages(round), c.all.devices);
        for (std::uint32_t device = 0; device < c.all.devices; ++device)
            if (now.by[device] > 0)
                c.pen.fill({band.x, band.y + device * row + air,
                            std::max(2.0f, band.w * now.by[device] / c.all.sent[round].most), row - 2 * air},
                           {kActive, c.present(round) ? 1.0f : 0.7f}, std::min(3.0f, row / 4), bands[round].id());
    }
}

}  // namespace warptree::scene
