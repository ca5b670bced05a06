// EGL without a surface: Mesa's own platform first (software or hardware), then each device that EGL lists (NVIDIA).
#include "app/shell/offscreen.hpp"

#include <glad/egl.h>
#include <glad/gl.h>

#include <cairo.h>
#include <fmt/format.h>

#include <array>
#include <optional>

#include "app/paint/cairo_painter.hpp"
#include "app/shell/framebuffer.hpp"

namespace warptree::shell {
namespace {

constexpr std::string_view kNoEgl =
    "PNG pictures need EGL, and libEGL was not found on this system; install it (Debian: libegl1 and libgl1-mesa-dri), "
    "or draw an SVG or PDF file (a name ending in .svg or .pdf).";

/// A display and a context that is current; nothing where the display cannot have one.
struct Context {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
};

Context open(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return {};
    gladLoaderLoadEGL(display);  // what this display offers beyond EGL 1.0
    if (!eglBindAPI || !eglCreateContext) return {};
    static constexpr EGLint kConfig[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static constexpr EGLint kVersion[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, kConfig, &config, 1, &count) && count > 0) {
        const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion);
        if (context != EGL_NO_CONTEXT) {
            if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return {display, context};
            eglDestroyContext(display, context);
        }
    }
    eglTerminate(display);
    return {};
}

Context open_mesa() {
    if (!eglGetPlatformDisplayEXT) return {};
    return open(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
}

Context open_device() {
    if (eglQueryDevicesEXT && eglGetPlatformDisplayEXT) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count);
        for (EGLint i = 0; i < count; ++i) {
            const Context found =
                open(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
            if (found.context != EGL_NO_CONTEXT) return found;
        }
    }
    return {};
}

Context open_any(Offscreen::Prefer prefer) {
    const bool hardware = prefer == Offscreen::Prefer::kHardware;
    for (const auto& way : {hardware ? open_device : open_mesa, hardware ? open_mesa : open_device}) {
        const Context found = way();
        if (found.context != EGL_NO_CONTEXT) return found;
    }
    return open(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

}  // namespace

struct Offscreen::State {
    Context egl;
    std::unique_ptr<Renderer> renderer;
    std::optional<Framebuffer> framebuffer{std::in_place};

    ~State() {
        if (egl.context == EGL_NO_CONTEXT) return;
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl.context);
        renderer.reset(), framebuffer.reset();
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(egl.display, egl.context);
        eglTerminate(egl.display);
    }
};

Offscreen::Offscreen(std::unique_ptr<State> state) : state_(std::move(state)) {}
Offscreen::~Offscreen() = default;

Result<std::unique_ptr<Offscreen>> Offscreen::make(const paint::Fonts& fonts, Prefer prefer) {
    // Extensions of a display are known only once there is one, so the loader runs before and after.
    if (!gladLoaderLoadEGL(EGL_NO_DISPLAY)) return failure(std::string(kNoEgl));
    auto state = std::make_unique<State>();
    state->egl = open_any(prefer);
    if (state->egl.context == EGL_NO_CONTEXT) {
        return failure(fmt::format(
            "EGL is here, but no device of it offers OpenGL 3.3 without a display (EGL error 0x{:x}); install Mesa's "
            "software renderer (Debian: libgl1-mesa-dri).",
            eglGetError()));
    }
    if (!gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress))) {
        return failure("EGL gave a context, but its OpenGL functions could not be loaded; the driver is incomplete.");
    }
    auto renderer = Renderer::make(fonts);
    if (!renderer) return tl::unexpected(renderer.error());
    state->renderer = std::move(*renderer);
    return std::unique_ptr<Offscreen>(new Offscreen(std::move(state)));
}

std::string Offscreen::device() const {
    eglMakeCurrent(state_->egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, state_->egl.context);
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name ? name : "unknown";
}

Result<void> Offscreen::paint(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                              const paint::Theme& theme) {
    State& state = *state_;
    eglMakeCurrent(state.egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, state.egl.context);
    return state.framebuffer->paint(*state.renderer, scenes, width, height, scale, theme);
}

Result<Image> Offscreen::draw(std::span<const scene::Scene* const> scenes, int width, int height, float scale,
                              const paint::Theme& theme) {
    return paint(scenes, width, height, scale, theme).and_then([&] { return state_->framebuffer->read(); });
}

Result<std::vector<std::byte>> encode_png(const Image& image) {
    const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> owned(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height), cairo_surface_destroy);
    cairo_surface_t* surface = owned.get();
    if (const auto made = cairo_surface_status(surface); made != CAIRO_STATUS_SUCCESS)
        return failure(fmt::format("A picture of {} x {} pixels cannot be made: {}.", image.width, image.height,
                                   cairo_status_to_string(made)));
    cairo_surface_flush(surface);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
    unsigned char* rows = cairo_image_surface_get_data(surface);
    const auto w = static_cast<std::size_t>(image.width), h = static_cast<std::size_t>(image.height);
    for (std::size_t y = 0; y < h; ++y) {
        auto* to = reinterpret_cast<std::uint32_t*>(rows + y * stride);
        const std::uint8_t* from = image.rgb.data() + y * w * 3;
        for (std::size_t x = 0; x < w; ++x, from += 3) {
            to[x] = (std::uint32_t{from[0]} << 16) | (std::uint32_t{from[1]} << 8) | from[2];
        }
    }
    cairo_surface_mark_dirty(surface);
    std::vector<std::byte> bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, paint::append_to_bytes, &bytes);
    if (status != CAIRO_STATUS_SUCCESS)
        return failure(fmt::format("The picture could not be written as PNG: {}.", cairo_status_to_string(status)));
    return bytes;
}

}  // namespace warptree::shell
