// Curves in a box: where values stand, ticks with their names, lines, and the lines' names at their ends.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/kit.hpp"

namespace warptree::scene {

/// Values from low to high, of a log scale above 0.
struct Scale {
    double low = 0, high = 1;
    bool log = false;
    void take(double value) { low = std::min(low, value), high = std::max(high, value); }
    /// 0 at low, 1 at high.
    float share(double value) const;
    /// Round values within the scale: decades of a log scale that stand apart on a line of a length, else a dozen at
    /// most.
    std::vector<double> ticks(float length = 1e6f) const;
};

/// A value at an axis: "0.01", "10,000".
std::string tick_text(double value);

class Chart {
public:
    /// area  of the curves; values' names stand left of it and below
    Chart(Pen& pen, Box area, Scale across, Scale up) : pen_(pen), area_(area), across_(across), up_(up) {}
    float x(double value) const { return area_.x + area_.w * across_.share(value); }
    float y(double value) const { return area_.bottom() - area_.h * up_.share(value); }
    Vec at(double x_value, double y_value) const { return {x(x_value), y(y_value)}; }
    Box area() const { return area_; }
    const Scale& up() const { return up_; }
    const Scale& across() const { return across_; }

    /// A line across at a value, named at its left.
    void tick(double value, const std::string& text) const;
    /// Neighbouring points as lines.
    void line(const std::vector<Vec>& points, Ink, float width, bool dashed = false) const;

    /// A line's name, to stand right of its end.
    struct Name {
        std::string text;
        Vec end;
        Style style;
        Ink leader{Role::kLine};
        bool kept = false;  // where not all have room
        Id id = 0;
    };
    void name(Name name) { names_.push_back(std::move(name)); }
    /// The names up to `right`, each at the height of its line's end, pushed apart; where not all have room, of two
    /// that stand closest one is left out.
    void draw_names(float right);
    static constexpr float kLeader = 30;  // from the area to the names

private:
    Pen& pen_;
    Box area_;
    Scale across_, up_;
    std::vector<Name> names_;
};

}  // namespace warptree::scene
