// The world outside the app: kernels that run, files that are read and written.
#include "app/shell/app.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::shell {

Services services() {
    return {
        .record = [](const kernels::Request& request,
                     kernels::Progress& progress) { return kernels::record(request, &progress); },
        .load = [](const std::filesystem::path& path) { return trace::load(path); },
        .save = [](const trace::Trace& trace, const std::filesystem::path& path) { return trace::save(trace, path); },
    };
}

}  // namespace warptree::shell
