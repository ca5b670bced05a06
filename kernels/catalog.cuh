// The rows of the catalog, compiled once for each backend. To add a kernel: its file, its include, its row here.
//
// A row is what the catalog says of the kernel, and how it is launched. `run` comes from the backend: it has the
// arrays, and calling it launches.
#pragma once

#include "kernels/catalog.hpp"

#include "kernels/reduce/pmpp_convergent.cuh"
#include "kernels/reduce/pmpp_segmented.cuh"
#include "kernels/reduce/pmpp_shared.cuh"
#include "kernels/reduce/pmpp_simple.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

inline constexpr Sizes kOneBlock{.power_of_two = true, .single_block = true, .least = 2, .most = 2048};

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
                 .sizes = {.power_of_two = true, .least = 2},
                 .shared_names = {"input_s"}},
          []<class T>(auto& run) { run(pmpp_segmented<T>, run.template input<T>(), run.template output<T>()); });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
