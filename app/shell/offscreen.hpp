// Pictures without a window or a display: a surfaceless EGL context, a framebuffer, PNG bytes. The same scenes give
// the same bytes from run to run.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/kit/scene.hpp"
#include "app/paint/fonts.hpp"
#include "app/paint/theme.hpp"
#include "app/state/app_state.hpp"
#include "instrumentation/result.hpp"

namespace warptree::shell {

/// RGB pixels, rows from the top, 3 bytes a pixel.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

class Offscreen {
public:
    /// errors  no libEGL, no device, no OpenGL 3.3: each says what to install
    /// prefer  which driver, where there are several: one that gives the same pixels everywhere, or the fastest
    enum class Prefer : std::uint8_t { kReproducible, kHardware };
    static Result<std::unique_ptr<Offscreen>> make(const paint::Fonts& fonts, Prefer prefer = Prefer::kReproducible);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// width, height  pixels, 1..16384 each; scale  pixels a unit
    Result<Image> draw(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                       const paint::Theme& theme);

    /// The same without reading it back: returns when the driver has painted. For timing.
    Result<void> paint(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                       const paint::Theme& theme);
    /// The driver's name for what paints.
    std::string device() const;

private:
    struct State;
    explicit Offscreen(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// An image as a PNG file's bytes.
Result<std::vector<std::byte>> encode_png(const Image& image);

enum class Format : std::uint8_t { kPng, kSvg, kPdf };
/// The whole window as a file's bytes, at rest, with no window and no display.
/// width, height  pixels; points of a PDF's page
/// errors  an absurd size; no EGL, which PNG needs
/// speaker        the speaker's screen beside it instead
Result<std::vector<std::byte>> render(const state::AppState& state, int width, int height, Format format = Format::kPng,
                                      bool speaker = false);

}  // namespace warptree::shell
