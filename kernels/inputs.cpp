// The rules that make inputs.
#include "kernels/inputs.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warptree::kernels {
namespace {

constexpr std::array<std::string_view, 4> kRules = {"textbook", "ramp", "ones", "random"};
constexpr std::array<int, 16> kTextbook = {3, 1, 7, 0, 4, 1, 6, 3, 5, 2, 8, 1, 2, 6, 4, 7};

/// splitmix64: one number per index, so that any part of an input can be made alone.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double value_at(std::string_view rule, std::uint64_t i, std::uint64_t seed) {
    if (rule == "ramp") return static_cast<double>(i);
    if (rule == "ones") return 1;
    if (rule == "random") return static_cast<double>(random_bits(seed, i) % 100);
    return kTextbook[i % kTextbook.size()];
}

}  // namespace

std::span<const std::string_view> input_rules() {
    return kRules;
}

void set_value(trace::Values& values, std::size_t i, double value) {
    const auto put = [&](auto typed) { std::memcpy(values.bytes.data() + i * sizeof typed, &typed, sizeof typed); };
    switch (values.type()) {
        case trace::Type::kFloat32:
            return put(static_cast<float>(value));
        case trace::Type::kInt32:
            return put(static_cast<std::int32_t>(value));
    }
}

Result<trace::Values> make_input(std::string_view rule, std::uint64_t n, trace::Type type, std::uint64_t seed) {
    if (std::find(kRules.begin(), kRules.end(), rule) == kRules.end())
        return usage_error(
            fmt::format("There is no input called '{}'. The inputs are {}.", rule, fmt::join(kRules, ", ")));
    trace::Values values(type);
    values.bytes.resize(n * trace::size_bytes(type));
    for (std::uint64_t i = 0; i < n; ++i) set_value(values, i, value_at(rule, i, seed));
    return values;
}

}  // namespace warptree::kernels
