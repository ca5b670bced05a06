// What is told of runs that nothing is recorded of: how long they took, beside what, and when each block ran.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/request.hpp"
#include "instrumentation/result.hpp"

namespace warptree::kernels {

/// The device of runs that the CPU made.
inline constexpr std::string_view kExecutor = "CPU executor";
/// What a backend's runs are made on.
std::string device_of(Backend);

/// What is timed beside kernels, on the same input: `copy` (within the memory), `cub-reduce` and `thrust-reduce` (the
/// libraries of the CUDA Toolkit), `cpu-serial` (a plain loop), `cpu-parallel` (the same on all cores, by OpenMP); of
/// scans `cub-scan`, `thrust-scan` and `cpu-scan` (a plain loop); of several devices `nccl-all-reduce` and
/// `nccl-reduce`, where NVIDIA's library is installed.
std::span<const std::string_view> references(Backend);
/// Whether a reference stands beside kernels of such a problem.
bool is_for(std::string_view reference, value::Problem);
/// Bytes that a kernel or reference reads of its input, and that scans and a copy write besides. On several devices
/// those that each link has to carry in a direction: of an all-reduce 2 (p - 1) / p of what one of p devices has, else
/// that.
double bytes_moved(std::string_view name, value::Type, std::uint64_t n, std::uint32_t devices);

/// The times of one kernel or reference on one input.
struct Timing {
    std::string kernel;
    value::Type type = value::Type::kFloat32;
    std::uint64_t n = 0;
    std::uint32_t block = 0;    // of the first launch; 0: a reference
    std::uint32_t coarsen = 1;  // of kernels that have no factor, and of references, 1
    std::uint32_t devices = 1;
    bool cold = false;
    double ms_min = 0, ms_median = 0, ms_max = 0;
    double gb_per_s = 0;  // 10^9 bytes a second, of bytes_moved(), by the median
    bool correct = false;
};

/// Which way NCCL went for so many bytes on each device.
struct NcclChoice {
    std::string kernel;  // the reference
    std::uint64_t bytes = 0;
    std::uint32_t devices = 0, channels = 0;    // that it used at once
    std::string algorithm = {}, protocol = {};  // "RING", "LL"
    bool operator==(const NcclChoice&) const = default;
};
/// How NCCL laid its channels over the devices.
struct NcclChannels {
    enum class Shape : std::uint8_t { kRing, kTree } shape = Shape::kRing;
    std::uint32_t devices = 0, channels = 0;  // that are laid so
    std::vector<std::uint32_t> order;  // (devices,) of a ring one after the other; of a tree whom each sends to: the
                                       // root to itself
    bool operator==(const NcclChannels&) const = default;
};
/// What NCCL says of its work.
struct NcclNotes {
    std::string version;  // "2.28.9"; "": it has said nothing
    std::vector<NcclChannels> channels;
    std::vector<NcclChoice> choices;
};

/// Whether nobody waits for it any more; looked at between runs.
using Stop = std::function<bool()>;

/// One input that kernels and references are timed on, one after the other.
class Bench {
public:
    virtual ~Bench() = default;
    /// A sum over float32 or int32, of random values.
    /// errors  another type; too little memory; no GPU
    static Result<std::unique_ptr<Bench>> make(Backend, value::Type, std::uint64_t n);
    /// name    of a kernel or a reference
    /// block   0: the usual
    /// devices  of who runs on several; 0: the usual
    /// cold    no run finds its input in the GPU's cache: each takes another copy of it, and all are larger than the
    /// cache errors  what check() finds; kCancelled where it was stopped
    virtual Result<Timing> time(const std::string& name, std::uint32_t block, bool cold, const Stop& stop,
                                std::uint32_t coarsen = 1, std::uint32_t devices = 0) = 0;
    /// What NCCL said as it was timed here.
    virtual const NcclNotes& nccl() const = 0;
};

/// GB/s of a copy, read plus written: the best of several copies of more than a cache holds.
Result<double> copy_rate(Backend);

/// When and where a block ran.
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

/// A run of the CPU made ready, its input too: what the returned function does is the run alone.
Result<std::function<Result<void>()>> ready(const Request&, bool recorded);

}  // namespace warptree::kernels
