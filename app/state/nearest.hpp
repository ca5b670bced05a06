// Choices adapt: what a kernel cannot take becomes the nearest that it can.
#pragma once

#include <optional>
#include <string>

#include "kernels/catalog.hpp"

namespace warptree::state {

struct Nearest {
    kernels::Request request;
    std::string asked;  // what the kernel cannot take: "N = 100"
    std::string gets;   // what it has in place of that: "N = 128"
};

/// The request nearest to one that is refused: first N changes, and of values typed in as many are taken; then the
/// block. None where something else is in the way.
std::optional<Nearest> nearest(const kernels::Request& refused);

/// Of a run whose kernel this program has not: what can be done with it. "" of a kernel that it has.
std::string not_here(const std::string& kernel);

}  // namespace warptree::state
