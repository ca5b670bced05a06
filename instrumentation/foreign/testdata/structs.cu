// Structs and classes that device code uses: as elements, as arguments, with the host's use of the same types beside
// it.
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cstring>
#include <vector>

struct Pair {
    float value;
    int index;
};
typedef struct {
    float re, im;
} Complex;
struct Best {
    int value, index;
    Best() = default;
    __host__ __device__ Best(int v, int i) : value(v), index(i) {}
    __host__ __device__ bool operator>(const Best& other) const { return value > other.value; }
};
template <class T>
struct Keyed {
    int key;
    T value;
};
struct Particle {
    float x, y, z, mass;
};
/// Has memory of the device, as long as it is there; what launches are given is a copy.
struct Lock {
    int* mutex;
    Lock() { cudaMalloc(&mutex, sizeof(int)), cudaMemset(mutex, 0, sizeof(int)); }
    ~Lock() { cudaFree(mutex); }
    __device__ void lock() {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock() { __threadfence(), atomicExch(mutex, 0); }
};
/// Likewise, and not there twice.
struct Room {
    struct {
        float* at;
    } inner;
    Room() { cudaMalloc(&inner.at, sizeof(float)), cudaMemset(inner.at, 0, sizeof(float)); }
    ~Room() { cudaFree(inner.at); }
};
struct Arguments {
    const float* in;
    float* out;
    int n;
};
class Vector {
    float* data_;
    int size_;

public:
    explicit Vector(const std::vector<float>& from) : size_(static_cast<int>(from.size())) {
        cudaMalloc(&data_, from.size() * sizeof(float));
        cudaMemcpy(data_, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice);
    }
    float first() const {
        float one;
        cudaMemcpy(&one, data_, sizeof(one), cudaMemcpyDeviceToHost);
        return one;
    }
    __device__ float& operator[](int i) { return data_[i]; }
    __host__ __device__ int size() const { return size_; }
};
__device__ Complex total;

__host__ __device__ Complex add(Complex a, Complex b) {
    Complex sum;
    sum.re = a.re + b.re;
    sum.im = a.im + b.im;
    return sum;
}
__host__ __device__ float sum_of(const float* values, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}
__device__ Best better(Best a, Best b) {
    return a.value > b.value ? a : b;
}

__global__ void pair(const float* in, Pair* out, int n) {
    __shared__ Pair s[64];
    int t = threadIdx.x;
    s[t].value = in[t];
    s[t].index = t;
    for (int d = n / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d && s[t + d].value > s[t].value) s[t] = s[t + d];
    }
    if (t == 0) out[0] = s[0];
}
__global__ void many(const float* in, Pair* out) {
    __shared__ Pair s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t].value = in[i];
    s[t].index = i;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d && s[t + d].value > s[t].value) s[t] = s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void beside(const float* in, float* out, int* where, int n) {
    __shared__ float s[64];
    __shared__ int at[64];
    int t = threadIdx.x;
    s[t] = in[t];
    at[t] = t;
    for (int d = n / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d && s[t + d] < s[t]) {
            s[t] = s[t + d];
            at[t] = at[t + d];
        }
    }
    if (t == 0) *out = s[0], *where = at[0];
}
__global__ void complex(const Complex* in, int n) {
    extern __shared__ Complex c[];
    int t = threadIdx.x;
    c[t] = in[t];
    for (int d = n / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) c[t] = add(c[t], c[t + d]);
    }
    if (t == 0) total = c[0];
}
__global__ void best(const int* in, Best* out, int n) {
    Best mine(INT_MIN, -1);
    for (int i = threadIdx.x; i < n; i += 32) mine = better(mine, Best(in[i], i));
    __shared__ Best s[32];
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int i = 1; i < 32 && threadIdx.x == 0; ++i) mine = better(mine, s[i]);
    if (threadIdx.x == 0) out[1] = mine;
}
template <class T>
__global__ void keyed(Keyed<T>* in, int n) {
    int t = threadIdx.x;
    for (int d = n / 2; d > 0; d /= 2) {
        if (t < d && in[t + d].value < in[t].value) in[t] = in[t + d];
        __syncthreads();
    }
}
__global__ void mass(const Particle* in, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i].mass;
    *out = sum;
}
__global__ void arguments(Arguments a) {
    a.out[0] = sum_of(a.in, a.n);
}
__global__ void two(Arguments a, const float* more) {
    float sum = 0;
    for (int i = 0; i < a.n; ++i) sum += a.in[i] + more[i];
    a.out[0] = sum;
}
__global__ void vector(Vector v) {
    int t = threadIdx.x;
    for (int d = v.size() / 2; d > 0; d /= 2) {
        if (t < d) v[t] += v[t + d];
        __syncthreads();
    }
}

__global__ void locked(const float* in, float* out, Lock lock) {
    if (threadIdx.x > 0) return;
    float sum = 0;
    for (int i = 0; i < 16; ++i) sum += in[blockIdx.x * 16 + i];
    lock.lock();
    *out += sum;
    lock.unlock();
}
__global__ void roomy(const float* in, float* out, Room room) {
    float* at = (float*)room.inner.at;
    atomicAdd(at, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *out = *at;
}

template <class T>
T* on_device(const std::vector<T>& host) {
    T* out;
    cudaMalloc(&out, host.size() * sizeof(T));
    cudaMemcpy(out, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return out;
}
template <class T>
T from_device(const T* at) {
    T out;
    cudaMemcpy(&out, at, sizeof(T), cudaMemcpyDeviceToHost);
    return out;
}

int main(int argc, char** argv) {
    const int n = 64;
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    std::vector<float> floats(n);
    std::vector<int> ints(n);
    std::vector<Complex> numbers(n);
    std::vector<Keyed<float>> pairs(n);
    std::vector<Particle> particles(n);
    for (int i = 0; i < n; ++i) {
        floats[i] = ints[i] = (i * 37 + 11) % 61 - 80;
        numbers[i] = {floats[i], 1};
        pairs[i] = {i, floats[i]};
        particles[i] = {1, 2, 3, floats[i]};
    }
    float* in = on_device(floats);
    float* out = on_device(std::vector<float>(1));
    if (is("pair")) {
        Pair* to = on_device(std::vector<Pair>(1));
        pair<<<1, n>>>(in, to, n);
        const Pair got = from_device(to);
        printf("%g at %d\n", got.value, got.index);
    } else if (is("many")) {
        std::vector<float> all(1 << 19);
        for (int i = 0; i < 1 << 19; ++i) all[i] = i * 37 % 1009 - 2000;
        std::vector<Pair> blocks(all.size() / 256);
        Pair* to = on_device(blocks);
        many<<<blocks.size(), 256>>>(on_device(all), to);
        cudaMemcpy(blocks.data(), to, blocks.size() * sizeof(Pair), cudaMemcpyDeviceToHost);
    } else if (is("beside")) {
        int* where = on_device(ints);
        beside<<<1, n>>>(in, out, where, n);
        const int at = from_device(where);
        printf("%g at %d\n", from_device(out), at);
    } else if (is("complex")) {
        complex<<<1, n, n * sizeof(Complex)>>>(on_device(numbers), n);
        Complex got, right = {0, 0};
        cudaMemcpyFromSymbol(&got, total, sizeof(got));
        for (const Complex& one : numbers) right = add(right, one);
        printf("%g %g of %g\n", got.re, got.im, right.re);
    } else if (is("best")) {
        Best* to = on_device(std::vector<Best>(3, Best(0, 0)));
        best<<<1, 32>>>(on_device(ints), to, n);
        Best right(INT_MIN, -1);
        for (int i = 0; i < n; ++i)
            if (Best(ints[i], i) > right) right = Best(ints[i], i);
        const Best got = from_device(to + 1);
        printf("%d at %d of %d\n", got.value, got.index, right.value);
    } else if (is("keyed")) {
        Keyed<float>* both = on_device(pairs);
        keyed<float><<<1, n>>>(both, n);
        const Keyed<float> got = from_device(both);
        printf("%g at %d\n", got.value, got.key);
    } else if (is("mass")) {
        mass<<<1, 1>>>(on_device(particles), out, n);
        printf("%g\n", from_device(out));
    } else if (is("arguments")) {
        arguments<<<1, 1>>>(Arguments{in, out, n});
        printf("%g of %g\n", from_device(out), sum_of(floats.data(), n));
    } else if (is("two")) {
        two<<<1, 1>>>(Arguments{in, out, n}, on_device(floats));
        printf("%g\n", from_device(out));
    } else if (is("lock")) {
        Lock lock;
        locked<<<4, 16>>>(in, out, lock);
        printf("%g\n", from_device(out));
    } else if (is("room")) {
        Room room;
        roomy<<<1, n>>>(in, out, room);
        printf("%g\n", from_device(out));
    } else if (is("vector")) {
        Vector v(floats);
        vector<<<1, n>>>(v);
        printf("%g\n", v.first());
    }
}
