// The window as a picture: the frame, composed once, painted off the screen or as vectors.
#include "app/paint/cairo_painter.hpp"
#include "app/paint/fonts.hpp"
#include "app/paint/svg_painter.hpp"
#include "app/paint/theme.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/shell/speaker.hpp"

namespace warptree::shell {

Result<std::vector<std::byte>> render(const AppState& state, int width, int height, Format format, bool speaker) {
    if (auto fits = check_size(width, height); !fits) return tl::unexpected(fits.error());
    const paint::Fonts fonts;
    const paint::Theme& theme = paint::theme_or_default(speaker ? state.other.theme : state.theme);
    Frame frame(fonts);
    state::Services services = state::services();
    services.patience = std::chrono::hours(24);  // what comes next is drawn, too
    SpeakerFrame beside(fonts, services);
    const scene::Vec size{static_cast<float>(width), static_cast<float>(height)};
    const float scale = pixels_per_unit(width, height, state.scale);
    const scene::Vec units{size.x / scale, size.y / scale};
    const auto scenes = speaker ? beside.compose(state, units, {1920, 1080}) : frame.compose(state, units);
    if (format == Format::kPdf) return paint::paint_pdf(scenes, size, scale, theme, fonts);
    if (format == Format::kSvg) {
        const std::string svg = paint::paint_svg(scenes, size, scale, theme, fonts);
        const auto bytes = std::as_bytes(std::span(svg));
        return std::vector(bytes.begin(), bytes.end());
    }
    auto offscreen = Offscreen::make(fonts);
    if (!offscreen) return tl::unexpected(offscreen.error());
    const auto image = (*offscreen)->draw(scenes, width, height, scale, theme);
    if (!image) return tl::unexpected(image.error());
    return encode_png(*image);
}

}  // namespace warptree::shell
