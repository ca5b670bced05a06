// Scenes as data: names of roles, picking, packing of targets, the text form that golden tests compare, and shapes
// moved and scaled.
#include "app/scene/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/views.hpp"

namespace warptree::scene {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Role::kCount)> kRoleNames = {
    "background", "panel",   "raised",     "raised-hover", "line",   "text",   "text-dim",
    "text-faint", "active",  "on-active",  "divergent",    "on-div", "idle",   "written",
    "on-written", "segment", "on-segment", "book",         "wrong",  "accent", "on-accent"};

constexpr std::array<std::string_view, 3> kFillNames = {"none", "solid", "hatched"};
constexpr std::array<std::string_view, 4> kFaceNames = {"sans", "sans-bold", "mono", "mono-bold"};
constexpr std::array<std::string_view, 3> kAlignNames = {"left", "centre", "right"};

/// A length to a tenth of a unit; never "-0.0".
std::string tenth(float value) {
    return fmt::format("{:.1f}", std::round(value * 10) / 10 + 0.0f);
}

std::string pair(Vec v) {
    return tenth(v.x) + "," + tenth(v.y);
}

std::string box_text(Box b) {
    return fmt::format("{},{} {}x{}", tenth(b.x), tenth(b.y), tenth(b.w), tenth(b.h));
}

std::string ink_text(Ink ink) {
    if (ink.opacity >= 0.995f) return std::string(name(ink.role));
    return fmt::format("{}*{:.2f}", name(ink.role), ink.opacity);
}

std::string outline_text(Ink ink, float width, bool dashed) {
    if (width <= 0) return "";
    return fmt::format(" outline {} {}{}", ink_text(ink), tenth(width), dashed ? " dashed" : "");
}

std::string id_text(Id id) {
    if (id == 0) return "";
    const Target t = unpack(id);
    return fmt::format(" #{}.{}.{}.{}", int(t.kind), t.state, t.array, t.index);
}

struct Writer {
    std::string operator()(const Rect& r) const {
        return fmt::format("rect {} {} {} r{}{}{}", box_text(r.box), kFillNames[int(r.fill)], ink_text(r.ink),
                           tenth(r.radius), outline_text(r.outline, r.outline_width, r.dashed), id_text(r.id));
    }
    std::string operator()(const Disc& d) const {
        return fmt::format("disc {} r{} {} {}{}{}", pair(d.centre), tenth(d.radius), kFillNames[int(d.fill)],
                           ink_text(d.ink), outline_text(d.outline, d.outline_width, d.dashed), id_text(d.id));
    }
    std::string operator()(const Curve& c) const {
        return fmt::format("curve {} {} {} {} {} w{} drawn {:.2f}{}", pair(c.from), pair(c.control_a),
                           pair(c.control_b), pair(c.to), ink_text(c.ink), tenth(c.width), c.drawn, id_text(c.id));
    }
    std::string operator()(const Text& t) const {
        return fmt::format("text {} {} {} {} {} \"{}\"{}", pair(t.at), kFaceNames[int(t.face)], tenth(t.size),
                           kAlignNames[int(t.align)], ink_text(t.ink), t.text, id_text(t.id));
    }
    std::string operator()(const Triangle& t) const {
        return fmt::format("triangle {} {} {} {}{}", pair(t.a), pair(t.b), pair(t.c), ink_text(t.ink), id_text(t.id));
    }
    std::string operator()(const ClipBegin& c) const { return "clip " + box_text(c.box); }
    std::string operator()(const ClipEnd&) const { return "clip end"; }
};

float cross(Vec a, Vec b, Vec p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Whether a shape covers a point. Curves count within 5 units of any of 16 chords.
struct Covers {
    Vec p;
    bool operator()(const Rect& r) const { return r.box.contains(p); }
    bool operator()(const Disc& d) const { return std::hypot(p.x - d.centre.x, p.y - d.centre.y) <= d.radius; }
    bool operator()(const Triangle& t) const {
        const float u = cross(t.a, t.b, p), v = cross(t.b, t.c, p), w = cross(t.c, t.a, p);
        return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    }
    bool operator()(const Curve& c) const {
        constexpr int kChords = 16;
        Vec last = c.from;
        for (int i = 1; i <= kChords; ++i) {
            const Vec next = at(c, static_cast<float>(i) / kChords * c.drawn);
            if (distance(last, next) <= std::max(5.0f, c.width)) return true;
            last = next;
        }
        return false;
    }
    bool operator()(const Text& t) const {  // its line, about 0.55 em a byte
        const float w = 0.55f * t.size * t.text.size();
        const float left = t.align == Align::kLeft ? 0 : t.align == Align::kCentre ? w / 2 : w;
        return Box{t.at.x - left, t.at.y - t.size / 2, w, t.size}.contains(p);
    }
    bool operator()(const ClipBegin&) const { return false; }
    bool operator()(const ClipEnd&) const { return false; }

    static Vec at(const Curve& c, float t) {
        const float s = 1 - t, w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;
        return {w0 * c.from.x + w1 * c.control_a.x + w2 * c.control_b.x + w3 * c.to.x,
                w0 * c.from.y + w1 * c.control_a.y + w2 * c.control_b.y + w3 * c.to.y};
    }
    float distance(Vec a, Vec b) const {
        const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        float t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
        t = std::fmin(1.0f, std::fmax(0.0f, t));
        return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
    }
};

Id id_of(const Shape& shape) {
    return std::visit(
        [](const auto& s) -> Id {
            if constexpr (requires { s.id; }) return s.id;
            return 0;
        },
        shape);
}

struct Mover {
    Scene& out;
    Box from, to;
    float opacity, across, down, least;
    bool exact = false;  // else shapes on their way somewhere: no ids, no lines that grow, letters of few sizes

    Vec operator()(Vec v) const { return {to.x + (v.x - from.x) * across, to.y + (v.y - from.y) * down}; }
    Box operator()(Box b) const {
        const Vec at = (*this)(Vec{b.x, b.y});
        return {at.x, at.y, b.w * across, b.h * down};
    }
    float line(float width) const { return exact ? width * least : std::min(width, width * least); }

    template <class Any>
    void add(Any s) const {
        if constexpr (requires { s.at; }) {
            constexpr float kLeastSize = 8, kMostSize = 48;
            constexpr float kLeastLarge =
                12.8f;  // numbers of lanes and cells have air enough for it; 32 pixels in a hall
            s.size = least * (exact ? std::max(s.size, kLeastLarge) : s.size);
            if (!exact && least != 1) s.size = std::floor(s.size);  // whole sizes: letters are drawn once for each
            if (!exact && (s.size < kLeastSize || s.size > kMostSize)) return;
            s.at = (*this)(s.at);
        }
        if constexpr (requires { s.box; }) s.box = (*this)(s.box);
        if constexpr (requires { s.centre; }) s.centre = (*this)(s.centre);
        if constexpr (requires { s.radius; }) s.radius *= least;
        if constexpr (requires { s.outline; }) s.outline_width = line(s.outline_width), s.outline.opacity *= opacity;
        if constexpr (requires { s.width; }) s.width = line(s.width);
        if constexpr (requires { s.control_a; })
            for (Vec* point : {&s.from, &s.control_a, &s.control_b, &s.to}) *point = (*this)(*point);
        if constexpr (requires { s.c; })
            for (Vec* point : {&s.a, &s.b, &s.c}) *point = (*this)(*point);
        if constexpr (requires { s.ink; }) s.ink.opacity *= opacity;
        if constexpr (requires { s.id; }) s.id = exact ? s.id : 0;
        out.add(std::move(s));
    }
};

}  // namespace

std::string_view name(Role role) {
    return kRoleNames[static_cast<std::size_t>(role)];
}

Id Scene::pick(Vec point) const {
    Id found = 0;
    each_at(point, [&](const Shape& shape) {
        if (const Id id = id_of(shape); id != 0 && std::visit(Covers{point}, shape)) found = id;
    });
    return found;
}

std::string Scene::text() const {
    std::string lines;
    int depth = 0;
    for (const Shape& shape : shapes) {
        if (std::holds_alternative<ClipEnd>(shape)) --depth;
        lines +=
            std::string(static_cast<std::size_t>(2 * std::max(depth, 0)), ' ') + std::visit(Writer{}, shape) + "\n";
        if (std::holds_alternative<ClipBegin>(shape)) ++depth;
    }
    return lines;
}

// An Id, from the high bits down: kind (8), array (8), state (16), index (32).
Id pack(const Target& t) {
    if (t.kind == Target::Kind::kNone) return 0;
    return Id{static_cast<std::uint8_t>(t.kind)} << 56 | Id{t.array} << 48 | Id{t.state} << 32 | Id{t.index};
}

Target unpack(Id id) {
    const auto kind = static_cast<std::uint8_t>(id >> 56);
    if (kind == 0 || kind >= static_cast<std::uint8_t>(Target::Kind::kCount)) return {};
    return {static_cast<Target::Kind>(kind), static_cast<std::uint16_t>(id >> 32), static_cast<std::uint8_t>(id >> 48),
            static_cast<std::uint32_t>(id)};
}

void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity) {
    const float across = to.w / std::max(1.0f, from.w), down = to.h / std::max(1.0f, from.h);
    const Mover mover{out, from, to, opacity, across, down, std::min(across, down)};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
}

void add_magnified(Scene& out, const Scene& scene, float by) {
    out.shapes.reserve(out.shapes.size() + scene.shapes.size());
    const Mover mover{out, {0, 0, 1, 1}, {0, 0, by, by}, 1, by, by, by, true};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
}

Box between(Box from, Box to, float share) {
    const auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return {mix(from.x, to.x), mix(from.y, to.y), mix(from.w, to.w), mix(from.h, to.h)};
}

}  // namespace warptree::scene
