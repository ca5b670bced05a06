// Random walks through the window: keys, clicks, drags, sizes, files, time, in an order that nobody thought of. A walk
// follows from its seed; a failure, a crash too, prints it with every action so far.
// WARPTREE_WALK_SEED (the first), WARPTREE_WALK_SEEDS (how many), WARPTREE_WALK_STEPS (of each): a longer walk than
// usual.
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/paint/canvas.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/speaker.hpp"
#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"
#include "instrumentation/json/toml.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace warptree::shell {
namespace {

using namespace state;
using chrome::PointerEvent;
using scene::Vec;
using Kind = PointerEvent::Kind;

std::string& diary = *new std::string;  // of the walk under way; the leak check at the end prints it, too

void print_diary() {
    const auto ignored = ::write(STDERR_FILENO, diary.data(), diary.size());
    static_cast<void>(ignored);
}

void print_diary_at_death() {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_set_death_callback(print_diary);
#else
    const auto die = [](int signal) {
        print_diary();
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    };
    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGILL, SIGBUS}) std::signal(signal, die);
#endif
}

/// What a choice changes, and its undo brings back.
struct Chosen {
    kernels::Request request;
    std::string file;
    std::shared_ptr<const study::Subject> subject;
    std::vector<kernels::Request> others;
    bool operator==(const Chosen&) const = default;
};
Chosen chosen(const AppState& s) {
    Chosen all{s.request, s.file, s.subject, {}};
    for (const Column& other : s.others) all.others.push_back(other.request);
    return all;
}

bool is_finite(const scene::Shape& shape) {
    const auto all = [](auto... numbers) { return (std::isfinite(numbers) && ...); };
    if (const auto* r = std::get_if<scene::Rect>(&shape)) return all(r->box.x, r->box.y, r->box.w, r->box.h);
    if (const auto* d = std::get_if<scene::Disc>(&shape)) return all(d->centre.x, d->centre.y, d->radius);
    if (const auto* c = std::get_if<scene::Curve>(&shape)) return all(c->from.x, c->from.y, c->to.x, c->to.y);
    if (const auto* t = std::get_if<scene::Text>(&shape)) return all(t->at.x, t->at.y, t->size);
    return true;
}

class Walk {
public:
    /// waits  whether every run takes its time, so that actions come while it is waited for
    Walk(unsigned seed, bool waits) : random_(seed), waits_(waits) {
        diary = fmt::format("seed {}{}\n", seed, waits ? ", runs take their time" : "");
        files_.files["kept.wtrace"] = *kernels::record({.kernel = "harris-4", .n = 64, .block = 8, .warp_size = 4});
        files_.files["foreign.wtrace"] = *kernels::record({.kernel = "two-stage-shuffle", .n = 64});
        for (trace::Trace& launch : files_.files["foreign.wtrace"].launches) launch.launch.kernel = "quantum-sum";
        AppState first = teaching_state();
        if (seed % 2 == 0) {  // in a lesson
            const auto lessons = lesson::shipped();
            const std::string& name = lessons[seed / 2 % lessons.size()].name;
            const bool course = seed % 10 == 0;
            const auto stood = course ? stand_in_course(first, "three-lectures", pick(14), pick(12))
                                      : stand_in_lesson(first, name, pick(12));
            if (!stood) wrong_ = stood.error().message;
            diary += course ? "  in a course\n" : "  in the lesson " + name + "\n";
        }
        app_.emplace(std::move(first), services());
        compose();
    }
    ~Walk() { open_ = true; }

    void step() {
        const unsigned kind = pick(app_->state().lesson.lesson ? 160 : 100);
        if (kind < 45) return press_key();
        if (kind >= 100) return turn_page();
        if (kind < 70) return point();
        if (kind < 76) return drag();
        if (kind < 80) return paste();
        if (kind < 83) return open_file();
        if (kind < 88) return resize();
        if (kind < 90) return type_text();
        let_time_pass();
    }

    /// What is wrong with the state or the picture now; "" where nothing is.
    std::string fault() {
        const AppState& s = app_->state();
        if (!s.subject) return waits_ ? "" : "nothing is on show";
        const auto steps = static_cast<double>(s.steps());
        if (s.goal > s.steps()) return fmt::format("goal {} of {} steps", s.goal, steps);
        if (!(s.time >= 0 && s.time <= steps)) return fmt::format("time {} of {} steps", s.time, steps);
        if (s.lesson.lesson && s.lesson.gated() && s.time > static_cast<double>(s.told()) && !s.comparing())
            return "a step is on show that a question hides";
        if (s.playhead().position > s.steps()) return "the playhead is past the end";
        if (!s.comparing() && s.goal > 0 && s.time == static_cast<double>(s.goal) &&
            s.subject->run().place(s.goal - 1).launch != s.subject->launch && !s.work)
            return "another launch is on show than the one that the step is of";
        if (s.column > s.others.size()) return fmt::format("column {} of {}", s.column, s.others.size() + 1);
        if (s.focus < -1) return fmt::format("focus {}", s.focus);
        if (s.menu != Menu::kNone && s.menu_row >= static_cast<int>(menu_items(s.menu, s).size()))
            return fmt::format("row {} of a menu", s.menu_row);
        for (const Column& other : s.others)
            if (s.comparing() && !other.subject) return "a column without a run";
        for (const scene::Scene* one : scenes_)
            for (const scene::Shape& shape : one->shapes)
                if (!is_finite(shape)) {
                    return "a shape at no place";
                } else if (const auto* text = std::get_if<scene::Text>(&shape);
                           text != nullptr && text->text == "View" && !s.controls()) {
                    return "menus in a lecture in which the mouse rests";
                }
        return wrong_;
    }
    /// Whether what is remembered comes back as it was.
    std::string settings_fault(const std::filesystem::path& path) {
        const Json kept = remembered(app_->state(), {});
        if (const auto saved = save_settings(kept, path); !saved) return saved.error().message;
        const Settings loaded = load_settings(path);
        if (!loaded.messages.empty()) return loaded.messages.front();
        if (toml_text(loaded.kept) != toml_text(kept)) return "the settings came back otherwise";
        return "";
    }
    void paint(paint::Canvas& canvas) {
        canvas.paint(scenes_, static_cast<int>(pixels_.x), static_cast<int>(pixels_.y), unit(),
                     *paint::find_theme(app_->state().theme), 0);
        speaker_.update(0.1);
        canvas.paint(speaker_.compose(app_->state(), {1280, 720}, size_), 1280, 720, 1,
                     *paint::find_theme(app_->state().other.theme), 0);
    }

private:
    unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
    float share() { return static_cast<float>(pick(1001)) / 1000; }
    float unit() const {
        return pixels_per_unit(static_cast<int>(pixels_.x), static_cast<int>(pixels_.y), app_->state().scale);
    }
    void compose() {
        size_ = {pixels_.x / unit(), pixels_.y / unit()};
        scenes_ = frame_.compose(app_->state(), size_);
    }
    template <class... Args>
    void note(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(diary), "  ");
        fmt::format_to(std::back_inserter(diary), format, std::forward<Args>(args)...);
        diary += '\n';
    }

    Services services() {
        Services s = files_.services();
        const auto wait = [this](const std::atomic<bool>* cancel) {
            while (waits_ && !open_ && !(cancel != nullptr && *cancel))
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        };
        if (waits_) s.patience = std::chrono::milliseconds(0);
        s.record = [wait](const kernels::Request& request, kernels::Progress& progress) -> Result<trace::Run> {
            wait(&progress.cancel);
            if (request.n > 4096) return failure("A walk has no time for so large an N.");
            return kernels::record(request, {.most_bytes = 1 << 15}, &progress);
        };
        s.load = [wait, load = s.load](const std::filesystem::path& path) {
            wait(nullptr);
            return load(path);
        };
        return s;
    }

    void apply(const Command& command) {
        const AppState before = app_->state();
        app_->apply(command);
        const AppState& now = app_->state();
        static constexpr Action kNotRemembered[] = {Action::kUndo,   Action::kView,         Action::kNextView,
                                                    Action::kCancel, Action::kPreviousView, Action::kLecture,
                                                    Action::kEscape};
        if (std::ranges::find(kNotRemembered, command.action) == std::end(kNotRemembered) && before.subject &&
            before.view == now.view && before.comparing() == now.comparing() && !before.work && !now.work &&
            now.request != before.request && pick(2) == 0) {
            note("and take that back");
            app_->apply({.action = Action::kUndo});
            const bool there = !app_->state().work;  // else it is on its way
            if (there && chosen(app_->state()) != chosen(before))
                wrong_ = "undo did not bring back what was there before";
            else if (there && app_->state().goal != before.goal)
                wrong_ = "undo did not bring back the step";
        }
        compose();
    }

    void press_key() {
        static constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuvwxyz.,;-+=?[] ";
        const auto all = bindings();
        KeyPress press = all[pick(static_cast<unsigned>(all.size()))].press;
        const unsigned other = pick(8);
        if (other == 0)
            press = {Named::kNone, static_cast<char32_t>(kCharacters[pick(kCharacters.size())]), false, false};
        if (other == 1)
            press = {static_cast<Named>(pick(static_cast<unsigned>(Named::kF11) + 1)), 0, false, pick(4) == 0};
        if (other == 2) press = {Named::kNone, U'z', true, false};
        auto command = command_for(press, app_->state());
        note("key {} {}{}{}", static_cast<int>(press.named), static_cast<std::uint32_t>(press.character),
             press.control ? " with Ctrl" : "", press.shift ? " with Shift" : "");
        if (!command || command->action == Action::kQuit) return;
        if (command->action == Action::kPaste) return paste();
        apply(frame_.resolve(*command, app_->state()));
    }
    /// As a remote does, and as who answers a question.
    void turn_page() {
        const bool answers = pick(4) == 0;
        const KeyPress press = answers ? KeyPress{Named::kNone, U'0' + pick(10), false, false}
                                       : KeyPress{pick(4) == 0 ? Named::kPageUp : Named::kPageDown, 0, false, false};
        note("key {} {}", static_cast<int>(press.named), static_cast<std::uint32_t>(press.character));
        if (!answers || app_->state().lesson.asking)
            if (const auto command = command_for(press, app_->state())) apply(frame_.resolve(*command, app_->state()));
    }
    void type_text() {
        static constexpr const char* kTexts[] = {"n64",      "n100",      "n0",    "n99999999999",
                                                 "i3 1 7 0", "itextbook", "i-1e9", "n2048"};
        const std::string text = kTexts[pick(std::size(kTexts))];
        note("types {}, Enter", text);
        for (const char c : text) {
            if (const auto command = command_for({Named::kNone, static_cast<char32_t>(c), false, false}, app_->state()))
                apply(frame_.resolve(*command, app_->state()));
        }
        if (const auto command = command_for({Named::kEnter, 0, false, false}, app_->state()))
            apply(frame_.resolve(*command, app_->state()));
    }
    void paste() {
        static constexpr const char* kTexts[] = {"3, 1, 7, 0", "",       "64",  "1 2 3 4 5 6 7 8", "abc",
                                                 "1e999 nan",  "300, 1", "\n;", "0.5 0.25",        "7"};
        const std::string text = kTexts[pick(std::size(kTexts))];
        note("pastes '{}'", text);
        apply({.action = Action::kPaste, .text = text});
    }
    void open_file() {
        static constexpr const char* kPaths[] = {"kept.wtrace", "foreign.wtrace", "missing.wtrace", "missing.csv", ""};
        const std::string path = kPaths[pick(std::size(kPaths))];
        note("drops '{}'", path);
        apply({.action = Action::kOpen, .text = path});
    }
    void resize() {
        static constexpr std::pair<int, int> kSizes[] = {{320, 200},   {640, 360},   {640, 400},  {800, 600},
                                                         {1280, 720},  {1366, 768},  {1600, 900}, {1920, 1080},
                                                         {3840, 2160}, {2560, 1080}, {720, 1280}};
        const auto [width, height] = kSizes[pick(std::size(kSizes))];
        pixels_ = {static_cast<float>(width), static_cast<float>(height)};
        note("{}x{}", width, height);
        compose();
    }

    /// Somewhere: on a control, or anywhere, a little outside the window too.
    Vec somewhere() {
        const auto& controls = frame_.controls();
        if (!controls.empty() && pick(3) == 0)
            return controls[pick(static_cast<unsigned>(controls.size()))].box.centre();
        return {size_.x * (1.04f * share() - 0.02f), size_.y * (1.04f * share() - 0.02f)};
    }
    void send(Kind kind, Vec at, float wheel = 0, bool control = false) {
        note("pointer {} at {:.0f}, {:.0f}{}{}", static_cast<int>(kind), at.x, at.y,
             wheel != 0 ? fmt::format(" by {}", wheel) : "", control ? " with Ctrl" : "");
        for (const Command& command : frame_.pointer({kind, at, wheel, control}, app_->state())) {
            if (command.action != Action::kQuit) apply(command);
        }
        compose();
    }
    void point() {
        const Vec at = somewhere();
        const unsigned what = pick(12);
        if (what == 0) return send(Kind::kLeave, at);
        if (what < 4) return send(Kind::kMove, at);
        if (what < 6) return send(Kind::kWheel, at, static_cast<float>(pick(7)) - 3, pick(5) == 0);
        send(Kind::kMove, at);
        send(what == 6 ? Kind::kDoubleClick : Kind::kPress, at);
        send(Kind::kRelease, at);
    }
    void drag() {
        send(Kind::kPress, somewhere());
        for (unsigned moves = pick(4); moves > 0; --moves) send(Kind::kMove, somewhere());
        if (pick(5) == 0) press_key();  // in the middle of it
        send(pick(6) == 0 ? Kind::kLeave : Kind::kRelease, somewhere());
    }

    void let_time_pass() {
        const double seconds = static_cast<double>(pick(20)) / 10;
        note("{} s", seconds);
        open_ = pick(2) == 0;
        for (int tries = 0; open_ && app_->state().work && tries < 20'000; ++tries) {
            app_->update(0.001);
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        if (open_ && app_->state().work) wrong_ = "a run never ends: " + app_->state().work->text;
        open_ = false;
        app_->update(seconds);
        compose();
    }

    std::mt19937 random_;
    bool waits_;
    std::atomic<bool> open_ = false;
    FakeFiles files_;
    paint::Fonts fonts_;
    Frame frame_{fonts_};
    SpeakerFrame speaker_{fonts_, files_.services()};
    std::optional<App> app_;
    Vec pixels_{1920, 1080}, size_;
    std::span<const scene::Scene* const> scenes_;
    std::string wrong_;
};

unsigned number(const char* name, unsigned usual) {
    const char* text = std::getenv(name);
    return text != nullptr && *text != 0 ? static_cast<unsigned>(std::atoi(text)) : usual;
}

/// What a walk saves lies in a folder of its own.
struct InFolder {
    std::filesystem::path before = std::filesystem::current_path(), folder;
    explicit InFolder(std::filesystem::path of_its_own) : folder(std::move(of_its_own)) {
        std::filesystem::create_directories(folder);
        std::filesystem::current_path(folder);
    }
    ~InFolder() {
        std::filesystem::current_path(before);
        std::filesystem::remove_all(folder);
    }
};

TEST(RandomWalk, NeverBreaksTheWindow) {
    print_diary_at_death();
    const InFolder in(std::filesystem::path(::testing::TempDir()) / fmt::format("warptree_walk_{}", ::getpid()));
    const unsigned first = number("WARPTREE_WALK_SEED", 1), seeds = number("WARPTREE_WALK_SEEDS", 4),
                   steps = number("WARPTREE_WALK_STEPS", 200);
    const paint::Fonts fonts;
    for (unsigned seed = first; seed < first + seeds; ++seed) {
        Walk walk(seed, seed % 3 == 0);
        paint::Canvas canvas(fonts);
        for (unsigned i = 1; i <= steps; ++i) {
            walk.step();
            std::string fault = walk.fault();
            if (fault.empty() && i % 100 == 0) fault = walk.settings_fault(in.folder / "settings.toml");
            ASSERT_EQ(fault, "") << "after " << i << " steps of " << diary;
            if (i % 25 == 0) walk.paint(canvas);
        }
    }
}

}  // namespace
}  // namespace warptree::shell
