// The nearest request: sizes in order of their distance, each asked of kernels::check().
#include "app/state/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/request/inputs.hpp"

namespace warptree::state {
namespace {

using kernels::Request;

/// N itself, what is nearest to it among what the kernel takes, and powers of two, by distance.
/// fewer  those below N come first: of values typed in some can be left out, but none be added
std::vector<std::uint64_t> sizes_near(std::uint64_t n, const kernels::Sizes& takes, bool fewer) {
    std::vector<std::uint64_t> sizes = {n, std::clamp(n, takes.least, std::max(takes.least, takes.most))};
    for (std::uint64_t size = 1; size <= kernels::kMostInput; size *= 2) sizes.push_back(size);
    const auto distance = [n, fewer](std::uint64_t size) {
        const double far = std::log(static_cast<double>(std::max<std::uint64_t>(1, size))) -
                           std::log(static_cast<double>(std::max<std::uint64_t>(1, n)));
        return std::abs(far) + (fewer && size > n ? 1000 : 0);
    };
    std::ranges::stable_sort(sizes, {}, distance);
    return sizes;
}

/// The same request of the first n of its values; of the textbook's where there are fewer. What was typed in becomes
/// the text of those that are left.
Request of_first(Request request, std::uint64_t n) {
    request.n = n;
    if (kernels::is_rule(request.input)) return request;
    constexpr std::size_t kShort = 4096;  // values that are written anew; of others and of files the name stays
    const bool typed = n <= kShort && !kernels::is_file_of_values(request.input);
    const auto all = request.numbers.all();
    if (all.size() < n) {
        request.input = "textbook", request.format = {}, request.numbers = nullptr;
    } else if (!typed) {
        request.numbers = request.numbers.first(n);
    } else if (all.size() > n) {
        std::vector<std::string> words;
        for (const kernels::Number& number : all.first(n))
            words.push_back(number.whole ? fmt::format("{}", *number.whole) : fmt::format("{}", number.real));
        request.input = fmt::format("{}", fmt::join(words, ", "));
        request.format = {};
        request.numbers = kernels::Numbers({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)},
                                           request.numbers.own(), request.input);
    }
    return request;
}

std::optional<Request> first_taken(const Request& refused, const kernels::Kernel& kernel) {
    for (const std::uint32_t block : {refused.block, 0u}) {
        for (const std::uint64_t n : sizes_near(refused.n, kernel.sizes, !kernels::is_rule(refused.input))) {
            Request near = of_first(refused, n);
            near.block = block;
            if (kernels::check(near)) return near;
        }
    }
    return std::nullopt;
}

void list(std::string& parts, const std::string& part) {
    parts += (parts.empty() ? "" : " and ") + part;
}

}  // namespace

std::optional<Nearest> nearest(const Request& refused) {
    const kernels::Kernel* kernel = kernels::find(refused.kernel);
    // An N that no kernel takes was hardly meant.
    if (kernel == nullptr || refused.n > kernels::kMostInput || !kernels::input_size(refused)) return std::nullopt;
    const auto near = first_taken(refused, *kernel);
    if (!near) return std::nullopt;
    Nearest out{*near, "", ""};
    if (near->n != refused.n) {
        list(out.asked, fmt::format("N = {}", refused.n));
        list(out.gets, fmt::format("N = {}", near->n));
    }
    if (near->input != refused.input) {
        if (near->n == refused.n) list(out.asked, "this input");
        list(out.gets,
             near->input == "textbook" ? "the textbook's values" : fmt::format("the first {} values", near->n));
    }
    if (near->block != refused.block) {
        list(out.asked, fmt::format("blocks of {} threads", refused.block));
        list(out.gets, "its usual block");
    }
    return out;
}

std::string not_here(const std::string& kernel) {
    if (kernels::find(kernel) != nullptr) return {};
    return fmt::format(
        "The kernel {} is not in this program: what the file holds of it is shown, but it cannot be run "
        "again or otherwise.",
        kernel);
}

}  // namespace warptree::state
