// The window in a browser's page. The page hands in keys, the pointer, files and the time, and gets what to do around
// the picture. Neighbour: page.js, which calls the functions below.
#include <emscripten.h>
#include <emscripten/html5.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/shell/stage.hpp"
#include "app/shell/web/worker.hpp"
#include "app/shell/window.hpp"

namespace warptree::shell {
namespace {

// What the page does for the program; it is there in a browser alone.
EM_JS(int, page_begins, (), {  // what is there when main() has returned goes on
    noExitRuntime = typeof document == 'object';
    return noExitRuntime ? 1 : 0;
});
EM_JS(void, page_copies, (const char* text), { Module.copies(UTF8ToString(text)); });
EM_JS(void, page_keeps, (const char* path), { Module.keeps(UTF8ToString(path)); });
EM_JS(char*, page_pastes, (), {
    const size = lengthBytesUTF8(Module.pasted) + 1, text = _malloc(size);
    stringToUTF8(Module.pasted, text, size);
    return text;
});

constexpr double kKeepSeconds = 0.5;  // between two times that settings are kept

std::string pasted() {
    const std::unique_ptr<char, decltype(&std::free)> text(page_pastes(), &std::free);
    return text.get();
}

Worker worker;  // outlives the page

struct Page {
    state::App app;
    paint::Fonts fonts{};
    std::unique_ptr<Renderer> renderer{};
    std::unique_ptr<Stage> stage{};
    state::Keyboard keyboard{};
    Json kept;  // as written last
    double kept_at = 0, before = 0;
    int width = 0, height = 0;
    float ratio = 0;
    bool changed = true, settings_changed = false;
    std::string said{};

    Page(AppState state, state::Services services, Json settings)
        : app(std::move(state), std::move(services)), kept(std::move(settings)) {}

    /// errors  no renderer; what was there stays
    Result<void> begin_drawing() {
        auto made = Renderer::make(fonts);
        if (!made) return tl::unexpected<Error>(made.error());
        stage = std::make_unique<Stage>(app, fonts, **made, pasted);
        renderer = std::move(*made);
        changed = true;
        return {};
    }

    bool take(const InputEvent& event) {
        const bool taken = stage->take(event);
        changed = changed || taken;
        return taken;
    }

    /// Writes what is remembered where it has changed.
    void keep(double now) {
        if (now < kept_at + kKeepSeconds || !settings_changed || app.state().work) return;
        kept_at = now;
        settings_changed = false;
        Json settings = state::remembered(app.state(), {}, kept);
        if (settings == kept) return;
        kept = std::move(settings);
        const std::string path = state::settings_path().string();
        if (state::save_settings(kept, path)) page_keeps(path.c_str());
    }
};

std::unique_ptr<Page> page;  // from run_window() on, for as long as the page is open

bool make_context() {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
    wanted.preserveDrawingBuffer = true;  // what has not changed is not drawn again
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &wanted);
    return context > 0 && emscripten_webgl_make_context_current(context) == EMSCRIPTEN_RESULT_SUCCESS;
}

int refuse(const char* what) {
    std::fprintf(stderr, "warptree: %s\n", what);
    return 1;
}

}  // namespace

int run_window(AppState state, const state::Settings& loaded, bool, state::Services services) {
    if (page_begins() == 0)
        return refuse("There is no window here; the commands tell what it shows (warptree --help).");
    if (!make_context()) return refuse("This browser offers no WebGL 2, with which pictures are drawn here.");
    services.copy = [](const std::string& text) { page_copies(text.c_str()); };
    worker.serve(services);
    page = std::make_unique<Page>(std::move(state), std::move(services), loaded.kept);
    for (const std::string& message : page->fonts.messages()) page->app.say(message, false, true);
    for (const std::string& message : loaded.messages) page->app.say(message, true, true);
    if (auto begun = page->begin_drawing(); !begun) return refuse(begun.error().message.c_str());
    return 0;
}

}  // namespace warptree::shell

using warptree::shell::page;
using warptree::shell::worker;
using namespace warptree::shell;

// Of page.js
extern "C" {

/// modifiers  1: Control, 2: Shift, 4: Alt, 8: the key is held down
/// character  that the press makes; 0: none
/// returns    whether it means something here, and so nothing to the browser
EMSCRIPTEN_KEEPALIVE int page_key(int named, unsigned printed, unsigned place, unsigned character, int modifiers) {
    const auto has = [modifiers](int bit) { return (modifiers & bit) != 0; };
    const auto press = page->keyboard.key({.named = static_cast<Named>(named),
                                           .printed = printed,
                                           .place = place,
                                           .control = has(1),
                                           .shift = has(2),
                                           .alt = has(4),
                                           .repeated = has(8)});
    bool taken = press && page->take(KeyEvent{*press, page->keyboard.repeated()});
    if (!press && character != 0) {
        const KeyPress typed = page->keyboard.character(character);
        taken = page->take(KeyEvent{typed, page->keyboard.repeated()});
    }
    return taken ? 1 : 0;
}

/// kind  of chrome::PointerEvent; x, y  pixels. returns  whether it did something
EMSCRIPTEN_KEEPALIVE int page_pointer(int kind, float x, float y, float wheel, int modifiers) {
    const auto what = static_cast<warptree::chrome::PointerEvent::Kind>(kind);
    return page->take(PointerMoved{{what, {x, y}, wheel, (modifiers & 1) != 0, (modifiers & 2) != 0}}) ? 1 : 0;
}

/// path  of a file here, or a link
EMSCRIPTEN_KEEPALIVE void page_open(const char* path) {
    page->take(Dropped{path});
}

/// The browser took the graphics away, with all that was in their memory, and has given them back.
/// returns  whether they are drawn with again
EMSCRIPTEN_KEEPALIVE int page_restored() {
    return page->begin_drawing() ? 1 : 0;
}

/// The browser has left full screen, or entered it.
EMSCRIPTEN_KEEPALIVE void page_full_screen(int full) {
    if (page->app.state().full_screen == (full != 0)) return;
    page->app.apply(warptree::scene::turn(Field::kFullScreen));
    page->changed = true;
}

/// Lets time pass, and draws what has changed.
/// now  seconds; width, height  pixels; ratio  of the screen's to the page's
/// returns  nothing was drawn: -1; else the Cursor, and 16 where the window is to be full screen
EMSCRIPTEN_KEEPALIVE int page_frame(double now, int width, int height, float ratio) {
    Page& p = *page;
    const double seconds = std::min(0.1, now - p.before);
    p.before = now;
    p.changed = worker.go_on() || p.changed;
    p.changed = (p.app.moving() && p.app.update(seconds)) || p.changed;
    p.changed = p.stage->tell_time(now) || p.changed;
    if (p.app.state().speaking) {
        p.app.apply({.action = Action::kSpeaker, .value = -1});
        p.app.say("A page has no second window; the speaker's is the desktop's.", false);
    }
    p.settings_changed = p.settings_changed || p.changed;
    const bool sized = width != p.width || height != p.height || ratio != p.ratio;
    p.keep(now);
    if (!p.changed && !sized && !p.stage->stale()) return -1;
    p.changed = false;
    p.width = width, p.height = height, p.ratio = ratio;
    p.stage->draw(width, height, ratio);
    return static_cast<int>(p.stage->cursor()) | (p.app.state().full_screen ? 16 : 0);
}

/// What has changed since it was asked last, as announce.hpp has it; "": nothing.
EMSCRIPTEN_KEEPALIVE const char* page_says() {
    page->said = page->stage->announcement();
    return page->said.c_str();
}

}  // extern "C"
