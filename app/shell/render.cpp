// The window as a picture: the frame, composed once, painted off the screen.
#include "app/paint/fonts.hpp"
#include "app/paint/theme.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"

namespace warptree::shell {

Result<std::vector<std::byte>> render_png(const AppState& state, int width, int height) {
    const paint::Fonts fonts;
    auto offscreen = Offscreen::make(fonts);
    if (!offscreen) return tl::unexpected(offscreen.error());
    Frame frame(fonts);
    const float scale = pixels_per_unit(width, height, state.scale);
    const auto scenes = frame.compose(state, {static_cast<float>(width) / scale, static_cast<float>(height) / scale});
    const auto image = (*offscreen)->draw(scenes, width, height, scale, paint::theme_or_default(state.theme));
    if (!image) return tl::unexpected(image.error());
    return encode_png(*image);
}

}  // namespace warptree::shell
