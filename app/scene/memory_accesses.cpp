// The accesses of a step: which, what they cost, and which is worth showing.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/scene/memory_view.hpp"
#include "app/study/words.hpp"
#include "instrumentation/counters/access_cost.hpp"

namespace warptree::scene {
namespace {

constexpr std::uint32_t kHalfWarp = 16;

std::uint32_t half_of(const Subject& s, std::uint32_t row) {
    if (value::size_bytes(s.trace.value.type()) <= 4) return 0;
    return s.trace.thread[row] % s.trace.launch.warp_size / kHalfWarp;
}

}  // namespace

StepAccesses::StepAccesses(const Subject& s, Playhead at) : subject_(&s) {
    if (!at.has_step() || at.step() >= s.steps()) return;
    for (counters::Access& access : counters::accesses(s.trace, s.block, static_cast<std::uint32_t>(at.step()))) {
        const trace::Site& site = s.trace.sites[access.site];  // another block's memory has neither segments nor banks
        if (site.kind != trace::Kind::kShuffle && !site.remote) all_.push_back(std::move(access));
    }
    std::stable_sort(all_.begin(), all_.end(), [](const auto& x, const auto& y) { return x.site < y.site; });
    costs_ = counters::access_costs(s.trace, all_);
}

counters::Global StepAccesses::global(std::size_t i) const {
    counters::Global out = costs_[i].global_ld;
    out += costs_[i].global_st;
    out += costs_[i].global_red;
    out += costs_[i].global_atom;
    return out;
}

std::uint64_t StepAccesses::passes(std::size_t i) const {
    bool halves[2] = {false, false};
    for (const std::uint32_t row : all_[i].rows) halves[half_of(*subject_, row)] = true;
    return conflicts(i) + (halves[0] ? 1 : 0) + (halves[1] ? 1 : 0);
}

std::uint64_t StepAccesses::excess(std::size_t i) const {
    if (shared(i)) return conflicts(i);
    const counters::Global cost = global(i);
    return cost.sectors - std::min(cost.sectors, (cost.bytes + counters::kSectorBytes - 1) / counters::kSectorBytes);
}

std::size_t StepAccesses::worst() const {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < size(); ++i)
        if (excess(i) > excess(worst)) worst = i;
    return worst;
}

std::size_t StepAccesses::shown(const MemoryChoice& choice) const {
    for (std::size_t i = 0; i < size(); ++i)
        if (choice.made && all_[i].site == choice.site && all_[i].warp == choice.warp) return i;
    return worst();
}

std::string StepAccesses::words(std::size_t i) const {
    const trace::Trace& t = subject_->trace;
    const std::uint8_t array = t.sites[all_[i].site].array;
    if (kind(i) == trace::Kind::kTicket || array == trace::Site::kNoArray) return "draws a ticket";
    const char* verb = kind(i) == trace::Kind::kRead ? "reads" : kind(i) == trace::Kind::kWrite ? "writes" : "adds to";
    return fmt::format("{} {}", verb, t.arrays[array].name);
}

std::vector<BankWord> bank_words(const StepAccesses& accesses, std::size_t access) {
    const Subject& s = accesses.subject();
    const auto size = static_cast<std::uint32_t>(value::size_bytes(s.trace.value.type()));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> words;  // (half, first word)
    for (const std::uint32_t row : accesses.access(access).rows)
        words[{half_of(s, row), s.trace.index[row] * size / 4}].push_back(row);
    std::vector<BankWord> out;
    std::uint32_t first_pass = 0, used[counters::kBanks] = {}, half = 0;
    for (auto& [key, rows] : words) {
        if (key.first != half) {  // the other half of the warp begins after the last pass of this
            first_pass = *std::max_element(used, used + counters::kBanks);
            std::fill(used, used + counters::kBanks, first_pass);
            half = key.first;
        }
        const std::uint32_t bank = key.second % counters::kBanks;
        out.push_back({bank, used[bank]++, key.second, std::move(rows)});
    }
    return out;
}

MemoryChoice choice_of(const Subject& s, Playhead at, const Target& target) {
    if (target.kind != Target::Kind::kAccess) return {};
    const StepAccesses accesses(s, at);
    if (target.index >= accesses.size()) return {};
    return {true, accesses.access(target.index).site, accesses.access(target.index).warp};
}

std::vector<std::string> access_story(const Subject& s, Playhead at, const Target& target) {
    const StepAccesses accesses(s, at);
    const std::size_t i = target.index;
    if (target.kind != Target::Kind::kAccess || i >= accesses.size()) return {};
    const counters::Access& access = accesses.access(i);
    std::vector<std::string> lines = {fmt::format("Warp {} {}, line {}, with {}", access.warp, accesses.words(i),
                                                  s.trace.sites[access.site].line,
                                                  counted(access.rows.size(), "lane"))};
    if (accesses.shared(i)) {
        lines.push_back(fmt::format("{} over the 32 banks, {}", counted(accesses.passes(i), "pass", "passes"),
                                    counted(accesses.conflicts(i), "conflict")));
    } else {
        const counters::Global cost = accesses.global(i);
        lines.push_back(fmt::format("{}, {}", counted(cost.segments, "segment"), counted(cost.sectors, "sector")));
        lines.push_back(
            fmt::format("{} of {} bytes moved are used", cost.bytes, cost.sectors * counters::kSectorBytes));
    }
    lines.push_back("Click to see it");
    return lines;
}

}  // namespace warptree::scene
