// What measured all-reduces say of more devices than there were: the cost model of collectives, in which a round costs
// alpha, a byte over a link 1 / beta, and an add 1 / gamma. A kernel adds while the next bytes come: of links and adds
// that which takes longer counts. A model, not a measurement.
// source  R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, 2005
#pragma once

#include <optional>

#include "app/views/ladder/facts.hpp"

namespace warptree::study {

inline constexpr std::uint32_t kMostModelled = 1024;  // devices

struct LinkModel {
    double alpha = 0;  // ms a round
    double beta = 0;   // bytes a ms over a link, in one direction
    double gamma = 0;  // adds a ms
    /// elements  of four bytes, on each device
    double ms(std::string_view kernel, std::uint32_t devices, std::uint64_t elements) const;
};
/// Alpha from the fewest elements that were measured: what a round of the quickest kernel takes. Beta from the most:
/// what is left of a time, by the kernel that uses its link best. An add reads two floats and writes one, at the rate
/// of a copy. returns  nothing where the ladder is of no all-reduces, or one N alone was measured
std::optional<LinkModel> link_model(const Ladder&);

/// Up to how many devices, a power of two, an all-reduce of the ladder is the fastest.
struct Fastest {
    std::string_view kernel;
    std::uint32_t first = 2, last = 2;
    bool operator==(const Fastest&) const = default;
};
/// returns  ascending, without a gap
std::vector<Fastest> fastest_of(const Ladder&, const LinkModel&, std::uint64_t elements);

}  // namespace warptree::study
