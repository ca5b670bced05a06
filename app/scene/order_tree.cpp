// A grouping as a picture: operands from left to right, below them a line for each pair that met, in the round in
// which it met. Where operands are narrower than a few units, lines that would lie on one another are drawn once.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "app/scene/order_parts.hpp"

namespace warptree::scene {
namespace {

using replay::Grouping;

constexpr float kWidestPitch = 60, kTextPitch = 20, kSieve = 4;

class Picture {
public:
    Picture(const OrderContext& c, const OrderOf& of, Box box)
        : c_(c), of_(of), rounds_(rounds_of(c, of)), own_(&of == &c.orders.own) {
        count_ = static_cast<float>(of.grouping.order.size());
        pitch_ = std::min(kWidestPitch, box.w / count_);
        left_ = box.x + (box.w - pitch_ * count_) / 2;
        cells_ = {box.x, box.y + (numbered() ? 18.0f : 2.0f), box.w, numbered() ? 30.0f : 16.0f};
        top_ = cells_.bottom();
        levels_ = of.levels.size() + (of.figures.afterwards > 0 ? 1 : 0);
        fall_ = std::max(1.0f, box.bottom() - 8 - top_) / static_cast<float>(std::max<std::size_t>(1, levels_));
    }

    void draw() {
        place();
        for (const int pass : {0, 1, 2}) {  // future, done, present: the brightest on top
            seen_.clear();
            for (std::size_t i = 0; i < of_.grouping.nodes.size(); ++i) line(i, pass);
        }
        for (std::size_t place = 0; place < of_.grouping.order.size(); ++place) cell(place);
    }

private:
    struct Point {
        float x = 0, y = 0;
    };
    bool numbered() const { return pitch_ >= kTextPitch; }

    std::size_t level(const Grouping::Node& node) const {
        if (node.meet != Grouping::Meet::kCombine) return of_.levels.size();
        return static_cast<std::size_t>(std::ranges::lower_bound(of_.levels, node.step) - of_.levels.begin());
    }
    /// 0: to come, 1: done, 2: being done
    int pass_of(const Grouping::Node& node) const {
        if (node.meet != Grouping::Meet::kCombine) {
            const bool over = own_ ? c_.finished() && c_.at.progress >= 1 : rounds_.done >= of_.levels.size();
            return over ? 1 : 0;
        }
        const std::size_t at = level(node);
        if (at >= rounds_.done) return 0;
        return rounds_.moving && at + 1 == rounds_.done ? 2 : 1;
    }

    void place() {
        for (const Grouping::Node& node : of_.grouping.nodes) {
            if (node.meet == Grouping::Meet::kElement) {
                at_.push_back({left_ + (static_cast<float>(node.first) + 0.5f) * pitch_, top_});
            } else {
                const Point a = at_[static_cast<std::size_t>(node.left)], b = at_[static_cast<std::size_t>(node.right)];
                at_.push_back({(a.x + b.x) / 2, top_ + fall_ * static_cast<float>(level(node) + 1)});
            }
        }
    }

    /// Whether a stroke is the first at its place.
    bool first(float x, float y, int kind) {
        if (pitch_ >= kSieve) return true;
        const auto cell = [](float v) { return static_cast<std::uint64_t>(std::max(0.0f, v) / kSieve); };
        return seen_.insert(cell(x) << 34 | cell(y) << 4 | static_cast<std::uint64_t>(kind)).second;
    }

    void line(std::size_t i, int pass) {
        const Grouping::Node& node = of_.grouping.nodes[i];
        if (node.meet == Grouping::Meet::kElement || pass_of(node) != pass) return;
        const Point a = at_[static_cast<std::size_t>(node.left)], b = at_[static_cast<std::size_t>(node.right)];
        const float y = at_[i].y, width = pass == 0 ? 1.2f : pass == 1 ? 2.0f : 3.0f;
        const Ink ink = pass == 0 ? Ink{Role::kTextFaint, 0.7f} : Ink{Role::kActive};
        const float eased = pass == 2 ? rounds_.progress * rounds_.progress * (3 - 2 * rounds_.progress) : 1;
        const float down = std::min(1.0f, 2 * eased), across = std::max(0.0f, 2 * eased - 1);
        const Id id = own_ ? pack({Target::Kind::kEdge, 0, 0, node.row}) : 0;
        const auto stroke = [&](Box box) { c_.pen.add(Rect{.box = box, .ink = ink, .outline = {}, .id = id}); };
        int kind = 0;
        for (const Point& from : {a, b}) {
            if (first(from.x, from.y, ++kind) && y > from.y)
                stroke({from.x - width / 2, from.y, width, (y - from.y) * down});
        }
        if (across <= 0 || !first(at_[i].x, y, 3)) return;
        const float half = (b.x - a.x) / 2 * across, middle = at_[i].x;
        if (across >= 1) {
            stroke({a.x - width / 2, y - width / 2, b.x - a.x + width, width});
        } else {
            stroke({a.x - width / 2, y - width / 2, half + width / 2, width});
            stroke({b.x - half, y - width / 2, half + width / 2, width});
        }
        if (pass > 0 && pitch_ >= 9 && across >= 1)
            c_.pen.add(Disc{.centre = {middle, y}, .radius = pass == 2 ? 5.0f : 3.5f, .ink = ink, .outline = {}});
    }

    void cell(std::size_t place) {
        const std::uint32_t element = of_.grouping.order[place];
        const bool moved = !of_.grouping.in_place(place);
        const float x = left_ + (static_cast<float>(place) + 0.5f) * pitch_;
        if (!moved && !first(x, cells_.y, 4)) return;
        if (moved && !first(x, cells_.y, 5)) return;
        const Role mark = c_.minds ? Role::kWrong : Role::kAccent;
        const float width = pitch_ >= 6 ? std::min(44.0f, pitch_ - std::min(5.0f, pitch_ / 4)) : std::max(1.5f, pitch_);
        const Box box{x - width / 2, cells_.y, width, cells_.h};
        const bool fine = width >= 8;
        c_.pen.add(Rect{.box = box,
                        .ink = {moved && !fine ? mark
                                : fine         ? Role::kRaised
                                               : Role::kTextFaint},
                        .radius = fine ? 4.0f : 0.0f,
                        .outline = {moved ? mark : Role::kLine},
                        .outline_width = !fine   ? 0.0f
                                         : moved ? 2.4f
                                                 : 1.0f,
                        .id = own_ ? pack({Target::Kind::kCell, 0, input(), element}) : 0});
        if (!numbered()) return;
        if (moved) {
            const Vec corner{box.right(), box.y};
            c_.pen.add(Triangle{{corner.x - 10, corner.y}, corner, {corner.x, corner.y + 10}, {mark}});
        }
        c_.pen.line({x, box.y - 10}, fmt::format("{}", element),
                    {moved ? Face::kMonoBold : Face::kMono, kIndex, {moved ? Role::kText : Role::kTextDim}}, pitch_,
                    Align::kCentre);
        const Fitted value = fit(c_.pen.measure(), c_.orders.operands[element], Face::kMonoBold, 16, kLeast, width - 4);
        if (value.text != c_.orders.operands[element] || value.text.empty()) return;
        c_.pen.add(Text{box.centre(), value.text, Face::kMonoBold, value.size, Align::kCentre, {Role::kText}});
    }

    std::uint8_t input() const {
        const auto& arrays = c_.orders.subject->trace.arrays;
        const auto found = std::ranges::find(arrays, trace::Role::kInput, &trace::Array::role);
        return static_cast<std::uint8_t>(found - arrays.begin());
    }

    const OrderContext& c_;
    const OrderOf& of_;
    Rounds rounds_;
    bool own_;
    float count_ = 0, pitch_ = 1, left_ = 0, top_ = 0, fall_ = 1;
    std::size_t levels_ = 0;
    Box cells_{};
    std::vector<Point> at_;  // (nodes,)
    std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

Rounds rounds_of(const OrderContext& c, const OrderOf& of) {
    const std::vector<std::uint32_t>& own = c.orders.own.levels;
    const auto done = static_cast<std::size_t>(std::ranges::lower_bound(own, c.at.position) - own.begin());
    const bool moving = c.at.has_step() && done > 0 && own[done - 1] == c.at.step();
    return {std::min(done, of.levels.size()), moving && done <= of.levels.size(), moving ? c.at.progress : 1};
}

void draw_grouping(const OrderContext& c, const OrderOf& of, Box box) {
    if (of.grouping.empty() || box.w <= 0) return;
    Picture(c, of, box).draw();
}

int draw_expression(const OrderContext& c, const OrderOf& of, Vec top, float width, int most, bool draw) {
    constexpr float kSize = 17;
    bool names = c.minds;
    for (const std::string& each : c.orders.operands) names |= each.size() > 4;
    const Rounds rounds = rounds_of(c, of);
    const auto ink_of = [&](const Piece& piece) -> Style {
        if (piece.node == Grouping::kNone) return {Face::kMono, kSize, {Role::kTextDim}};
        const Grouping::Node& node = of.grouping.nodes[static_cast<std::size_t>(piece.node)];
        if (piece.operand) {
            const bool moved = !of.grouping.in_place(node.first);
            if (moved && c.minds) return {Face::kMonoBold, kSize, {Role::kWrong}};
            return {Face::kMono, kSize, {Role::kText}};
        }
        const bool met = node.meet == Grouping::Meet::kCombine
                             ? rounds.done > 0 && node.step <= of.levels[rounds.done - 1]
                             : rounds.done >= of.levels.size() && c.finished();
        return {met ? Face::kMonoBold : Face::kMono, kSize, {met ? Role::kText : Role::kTextFaint}};
    };
    // Pieces into lines; neighbours that look alike become one text.
    struct Run {
        std::string text;
        Style style;
        float x;
    };
    std::vector<std::vector<Run>> lines(1);
    const auto limit = static_cast<std::size_t>(most) * static_cast<std::size_t>(width / 9);
    float x = 0;
    for (const Piece& piece : pieces(c.orders, of, names, limit)) {
        const Style style = ink_of(piece);
        const float w = c.pen.width(piece.text, style.face, kSize);
        if (x + w > width) {
            if (static_cast<int>(lines.size()) >= most) return draw ? most : most + 1;
            lines.emplace_back();
            x = 0;
        }
        auto& line = lines.back();
        if (line.empty() || line.back().style.face != style.face || !(line.back().style.ink == style.ink)) {
            line.push_back({"", style, x});
        }
        line.back().text += piece.text;
        x += w;
    }
    if (!draw) return static_cast<int>(lines.size());
    for (const auto& line : lines) {
        for (const Run& run : line)
            c.pen.add(Text{{top.x + run.x, top.y}, run.text, run.style.face, kSize, Align::kLeft, run.style.ink});
        top.y += kOrderLine;
    }
    return static_cast<int>(lines.size());
}

}  // namespace warptree::scene
