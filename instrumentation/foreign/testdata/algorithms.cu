// What programs ask of Thrust, CUB and libcu++ beside sums; each prints what it gave.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <cstring>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <iostream>

template <class T>
struct Square {
    __host__ __device__ T operator()(const T& x) const { return x * x; }
};
struct IsEven {
    __host__ __device__ bool operator()(int x) { return x % 2 == 0; }
};
struct Product {
    __host__ __device__ int operator()(const thrust::tuple<int, int>& both) const {
        return thrust::get<0>(both) * thrust::get<1>(both);
    }
};
struct Smaller {
    template <class T>
    __device__ T operator()(const T& a, const T& b) const {
        return (b < a) ? b : a;
    }
};

template <int Block, int Each>
__global__ void collectives(const int* in, int* out, int* results) {
    using Load = cub::BlockLoad<int, Block, Each, cub::BLOCK_LOAD_TRANSPOSE>;
    using Scan = cub::BlockScan<int, Block>;
    using Reduce = cub::BlockReduce<int, Block>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
    } temp;
    int items[Each], all;
    Load(temp.load).Load(in, items);
    __syncthreads();
    int sum = Reduce(temp.reduce).Sum(items), rank = 1;
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(items, items);
    cub::BlockStore<int, Block, Each>().Store(out, items);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(rank, rank, all);
    __shared__ typename cub::WarpScan<int>::TempStorage warp[Block / 32];
    cub::WarpScan<int>(warp[threadIdx.x / 32]).InclusiveSum(rank, rank);
    if (threadIdx.x == 0) results[0] = sum, results[1] = all;
    if (threadIdx.x == 31) results[2] = rank;
    cuda::atomic_ref<int, cuda::thread_scope_device> count(results[3]);
    count.fetch_add(1, cuda::memory_order_relaxed);
}

void device_wide(int* in, int* out, int n) {
    void* temp = nullptr;
    size_t bytes = 0;
    auto last = [&](int at = 0) {
        int result;
        cudaMemcpy(&result, out + at, sizeof(int), cudaMemcpyDeviceToHost);
        return result;
    };
    cub::DeviceReduce::Reduce(temp, bytes, in, out, n, Smaller(), 100);
    cudaMalloc(&temp, bytes);
    cub::DeviceReduce::Reduce(temp, bytes, in, out, n, Smaller(), 100);
    std::cout << "cub " << last();
    cub::DeviceReduce::Sum(temp, bytes, thrust::make_transform_iterator(in, Square<int>()), out, n);
    std::cout << " " << last();
    cub::DeviceScan::InclusiveSum(temp, bytes, in, out, n);
    std::cout << " " << last(n - 1);
    cub::DeviceScan::ExclusiveScan(temp, bytes, in, out, Smaller(), 50, n);
    std::cout << " " << last() << " " << last(n - 1);
    thrust::device_vector<int> bounds(3);
    bounds[1] = 100, bounds[2] = n;
    int* at = thrust::raw_pointer_cast(bounds.data());
    cub::DeviceSegmentedReduce::Sum(temp, bytes, in, out, 2, at, at + 1);
    std::cout << " " << last() << " " << last(1) << "\n";
}

int main(int count, char** words) {
    const int n = 512;
    thrust::host_vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = 1 + i % 5;
    thrust::device_vector<int> in = host, out(n), twos(n, 2);
    int *from = thrust::raw_pointer_cast(&in[0]), *to = thrust::raw_pointer_cast(out.data());
    auto is = [&](const char* name) { return count > 1 && strcmp(words[1], name) == 0; };
    if (is("squares")) return thrust::transform_reduce(in.begin(), in.end(), Square<int>(), 0, thrust::plus<int>()) < 0;
    if (is("max-scan")) {
        thrust::inclusive_scan(thrust::device, from, from + n, to, thrust::maximum<int>());
        thrust::copy(out.begin(), out.end(), host.begin());
        return 0;
    }
    std::cout << "reduce " << thrust::reduce(in.begin(), in.end()) << " "
              << thrust::reduce(in.begin(), in.end(), 0, thrust::maximum<int>()) << " "
              << thrust::reduce(thrust::device, from, from + n, 7) << " " << thrust::reduce(host.begin(), host.end())
              << "\n";
    std::cout << "of more " << thrust::transform_reduce(in.begin(), in.end(), Square<int>(), 0, thrust::plus<int>())
              << " " << thrust::inner_product(in.begin(), in.end(), twos.begin(), 0) << " "
              << thrust::count_if(in.begin(), in.end(), IsEven()) << " " << thrust::count(in.begin(), in.end(), 3);
    auto both = thrust::make_zip_iterator(thrust::make_tuple(in.begin(), twos.begin()));
    auto numbers = thrust::make_counting_iterator(1);
    std::cout << " " << thrust::transform_reduce(both, both + n, Product(), 0, thrust::plus<int>()) << " "
              << thrust::reduce(numbers, numbers + 100) << "\n";
    thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 4);
    std::cout << "scan " << out[0] << " " << out[n - 1];
    thrust::inclusive_scan(in.begin(), in.begin() + 5, out.begin(), thrust::multiplies<int>());
    std::cout << " " << out[4] << "\n";
    thrust::sequence(out.begin(), out.end(), 5, 2);
    std::cout << "each " << out[3];
    thrust::transform(in.begin(), in.end(), twos.begin(), out.begin(), thrust::multiplies<int>());
    std::cout << " " << out[4];
    thrust::fill(out.begin(), out.end(), 9);
    std::cout << " " << out.back();
    thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     [=] __device__(int i) { to[i] = i; });
    std::cout << " " << out[n - 1] << "\n";
    thrust::sort(in.begin(), in.end(), thrust::greater<int>());
    auto least = thrust::min_element(in.begin(), in.end());
    std::cout << "host " << in[0] << " " << *least << " " << least - in.begin();
    thrust::device_vector<int> keys(5), sums(5);
    auto end = thrust::reduce_by_key(in.begin(), in.end(), twos.begin(), keys.begin(), sums.begin());
    std::cout << " " << end.first - keys.begin() << " " << sums[0];
    thrust::replace(keys.begin(), keys.end(), 4, 1);
    auto kept = thrust::remove(keys.begin(), keys.end(), 1);
    std::cout << " " << kept - keys.begin() << " " << thrust::find(keys.begin(), kept, 2) - keys.begin() << "\n";
    in = host;
    from = thrust::raw_pointer_cast(in.data());
    cudaMemset(to, 0, n * sizeof(int));
    thrust::device_vector<int> results(4);
    collectives<128, 4><<<1, 128>>>(from, to, thrust::raw_pointer_cast(results.data()));
    host = results;
    std::cout << "collectives " << host[0] << " " << host[1] << " " << host[2] << " " << host[3] << " " << out[n - 1]
              << "\n";
    device_wide(from, to, n);
}
