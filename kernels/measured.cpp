// The measured file is compiled in, and read once, when it is first asked for.
#include "kernels/measured.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/json/json.hpp"
#include "kernels/listings.hpp"
#include "kernels/program.hpp"

namespace warptree::kernels {
namespace {

/// kernel, N, threads a block, coarsening factor
using Key = std::tuple<std::string, std::uint64_t, std::uint32_t, std::uint32_t>;

std::map<Key, HardwareCheck> read() {
    std::map<Key, HardwareCheck> all;
    std::string text;
    for (const Listing& part : kAssets)
        if (part.name == "assets/measured/verify.json") text += part.text;
    const Json json = read_json(text);
    if (!json.is_object()) return all;
    for (const auto& figure : json.at("figures")) {
        HardwareCheck& check =
            all[{figure.at("kernel"), figure.at("n"), figure.at("block"), figure.at("coarsen").get<std::uint32_t>()}];
        check.device = json.at("device");
        check.date = json.at("date");
        ++check.figures;
        if (figure.at("ours") == figure.at("hardware")) {
            ++check.equal;
        } else if (const std::string reason = figure.at("reason");
                   std::ranges::find(check.reasons, reason) == check.reasons.end()) {
            check.reasons.push_back(reason);
        }
    }
    return all;
}

/// Whether a launch is its run's first, which is the one that was measured; false where another of the run looks alike.
bool is_first(const trace::Launch& launch) {
    const Kernel* kernel = find(launch.kernel);
    if (kernel == nullptr || launch.function.empty())
        return kernel != nullptr;  // older programs recorded that one only
    const auto run =
        plan(*kernel, {.kernel = launch.kernel, .n = launch.n, .block = launch.block, .coarsen = launch.coarsen});
    if (!run) return false;
    const auto alike = [&](const LaunchRow& row) {
        return row.function == launch.function && row.grid == launch.grid && row.block == launch.block;
    };
    return alike(run->launches().front()) && std::ranges::count_if(run->launches(), alike) == 1;
}

}  // namespace

std::optional<HardwareCheck> hardware_check(const trace::Launch& launch) {
    if (launch.warp_size != 32 || launch.without_barrier_line != 0 || launch.type != value::Type::kFloat32 ||
        launch.op != "sum")
        return std::nullopt;
    static const std::map<Key, HardwareCheck> all = read();
    const auto found = all.find({launch.kernel, launch.n, launch.block, launch.coarsen});
    return found == all.end() || !is_first(launch) ? std::nullopt : std::optional(found->second);
}

std::string hardware_sentence(const trace::Launch& launch) {
    const auto check = hardware_check(launch);
    if (!check) return "";
    const std::string where = fmt::format("the hardware's: {}, {}", check->device, check->date);
    if (check->equal == check->figures)
        return fmt::format("{} of {} counters equal {}", check->equal, check->figures, where);
    return fmt::format("{} of {} counters equal {}; the other {}: {}", check->equal, check->figures, where,
                       check->figures - check->equal, fmt::join(check->reasons, "; "));
}

}  // namespace warptree::kernels
