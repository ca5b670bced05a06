// Pictures: the window's scenes, in each format. Neighbour: offscreen.cpp paints their pixels.
#include <cstdio>

#include <fmt/format.h>

#include "app/paint/vector_painters.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/shell/speaker_frame.hpp"
#include "instrumentation/text.hpp"

namespace warptree::shell {

Result<void> check_size(int width, int height) {
    constexpr int kMost = 16384;
    if (width >= 1 && height >= 1 && width <= kMost && height <= kMost) return {};
    return usage_error(
        fmt::format("A picture of {} x {} pixels cannot be made; each side takes 1 to {}.", width, height, kMost));
}

Format format_of(const std::string& path) {
    const std::string ending = ending_of(path);
    return ending == ".svg" ? Format::kSvg : ending == ".pdf" ? Format::kPdf : Format::kPng;
}

struct Pictures::State {
    int width, height;
    State(int w, int h) : width(w), height(h) {}
    paint::Fonts fonts{};
    Frame frame{fonts};
    SpeakerFrame beside{fonts, patient()};
    std::unique_ptr<Offscreen> offscreen{};
    std::unique_ptr<paint::PdfPages> pages{};

    static state::Services patient() {
        state::Services services = state::services();
        services.patience = std::chrono::hours(24);  // what comes next is drawn, too
        return services;
    }
    scene::Vec size() const { return {static_cast<float>(width), static_cast<float>(height)}; }
    ~State() {  // said once all of it is drawn
        if (const std::string said = fonts.missing(); !said.empty()) std::fprintf(stderr, "%s\n", said.c_str());
    }
};

Result<Pictures> Pictures::make(int width, int height) {
    return check_size(width, height).map([&] { return Pictures(std::make_unique<State>(width, height)); });
}
Pictures::Pictures(std::unique_ptr<State> state) : state_(std::move(state)) {}
Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;

namespace {

const paint::Theme& theme_of(const AppState& state, bool speaker) {
    return paint::theme_or_default(speaker ? state.other.theme : state.theme);
}

}  // namespace

const scene::Measure& Pictures::measure() const {
    return state_->fonts;
}

float Pictures::scale(const AppState& state) const {
    return pixels_per_unit(state_->width, state_->height, state.scale);
}

std::span<const scene::Scene* const> Pictures::scenes(const AppState& state, bool speaker) {
    const float by = scale(state);
    const scene::Vec units{state_->size().x / by, state_->size().y / by};
    return speaker ? state_->beside.compose(state, units, {1920, 1080}) : state_->frame.compose(state, units);
}

Result<Image> Pictures::pixels(const AppState& state, bool speaker) {
    if (!state_->offscreen) {
        auto made = Offscreen::make(state_->fonts);
        if (!made) return tl::unexpected(made.error());
        state_->offscreen = std::move(*made);
    }
    return state_->offscreen->draw(scenes(state, speaker), state_->width, state_->height, scale(state),
                                   theme_of(state, speaker));
}

Result<std::vector<std::byte>> Pictures::draw(const AppState& state, Format format, bool speaker) {
    const paint::Theme& theme = theme_of(state, speaker);
    if (format == Format::kPng) return pixels(state, speaker).and_then(encode_png);
    if (format == Format::kPdf)
        return paint::paint_pdf(scenes(state, speaker), state_->size(), scale(state), theme, state_->fonts);
    const std::string svg =
        paint::paint_svg(scenes(state, speaker), state_->size(), scale(state), theme, state_->fonts);
    const auto bytes = std::as_bytes(std::span(svg));
    return std::vector(bytes.begin(), bytes.end());
}

Result<void> Pictures::add_page(const AppState& state) {
    return add_page(scenes(state), state_->size(), scale(state), theme_of(state, false));
}

Result<void> Pictures::add_page(std::span<const scene::Scene* const> page, scene::Vec size, float scale,
                                const paint::Theme& theme) {
    if (!state_->pages) state_->pages = std::make_unique<paint::PdfPages>();
    return state_->pages->add(page, size, scale, theme, state_->fonts);
}

Result<std::vector<std::byte>> Pictures::pdf() {
    return std::exchange(state_->pages, nullptr)->finish();
}

Result<std::vector<std::byte>> render(const AppState& state, int width, int height, Format format, bool speaker) {
    return Pictures::make(width, height).and_then([&](Pictures pictures) {
        return pictures.draw(state, format, speaker);
    });
}

}  // namespace warptree::shell
