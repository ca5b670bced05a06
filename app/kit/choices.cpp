// The kit's choices: buttons in groups, and sliders.
#include "app/kit/kit.hpp"

namespace warptree::scene {

float draw_choices(Pen& pen, Box row, std::vector<std::vector<Choice>> groups, const Target& hover, Align from) {
    constexpr float kAround = 28, kBetween = 6, kApart = 24, kNext = 14;
    const auto width_of = [&](const Choice& one) {
        return std::min(row.w, pen.width(one.text, kSansBold, kSmall) + kAround + (one.next || one.opens) * kNext);
    };
    const auto width = [&] {
        float all = -kApart;
        for (const auto& group : groups) {
            for (const Choice& one : group) all += width_of(one) + kBetween;
            all += group.empty() ? 0 : kApart - kBetween;
        }
        return all;
    };
    if (width() > row.w)
        for (auto& group : groups)
            for (Choice& one : group)
                if (!one.brief.empty()) one.text = one.brief;
    for (auto& group : groups) {
        const auto chosen = std::ranges::find(group, true, &Choice::chosen);
        if (width() <= row.w || group.size() < 2 || chosen == group.end()) continue;
        const auto next = chosen + 1 == group.end() ? group.begin() : chosen + 1;
        group = {{chosen->text, next->command, next->tooltip, true, "", true}};
    }
    while (width() > row.w) {
        std::erase_if(groups, [](const auto& group) { return group.empty(); });
        groups.front().erase(groups.front().begin());
    }
    const float used = std::max(0.0f, width());
    if (from == kRight) row.x = row.right() - used;
    for (const auto& group : groups) {
        for (const Choice& one : group) {
            const Box pill = cut_left(row, width_of(one), kBetween);
            const Id id = pen.button(pill, one.command, one.tooltip, pill.h / 2);
            draw_pill(pen, pill, one.text, one.chosen, pack(hover) == id, (one.next || one.opens) * kNext);
            const Vec at{pill.right() - 17, pill.centre().y};
            if (one.next) pen.add(Triangle{{at.x, at.y - 5}, {at.x + 6, at.y}, {at.x, at.y + 5}, {kOnAccent}});
            if (one.opens)
                pen.add(Triangle{{at.x - 3, at.y - 2.5f}, {at.x + 7, at.y - 2.5f}, {at.x + 2, at.y + 3.5f}, {kText}});
        }
        if (!group.empty()) cut_left(row, kApart - kBetween);
    }
    return used;
}

void draw_pill(Pen& pen, Box box, std::string_view text, bool chosen, bool hot, float right) {
    const Role ground = chosen ? kAccent : hot ? kRaisedHover : kRaised;
    pen.framed(box, {ground}, {kLine}, chosen ? 0.0f : 1.0f, box.h / 2);
    cut_right(box, right);
    pen.line(box.centre(), text, {chosen ? kSansBold : kSans, kSmall, {chosen ? kOnAccent : kText}}, box.w - 16,
             kCentre);
}

void draw_slider(Pen& pen, Word word, std::string_view title, std::span<const std::uint32_t> values, std::size_t at,
                 Box box, const std::function<Command(std::size_t)>& command,
                 const std::function<std::string(std::size_t)>& tooltip) {
    constexpr float kValue = 70, kMargin = 11, kHalf = 9;
    const About about(pen, word);
    pen.line({box.x, box.y + 12}, title, kDim, box.w - kValue);
    pen.line({box.right(), box.y + 12}, std::to_string(values[at]), {kMonoBold, 18, {kText}}, kValue, kRight);
    const float y = box.y + 42, left = box.x + kMargin, w = box.w - 2 * kMargin;
    pen.fill({left, y - 2, w, 4}, {kLine}, 2);
    Track track{{box.x, box.y + 24, box.w, 36}, command(at), {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float x = left + w * i / std::max<std::size_t>(1, values.size() - 1);
        track.stops.emplace_back(x, command(i).value);
        pen.ring({x, y}, i == at ? kMargin : 5.0f, {i == at ? kAccent : kTextDim}, {kPanel}, 2);
        if (i + 1 == at || i == at + 1)
            pen.button({x - kHalf, y - kHalf, 2 * kHalf, 2 * kHalf}, command(i), tooltip(i), kHalf);
    }
    pen.scene().tracks.push_back(std::move(track));
}

}  // namespace warptree::scene
