// The accesses of a step: which, what they cost, and which is worth showing.
#include <algorithm>
#include <map>
#include <set>

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

std::string words_of(const trace::Trace& t, const trace::Site& site) {
    if (site.kind == trace::Kind::kTicket || site.array == trace::Site::kNoArray) return "draws a ticket";
    const char* verb = site.kind == trace::Kind::kRead    ? "reads"
                       : site.kind == trace::Kind::kWrite ? "writes"
                                                          : "adds to";
    return fmt::format("{} {}", verb, t.arrays[site.array].name);
}

}  // namespace

std::vector<MemoryAccess> memory_accesses(const Subject& s, Playhead at) {
    if (!at.has_step() || at.step() >= s.steps()) return {};
    std::vector<counters::Access> accesses;
    for (counters::Access& access : counters::accesses(s.trace, s.block, static_cast<std::uint32_t>(at.step()))) {
        const trace::Site& site = s.trace.sites[access.site];  // another block's memory has neither segments nor banks
        if (site.kind != trace::Kind::kShuffle && !site.remote) accesses.push_back(std::move(access));
    }
    std::ranges::stable_sort(accesses, {}, &counters::Access::site);
    const auto costs = counters::access_costs(s.trace, accesses);
    std::vector<MemoryAccess> all;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const counters::Counters& cost = costs[i];
        const trace::Site& site = s.trace.sites[accesses[i].site];
        MemoryAccess one{std::move(accesses[i]), site.kind, words_of(s.trace, site)};
        one.shared = cost.shared_ld.requests + cost.shared_st.requests > 0;
        for (const counters::Global& part : {cost.global_ld, cost.global_st, cost.global_red, cost.global_atom})
            one.global += part;
        std::set<std::uint32_t> halves;
        for (const std::uint32_t row : one.rows) halves.insert(half_of(s, row));
        one.conflicts = cost.shared_ld.conflicts + cost.shared_st.conflicts;
        one.passes = one.conflicts + halves.size();
        const std::uint64_t needed = (one.global.bytes + counters::kSectorBytes - 1) / counters::kSectorBytes;
        one.excess = one.shared ? one.conflicts : one.global.sectors - std::min(one.global.sectors, needed);
        all.push_back(std::move(one));
    }
    return all;
}

std::size_t shown_access(const std::vector<MemoryAccess>& all, const MemoryChoice& choice) {
    const auto chosen = std::ranges::find_if(all, [&](const MemoryAccess& one) {
        return choice.made && one.site == choice.site && one.warp == choice.warp;
    });
    const auto shown = chosen != all.end() ? chosen : std::ranges::max_element(all, {}, &MemoryAccess::excess);
    return static_cast<std::size_t>(shown - all.begin());
}

std::vector<BankWord> bank_words(const Subject& s, const MemoryAccess& access) {
    const auto size = static_cast<std::uint32_t>(value::size_bytes(s.trace.value.type()));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> words;  // (half, first word)
    for (const std::uint32_t row : access.rows) words[{half_of(s, row), s.trace.index[row] * size / 4}].push_back(row);
    std::vector<BankWord> out;
    std::uint32_t first_pass = 0, used[counters::kBanks] = {}, half = 0;
    for (auto& [key, rows] : words) {
        if (key.first != half) {  // the other half of the warp begins after the last pass of this
            first_pass = *std::ranges::max_element(used);
            std::ranges::fill(used, first_pass);
            half = key.first;
        }
        const std::uint32_t bank = key.second % counters::kBanks, pass = used[bank]++;
        out.push_back({bank, pass, pass == first_pass, std::move(rows)});
    }
    return out;
}

MemoryChoice choice_of(const Subject& s, Playhead at, const Target& target) {
    const auto all = memory_accesses(s, at);
    if (target.kind != Target::Kind::kAccess || target.index >= all.size()) return {};
    return {true, all[target.index].site, all[target.index].warp};
}

std::vector<std::string> access_story(const Subject& s, Playhead at, const Target& target) {
    const auto all = memory_accesses(s, at);
    if (target.kind != Target::Kind::kAccess || target.index >= all.size()) return {};
    const MemoryAccess& one = all[target.index];
    std::vector<std::string> lines{fmt::format("Warp {} {}, line {}, with {}", one.warp, one.words,
                                               s.trace.sites[one.site].line, counted(one.rows.size(), "lane"))};
    if (one.shared) {
        lines.push_back(fmt::format("{} over the 32 banks, {}", counted(one.passes, "pass", "passes"),
                                    counted(one.conflicts, "conflict")));
    } else {
        lines.push_back(
            fmt::format("{}, {}", counted(one.global.segments, "segment"), counted(one.global.sectors, "sector")));
        lines.push_back(moved_text(one.global.bytes, one.moved_bytes()));
    }
    lines.push_back("Click to see it");
    return lines;
}

}  // namespace warptree::scene
