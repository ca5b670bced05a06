// The renderer: one texture of coverage, drawn by imgui_impl_opengl3.
#include "app/shell/renderer.hpp"

#include <glad/gl.h>
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>  // Debian
#else
#include <imgui_impl_opengl3.h>  // vcpkg
#endif

namespace warptree::shell {

Renderer::Renderer(const paint::Fonts& fonts) : canvas_(fonts) {}

Result<std::unique_ptr<Renderer>> Renderer::make(const paint::Fonts& fonts) {
    std::unique_ptr<Renderer> renderer(new Renderer(fonts));
    renderer->imgui_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(renderer->imgui_);
    ImGui::GetIO().IniFilename = nullptr;
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(renderer->imgui_);
        renderer->imgui_ = nullptr;
        return failure("The OpenGL renderer of Dear ImGui did not start; it needs a driver with OpenGL 3.3.");
    }
    ImGui_ImplOpenGL3_NewFrame();  // compiles its shaders

    // One channel is stored; the shader sees white with that opacity.
    glGenTextures(1, &renderer->texture_);
    glBindTexture(GL_TEXTURE_2D, renderer->texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const GLint swizzle[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
    return renderer;
}

Renderer::~Renderer() {
    if (!imgui_) return;
    ImGui::SetCurrentContext(imgui_);
    if (texture_) glDeleteTextures(1, &texture_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(imgui_);
}

void Renderer::upload_atlas() {
    const paint::GlyphAtlas& atlas = canvas_.atlas();
    const auto [first, last] = canvas_.atlas().take_dirty();
    if (first == last) return;
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (texture_size_ != atlas.size()) {
        texture_size_ = atlas.size();
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, texture_size_, texture_size_, 0, GL_RED, GL_UNSIGNED_BYTE,
                     atlas.pixels().data());
    } else {
        const auto* rows = atlas.pixels().data() + std::size_t(first) * std::size_t(texture_size_);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first, texture_size_, last - first, GL_RED, GL_UNSIGNED_BYTE, rows);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void Renderer::draw(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                    const paint::Theme& theme) {
    ImGui::SetCurrentContext(imgui_);
    canvas_.paint(scenes, width, height, scale, theme, texture_);
    upload_atlas();
    const paint::Colour ground = theme.fill(scene::Role::kBackground);
    glViewport(0, 0, width, height);
    glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
                 static_cast<float>(ground.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(&canvas_.data());
}

}  // namespace warptree::shell
