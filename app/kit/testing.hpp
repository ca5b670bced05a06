// What the tests of scenes share: a measure that needs no fonts, and a check that a scene's text
// fits.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/shapes_testing.hpp"
#include "app/subject/testing.hpp"

namespace warptree::scene::testing {

using study::testing::subject;

/// Every kernel's, and as the name of a test.
inline std::vector<std::string> kernel_names() {
    std::vector<std::string> names;
    for (const kernels::Kernel& kernel : kernels::catalog()) names.emplace_back(kernel.name);
    return names;
}
inline std::string word_of(const ::testing::TestParamInfo<std::string>& row) {
    std::string word = row.param;
    std::ranges::replace(word, '-', '_');
    return word;
}

/// Fixed widths a letter, about those of the real fonts: goldens do not depend on what is installed.
class FixedMeasure final : public Measure {
public:
    float width(std::string_view text, Face face, float size) const override {
        std::size_t letters = 0;
        for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        const bool mono = face == Face::kMono || face == Face::kMonoBold;
        return static_cast<float>(letters) * size * (mono ? 0.6f : face == Face::kSansBold ? 0.57f : 0.54f);
    }
};

inline const FixedMeasure kMeasure;

/// Whether a part is in one of a scene's texts.
inline bool says(const Scene& scene, std::string_view part) {
    return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
        const auto* text = std::get_if<Text>(&shape);
        return text != nullptr && text->text.find(part) != std::string::npos;
    });
}

struct Label {
    Box box;
    const Text* text;
};

inline Box box_of(const Text& t, const Measure& measure = FixedMeasure()) {
    const float w = measure.width(t.text, t.face, t.size);
    const float left = t.align == Align::kLeft ? 0 : t.align == Align::kCentre ? w / 2 : w;
    return {t.at.x - left, t.at.y - 0.42f * t.size, w, 0.98f * t.size};  // capitals and descenders
}

inline bool inside(Box inner, Box outer) {
    const float slack = 0.6f;
    return inner.x >= outer.x - slack && inner.y >= outer.y - slack && inner.right() <= outer.right() + slack &&
           inner.bottom() <= outer.bottom() + slack;
}

/// Checks one scene: every text within the box and its clips, of a legible size, and clear of every other text.
/// measure  that the scene was laid out with
inline std::string fault(const Scene& scene, Box box, const Measure& measure = FixedMeasure()) {
    std::vector<Box> clips = {box};
    std::vector<Label> labels;
    for (const Shape& shape : scene.shapes) {
        if (const auto* clip = std::get_if<ClipBegin>(&shape)) clips.push_back(clip->box);
        if (std::holds_alternative<ClipEnd>(shape)) clips.pop_back();
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr) continue;
        if (text->text.empty()) return "an empty text";
        const bool digits = text->text.find_first_not_of("0123456789") == std::string::npos;
        if (text->size < (digits ? 12 : 13)) return "too small: " + text->text;
        const Box b = box_of(*text, measure);
        for (const Box& clip : clips) {
            if (!inside(b, clip))
                return fmt::format("'{}' at {:.0f},{:.0f} is cut off", text->text, text->at.x, text->at.y);
        }
        labels.push_back({b, text});
    }
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.box.y < b.box.y; });
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (std::size_t j = i + 1; j < labels.size() && labels[j].box.y < labels[i].box.bottom() - 0.6f; ++j) {
            const Box &a = labels[i].box, &b = labels[j].box;
            if (a.right() > b.x + 0.6f && b.right() > a.x + 0.6f) {
                return fmt::format("'{}' overlaps '{}' at {:.0f},{:.0f}", labels[i].text->text, labels[j].text->text,
                                   b.x, b.y);
            }
        }
    }
    if (clips.size() != 1) return "clips do not pair";
    return "";
}

}  // namespace warptree::scene::testing

namespace warptree::scene {
using testing::kMeasure;
using testing::says;
}  // namespace warptree::scene
