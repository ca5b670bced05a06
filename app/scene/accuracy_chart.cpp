// Error over N, on log axes: a line a kernel, a dashed one a bound of theory, each named at its end.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/accuracy_view.hpp"
#include "app/scene/chart.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

class AccuracyChart {
public:
    AccuracyChart(Pen& pen, const AccuracyShown& shown, Box box)
        : pen_(pen), shown_(shown), box_(box), chart_(pen, area(), across(), up()) {}

    void draw() {
        pen_.line({box_.x, box_.y + 10},
                  fmt::format("{} over N, in roundings of every element: error / (u · sum of |x|)",
                              shown_.picture == AccuracyPicture::kRms ? "Root mean square error" : "Worst error"),
                  kTopic, box_.w);
        for (const double v : chart_.up().ticks(chart_.area().h))
            chart_.tick(v, v < 1000 ? fmt::format("{:g}", v) : grouped(static_cast<std::uint64_t>(v)));
        Ruler ruler(pen_, chart_.area().bottom() + 16, box_.x, 10);
        for (const std::uint64_t n : sizes()) ruler.put(chart_.x(static_cast<double>(n)), grouped(n));
        for (const AccuracyBound& bound : accuracy_bounds()) stroke(bound);
        for (const bool own : {false, true})  // which then lies over the others
            for (const std::string& kernel : shown_.table().wanted.kernels)
                if (own == is_own(kernel)) stroke(kernel);
        chart_.draw_names(box_.right());
    }

private:
    const std::vector<std::uint64_t>& sizes() const { return shown_.table().wanted.sizes; }
    Box area() const {
        float names = 0;
        for (const std::string& kernel : shown_.table().wanted.kernels)
            names = std::max(names, pen_.width(kernel, Face::kSansBold, kLeast));
        return {box_.x + 62, box_.y + 44, box_.w - 62 - Chart::kLeader - names - 8, box_.h - 44 - 30};
    }
    Scale across() const { return {static_cast<double>(sizes().front()), static_cast<double>(sizes().back()), true}; }
    Scale up() const {
        Scale scale{1, across().high, true};
        for (const AccuracyRow& row : shown_.table().rows)
            if (of(row) > 0) scale.take(of(row));
        return {std::max(scale.low * 0.7, scale.high * 1.4e-7), scale.high * 1.4, true};
    }

    double of(const AccuracyRow& row) const { return shown_.picture == AccuracyPicture::kRms ? row.rms : row.worst; }
    bool is_own(const std::string& kernel) const { return kernel == shown_.kernel(); }
    /// What is exact, which a log axis has no place for, stands on it.
    Vec at(double n, double v) const { return chart_.at(n, std::clamp(v, chart_.up().low, chart_.up().high)); }

    void stroke(const AccuracyBound& bound) {
        std::vector<Vec> points;
        for (const std::uint64_t n : sizes())
            points.push_back(at(static_cast<double>(n), bound.at(static_cast<double>(n))));
        chart_.line(points, {Role::kBook, 0.9f}, 1.6f, true);
        const auto at = static_cast<std::uint32_t>(&bound - accuracy_bounds().data());
        chart_.name({.text = std::string(bound.name),
                     .end = points.back(),
                     .style = {Face::kSans, kLeast, {Role::kBook}},
                     .id = pack({Target::Kind::kFigure, 0, kBoundFigure, at})});
    }

    void stroke(const std::string& kernel) {
        const bool own = is_own(kernel);
        const Ink ink = own ? Ink{Role::kActive} : Ink{Role::kText, 0.8f};
        std::vector<Vec> points;
        std::vector<bool> exact;
        for (const AccuracyRow& row : shown_.table().rows)
            if (row.kernel == kernel && row.seeds > 0) {
                points.push_back(at(static_cast<double>(row.n), of(row)));
                exact.push_back(of(row) == 0);
            }
        if (points.empty()) return;
        chart_.line(points, ink, own ? 3.5f : 1.8f);
        for (std::size_t i = 0; i < points.size(); ++i)
            pen_.ring(points[i], own ? 5.0f : 3.5f, exact[i] ? Ink{Role::kPanel} : ink, ink, exact[i] ? 1.5f : 0.0f);
        chart_.name({.text = kernel, .end = points.back(), .style = chosen_style(kFine, own), .kept = own});
    }

    Pen& pen_;
    const AccuracyShown& shown_;
    Box box_;
    Chart chart_;
};

}  // namespace

void draw_accuracy_chart(Pen& pen, const AccuracyShown& shown, Box box) {
    if (box.h >= kLeastPicture && box.w >= 320 && !shown.table().rows.empty()) AccuracyChart(pen, shown, box).draw();
}

}  // namespace warptree::scene
