// A kernel that is in no catalog, recorded, written to the file that argv names, read again and counted.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/graph.hpp"
#include "instrumentation/probe/element.cuh"
#include "instrumentation/record/canonical.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/file.hpp"

namespace kernels = warptree::kernels;
namespace trace = warptree::trace;
using warptree::value::Values;

constexpr std::uint32_t kBlock = 32, kN = 2 * kBlock;

template <class T>
__global__ void halving(kernels::Global<T> input, kernels::Global<T> output) {
    __shared__ kernels::Shared<T, kBlock> sums_s;
    unsigned t = threadIdx.x;
    sums_s[t] = input[t] + input[t + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        kernels::step<T>(stride);
        if (t < stride) sums_s[t] += sums_s[t + stride];
    }
    if (t == 0) output[0] = sums_s[0];
}

Values values_of(const std::vector<float>& numbers) {
    Values values(warptree::value::Type::kFloat32, numbers.size());
    std::memcpy(values.bytes.data(), numbers.data(), numbers.size() * sizeof(float));
    return values;
}

int fail(const char* what) {
    std::fprintf(stderr, "halving: %s\n", what);
    return 1;
}

int main(int argc, char** argv) {
    if (argc != 2) return fail("name the file to write");
    std::vector<float> input(kN), output(1);
    for (std::uint32_t i = 0; i < kN; ++i) input[i] = static_cast<float>(i);

    trace::Trace launch;
    launch.launch = {.kernel = "halving", .n = kN, .block = kBlock, .input = "ramp"};
    launch.arrays = {{"input", trace::Space::kGlobal, trace::Role::kInput, kN},
                     {"output", trace::Space::kGlobal, trace::Role::kOutput, 1},
                     {"sums_s", trace::Space::kShared, trace::Role::kScratch, kBlock}};
    launch.initial = {values_of(input), values_of(output)};

    // The kernel runs over cells that know who wrote them last; what it does comes back block by block
    std::vector<std::uint64_t> input_origins(kN), output_origins(1);
    std::vector<warptree::record::Assembler> assemblers;
    assemblers.emplace_back(launch.arrays, kBlock, launch.launch.type, 1);
    const std::string fault = warptree::simt::run(
        {.block = kBlock, .workers = 1},
        [&] {
            halving<warptree::probe::Recorded<float>>({input.data(), input_origins.data(), kN, 0},
                                                      {output.data(), output_origins.data(), 1, 1});
        },
        [&](std::uint32_t, std::uint32_t block, warptree::probe::BlockLog& log) {
            assemblers[0].add_block(block, log.data(), static_cast<std::uint32_t>(log.size()));
        });
    if (!fault.empty()) return fail(fault.c_str());
    launch.final = {values_of(input), values_of(output)};

    const auto recorded = warptree::record::assemble(launch, std::move(assemblers));
    if (!recorded) return fail(recorded.error().message.c_str());
    if (const auto saved = trace::save(recorded->trace, argv[1]); !saved) return fail(saved.error().message.c_str());

    const auto run = trace::load(argv[1]);
    if (!run) return fail(run.error().message.c_str());
    const trace::Trace& read = run->launches.front();
    const auto totals = warptree::counters::count(read).totals;
    const std::size_t nodes = warptree::graph::build(*run).size();
    const std::size_t hazards = warptree::replay::hazards(read, 0).size();
    std::printf("sum %g, %zu rows, %llu additions, %zu nodes, %llu barriers, %zu hazards\n", output[0], read.rows(),
                static_cast<unsigned long long>(totals.operations), nodes,
                static_cast<unsigned long long>(totals.barriers), hazards);
    return 0;
}
