// How the window divides: header above, transport below, and between them as many panels as keep their text legible.
#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"

namespace warptree::scene {
namespace {

constexpr TextRow kTexts[] = {{"desk", "Desk", 18}, {"lecture", "Lecture", 32}, {"hall", "Hall", 45}};

constexpr float kListing = 430, kCounters = 440, kMiddle = 500, kWidestSide = 520, kLeastMiddle = 420;

/// Side panels that would leave the middle too narrow are left out: first the listing, then the counters.
void divide(Layout& l, Box inside, float gap, const Split& split, float text) {
    const float width = inside.w, least_middle = kLeastMiddle * text;
    const auto side_of = [&](float share, float least) {  // the usual share, or what the user dragged it to
        const float usual = std::clamp(0.235f * width, text * least, text * kWidestSide);
        return share <= 0 ? usual : std::clamp(share * width, text * least, std::max(text * least, 0.45f * width));
    };
    const bool counters = width >= (kCounters + kMiddle) * text + gap && inside.h >= 330 * text;
    const bool listing = counters && width >= (kListing + kCounters) * text + 2 * gap + least_middle;
    float left = inside.x, right = inside.right();
    if (listing) {
        const float most = width - kCounters * text - 2 * gap - least_middle;
        l.listing = {left, inside.y, std::min(side_of(split.left, kListing), most), inside.h};
        left = l.listing.right() + gap;
    }
    if (counters) {
        const float w = std::min(side_of(split.right, kCounters), right - left - gap - least_middle);
        l.counters = {right - w, inside.y, w, inside.h};
        right = l.counters.x - gap;
    }
    l.middle = {left, inside.y, right - left, inside.h};
}

}  // namespace

std::span<const TextRow> text_rows() {
    return kTexts;
}

const TextRow* find_text(std::string_view name) {
    const auto row = std::ranges::find(kTexts, name, &TextRow::name);
    return row == std::end(kTexts) ? nullptr : row;
}

float text_scale(std::size_t row, Vec size) {
    constexpr float kLeastWidth = 640, kLeastHeight = 360;  // of a window in units of its contents
    const float wanted = kTexts[std::min(row, std::size(kTexts) - 1)].size / kTexts[0].size;
    return std::max(1.0f, std::min({wanted, size.x / kLeastWidth, size.y / kLeastHeight}));
}

Layout lecture_layout(Vec size, View view, float text) {
    constexpr float kFoot = 98, kSeveral = 118;  // of several captions
    Layout l = layout(size, view, {}, text);
    const float gap = 8, foot = text * (view == View::kCompare ? kSeveral : kFoot);
    l.foot = {gap, size.y - gap - foot, size.x - 2 * gap, foot};
    l.listing = l.counters = {};
    l.middle = {gap, gap, size.x - 2 * gap, std::max(1.0f, l.foot.y - 2 * gap)};
    return l;
}

void add_words(Layout& l, float height) {
    if (height <= 0) return;
    const float gap = 8, left = l.listing.w > 0 ? l.listing.x : l.middle.x,
                right = l.counters.w > 0 ? l.counters.right() : l.middle.right();
    l.words = {left, l.middle.y, right - left, height};
    for (Box* panel : {&l.listing, &l.middle, &l.counters})
        panel->y += height + gap, panel->h = std::max(1.0f, panel->h - height - gap);
}

float code_height(float window) {
    return (window >= 560 ? 3 : 2) * kCodePitch + kCodeAir;
}

void add_code(Layout& l, Vec size, float text) {
    constexpr float kLeastPicture = 150, kGap = 8;
    const float height = text * code_height(size.y / text), left = l.middle.h - height - kGap;
    if (left < kLeastPicture * text) return;
    l.code = {l.foot.x, l.foot.y - kGap - height, l.foot.w, height};
    l.middle.h = left;
}

Layout layout(Vec size, View view, const Split& split, float text) {
    const bool low = size.y < 560;  // large text on a small window: every line counts
    const float gap = low ? 12.0f : 20.0f, header = low ? 50.0f : 56.0f;
    float transport = low ? 126.0f : size.y >= 700 ? 176.0f : 150.0f;
    transport += (view == View::kCompare ? kCaptions : kCaption) * (text - 1);
    if (view == View::kCompare && !low) transport += 24;
    if (view == View::kLadder)
        transport = 0;  // it is of no run, and nothing is replayed
    else if (split.bottom > 0)
        transport = std::clamp(split.bottom * size.y, transport, std::max(transport, 0.4f * size.y));
    const float width = std::max(1.0f, size.x - 2 * gap);
    Layout l;
    l.header = {gap, low ? 4.0f : 10.0f, width, header};
    l.transport = {gap, size.y - transport - (low ? 8.0f : 16.0f), width, transport};
    const float top = l.header.bottom() + (low ? 4.0f : 10.0f);
    const Box inside{gap, top, width, std::max(1.0f, l.transport.y - (low ? 8.0f : 16.0f) - top)};
    if (view_row(view).wide) {
        l.middle = inside;
    } else {
        divide(l, inside, gap, split, text);
    }
    return l;
}

}  // namespace warptree::scene
