// The timings: plain run, recorded run, request to trace, record and open, a file opened, scenes, frames. Measured by
// Google Benchmark.
#include "app/cli/errors.hpp"
#include "app/cli/measure.hpp"

#if defined(WARPTREE_HAS_BENCHMARK)

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "app/paint/fonts.hpp"
#include "app/paint/theme.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/app.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::cli {
namespace {

using kernels::Request;

constexpr int kWidth = 1920, kHeight = 1080;

template <class Value>
bool failed(benchmark::State& state, const Result<Value>& result) {
    if (!result) state.SkipWithError(result.error().message.c_str());
    return !result;
}

/// 2^20 floats in blocks of 1,024 threads, input ready: the kernel alone, plain or recorded.
/// workers  cores to use; 0: all
void run_kernel(benchmark::State& state, bool recorded, std::uint32_t workers) {
    const auto run =
        kernels::ready({.kernel = "pmpp-segmented", .n = 1 << 20, .block = 1024, .workers = workers}, recorded);
    if (failed(state, run)) return;
    if (failed(state, (*run)())) return;  // not timed: it waits for the system to hand out memory, which is kept
    for (auto _ : state)
        if (failed(state, (*run)())) return;
}

void request_to_trace(benchmark::State& state) {
    for (auto _ : state)
        if (failed(state, kernels::record({.kernel = "pmpp-segmented", .n = 4096}))) return;
}

/// What happens between a choice in the window and its first frame, but for the frame.
void record_and_open(benchmark::State& state) {
    for (auto _ : state) {
        auto trace = kernels::record({.kernel = "pmpp-shared", .n = 2048});
        if (failed(state, trace)) return;
        benchmark::DoNotOptimize(study::make_subject(std::move(*trace)));
    }
}

/// A file of a million rows, as the system has it at hand: what reading costs, most of it checks.
void open_file(benchmark::State& state) {
    const auto trace = kernels::record({.kernel = "pmpp-segmented", .n = 1 << 18});
    if (failed(state, trace)) return;
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-bench-{}.wtrace", getpid());
    if (failed(state, trace::save(*trace, path))) return;
    for (auto _ : state)
        if (failed(state, trace::load(path))) break;
    std::filesystem::remove(path);
}

/// Frames through every step of a run, a tenth of a step apart: their scenes, and, where there is a stage, the pixels.
void animate(benchmark::State& state, bool painted) {
    const paint::Fonts fonts;
    state::AppState shown;
    shown.request = {.kernel = "pmpp-shared", .n = 2048};
    state::Services services = state::services();
    services.patience = std::chrono::minutes(1);  // there is no window that could go on meanwhile
    shown = state::App(shown, services).state();
    if (!shown.subject) return state.SkipWithError("The run that should be painted failed.");
    std::unique_ptr<shell::Offscreen> stage;
    if (painted) {
        auto made = shell::Offscreen::make(fonts, shell::Offscreen::Prefer::kHardware);
        if (failed(state, made)) return;
        stage = std::move(*made);
        state.SetLabel(stage->device());
    }
    shell::Frame frame(fonts);
    const float scale = shell::pixels_per_unit(kWidth, kHeight, 1);
    const auto steps = static_cast<double>(shown.steps());
    for (auto _ : state) {
        shown.time = shown.time + 0.1 > steps ? 0.1 : shown.time + 0.1;
        const auto scenes = frame.compose(shown, {kWidth / scale, kHeight / scale});
        const paint::Theme& theme = paint::theme_or_default(shown.theme);
        if (stage && failed(state, stage->paint(scenes, kWidth, kHeight, scale, theme))) return;
    }
}

void register_all() {
    const auto add = [](const char* name, auto run) {
        benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond)->UseRealTime();
    };
    add("plain run, N = 2^20, one core", [](benchmark::State& state) { run_kernel(state, false, 1); });
    add("plain run, N = 2^20, all cores", [](benchmark::State& state) { run_kernel(state, false, 0); });
    add("recorded run, N = 2^20, one core", [](benchmark::State& state) { run_kernel(state, true, 1); });
    add("recorded run, N = 2^20, all cores", [](benchmark::State& state) { run_kernel(state, true, 0); });
    add("request to trace, N = 4096", request_to_trace);
    add("record and open, N = 2048", record_and_open);
    add("open a file, N = 2^18", open_file);
    add("scenes of a frame, N = 2048", [](benchmark::State& state) { animate(state, false); });
    add("scenes and pixels of a frame, N = 2048", [](benchmark::State& state) { animate(state, true); });
}

}  // namespace

void bench(const std::string& filter, bool json) {
    static char name[] = "warptree";
    static char* words[] = {name, nullptr};  // the library keeps the name
    static const bool ready = [] {
        int count = 1;
        benchmark::Initialize(&count, words);
        register_all();
        return true;
    }();
    (void)ready;
    benchmark::ConsoleReporter table(benchmark::ConsoleReporter::OO_None);
    benchmark::JSONReporter object;
    benchmark::BenchmarkReporter& reporter =
        json ? static_cast<benchmark::BenchmarkReporter&>(object) : static_cast<benchmark::BenchmarkReporter&>(table);
    const std::size_t run = benchmark::RunSpecifiedBenchmarks(&reporter, filter.empty() ? "." : filter);
    std::fflush(stdout);
    if (run == 0) refuse("No timing has a name that '{}' finds; leave --filter out to see them all.", filter);
}

}  // namespace warptree::cli

#else

namespace warptree::cli {

void bench(const std::string&, bool) {
    throw Error{Error::Kind::kFailed,
                "This Warptree was built without Google Benchmark, which bench measures with; install it (Debian: "
                "libbenchmark-dev) and build again."};
}

}  // namespace warptree::cli

#endif
