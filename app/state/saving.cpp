// Saving: where to is asked first, in a field of our own, which is there on a full screen and without a desktop, too.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <fmt/format.h>

#include "app/paint/utf8.hpp"
#include "app/results/measurements.hpp"
#include "app/state/session.hpp"
#include "app/views/ladder/facts.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostName = 4000;

std::string home() {
    const char* name = std::getenv("HOME");
    return name == nullptr ? "" : name;
}

/// Where was saved last; else at home, else the working folder.
fs::path usual_folder(const AppState& s) {
    std::error_code error;
    for (const std::string& folder : {s.folder, home()})
        if (!folder.empty() && fs::is_directory(folder, error)) return folder;
    return fs::current_path(error);
}

/// A name that no file in a folder has: "results.json", "results-2.json".
std::string free_name(const fs::path& folder, const fs::path& name) {
    std::error_code error;
    fs::path one = name;
    for (int i = 2; fs::exists(folder / one, error); ++i)
        one = fmt::format("{}-{}{}", name.stem().string(), i, name.extension().string());
    return one.string();
}

/// The file that is meant, with its ending.
fs::path path_of(const Saving& saving, const fs::path& folder) {
    std::string name = saving.name;
    if (name == "~" || name.starts_with("~/")) name.replace(0, 1, home());
    fs::path path = folder / name;  // one that begins at the root stays as it is
    const fs::path ending = path.extension();
    const bool ends = saving.results ? ending == ".json" || ending == ".csv" : ending == ".wtrace";
    if (!ends && path.has_filename()) path += saving.results ? ".json" : ".wtrace";
    return path.lexically_normal();
}

bool writable(const fs::path& path) {
#ifdef _WIN32
    return true;  // saving says so
#else
    return access(path.c_str(), W_OK) == 0;
#endif
}

/// Why nothing can be saved there; "" where it can.
std::string obstacle(const Saving& saving, const fs::path& path) {
    std::error_code error;
    const fs::path folder = path.parent_path();
    if (!path.has_filename() || saving.name.empty()) return "Type a file's name.";
    if (fs::is_directory(path, error))
        return fmt::format("{} is a folder; type a file's name after it.", path.string());
    if (!fs::exists(folder, error))
        return fmt::format("There is no folder {}; choose one that is there.", folder.string());
    if (!fs::is_directory(folder, error)) return fmt::format("{} is no folder.", folder.string());
    if (!writable(folder)) return fmt::format("Nothing can be written in {}; choose another folder.", folder.string());
    return {};
}

/// Moves a caret by a character.
void step_caret(const std::string& text, std::size_t& caret, int by) {
    const auto within = [&] { return caret < text.size() && (static_cast<unsigned char>(text[caret]) & 0xC0) == 0x80; };
    if (by < 0 && caret > 0) do
            --caret;
        while (within());
    if (by > 0 && caret < text.size()) do
            ++caret;
        while (within());
}

}  // namespace

void erase_before(std::string& text, std::size_t& caret) {
    const std::size_t end = caret;
    step_caret(text, caret, -1);
    text.erase(caret, end - caret);
}

namespace {

Result<void> save_results_at(Session& app, const fs::path& path) {
    const study::Ladder ladder = ladder_of(*app.state.results, app.state.ladder, app.state.request.kernel);
    if (auto saved = study::save_results(*ladder.of, path); !saved) return saved;
    if (ladder.of->file != kMeasuredHere) return {};
    auto all = std::make_shared<std::vector<study::Measurements>>(*app.state.results);  // a file's from now on
    (*all)[ladder.choice.device].file = path.filename().string();
    (*all)[ladder.choice.device].path = path.string();
    app.state.results = std::move(all);
    return {};
}

Result<void> save_at(Session& app, const fs::path& path, bool results) {
    const auto saved = results ? save_results_at(app, path) : app.services.save(app.state.subject->run(), path);
    if (!saved) return saved;
    app.state.folder = path.parent_path().string();
    say(app, fmt::format("Saved as {}.", path.string()), false);
    return {};
}

/// name  to propose; "": one made from what is on show
void ask_where(Session& app, std::string name) {
    AppState& s = app.state;
    Saving saving{.results = s.view == scene::View::kLadder || ending_of(name) == ".json" || ending_of(name) == ".csv"};
    if (!saving.results && !s.subject) return say(app, "There is no run to save yet.", true);
    fs::path folder = usual_folder(s);
    if (name.empty() && saving.results) {
        const study::Ladder ladder = ladder_of(*s.results, s.ladder, s.request.kernel);
        const fs::path opened = ladder.of->path;
        if (!opened.empty()) folder = opened.parent_path();
        name = opened.empty() ? free_name(folder, "results.json") : opened.filename().string();
    } else if (name.empty()) {
        const trace::Launch& launch = s.subject->trace.launch;
        name = free_name(folder, fmt::format("{}-n{}-w{}.wtrace", launch.kernel, launch.n, launch.warp_size));
    } else if (name.starts_with('.')) {  // an ending alone
        name = free_name(folder, "results" + name);
    }
    saving.name = (folder / name).string();
    saving.caret = saving.name.size() - fs::path(name).extension().string().size();
    s.menu = Menu::kNone;
    s.help = s.blank = false;
    s.saving = std::move(saving);
}

void save_as_typed(Session& app) {
    AppState& s = app.state;
    Saving& saving = *s.saving;
    const fs::path path = path_of(saving, usual_folder(s));
    std::error_code error;
    saving.says = obstacle(saving, path);
    if (!saving.says.empty()) return;
    if (fs::exists(path, error) && saving.over != path.string()) {
        saving.over = path.string();
        saving.says = fmt::format("{} is there already. Enter again overwrites it.", path.filename().string());
        return;
    }
    const auto saved = save_at(app, path, saving.results);
    if (!saved) return void(saving.says = saved.error().message);
    s.saving.reset();
}

}  // namespace

void save(Session& app, const std::string& text) {
    const fs::path path = text;
    if (!path.is_absolute()) return ask_where(app, text);
    const bool results = path.extension() == ".json" || path.extension() == ".csv";
    if (!results && !app.state.subject) return say(app, "There is no run to save yet.", true);
    if (const auto saved = save_at(app, path, results); !saved) say(app, saved.error().message, true);
}

/// While it is asked where to save, all that is typed is the name.
bool saving_mode(Session& app, const Command& command) {
    AppState& s = app.state;
    if (!s.saving) return false;
    auto& [results, name, caret, says, over] = *s.saving;
    const std::string before = name;
    switch (command.action) {
        case Action::kCharacter:
        case Action::kPaste: {
            std::string text = command.text.substr(0, command.text.find_first_of("\r\n"));
            if (name.size() + text.size() > kMostName) return true;
            name.insert(caret, text), caret += text.size();
            break;
        }
        case Action::kErase:
            erase_before(name, caret);
            break;
        case Action::kBack:
        case Action::kForward:
            step_caret(name, caret, command.action == Action::kBack ? -1 : 1);
            break;
        case Action::kFirst:
        case Action::kLast:
            caret = command.action == Action::kFirst ? 0 : name.size();
            break;
        case Action::kActivate:
            return save_as_typed(app), true;
        default:
            return false;
    }
    if (name != before) says.clear(), over.clear();
    return true;
}

}  // namespace warptree::state
