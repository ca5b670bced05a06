// What can be run: a row for each kernel of a catalog, which gives itself here, and what becomes of a request. Where
// nobody gave one, runs of others can still be shown. The command line, the tests and the app all read the rows; they
// are in teaching order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/embedded.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/request/timing.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::kernels {

/// What a kernel's host function asks of the GPU and of the elements.
struct Needs {
    std::uint32_t capability = 75;  // compute capability, times ten
    bool warp_reduce = false;       // it uses __reduce_*_sync: see unsuited()
    bool compensates = false;       // it keeps what additions of floats round away, and knows nothing else
    bool halves = false;            // each of its rounds halves what is left, however few its threads are
};

/// What a kernel's host function asks of N and of the block, noted while it was planned for the usual N.
struct Sizes {
    bool power_of_two = false;  // N has to be one
    bool single_block = false;  // a single block does it all, and N leaves no choice of its threads
    bool takes_turns = false;   // that block may be of any size: its threads take one element after another
    bool coarsens = false;      // has a coarsening factor, --coarsen
    bool devices = false;       // runs on several devices, --devices
    std::uint64_t least = 1, most = 0, most_plain = 0;  // N, when the run is recorded, and when it is not
    std::uint32_t per_thread = 2;                       // elements a thread takes, times the coarsening factor
    std::uint32_t least_block = 1;                      // threads
    std::uint32_t cluster = 1;                          // blocks a cluster, where there are as many
    Needs needs = {};
    bool any_warps = false;  // the block may be any number of whole warps; else it is a power of two
};

/// What a kernel is shown with where nobody chose.
struct Usual {
    std::string_view op = "sum", input = "textbook";
    std::uint64_t n = 256;
    std::uint32_t warp_size = 32;
    bool operator==(const Usual&) const = default;
};

/// One row of the catalog.
struct Kernel {
    std::string_view name = {};     // "pmpp-simple"
    std::string_view source = {};   // "PMPP Fig. 10.6"
    std::string_view removes = {};  // the cost it removes, one sentence
    std::string_view remains = {};  // the cost that remains, one sentence
    Usual usual = {};
    // Filled in by catalog(), from the name, from the file's folder and from the host function
    std::string_view file = {};             // "kernels/reduce/pmpp_simple.cuh"
    Problem problem = Problem::kReduction;  // of a scan kInclusiveScan: every scan is exclusive too, where asked to be
    bool scans() const { return value::is_scan(problem); }
    Sizes sizes = {};
};

/// Why a kernel cannot be used with an operator and type that go together, and what can; "" where it can.
std::string unsuited(const Kernel&, std::string_view op, value::Type);
/// The type to take where nobody chose one: float32 where operator and kernel can take it, else int32.
value::Type usual_type(const Kernel&, std::string_view op);
/// Whether a request's kernel and operator take the type, and all of its numbers can be elements.
bool takes(const Request&, value::Type);
/// Gives a request the type that a file has its numbers in, where it takes that.
void take_own_type(Request&);

std::span<const Kernel> catalog();
const Kernel* find(std::string_view name);
/// The catalog's name nearest to a mistyped one (edit distance), for "did you mean".
std::string_view nearest(std::string_view name);

/// The kernel's own file, as it was compiled; lines end in '\n'.
std::string_view listing(const Kernel&);
/// The file that a launched function stands in: the kernel's own, or one that several kernels share; and its text.
std::string_view file_of(const Kernel&, std::string_view function);
std::string_view listing(std::string_view file);
/// A function's first and last line in a listing, counted from 1; "": its first __global__ function.
struct Lines {
    int first, last;
    bool found() const { return first > 1; }  // a file begins with a comment
};
Lines function_lines(std::string_view listing, std::string_view function = {});
/// What a function calls the shared array that it declares as number `ordinal`: a label. How many there are, and of how
/// many elements, the probe says.
std::string shared_name(std::string_view listing, std::string_view function, std::size_t ordinal);

/// One barrier of a kernel's listing that a run can leave out.
struct Barrier {
    std::uint16_t line = 0;
    bool warp = false;     // __syncwarp()
    bool cluster = false;  // cluster.sync(); neither: __syncthreads()
    std::string_view text() const { return warp ? "__syncwarp()" : cluster ? "cluster.sync()" : "__syncthreads()"; }
    bool operator==(const Barrier&) const = default;
};
/// All of them, in order of lines; empty where the kernel has none. Small runs of the kernel, recorded once, came by
/// them.
const std::vector<Barrier>& barriers(const Kernel&);

/// The coarsening factor where nobody chose: the least that shows what it does; 1 where the kernel has none.
inline std::uint32_t usual_coarsen(const Kernel& kernel) {
    return kernel.sizes.coarsens ? 2 : 1;
}
/// What a run is called among others: of a kernel that coarsens with its factor, "pmpp-coarsened:coarsen=4".
std::string factored_name(std::string_view kernel, std::uint32_t coarsen);
/// Gives a request what its kernel is usually shown with: operator and its type, input, N, coarsening factor and, on
/// the CPU, warp.
void take_usual(const Kernel&, Request&);

/// Checks a request against the catalog and this machine, without running it.
/// recorded  false: for run_untraced(), which takes a larger N
/// later     true: but for check_cuda(), which waits for the driver a tenth of a second
/// returns  the request with its zeros filled in; or a sentence saying what is wrong and what would be right
Result<Request> check(const Request&, bool recorded = true, bool later = false);

/// The request that a run answers, for the CPU: recorded again, it gives the same trace.
/// block  0 where the launch has the usual one, so that it goes along with another N
/// Its numbers are those of the run: whatever a file says that its input is called, nothing of that name is opened.
Request request_of(const trace::Run&);
/// The same but for the numbers, which are none.
Request request_of(const trace::Launch&);

/// Runs the kernel and records everything it did.
/// progress  kept up to date, and looked at between blocks (on CUDA: between launches); null: nobody watches
/// errors    kCancelled where progress->cancel was set
Result<trace::Run> record(const Request&, Progress* progress = nullptr);

/// Which rows of a run are kept.
enum class Keep : std::uint8_t {
    kAuto,      // all where they take no more than Keeping::most_bytes, else as kCounters
    kAll,       // those of every block
    kCounters,  // those of the first and the last block and of Keeping::blocks; of the whole grid what each step cost
};
struct Keeping {
    Keep what = Keep::kAuto;
    std::uint64_t most_bytes = std::uint64_t{512} << 20;  // of the trace's file, by the first block's rows
    std::uint64_t most_memory = ~std::uint64_t{0};        // that the run may take, however much is free
    std::vector<std::uint32_t> blocks = {};               // to keep besides; with clusters their whole cluster is
    std::uint64_t part_bytes = 0;  // of events that a GPU records at a time, to count them; 0: as its memory lets
};

/// Runs the kernel and records it; memory stays bounded where not all rows are kept (see
/// instrumentation/run/README.md). progress  as above errors    as above; a block that the launch has not
Result<trace::Run> record(const Request&, const Keeping&, Progress* progress = nullptr);

/// Opens another block in full: runs it again, alone, on what it found in the recorded run.
/// run      whose launch does not hold all rows
/// returns  the same run with the rows of the launch's first, last and this block: those of a recording of all rows
/// errors   a launch that this build does not make as the run says
Result<trace::Run> with_block(const trace::Run&, std::size_t launch, std::uint32_t block, Progress* progress = nullptr);

/// A run that nothing was recorded of, and whether it gave what is right.
struct Outcome {
    Request request;  // with its zeros filled in
    Problem problem = Problem::kReduction;
    std::uint32_t grid = 1;
    std::string by = {}, by_ours_since = {};  // who did what a library may do: nccl-all-reduce; else why a kernel did
    value::Values output;                     // the array
    value::Values result, expected;           // (1,)
    bool correct = false;
    std::string wrong = {};  // judge::first_wrong()
    std::optional<judge::Accuracy> accuracy = {};
    std::string exact = {}, outside = {};  // judge::exact_text() of what has no accuracy, and judge::outside_text()
    trace::Rounded rounded = {};
};
/// errors  as check() for large N; an input that does not fit the memory that is free here
Result<Outcome> run_untraced(const Request&);

/// Whether CUDA can be used here; if not, why, in one sentence for the user.
struct CudaStatus {
    bool usable = false;
    std::string device;  // its name
    std::string driver;
    std::string module;            // the file of its machine code
    std::uint32_t capability = 0;  // compute capability, times ten: 90 is 9.0
    std::uint32_t devices = 0;     // the first of its GPUs that reach each other's memory, this one counted
    std::string reason;            // why not
    bool translates = false;       // this build has no machine code of such a GPU: its driver makes it, once
};
const CudaStatus& cuda_status();
/// Since when the GPU's driver translates the kernels, which takes half a minute and is kept for later starts; none: it
/// does not. Set by what starts the GPU, asked for by whoever says what is waited for.
using Clock = std::chrono::steady_clock;
extern std::atomic<Clock::time_point> translates_since;
/// "The GPU's driver translates kernels, once: 12 s"; "": it does not, or not for a second yet
std::string said_of_driver();
/// Leaves the GPU for good, which takes the driver as long as coming: where a program ends, beside its last work.
void end_cuda();

/// What a catalog gives.
struct Registry {
    std::span<const Kernel> (*rows)();
    std::span<const Embedded> listings;
    // What stands behind the functions of these names, and Bench::make()
    Result<Request> (*check)(const Request&, bool recorded, bool later);
    Result<trace::Run> (*record)(const Request&, const Keeping&, Progress*);
    Result<trace::Run> (*with_block)(const trace::Run&, std::size_t launch, std::uint32_t block, Progress*);
    Result<Outcome> (*run_untraced)(const Request&);
    const std::vector<Barrier>& (*barriers)(const Kernel&);
    CudaStatus (*cuda_status)();
    void (*end_cuda)();
    Result<std::unique_ptr<Bench>> (*bench)(Backend, value::Type, std::uint64_t n);
    Result<double> (*copy_rate)(Backend);
    Result<Schedule> (*schedule)(const Request&);
    Result<std::function<Result<void>()>> (*ready)(const Request&, bool recorded);
};
/// Before anything is asked for.
void give(const Registry&);
/// What was given; else one without rows, which refuses all that is asked of it.
const Registry& registry();

}  // namespace warptree::kernels
