// What the CUDA Toolkit's libraries do with an input on the device, and a copy there. CUDA backend alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::kernels {

struct DeviceReference {
    std::function<void(const void* input)> run;  // may go on after it returns
    std::function<std::uint64_t()> result;  // the bits of the sum; of a copy, of what was copied; of a scan the last
};
/// name  one of references(), but for the CPU's. errors: CudaFailure
DeviceReference device_reference(std::string_view name, value::Type type, std::uint64_t n);
/// What NCCL does with an input that is dealt out to the first devices: it takes no other. See references_nccl.cu.
/// name   nccl-all-reduce or nccl-reduce
/// input  (n,) on the first device. errors: CudaFailure, also where the library is not there
DeviceReference nccl_reference(std::string_view name, value::Type type, std::uint64_t n, unsigned devices,
                               const void* input);
/// What each device has after NCCL's all-reduce of an input that is dealt out to them. errors: CudaFailure, also where
/// NCCL has no such operator or type
value::Values all_reduced_by_nccl(const value::Values& input, value::Op, std::uint64_t n, unsigned devices);
/// What NCCL has written into its log here; "" where the user has it elsewhere (NCCL_DEBUG).
std::string nccl_log();

/// Whether two arrays on the device hold the same. bytes: a multiple of 4
bool equal_on_device(const void* left, const void* right, std::size_t bytes);

}  // namespace warptree::kernels
