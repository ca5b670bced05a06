// Text and boxes that every view draws alike.
#include "app/scene/draw.hpp"

#include <algorithm>
#include <cmath>

#include "app/scene/views.hpp"

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

/// The end of the word at `at`. "N = 16" is one.
std::size_t word_end(std::string_view text, std::size_t at) {
    std::size_t end = text.find(' ', at);
    while (end != text.npos && (text.substr(end).starts_with(" = ") || text.substr(0, end + 1).ends_with(" = ")))
        end = text.find(' ', end + 1);
    return std::min(end, text.size());
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
        const std::size_t end = word_end(text, at);
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

void draw_on_host(Pen& pen, Box box) {
    pen.paragraph({box.x + kPad, box.y + kTitleHeight + 14},
                  "The CPU does this part of the run. It has no warps: its steps cost no slots, and what it reads and "
                  "writes are none of the GPU's requests.",
                  {Face::kSans, kBody, {Role::kText}}, box.w - 2 * kPad, 4);
}

void instead_of_view(Pen& pen, Box box, const std::string& sentence) {
    panel_ground(pen, box);
    pen.paragraph({box.x + kPad, box.y + kTitleHeight + 14}, sentence, {Face::kSans, kBody, {Role::kText}},
                  box.w - 2 * kPad, 3);
}

void panel_ground(Pen& pen, Box box) {
    pen.fill(box, {Role::kPanel}, 12);
}

TabRow tab_row(const Measure& measure, float panel_width) {
    constexpr float kForRemark = 0.25f, kLeastRemark = 236;  // of the panel
    constexpr float kTriangle = 26;
    static constexpr TabRow kSettings[] = {{18, 20}, {17, 16}, {16, 12}, {14.5f, 13}, {14, 9}};
    const float room = panel_width - std::max(kForRemark * panel_width, kLeastRemark) - 2 * kPad;
    float widest = 0;
    for (TabRow row : kSettings) {
        row.width = -row.gap;
        for (const ViewRow& view : view_rows()) {
            if (view.view == View::kTournament) continue;  // of it and the network, which is wider, one stands there
            const float width = measure.width(view.title, Face::kSansBold, row.text);
            row.width += width + row.gap;
            if (row.text == kSettings[0].text) widest = std::max(widest, width);
        }
        if (row.width <= room) return row;
    }
    return {kSettings[0].text, kSettings[0].gap, false, widest + kTriangle};
}

float panel_title(Pen& pen, Box box, std::string_view title, std::string_view remark) {
    constexpr float kBetween = 24;
    constexpr std::string_view kPart = " · ";
    const float width = box.w - 2 * kPad;
    const float used = title.empty() ? tab_row(pen.measure(), box.w).width
                                     : pen.line({box.x + kPad, box.y + kTitleY}, title,
                                                {Face::kSansBold, kTitle, {Role::kText}}, width);
    const float room = width - used - kBetween;
    while (pen.width(remark, Face::kMono, kLeast) > room) {
        const std::size_t cut = remark.rfind(kPart);
        if (cut == remark.npos) break;
        remark = remark.substr(0, cut);
    }
    return pen.line({box.right() - kPad, box.y + kTitleY}, remark, {Face::kMono, kSmall, {Role::kTextDim}}, room,
                    Align::kRight);
}

std::string fitting(const Pen& pen, std::initializer_list<std::string_view> wordings, Face face, float size,
                    float width) {
    for (const std::string_view wording : wordings)
        if (pen.width(wording, face, size) <= width) return std::string(wording);
    return {};
}

void draw_segment(Pen& pen, Vec from, Vec to, Ink ink, float width, bool dashed) {
    constexpr float kDash = 7, kGap = 5;
    const Vec d{to.x - from.x, to.y - from.y};
    const float length = std::hypot(d.x, d.y);
    for (float at = 0; at < length; at += dashed ? kDash + kGap : length) {
        const float end = std::min(length, dashed ? at + kDash : length);
        const auto on = [&](float s) { return Vec{from.x + d.x * s / length, from.y + d.y * s / length}; };
        pen.add(Curve{.from = on(at),
                      .control_a = on(at + (end - at) / 3),
                      .control_b = on(at + (end - at) * 2 / 3),
                      .to = on(end),
                      .ink = ink,
                      .width = width});
    }
}

void draw_pill(Pen& pen, Box box, std::string_view text, Id id, bool chosen, bool hot) {
    pen.framed(box,
               {chosen ? Role::kAccent
                : hot  ? Role::kRaisedHover
                       : Role::kRaised},
               {Role::kLine}, chosen ? 0.0f : 1.0f, box.h / 2, id);
    pen.line(box.centre(), text,
             {chosen ? Face::kSansBold : Face::kSans, kSmall, {chosen ? Role::kOnAccent : Role::kText}}, box.w - 16,
             Align::kCentre, id);
}

float draw_legend(Pen& pen, Vec at, float width, std::span<const LegendItem> items) {
    constexpr float kMark = 16, kLoose = 22, kTight = 12;
    float needed = -kLoose;
    for (const LegendItem& item : items) needed += kMark + 8 + pen.width(item.text, Face::kSans, kLeast) + kLoose;
    const float gap = needed <= width ? kLoose : kTight;
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
        pen.line({x + kMark + 8, at.y}, item.text, kFine, w + 1);
        x += kMark + 8 + w + gap;
    }
    return std::max(0.0f, x - at.x - gap);
}

bool title_legend(Pen& pen, Box panel, float remark, std::span<const LegendItem> items, std::size_t least) {
    constexpr float kBetween = 28;
    const float tabs = tab_row(pen.measure(), panel.w).width;
    const float right = panel.right() - kPad - (remark > 0 ? remark + kBetween : 0);
    const float room = right - panel.x - kPad - tabs - kBetween;
    const auto draw = [&](std::span<const LegendItem> some) {
        Scene unused;
        Pen trial(unused, pen.measure());
        const float width = draw_legend(trial, {0, 0}, room, some);
        if (unused.shapes.size() < 2 * some.size()) return false;  // a mark and a text each
        draw_legend(pen, {right - width, panel.y + kTitleY}, width + 0.5f, some);
        return true;
    };
    if (draw(items)) return true;
    std::vector<LegendItem> brief(items.begin(), items.end());
    for (LegendItem& item : brief)
        if (*item.brief != 0) item.text = item.brief;
    for (; !brief.empty() && brief.size() >= (least == 0 ? items.size() : least); brief.pop_back())
        if (draw(brief)) return true;
    return false;
}

std::string_view first_sentences(const Measure& measure, std::string_view help, float width, int lines) {
    const auto fits = [&](std::string_view text) {
        return static_cast<int>(wrap(measure, text, Face::kSans, kSmall, width).size()) <= lines;
    };
    for (std::string_view text = help;;) {
        if (fits(text)) return text;
        const std::size_t sentence = text.rfind(". ") + 1, clause = text.rfind("; ") + 1;  // 0: there is none
        if (sentence == 0 && clause == 0) return help;
        text = text.substr(0, sentence > clause ? sentence : clause - 1);
    }
}

float panel_foot(Pen& pen, Box panel, Box inside, std::span<const LegendItem> items, std::string_view help, bool low) {
    const auto wrapped = static_cast<int>(wrap(pen.measure(), help, Face::kSans, kSmall, inside.w).size());
    const int lines = std::min(wrapped, low ? 1 : 3);
    const float legend = low ? 0.0f : 26.0f, height = static_cast<float>(lines) * line_height(kSmall) + legend + 6;
    const float top = inside.bottom() - height;
    if (low) {
        title_legend(pen, panel, 0, items);
    } else {
        draw_legend(pen, {inside.x, top + 14}, inside.w, items);
    }
    pen.paragraph({inside.x, top + legend + 14}, first_sentences(pen.measure(), help, inside.w, lines), kDim, inside.w,
                  lines);
    return height;
}

void separator(Pen& pen, float x, float y, float width) {
    pen.fill({x, y, width, 1}, {Role::kLine});
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
