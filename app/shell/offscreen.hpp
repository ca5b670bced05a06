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

/// Refuses a picture whose sides are not 1 to 16,384 pixels.
Result<void> check_size(int width, int height);

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
/// What a file's name asks for; without an ending, PNG.
Format format_of(const std::string& path);

/// The whole window, at rest or not, drawn again and again with no window and no display.
class Pictures {
public:
    /// width, height  pixels; points of a PDF's page
    /// errors  an absurd size
    static Result<Pictures> make(int width, int height);
    ~Pictures();
    Pictures(Pictures&&) noexcept;

    /// As a file's bytes.
    /// speaker  the speaker's screen beside it instead
    /// errors   no EGL, which PNG needs
    Result<std::vector<std::byte>> draw(const state::AppState&, Format, bool speaker = false);
    Result<Image> pixels(const state::AppState&, bool speaker = false);
    /// One more page of a PDF.
    Result<void> add_page(const state::AppState&);
    /// One more, of other scenes. scale  points a unit; size  points
    Result<void> add_page(std::span<const scene::Scene* const>, scene::Vec size, float scale, const paint::Theme&);
    /// All pages so far, as a file's bytes; the next page begins another file.
    Result<std::vector<std::byte>> pdf();
    /// The window's scenes, in units: its size over scale(). Valid until something else is drawn.
    std::span<const scene::Scene* const> scenes(const state::AppState&, bool speaker = false);
    float scale(const state::AppState&) const;
    const scene::Measure& measure() const;

private:
    struct State;
    explicit Pictures(std::unique_ptr<State>);
    std::unique_ptr<State> state_;
};

/// One picture.
/// errors  as of Pictures
Result<std::vector<std::byte>> render(const state::AppState& state, int width, int height, Format format = Format::kPng,
                                      bool speaker = false);

}  // namespace warptree::shell
