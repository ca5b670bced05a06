// Programs of the user's own: they run after one question, and again when their file is saved; the version before
// stands beside the one now.
#include <filesystem>

#include <fmt/format.h>

#include "app/state/app.hpp"

namespace warptree::state {

/// Runs nothing before it is asked for a second time: a file that was dropped by mistake, or that stood here when the
/// last window was closed, is only named.
void App::open_program(const std::string& path) {
    if (asked_ != path && state_.file != path) {
        asked_ = path;
        return say(fmt::format("{} is a program. To run it here, without network and other files, open it once more.",
                               std::filesystem::path(path).filename().string()),
                   false);
    }
    state_.goal = 0;
    show_version(path, state_.file == path ? state_.version + 1 : 1);
}

void App::run_again() {
    if (state_.version == 0) return say("Only a CUDA file of your own is run again; drop one on the window.", false);
    show_version(state_.file, state_.version + 1);
}

/// Runs a program and shows it, at the step and in the view that are on show. The comparison has the version before in
/// its second column.
void App::show_version(const std::string& path, std::uint32_t version) {
    auto job = std::make_unique<Job>();
    job->wanted = {.file = path, .version = version};
    std::string text = text_of(job->wanted);
    const Job& done = ended(std::move(job), std::move(text));
    if (!*done.outcome) return say(done.outcome->error().message, true);
    const std::string remark = done.remark;
    std::vector<std::filesystem::path> sources = done.sources;
    remember();
    AppState& s = state_;
    if (version > 1) {
        std::erase_if(s.others, [&](const Column& other) { return other.file == path; });
        if (s.others.size() + 1 < scene::kMostColumns) s.others.insert(s.others.begin(), s);
    }
    s.request = kernels::request_of((**done.outcome)->run());
    s.file = path;
    s.version = version;
    s.sources = std::move(sources);
    show(**done.outcome);
    if (!remark.empty()) say(remark, true);
}

}  // namespace warptree::state
