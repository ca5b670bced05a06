// When and where each block of a launch ran: noted by the blocks themselves, in a run of the plain kernel.
//
// The listing is not touched. nvcc's PTX of the plain kernel gets a few instructions at its beginning and its end, and
// the driver makes of it what it would make of the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/result.hpp"
#include "kernels/catalog.hpp"

namespace warptree::kernels {

struct BlockRun {
    std::uint32_t place = 0;  // the multiprocessor
    std::uint64_t begin = 0,
                  end = 0;  // nanoseconds from the first begin; the end is that of the last warp's first lane
};
/// Of a run's first launch.
struct Schedule {
    static constexpr std::uint32_t kMostBlocks = 8192;
    std::string kernel, function;
    std::uint64_t n = 0;
    std::uint32_t block = 0, coarsen = 1;
    std::uint32_t places = 0;  // multiprocessors of the device
    std::vector<BlockRun> blocks;
};

/// Runs the plain kernel on the GPU, a sum of float32, twice to warm up and once noted.
/// errors  as check(); no GPU; a kernel that needs instructions newer than its PTX; too many blocks
Result<Schedule> schedule(const Request&);

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
