// What an NVIDIA GPU's own counters said of a launch, as `warptree verify` wrote it into assets/measured/verify.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instrumentation/trace/run.hpp"

namespace warptree::judge {

/// How one launch's counters compare with those of the plain kernel on a GPU.
struct HardwareCheck {
    std::string device, date;          // "NVIDIA H100 80GB HBM3", "2026-11-21"
    int figures = 0, equal = 0;        // counters compared; of those, equal to the unit
    std::vector<std::string> reasons;  // why the others differ, each once
};

/// index    the launch's in the run: its first is the one that is measured
/// returns  nothing where it was not measured: a program of the user's own, a teaching warp, a barrier left out,
///          elements of another type
std::optional<HardwareCheck> hardware_check(const trace::Run&, std::size_t index);
/// The same of the first as one sentence; empty where nothing was measured.
std::string hardware_sentence(const trace::Run&);

}  // namespace warptree::judge
