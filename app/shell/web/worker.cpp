// The worker runs the command line, `warptree record`, as anyone may. Neighbour: page.js, which starts it.
#include "app/shell/web/worker.hpp"

#include <emscripten.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/state/link.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::shell {
namespace {

EM_JS(void, page_records, (const char* command, const char* file),
      { Module.records(UTF8ToString(command), UTF8ToString(file)); });
EM_JS(void, page_stops_recording, (), { Module.stops(); });
EM_JS(int, page_has_recorded, (), { return Module.recorded == null ? 0 : 1; });
/// Why the recording failed; "": it did not.
EM_JS(char*, page_why_not, (), {
    const size = lengthBytesUTF8(Module.recorded) + 1, text = _malloc(size);
    stringToUTF8(Module.recorded, text, size);
    return text;
});

/// Hundredths that are done.
EM_JS(int, page_has_done, (), { return Module.hundredths || 0; });
EM_JS(void, page_is_told, (int hundredths), {
    if (Module.told) Module.told(hundredths);
});

constexpr std::uint64_t kHere = 1 << 14;  // elements that are recorded in some 10 ms

}  // namespace

void Worker::serve(state::Services& services) {
    services.patience = std::chrono::milliseconds(0);
    services.begin = [this](std::function<void()> work) { begin(std::move(work)); };
    services.record = [this](const kernels::Request& request, kernels::Progress& progress) {
        return record(request, "", progress);
    };
    services.open_block = [this](const trace::Run& of, std::size_t launch, std::uint32_t block,
                                 kernels::Progress& progress) -> Result<trace::Run> {
        const kernels::Request request = kernels::request_of(of);
        if (request.n <= kHere) return kernels::with_block(of, launch, block, &progress);
        return record(request, fmt::format("\n--open-block\n{}:{}", launch + 1, block), progress);
    };
}

void Worker::begin(std::function<void()> work) {
    try {
        work();
    } catch (const Unready&) {
        waiting_.push_back(std::move(work));
    }
}

Result<trace::Run> Worker::record(const kernels::Request& request, const std::string& block,
                                  kernels::Progress& progress) {
    if (progress.cancel) return failure("Cancelled.");
    state::AppState shown;
    shown.request = request;
    const auto link = state::link_to(shown);
    if (request.n <= kHere || !link) return kernels::record(request, kernels::Keeping(), &progress);
    const std::string command = "record\n" + *link + block;
    if (const auto found = made_.find(command); found != made_.end())
        return found->second.file.empty() ? failure(found->second.why) : trace::load(found->second.file);
    if (!recording_) {
        recording_ = {command, &progress};
        page_records(command.c_str(), fmt::format("/Recorded/{}.wtrace", made_.size()).c_str());
    }
    throw Unready();
}

bool Worker::go_on() {
    if (!recording_) return false;
    recording_->progress->all = 100, recording_->progress->done = static_cast<std::uint64_t>(page_has_done());
    if (recording_->progress->cancel) {
        page_stops_recording();
    } else if (page_has_recorded() != 0) {
        const std::unique_ptr<char, decltype(&std::free)> why(page_why_not(), &std::free);
        const std::filesystem::path file = fmt::format("/Recorded/{}.wtrace", made_.size());
        made_[recording_->command] = *why ? Made{{}, why.get()} : Made{file, {}};
    } else {
        return false;
    }
    recording_.reset();
    for (auto& work : std::exchange(waiting_, {})) begin(std::move(work));
    if (!waiting_.empty()) return true;
    std::error_code ignored;
    for (const auto& [command, made] : std::exchange(made_, {})) std::filesystem::remove(made.file, ignored);
    return true;
}

void tell_page(const kernels::Progress& progress) {
    static int told = 0;
    const int hundredths = static_cast<int>(100 * progress.share());
    if (hundredths != std::exchange(told, hundredths)) page_is_told(hundredths);
}

}  // namespace warptree::shell
