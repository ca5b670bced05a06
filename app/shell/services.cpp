// The world outside the app: kernels that run, files that are read and written.
#include "app/shell/app.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::shell {

Services services() {
    return {
        .record = [](const kernels::Request& request,
                     kernels::Progress& progress) { return kernels::record(request, kernels::Keeping(), &progress); },
        .load =
            [](const std::filesystem::path& path) {
                return trace::load(path).map([](trace::Run&& run) { return std::move(run.launches.front()); });
            },
        .open_block = [](const trace::Trace& of, std::uint32_t block,
                         kernels::Progress& progress) { return kernels::with_block(of, block, &progress); },
        .save = [](const trace::Trace& trace, const std::filesystem::path& path) { return trace::save(trace, path); },
    };
}

}  // namespace warptree::shell
