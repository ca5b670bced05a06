// The world outside the app: kernels that run, files that are read and written.
#include "app/shell/app.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::shell {

Services services() {
    return {
        .record = [](const kernels::Request& request) { return kernels::record(request); },
        .load = [](const std::filesystem::path& path) { return trace::load(path); },
        .save = [](const trace::Trace& trace, const std::filesystem::path& path) { return trace::save(trace, path); },
    };
}

}  // namespace warptree::shell
