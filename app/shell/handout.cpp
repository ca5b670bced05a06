#include "app/shell/handout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/kit/draw.hpp"

namespace warptree::shell {

using scene::Box, scene::Face, scene::Pen, scene::Role;

scene::Scene handout_page(std::span<const HandoutEntry> entries, const std::string& title, const std::string& foot,
                          const scene::Measure& measure) {
    const scene::Vec picture = entries.front().size;
    const float pt = units_a_point(picture), text = 11 * pt, small = 9 * pt, left = kMargin * pt;
    scene::Scene page;
    Pen pen(page, measure);
    pen.fill({0, 0, kPaper.x * pt, kPaper.y * pt}, {Role::kPanel});
    pen.line({left, left - 12 * pt}, title, {Face::kSansBold, text, {Role::kText}}, picture.x);
    pen.line({left + picture.x / 2, (kPaper.y - 24) * pt}, foot, {Face::kSans, small, {Role::kTextDim}}, picture.x,
             scene::Align::kCentre);
    float y = left + 6 * pt;
    for (const HandoutEntry& entry : entries) {
        const Box box{left, y, picture.x, picture.y};
        scene::add_moved(page, entry.picture, {0, 0, picture.x, picture.y}, box);
        pen.frame(box, {Role::kIdle}, 0.75f * pt, 0);
        y = box.bottom() + 14 * pt;
        const float place = pen.line({box.right(), y}, entry.place, {Face::kSans, small, {Role::kTextDim}}, picture.x,
                                     scene::Align::kRight);
        const auto say = [&](const std::string& said, Face face) {
            y = pen.paragraph({left, y}, said, {face, text, {Role::kText}}, picture.x - place - 16 * pt);
        };
        if (!entry.question.empty()) {
            say(entry.question, Face::kSansBold);
            if (!entry.choices.empty()) say(fmt::format("{}", fmt::join(entry.choices, "  ·  ")), Face::kSans);
            say(entry.answer.empty() ? "Answer:" : entry.answer, Face::kSans);
            if (entry.answer.empty())
                pen.fill({left + 52 * pt, y - scene::line_height(text) / 2 - 3 * pt, 160 * pt, 0.75f * pt},
                         {Role::kTextDim});  // to write on
        }
        y += 18 * pt;
    }
    return page;
}

}  // namespace warptree::shell
