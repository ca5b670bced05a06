// Scales, ticks, and names that are pushed apart.
#include "app/scene/chart.hpp"

#include <cmath>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::scene {

float Scale::share(double value) const {
    if (high <= low) return 0;
    return static_cast<float>(log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low));
}

std::vector<double> Scale::ticks(float length) const {
    constexpr float kApart = 18;
    std::vector<double> all;
    if (log) {
        double factor = 10;
        while (factor < high / low && length * share(low * factor) < kApart) factor *= 10;
        for (double v = std::pow(10, std::ceil(std::log10(low))); v <= high; v *= factor) all.push_back(v);
        return all;
    }
    double step = std::pow(10, std::floor(std::log10((high - low) / 2)));
    if ((high - low) / step > 12) step *= 2.5;
    for (double v = low; v <= high; v += step) all.push_back(v);
    return all;
}

std::string tick_text(double value) {
    return value < 1000 ? fmt::format("{:g}", value) : study::grouped(static_cast<std::uint64_t>(value + 0.5));
}

void Chart::tick(double value, const std::string& text) const {
    pen_.fill({area_.x, y(value), area_.w, 1}, {Role::kLine});
    pen_.line({area_.x - 10, y(value)}, text, kAxisText, 54, Align::kRight);
}

void Chart::line(const std::vector<Vec>& points, Ink ink, float width, bool dashed) const {
    for (std::size_t i = 1; i < points.size(); ++i) draw_segment(pen_, points[i - 1], points[i], ink, width, dashed);
}

void Chart::draw_names(float right) {
    constexpr float kPitch = 17, kOver = 12;  // of names; how far they may stand beyond the area
    std::ranges::stable_sort(names_, {}, [](const Name& name) { return name.end.y; });
    const auto room = static_cast<std::size_t>(std::max(1.0f, (area_.h + 2 * kOver) / kPitch));
    while (names_.size() > room) {
        std::size_t least = 0;
        float closest = 1e9f;
        for (std::size_t i = 1; i < names_.size(); ++i)
            for (const std::size_t one : {i, i - 1})
                if (const float apart = names_[i].end.y - names_[i - 1].end.y; apart < closest && !names_[one].kept)
                    closest = apart, least = one;
        names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(least));
    }
    std::vector<float> at;
    for (const Name& name : names_)
        at.push_back(std::max(name.end.y, at.empty() ? area_.y - kOver : at.back() + kPitch));
    float most = area_.bottom() + kOver;
    for (std::size_t i = at.size(); i-- > 0; most = at[i] - kPitch) at[i] = std::min(at[i], most);
    const float left = area_.right() + kLeader;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const Name& name = names_[i];
        draw_segment(pen_, {name.end.x + 8, name.end.y}, {left - 5, at[i]}, name.leader, 1);
        pen_.line({left, at[i]}, name.text, name.style, right - left, Align::kLeft, name.id);
    }
}

}  // namespace warptree::scene
