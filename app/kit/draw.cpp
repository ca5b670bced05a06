// Text that fits, panel grounds and titles, lines and ticks.
#include "app/kit/draw.hpp"

#include <cmath>
#include <numbers>

#include "app/kit/kit.hpp"
#include "app/kit/rooms.hpp"

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
        measure.width(candidate, face, size) <= width ? low = middle : high = middle - 1;
    }
    text = text.substr(0, whole(text, low));
    text = text.substr(0, text.find_last_not_of(" ,") + 1);
    return text.empty() ? "" : std::string(text) + "…";
}

}  // namespace

Fitted fit(const Measure& measure, std::string_view text, Face face, float size, float least, float width) {
    for (float smaller = size; smaller >= std::min(least, size); smaller -= 1)
        if (const float w = measure.width(text, face, smaller); w <= width) return {std::string(text), smaller, w};
    size = std::min(least, size);
    std::string shorter = elided(measure, text, face, size, width);
    const float w = measure.width(shorter, face, size);
    return {std::move(shorter), size, w};
}

std::vector<std::string> wrap(const Measure& measure, std::string_view text, Face face, float size, float width) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find(' ', at);  // of a word; "N = 16" is one
        while (end != text.npos && (text.substr(end).starts_with(" = ") || text.substr(0, end + 1).ends_with(" = ")))
            end = text.find(' ', end + 1);
        end = std::min(end, text.size());
        const std::string word(text.substr(at, end - at));
        const bool more = !lines.empty() && measure.width(lines.back() + " " + word, face, size) <= width;
        more ? (void)(lines.back() += " " + word) : lines.push_back(word);
        at = end + 1;
    }
    return lines;
}

int line_count(const Measure& measure, std::string_view text, Style style, float width) {
    return static_cast<int>(wrap(measure, text, style.face, style.size, width).size());
}

void Pen::add(Shape shape) {
    if (const auto* clip = std::get_if<ClipBegin>(&shape))
        clips_.push_back(clips_.empty() ? clip->box : overlapping(clips_.back(), clip->box));
    if (std::holds_alternative<ClipEnd>(shape)) clips_.pop_back();
    if (about_ != 0)
        std::visit(
            [this](auto& one) {
                if constexpr (requires { one.id; })
                    if (one.id == 0) one.id = about_;
            },
            shape);
    scene_->add(std::move(shape));
}

Id Pen::button(Box box, Command command, std::string lines, float radius, Reach reach) {
    if (!clips_.empty()) box = overlapping(clips_.back(), box);
    if (box.w <= 0 || box.h <= 0) return 0;
    scene_->spots.push_back({box, std::move(command), std::move(lines), radius, reach});
    return target_id(Target::Kind::kSpot, scene_->spots.size() - 1);
}

float Pen::line(Vec at, std::string_view text, Style style, float width, Align align, Id id) {
    if (text.empty() || width <= 0) return 0;
    Fitted f = fit(*measure_, text, style.face, style.size, kLeast, width);
    if (f.text.empty()) return 0;
    add(Text{at, std::move(f.text), style.face, f.size, align, style.ink, id});
    return f.width;
}

float Pen::either(Vec at, std::initializer_list<std::string_view> wordings, Style style, float width, Align align) {
    return line(at, fitting(*this, wordings, style.face, style.size, width), style, width, align);
}

float Pen::paragraph(Vec at, std::string_view text, Style style, float width, int most) {
    auto lines = wrap(*measure_, text, style.face, style.size, width);
    for (; static_cast<int>(lines.size()) > std::max(1, most); lines.pop_back())
        lines[lines.size() - 2] += " " + lines.back();
    for (const std::string& each : lines) {
        const Fitted f = fit(*measure_, each, style.face, style.size, style.size, width);
        if (!f.text.empty()) put(at, f.text, style);
        at.y += line_height(style.size);
    }
    return at.y;
}

void say(Pen& pen, Box box, std::string_view text, Style style, int most) {
    pen.paragraph({box.x, box.y + 12}, text, style, box.w, most);
}

void draw_offer(Pen& pen, Box box, Offered what, std::size_t launch) {
    struct Offer {
        std::string_view text, means;  // what its button says, and of that
        Command command;
    };
    const auto kernel = [](const char* name) { return Command{.action = Action::kKernel, .text = name}; };
    const Offer offers[] = {
        {},
        {"Show a scan: Brent-Kung", "Brent and Kung's scan of the same elements", kernel("brent-kung")},
        {"Show a reduction: convergent", "The convergent reduction of the same elements", kernel("pmpp-convergent")},
        {"Play the World Cup of 2010", "Run the kernel tournament on the last eight teams", kernel("tournament")},
        {"Show a kernel with barriers: shared", "The same elements by way of shared memory", kernel("pmpp-shared")},
        {"Show a reduction: coarsened", "The kernel that coarsens, on the same elements", kernel("pmpp-coarsened")},
        {"Go to N = 1,024", "So many elements that several blocks have work", {.action = Action::kN, .value = 1024}},
        {"Sum float32", "The same elements as floats, whose sums round", {.action = Action::kType, .text = "float32"}},
        {"Go to the launch before",
         "What the GPU did, before the CPU went on with it",
         {.action = Action::kShowBlock, .launch = static_cast<int>(launch)}}};
    const Offer& offer = offers[std::size_t(what)];
    if (box.h < kOfferHeight || offer.text.empty()) return;
    const float width = std::min(box.w, pen.width(offer.text, kSansBold, kSmall) + 48);
    const Box pill{box.x, box.y, width, kOfferHeight};
    pen.button(pill, offer.command, std::string(offer.means) + " (Enter)", pill.h / 2, Reach::kEnter);
    draw_pill(pen, pill, offer.text, true, false);
}

void draw_on_host(Pen& pen, Box box, std::size_t launch) {
    instead_of_view(
        pen, box,
        "The CPU does this part of the run. It has no warps: its steps cost no slots, and what it reads and "
        "writes are none of the GPU's requests.",
        launch > 0 ? Offered::kGpu : Offered::kNothing, launch - 1);
}

void instead_of_view(Pen& pen, Box panel, std::string_view why, Offered what, std::size_t launch) {
    constexpr float kWidest = 760, kAir = 12;
    Box box = panel_inside(panel);
    const float below = what == Offered::kNothing ? 0 : kAir + kOfferHeight;
    const float width = std::min(kWidest, box.w), x = box.x + (box.w - width) / 2;
    Style style = kSaid;
    const auto height = [&] { return line_count(pen.measure(), why, style, width) * line_height(style.size); };
    if (height() + below > box.h) {
        style = kDim;
        why = first_sentences(pen.measure(), why, width, std::max(1.0f, (box.h - below) / line_height(style.size)));
    }
    const float y = box.y + std::max(0.0f, 0.4f * (box.h - height() - below));
    pen.paragraph({x, y + line_height(style.size) / 2}, why, style, width);
    const float end = y + height() + kAir;
    draw_offer(pen, {x, end, width, box.bottom() - end + 0.5f}, what, launch);
}

void panel_ground(Pen& pen, Box box) {
    pen.fill(box, {kPanel}, 12);
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
            const float width = measure.width(view.title, kSansBold, row.text);
            row.width += width + row.gap;
            if (row.text == kSettings[0].text) widest = std::max(widest, width);
        }
        if (row.width <= room) return row;
    }
    return {kSettings[0].text, kSettings[0].gap, false, widest + kTriangle};
}

void Remark::say(const Remark& more) {
    if (more.text.empty()) return;
    if (!text.empty()) text += " · ";
    for (const Part& part : more.parts)
        parts.push_back({part.begin + text.size(), part.end + text.size(), part.command, part.tooltip});
    text += more.text;
}

void Remark::add(std::string_view more, Command command, std::string tooltip) {
    const std::size_t begin = text.size();
    text += more;
    if (command.action != Action::kNone) parts.push_back({begin, text.size(), std::move(command), std::move(tooltip)});
}

void add_parts(Pen& pen, const Remark& remark, Vec left, Style style) {
    constexpr float kAside = 6, kHalf = 17;
    const auto width = [&](std::size_t end) {
        return pen.width(std::string_view(remark.text).substr(0, end), style.face, style.size);
    };
    for (const Remark::Part& part : remark.parts) {
        if (part.end > remark.text.size()) continue;
        const float x = left.x + width(part.begin), end = left.x + width(part.end);
        pen.button({x - kAside, left.y - kHalf, end - x + 2 * kAside, 2 * kHalf}, part.command, part.tooltip);
    }
}

float panel_title(Pen& pen, Box box, std::string_view title, Remark remark) {
    constexpr float kBetween = 24;
    constexpr std::string_view kPart = " · ";
    const float width = box.w - 2 * kPad;
    const float used = title.empty()
                           ? tab_row(pen.measure(), box.w).width
                           : pen.line({box.x + kPad, box.y + kTitleY}, title, {kSansBold, kTitle, {kText}}, width);
    const float room = width - used - kBetween;
    while (pen.width(remark.text, kMono, kLeast) > room) {
        const std::size_t cut = remark.text.rfind(kPart);
        if (cut == remark.text.npos) break;
        remark.text.resize(cut);
    }
    const Fitted fitted = fit(pen.measure(), remark.text, kMono, kSmall, kLeast, room);
    const Vec end{box.right() - kPad, box.y + kTitleY};
    const float wide = pen.line(end, remark.text, {kMono, kSmall, {kTextDim}}, room, kRight);
    if (fitted.text == remark.text) add_parts(pen, remark, {end.x - wide, end.y}, {kMono, fitted.size, {}});
    return wide;
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
        pen.add(Curve{on(at), on(at + (end - at) / 3), on(at + (end - at) * 2 / 3), on(end), ink, width});
    }
}

void draw_arrow_between(Pen& pen, Vec from, Vec to, float reach, Ink ink, float width, float side) {
    const Vec along{to.x - from.x, to.y - from.y};
    const float length = std::hypot(along.x, along.y), begin = (reach + 3) / length, end = 1 - begin;
    if (begin < end)
        draw_arrow(pen, {from.x + along.x * begin, from.y + along.y * begin},
                   {from.x + along.x * end, from.y + along.y * end}, ink, width, side);
}

std::vector<Vec> in_circle(Vec middle, float radius_x, float radius_y, std::size_t count) {
    std::vector<Vec> all;
    for (std::size_t i = 0; i < count; ++i) {
        const float turn = 2 * std::numbers::pi_v<float> * (float(i) / float(count) - (count == 2 ? 0.5f : 0.25f));
        all.push_back({middle.x + radius_x * std::cos(turn), middle.y + radius_y * std::sin(turn)});
    }
    return all;
}

void draw_arrow(Pen& pen, Vec from, Vec to, Ink ink, float width, float side) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1) return;
    draw_segment(pen, from, to, ink, width);
    const Vec along{(to.x - from.x) / length, (to.y - from.y) / length};
    const Vec root{to.x - 1.6f * side * along.x, to.y - 1.6f * side * along.y};
    pen.add(Triangle{{root.x - side * along.y, root.y + side * along.x},
                     {root.x + side * along.y, root.y - side * along.x},
                     to,
                     ink,
                     0});
}

Curve edge_curve(Vec from, Vec to, Ink ink, float width, float drawn, Id id) {
    const float middle = (from.y + to.y) / 2;
    return {from, {from.x, middle}, {to.x, middle}, to, ink, width, drawn, id};
}

float fitting_size(const Pen& pen, std::string_view text, Face face, float most, float least, float width) {
    float size = std::floor(most);
    while (size >= least && pen.width(text, face, size) > width) size -= 1;
    return size >= least ? size : 0;
}

void draw_corner(Pen& pen, Box box, float side, Ink ink, Id id) {
    const float right = box.right();
    pen.add(Triangle{{right - side, box.y}, {right, box.y}, {right, box.y + side}, ink, id});
}

void draw_tick(Pen& pen, Vec at, Ink ink) {
    draw_segment(pen, {at.x - 6, at.y}, {at.x - 2, at.y + 5}, ink, 2.6f);
    draw_segment(pen, {at.x - 2, at.y + 5}, {at.x + 7, at.y - 6}, ink, 2.6f);
}

void separator(Pen& pen, float x, float y, float width) {
    pen.fill({x, y, width, 1}, {kLine});
}

}  // namespace warptree::scene
