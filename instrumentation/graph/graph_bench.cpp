// What building the graph costs, of 2^20 floats in 512 blocks of 1,024 threads: pmpp-segmented.
//
// 4.2 M rows, 1.05 M nodes. Floor: 10 bytes a row are read (site, a, b) and 4 written; of a node 16 are written: 76 MB,
// 8 ms at the 10 GB/s of one core. Measured: 45 ms of processor time, 11 ns a row.
#include <benchmark/benchmark.h>

#include "instrumentation/graph/folds.hpp"
#include "kernels/catalog.hpp"

namespace warptree::graph {
namespace {

const trace::Run& run() {
    static const trace::Run kRun =
        *kernels::record({.kernel = "pmpp-segmented", .n = 1 << 20, .block = 1024}, {.what = kernels::Keep::kAll});
    return kRun;
}

void build_graph(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(build(run()));
    state.counters["rows"] = static_cast<double>(run().launches.front().rows());
    state.counters["ns_a_row"] =
        benchmark::Counter(static_cast<double>(run().launches.front().rows()) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(build_graph)->Unit(benchmark::kMillisecond);

void fold_usefulness(benchmark::State& state) {
    const Graph graph = build(run());
    for (auto _ : state) benchmark::DoNotOptimize(usefulness(graph));
}
BENCHMARK(fold_usefulness)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warptree::graph

BENCHMARK_MAIN();
