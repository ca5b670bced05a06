// The catalog's kernels without recording, for ../ptx_test.py to compare with plain.cu. Not part of the program.
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

template __global__ void pmpp_simple<float>(float*, float*);
template __global__ void pmpp_convergent<float>(float*, float*);
template __global__ void pmpp_shared<float>(float*, float*);
template __global__ void pmpp_segmented<float>(float*, float*);
template __global__ void pmpp_coarsened<float>(float*, float*, unsigned);
template __global__ void harris_1<float>(float*, float*);
template __global__ void harris_2<float>(float*, float*);
template __global__ void harris_3<float>(float*, float*);
template __global__ void harris_4<float>(float*, float*);
template __global__ void harris_5<float>(float*, float*);
template __global__ void harris_6<float, 1024>(float*, float*);
template __global__ void harris_7<float, 1024>(float*, float*, unsigned);
template __global__ void global_halving<float>(float*, float*);
template __global__ void gather<float>(float*, unsigned*, float*);
template __global__ void two_launch<float>(float*, float*, unsigned);
template __global__ void shuffle_atomic<float>(float*, float*);
template __global__ void two_stage_shuffle<float>(float*, float*);
template __global__ void warp_reduce<int>(int*, int*);
template __global__ void last_block<float>(float*, float*, float*, unsigned*);
template __global__ void cluster<float>(float*, float*);
template __global__ void vectorized<float>(float*, float*, unsigned);
template __global__ void by_turns<float>(float*, float*, float*, unsigned);
template __global__ void single_pass<float>(float*, float*, float*, unsigned*, unsigned);
template __global__ void sequential<float>(float*, float*, unsigned);
template __global__ void pairwise<float>(float*, float*, unsigned);
template __global__ void kahan<float>(float*, float*, unsigned);
template __global__ void neumaier<float>(float*, float*, unsigned);
template __global__ void kahan_tree<float>(float*, float*, unsigned);
template __global__ void ideal_tree<float>(float*, float*, unsigned);
template __global__ void tournament<float>(float*, float*, unsigned);
template __global__ void scan_sequential<float>(float*, float*, unsigned, unsigned);
template __global__ void hillis_steele<float>(float*, float*, float*, size_t, unsigned);
template __global__ void kogge_stone<float>(float*, float*, float*, size_t, unsigned);
template __global__ void blelloch<float>(float*, float*, float*, size_t, unsigned);
template __global__ void blelloch_padded<float>(float*, float*, float*, size_t, unsigned);
template __global__ void brent_kung<float>(float*, float*, float*, size_t, unsigned);
template __global__ void scan_coarsened<float>(float*, float*, float*, size_t, unsigned, unsigned);
template __global__ void look_back<float, 8>(float*, float*, Tiles<float>, size_t, unsigned, unsigned);
template __global__ void add_sums<float>(float*, float*, unsigned, size_t);

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
