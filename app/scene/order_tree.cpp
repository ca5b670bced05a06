// A grouping as a picture: operands from left to right, below them a line for each pair that met, in the round in
// which it met. Where operands are narrower than a few units, lines that would lie on one another are drawn once.
#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "app/scene/order_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using Join = kernels::Combination::Join;

constexpr float kWidestPitch = 60, kTextPitch = 20, kSieve = 4, kCrowded = 2;

float pitch_in(float width, const OrderOf& of) {
    return std::min(kWidestPitch, width / static_cast<float>(std::max<std::size_t>(1, of.combination.operands.size())));
}

class Picture {
public:
    Picture(const OrderContext& c, const OrderOf& of, Box box)
        : c_(c), of_(of), rounds_(rounds_of(c, of)), own_(&of == &c.orders.own) {
        count_ = static_cast<float>(of.combination.operands.size());
        pitch_ = pitch_in(box.w, of);
        left_ = box.x + (box.w - pitch_ * count_) / 2;
        const bool headed = numbered() || pitch_ < kSieve;
        cells_ = {box.x, box.y + (headed ? 18.0f : 2.0f), box.w, numbered() ? 30.0f : 16.0f};
        top_ = cells_.bottom();
        levels_ = of.parallelism.steps() + (of.afterwards() > 0 ? 1 : 0);
        fall_ = std::max(1.0f, box.bottom() - 8 - top_) / static_cast<float>(std::max<std::size_t>(1, levels_));
    }

    void draw() {
        const bool thin = pitch_ < kSieve && !of_.thinned.empty();
        const std::size_t count = thin ? of_.thinned.size() : of_.combination.joins.size();
        for (const int pass : {0, 1, 2}) {  // future, done, present: the brightest on top
            seen_.clear();
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t place = thin ? of_.thinned[i] : i;
                const Join& join = of_.combination.joins[place];
                if (pass_of(join) == pass) line(join.parts, place_of(place), pass, join.launch, join.row);
            }
            const bool over = own_ ? c_.finished() : rounds_.done >= of_.parallelism.steps();
            if (of_.afterwards() > 0 && pass == (over ? 1 : 0))
                line(of_.combination.roots, below(of_.combination.roots, levels_ - 1), pass, of_.combination.launch,
                     of_.combination.row);
        }
        if (pitch_ < kSieve) return dense_cells();
        for (std::size_t place = 0; place < of_.combination.operands.size(); ++place) cell(place);
    }

private:
    bool numbered() const { return pitch_ >= kTextPitch; }

    std::size_t level(const Join& join) const {
        const auto& steps = of_.parallelism.step;
        return static_cast<std::size_t>(std::ranges::lower_bound(steps, join.step) - steps.begin());
    }
    /// 0: to come, 1: done, 2: being done
    int pass_of(const Join& join) const {
        const std::size_t at = level(join);
        if (at >= rounds_.done) return 0;
        return rounds_.moving && at + 1 == rounds_.done ? 2 : 1;
    }

    /// Where a part hangs from: an operand's cell, or the line of what it was made in.
    Vec point(std::int32_t part) const {
        if (part < 0) return place_of(static_cast<std::size_t>(~part));
        return {left_ + (static_cast<float>(part) + 0.5f) * pitch_, top_};
    }
    Vec place_of(std::size_t join) const {
        return {left_ + of_.centres[join] * pitch_,
                top_ + fall_ * static_cast<float>(level(of_.combination.joins[join]) + 1)};
    }
    Vec below(const std::vector<std::int32_t>& parts, std::size_t level) const {
        return {(point(parts.front()).x + point(parts.back()).x) / 2, top_ + fall_ * static_cast<float>(level + 1)};
    }

    /// Whether a stroke is the first at its place.
    bool first(float x, float y, int kind) {
        if (pitch_ >= kCrowded) return true;
        const auto cell = [](float v) { return static_cast<std::uint64_t>(std::max(0.0f, v) / kSieve); };
        return seen_.insert(cell(x) << 34 | cell(y) << 4 | static_cast<std::uint64_t>(kind)).second;
    }

    void line(const std::vector<std::int32_t>& parts, Vec at, int pass, std::uint32_t launch, std::uint32_t row) {
        const float thin = pitch_ < kSieve ? 1.0f : 1.2f;  // equally wide on every screen
        const float width = pass == 0 ? thin : pass == 1 ? 2.0f : 3.0f;
        const Ink ink = pass == 0 ? Ink{Role::kTextFaint, 0.7f} : Ink{Role::kActive};
        const float p = pass == 2 ? eased(rounds_.progress) : 1;
        const float down = std::min(1.0f, 2 * p), across = std::max(0.0f, 2 * p - 1);
        const Subject& s = *c_.orders.subject;
        const bool on_show = own_ && launch == s.launch && s.trace.block[row] == s.block;
        const Id id = on_show ? edge_id(row) : 0;
        const auto stroke = [&](Box box) { c_.pen.fill(box, ink, 0, id); };
        for (const std::int32_t part : parts) {
            const Vec from = point(part);
            if (at.y > from.y && first(from.x, from.y, 1))
                stroke({from.x - width / 2, from.y, width, (at.y - from.y) * down});
        }
        if (across <= 0 || !first(at.x, at.y, 2)) return;
        const float left = point(parts.front()).x, right = point(parts.back()).x, half = (right - left) / 2 * across;
        if (across >= 1) {
            stroke({left - width / 2, at.y - width / 2, right - left + width, width});
        } else {
            stroke({left - width / 2, at.y - width / 2, half + width / 2, width});
            stroke({right - half, at.y - width / 2, half + width / 2, width});
        }
        if (pass > 0 && pitch_ >= 9 && across >= 1) c_.pen.disc({at.x, at.y}, pass == 2 ? 5.0f : 3.5f, ink);
    }

    /// Cells too narrow to be told apart: a bar, filled from below by the share of operands that changed places.
    void dense_cells() {
        const float width = pitch_ * count_;
        name_bar();
        c_.pen.fill({left_, cells_.y, width, cells_.h}, {Role::kTextFaint, 0.45f});
        const auto group = static_cast<std::size_t>(std::ceil(kSieve / pitch_));
        const auto& operands = of_.combination.operands;
        for (std::size_t begin = 0; begin < operands.size(); begin += group) {
            const std::size_t end = std::min(operands.size(), begin + group);
            const std::uint32_t moved = of_.moved_before[end] - of_.moved_before[begin];
            if (moved == 0) continue;
            const float h = cells_.h * static_cast<float>(moved) / static_cast<float>(end - begin);
            c_.pen.fill({left_ + static_cast<float>(begin) * pitch_, cells_.bottom() - h,
                         static_cast<float>(end - begin) * pitch_, h},
                        {mark()});
        }
    }
    /// Above the bar, what fills it.
    void name_bar() {
        const std::string of = grouped(of_.combination.operands.size()) + " operands";
        const std::size_t moved = of_.moved_before.back();
        const Vec at{cells_.x, cells_.y - 11};
        if (moved == 0) return static_cast<void>(c_.pen.line(at, of + ", each in its place", kFine, cells_.w));
        c_.pen.fill({at.x, at.y - 6, 12, 12}, {mark()}, 2);
        const std::string count = fmt::format("{} of {} changed places", grouped(moved), of);
        c_.pen.either(
            {at.x + 20, at.y},
            {count + "; filled: their share at each spot", count + "; filled: their share", count, "changed places"},
            kFine, cells_.w - 20);
    }
    Role mark() const { return c_.minds ? Role::kWrong : Role::kAccent; }

    void cell(std::size_t place) {
        const std::uint32_t element = of_.combination.operands[place];
        const bool moved = element != place;
        const float x = left_ + (static_cast<float>(place) + 0.5f) * pitch_;
        const Role mark = this->mark();
        const float width = pitch_ >= 6 ? std::min(44.0f, pitch_ - std::min(5.0f, pitch_ / 4)) : pitch_ - 1;
        const Box box{x - width / 2, cells_.y, width, cells_.h};
        const bool fine = width >= 8;
        const Role ground = fine ? Role::kRaised : moved ? mark : Role::kTextFaint;
        const float outline = !fine ? 0.0f : moved ? 2.4f : 1.0f;
        c_.pen.framed(box, {ground}, {moved ? mark : Role::kLine}, outline, fine ? 4.0f : 0.0f,
                      cell_id(0, input(), element));
        if (!numbered()) return;
        if (moved) draw_corner(c_.pen, box, 10, {mark});
        // The value with its index above; a value that finds no room, a matrix say, leaves the cell to its name.
        const std::string& value = c_.orders.operands[element];
        const Fitted fitted = fit(c_.pen.measure(), value, Face::kMonoBold, 16, kLeast, width - 4);
        const bool shown = fitted.text == value && !value.empty();
        const Face face = moved ? Face::kMonoBold : Face::kMono;
        if (!shown) {
            c_.pen.line(box.centre(), fmt::format("x{}", element), {face, 16, {Role::kText}}, width - 4,
                        Align::kCentre);
            return;
        }
        c_.pen.line({x, box.y - 10}, fmt::format("{}", element), {face, kIndex, {moved ? Role::kText : Role::kTextDim}},
                    pitch_, Align::kCentre);
        c_.pen.put(box.centre(), value, {Face::kMonoBold, fitted.size, {Role::kText}}, Align::kCentre);
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
    std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

OperandGrain operand_grain(const OrderOf& of, float width) {
    const float pitch = pitch_in(width, of);
    return pitch >= kTextPitch ? OperandGrain::kNamed : pitch >= kSieve ? OperandGrain::kCells : OperandGrain::kBar;
}

Rounds rounds_of(const OrderContext& c, const OrderOf& of) {
    const std::vector<std::uint32_t>& own = c.orders.own.parallelism.step;
    const std::size_t all = of.parallelism.steps(), position = c.orders.subject->first_step + c.at.position;
    const auto done = static_cast<std::size_t>(std::ranges::lower_bound(own, position) - own.begin());
    const bool moving = c.at.has_step() && done > 0 && done <= all && own[done - 1] + 1 == position;
    return {std::min(done, all), moving, moving ? c.at.progress : 1};
}

void draw_combination(const OrderContext& c, const OrderOf& of, Box box) {
    if (of.combination.operands.empty() || box.w <= 0) return;
    Picture(c, of, box).draw();
}

}  // namespace warptree::scene
