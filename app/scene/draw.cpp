// Text and boxes that every view draws alike.
#include "app/scene/draw.hpp"

#include <algorithm>

namespace warptree::scene {
namespace {

/// Bytes of `text` up to the last whole UTF-8 character within `bytes`.
std::size_t whole(std::string_view text, std::size_t bytes) {
    while (bytes > 0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
    return bytes;
}

std::string elided(const Measure& measure, std::string_view text, Face face, float size, float width) {
    std::size_t low = 0, high = text.size();  // the longest prefix that fits with an ellipsis
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        const std::string candidate = std::string(text.substr(0, whole(text, middle))) + "…";
        if (measure.width(candidate, face, size) <= width) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    std::string prefix(text.substr(0, whole(text, low)));
    while (!prefix.empty() && (prefix.back() == ' ' || prefix.back() == ',')) prefix.pop_back();
    if (prefix.empty()) return "";
    return prefix + "…";
}

}  // namespace

Fitted fit(const Measure& measure, std::string_view text, Face face, float size, float least, float width) {
    const float natural = measure.width(text, face, size);
    if (natural <= width) return {std::string(text), size, natural};
    const float floor_size = std::min(least, size);
    for (float smaller = size - 1; smaller >= floor_size; smaller -= 1) {
        const float w = measure.width(text, face, smaller);
        if (w <= width) return {std::string(text), smaller, w};
    }
    std::string shorter = elided(measure, text, face, floor_size, width);
    const float w = measure.width(shorter, face, floor_size);
    return {std::move(shorter), floor_size, w};
}

std::vector<std::string> wrap(const Measure& measure, std::string_view text, Face face, float size, float width) {
    std::vector<std::string> lines;
    std::string current;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word(text.substr(at, end - at));
        const std::string longer = current.empty() ? word : current + " " + word;
        if (!current.empty() && measure.width(longer, face, size) > width) {
            lines.push_back(current);
            current = word;
        } else {
            current = longer;
        }
        at = end + 1;
    }
    if (!current.empty()) lines.push_back(current);
    return lines;
}

float Pen::line(Vec at, std::string_view text, Style style, float width, Align align, Id id) {
    if (text.empty() || width <= 0) return 0;
    Fitted f = fit(*measure_, text, style.face, style.size, kLeast, width);
    if (f.text.empty()) return 0;
    scene_->add(Text{at, std::move(f.text), style.face, f.size, align, style.ink, id});
    return f.width;
}

float Pen::paragraph(Vec at, std::string_view text, Style style, float width, int most) {
    auto lines = wrap(*measure_, text, style.face, style.size, width);
    if (static_cast<int>(lines.size()) > most && most > 0) {
        for (std::size_t i = static_cast<std::size_t>(most); i < lines.size(); ++i) lines[most - 1] += " " + lines[i];
        lines.resize(static_cast<std::size_t>(most));
    }
    for (const std::string& each : lines) {
        const Fitted f = fit(*measure_, each, style.face, style.size, style.size, width);
        if (!f.text.empty()) scene_->add(Text{at, f.text, style.face, f.size, Align::kLeft, style.ink});
        at.y += line_height(style.size);
    }
    return at.y;
}

void panel_ground(Pen& pen, Box box) {
    pen.add(Rect{.box = box, .ink = {Role::kPanel}, .radius = 12, .outline = {}, .outline_width = 0});
}

void panel_title(Pen& pen, Box box, std::string_view title, std::string_view remark) {
    float width = box.w - 2 * kPad;
    if (title.empty()) width = box.w < kNarrowPanel ? width - kOneTab : kRemarkShare * box.w;  // the tabs stand here
    const float used =
        pen.line({box.x + kPad, box.y + kTitleY}, title, {Face::kSansBold, kTitle, {Role::kText}}, width);
    pen.line({box.right() - kPad, box.y + kTitleY}, remark, {Face::kMono, kSmall, {Role::kTextDim}}, width - used - 16,
             Align::kRight);
}

void draw_pill(Pen& pen, Box box, std::string_view text, Id id, bool chosen, bool hot) {
    pen.add(Rect{.box = box,
                 .ink = {chosen ? Role::kAccent
                         : hot  ? Role::kRaisedHover
                                : Role::kRaised},
                 .radius = box.h / 2,
                 .outline = {Role::kLine},
                 .outline_width = chosen ? 0.0f : 1.0f,
                 .id = id});
    pen.line(box.centre(), text,
             {chosen ? Face::kSansBold : Face::kSans, kSmall, {chosen ? Role::kOnAccent : Role::kText}}, box.w - 16,
             Align::kCentre, id);
}

float draw_legend(Pen& pen, Vec at, float width, std::span<const LegendItem> items) {
    constexpr float kMark = 16, kGap = 22;
    float x = at.x;
    for (const LegendItem& item : items) {
        const float w = pen.width(item.text, Face::kSans, kLeast);
        if (x + kMark + 8 + w > at.x + width) break;
        pen.add(Rect{.box = {x, at.y - kMark / 2, kMark, kMark},
                     .ink = {item.role},
                     .fill = item.fill,
                     .radius = 3,
                     .outline = {item.role},
                     .outline_width = item.fill == Fill::kSolid ? 0.0f : 1.2f,
                     .dashed = item.fill == Fill::kNone});
        pen.line({x + kMark + 8, at.y}, item.text, {Face::kSans, kLeast, {Role::kTextDim}}, w + 1);
        x += kMark + 8 + w + kGap;
    }
    return std::max(0.0f, x - at.x - kGap);
}

void separator(Pen& pen, float x, float y, float width) {
    pen.add(Rect{.box = {x, y, width, 1}, .ink = {Role::kLine}, .outline = {}});
}

void stack(Pen& pen, std::vector<Section> sections, Box inside, float loose) {
    const auto total = [&] {
        float height = 0;
        for (std::size_t i = 0; i < sections.size(); ++i) height += sections[i].height + (i > 0 ? kRule : 0);
        return height;
    };
    while (!sections.empty() && total() > inside.h) {
        sections.erase(std::max_element(sections.begin(), sections.end(),
                                        [](const Section& a, const Section& b) { return a.rank <= b.rank; }));
    }
    if (sections.empty()) return;
    const float spare =
        std::min(loose, (inside.h - total()) / static_cast<float>(std::max<std::size_t>(1, sections.size() - 1)));
    float y = inside.y;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (i > 0) {
            if (sections[i].ruled) separator(pen, inside.x, y + (kRule + spare) / 2, inside.w);
            y += kRule + spare;
        }
        sections[i].draw(y);
        y += sections[i].height;
    }
}

}  // namespace warptree::scene
