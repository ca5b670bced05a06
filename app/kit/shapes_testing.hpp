// Scenes as text, which golden tests compare, and the names of roles.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "app/kit/glossary.hpp"

namespace warptree::scene {
inline std::string_view name(Role role) {
    static constexpr std::string_view kNames[std::size_t(Role::kCount)] = {
        "background", "panel",   "raised",     "raised-hover", "line",   "text",   "text-dim",
        "text-faint", "active",  "on-active",  "divergent",    "on-div", "idle",   "written",
        "on-written", "segment", "on-segment", "book",         "wrong",  "accent", "on-accent"};
    return kNames[std::size_t(role)];
}

namespace as_text {

inline constexpr std::string_view kFillNames[] = {"none", "solid", "hatched"},
                                  kAlignNames[] = {"left", "centre", "right"},
                                  kFaceNames[] = {"sans", "sans-bold", "mono", "mono-bold"};

/// A length to a tenth of a unit; never "-0.0".
inline std::string tenth(float value) {
    return fmt::format("{:.1f}", std::round(value * 10) / 10 + 0.0f);
}

inline std::string pair(Vec v) {
    return tenth(v.x) + "," + tenth(v.y);
}

inline std::string box_text(Box b) {
    return fmt::format("{},{} {}x{}", tenth(b.x), tenth(b.y), tenth(b.w), tenth(b.h));
}

inline std::string ink_text(Ink ink) {
    if (ink.opacity >= 0.995f) return std::string(name(ink.role));
    return fmt::format("{}*{:.2f}", name(ink.role), ink.opacity);
}

inline std::string outline_text(Ink ink, float width, bool dashed) {
    if (width <= 0) return "";
    return fmt::format(" outline {} {}{}", ink_text(ink), tenth(width), dashed ? " dashed" : "");
}

inline std::string id_text(Id id) {
    if (id == 0) return "";
    const Target t = unpack(id);
    if (t.kind == Target::Kind::kWord) return fmt::format(" #{}", word_story(t).front());
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

}  // namespace as_text

/// One line a shape, coordinates to a tenth of a unit: what golden tests compare.
inline std::string shapes_text(const Scene& scene) {
    std::string lines;
    int depth = 0;
    for (const Shape& shape : scene.shapes) {
        if (std::holds_alternative<ClipEnd>(shape)) --depth;
        lines += std::string(2 * std::max(depth, 0), ' ') + std::visit(as_text::Writer{}, shape) + "\n";
        if (std::holds_alternative<ClipBegin>(shape)) ++depth;
    }
    for (const Spot& spot : scene.spots) {
        std::string told = spot.tooltip;
        std::ranges::replace(told, '\n', '|');
        lines += fmt::format("spot {} {:g}{} \"{}\"\n", as_text::box_text(spot.box), spot.command.value,
                             spot.command.text.empty() ? "" : " " + spot.command.text, told);
    }
    return lines;
}

}  // namespace warptree::scene
