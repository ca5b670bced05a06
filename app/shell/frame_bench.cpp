// Benchmark of whole frames while a step is animated: state -> scenes -> pixels, off the screen, each view on its own.
// Floor on software OpenGL: 2 M pixels of background, filled once (about 1 ms a core), then what lies on it.
// Usage: frame_bench [--size=WIDTHxHEIGHT] [--hardware] [benchmark options]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "app/paint/fonts.hpp"
#include "app/paint/theme.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/shell/speaker.hpp"
#include "app/state/app.hpp"
#include "kernels/catalog.hpp"

namespace warptree::shell {
namespace {

struct Stage {
    paint::Fonts fonts;
    std::unique_ptr<Offscreen> offscreen;
    int width = 1920, height = 1080;
};

state::AppState state_of(const char* kernel, std::uint64_t n, scene::View view) {
    state::AppState state;
    state.request.kernel = kernel;
    state.request.n = n;
    state.view = view;
    state::Services patient = state::services();
    patient.patience = std::chrono::minutes(5);  // for the run, and for those that the view takes besides
    state::App app(state, patient);
    while (app.moving()) app.update(0.1);
    return app.state();
}

/// Units of the window, and pixels in each.
std::pair<scene::Vec, float> units_of(const Stage& stage) {
    const float scale = pixels_per_unit(stage.width, stage.height, 1);
    return {{static_cast<float>(stage.width) / scale, static_cast<float>(stage.height) / scale}, scale};
}

/// Frames through every step of a run, a tenth of a step apart.
void animate(benchmark::State& bench, Stage& stage, state::AppState state) {
    Frame frame(stage.fonts);
    const auto [size, scale] = units_of(stage);
    const auto steps = static_cast<double>(state.steps());
    for (auto _ : bench) {
        state.time = state.time + 0.1 > steps ? 0.1 : state.time + 0.1;
        const auto painted = stage.offscreen->paint(frame.compose(state, size), stage.width, stage.height, scale,
                                                    paint::theme_or_default(state.theme));
        if (!painted) return bench.SkipWithError(painted.error().message.c_str());
    }
}

/// The speaker's screen at every step: what the next Page Down leads to is found out, and drawn small.
void follow(benchmark::State& bench, Stage& stage, state::AppState state) {
    state::Services services = state::services();
    services.patience = std::chrono::milliseconds(0);
    SpeakerFrame frame(stage.fonts, services);
    const auto [size, scale] = units_of(stage);
    state.lecture = true;
    for (auto _ : bench) {
        state.goal = state.goal % state.steps() + 1;
        state.time = static_cast<double>(state.goal);
        const auto painted = stage.offscreen->paint(frame.compose(state, size, size), stage.width, stage.height, scale,
                                                    paint::theme_or_default(state.theme));
        if (!painted) return bench.SkipWithError(painted.error().message.c_str());
    }
}

void add_views(Stage& stage, const char* kernel, std::uint64_t n) {
    for (const scene::ViewRow& row : scene::view_rows()) {
        const state::AppState state = state_of(kernel, n, row.view);
        if (!state.subject) {
            std::fprintf(stderr, "frame_bench: no run of %s for the view %s\n", kernel, std::string(row.name).c_str());
            std::exit(1);
        }
        benchmark::RegisterBenchmark(fmt::format("frame/{}/{}/{}", row.name, kernel, n).c_str(),
                                     [&stage, state](benchmark::State& bench) { animate(bench, stage, state); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    }
}

}  // namespace
}  // namespace warptree::shell

int main(int count, char** words) {
    using namespace warptree::shell;
    static Stage stage;
    auto prefer = Offscreen::Prefer::kReproducible;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--hardware") == 0) prefer = Offscreen::Prefer::kHardware;
        std::sscanf(words[i], "--size=%dx%d", &stage.width, &stage.height);
    }
    auto offscreen = Offscreen::make(stage.fonts, prefer);
    if (!offscreen) {
        std::fprintf(stderr, "frame_bench: %s\n", offscreen.error().message.c_str());
        return 1;
    }
    stage.offscreen = std::move(*offscreen);
    std::printf("%s, %d x %d\n", stage.offscreen->device().c_str(), stage.width, stage.height);
    for (const char* kernel : {"pmpp-simple", "pmpp-shared", "blelloch-padded", "kogge-stone", "look-back"})
        add_views(stage, kernel, 2048);
    add_views(stage, "pmpp-segmented", 1 << 20);
    benchmark::RegisterBenchmark("speaker/pmpp-simple/2048",
                                 [](benchmark::State& bench) {
                                     follow(bench, stage, state_of("pmpp-simple", 2048, warptree::scene::View::kTree));
                                 })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
    stage.offscreen.reset();
}
