// Pairwise and compensated sums written by hand: part of plain.cu, which says what for.
#pragma once

__global__ void pairwise(float* input, float* output, unsigned n) {
    for (unsigned stride = 1; stride < n; stride *= 2) {
        for (unsigned i = 0; i + stride < n; i += 2 * stride) {
            input[i] += input[i + stride];
        }
    }
    *output = input[0];
}

__global__ void kahan(float* input, float* output, unsigned n) {
    float sum = input[0];
    float c = 0;
    for (unsigned i = 1; i < n; ++i) {
        float y = input[i] - c;
        float t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    *output = sum;
}

__global__ void neumaier(float* input, float* output, unsigned n) {
    float sum = input[0];
    float c = 0;
    for (unsigned i = 1; i < n; ++i) {
        float x = input[i];
        float t = sum + x;
        if (fabs(sum) >= fabs(x)) {
            c += (sum - t) + x;
        } else {
            c += (x - t) + sum;
        }
        sum = t;
    }
    *output = sum + c;
}

__global__ void kahan_tree(float* input, float* output, unsigned n) {
    __shared__ float sum_s[1024];
    __shared__ float c_s[1024];
    unsigned t = threadIdx.x;
    float sum = 0;
    float c = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        float y = input[i] - c;
        float next = sum + y;
        c = (next - sum) - y;
        sum = next;
    }
    sum_s[t] = sum;
    c_s[t] = c;
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            float other = sum_s[t + stride];
            float next = sum + other;
            float part = next - sum;
            float kept = next - part;
            float of_sum = sum - kept;
            float of_other = part - other;
            float lost = of_sum - of_other;
            c = c - (lost - c_s[t + stride]);
            sum = next;
            sum_s[t] = sum;
            c_s[t] = c;
        }
    }
    if (t == 0 && gridDim.x == 1) {
        *output = sum - c;
    } else if (t == 0) {
        output[2 * blockIdx.x] = sum;
        output[2 * blockIdx.x + 1] = -c;
    }
}
