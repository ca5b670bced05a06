// Curves in a box: where values stand, ticks with their names, lines, and the lines' names at their ends; and texts
// beside points.
#pragma once

#include "app/kit/kit.hpp"

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

/// A line of a chart, and its name right of its end.
struct ChartLine {
    struct Point {
        double x = 0, y = 0;
        bool open = false;   // a ring instead of a disc
        bool apart = false;  // no line leads to it
        Id id = 0;
    };
    std::string name;
    Ink ink;
    float width = 1, dot = 0;           // dot: radius of its points; 0: they have no mark
    bool dashed = false, kept = false;  // kept: its name, where not all have room
    std::vector<Point> points{};
    Style style = kFine;  // of the name
    Role leader = kLine;
    Id id = 0;
    Command command{};  // of a click on a point or on the name
};

class Chart {
public:
    /// area  of the curves; values' names stand left of it and below
    Chart(Pen& pen, Box area, Scale across, Scale up) : pen_(pen), area_(area), across_(across), up_(up) {}
    /// All of a box below a heading; beside the curves there is room for the names of lines.
    Chart(Pen& pen, Box box, float heading, const std::vector<ChartLine>&, Scale across, Scale up);
    float x(double value) const { return area_.x + area_.w * across_.share(value); }
    float y(double value) const { return area_.bottom() - area_.h * up_.share(value); }
    Vec at(double x_value, double y_value) const { return {x(x_value), y(y_value)}; }
    Box area() const { return area_; }
    const Scale& up() const { return up_; }
    const Scale& across() const { return across_; }

    /// Lines across at the ticks of the scale, each with its value at the left.
    void ticks() const;
    /// Neighbouring points as lines.
    void line(const std::vector<Vec>& points, Ink, float width, bool dashed = false) const;
    void draw(const ChartLine&) const;
    /// The lines' names up to `right`, each at the height of its line's end, pushed apart; where not all have room, of
    /// two that stand closest one is left out.
    void draw_names(const std::vector<ChartLine>&, float right) const;

private:
    Pen& pen_;
    Box area_;
    Scale across_, up_;
};

/// Texts beside points: within a box, clear of the points, of a line through some of them and of one another.
struct Labels {
    Box room;
    std::vector<Vec> points, line;
    std::vector<Box> taken{};
    bool is_free(Box) const;
    /// Takes the box of a size nearest to a middle that is free and seems to be no other point's.
    std::optional<Box> place(std::size_t point, Vec middle, Vec size);
};

}  // namespace warptree::scene
