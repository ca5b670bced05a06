// One table of the words that panels use: what draws a word, its mark or its figure gives the word's id, and the
// pointer is told what it means.
#pragma once

#include "app/kit/target.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::scene {

// One a line would be two pages:
// clang-format off
enum class Word : std::uint8_t {
    kNone, kEfficiency, kWholeKernel, kAsBooksCount, kInTheBook, kRequests, kSegments, kSectors, kAtomicRequests,
    kSharedRequests, kSharedLoads, kSharedStores, kGlobalLoads, kGlobalStores, kGlobalReductions, kBankConflicts,
    kBytesUsed, kNotUsed, kMoved, kActiveThreads, kActiveWarps, kDivergentWarps, kSlots, kAtWork, kBarriers,
    kOperations, kSoFar, kStepCost, kCounted, kStepsThatAdd, kAllSteps, kStride, kScanStep, kUpsweep, kDownsweep,
    kLoad, kOutput, kStep, kLeftOut, kStepFactor, kCumulative, kWorks, kWaits, kIdle, kWritten, kWrittenThen,
    kFinished, kUnused, kToldNothing, kToldSum, kToldPrefix, kWindow, kAdd, kAnAdd, kToCome, kBlockOnShow,
    kBlockAtWork, kDone, kAsks, kLaneWaits, kBankWord, kConflict, kBank, kPass, kUsed, kThreadsWork, kThreadsWait,
    kMatch, kVenueOperation, kIdleVenue, kWhoGoesOn, kWhatGoesOn, kWrongValue, kWrongRead, kDigits, kLost, kCaught,
    kRight, kOff, kExact, kHalfUlp, kFourUlps, kMore, kPath, kNotKnown, kWarp, kTile, kElements, kRound, kVenue,
    kLaunch, kByFactor, kPlain, kFewer, kTimes, kPmpp, kHarris, kDevice, kLog2, kThreadOrder, kWhichFirst, kResult,
    kFactor, kAtOnce, kMatchesAtOnce, kAllThreads, kBlocks, kGbPerS, kChangedPlaces, kOperands, kOperator, kSteps,
    kBusiest, kAverage, kTickets, kRemoteShared, kBefore, kThen, kMs, kLane, kSpeedUp, kADevice, kLinkTime, kOwnElements,
    kPartSums, kAllSums, kMessage, kCount
};
// clang-format on

struct Meaning {
    Word word;
    std::string_view name, means;
    std::string_view brief{};  // the name, where there is no room for it; "": there is none
};
const Meaning& meaning_of(Word);
/// returns  kNone for those that panels do not name
Word word_of(const counters::Quantity&);
Word word_of(const trace::Step&);

/// What a shape stands for that is a word's: its mark, the word itself, or a figure of it.
/// head   of the figure's column
/// share  the figure is "16 of 32"
Id word_id(Word name, Word head = Word::kNone, bool share = false);

/// What a word means; of a figure its name and its column's, and what these mean.
std::vector<std::string> word_story(const Target&);

}  // namespace warptree::scene
