// The catalog's kernels without recording, for ../ptx_test.py to compare with plain.cu. Not part of the program.
#include "kernels/reduce/cluster.cuh"
#include "kernels/reduce/last_block.cuh"
#include "kernels/reduce/pmpp_convergent.cuh"
#include "kernels/reduce/pmpp_segmented.cuh"
#include "kernels/reduce/pmpp_shared.cuh"
#include "kernels/reduce/pmpp_simple.cuh"
#include "kernels/reduce/tournament.cuh"
#include "kernels/reduce/vectorized.cuh"
#include "kernels/reduce/warp_reduce.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

template __global__ void pmpp_simple<float>(float*, float*);
template __global__ void pmpp_convergent<float>(float*, float*);
template __global__ void pmpp_shared<float>(float*, float*);
template __global__ void pmpp_segmented<float>(float*, float*);
template __global__ void last_block<float>(float*, float*, float*, unsigned*);
template __global__ void tournament<float>(float*, float*, unsigned);
template __global__ void vectorized<float>(float*, float*, unsigned);
template __global__ void warp_reduce<int>(int*, int*);
template __global__ void cluster<float>(float*, float*);

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
