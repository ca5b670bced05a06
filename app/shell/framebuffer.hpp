// Pixels that a renderer paints into, in the OpenGL context that is current.
#pragma once

#include <filesystem>
#include <span>

#include "app/shell/offscreen.hpp"
#include "app/shell/renderer.hpp"
#include "app/state/app.hpp"

namespace warptree::shell {

class Framebuffer {
public:
    Framebuffer() = default;
    ~Framebuffer();
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    /// Returns when the driver has painted.
    /// errors  an absurd size; the driver has no room for it
    Result<void> paint(Renderer&, std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                       const paint::Theme&);
    /// What was painted. Leaves the context with its own framebuffer.
    Result<Image> read();

private:
    bool resize(int width, int height);

    unsigned name_ = 0, colour_ = 0;
    int width_ = 0, height_ = 0;
};

/// Paints what is on show, and returns what makes the file of it.
Result<state::Services::Rest> picture(Renderer&, const state::AppState& shown, const std::filesystem::path&);

}  // namespace warptree::shell
