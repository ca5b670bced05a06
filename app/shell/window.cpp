// The window's loop: wait, apply what came in, let time pass, draw if anything changed.
#include "app/shell/window.hpp"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iterator>
#include <optional>
#include <utility>

#include "app/paint/fonts.hpp"
#include "app/shell/busy.hpp"
#include "app/shell/framebuffer.hpp"
#include "app/shell/glfw_input.hpp"
#include "app/shell/monitors.hpp"
#include "app/shell/speaker.hpp"
#include "app/shell/stage.hpp"
#include "app/state/app.hpp"
#include "instrumentation/beside.hpp"

namespace warptree::shell {
namespace {

constexpr double kShortestFrame = 1.0 / 120;  // seconds, where the driver does not wait for the screen
constexpr double kSaveSeconds = 0.25;         // between two times that settings are written
constexpr double kClockSeconds = 2;           // between two looks at the time of day
constexpr double kKeysSeconds = 1;            // between two looks at the file of keys
constexpr double kFileSeconds = 0.3;          // between two looks at a program's file
constexpr int kLeastWidth = 640, kLeastHeight = 400;

std::string& glfw_reason() {
    static std::string reason;
    return reason;
}

int refuse(const std::string& what) {
    std::fprintf(stderr, "warptree: %s%s%s `warptree render` makes pictures without a window.\n", what.c_str(),
                 glfw_reason().empty() ? "" : " GLFW says: ", glfw_reason().c_str());
    return 1;
}

/// GLFW for the time of one run.
struct Glfw {
    bool ready;
    Glfw() {
        glfwSetErrorCallback([](int, const char* text) { glfw_reason() = std::string(text) + "."; });
        ready = glfwInit() == GLFW_TRUE;
    }
    ~Glfw() { glfwTerminate(); }
};

GLFWwindow* create_window(const state::WindowPlace& settings) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, settings.maximized ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "warptree");
    const Placement place = on_a_monitor({settings.x, settings.y, settings.width, settings.height});
    GLFWwindow* window = glfwCreateWindow(std::max(place.width, kLeastWidth), std::max(place.height, kLeastHeight),
                                          "Warptree", nullptr, nullptr);
    if (!window) return nullptr;
    glfwSetWindowSizeLimits(window, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (settings.x != state::WindowPlace::kNoPosition) {
        glfwSetWindowPos(window, place.x, place.y);
        return window;
    }
    // The first one: as large as on a usual screen, also where a window is measured in pixels and those are small
    int pixels = 0, width = 0;
    glfwGetFramebufferSize(window, &pixels, nullptr);
    glfwGetWindowSize(window, &width, nullptr);
    const float scale = pixels == width ? content_scale(window) : 1;
    const auto scaled = [scale](int size) { return static_cast<int>(std::lround(scale * static_cast<float>(size))); };
    const Placement large = on_a_monitor({place.x, place.y, scaled(settings.width), scaled(settings.height)});
    glfwSetWindowSize(window, large.width, large.height);
    return window;
}

/// Files when they were looked at: a program's, or a lesson's.
struct FileState {
    std::string path{};         // of the program, or the lesson
    std::uint64_t written = 0;  // when; of several the sum, as a file's time may go back, too
    std::uintmax_t size = 0;    // of all
    bool whole = true;          // none is empty, or gone
    bool operator==(const FileState&) const = default;
};

FileState look_at(const state::AppState& s) {
    const auto watched = s.watched();
    if (watched.empty()) return {};
    FileState now{.path = watched.size() == 1 ? watched.front().string() : s.file};
    for (const std::filesystem::path& source : watched) {
        std::error_code error;
        now.written +=
            static_cast<std::uint64_t>(std::filesystem::last_write_time(source, error).time_since_epoch().count());
        const std::uintmax_t size = std::filesystem::file_size(source, error);
        now.whole = now.whole && !error && size > 0;
        now.size += error ? 0 : size;
    }
    return now;
}

class Window {
public:
    Window(GLFWwindow* window, state::App& app, const paint::Fonts& fonts, Renderer& renderer, Json settings,
           bool announce)
        : window_(window),
          app_(app),
          fonts_(fonts),
          stage_(app, fonts, renderer,
                 [window] {
                     const char* text = glfwGetClipboardString(window);
                     return std::string(text == nullptr ? "" : text);
                 }),
          input_(window),
          announce_(announce),
          saved_(std::move(settings)) {
        hand_ = glfwCreateStandardCursor(GLFW_HAND_CURSOR);
        horizontal_ = glfwCreateStandardCursor(GLFW_HRESIZE_CURSOR);
        vertical_ = glfwCreateStandardCursor(GLFW_VRESIZE_CURSOR);
        track_placement();
    }
    ~Window() {
        speaker_.reset();
        glfwMakeContextCurrent(window_);  // for its renderer, which goes next
        for (GLFWcursor* cursor : {hand_, horizontal_, vertical_}) {
            if (cursor) glfwDestroyCursor(cursor);
        }
    }

    void run() {
        look_around();
        look_at_keys(false);
        draw();
        glfwShowWindow(window_);
        announce();
        auto before = std::chrono::steady_clock::now();
        while (!app_.state().quit) {
            const bool was_moving = app_.moving() || (speaker_ && speaker_->moving());
            const bool watching = !app_.state().watched().empty();
            if (was_moving || unsaved_ || watching || app_.state().lecture) {
                glfwWaitEventsTimeout(was_moving ? (drew_ ? kShortestFrame : 0.01)
                                      : unsaved_ ? kSaveSeconds
                                      : watching ? kFileSeconds
                                                 : kClockSeconds);
            } else {
                glfwWaitEventsTimeout(kKeysSeconds);
            }
            const Busy busy;
            const auto now = std::chrono::steady_clock::now();
            const double seconds = std::min(0.1, std::chrono::duration<double>(now - before).count());
            before = now;
            bool changed = take_input();
            if (glfwWindowShouldClose(window_)) {
                glfwSetWindowShouldClose(window_, GLFW_FALSE);
                app_.apply({.action = state::Action::kQuit});
                changed = true;
            }
            changed = look_around() || changed;
            changed = look_at_file() || changed;
            changed = look_at_keys(true) || changed;
            if (was_moving) changed = app_.update(seconds) || changed;
            follow_full_screen();
            follow_speaker();
            drew_ = changed || stage_.stale();
            if (drew_) draw();
            if (speaker_) speaker_->update(seconds), speaker_->show(app_.state(), stage_.size());
            announce();
            keep();
            if (announce_ && began_) longest_ = std::max(longest_, busy.seconds());
            began_ = true;
        }
        track_placement();
    }

    /// What to start from the next time.
    Json remembered() const {
        const auto& [x, y, width, height] = placement_;
        return state::remembered(app_.state(), {width, height, x, y, maximized_}, saved_);
    }

private:
    /// Writes what is remembered soon after it has changed, so that a start after a crash stands where this one did.
    /// Done beside the window, which must not wait for a disk.
    void keep() {
        if (keeping_.valid() && keeping_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        Json settings = remembered();
        unsaved_ = settings != saved_;
        const double now = glfwGetTime();
        if (!unsaved_ || app_.state().work || now < saved_at_ + kSaveSeconds) return;
        saved_ = settings;
        saved_at_ = now;
        unsaved_ = false;
        keeping_ = later([settings = std::move(settings)] {
            return state::save_settings(settings, state::settings_path()).has_value();
        });
        if (keeping_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) keeping_.wait();
    }

    bool take_input() {
        bool changed = false;
        const auto take_all = [&](std::vector<InputEvent> events) {
            for (const InputEvent& event : events) {
                if (std::holds_alternative<Redraw>(event)) track_placement();
                changed = stage_.take(event) || changed;
            }
        };
        take_all(input_.take());
        if (!speaker_) return changed;
        std::vector<InputEvent> beside = speaker_->take();  // keys and files, as in the other window
        std::erase_if(beside, [](const InputEvent& e) { return std::holds_alternative<PointerMoved>(e); });
        if (!beside.empty()) speaker_->redraw();
        take_all(std::move(beside));
        return changed;
    }

    /// Opens the speaker's window, and closes it; anew where it belongs on another monitor.
    void follow_speaker() {
        if (speaker_ && speaker_->closed()) app_.apply({.action = Action::kSpeaker, .value = -1});
        const AppState& s = app_.state();
        Placement place = area_of(s.speaker_monitor());
        if (s.monitors == 1)
            place = {place.x + place.width / 2, place.y + place.height / 2, place.width / 2, place.height / 2};
        if (s.speaking == (speaker_ != nullptr) && (!speaker_ || place == speaker_place_)) return;
        glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, s.speaking ? GLFW_FALSE : GLFW_TRUE);  // it loses the focus
        speaker_.reset();
        if (!s.speaking) return;
        speaker_place_ = place;
        state::Services services = state::services();
        services.patience = std::chrono::milliseconds(0);  // a step of the lecture waits for no picture of the next
        speaker_ = SpeakerWindow::open(place, fonts_, services);
        if (!speaker_) app_.apply({.action = Action::kSpeaker, .value = -1});
    }

    /// Tells the app what time it is, and how many monitors there are.
    bool look_around() {
        const AppState& s = app_.state();
        if (monitor_count() != s.monitors)
            app_.apply({.action = Action::kMonitors, .value = static_cast<double>(monitor_count())});
        return stage_.tell_time(glfwGetTime());
    }

    /// Runs a program again, or reads a lesson again, whose file was saved; not in the midst of saving, when it is
    /// empty or may still grow.
    bool look_at_file() {
        const AppState& s = app_.state();
        const FileState now = look_at(s);
        const bool settled = now == std::exchange(seen_, now);
        if (now.path != ran_.path || now.path.empty()) return void(ran_ = now), false;
        if (!now.whole || !settled || now == ran_ || s.work) return false;
        ran_ = now;
        app_.apply({.action = Action::kRunAgain});
        return true;
    }

    /// Takes the keys of the user's own file, where it was saved since the last look.
    bool look_at_keys(bool saved) {
        const std::filesystem::path path = state::keys_path();
        std::error_code error;
        const auto written = std::filesystem::last_write_time(path, error);
        if (written == std::exchange(keys_written_, written)) return false;
        app_.apply({.action = Action::kKeys, .value = saved ? 1.0 : 0.0, .text = path.string()});
        return true;
    }

    /// Remembers where the window is when it is neither maximized nor full screen.
    void track_placement() {
        maximized_ = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
        if (maximized_ || glfwGetWindowMonitor(window_)) return;
        glfwGetWindowPos(window_, &placement_.x, &placement_.y);
        glfwGetWindowSize(window_, &placement_.width, &placement_.height);
    }

    void follow_full_screen() {
        const AppState& s = app_.state();
        GLFWmonitor *now = glfwGetWindowMonitor(window_), *wanted = nullptr;
        if (s.full_screen && s.lecture && s.monitors > 1)
            wanted = monitor(s.lecture_monitor());
        else if (s.full_screen)
            wanted = now ? now : monitor_under(window_);
        if (wanted == now) return;
        if (!wanted)
            return glfwSetWindowMonitor(window_, nullptr, placement_.x, placement_.y, placement_.width,
                                        placement_.height, GLFW_DONT_CARE);
        if (!now) track_placement();
        const GLFWvidmode* mode = glfwGetVideoMode(wanted);
        if (mode) glfwSetWindowMonitor(window_, wanted, 0, 0, mode->width, mode->height, mode->refreshRate);
    }

    void draw() {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        if (width <= 0 || height <= 0) return;  // minimized
        if (glfwGetCurrentContext() != window_) glfwMakeContextCurrent(window_);
        stage_.draw(width, height, content_scale(window_));
        glfwSwapBuffers(window_);
        using Cursor = Stage::Cursor;
        const Cursor cursor = stage_.cursor();
        glfwSetCursor(window_, cursor == Cursor::kVertical     ? vertical_
                               : cursor == Cursor::kHorizontal ? horizontal_
                               : cursor == Cursor::kHand       ? hand_
                                                               : nullptr);
        glfwSetInputMode(window_, GLFW_CURSOR, cursor == Cursor::kHidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
    }

    void announce() {
        if (!announce_) return;
        const std::string said = stage_.announcement(longest_);
        if (said.empty()) return;
        std::puts(said.c_str());
        std::fflush(stdout);
    }

    GLFWwindow* window_;
    state::App& app_;
    const paint::Fonts& fonts_;
    Stage stage_;
    std::unique_ptr<SpeakerWindow> speaker_;
    Placement speaker_place_;  // where it was opened
    GlfwInput input_;
    bool announce_;
    bool began_ = false;  // the first turn draws what is drawn for the first time
    double longest_ = 0;  // seconds of a turn after that, where changes are announced
    GLFWcursor *hand_ = nullptr, *horizontal_ = nullptr, *vertical_ = nullptr;
    Placement placement_;
    bool maximized_ = false;
    std::filesystem::file_time_type keys_written_ = std::filesystem::file_time_type::min();  // min(): there is none
    FileState seen_, ran_;  // a program's, at the last look and as it runs
    bool drew_ = false;
    Json saved_;                 // as written last
    std::future<bool> keeping_;  // writes them
    bool unsaved_ = false;       // they have changed since
    double saved_at_ = -kSaveSeconds;
};

/// Shows the app in a window whose context is current.
int run_in(GLFWwindow* window, state::App& app, const state::Settings& loaded, bool announce, Renderer*& painting) {
    if (!gladLoadGL(glfwGetProcAddress)) return refuse("The graphics driver does not offer OpenGL 3.3.");
    glfwSwapInterval(1);
    const paint::Fonts fonts;
    for (const std::string& message : fonts.messages()) app.say(message, false, true);
    auto renderer = Renderer::make(fonts);
    if (!renderer) return refuse(renderer.error().message);
    painting = renderer->get();

    for (const std::string& message : loaded.messages) app.say(message, true, true);
    const std::filesystem::path path = state::settings_path();
    // Tried at once, so that the user learns early if nothing will be remembered.
    if (const auto saved = state::save_settings(loaded.kept, path); !saved) app.say(saved.error().message, true, true);

    Json settings;
    {
        Window shown(window, app, fonts, **renderer, loaded.kept, announce);
        shown.run();
        settings = shown.remembered();
    }
    if (const auto saved = state::save_settings(settings, path); !saved)
        std::fprintf(stderr, "warptree: %s\n", saved.error().message.c_str());
    return 0;
}

}  // namespace

int run_window(AppState state, const state::Settings& loaded, bool announce, state::Services services) {
    const Glfw glfw;
    if (!glfw.ready) return refuse("No display was found to open a window on.");
    services.copy = [](const std::string& text) { glfwSetClipboardString(nullptr, text.c_str()); };
    GLFWwindow* window = nullptr;
    Renderer* renderer = nullptr;
    services.picture = [&](const AppState& shown, const std::filesystem::path& path) {
        glfwMakeContextCurrent(window);
        return picture(*renderer, shown, path);
    };
    state::App app(std::move(state), std::move(services));
    window = create_window(loaded.window);
    if (!window) return refuse("A window with OpenGL 3.3 could not be opened.");
    glfwMakeContextCurrent(window);
    const int code = run_in(window, app, loaded, announce, renderer);
    glfwDestroyWindow(window);
    std::fflush(stdout);
    if (!app.stop(std::chrono::milliseconds(100))) std::_Exit(code);  // a run that does not end keeps nobody waiting
    return code;
}

}  // namespace warptree::shell
