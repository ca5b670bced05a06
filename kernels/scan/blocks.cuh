// Scans of any length: the host's part of all kernels that scan a block. Each block scans its section and leaves its
// sum; the sums are scanned the same way, as many levels as it takes; then each block is raised by what lies before it.
// Source: PMPP 4e, sec. 11.6, hierarchical scan.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// output   (n,) each section's own scan; from the second section on raised by the sum of all before
/// sums     (sections,) scanned, inclusive
/// section  elements that one block has scanned
template <class T>
__global__ void add_sums(Global<T> output, Global<T> sums, unsigned section, size_t n) {
    size_t i = section + size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    step<T>(section, Phase::kAdd);
    if (i < n) {
        output[i] = sums[i / section - 1] + output[i];
    }
}

/// One level, and those above it.
/// kernel(input, output, sums, n, exclusive, more...)  scans each block's section, and leaves its sum where there are
///                                                     several blocks; input and output may be one array
template <class T, class Kernel, class... More>
void scan_level(Host<T>& host, const char* name, Kernel kernel, unsigned block, unsigned section, Global<T> input,
                Global<T> output, std::uint64_t n, unsigned exclusive, More... more) {
    const std::uint64_t blocks = ceil_div(n, section);
    const Global<T> sums = blocks == 1 ? output : host.partial("sums", blocks);
    host.launch(name, kernel, {blocks, block}, input, output, sums, n, exclusive, more...);
    if (blocks == 1) return;
    scan_level(host, name, kernel, block, section, sums, sums, blocks, 0, more...);
    host.launch("add_sums", add_sums<T>, {ceil_div(n - section, block), block}, output, sums, section, n);
}

/// range  least * per_thread >= 2: a level leaves fewer sums than it found elements
/// more   arguments of the kernel's own, behind those that all have
template <class T, class Kernel, class... More>
void scan_by_blocks(Host<T>& host, const char* name, Kernel kernel, const BlockRange& range, More... more) {
    host.takes_n({});
    const unsigned block = host.block(range), exclusive = host.exclusive();
    auto input = host.input(host.n()), output = host.output(host.n());
    scan_level(host, name, kernel, block, range.per_thread * block, input, output, host.n(), exclusive, more...);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
