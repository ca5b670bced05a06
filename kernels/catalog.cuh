// The rows of the catalog, compiled once for each backend. To add a kernel: its file, its include, its row here.
//
// A row is what the catalog says of the kernel: name, source, what it removes and what remains; and its host
// function. Its file is called as the kernel is, with _ for -; those of scans stand in kernels/scan.
#pragma once

#include "instrumentation/request/registry.hpp"

#include "kernels/devices/all_reduce_halving.cuh"
#include "kernels/devices/all_reduce_one_shot.cuh"
#include "kernels/devices/all_reduce_ring.cuh"
#include "kernels/devices/all_reduce_tree.cuh"
#include "kernels/devices/reduce_to_root.cuh"
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
    visit({"pmpp-simple", "PMPP Fig. 10.6", "the N - 1 rounds of a sequential sum: log2 N are left",
           "every warp stays busy with ever fewer of its lanes"},
          []<class T>(Host<T>& host) { host_pmpp_simple(host); });
    visit({"pmpp-convergent", "PMPP Fig. 10.9", "divergence: whole warps fall idle instead of lanes",
           "every round goes through global memory"},
          []<class T>(Host<T>& host) { host_pmpp_convergent(host); });
    visit({"pmpp-shared", "PMPP Fig. 10.11", "global memory traffic: each element is read once",
           "one block only, and a barrier in every round"},
          []<class T>(Host<T>& host) { host_pmpp_shared(host); });
    visit({"pmpp-segmented", "PMPP Fig. 10.13", "the limit of one block",
           "each thread adds two elements, then its block starts to fall idle"},
          []<class T>(Host<T>& host) { host_pmpp_segmented(host); });
    visit({"pmpp-coarsened", "PMPP Fig. 10.15",
           "blocks that would run one after another anyway, and the idle rounds of each",
           "a barrier in every round of the tree"},
          []<class T>(Host<T>& host) { host_pmpp_coarsened(host); });
    visit({"harris-1", "Harris, kernel 1", "the sequential sum",
           "divergence in every round, and a slow % in every thread"},
          []<class T>(Host<T>& host) { host_harris_1(host); });
    visit({"harris-2", "Harris, kernel 2", "divergence, until less than a warp is left",
           "bank conflicts: the words of a warp lie ever further apart"},
          []<class T>(Host<T>& host) { host_harris_2(host); });
    visit({"harris-3", "Harris, kernel 3", "bank conflicts", "half of the threads are idle from the first round on"},
          []<class T>(Host<T>& host) { host_harris_3(host); });
    visit({"harris-4", "Harris, kernel 4", "the threads that only loaded",
           "a block barrier in rounds that a single warp runs"},
          []<class T>(Host<T>& host) { host_harris_4(host); });
    visit({"harris-5", "Harris, kernel 5", "block barriers and tests in the rounds of the last warp",
           "loop overhead of the rounds before"},
          []<class T>(Host<T>& host) { host_harris_5(host); });
    visit({"harris-6", "Harris, kernel 6", "the loop: the compiler knows every test",
           "each thread adds only two elements before the tree"},
          []<class T>(Host<T>& host) { host_harris_6(host); });
    visit({"harris-7", "Harris, kernel 7", "most of the trees: fewer blocks, each with more to add",
           "nothing but the bandwidth of the memory it was written for"},
          []<class T>(Host<T>& host) { host_harris_7(host); });
    visit({"global-halving", "common", "the limit of one block",
           "every round goes through global memory, and the CPU finishes"},
          []<class T>(Host<T>& host) { host_global_halving(host); });
    visit({"shuffle-atomic", "common since Kepler", "shared memory and barriers from the rounds of the last warp",
           "a barrier for each round above the warp"},
          []<class T>(Host<T>& host) { host_shuffle_atomic(host); });
    visit({"two-stage-shuffle", "PMPP 5e", "all barriers but one", "each lane adds in every round, needed or not"},
          []<class T>(Host<T>& host) { host_two_stage_shuffle(host); });
    visit(
        {"warp-reduce", "CUDA Programming Guide", "the shuffles of each warp, and the adds whose results nobody needs",
         "the instruction takes integers of 32 bits alone"},
        []<class T>(Host<T>& host) { host_warp_reduce(host); });
    visit({"last-block", "CUDA threadFenceReduction",
           "atomic adds in an order left to chance, and the second launch that would avoid them",
           "one block works at the end, while all the others have gone home"},
          []<class T>(Host<T>& host) { host_last_block(host); });
    visit({"two-launch", "CUDA samples", "atomic adds in an order left to chance",
           "a second launch, in which one block works and the rest of the GPU waits"},
          []<class T>(Host<T>& host) { host_two_launch(host); });
    visit({"cluster", "CUDA Programming Guide",
           "all but one of the atomic adds of eight blocks: their sums meet on the chip",
           "a barrier of the whole cluster in each of its rounds"},
          []<class T>(Host<T>& host) { host_cluster(host); });
    visit({"vectorized", "ours", "three of four load instructions, and the wait for each load before the next is sent",
           "a result to clear before each run, and atomic adds in an order left to chance"},
          []<class T>(Host<T>& host) { host_vectorized(host); });
    visit({"by-turns", "ours", "the clear of the result before each run",
           "atomic adds in an order left to chance, and a result that lies in another place each time"},
          []<class T>(Host<T>& host) { host_by_turns(host); });
    visit({"single-pass", "ours", "the second place for the result, and atomic adds in an order left to chance",
           "the time that memory takes to deliver every element once"},
          []<class T>(Host<T>& host) { host_single_pass(host); });
    visit({"gather", "common", "the demand that what a block adds lie side by side in memory",
           "a warp's loads scatter over up to as many segments as it has lanes"},
          []<class T>(Host<T>& host) { host_gather(host); });
    visit({"sequential", "PMPP Fig. 10.1", "nothing: what parallel reductions are measured against",
           "N steps of one operation"},
          []<class T>(Host<T>& host) { host_sequential(host); });
    visit({"ideal-tree", "PMPP Fig. 10.3", "all steps but log2 N", "nothing that an ideal machine would charge for"},
          []<class T>(Host<T>& host) { host_ideal_tree(host); });
    visit({"tournament",
           "PMPP Fig. 10.4",
           "the need for as many processors as pairs: a venue plays one match after another",
           "N - 1 matches, however many venues; with fewer of them the rounds take longer",
           {"beats", "teams", 8, 4}},
          []<class T>(Host<T>& host) { host_tournament(host); });
    visit({"pairwise", "Higham, sec. 4.1", "most roundings on each element's way: log2 N are left of N - 1",
           "one rounding a round, and the partial sums have to be kept"},
          []<class T>(Host<T>& host) { host_pairwise(host); });
    visit({"kahan", "Kahan 1965", "the error's growth with N",
           "four operations an element, and what is lost where an element is larger than the sum"},
          []<class T>(Host<T>& host) { host_kahan(host); });
    visit({"neumaier", "Neumaier 1974", "what Kahan's sum loses where an element is larger than the sum",
           "a branch and two more additions an element"},
          []<class T>(Host<T>& host) { host_neumaier(host); });
    visit({"kahan-tree", "ours", "the error's growth with N, on as many threads as there are",
           "four operations an element, and eight where two sums meet"},
          []<class T>(Host<T>& host) { host_kahan_tree(host); });
    visit({"scan-sequential", "PMPP Fig. 11.1", "nothing: what parallel scans are measured against",
           "N - 1 steps of one operation"},
          []<class T>(Host<T>& host) { host_scan_sequential(host); });
    visit({"hillis-steele", "Hillis and Steele 1986", "all steps of a sequential scan but log2 N",
           "N log2 N - (N - 1) adds where N - 1 would do, and a second buffer"},
          []<class T>(Host<T>& host) { host_hillis_steele(host); });
    visit({"kogge-stone", "PMPP Fig. 11.3", "the second buffer",
           "N log2 N - (N - 1) adds, and a second barrier in every round"},
          []<class T>(Host<T>& host) { host_kogge_stone(host); });
    visit({"blelloch", "GPU Gems 3, Example 39-2", "most adds: 2N - 2 are left",
           "twice as many steps, and bank conflicts"},
          []<class T>(Host<T>& host) { host_blelloch(host); });
    visit({"blelloch-padded", "GPU Gems 3, sec. 39.2.3", "the bank conflicts",
           "twice as many steps, in most of which few threads work"},
          []<class T>(Host<T>& host) { host_blelloch_padded(host); });
    visit({"brent-kung", "PMPP Fig. 11.7", "the cleared root, and log2 N of the adds",
           "twice as many steps, in most of which few threads work, and bank conflicts"},
          []<class T>(Host<T>& host) { host_brent_kung(host); });
    visit({"scan-coarsened", "PMPP sec. 11.5", "most of the rounds that all threads wait for",
           "two adds for each element, and each thread walks through its piece alone"},
          []<class T>(Host<T>& host) { host_scan_coarsened(host); });
    visit({"look-back", "Merrill and Garland 2016",
           "the launches that scan the sums and bring them back, and half of the memory traffic",
           "the wait of each tile for those before it"},
          []<class T>(Host<T>& host) { host_look_back(host); });
    visit({"reduce-to-root",
           "MPI's reduce",
           "the limit of one device's memory",
           "all but one device are idle in the end, and that one alone has the sums",
           {.n = 64, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_reduce_to_root(host); });
    visit({"all-reduce-ring",
           "Patarasuk and Yuan 2009",
           "traffic that grows with the devices: to each come 2 (p - 1) / p of an array, whatever their number p",
           "2 (p - 1) rounds, each of which waits for the one before",
           {.n = 64, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_all_reduce_ring(host); });
    visit({"all-reduce-halving",
           "Rabenseifner 2004",
           "most rounds of the ring: 2 log2 p are left, and no more comes to a device",
           "partners far away, and devices that have to be a power of two",
           {.n = 64, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_all_reduce_halving(host); });
    visit({"all-reduce-tree",
           "Sanders, Speck and Träff 2009",
           "the demand that devices be a power of two: any number takes 2 log2 p rounds, rounded up",
           "up to two arrays that come to a device, where a ring sends less than that",
           {.n = 64, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_all_reduce_tree(host); });
    visit({"all-reduce-one-shot",
           "TensorRT-LLM, MSCCL++",
           "all rounds but one, and the wait for those before",
           "p - 1 arrays that come to each of p devices, and as many adds of each element there",
           {.n = 64, .warp_size = 4}},
          []<class T>(Host<T>& host) { host_all_reduce_one_shot(host); });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
