// Error over N, on log axes: a line a kernel, a dashed one a bound of theory, each named at its end.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/accuracy_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLabelPitch = 18, kLeader = 30;

class AccuracyChart {
public:
    AccuracyChart(Pen& pen, const AccuracyShown& shown, Box box) : pen_(pen), shown_(shown), box_(box) {
        float names = 0;
        for (const std::string& kernel : shown.table().wanted.kernels)
            names = std::max(names, pen.width(kernel, Face::kSansBold, kLeast));
        area_ = {box.x + 62, box.y + 44, box.w - 62 - kLeader - names - 8, box.h - 44 - 30};
        const auto& sizes = shown.table().wanted.sizes;
        least_ = static_cast<double>(sizes.front()), most_ = static_cast<double>(sizes.back());
        high_ = most_, low_ = 1;
        for (const AccuracyRow& row : shown.table().rows)
            if (of(row) > 0) high_ = std::max(high_, of(row)), low_ = std::min(low_, of(row));
        low_ = std::max(low_ * 0.7, high_ * 1e-7);
        high_ *= 1.4;
    }

    void draw() {
        pen_.line({box_.x, box_.y + 10},
                  fmt::format("{} over N, in roundings of every element: error / (u · sum of |x|)",
                              shown_.picture == AccuracyPicture::kRms ? "Root mean square error" : "Worst error"),
                  kHeading, box_.w);
        axes();
        for (const AccuracyBound& bound : accuracy_bounds()) stroke(bound);
        for (const bool own : {false, true})  // which then lies over the others
            for (const std::string& kernel : shown_.table().wanted.kernels)
                if (own == is_own(kernel)) stroke(kernel);
        names();
    }

private:
    struct Name {
        std::string text;
        Vec end;
        Style style;
    };

    bool is_own(const std::string& kernel) const { return kernel == shown_.kernel(); }
    double of(const AccuracyRow& row) const { return shown_.picture == AccuracyPicture::kRms ? row.rms : row.worst; }
    float x(double n) const {
        return area_.x + area_.w * static_cast<float>(std::log2(n / least_) / std::log2(most_ / least_));
    }
    /// What is exact, which a log axis has no place for, stands on it.
    float y(double v) const {
        return area_.bottom() -
               area_.h * static_cast<float>(std::log(std::clamp(v, low_, high_) / low_) / std::log(high_ / low_));
    }

    void axes() {
        for (double v = std::pow(10, std::ceil(std::log10(low_))); v <= high_; v *= 10) {
            pen_.fill({area_.x, y(v), area_.w, 1}, {Role::kLine});
            pen_.line({area_.x - 10, y(v)}, v < 1000 ? fmt::format("{:g}", v) : grouped(static_cast<std::uint64_t>(v)),
                      {Face::kMono, kLeast, {Role::kTextDim}}, 54, Align::kRight);
        }
        float free = box_.x;
        for (const std::uint64_t n : shown_.table().wanted.sizes) {
            const std::string text = grouped(n);
            const float at = x(static_cast<double>(n)), w = pen_.width(text, Face::kMono, kLeast);
            if (at - w / 2 < free) continue;
            free = at + w / 2 + 10;
            pen_.line({at, area_.bottom() + 16}, text, {Face::kMono, kLeast, {Role::kTextDim}}, w + 1, Align::kCentre);
        }
    }

    void stroke(const AccuracyBound& bound) {
        const Ink ink{Role::kBook, 0.9f};
        const auto& sizes = shown_.table().wanted.sizes;
        for (std::size_t i = 1; i < sizes.size(); ++i) {
            const auto from = static_cast<double>(sizes[i - 1]), to = static_cast<double>(sizes[i]);
            draw_segment(pen_, {x(from), y(bound.at(from))}, {x(to), y(bound.at(to))}, ink, 1.6f, true);
        }
        names_.push_back(
            {std::string(bound.name), {area_.right(), y(bound.at(most_))}, {Face::kSans, kLeast, {Role::kBook}}});
    }

    void stroke(const std::string& kernel) {
        const bool own = is_own(kernel);
        const Ink ink = own ? Ink{Role::kActive} : Ink{Role::kText, 0.8f};
        const AccuracyRow* before = nullptr;
        for (const AccuracyRow& row : shown_.table().rows) {
            if (row.kernel != kernel || row.seeds == 0) continue;
            const Vec here{x(static_cast<double>(row.n)), y(of(row))};
            if (before != nullptr)
                draw_segment(pen_, {x(static_cast<double>(before->n)), y(of(*before))}, here, ink, own ? 3.5f : 1.8f);
            const bool exact = of(row) == 0;
            pen_.add(Disc{.centre = here,
                          .radius = own ? 5.0f : 3.5f,
                          .ink = exact ? Ink{Role::kPanel} : ink,
                          .outline = ink,
                          .outline_width = exact ? 1.5f : 0.0f});
            before = &row;
        }
        if (before == nullptr) return;
        names_.push_back({kernel,
                          {x(static_cast<double>(before->n)), y(of(*before))},
                          {own ? Face::kSansBold : Face::kSans, kLeast, {own ? Role::kText : Role::kTextDim}}});
    }

    /// At the right, each at the height of its line's end, pushed apart.
    void names() {
        std::ranges::stable_sort(names_, {}, [](const Name& name) { return name.end.y; });
        const auto room = static_cast<std::size_t>(std::max(1.0f, area_.h / kLabelPitch));
        while (names_.size() > room) {  // of two that stand closest the second is left out
            std::size_t closest = 1;
            for (std::size_t i = 2; i < names_.size(); ++i)
                if (names_[i].end.y - names_[i - 1].end.y < names_[closest].end.y - names_[closest - 1].end.y)
                    closest = i;
            if (names_[closest].style.face == Face::kSansBold) --closest;  // but never the run's own
            names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(closest));
        }
        std::vector<float> at;
        for (const Name& name : names_)
            at.push_back(std::max(name.end.y, at.empty() ? area_.y - 12 : at.back() + kLabelPitch));
        float most = area_.bottom() + 12;
        for (std::size_t i = at.size(); i-- > 0; most = at[i] - kLabelPitch) at[i] = std::min(at[i], most);
        const float left = area_.right() + kLeader;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            draw_segment(pen_, {names_[i].end.x + 8, names_[i].end.y}, {left - 5, at[i]}, {Role::kLine}, 1);
            pen_.line({left, at[i]}, names_[i].text, names_[i].style, box_.right() - left);
        }
    }

    Pen& pen_;
    const AccuracyShown& shown_;
    Box box_, area_;
    double least_ = 1, most_ = 1, low_ = 1, high_ = 1;
    std::vector<Name> names_;
};

}  // namespace

void draw_accuracy_chart(Pen& pen, const AccuracyShown& shown, Box box) {
    if (box.h >= 160 && box.w >= 320 && !shown.table().rows.empty()) AccuracyChart(pen, shown, box).draw();
}

}  // namespace warptree::scene
