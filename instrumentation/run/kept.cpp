// Recording with all rows, or with the rows of some blocks and the counters of all.
//
//   count the events where they lie (chunks.hpp) -> run the blocks to keep once more, alone -> one trace
//
// A GPU cannot run a block alone: what it counted is its own, and the blocks to keep are run by the CPU, which leaves
// the rows that the GPU leaves.
#include <algorithm>
#include <future>
#include <mutex>
#include <ranges>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "instrumentation/beside.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/run/backend.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::kernels {
namespace {

/// Bytes of a row in a file: twelve columns, the value, of clusters the owner, and the value again where an array has
/// a type of its own.
std::uint64_t row_bytes(const Prepared& prepared, const LaunchRow& row) {
    const auto has_type = [](const ArrayRow& array) { return array.type.has_value(); };
    const bool own = std::ranges::any_of(prepared.plan.arrays(), has_type);
    return 31 + value::size_bytes(prepared.value_type) + (row.cluster > 1 ? 4 : 0) + (own ? 8 : 0);
}

// What a run takes until it is on show, measured and rounded up.
constexpr std::uint64_t kRowBytes = 160;    // a row that is kept
constexpr std::uint64_t kEventBytes = 100;  // an event of a block that is counted
constexpr std::uint64_t kBaseBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kSmall = std::uint64_t{1} << 16;     // elements of few blocks that never take much
constexpr std::uint64_t kTiny = std::uint64_t{1} << 13;      // the same of any: 70 MB of rows at most
constexpr std::uint64_t kAlways = std::uint64_t{256} << 20;  // bytes that are there unasked: the system takes a while

std::uint64_t elements(const Prepared& prepared) {
    std::uint64_t sum = 0;
    for (const ArrayRow& array : prepared.plan.arrays()) sum += array.extent;
    return sum;
}

std::uint64_t workers(const Request& request) {
    return request.workers != 0 ? request.workers : value::cores();
}

tl::unexpected<Error> too_many_steps(const Prepared& prepared, const LaunchRow& row, const Extent& extent) {
    return failure(fmt::format(
        "A thread of {} adds {} times for N = {}, each time in a step of its own; a trace holds up to {} steps. Choose "
        "a smaller N, or fewer elements a thread.",
        row.function, extent.most_adds, prepared.request.n, trace::kMostSteps));
}

/// With every block its whole cluster.
std::vector<std::uint32_t> whole_clusters(const std::set<std::uint32_t>& blocks, std::uint32_t cluster) {
    std::set<std::uint32_t> all;
    for (const std::uint32_t block : blocks)
        for (std::uint32_t rank = 0; rank < cluster; ++rank) all.insert(block / cluster * cluster + rank);
    return {all.begin(), all.end()};
}

/// What blocks find that run alone: of arrays in which each block leaves a value, those of all other blocks.
std::vector<value::Values> found_by(const Prepared& prepared, const LaunchRow& row,
                                    const std::vector<std::uint32_t>& blocks, std::vector<value::Values> before,
                                    const std::vector<value::Values>& after) {
    const std::uint64_t identity = value::identity(prepared.value_type, prepared.op);
    for (std::size_t i = 0; i < row.arrays.size(); ++i) {
        if (!prepared.plan.arrays()[row.arrays[i]].exchanged) continue;
        before[i] = after[i];
        for (const std::uint32_t block : blocks) before[i].set_bits(block, identity);
    }
    return before;
}

/// Of a kernel whose blocks draw tickets: blocks that run alone draw them in their order.
void name_last_block(trace::Trace& trace) {
    if (trace.launch.last_block) trace.launch.last_block = trace.launch.grid - 1;
}

std::mutex& device_in_use() {
    static std::mutex mutex;  // the device has one trace buffer
    return mutex;
}

std::string no_such_block(std::uint32_t block, std::uint32_t grid) {
    return fmt::format("There is no block {}: the launch has {} block{}, numbered from 0.", block, grid,
                       grid == 1 ? "" : "s");
}

/// The run of a trace as this build makes it.
Result<Prepared> prepared_as(const trace::Trace& kept, std::size_t index) try {
    const trace::Launch& launch = kept.launch;
    if (find(launch.kernel) == nullptr) refuse("the kernel {} is not in this program", launch.kernel);
    Request request = request_of(launch);
    if (index == 0) request.block = launch.block;
    request.input = "ones";  // its values stand in the trace
    const auto checked = check(request);
    if (!checked) throw Refusal{checked.error().message.substr(0, checked.error().message.size() - 1)};
    Prepared prepared = outline(*checked);
    prepared.request.input = launch.input;
    const auto& launches = prepared.plan.launches();
    if (index >= launches.size() || launches[index].grid != launch.grid || launches[index].block != launch.block ||
        launches[index].cluster != launch.cluster ||
        !std::ranges::equal(prepared.header(launches[index]).arrays,
                            kept.arrays | std::views::filter([](const trace::Array& array) {
                                return array.space == trace::Space::kGlobal;
                            })))
        refuse("this Warptree launches the kernel otherwise than the one that recorded it");
    return prepared;
} catch (const Refusal& refusal) {
    return failure(fmt::format("The other blocks of this run cannot be opened: {}.", refusal.why));
}

}  // namespace

Result<void> decide_what_to_keep(Prepared& prepared, const Keeping& keeping) {
    const auto& launches = prepared.plan.launches();
    const std::uint64_t arrays = elements(prepared);
    prepared.counted.assign(launches.size(), false);
    const auto is_small = [](const LaunchRow& row) { return row.grid <= 2 * row.cluster; };
    if (arrays <= kSmall && std::ranges::all_of(launches, is_small)) return {};
    const std::uint64_t most = std::min(keeping.most_bytes, keeping.most_memory);
    if (arrays <= kTiny && keeping.what != Keep::kCounters && most >= kAlways) return {};
    std::uint64_t bytes =
        kBaseBytes + arrays * (32 + 4 * value::size_bytes(prepared.value_type) + (prepared.native() ? 0 : 8));
    std::uint64_t free = std::min(kAlways, keeping.most_memory);
    const auto fits = [&](std::uint64_t needed) {
        if (needed > free) free = std::min(free_memory(), keeping.most_memory);
        return needed <= free;
    };
    const std::vector<Extent> of = fits(bytes) ? extents(prepared) : std::vector<Extent>();
    std::uint64_t rows = 0;  // that are kept
    for (std::size_t i = 0; i < of.size(); ++i) {
        prepared.shared.push_back(of[i].shared);
        if (of[i].most_adds > trace::kMostSteps) return too_many_steps(prepared, launches[i], of[i]);
        const std::uint64_t all = of[i].rows * kRowBytes, block = of[i].most_of_block * kEventBytes;
        const bool few = is_small(launches[i]);  // the first and the last block are all of them
        const bool kept = of[i].rows * row_bytes(prepared, launches[i]) <= keeping.most_bytes && fits(bytes + all);
        prepared.counted[i] = !few && keeping.what != Keep::kAll && (keeping.what == Keep::kCounters || !kept);
        rows += prepared.counted[i] ? 0 : of[i].rows;
        bytes += prepared.counted[i] ? block * (workers(prepared.request) + 2) : std::max(all, block);
    }
    if (rows > trace::kMostRows)
        return failure(fmt::format(
            "Every access of N = {} would take {} rows; a trace holds up to {}. Leave --keep all out, or choose a "
            "smaller N.",
            prepared.request.n, rows, trace::kMostRows));
    if (fits(bytes)) return {};
    const bool less = keeping.what == Keep::kAll && !std::ranges::all_of(launches, is_small);
    return failure(fmt::format("Recording N = {} takes about {:.1f} GiB of memory, and {:.1f} GiB are free here; {}.",
                               prepared.request.n, static_cast<double>(bytes) / kGibibyte,
                               static_cast<double>(free) / kGibibyte,
                               less ? "leave --keep all out, or choose a smaller N" : "choose a smaller N"));
}

KeptBlocks::KeptBlocks(const Prepared& prepared, std::size_t launch, const Keeping& keeping,
                       std::vector<value::Values> before)
    : prepared_(prepared), launch_(launch), before_(std::move(before)) {
    const LaunchRow& row = prepared.plan.launches()[launch];
    std::set<std::uint32_t> wanted = {0, row.grid - 1};
    if (launch == 0) wanted.insert(keeping.blocks.begin(), keeping.blocks.end());
    blocks_ = whole_clusters(wanted, row.cluster);
    if (std::ranges::none_of(row.arrays, [&](auto array) { return prepared.plan.arrays()[array].exchanged; }))
        ran_ = later([this] { return record_alone(prepared_, {launch_, before_, blocks_}); });
}

Result<record::Piece> KeptBlocks::with(const counters::Merger& merged, std::vector<value::Values> after) {
    const std::vector<trace::Step> steps = merged.steps();
    if (steps.size() > 65535)
        return failure(
            fmt::format("The launch took {} steps; a trace holds up to 65,535. Choose a smaller N.", steps.size()));
    const bool begun = ran_.valid();
    if (!begun) before_ = found_by(prepared_, prepared_.plan.launches()[launch_], blocks_, std::move(before_), after);
    auto ran = begun ? ran_.get() : record_alone(prepared_, {launch_, before_, blocks_});
    if (!ran) return tl::unexpected(ran.error());
    record::Piece piece{record::under_all_steps(std::move(ran->piece), merged.keys(), steps), merged.keys()};
    trace::Trace& trace = piece.trace;
    name_last_block(trace);
    trace.initial = std::move(before_);
    trace.final = std::move(after);
    trace.kept->keys = merged.keys();
    for (const counters::Counters& step : merged.summary().steps)
        trace.kept->totals.push_back(counters::totals_of(step));
    return piece;
}

Result<trace::Run> recorded(const Request& request, const Keeping& keeping, Progress* progress) {
    const auto full = checked(request, true, true);
    if (!full) return tl::unexpected(full.error());
    std::future<void> started;
    if (request.backend == Backend::kCuda) started = later(cuda_backend().start);
    auto prepared = prepare(*full);
    if (!prepared) return tl::unexpected(prepared.error());
    const std::uint32_t grid = prepared->plan.launches().front().grid;
    for (const std::uint32_t block : keeping.blocks)
        if (block >= grid) return usage_error(no_such_block(block, grid));
    if (const auto decided = decide_what_to_keep(*prepared, keeping); !decided) return tl::unexpected(decided.error());
    if (progress != nullptr) progress->all = prepared->plan.blocks();
    std::optional<std::lock_guard<std::mutex>> lock;
    if (request.backend == Backend::kCuda) {
        if (const auto possible = check_cuda(*full); !possible) return tl::unexpected(possible.error());
        if (prepared->shared.empty())
            for (const Extent& extent : extents(*prepared)) prepared->shared.push_back(extent.shared);
        lock.emplace(device_in_use());
    }
    if (progress != nullptr && progress->cancel) return cancelled();
    auto pieces = request.backend == Backend::kCpu ? record_cpu(*prepared, keeping, progress)
                                                   : cuda_backend().record(*prepared, keeping, progress);
    if (!pieces) return tl::unexpected(pieces.error());
    record::connect(*pieces);
    trace::Run run;
    for (record::Piece& piece : *pieces) run.launches.push_back(std::move(piece.trace));
    for (const trace::Trace& trace : run.launches) {
        const std::string_view file = file_of(*prepared->kernel, trace.launch.function);
        if (std::ranges::find(run.listings, file, &trace::Listing::file) == run.listings.end())
            run.listings.push_back({std::string(file), std::string(listing(file))});
    }
    return run;
}

Result<trace::Run> opened(const trace::Run& run, std::size_t index, std::uint32_t block, Progress* progress) {
    const trace::Trace& kept = run.launches.at(index);
    if (block >= kept.launch.grid) return usage_error(no_such_block(block, kept.launch.grid));
    if (kept.holds(block)) return run;
    auto prepared = prepared_as(kept, index);
    if (!prepared) return tl::unexpected(prepared.error());
    const LaunchRow& row = prepared->plan.launches()[index];
    const std::vector<std::uint32_t> blocks = whole_clusters({0, block, row.grid - 1}, row.cluster);
    std::vector<value::Values> before = found_by(*prepared, row, blocks, kept.initial, kept.final);
    auto ran = record_alone(*prepared, {index, before, blocks});
    if (!ran) return tl::unexpected(ran.error());
    if (progress != nullptr && progress->cancel) return cancelled();
    const auto& keys = ran->piece.keys;
    if (!std::includes(kept.kept->keys.begin(), kept.kept->keys.end(), keys.begin(), keys.end()))
        return failure(
            fmt::format("Block {} cannot be opened: run alone it takes steps that the recorded run had not.", block));
    trace::Trace trace = record::under_all_steps(std::move(ran->piece), kept.kept->keys, kept.steps);
    trace.launch = kept.launch;
    trace.initial = std::move(before);
    trace.final = kept.final;
    trace.kept = {blocks, kept.kept->keys, kept.kept->totals};
    trace::Run all = run;
    all.launches[index] = std::move(trace);
    return all;
}

}  // namespace warptree::kernels
