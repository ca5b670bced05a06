// The world outside the app: kernels that run, files that are read and written.
#include "app/state/app.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::state {

Services services() {
    return {
        .record = [](const kernels::Request& request,
                     kernels::Progress& progress) { return kernels::record(request, kernels::Keeping(), &progress); },
        .load = [](const std::filesystem::path& path) { return trace::load(path); },
        .open_block = [](const trace::Run& of, std::size_t launch, std::uint32_t block,
                         kernels::Progress& progress) { return kernels::with_block(of, launch, block, &progress); },
        .save = [](const trace::Run& run, const std::filesystem::path& path) { return trace::save(run, path); },
        .measure = [](const study::MeasurePlan& plan, const study::MeasureWatch& watch,
                      study::Measurements& results) { return study::measure(plan, command_of(plan), watch, results); },
    };
}

}  // namespace warptree::state
