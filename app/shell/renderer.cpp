// The renderer: one texture of coverage, drawn by imgui_impl_opengl3.
#include "app/shell/renderer.hpp"

#include <cstdint>
#include <span>
#include <vector>

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>  // Debian
#else
#include <imgui_impl_opengl3.h>  // vcpkg
#endif

namespace warptree::shell {
namespace {

#ifdef __EMSCRIPTEN__
constexpr const char* kShaders = "#version 300 es";
constexpr GLenum kStored = GL_LUMINANCE_ALPHA, kGiven = GL_LUMINANCE_ALPHA;
/// White with that opacity: WebGL does not take a channel for another.
std::vector<std::uint8_t> texels_of(const std::uint8_t* coverage, std::size_t count) {
    std::vector<std::uint8_t> texels(2 * count, 255);
    for (std::size_t i = 0; i < count; ++i) texels[2 * i + 1] = coverage[i];
    return texels;
}
#else
constexpr const char* kShaders = "#version 330 core";
constexpr GLenum kStored = GL_R8, kGiven = GL_RED;
std::span<const std::uint8_t> texels_of(const std::uint8_t* coverage, std::size_t count) {
    return {coverage, count};
}
#endif

}  // namespace

Renderer::Renderer(const paint::Fonts& fonts) : canvas_(fonts) {}

Result<std::unique_ptr<Renderer>> Renderer::make(const paint::Fonts& fonts) {
    std::unique_ptr<Renderer> renderer(new Renderer(fonts));
    renderer->imgui_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(renderer->imgui_);
    ImGui::GetIO().IniFilename = nullptr;
    if (!ImGui_ImplOpenGL3_Init(kShaders)) {
        ImGui::DestroyContext(renderer->imgui_);
        renderer->imgui_ = nullptr;
        return failure(
            "The OpenGL renderer of Dear ImGui did not start; it needs libGL.so.1, and a driver with OpenGL 3.3.");
    }
    ImGui_ImplOpenGL3_NewFrame();  // compiles its shaders

    glGenTextures(1, &renderer->texture_);
    glBindTexture(GL_TEXTURE_2D, renderer->texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
#ifndef __EMSCRIPTEN__
    // One channel is stored; the shader sees white with that opacity.
    const GLint swizzle[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
#endif
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
    const bool grown = texture_size_ != atlas.size();
    texture_size_ = atlas.size();
    const auto width = std::size_t(texture_size_);
    const int from = grown ? 0 : first, rows = grown ? texture_size_ : last - first;
    const auto texels = texels_of(atlas.pixels().data() + std::size_t(from) * width, std::size_t(rows) * width);
    if (grown)
        glTexImage2D(GL_TEXTURE_2D, 0, kStored, texture_size_, rows, 0, kGiven, GL_UNSIGNED_BYTE, texels.data());
    else
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, from, texture_size_, rows, kGiven, GL_UNSIGNED_BYTE, texels.data());
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
