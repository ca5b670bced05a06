// Benchmarks of running and recording on the CPU.
//
// R20: 2^20 floats, 512 blocks of 1,024 threads, first add on load, shared tree, one atomic a block: 5.77 M thread
// phases (a thread between two barriers), 3.15 M lane accesses, 4.2 M events. Floor on one core: a switch that saves
// only live registers about 2.3 ns a phase = 13 ms; an event 32 bytes, 134 MB through the cache; a row 30 bytes, 126 MB
// to memory.
#include <benchmark/benchmark.h>

#include "instrumentation/run/backend.hpp"
#include "kernels/catalog.hpp"

namespace warptree::kernels {
namespace {

Prepared r20(std::uint64_t n, std::uint32_t workers) {
    Request request;
    request.kernel = "pmpp-segmented";
    request.n = n;
    request.block = 1024;
    request.workers = workers;
    return *prepare(*check(request));
}

void plain_r20(benchmark::State& state) {
    const Prepared prepared = r20(1 << 20, static_cast<std::uint32_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(run_plain_cpu(prepared));
}
BENCHMARK(plain_r20)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// From prepared arrays to the finished trace, every address, value and operand in canonical rows.
void recorded_r20(benchmark::State& state) {
    const Prepared prepared = r20(1 << 20, static_cast<std::uint32_t>(state.range(0)));
    const Keeping all{.what = Keep::kAll};
    benchmark::DoNotOptimize(record_cpu(prepared, all));  // not timed: it waits for the system to hand out memory
    for (auto _ : state) benchmark::DoNotOptimize(record_cpu(prepared, all));
}
BENCHMARK(recorded_r20)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// From a request to the finished trace.
void request_to_trace(benchmark::State& state, const char* kernel, std::uint64_t n) {
    Request request;
    request.kernel = kernel;
    request.n = n;
    for (auto _ : state) benchmark::DoNotOptimize(record(request));
}
BENCHMARK_CAPTURE(request_to_trace, segmented_4096, "pmpp-segmented", 4096)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(request_to_trace, simple_2048, "pmpp-simple", 2048)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(request_to_trace, simple_256, "pmpp-simple", 256)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warptree::kernels

BENCHMARK_MAIN();
