// Programs of the user's own: they run after one question, and again when their file is saved; the version before
// stands beside the one now.
#include <filesystem>

#include <fmt/format.h>

#include "app/state/session.hpp"

namespace warptree::state {

namespace {

/// Runs a program and shows it, at the step and in the view that are on show. The comparison has the version before in
/// its second column.
void show_version(Session& app, const std::string& path, std::uint32_t version, const ProgramChoice& chosen = {}) {
    auto ran = program_of(app, path, version, chosen);
    if (!ran) return say(app, ran.error().message, true);
    remember(app);
    AppState& s = app.state;
    if (version > 1) {
        std::erase_if(s.others, [&](const Column& other) { return other.file == path; });
        if (s.others.size() + 1 < scene::kMostColumns) s.others.insert(s.others.begin(), s);
    }
    const auto whole = [](const study::Subject& run) { return study::tally(run, run.run().steps()); };
    study::Tallies versions;
    if (const auto before = s.program_versions(); version > 1 && before)
        versions = *before;
    else if (version > 1 && s.subject)  // it stood on show from the start
        versions = {whole(*s.subject)};
    versions.push_back(whole(*ran->subject));
    s.versions = std::make_shared<const study::Tallies>(std::move(versions));
    s.request = kernels::request_of(ran->subject->run());
    s.file = path;
    s.version = version;
    s.chosen = chosen;
    s.sources = std::move(ran->sources);
    keep_recent(s, path);
    show(app, ran->subject);
    if (!ran->remark.empty())
        say(app, ran->remark, !ran->solved);
    else if (version == 1)
        say(app,
            fmt::format(
                "{} runs here, and again each time that it is saved; the comparison (C) then shows the version before.",
                std::filesystem::path(path).filename().string()),
            false);
}

}  // namespace

/// Runs nothing before it is asked for a second time: a file that was dropped by mistake, or that stood here when the
/// last window was closed, is only named.
void open_program(Session& app, const std::string& path) {
    if (app.asked != path && app.state.file != path) {
        app.asked = path;
        return say(
            app,
            fmt::format("{} is a program. To run it here, without network and other files, open or paste it once more.",
                        std::filesystem::path(path).filename().string()),
            false);
    }
    app.agreed = path;
    app.state.goal = 0;
    show_version(app, path, app.state.file == path ? app.state.version + 1 : 1);
}

void run_again(Session& app) {
    if (const std::string awaited = app.state.awaited.string(); !awaited.empty()) {
        show_version(app, awaited, 1);
        if (app.state.file == awaited) app.state.awaited.clear();
        return;
    }
    if (app.state.version == 0 && !app.state.watched().empty()) return reopen_lesson(app);
    if (app.state.version == 0)
        return say(app, "Only a CUDA file of your own is run again; drop one on the window.", false);
    show_version(app, app.state.file, app.state.version + 1, app.state.chosen);
}

void show_result(Session& app, double result) {
    ProgramChoice chosen = app.state.chosen;
    chosen.result = static_cast<std::size_t>(std::max(result, 1.0));
    if (app.state.version > 0) show_version(app, app.state.file, app.state.version + 1, chosen);
}

void run_smaller(Session& app) {
    const std::string awaited = app.state.awaited.string(), file = app.state.version > 0 ? app.state.file : "";
    const std::string& path = !awaited.empty() ? awaited : !app.agreed.empty() ? app.agreed : file;
    if (path.empty())
        return say(app, "Only a CUDA file of your own runs with a smaller number; drop one on the window.", false);
    ProgramChoice chosen = path == file ? app.state.chosen : ProgramChoice();
    chosen.smaller = true;
    show_version(app, path, path == file ? app.state.version + 1 : 1, chosen);
}

}  // namespace warptree::state
