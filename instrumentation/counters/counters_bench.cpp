// What counting costs: nanoseconds a row, for regular and for scattered accesses.
#include <random>

#include <benchmark/benchmark.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::counters {
namespace {

using trace::testing::At;

/// One step of 64 blocks of 512 threads: x[index] = x[index] + x[index + 1] in shared memory.
trace::Trace made_of(bool scattered) {
    trace::Launch launch;
    launch.grid = 64;
    launch.block = 512;
    trace::testing::TraceBuilder builder(launch);
    const auto s = builder.array("s", trace::Space::kShared, trace::Role::kScratch, 2048);
    builder.step(trace::Phase::kTree, 1, 1);
    std::mt19937 random(1);
    for (std::uint32_t b = 0; b < launch.grid; ++b) {
        for (std::uint16_t t = 0; t < launch.block; ++t) {
            const At at{b, 0, t, 1};
            const std::uint32_t i = scattered ? random() % 2047 : t;
            builder.write(at, s, i, builder.combine(at, builder.read(at, s, i), builder.read(at, s, i + 1)));
        }
    }
    return builder.build();
}

void count_rows(benchmark::State& state, bool scattered) {
    const trace::Trace trace = made_of(scattered);
    for (auto _ : state) benchmark::DoNotOptimize(count(trace));
    state.counters["ns_a_row"] =
        benchmark::Counter(static_cast<double>(trace.rows()) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(count_rows, regular, false);
BENCHMARK_CAPTURE(count_rows, scattered, true);

}  // namespace
}  // namespace warptree::counters

BENCHMARK_MAIN();
