// The measured file is compiled in, and read once, when it is first asked for.
#include "instrumentation/judge/measured.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/embedded.hpp"
#include "instrumentation/json/json.hpp"

namespace warptree::judge {
namespace {

/// kernel, N, threads a block, coarsening factor
using Key = std::tuple<std::string, std::uint64_t, std::uint32_t, std::uint32_t>;

std::map<Key, HardwareCheck> read() {
    std::map<Key, HardwareCheck> all;
    const Json json = read_json(embedded("assets/measured/verify.json").begin()->second);
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

}  // namespace

std::optional<HardwareCheck> hardware_check(const trace::Run& run, std::size_t index) {
    const trace::Launch& launch = run.launch();
    if (index != 0 || launch.warp_size != 32 || launch.without_barrier_line != 0 ||
        launch.type != value::Type::kFloat32 || launch.op != "sum")
        return std::nullopt;
    static const std::map<Key, HardwareCheck> all = read();
    const auto found = all.find({launch.kernel, launch.n, launch.block, launch.coarsen});
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::string hardware_sentence(const trace::Run& run) {
    const auto check = hardware_check(run, 0);
    if (!check) return "";
    const std::string where = fmt::format("the hardware's: {}, {}", check->device, check->date);
    if (check->equal == check->figures)
        return fmt::format("{} of {} counters equal {}", check->equal, check->figures, where);
    return fmt::format("{} of {} counters equal {}; the other {}: {}", check->equal, check->figures, where,
                       check->figures - check->equal, fmt::join(check->reasons, "; "));
}

}  // namespace warptree::judge
