// The ladder's curves: bandwidth or time over N, in powers of two.
#include <algorithm>
#include <limits>

#include "app/scene/chart.hpp"
#include "app/scene/ladder_view.hpp"

namespace warptree::scene {
namespace {

/// A rung's times in some results: those that are right, in order of N.
struct KernelLine {
    const Rung* rung;
    const Measurements* of;
    std::vector<const kernels::Timing*> points;
};

std::string elsewhere(const Measurements& other) {
    return "on " + other.name();
}

class LadderChart {
public:
    LadderChart(const LadderContext& c, Box box)
        : c_(c),
          box_(box),
          time_(c.ladder.choice.picture == LadderPicture::kTime),
          lines_(all_lines()),
          chart_(c.pen, area(),
                 {static_cast<double>(c.ladder.sizes.front()), static_cast<double>(c.ladder.sizes.back()), true},
                 up()) {}

    void draw() {
        title();
        axes();
        stroke_limit();
        for (const bool over : {false, true})
            for (const KernelLine& line : lines_)
                if (bright(*line.rung) == over) stroke(line);
        chart_.draw_names(box_.right());
    }

private:
    std::vector<KernelLine> all_lines() const {
        std::vector<KernelLine> lines;
        const LadderChoice& choice = c_.ladder.choice;
        const auto add = [&](const Rung& rung, const Measurements& of) {
            KernelLine line{&rung, &of, {}};
            for (const std::uint64_t n : c_.ladder.sizes)
                for (const kernels::Timing& t : of.runs)
                    if (t.kernel == rung.name && t.n == n && t.type == choice.type && t.cold == choice.cold &&
                        t.correct)
                        line.points.push_back(&t);
            if (!line.points.empty()) lines.push_back(std::move(line));
        };
        for (const Rung& rung : c_.ladder.rungs) add(rung, *c_.ladder.of);
        for (const Measurements& other : c_.all)  // of the rung that is looked at, other results at the same N
            if (choice.others && &other != c_.ladder.of) add(c_.chosen, other);
        return lines;
    }

    Box area() const {
        float names = 0;
        for (const Rung& rung : c_.ladder.rungs)
            names = std::max(names, c_.pen.width(rung.name, Face::kSansBold, kLeast));
        for (const KernelLine& line : lines_)
            if (is_other(line))
                names = std::max(names,
                                 std::min(0.3f * box_.w, c_.pen.width(elsewhere(*line.of), Face::kSansBold, kLeast)));
        return {box_.x + 62, box_.y + 40, box_.w - 62 - Chart::kLeader - names - 8, box_.h - 40 - 30};
    }

    Scale up() const {
        Scale scale{std::numeric_limits<double>::max(), 0, time_};
        for (const KernelLine& line : lines_)
            for (const kernels::Timing* t : line.points) scale.take(value(*t));
        if (time_) return {scale.low * 0.8, scale.high * 1.25, true};
        scale.take(c_.ladder.of->limit_gb_per_s);
        return {0, scale.high * 1.04};
    }

    bool is_other(const KernelLine& line) const { return line.of != c_.ladder.of; }
    double value(const kernels::Timing& t) const { return time_ ? t.ms_median : t.gb_per_s; }
    bool chosen(const Rung& rung) const { return &rung == &c_.chosen; }
    bool bright(const Rung& rung) const { return chosen(rung) || (rung.timing != nullptr && c_.hot(*rung.timing)); }
    Vec point(const kernels::Timing& t) const { return chart_.at(static_cast<double>(t.n), value(t)); }

    void title() {
        const float y = box_.y + 12,
                    used = c_.pen.line({box_.x, y}, time_ ? "Time in ms over N" : "Bandwidth in GB/s over N", kTopic,
                                       box_.w);
        if (c_.ladder.of->limit_gb_per_s == 0) {
            c_.pen.either({box_.right(), y}, {"dashed: references"}, kFine, box_.w - used - 70, Align::kRight);
            return;
        }
        const std::string gb = bandwidth_text(c_.ladder.of->limit_gb_per_s);
        const std::string limit = "the memory's limit: " + gb + " GB/s";
        const float w =
            c_.pen.either({box_.right(), y}, {limit + ";  dashed: references", limit, "limit " + gb + " GB/s"}, kFine,
                          box_.w - used - 70, Align::kRight);
        if (w > 0) draw_segment(c_.pen, {box_.right() - w - 40, y}, {box_.right() - w - 10, y}, {Role::kText, 0.8f}, 2);
    }

    void axes() {
        for (const double v : chart_.up().ticks(chart_.area().h)) chart_.tick(v, tick_text(v));
        constexpr float kBand = 20;  // what is seen of a column; all of it can be clicked
        const Box area = chart_.area();
        Ruler ruler(c_.pen, area.bottom() + 15, box_.x);
        const auto& sizes = c_.ladder.sizes;
        const auto x = [&](std::size_t i) { return chart_.x(static_cast<double>(sizes[i])); };
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const bool now = sizes[i] == c_.ladder.choice.n;
            const Id id = control_id(Control::kLadderN, i);
            const float left = i == 0 ? x(i) - kBand : (x(i) + x(i - 1)) / 2;
            const float right = i + 1 == sizes.size() ? x(i) + kBand : (x(i) + x(i + 1)) / 2;
            c_.pen.spot({left, area.y, right - left, area.h + 28}, id);
            if (now || c_.hover == unpack(id))
                c_.pen.fill({x(i) - kBand, area.y, 2 * kBand, area.h + 28}, {Role::kAccent, 0.14f}, 4);
            ruler.put(x(i), size_name(sizes[i]), chosen_style(kAxisText, now));
        }
    }

    /// The bandwidth that the memory has at most, or the time that it needs at least, as far as that is on show.
    void stroke_limit() {
        const Ink ink{Role::kText, 0.8f};
        const double gb = c_.ladder.of->limit_gb_per_s, most = static_cast<double>(c_.ladder.sizes.back());
        double first = static_cast<double>(c_.ladder.sizes.front());
        if (gb == 0) return;
        if (!time_) return chart_.line({chart_.at(first, gb), chart_.at(most, gb)}, ink, 2);
        const double ms = static_cast<double>(value::size_bytes(c_.ladder.choice.type)) / gb / 1e6;  // an element's
        first = std::max(chart_.up().low / ms, first);
        if (first < most) chart_.line({chart_.at(first, first * ms), chart_.at(most, most * ms)}, ink, 2);
    }

    void stroke(const KernelLine& line) {
        const bool other = is_other(line), named = bright(*line.rung), wide = named && !other;
        const Ink ink = other                ? Ink{Role::kAccent}
                        : chosen(*line.rung) ? Ink{Role::kActive}
                        : named              ? Ink{Role::kText}
                                             : Ink{Role::kTextDim, 0.7f};
        std::vector<Vec> together;  // of neighbours in N: where one was not measured, there is no line
        for (const std::uint64_t n : c_.ladder.sizes) {
            const auto t = std::ranges::find(line.points, n, &kernels::Timing::n);
            if (t != line.points.end()) together.push_back(point(**t));
            if (t != line.points.end() && n != c_.ladder.sizes.back()) continue;
            chart_.line(together, ink, wide ? 3.5f : 1.6f, line.rung->reference || other);
            together.clear();
        }
        for (const kernels::Timing* t : line.points) {
            const bool open = line.rung->reference;
            c_.pen.ring(point(*t), wide ? 5.5f : 3.0f, open ? Ink{Role::kPanel} : ink, ink, open ? 1.5f : 0.0f);
            if (!other) c_.pen.add(Disc{.centre = point(*t), .radius = 9, .fill = Fill::kNone, .id = c_.id(*t)});
        }
        chart_.name({.text = other ? elsewhere(*line.of) : std::string(line.rung->name),
                     .end = point(*line.points.back()),
                     .style = chosen_style(kFine, named),
                     .leader = {named ? ink.role : Role::kLine},
                     .kept = named,
                     .id = other ? 0 : c_.id(*line.points.back())});
    }

    const LadderContext& c_;
    Box box_;
    bool time_;
    std::vector<KernelLine> lines_;
    Chart chart_;
};

}  // namespace

void draw_ladder_chart(const LadderContext& c, Box box) {
    if (box.h >= 160 && c.ladder.sizes.size() > 1) LadderChart(c, box).draw();
}

}  // namespace warptree::scene
