// The table of launch options.
#include "instrumentation/request/options.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "instrumentation/request/inputs.hpp"
#include "instrumentation/request/registry.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::kernels {
namespace {

template <auto Field>
LaunchOption number(std::string_view name, std::uint64_t example, std::string help,
                    std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) {
    const auto text = [](const Request& request) { return std::to_string(request.*Field); };
    const auto take = [](const LaunchOption& option, std::string_view typed, Request& request) -> Result<void> {
        return parse_number_to(typed, option.called(), option.example, option.most).map([&](std::uint64_t value) {
            request.*Field = static_cast<std::remove_reference_t<decltype(request.*Field)>>(value);
        });
    };
    return {name, std::move(help), text, take, example, most};
}

template <auto Field>
LaunchOption words(std::string_view name, std::string help) {
    const auto text = [](const Request& request) { return request.*Field; };
    const auto take = [](const LaunchOption&, std::string_view typed, Request& request) -> Result<void> {
        request.*Field = typed;
        return {};
    };
    return {name, std::move(help), text, take};
}

/// How values are read.
template <auto Field>
LaunchOption reading(std::string_view name, std::string help) {
    const auto text = [](const Request& request) { return request.format.*Field; };
    const auto take = [](const LaunchOption& option, std::string_view typed, Request& request) -> Result<void> {
        if (option.name == "decimal" && !typed.empty() && typed != "point" && typed != "comma")
            return usage_error(fmt::format("--decimal = {} cannot be chosen; it takes point or comma.", typed));
        request.format.*Field = typed;
        return {};
    };
    return {name, std::move(help), text, take};
}

/// One of some names. named  the value of a name, if it is one; kind: "thread order"; all: "ascending, descending"
template <auto Field, auto Named, const char* Kind, auto All>
LaunchOption choice(std::string_view name, std::string help) {
    const auto text = [](const Request& request) {
        using value::name;
        return std::string(name(request.*Field));
    };
    const auto take = [](const LaunchOption&, std::string_view typed, Request& request) -> Result<void> {
        const auto value = Named(typed);
        if (!value)
            return usage_error(fmt::format("There is no {} called '{}'. The {}s are {}.", Kind, typed, Kind, All()));
        request.*Field = *value;
        return {};
    };
    return {name, std::move(help), text, take};
}

template <auto Field>
LaunchOption flag(std::string_view name, std::string help) {
    const auto text = [](const Request& request) { return std::string(request.*Field ? "yes" : "no"); };
    const auto take = [](const LaunchOption& option, std::string_view typed, Request& request) -> Result<void> {
        if (typed != "yes" && typed != "no")
            return usage_error(fmt::format("{} = {} cannot be chosen; it takes yes or no.", option.called(), typed));
        request.*Field = typed == "yes";
        return {};
    };
    return {.name = name, .help = std::move(help), .text = text, .take = take, .flag = true};
}

std::vector<std::string> types() {
    std::vector<std::string> names;
    for (const value::Type type : value::kChosenTypes) names.emplace_back(trace::name(type));
    return names;
}
std::string type_names() {
    return fmt::format("{}", fmt::join(types(), ", "));
}

std::vector<std::string> operator_names() {
    std::vector<std::string> names;
    for (const value::Operator& op : value::operators()) names.emplace_back(op.name);
    return names;
}

// Menus' remarks.
std::string n_remark(const Request& r) {
    if (r.n > 16384 && std::has_single_bit(r.n)) return fmt::format("2^{}", std::countr_zero(r.n));
    return r.n == 16 ? "fits a slide with a warp of 4" : r.n == 256 ? "the book's example" : "";
}
/// "identity 0", and what the operator asks of a kernel.
std::string operator_remark(const Request& r) {
    const value::Operator& op = *value::find_operator(r.op);
    std::string text = "identity " + value::identity_text(op, r.type);
    if (!op.commutative) text += op.associative ? " · the order matters" : " · order and parentheses matter";
    return text;
}
std::string type_remark(const Request& r) {
    const std::size_t bytes = value::size_bytes(r.type);
    return "type of the elements, " + (bytes == 1 ? "one byte" : fmt::format("{} bytes", bytes));
}
std::string backend_remark(const Request& r) {
    return r.backend == Backend::kCuda ? cuda_status().device : "runs the same kernel source";
}

/// Gives options what menus say of them.
void fill_menus(std::vector<LaunchOption>& options) {
    const auto fill = [&options](std::string_view name, std::vector<std::string> offers, auto label, auto remark) {
        LaunchOption& option = *std::ranges::find(options, name, &LaunchOption::name);
        option.offers = std::move(offers), option.label = label, option.remark = remark;
    };
    fill("n", {"2",    "4",    "8",    "16",   "32",    "64",    "100",    "128",     "256",     "512",
               "1000", "1024", "2048", "4096", "16384", "65536", "262144", "1048576", "4194304", "16777216"},
         nullptr, n_remark);
    fill(
        "block", {"1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"},
        [](const Request& r) { return fmt::format("{} thread{}", r.block, r.block == 1 ? "" : "s"); }, nullptr);
    fill(
        "warp-size", {"4", "8", "16", "32"}, [](const Request& r) { return fmt::format("{} lanes", r.warp_size); },
        [](const Request& r) { return std::string(r.warp_size == 32 ? "as in CUDA" : "for teaching; CUDA has 32"); });
    fill("op", operator_names(), nullptr, operator_remark);
    fill("type", types(), nullptr, type_remark);
    fill("input", {input_rules().begin(), input_rules().end()}, nullptr,
         [](const Request& r) { return std::string(rule_remark(r.input)); });
    fill("coarsen", {"1", "2", "4", "8", "16"}, nullptr,
         [](const Request& r) { return fmt::format("{} elements a thread", 2 * r.coarsen); });
    fill(
        "devices", {"2", "3", "4", "8", "16", "32", "64"},
        [](const Request& r) { return fmt::format("{} devices", r.devices); },
        [](const Request& r) { return fmt::format("{} elements on each", r.n / std::max(1u, r.devices)); });
    fill(
        "exclusive", {"no", "yes"},
        [](const Request& r) { return std::string(r.exclusive ? "exclusive" : "inclusive"); },
        [](const Request& r) { return fmt::format("result i with{} element i", r.exclusive ? "out" : ""); });
    fill(
        "backend", {"cpu", "cuda"},
        [](const Request& r) { return std::string(r.backend == Backend::kCpu ? "CPU" : "CUDA"); }, backend_remark);
}

std::optional<Backend> backend_named(std::string_view text) {
    if (text == name(Backend::kCpu)) return Backend::kCpu;
    return text == name(Backend::kCuda) ? std::optional(Backend::kCuda) : std::nullopt;
}

constexpr char kType[] = "element type", kOrder[] = "thread order", kBackend[] = "backend";

std::vector<LaunchOption> rows() {
    constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
    std::vector<LaunchOption> all = {
        number<&Request::n>("n", 256,
                            "input length, 4096 or 2^12 (default 256, of tournament 8, on several devices 64, or as "
                            "many values as --input has)",
                            kAny),
        number<&Request::block>("block", 128, "threads a block (default: the usual for the kernel)"),
        number<&Request::warp_size>(
            "warp-size", 32,
            "lanes a warp: 4, 8, 16 or 32 (default 32, of tournament and on several devices 4; CUDA has 32 alone)"),
        words<&Request::op>("op", fmt::format("operator: {}", fmt::join(operator_names(), ", ")) +
                                      " (default sum; of tournament, beats)"),
        choice<&Request::type, value::type_named, kType, type_names>(
            "type", "element type: " + type_names() + " (default float32, or what kernel and --op take)"),
        words<&Request::input>("input",
                               fmt::format("input: {} (default textbook); values, \"3,1,7,0\"; or a file: .npy, "
                                           ".csv, text; - is standard input",
                                           fmt::join(input_rules(), ", "))),
        reading<&InputFormat::column>("column",
                                      "of an --input with several columns the one to take: its name, or 1, 2, ..."),
        reading<&InputFormat::decimal>(
            "decimal", "what the decimal mark of --input is: point or comma (default: by what stands there)"),
        number<&Request::seed>("seed", 1, "seed of the random input and of the shuffled order (default 1)", kAny),
        number<&Request::coarsen>("coarsen", 2, "coarsening factor, for kernels that have one (default 2)"),
        number<&Request::devices>("devices", 4,
                                  "devices, for kernels that run on several: each has N / devices of the elements "
                                  "(default 4; 2 to 64)"),
        flag<&Request::exclusive>("exclusive", "of scans: leave element i out of result i"),
        choice<&Request::backend, backend_named, kBackend, [] { return "cpu and cuda"; }>("backend",
                                                                                          "cpu or cuda (default cpu)"),
        choice<&Request::thread_order, thread_order_named, kOrder, [] { return "ascending, descending and shuffled"; }>(
            "order", "order of threads on the CPU: ascending, descending, shuffled"),
        number<&Request::workers>("workers", 2, "CPU cores to use (default: all)", 1024),
        number<&Request::without_barrier_line>("without-barrier", 22,
                                               "leave out the barrier on this line of the kernel's file", 16383)};
    for (LaunchOption& option : all) option.remembered = option.name != "workers";
    fill_menus(all);
    return all;
}

}  // namespace

std::span<const LaunchOption> launch_options() {
    static const std::vector<LaunchOption> kRows = rows();
    return kRows;
}

Result<Request> request_from(std::string_view kernel, const OptionTexts& texts, const Numbers& piped) {
    const auto typed = [&texts](std::string_view name) {
        const auto at = texts.find(name);
        return at == texts.end() ? std::string_view() : std::string_view(at->second);
    };
    Request request;
    if (!kernel.empty()) request.kernel = kernel;
    if (typed("backend") == name(Backend::kCuda)) request.backend = Backend::kCuda;  // it decides what is usual
    const Kernel* known = find(request.kernel);
    if (known != nullptr) take_usual(*known, request);
    for (const LaunchOption& option : launch_options()) {
        if (typed(option.name).empty()) continue;
        const auto taken = option.take(option, typed(option.name), request);
        if (!taken) return tl::unexpected(taken.error());
    }
    if (known != nullptr && typed("type").empty()) request.type = usual_type(*known, request.op);
    if (is_rule(request.input) && request.format != InputFormat())
        return usage_error(
            fmt::format("--column and --decimal say how values are read; the input {} is a rule.", request.input));
    if (typed("input").empty() || is_rule(request.input)) return request;
    // Here and nowhere else: a pipe can be read once
    auto numbers = request.input == "-" && piped ? Result<Numbers>(piped) : numbers_of(request.input, request.format);
    if (!numbers) return tl::unexpected(numbers.error());
    request.numbers = std::move(*numbers);
    if (typed("n").empty()) request.n = request.numbers.size();
    if (typed("type").empty()) take_own_type(request);
    return request;
}

Result<std::uint64_t> parse_whole_number(std::string_view text, std::string_view what, std::uint64_t example) {
    constexpr std::string_view kPower = "2^";
    const bool power = text.starts_with(kPower);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + (power ? kPower.size() : 0), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range || (error == std::errc() && power && number > 63))
        return usage_error(
            fmt::format("{} = {} is far too large; it takes a whole number, for example {}.", what, text, example));
    if (error != std::errc() || end != text.data() + text.size()) {
        const char* why = !text.empty() && text[0] == '-' ? "is negative" : "is not a whole number";
        return usage_error(
            fmt::format("{} = {} {}; it takes a whole number, for example {}.", what, text, why, example));
    }
    return power ? std::uint64_t{1} << number : number;
}

Result<std::uint64_t> parse_number_to(std::string_view text, std::string_view what, std::uint64_t example,
                                      std::uint64_t most) {
    auto number = parse_whole_number(text, what, example);
    if (number && *number > most)
        return usage_error(fmt::format("{} = {} is too large; it takes at most {}.", what, *number, most));
    return number;
}

}  // namespace warptree::kernels
