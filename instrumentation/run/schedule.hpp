// When and where each block of a launch ran: noted by the blocks themselves, in a run of the plain kernel.
//
// The listing is not touched. nvcc's PTX of the plain kernel gets a few instructions at its beginning and its end, and
// the driver makes of it what it would make of the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "instrumentation/request/timing.hpp"
#include "instrumentation/result.hpp"

namespace warptree::kernels {

/// PTX of one kernel whose blocks note where and when they run: block b leaves begin, end and multiprocessor as
/// 64-bit numbers at [warptree_notes] + 24 b.
/// ptx       of plain kernels
/// function  a kernel's name in its file
/// block     threads a block: of kernels that have it as a constant, the one that is meant
/// errors    it has no such kernel, or none of that block
struct NotedKernel {
    std::string entry;  // its name in the PTX
    std::string ptx;
};
Result<NotedKernel> noted_kernel(std::string_view ptx, std::string_view function, std::uint32_t block);

}  // namespace warptree::kernels
