// The table of a run's arrays.
#include "instrumentation/trace/layout.hpp"

#include <algorithm>

namespace warptree::trace {

Layout layout_of(const Run& run) {
    Layout layout;
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
        std::vector<std::size_t>& places = layout.places.emplace_back();
        std::size_t ordinal = 0;
        for (const Array& array : run.launches[launch].arrays) {
            const auto is_it = [&array](const Array& other) {
                return array.space == Space::kGlobal && other.space == Space::kGlobal && other.name == array.name;
            };
            const auto known = std::find_if(layout.arrays.begin(), layout.arrays.end(), is_it);
            const auto place = static_cast<std::size_t>(known - layout.arrays.begin());
            if (known == layout.arrays.end()) {
                layout.arrays.push_back(array);
                layout.sights.emplace_back();
            }
            if (array.space == Space::kGlobal) layout.sights[place].push_back({launch, ordinal++});
            places.push_back(place);
        }
    }
    return layout;
}

std::vector<First> firsts(const Run& run, const std::vector<std::uint64_t>& rows) {
    std::vector<First> all(1);
    for (std::size_t i = 0; i + 1 < run.launches.size(); ++i)
        all.push_back({all[i].row + rows[i], all[i].step + run.launches[i].steps.size(),
                       all[i].site + run.launches[i].sites.size()});
    return all;
}

bool has_clusters(std::span<const Trace> launches) {
    return std::ranges::any_of(launches, [](const Trace& trace) { return trace.launch.cluster > 1; });
}

bool has_own(std::span<const Trace> launches) {
    const auto is_own = [](const Array& array) { return array.type.has_value(); };
    return std::ranges::any_of(launches, [&](const Trace& trace) { return std::ranges::any_of(trace.arrays, is_own); });
}

Derived of_sites(const Trace& trace, const std::vector<std::size_t>& places) {
    Derived of;
    for (const Site& site : trace.sites) {
        const bool memory = site.array != Site::kNoArray;
        of.kind.push_back(static_cast<std::uint8_t>(site.kind));
        of.space.push_back(memory ? static_cast<std::uint8_t>(trace.arrays[site.array].space) : Site::kNoArray);
        of.array.push_back(memory ? static_cast<std::uint8_t>(places[site.array]) : Site::kNoArray);
        of.line.push_back(site.line);
    }
    return of;
}

}  // namespace warptree::trace
