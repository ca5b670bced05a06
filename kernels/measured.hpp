// What an NVIDIA GPU's own counters said of a launch, as `warptree verify` wrote it into assets/measured/verify.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::kernels {

/// How one launch's counters compare with those of the plain kernel on a GPU.
struct HardwareCheck {
    std::string device, date;          // "NVIDIA H100 80GB HBM3", "2026-11-21"
    int figures = 0, equal = 0;        // counters compared; of those, equal to the unit
    std::vector<std::string> reasons;  // why the others differ, each once
};

/// returns  nothing where this launch was not measured, or is another than the one measured: a later one of its run, a
///          teaching warp, a barrier left out, elements of another type
std::optional<HardwareCheck> hardware_check(const trace::Launch&);
/// The same as one sentence; empty where nothing was measured.
std::string hardware_sentence(const trace::Launch&);

}  // namespace warptree::kernels
