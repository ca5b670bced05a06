// The ladder's curves: bandwidth or time over N, in powers of two.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/scene/ladder_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLabelPitch = 17, kLeader = 30;

class LadderChart {
public:
    LadderChart(const LadderContext& c, Box box)
        : c_(c), box_(box), time_(c.ladder.choice.picture == LadderPicture::kTime) {
        float names = 0;
        for (const Rung& rung : c.ladder.rungs) {
            lines_.push_back(line_of(rung));
            names = std::max(names, c.pen.width(rung.name, Face::kSansBold, kLeast));
        }
        if (c.ladder.choice.others) add_others(names);
        area_ = {box.x + 62, box.y + 40, box.w - 62 - kLeader - names - 8, box.h - 40 - 30};
        for (const Line& line : lines_)
            for (const kernels::Timing* t : line.points) take(value(*t));
        if (time_) {
            low_ *= 0.8, high_ *= 1.25;
        } else {
            take(c.ladder.of->limit_gb_per_s);
            low_ = 0, high_ *= 1.04;
        }
    }

    void draw() {
        title();
        axes();
        stroke_limit();
        for (const Line& line : lines_)
            if (!bright(*line.rung)) stroke(line);
        for (const Line& line : lines_)
            if (bright(*line.rung)) stroke(line);
        labels();
    }

private:
    struct Line {
        const Rung* rung;
        std::vector<const kernels::Timing*> points;  // of right results, in order of N
        const Measurements* of;
    };

    Line line_of(const Rung& rung) const { return line_of(rung, *c_.ladder.of); }
    Line line_of(const Rung& rung, const Measurements& of) const {
        Line line{&rung, {}, &of};
        const LadderChoice& choice = c_.ladder.choice;
        for (const std::uint64_t n : c_.ladder.sizes)
            for (const kernels::Timing& t : of.runs)
                if (t.kernel == rung.name && t.n == n && t.type == choice.type && t.cold == choice.cold && t.correct)
                    line.points.push_back(&t);
        return line;
    }

    /// Of the rung that is looked at, the lines of other results, at the same N.
    void add_others(float& names) {
        for (const Measurements& other : c_.all) {
            if (&other == c_.ladder.of) continue;
            Line line = line_of(c_.chosen, other);
            if (line.points.empty()) continue;
            names = std::max(names, std::min(0.3f * box_.w, c_.pen.width(elsewhere(other), Face::kSansBold, kLeast)));
            lines_.push_back(std::move(line));
        }
    }
    static std::string elsewhere(const Measurements& other) { return "on " + other.name(); }
    bool is_other(const Line& line) const { return line.of != c_.ladder.of; }

    double value(const kernels::Timing& t) const { return time_ ? t.ms_median : t.gb_per_s; }
    void take(double v) { low_ = std::min(low_, v), high_ = std::max(high_, v); }

    bool chosen(const Rung& rung) const { return &rung == &c_.chosen; }
    bool bright(const Rung& rung) const { return chosen(rung) || (rung.timing != nullptr && c_.hot(*rung.timing)); }

    float x(double n) const {
        const auto& sizes = c_.ladder.sizes;
        const double first = std::log2(sizes.front()), last = std::log2(sizes.back());
        return area_.x + area_.w * static_cast<float>((std::log2(n) - first) / (last - first));
    }
    float x(std::uint64_t n) const { return x(static_cast<double>(n)); }
    float y(double v) const {
        const double share = time_ ? std::log(v / low_) / std::log(high_ / low_) : (v - low_) / (high_ - low_);
        return area_.bottom() - area_.h * static_cast<float>(share);
    }
    Vec point(const kernels::Timing& t) const { return {x(t.n), y(value(t))}; }

    void segment(Vec from, Vec to, Ink ink, float width, bool dashed = false) {
        draw_segment(c_.pen, from, to, ink, width, dashed);
    }

    void title() {
        const float used = c_.pen.line({box_.x, box_.y + 12}, time_ ? "Time in ms over N" : "Bandwidth in GB/s over N",
                                       {Face::kSansBold, kBody, {Role::kText}}, box_.w);
        const std::string gb = bandwidth_text(c_.ladder.of->limit_gb_per_s);
        const std::string limit = "the memory's limit: " + gb + " GB/s";
        const std::string brief = "limit " + gb + " GB/s";
        const std::string text =
            fitting(c_.pen, {limit + ";  dashed: references", limit, brief}, Face::kSans, kLeast, box_.w - used - 70);
        if (text.empty()) return;
        const float w = c_.pen.width(text, Face::kSans, kLeast);
        segment({box_.right() - w - 40, box_.y + 12}, {box_.right() - w - 10, box_.y + 12}, {Role::kText, 0.8f}, 2);
        c_.pen.line({box_.right(), box_.y + 12}, text, kFine, w + 1, Align::kRight);
    }

    void tick(double v, const std::string& text) {
        c_.pen.fill({area_.x, y(v), area_.w, 1}, {Role::kLine});
        c_.pen.line({area_.x - 10, y(v)}, text, {Face::kMono, kLeast, {Role::kTextDim}}, 54, Align::kRight);
    }

    void axes() {
        if (time_) {
            for (double v = std::pow(10, std::ceil(std::log10(low_))); v <= high_; v *= 10)
                tick(v, fmt::format("{:g}", v));
        } else {
            double step = std::pow(10, std::floor(std::log10(high_ / 2)));
            if (high_ / step > 12) step *= 2.5;
            for (double v = 0; v <= high_; v += step) tick(v, grouped(static_cast<std::uint64_t>(v + 0.5)));
        }
        constexpr float kBand = 20;  // what is seen of a column; all of it can be clicked
        float free = box_.x;         // where the next name may begin
        for (std::size_t i = 0; i < c_.ladder.sizes.size(); ++i) {
            const std::uint64_t n = c_.ladder.sizes[i];
            const bool now = n == c_.ladder.choice.n;
            const Id id = pack({Target::Kind::kControl, static_cast<std::uint16_t>(i), 0,
                                static_cast<std::uint32_t>(Control::kLadderN)});
            const float left = i == 0 ? x(n) - kBand : (x(n) + x(c_.ladder.sizes[i - 1])) / 2;
            const float right = i + 1 == c_.ladder.sizes.size() ? x(n) + kBand : (x(n) + x(c_.ladder.sizes[i + 1])) / 2;
            c_.pen.add(
                Rect{.box = {left, area_.y, right - left, area_.h + 28}, .fill = Fill::kNone, .outline = {}, .id = id});
            if (now || c_.hover == unpack(id))
                c_.pen.fill({x(n) - kBand, area_.y, 2 * kBand, area_.h + 28}, {Role::kAccent, 0.14f}, 4);
            const Style style{now ? Face::kMonoBold : Face::kMono, kLeast, {now ? Role::kText : Role::kTextDim}};
            const std::string text = size_name(n);
            const float w = c_.pen.width(text, style.face, style.size);
            if (x(n) - w / 2 < free) continue;
            free = x(n) + w / 2 + 6;
            c_.pen.line({x(n), area_.bottom() + 15}, text, style, w + 1, Align::kCentre);
        }
    }

    /// The bandwidth that the memory has at most, or the time that it needs at least, as far as that is on show.
    void stroke_limit() {
        const Ink ink{Role::kText, 0.8f};
        const double gb = c_.ladder.of->limit_gb_per_s, most = static_cast<double>(c_.ladder.sizes.back());
        if (!time_) return segment({area_.x, y(gb)}, {area_.right(), y(gb)}, ink, 2);
        const double ms = static_cast<double>(value::size_bytes(c_.ladder.choice.type)) / gb / 1e6;  // an element's
        const double first = std::max(low_ / ms, static_cast<double>(c_.ladder.sizes.front()));
        if (first < most) segment({x(first), y(first * ms)}, {x(most), y(most * ms)}, ink, 2);
    }

    Ink ink_of(const Rung& rung) const {
        if (chosen(rung)) return {Role::kActive};
        return bright(rung) ? Ink{Role::kText} : Ink{Role::kTextDim, 0.7f};
    }

    /// Between neighbours in N alone: where one was not measured, there is no line.
    void stroke(const Line& line) {
        const auto& sizes = c_.ladder.sizes;
        const auto place = [&](const kernels::Timing* t) { return std::ranges::find(sizes, t->n) - sizes.begin(); };
        const bool other = is_other(line), wide = bright(*line.rung) && !other;
        const Ink ink = other ? Ink{Role::kAccent} : ink_of(*line.rung);
        for (std::size_t i = 1; i < line.points.size(); ++i)
            if (place(line.points[i]) == place(line.points[i - 1]) + 1)
                segment(point(*line.points[i - 1]), point(*line.points[i]), ink, wide ? 3.5f : 1.6f,
                        line.rung->reference || other);
        for (const kernels::Timing* t : line.points) {
            c_.pen.add(Disc{.centre = point(*t),
                            .radius = wide ? 5.5f : 3.0f,
                            .ink = line.rung->reference ? Ink{Role::kPanel} : ink,
                            .outline = ink,
                            .outline_width = line.rung->reference ? 1.5f : 0.0f});
            if (!other)
                c_.pen.add(Disc{.centre = point(*t), .radius = 9, .fill = Fill::kNone, .outline = {}, .id = c_.id(*t)});
        }
    }

    /// Each line's name right of the curves at the height of its end, pushed apart; those least needed are left out.
    void labels() {
        std::vector<const Line*> named;
        for (const Line& line : lines_)
            if (!line.points.empty()) named.push_back(&line);
        const auto end = [&](const Line* line) { return point(*line->points.back()); };
        std::ranges::stable_sort(named, {}, [&](const Line* line) { return end(line).y; });
        const auto room = static_cast<std::size_t>(std::max(1.0f, (area_.h + 24) / kLabelPitch));
        while (named.size() > room) {
            std::size_t least = 0;
            float closest = std::numeric_limits<float>::max();
            for (std::size_t i = 1; i < named.size(); ++i)
                for (const std::size_t one : {i, i - 1})
                    if (end(named[i]).y - end(named[i - 1]).y < closest && !bright(*named[one]->rung))
                        closest = end(named[i]).y - end(named[i - 1]).y, least = one;
            named.erase(named.begin() + static_cast<std::ptrdiff_t>(least));
        }
        std::vector<float> at;
        for (const Line* line : named)
            at.push_back(std::max(end(line).y, at.empty() ? area_.y - 12 : at.back() + kLabelPitch));
        float most = area_.bottom() + 12;
        for (std::size_t i = at.size(); i-- > 0; most = at[i] - kLabelPitch) at[i] = std::min(at[i], most);
        for (std::size_t i = 0; i < named.size(); ++i) label(*named[i], end(named[i]), at[i]);
    }

    void label(const Line& line, Vec end, float at) {
        const bool other = is_other(line), wide = bright(*line.rung);
        const float left = area_.right() + kLeader;
        const Role leader = other ? Role::kAccent : wide ? ink_of(*line.rung).role : Role::kLine;
        segment({end.x + 8, end.y}, {left - 5, at}, {leader}, 1);
        const std::string name = other ? elsewhere(*line.of) : std::string(line.rung->name);
        c_.pen.line({left, at}, name,
                    {wide ? Face::kSansBold : Face::kSans, kLeast, {wide ? Role::kText : Role::kTextDim}},
                    box_.right() - left, Align::kLeft, other ? 0 : c_.id(*line.points.back()));
    }

    const LadderContext& c_;
    Box box_, area_;
    bool time_;
    std::vector<Line> lines_;
    double low_ = std::numeric_limits<double>::max(), high_ = 0;
};

}  // namespace

void draw_ladder_chart(const LadderContext& c, Box box) {
    if (box.h >= 160 && c.ladder.sizes.size() > 1) LadderChart(c, box).draw();
}

}  // namespace warptree::scene
