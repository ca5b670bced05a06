// The rows of the catalog, compiled once for each backend. To add a kernel: its file, its include, its row here.
//
// A row is what the catalog says of the kernel, and how it is launched. `run` comes from the backend: it has the
// arrays, and calling it launches.
#pragma once

#include "kernels/catalog.hpp"

#include "kernels/reduce/cluster.cuh"
#include "kernels/reduce/global_halving.cuh"
#include "kernels/reduce/harris_1.cuh"
#include "kernels/reduce/harris_2.cuh"
#include "kernels/reduce/harris_3.cuh"
#include "kernels/reduce/harris_4.cuh"
#include "kernels/reduce/harris_5.cuh"
#include "kernels/reduce/harris_6.cuh"
#include "kernels/reduce/harris_7.cuh"
#include "kernels/reduce/ideal_tree.cuh"
#include "kernels/reduce/last_block.cuh"
#include "kernels/reduce/pmpp_coarsened.cuh"
#include "kernels/reduce/pmpp_convergent.cuh"
#include "kernels/reduce/pmpp_segmented.cuh"
#include "kernels/reduce/pmpp_shared.cuh"
#include "kernels/reduce/pmpp_simple.cuh"
#include "kernels/reduce/sequential.cuh"
#include "kernels/reduce/shuffle_atomic.cuh"
#include "kernels/reduce/tournament.cuh"
#include "kernels/reduce/two_stage_shuffle.cuh"
#include "kernels/reduce/vectorized.cuh"
#include "kernels/reduce/warp_reduce.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

inline constexpr Sizes kOneBlock{.power_of_two = true, .single_block = true, .least = 2, .most = 2048};

/// For kernels whose block size is a template parameter: calls use.operator()<B>() with the block that was asked for.
template <class Use>
void with_block(std::uint32_t block, Use&& use) {
    switch (block) {
        case 64:
            return use.template operator()<64>();
        case 128:
            return use.template operator()<128>();
        case 256:
            return use.template operator()<256>();
        case 512:
            return use.template operator()<512>();
        case 1024:
            return use.template operator()<1024>();
    }
}

/// Calls visit(row, launch) for every kernel, in teaching order.
template <class Visit>
void each_kernel(Visit&& visit) {
    visit(Kernel{.name = "pmpp-simple",
                 .label = "simple",
                 .source = "PMPP Fig. 10.6",
                 .file = "kernels/reduce/pmpp_simple.cuh",
                 .removes = "the N - 1 rounds of a sequential sum: log2 N are left",
                 .remains = "every warp stays busy with ever fewer of its lanes",
                 .sizes = kOneBlock},
          []<class T>(auto& run) { run(pmpp_simple<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "pmpp-convergent",
                 .label = "convergent",
                 .source = "PMPP Fig. 10.9",
                 .file = "kernels/reduce/pmpp_convergent.cuh",
                 .removes = "divergence: whole warps fall idle instead of lanes",
                 .remains = "every round goes through global memory",
                 .sizes = kOneBlock},
          []<class T>(auto& run) { run(pmpp_convergent<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "pmpp-shared",
                 .label = "shared",
                 .source = "PMPP Fig. 10.11",
                 .file = "kernels/reduce/pmpp_shared.cuh",
                 .removes = "global memory traffic: each element is read once",
                 .remains = "one block only, and a barrier in every round",
                 .sizes = kOneBlock,
                 .shared_names = {"input_s"}},
          []<class T>(auto& run) { run(pmpp_shared<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "pmpp-segmented",
                 .label = "segmented",
                 .source = "PMPP Fig. 10.13",
                 .file = "kernels/reduce/pmpp_segmented.cuh",
                 .removes = "the limit of one block",
                 .remains = "each thread adds two elements, then its block starts to fall idle",
                 .sizes = {},
                 .shared_names = {"input_s"}},
          []<class T>(auto& run) { run(pmpp_segmented<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "pmpp-coarsened",
                 .label = "coarsened",
                 .source = "PMPP Fig. 10.15",
                 .file = "kernels/reduce/pmpp_coarsened.cuh",
                 .removes = "blocks that would run one after another anyway, and the idle rounds of each",
                 .remains = "a barrier in every round of the tree",
                 .sizes = {.coarsens = true},
                 .shared_names = {"input_s"}},
          []<class T>(auto& run) {
              run(pmpp_coarsened<T>, run.template input<T>(), run.template output<T>(), run.coarsen());
          });
    visit(Kernel{.name = "harris-1",
                 .label = "Harris 1",
                 .source = "Harris, kernel 1",
                 .file = "kernels/reduce/harris_1.cuh",
                 .removes = "the sequential sum",
                 .remains = "divergence in every round, and a slow % in every thread",
                 .sizes = {.per_thread = 1},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(harris_1<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "harris-2",
                 .label = "Harris 2",
                 .source = "Harris, kernel 2",
                 .file = "kernels/reduce/harris_2.cuh",
                 .removes = "divergence, until less than a warp is left",
                 .remains = "bank conflicts: the words of a warp lie ever further apart",
                 .sizes = {.per_thread = 1},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(harris_2<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "harris-3",
                 .label = "Harris 3",
                 .source = "Harris, kernel 3",
                 .file = "kernels/reduce/harris_3.cuh",
                 .removes = "bank conflicts",
                 .remains = "half of the threads are idle from the first round on",
                 .sizes = {.per_thread = 1},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(harris_3<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "harris-4",
                 .label = "Harris 4",
                 .source = "Harris, kernel 4",
                 .file = "kernels/reduce/harris_4.cuh",
                 .removes = "the threads that only loaded",
                 .remains = "a block barrier in rounds that a single warp runs",
                 .sizes = {},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(harris_4<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "harris-5",
                 .label = "Harris 5",
                 .source = "Harris, kernel 5",
                 .file = "kernels/reduce/harris_5.cuh",
                 .removes = "block barriers and tests for the last six rounds",
                 .remains = "loop overhead of the rounds before",
                 .sizes = {.least_block = 64},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(harris_5<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "harris-6",
                 .label = "Harris 6",
                 .source = "Harris, kernel 6",
                 .file = "kernels/reduce/harris_6.cuh",
                 .removes = "the loop: the compiler knows every test",
                 .remains = "each thread adds only two elements before the tree",
                 .sizes = {.least_block = 64},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) {
              with_block(run.block(),
                         [&]<unsigned B>() { run(harris_6<T, B>, run.template input<T>(), run.template output<T>()); });
          });
    visit(Kernel{.name = "harris-7",
                 .label = "Harris 7",
                 .source = "Harris, kernel 7",
                 .file = "kernels/reduce/harris_7.cuh",
                 .removes = "most of the trees: fewer blocks, each with more to add",
                 .remains = "nothing but the bandwidth of the memory it was written for",
                 .sizes = {.grid_stride = true, .least_block = 64},
                 .shared_names = {"sdata"},
                 .sum_per_block = true},
          []<class T>(auto& run) {
              with_block(run.block(), [&]<unsigned B>() {
                  run(harris_7<T, B>, run.template input<T>(), run.template output<T>(), run.n());
              });
          });
    visit(Kernel{.name = "global-halving",
                 .label = "halving",
                 .source = "common",
                 .file = "kernels/reduce/global_halving.cuh",
                 .removes = "the limit of one block",
                 .remains = "every round goes through global memory, and the CPU finishes",
                 .sizes = {.per_thread = 1},
                 .sum_per_block = true},
          []<class T>(auto& run) { run(global_halving<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "shuffle-atomic",
                 .label = "shuffle",
                 .source = "common since Kepler",
                 .file = "kernels/reduce/shuffle_atomic.cuh",
                 .removes = "shared memory and barriers from the last five rounds",
                 .remains = "a barrier for each round above the warp",
                 .sizes = {.per_thread = 1, .least_block = 32},
                 .shared_names = {"sdata"}},
          []<class T>(auto& run) { run(shuffle_atomic<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "two-stage-shuffle",
                 .label = "two-stage",
                 .source = "PMPP 5e",
                 .file = "kernels/reduce/two_stage_shuffle.cuh",
                 .removes = "all barriers but one",
                 .remains = "each lane adds in every round, needed or not",
                 .sizes = {.least_block = 32, .any_warps = true},
                 .shared_names = {"warp_sums"}},
          []<class T>(auto& run) { run(two_stage_shuffle<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "warp-reduce",
                 .label = "warp reduce",
                 .source = "CUDA Programming Guide",
                 .file = "kernels/reduce/warp_reduce.cuh",
                 .removes = "the five shuffles of each warp, and the adds whose results nobody needs",
                 .remains = "the instruction takes integers of 32 bits alone",
                 .sizes = {.least_block = 32, .any_warps = true},
                 .shared_names = {"warp_sums"},
                 .warp_instruction = true,
                 .least_capability = 80},
          []<class T>(auto& run) { run(warp_reduce<T>, run.template input<T>(), run.template output<T>()); });
    visit(Kernel{.name = "last-block",
                 .label = "last block",
                 .source = "CUDA threadFenceReduction",
                 .file = "kernels/reduce/last_block.cuh",
                 .removes = "atomic adds in an order left to chance, and the second launch that would avoid them",
                 .remains = "one block works at the end, while all the others have gone home",
                 .sizes = {},
                 .shared_names = {"sdata"},
                 .scratch_per_block = "block_sums"},
          []<class T>(auto& run) {
              run(last_block<T>, run.template input<T>(), run.template output<T>(), run.template scratch<T>(),
                  run.template tickets<T>());
          });
    visit(Kernel{.name = "cluster",
                 .label = "cluster",
                 .source = "CUDA Programming Guide",
                 .file = "kernels/reduce/cluster.cuh",
                 .removes = "all but one of the atomic adds of eight blocks: their sums meet on the chip",
                 .remains = "a barrier of the whole cluster in each of its rounds",
                 .sizes = {.cluster = 8},
                 .shared_names = {"input_s"},
                 .least_capability = 90},
          []<class T>(auto& run) { run(cluster<T>, run.template input<T>(), run.template output<T>()); });
    visit(
        Kernel{
            .name = "vectorized",
            .label = "vectorized",
            .source = "ours",
            .file = "kernels/reduce/vectorized.cuh",
            .removes = "three of four load instructions, and the wait for each load before the next is sent",
            .remains = "the time that memory takes to deliver every element once",
            .sizes = {.grid_stride = true, .per_thread = 16, .least_block = 32, .stops_at_n = true, .any_warps = true},
            .shared_names = {"warp_sums"}},
        []<class T>(auto& run) { run(vectorized<T>, run.template input<T>(), run.template output<T>(), run.n()); });
    visit(Kernel{.name = "sequential",
                 .label = "sequential",
                 .source = "PMPP Fig. 10.1",
                 .file = "kernels/reduce/sequential.cuh",
                 .removes = "nothing: what parallel reductions are measured against",
                 .remains = "N steps of one operation",
                 .sizes = {.one_thread = true, .most = 32768}},
          []<class T>(auto& run) { run(sequential<T>, run.template input<T>(), run.template output<T>(), run.n()); });
    visit(Kernel{.name = "ideal-tree",
                 .label = "ideal tree",
                 .source = "PMPP Fig. 10.3",
                 .file = "kernels/reduce/ideal_tree.cuh",
                 .removes = "all steps but log2 N",
                 .remains = "nothing that an ideal machine would charge for",
                 .sizes = {.single_block = true, .most = 2048}},
          []<class T>(auto& run) { run(ideal_tree<T>, run.template input<T>(), run.template output<T>(), run.n()); });
    visit(Kernel{.name = "tournament",
                 .label = "tournament",
                 .source = "PMPP Fig. 10.4",
                 .file = "kernels/reduce/tournament.cuh",
                 .removes = "the need for as many processors as pairs: a venue plays one match after another",
                 .remains = "N - 1 matches, however many venues; with fewer of them the rounds take longer",
                 .sizes = {.single_block = true, .takes_turns = true, .most = 65536},
                 .usual = {.op = "beats", .input = "teams", .n = 8, .warp_size = 4}},
          []<class T>(auto& run) { run(tournament<T>, run.template input<T>(), run.template output<T>(), run.n()); });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
