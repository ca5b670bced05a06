// Shows a canvas in the current OpenGL 3.3 context, with Dear ImGui's own renderer. Used alike by the window and by
// pictures without one.
#pragma once

#include <memory>

#include "app/paint/canvas.hpp"
#include "instrumentation/result.hpp"

namespace warptree::shell {

class Renderer {
public:
    /// Needs a current context whose functions are loaded (gladLoadGL), which has to outlive the renderer.
    static Result<std::unique_ptr<Renderer>> make(const paint::Fonts& fonts);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Paints scenes over the theme's background into the bound framebuffer.
    /// width, height  pixels; scale  pixels a unit
    void draw(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
              const paint::Theme& theme);

private:
    explicit Renderer(const paint::Fonts& fonts);
    void upload_atlas();

    paint::Canvas canvas_;
    ImGuiContext* imgui_ = nullptr;
    unsigned texture_ = 0;
    int texture_size_ = 0;
};

}  // namespace warptree::shell
