// The ladder in figures: measured times of one device as published tables have them, rung by rung, and beside them what
// runs of the same kernels were counted to cost, which is why the times differ.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/results/measurements.hpp"
#include "app/subject/rerun.hpp"
#include "instrumentation/counters/counters.hpp"

namespace warptree::study {

/// What is drawn beside the table: curves of all rungs over N; or of the rung that is looked at when and where its
/// blocks ran, or how fast it is by block and coarsening; of several devices, what a model says of more of them, and
/// which way NCCL went.
enum class LadderPicture : std::uint8_t { kBandwidth, kTime, kSchedule, kTuning, kDevices, kNccl };

inline constexpr std::pair<LadderPicture, std::string_view> kLadderPictures[] = {
    {LadderPicture::kBandwidth, "bandwidth"}, {LadderPicture::kTime, "time"},
    {LadderPicture::kSchedule, "schedule"},   {LadderPicture::kTuning, "tuning"},
    {LadderPicture::kDevices, "devices"},     {LadderPicture::kNccl, "nccl"}};

/// What was chosen; each is taken to the nearest there is.
struct LadderChoice {
    std::size_t device = 0;  // place in the measurements
    value::Type type = value::Type::kFloat32;
    bool cold = false;
    std::uint32_t devices = 0;  // of what runs on several; 0: the fewest that were measured
    std::uint64_t n = 0;        // 0: the largest that most rungs have
    LadderPicture picture = LadderPicture::kBandwidth;
    bool others = false;                   // of the rung that is looked at, the curves of other results too
    std::uint64_t least = 0, most = 0;     // N on show, 0: without limit; where none between was measured, all
    std::vector<std::string> hidden = {};  // kernels and references that are no rung; never all kernels
    bool operator==(const LadderChoice&) const = default;
};

/// One row of the table.
struct Rung {
    std::string_view name;
    std::string called;  // with its coarsening factor, where it has one
    bool reference = false;
    const kernels::Timing* timing = nullptr;  // null: not measured at this N
    double share = 0;                         // of Ladder::limit(); 0: that is not known
    std::optional<double> step = {},
                          cumulative = {};  // times as fast as the rung before, as the first; of right results alone
    bool right() const { return timing != nullptr && timing->correct; }
};

/// What a choice comes to: the table of one N, and what else there is to choose.
struct Ladder {
    const Measurements* of = nullptr;
    value::Problem problem = {};            // of its rungs; of scans kInclusiveScan
    std::uint32_t devices = 1;              // that they were measured on
    LadderChoice choice;                    // as it was taken
    std::vector<std::uint32_t> of_devices;  // how many it was measured on, ascending
    std::vector<value::Type> types;         // of the device
    std::vector<bool> caches;               // of that type: cold or not
    std::vector<std::uint64_t> sizes;       // of these, ascending, as far as they are chosen
    std::vector<std::string_view> names;    // of what can be a rung: kernels in the catalog's order, then references
    std::vector<Rung> rungs;                // those that are not hidden
    /// GB/s that shares are of; 0: not known. What goes over links is held against no memory's.
    double limit() const { return devices > 1 ? 0 : of->limit_gb_per_s; }
};
/// Hidden rungs with one more, or without it where it was.
std::vector<std::string> toggled(std::vector<std::string> hidden, std::string_view rung);
/// Whether a device is a choice: it has times of kernels, of a ladder's problem.
bool has_rungs(const Measurements&, value::Problem);
/// all     at least one with such; one without is no choice. What was measured at few N is no rung
/// kernel  of the run on show: scans are beside scans, and so on, where there are times of any. Of a file that was
/// opened, what it
///         has is shown.
Ladder ladder_of(std::span<const Measurements> all, const LadderChoice&, std::string_view kernel = {});
/// Whether a time is of the type, the cache and the devices that are chosen, and of the ladder's problem.
bool fits(const Ladder&, const kernels::Timing&);
/// The rung that is looked at: a kernel's, or where that was not measured the second kernel's, else the first.
const Rung* chosen_rung(const Ladder&, std::string_view kernel);
/// The kernel's rung before it; null: it is the first, or a reference.
const Rung* rung_before(const Ladder&, const Rung&);

/// What n elements take at the rate that shares are of, which scans read and write; 0: that is not known.
double least_ms(const Ladder&, std::uint64_t n);
/// How the fastest kernel stands beside the CPU's plain loops; empty where they were not measured at this N.
std::string ladder_cpu_text(const Ladder&);

/// Which way NCCL went at an N of the ladder's devices; null: its log was not read there.
const kernels::NcclChoice* nccl_choice(const Ladder&, std::uint64_t n);

/// What the kernels were counted to cost here, at an N of which there is nothing in the results.
struct LadderStudy {
    static constexpr std::uint64_t kN = 8192;  // small enough to trace them all, several blocks of each
    std::vector<CountedRun> runs;
    const CountedRun* of(std::string_view kernel, std::uint32_t devices = 1) const;
};
/// Counts every kernel that was measured, at kN, with the block, the factor and the devices it was measured with.
std::shared_ptr<const LadderStudy> study_ladder(const Recorder& record = {});

/// Two neighbours counted at the same N: that of the table where the results have it of the same factors, else
/// LadderStudy::kN.
struct CountedPair {
    const CountedRun *before = nullptr, *after = nullptr;
    bool at_n = false;  // of the table
};
CountedPair counted_pair(const Ladder&, const LadderStudy*, const Rung& before, const Rung& after);

/// One counter of two neighbours.
struct Cause {
    std::string_view name;
    std::uint64_t before = 0, after = 0;
};
/// The operations first.
std::vector<Cause> causes(const CountedRun& before, const CountedRun& after);

}  // namespace warptree::study
