// The rows that were given, what follows from them, and what is asked of whoever gave them.
#include "instrumentation/request/registry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "instrumentation/request/inputs.hpp"
#include "instrumentation/request/timing.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::kernels {
namespace {

constexpr const char* kNoKernels =
    "This program shows runs and makes none; give it a trace that `warptree record` wrote.";

template <class T, class... Arguments>
Result<T> refused(Arguments...) {
    return failure(kNoKernels);
}

constexpr Registry kNone{
    .rows = [] { return std::span<const Kernel>(); },
    .listings = {},
    .check = refused<Request>,
    .record = refused<trace::Run>,
    .with_block = refused<trace::Run>,
    .run_untraced = refused<Outcome>,
    .barriers = [](const Kernel&) -> const std::vector<Barrier>& {
        static const std::vector<Barrier> none;
        return none;
    },
    .cuda_status = [] { return CudaStatus{.device = {}, .driver = {}, .module = {}, .reason = kNoKernels}; },
    .end_cuda = [] {},
    .bench = refused<std::unique_ptr<Bench>>,
    .copy_rate = refused<double>,
    .schedule = refused<Schedule>,
    .ready = refused<std::function<Result<void>()>>,
};
constinit Registry given = kNone;

/// Edits (insert, delete, replace one letter) that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// Calls with(line, text) for each line, counted from 1, until it says false.
template <class With>
void each_line(std::string_view text, With&& with) {
    for (int line = 1; !text.empty(); ++line) {
        const std::string_view one = text.substr(0, text.find('\n'));
        if (!with(line, one)) return;
        text.remove_prefix(std::min(text.size(), one.size() + 1));
    }
}

}  // namespace

std::string unsuited(const Kernel& kernel, std::string_view op, value::Type type) {
    constexpr Op kOfWarp[] = {Op::kSum, Op::kMin, Op::kMax, Op::kAnd, Op::kOr, Op::kXor};
    const auto known = value::op_named(op);
    if (kernel.sizes.needs.compensates && (op != "sum" || !value::is_float(type)))
        return fmt::format(
            "{} keeps what the addition of two floats rounds away, so it takes sum over float16, bfloat16, float32 and "
            "float64 alone, not {} over {}; choose one of these, or pairwise, which takes every operator.",
            kernel.name, op, trace::name(type));
    if (!kernel.sizes.needs.warp_reduce || !known) return {};
    const bool has_it = std::find(std::begin(kOfWarp), std::end(kOfWarp), *known) != std::end(kOfWarp);
    if (has_it && type == value::Type::kInt32) return {};
    return fmt::format(
        "{} uses the instruction that reduces a whole warp, __reduce_*_sync, which takes sum, min, max, and, or and "
        "xor over int32 alone, not {} over {}; choose {}, or two-stage-shuffle, which does the same by shuffles.",
        kernel.name, op, trace::name(type), has_it ? "int32" : "another operator");
}

value::Type usual_type(const Kernel& kernel, std::string_view op) {
    const value::Operator* row = value::find_operator(op);
    const value::Type type = row == nullptr ? value::Type::kFloat32 : usual_type(*row);
    return unsuited(kernel, op, type).empty() ? type : value::Type::kInt32;
}

bool takes(const Request& request, value::Type type) {
    const auto op = value::op_named(request.op);
    const Kernel* kernel = find(request.kernel);
    return op && kernel && value::refusal(request.op, type).empty() && unsuited(*kernel, request.op, type).empty() &&
           request.numbers.misfit(type, *op) == request.numbers.size();
}

void take_own_type(Request& request) {
    if (const auto own = request.numbers.own(); own && takes(request, *own)) request.type = *own;
}

std::string_view name(Backend backend) {
    return backend == Backend::kCpu ? "cpu" : "cuda";
}

std::string_view name(ThreadOrder order) {
    static constexpr std::string_view kNames[] = {"ascending", "descending", "shuffled"};
    return kNames[static_cast<std::size_t>(order)];
}

std::optional<ThreadOrder> thread_order_named(std::string_view word) {
    for (const auto order : {ThreadOrder::kAscending, ThreadOrder::kDescending, ThreadOrder::kShuffled})
        if (name(order) == word) return order;
    return {};
}

std::string factored_name(std::string_view kernel, std::uint32_t coarsen) {
    const Kernel* known = find(kernel);
    return known != nullptr && known->sizes.coarsens ? fmt::format("{}:coarsen={}", kernel, coarsen)
                                                     : std::string(kernel);
}

void take_usual(const Kernel& kernel, Request& request) {
    request.op = kernel.usual.op;
    request.type = usual_type(kernel, request.op);
    request.input = kernel.usual.input;
    request.n = kernel.usual.n;
    request.devices = 0;
    request.coarsen = usual_coarsen(kernel);
    request.block = 0;
    if (request.backend == Backend::kCpu) request.warp_size = kernel.usual.warp_size;
}

void give(const Registry& from) {
    given = from;
}

const Registry& registry() {
    return given;
}

std::span<const Kernel> catalog() {
    return given.rows();
}

Result<Request> check(const Request& request, bool recorded, bool later) {
    return given.check(request, recorded, later);
}

Result<trace::Run> record(const Request& request, const Keeping& keeping, Progress* progress) {
    return given.record(request, keeping, progress);
}

Result<trace::Run> record(const Request& request, Progress* progress) {
    return record(request, Keeping{.what = Keep::kAll}, progress);
}

Result<trace::Run> with_block(const trace::Run& run, std::size_t launch, std::uint32_t block, Progress* progress) {
    return given.with_block(run, launch, block, progress);
}

Result<Outcome> run_untraced(const Request& request) {
    return given.run_untraced(request);
}

const std::vector<Barrier>& barriers(const Kernel& kernel) {
    return given.barriers(kernel);
}

const CudaStatus& cuda_status() {
    static const CudaStatus status = given.cuda_status();
    return status;
}

std::atomic<Clock::time_point> translates_since{};

std::string said_of_driver() {
    const Clock::time_point since = translates_since;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since).count();
    if (since == Clock::time_point() || seconds < 1) return "";
    return fmt::format("The GPU's driver translates kernels, once: {} s", seconds);
}

void end_cuda() {
    given.end_cuda();
}

const Kernel* find(std::string_view wanted) {
    for (const Kernel& kernel : catalog())
        if (kernel.name == wanted) return &kernel;
    return nullptr;
}

std::string_view nearest(std::string_view wanted) {
    constexpr std::string_view kBook = "pmpp-";  // which some leave out
    std::string_view best = {};
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Kernel& kernel : catalog())
        for (const std::string_view spelling :
             {kernel.name, kernel.name.substr(kernel.name.starts_with(kBook) ? kBook.size() : 0)})
            if (const std::size_t distance = edit_distance(wanted, spelling); distance < least) {
                least = distance;
                best = kernel.name;
            }
    return best;
}

std::string_view listing(const Kernel& kernel) {
    return listing(kernel.file);
}

std::string_view listing(std::string_view file) {
    for (const Embedded& one : given.listings)
        if (one.name == file) return one.text;
    return {};
}

std::string_view file_of(const Kernel& kernel, std::string_view function) {
    if (kernel.file.empty() || function.empty() || function_lines(listing(kernel), function).found())
        return kernel.file;
    for (const Embedded& shared : given.listings)
        if (function_lines(shared.text, function).found()) return shared.name;
    return kernel.file;
}

Lines function_lines(std::string_view listing, std::string_view function) {
    const std::string head = fmt::format(" {}(", function);
    Lines lines{0, 1};
    each_line(listing, [&](int line, std::string_view text) {
        const bool begins = function.empty() ? text.find("__global__") != text.npos
                                             : text.find(head) != text.npos && text.starts_with("__global__");
        const bool host = !function.empty() && text.starts_with("__host__") && text.find(head) != text.npos;
        if (lines.first == 0 && (begins || host)) lines.first = line;
        lines.last = line;
        return lines.first == 0 || text != "}";
    });
    if (lines.first == 0) lines.first = 1;
    return lines;
}

std::string shared_name(std::string_view listing, std::string_view function, std::size_t ordinal) {
    const Lines lines = function_lines(listing, function);
    std::string name = fmt::format("shared {}", ordinal);
    each_line(listing, [&](int line, std::string_view text) {
        const auto end = text.find(';');
        if (line < lines.first || end == text.npos || text.find("__shared__") >= end) return line < lines.last;
        if (ordinal-- > 0) return line < lines.last;
        const std::string_view declared = text.substr(0, end);
        name = declared.substr(declared.find_last_of(" >") + 1);
        return false;
    });
    return name;
}

Request request_of(const trace::Launch& launch) {
    Request request{.kernel = launch.kernel,
                    .n = launch.n,
                    .warp_size = launch.warp_size,
                    .coarsen = launch.coarsen,
                    .devices = launch.is_collective() ? launch.devices : 0,
                    .exclusive = launch.problem == Problem::kExclusiveScan,
                    .type = launch.type,
                    .op = launch.op,
                    .input = launch.input,
                    .seed = launch.seed,
                    .thread_order = thread_order_named(launch.thread_order).value_or(ThreadOrder::kAscending),
                    .without_barrier_line = launch.without_barrier_line};
    Request alike = request;
    if (!is_rule(request.input)) {
        request.numbers = Numbers(std::vector<Number>());
        alike.input = "ones";  // N and the block alone are asked for
    }
    const auto usual = check(alike);
    if (!usual || usual->block != launch.block) request.block = launch.block;
    return request;
}

Request request_of(const trace::Run& run) {
    Request request = request_of(run.launch());
    if (request.numbers) request.numbers = numbers_of(run);
    return request;
}

}  // namespace warptree::kernels
