// Roundings: what the accuracy view shows of a run: how far kernels are off against N, what each addition on the way to
// the run's result lost and who caught it, and what other orders of its atomics would give.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/results/measurements.hpp"
#include "app/subject/subject.hpp"

namespace warptree::study {

/// An addition on the way to the result: that of the operand which has more elements, and so on up to the root.
struct RunningSum {
    std::size_t step = 0;  // of the run
    double sum = 0;
    double lost = 0;      // of the exact sum of its operands, rounded away
    bool caught = false;  // a later operation that carries no element has just this value, or less it
};

/// What comes out where the same sums of blocks are added by atomics in random orders.
struct Spread {
    std::size_t sums = 0, orders = 0;           // sums: 0 where none meet so
    std::vector<Repeats::Result> results = {};  // ascending
};

/// What is drawn of many runs: the errors of plain ones over N, at worst or in the root of the mean square; of recorded
/// results the errors beside the bandwidths, or how often each result came of the same input.
enum class AccuracyPicture : std::uint8_t { kWorst, kRms, kBandwidth, kRepeats };
inline constexpr std::pair<AccuracyPicture, std::string_view> kAccuracyPictures[] = {
    {AccuracyPicture::kWorst, "worst"},
    {AccuracyPicture::kRms, "rms"},
    {AccuracyPicture::kBandwidth, "bandwidth"},
    {AccuracyPicture::kRepeats, "repeats"}};

/// How far off a kernel was at worst, and how fast it is, at one N and over one type.
struct TradeOff {
    const AccuracyRow* error = nullptr;
    const kernels::Timing* time = nullptr;  // warm
};
/// What results files have of errors, the last that has it in each case.
struct RecordedAccuracy {
    const Measurements* repeats = nullptr;  // that has repeated runs; null: none has
    const Measurements* errors = nullptr;   // that has the points' errors
    std::vector<TradeOff> points;           // two or more of one device, one N and one input, ascending by bandwidth
};
/// type  that is taken first
RecordedAccuracy recorded_accuracy(std::span<const Measurements> all, value::Type type);

struct RoundingStudy {
    std::shared_ptr<const Subject> subject;
    std::string problem;  // why nothing is known of the run itself; "": it is
    AccuracyTable table;
    std::vector<RunningSum> running;
    Spread spread;
};

/// How far a run's values are off; those of the run that was asked for last are kept.
std::shared_ptr<const graph::Errors> errors_of(std::shared_ptr<const RunFacts>);

/// Runs the plain kernels of the table, or finds that it has done so already.
std::shared_ptr<const RoundingStudy> study_roundings(std::shared_ptr<const Subject> subject);

}  // namespace warptree::study
