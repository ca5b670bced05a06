// The rows of the catalog, compiled once for each backend. To add a kernel: its file, its include, its row here.
//
// A row is what the catalog says of the kernel, and its host function.
#pragma once

#include "kernels/catalog.hpp"

#include "kernels/reduce/by_turns.cuh"
#include "kernels/reduce/cluster.cuh"
#include "kernels/reduce/gather.cuh"
#include "kernels/reduce/global_halving.cuh"
#include "kernels/reduce/harris_1.cuh"
#include "kernels/reduce/harris_2.cuh"
#include "kernels/reduce/harris_3.cuh"
#include "kernels/reduce/harris_4.cuh"
#include "kernels/reduce/harris_5.cuh"
#include "kernels/reduce/harris_6.cuh"
#include "kernels/reduce/harris_7.cuh"
#include "kernels/reduce/ideal_tree.cuh"
#include "kernels/reduce/kahan.cuh"
#include "kernels/reduce/kahan_tree.cuh"
#include "kernels/reduce/last_block.cuh"
#include "kernels/reduce/neumaier.cuh"
#include "kernels/reduce/pairwise.cuh"
#include "kernels/reduce/pmpp_coarsened.cuh"
#include "kernels/reduce/pmpp_convergent.cuh"
#include "kernels/reduce/pmpp_segmented.cuh"
#include "kernels/reduce/pmpp_shared.cuh"
#include "kernels/reduce/pmpp_simple.cuh"
#include "kernels/reduce/sequential.cuh"
#include "kernels/reduce/shuffle_atomic.cuh"
#include "kernels/reduce/single_pass.cuh"
#include "kernels/reduce/tournament.cuh"
#include "kernels/reduce/two_launch.cuh"
#include "kernels/reduce/two_stage_shuffle.cuh"
#include "kernels/reduce/vectorized.cuh"
#include "kernels/reduce/warp_reduce.cuh"
#include "kernels/scan/blelloch.cuh"
#include "kernels/scan/blelloch_padded.cuh"
#include "kernels/scan/brent_kung.cuh"
#include "kernels/scan/hillis_steele.cuh"
#include "kernels/scan/kogge_stone.cuh"
#include "kernels/scan/look_back.cuh"
#include "kernels/scan/scan_coarsened.cuh"
#include "kernels/scan/scan_sequential.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// Calls visit(row, host) for every kernel, in teaching order: host.operator()<T>(Host<T>&) is its host function.
template <class Visit>
void each_kernel(Visit&& visit) {
    visit(Kernel{.name = "pmpp-simple",
                 .label = "simple",
                 .source = "PMPP Fig. 10.6",
                 .file = "kernels/reduce/pmpp_simple.cuh",
                 .removes = "the N - 1 rounds of a sequential sum: log2 N are left",
                 .remains = "every warp stays busy with ever fewer of its lanes"},
          []<class T>(Host<T>& host) { host_pmpp_simple(host); });
    visit(Kernel{.name = "pmpp-convergent",
                 .label = "convergent",
                 .source = "PMPP Fig. 10.9",
                 .file = "kernels/reduce/pmpp_convergent.cuh",
                 .removes = "divergence: whole warps fall idle instead of lanes",
                 .remains = "every round goes through global memory"},
          []<class T>(Host<T>& host) { host_pmpp_convergent(host); });
    visit(Kernel{.name = "pmpp-shared",
                 .label = "shared",
                 .source = "PMPP Fig. 10.11",
                 .file = "kernels/reduce/pmpp_shared.cuh",
                 .removes = "global memory traffic: each element is read once",
                 .remains = "one block only, and a barrier in every round"},
          []<class T>(Host<T>& host) { host_pmpp_shared(host); });
    visit(Kernel{.name = "pmpp-segmented",
                 .label = "segmented",
                 .source = "PMPP Fig. 10.13",
                 .file = "kernels/reduce/pmpp_segmented.cuh",
                 .removes = "the limit of one block",
                 .remains = "each thread adds two elements, then its block starts to fall idle"},
          []<class T>(Host<T>& host) { host_pmpp_segmented(host); });
    visit(Kernel{.name = "pmpp-coarsened",
                 .label = "coarsened",
                 .source = "PMPP Fig. 10.15",
                 .file = "kernels/reduce/pmpp_coarsened.cuh",
                 .removes = "blocks that would run one after another anyway, and the idle rounds of each",
                 .remains = "a barrier in every round of the tree"},
          []<class T>(Host<T>& host) { host_pmpp_coarsened(host); });
    visit(Kernel{.name = "harris-1",
                 .label = "Harris 1",
                 .source = "Harris, kernel 1",
                 .file = "kernels/reduce/harris_1.cuh",
                 .removes = "the sequential sum",
                 .remains = "divergence in every round, and a slow % in every thread"},
          []<class T>(Host<T>& host) { host_harris_1(host); });
    visit(Kernel{.name = "harris-2",
                 .label = "Harris 2",
                 .source = "Harris, kernel 2",
                 .file = "kernels/reduce/harris_2.cuh",
                 .removes = "divergence, until less than a warp is left",
                 .remains = "bank conflicts: the words of a warp lie ever further apart"},
          []<class T>(Host<T>& host) { host_harris_2(host); });
    visit(Kernel{.name = "harris-3",
                 .label = "Harris 3",
                 .source = "Harris, kernel 3",
                 .file = "kernels/reduce/harris_3.cuh",
                 .removes = "bank conflicts",
                 .remains = "half of the threads are idle from the first round on"},
          []<class T>(Host<T>& host) { host_harris_3(host); });
    visit(Kernel{.name = "harris-4",
                 .label = "Harris 4",
                 .source = "Harris, kernel 4",
                 .file = "kernels/reduce/harris_4.cuh",
                 .removes = "the threads that only loaded",
                 .remains = "a block barrier in rounds that a single warp runs"},
          []<class T>(Host<T>& host) { host_harris_4(host); });
    visit(Kernel{.name = "harris-5",
                 .label = "Harris 5",
                 .source = "Harris, kernel 5",
                 .file = "kernels/reduce/harris_5.cuh",
                 .removes = "block barriers and tests in the rounds of the last warp",
                 .remains = "loop overhead of the rounds before"},
          []<class T>(Host<T>& host) { host_harris_5(host); });
    visit(Kernel{.name = "harris-6",
                 .label = "Harris 6",
                 .source = "Harris, kernel 6",
                 .file = "kernels/reduce/harris_6.cuh",
                 .removes = "the loop: the compiler knows every test",
                 .remains = "each thread adds only two elements before the tree"},
          []<class T>(Host<T>& host) { host_harris_6(host); });
    visit(Kernel{.name = "harris-7",
                 .label = "Harris 7",
                 .source = "Harris, kernel 7",
                 .file = "kernels/reduce/harris_7.cuh",
                 .removes = "most of the trees: fewer blocks, each with more to add",
                 .remains = "nothing but the bandwidth of the memory it was written for"},
          []<class T>(Host<T>& host) { host_harris_7(host); });
    visit(Kernel{.name = "global-halving",
                 .label = "halving",
                 .source = "common",
                 .file = "kernels/reduce/global_halving.cuh",
                 .removes = "the limit of one block",
                 .remains = "every round goes through global memory, and the CPU finishes"},
          []<class T>(Host<T>& host) { host_global_halving(host); });
    visit(Kernel{.name = "shuffle-atomic",
                 .label = "shuffle",
                 .source = "common since Kepler",
                 .file = "kernels/reduce/shuffle_atomic.cuh",
                 .removes = "shared memory and barriers from the rounds of the last warp",
                 .remains = "a barrier for each round above the warp"},
          []<class T>(Host<T>& host) { host_shuffle_atomic(host); });
    visit(Kernel{.name = "two-stage-shuffle",
                 .label = "two-stage",
                 .source = "PMPP 5e",
                 .file = "kernels/reduce/two_stage_shuffle.cuh",
                 .removes = "all barriers but one",
                 .remains = "each lane adds in every round, needed or not"},
          []<class T>(Host<T>& host) { host_two_stage_shuffle(host); });
    visit(Kernel{.name = "warp-reduce",
                 .label = "warp reduce",
                 .source = "CUDA Programming Guide",
                 .file = "kernels/reduce/warp_reduce.cuh",
                 .removes = "the shuffles of each warp, and the adds whose results nobody needs",
                 .remains = "the instruction takes integers of 32 bits alone"},
          []<class T>(Host<T>& host) { host_warp_reduce(host); });
    visit(Kernel{.name = "last-block",
                 .label = "last block",
                 .source = "CUDA threadFenceReduction",
                 .file = "kernels/reduce/last_block.cuh",
                 .removes = "atomic adds in an order left to chance, and the second launch that would avoid them",
                 .remains = "one block works at the end, while all the others have gone home"},
          []<class T>(Host<T>& host) { host_last_block(host); });
    visit(Kernel{.name = "two-launch",
                 .label = "two launches",
                 .source = "CUDA samples",
                 .file = "kernels/reduce/two_launch.cuh",
                 .removes = "atomic adds in an order left to chance",
                 .remains = "a second launch, in which one block works and the rest of the GPU waits"},
          []<class T>(Host<T>& host) { host_two_launch(host); });
    visit(Kernel{.name = "cluster",
                 .label = "cluster",
                 .source = "CUDA Programming Guide",
                 .file = "kernels/reduce/cluster.cuh",
                 .removes = "all but one of the atomic adds of eight blocks: their sums meet on the chip",
                 .remains = "a barrier of the whole cluster in each of its rounds"},
          []<class T>(Host<T>& host) { host_cluster(host); });
    visit(Kernel{.name = "vectorized",
                 .label = "vectorized",
                 .source = "ours",
                 .file = "kernels/reduce/vectorized.cuh",
                 .removes = "three of four load instructions, and the wait for each load before the next is sent",
                 .remains = "a result to clear before each run, and atomic adds in an order left to chance"},
          []<class T>(Host<T>& host) { host_vectorized(host); });
    visit(
        Kernel{.name = "by-turns",
               .label = "by turns",
               .source = "ours",
               .file = "kernels/reduce/by_turns.cuh",
               .removes = "the clear of the result before each run",
               .remains = "atomic adds in an order left to chance, and a result that lies in another place each time"},
        []<class T>(Host<T>& host) { host_by_turns(host); });
    visit(Kernel{.name = "single-pass",
                 .label = "single pass",
                 .source = "ours",
                 .file = "kernels/reduce/single_pass.cuh",
                 .removes = "the second place for the result, and atomic adds in an order left to chance",
                 .remains = "the time that memory takes to deliver every element once"},
          []<class T>(Host<T>& host) { host_single_pass(host); });
    visit(Kernel{.name = "gather",
                 .label = "gather",
                 .source = "common",
                 .file = "kernels/reduce/gather.cuh",
                 .removes = "the demand that what a block adds lie side by side in memory",
                 .remains = "a warp's loads scatter over up to as many segments as it has lanes"},
          []<class T>(Host<T>& host) { host_gather(host); });
    visit(Kernel{.name = "sequential",
                 .label = "sequential",
                 .source = "PMPP Fig. 10.1",
                 .file = "kernels/reduce/sequential.cuh",
                 .removes = "nothing: what parallel reductions are measured against",
                 .remains = "N steps of one operation"},
          []<class T>(Host<T>& host) { host_sequential(host); });
    visit(Kernel{.name = "ideal-tree",
                 .label = "ideal tree",
                 .source = "PMPP Fig. 10.3",
                 .file = "kernels/reduce/ideal_tree.cuh",
                 .removes = "all steps but log2 N",
                 .remains = "nothing that an ideal machine would charge for"},
          []<class T>(Host<T>& host) { host_ideal_tree(host); });
    visit(Kernel{.name = "tournament",
                 .label = "tournament",
                 .source = "PMPP Fig. 10.4",
                 .file = "kernels/reduce/tournament.cuh",
                 .removes = "the need for as many processors as pairs: a venue plays one match after another",
                 .remains = "N - 1 matches, however many venues; with fewer of them the rounds take longer",
                 .usual = {.op = "beats", .input = "teams", .n = 8, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_tournament(host); });
    visit(Kernel{.name = "pairwise",
                 .label = "pairwise",
                 .source = "Higham, sec. 4.1",
                 .file = "kernels/reduce/pairwise.cuh",
                 .removes = "most roundings on each element's way: log2 N are left of N - 1",
                 .remains = "one rounding a round, and the partial sums have to be kept"},
          []<class T>(Host<T>& host) { host_pairwise(host); });
    visit(Kernel{.name = "kahan",
                 .label = "Kahan",
                 .source = "Kahan 1965",
                 .file = "kernels/reduce/kahan.cuh",
                 .removes = "the error's growth with N",
                 .remains = "four operations an element, and what is lost where an element is larger than the sum"},
          []<class T>(Host<T>& host) { host_kahan(host); });
    visit(Kernel{.name = "neumaier",
                 .label = "Neumaier",
                 .source = "Neumaier 1974",
                 .file = "kernels/reduce/neumaier.cuh",
                 .removes = "what Kahan's sum loses where an element is larger than the sum",
                 .remains = "a branch and two more additions an element"},
          []<class T>(Host<T>& host) { host_neumaier(host); });
    visit(Kernel{.name = "kahan-tree",
                 .label = "Kahan tree",
                 .source = "ours",
                 .file = "kernels/reduce/kahan_tree.cuh",
                 .removes = "the error's growth with N, on as many threads as there are",
                 .remains = "four operations an element, and eight where two sums meet"},
          []<class T>(Host<T>& host) { host_kahan_tree(host); });
    visit(Kernel{.name = "scan-sequential",
                 .label = "sequential scan",
                 .source = "PMPP Fig. 11.1",
                 .file = "kernels/scan/scan_sequential.cuh",
                 .removes = "nothing: what parallel scans are measured against",
                 .remains = "N - 1 steps of one operation",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_scan_sequential(host); });
    visit(Kernel{.name = "hillis-steele",
                 .label = "Hillis-Steele",
                 .source = "Hillis and Steele 1986",
                 .file = "kernels/scan/hillis_steele.cuh",
                 .removes = "all steps of a sequential scan but log2 N",
                 .remains = "N log2 N - (N - 1) adds where N - 1 would do, and a second buffer",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_hillis_steele(host); });
    visit(Kernel{.name = "kogge-stone",
                 .label = "Kogge-Stone",
                 .source = "PMPP Fig. 11.3",
                 .file = "kernels/scan/kogge_stone.cuh",
                 .removes = "the second buffer",
                 .remains = "N log2 N - (N - 1) adds, and a second barrier in every round",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_kogge_stone(host); });
    visit(Kernel{.name = "blelloch",
                 .label = "Blelloch",
                 .source = "GPU Gems 3, Example 39-2",
                 .file = "kernels/scan/blelloch.cuh",
                 .removes = "most adds: 2N - 2 are left",
                 .remains = "twice as many steps, and bank conflicts",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_blelloch(host); });
    visit(Kernel{.name = "blelloch-padded",
                 .label = "padded Blelloch",
                 .source = "GPU Gems 3, sec. 39.2.3",
                 .file = "kernels/scan/blelloch_padded.cuh",
                 .removes = "the bank conflicts",
                 .remains = "twice as many steps, in most of which few threads work",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_blelloch_padded(host); });
    visit(Kernel{.name = "brent-kung",
                 .label = "Brent-Kung",
                 .source = "PMPP Fig. 11.7",
                 .file = "kernels/scan/brent_kung.cuh",
                 .removes = "the cleared root, and log2 N of the adds",
                 .remains = "twice as many steps, in most of which few threads work, and bank conflicts",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_brent_kung(host); });
    visit(Kernel{.name = "scan-coarsened",
                 .label = "coarsened scan",
                 .source = "PMPP sec. 11.5",
                 .file = "kernels/scan/scan_coarsened.cuh",
                 .removes = "most of the rounds that all threads wait for",
                 .remains = "two adds for each element, and each thread walks through its piece alone",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_scan_coarsened(host); });
    visit(Kernel{.name = "look-back",
                 .label = "look-back",
                 .source = "Merrill and Garland 2016",
                 .file = "kernels/scan/look_back.cuh",
                 .removes = "the launches that scan the sums and bring them back, and half of the memory traffic",
                 .remains = "the wait of each tile for those before it",
                 .problem = Problem::kInclusiveScan},
          []<class T>(Host<T>& host) { host_look_back(host); });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
