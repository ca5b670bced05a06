// Choices adapt: what a kernel cannot take becomes the nearest that it can.
#pragma once

#include <optional>
#include <string>

#include "instrumentation/request/registry.hpp"

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

/// A run whose picture fits a slide and that makes its kernel's point: few elements, warps of four, four blocks where a
/// reduction, or tiles of a scan, take several.
/// Operator, type and input stay where the kernel takes them, unless they were the subject of the one before.
kernels::Request on_a_slide(const kernels::Kernel&, const kernels::Request& now);
/// Whether a run is of such a size, or of the window's first one.
bool is_on_a_slide(const kernels::Request&);
/// What the choice of a kernel asks for: the launch of now, or from a size for slides the kernel's own.
kernels::Request with_kernel(const kernels::Request& now, const kernels::Kernel&);

}  // namespace warptree::state
