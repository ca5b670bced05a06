// What can be chosen in the ladder: alone, since commands carry it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/value/type.hpp"

namespace warptree::study {

/// What is drawn beside the table: curves of all rungs over N; or of the rung that is looked at when and where its
/// blocks ran, or how fast it is by block and coarsening.
enum class LadderPicture : std::uint8_t { kBandwidth, kTime, kSchedule, kTuning };

inline constexpr std::pair<LadderPicture, std::string_view> kLadderPictures[] = {
    {LadderPicture::kBandwidth, "bandwidth"},
    {LadderPicture::kTime, "time"},
    {LadderPicture::kSchedule, "schedule"},
    {LadderPicture::kTuning, "tuning"}};

/// What was chosen; each is taken to the nearest there is.
struct LadderChoice {
    std::size_t device = 0;  // place in the measurements
    value::Type type = value::Type::kFloat32;
    bool cold = false;
    std::uint64_t n = 0;  // 0: the largest that most rungs have
    LadderPicture picture = LadderPicture::kBandwidth;
    bool others = false;                   // of the rung that is looked at, the curves of other results too
    std::uint64_t least = 0, most = 0;     // N on show, 0: without limit; where none between was measured, all
    std::vector<std::string> hidden = {};  // kernels and references that are no rung; never all kernels
    bool operator==(const LadderChoice&) const = default;
};

}  // namespace warptree::study
