// The scans of plain.cu, written by hand.

#define SECTION 1024

__global__ void scan_sequential(float* input, float* output, unsigned n, unsigned exclusive) {
    output[0] = exclusive ? 0.0f : input[0];
    for (unsigned i = 1; i < n; ++i) {
        output[i] = output[i - 1] + input[i - exclusive];
    }
}

__global__ void hillis_steele(float* input, float* output, float* sums, size_t n, unsigned exclusive) {
    __shared__ float buffers_s[2 * SECTION];
    unsigned t = threadIdx.x;
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t from = i - exclusive;
    unsigned in = blockDim.x, out = 0;
    buffers_s[out + t] = from < n ? input[from] : 0.0f;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        in = out, out = blockDim.x - in;
        __syncthreads();
        if (t >= stride) {
            buffers_s[out + t] = buffers_s[in + t - stride] + buffers_s[in + t];
        } else {
            buffers_s[out + t] = buffers_s[in + t];
        }
    }
    if (i < n) {
        output[i] = buffers_s[out + t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = buffers_s[out + t];
    }
}

__global__ void kogge_stone(float* input, float* output, float* sums, size_t n, unsigned exclusive) {
    __shared__ float section_s[SECTION];
    unsigned t = threadIdx.x;
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t from = i - exclusive;
    section_s[t] = from < n ? input[from] : 0.0f;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float sum = 0;
        if (t >= stride) {
            sum = section_s[t - stride] + section_s[t];
        }
        __syncthreads();
        if (t >= stride) {
            section_s[t] = sum;
        }
    }
    if (i < n) {
        output[i] = section_s[t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = section_s[t];
    }
}

__global__ void blelloch(float* input, float* output, float* sums, size_t n, unsigned exclusive) {
    __shared__ float section_s[SECTION + 1];
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    section_s[t] = i < n ? input[i] : 0.0f;
    section_s[t + blockDim.x] = i + blockDim.x < n ? input[i + blockDim.x] : 0.0f;
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[k] = section_s[k - stride] + section_s[k];
        }
    }
    if (t == 0) {
        section_s[section] = section_s[section - 1];
        section_s[section - 1] = 0.0f;
    }
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            float left = section_s[k - stride];
            section_s[k - stride] = section_s[k];
            section_s[k] += left;
        }
    }
    __syncthreads();
    t += 1 - exclusive;
    if (i < n) {
        output[i] = section_s[t];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[t + blockDim.x];
    }
    if (gridDim.x > 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = section_s[section];
    }
}

__device__ unsigned place(unsigned k) {
    return k + k / 32;
}

__global__ void blelloch_padded(float* input, float* output, float* sums, size_t n, unsigned exclusive) {
    __shared__ float section_s[33 * 32 + 1];
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    section_s[place(t)] = i < n ? input[i] : 0.0f;
    section_s[place(t + blockDim.x)] = i + blockDim.x < n ? input[i + blockDim.x] : 0.0f;
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[place(k)] = section_s[place(k - stride)] + section_s[place(k)];
        }
    }
    if (t == 0) {
        section_s[place(section)] = section_s[place(section - 1)];
        section_s[place(section - 1)] = 0.0f;
    }
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            float left = section_s[place(k - stride)];
            section_s[place(k - stride)] = section_s[place(k)];
            section_s[place(k)] += left;
        }
    }
    __syncthreads();
    t += 1 - exclusive;
    if (i < n) {
        output[i] = section_s[place(t)];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[place(t + blockDim.x)];
    }
    if (gridDim.x > 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = section_s[place(section)];
    }
}

__global__ void brent_kung(float* input, float* output, float* sums, size_t n, unsigned exclusive) {
    __shared__ float section_s[2 * SECTION];
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    size_t from = i - exclusive;
    section_s[t] = from < n ? input[from] : 0.0f;
    from += blockDim.x;
    section_s[t + blockDim.x] = from < n ? input[from] : 0.0f;
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned index = (t + 1) * 2 * stride - 1;
        if (index < section) {
            section_s[index] = section_s[index - stride] + section_s[index];
        }
    }
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (t + 1) * 2 * stride - 1;
        if (index + stride < section) {
            section_s[index + stride] = section_s[index] + section_s[index + stride];
        }
    }
    __syncthreads();
    if (i < n) {
        output[i] = section_s[t];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[t + blockDim.x];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = section_s[section - 1];
    }
}

__global__ void scan_coarsened(float* input, float* output, float* sums, size_t n, unsigned exclusive,
                               unsigned coarsen) {
    __shared__ float section_s[2 * SECTION];
    unsigned t = threadIdx.x, section = coarsen * blockDim.x;
    size_t begin = size_t(blockIdx.x) * section;
    unsigned piece = t * coarsen, last = piece + coarsen - 1;
    for (unsigned k = t; k < section; k += blockDim.x) {
        size_t from = begin + k - exclusive;
        section_s[k] = from < n ? input[from] : 0.0f;
    }
    __syncthreads();
    for (unsigned k = piece + 1; k <= last; ++k) {
        section_s[k] = section_s[k - 1] + section_s[k];
    }
    for (unsigned stride = coarsen; stride < section; stride *= 2) {
        __syncthreads();
        float sum = 0;
        if (last >= stride) {
            sum = section_s[last - stride] + section_s[last];
        }
        __syncthreads();
        if (last >= stride) {
            section_s[last] = sum;
        }
    }
    __syncthreads();
    if (t > 0) {
        for (unsigned k = piece; k < last; ++k) {
            section_s[k] = section_s[piece - 1] + section_s[k];
        }
    }
    __syncthreads();
    for (unsigned k = t; k < section; k += blockDim.x) {
        if (begin + k < n) {
            output[begin + k] = section_s[k];
        }
    }
    if (gridDim.x > 1 && t == 0) {
        sums[blockIdx.x] = section_s[section - 1];
    }
}

__global__ void add_sums(float* output, float* sums, unsigned section, size_t n) {
    size_t i = section + size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        output[i] = sums[i / section - 1] + output[i];
    }
}
