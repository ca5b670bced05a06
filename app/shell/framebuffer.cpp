#include "app/shell/framebuffer.hpp"

#include <glad/gl.h>

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/trace/durable_file.hpp"

namespace warptree::shell {

Framebuffer::~Framebuffer() {
    if (name_ == 0) return;
    glDeleteFramebuffers(1, &name_);
    glDeleteRenderbuffers(1, &colour_);
}

/// Edges are smoothed by the painter, so one sample a pixel is enough.
bool Framebuffer::resize(int width, int height) {
    if (name_ == 0) {
        glGenFramebuffers(1, &name_);
        glGenRenderbuffers(1, &colour_);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, name_);
    if (width == width_ && height == height_) return true;
    glBindRenderbuffer(GL_RENDERBUFFER, colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
    width_ = width, height_ = height;
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

Result<void> Framebuffer::paint(Renderer& renderer, std::span<const scene::Scene* const> scenes, int width, int height,
                                float scale, const paint::Theme& theme) {
    if (auto fits = check_size(width, height); !fits) return fits;
    if (!resize(width, height)) {
        return failure(fmt::format(
            "The graphics driver has no room for a picture of {} x {} pixels; try a smaller one.", width, height));
    }
    renderer.draw(scenes, width, height, scale, theme);
    glFinish();
    return {};
}

Result<Image> Framebuffer::read() {
    // OpenGL counts rows from the bottom.
    const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_);
    std::vector<std::uint8_t> rgba(w * h * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    const GLenum error = glGetError();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (error != GL_NO_ERROR) {
        return failure(
            fmt::format("The picture could not be read back from the graphics driver (OpenGL error 0x{:x}).", error));
    }
    Image image{width_, height_, std::vector<std::uint8_t>(w * h * 3)};
    for (std::size_t y = 0; y < h; ++y) {
        const std::uint8_t* from = rgba.data() + (h - 1 - y) * w * 4;
        std::uint8_t* to = image.rgb.data() + y * w * 3;
        for (std::size_t x = 0; x < w; ++x, from += 4, to += 3) to[0] = from[0], to[1] = from[1], to[2] = from[2];
    }
    return image;
}

Result<state::Services::Rest> picture(Renderer& renderer, const state::AppState& shown,
                                      const std::filesystem::path& path) {
    constexpr int kWidth = 1920, kHeight = 1080;
    const auto written = [path](const std::vector<std::byte>& bytes) { return trace::write_durably(path, bytes); };
    Pictures pictures = *Pictures::make(kWidth, kHeight);
    if (const Format format = format_of(path.string()); format != Format::kPng)
        return pictures.draw(shown, format).map([&](auto&& bytes) -> state::Services::Rest {
            return [written, bytes = std::move(bytes)] { return written(bytes); };
        });
    Framebuffer framebuffer;
    return framebuffer
        .paint(renderer, pictures.scenes(shown), kWidth, kHeight, pictures.scale(shown),
               paint::theme_or_default(shown.theme))
        .and_then([&] { return framebuffer.read(); })
        .map([&](Image&& image) -> state::Services::Rest {
            return [written, image = std::move(image)] { return encode_png(image).and_then(written); };
        });
}

}  // namespace warptree::shell
