// The table of words.
#include "app/kit/glossary.hpp"

#include "app/kit/kit.hpp"
#include "app/kit/target.hpp"

namespace warptree::scene {
namespace {

constexpr Meaning kMeanings[] = {
    {Word::kNone, "", ""},
    {Word::kEfficiency, "efficiency",
     "Of all lane slots that were paid for, the share in which a lane did work that the result needs."},
    {Word::kWholeKernel, "whole kernel", "Useful operations over slots, when the run has ended."},
    {Word::kAsBooksCount, "as books count", "As the book counts: steps that only move data are left out."},
    {Word::kInTheBook, "in the book", "What the book's formula gives for this N."},
    {Word::kRequests, "requests",
     "One warp's instruction that asks memory for something, as NVIDIA's profiler counts."},
    {Word::kSegments, "segments",
     "Aligned pieces of 128 bytes of global memory that requests touched: the book's requests."},
    {Word::kSectors, "sectors", "Pieces of 32 bytes: what is really moved between memory and the GPU."},
    {Word::kAtomicRequests, "atomic requests",
     "Warps' instructions that add to global memory in one go, so that no other comes between."},
    {Word::kSharedRequests, "shared requests", "Warps' instructions that read or write the block's own fast memory."},
    {Word::kSharedLoads, "shared loads", "Warps' instructions that read the block's own fast memory."},
    {Word::kSharedStores, "shared stores", "Warps' instructions that write the block's own fast memory."},
    {Word::kGlobalLoads, "global loads", "Warps' instructions that read global memory."},
    {Word::kGlobalStores, "global stores", "Warps' instructions that write global memory."},
    {Word::kGlobalReductions, "global reductions", "Atomic adds to global memory that give nothing back."},
    {Word::kBankConflicts, "bank conflicts",
     "Passes beyond the first that an access takes, as several of its words lie in one bank."},
    {Word::kBytesUsed, "bytes used", "Bytes that the lanes asked for.", "asked for"},
    {Word::kNotUsed, "moved, not used", "Bytes of a sector that came along, though no lane asked for them.",
     "not asked"},
    {Word::kMoved, "moved", "Bytes that came with all sectors touched, asked for or not."},
    {Word::kActiveThreads, "active threads", "Threads that do this step's work, added up over the steps."},
    {Word::kActiveWarps, "active warps", "Warps in which at least one lane works: these cost time."},
    {Word::kDivergentWarps, "divergent warps", "Warps in which some lanes work while others of the same warp wait."},
    {Word::kSlots, "slots", "Lanes of all warps that run, working or not: what the step costs."},
    {Word::kAtWork, "at work", "Slots in which a lane works."},
    {Word::kBarriers, "barriers", "Times that a block's threads wait for one another."},
    {Word::kOperations, "operations", "Additions, or what else the run's operator is."},
    {Word::kSoFar, "so far", "From the first step to the one on show."},
    {Word::kStepCost, "step", "In the step on show alone."},
    {Word::kCounted, "counted", "What the recorded rows add up to."},
    {Word::kStepsThatAdd, "steps that add", "Steps of the tree, without those that only move data."},
    {Word::kAllSteps, "all steps so far", "With the steps that only move data."},
    {Word::kStride, "stride", "A step of the tree: what is added lies so many places apart."},
    {Word::kScanStep, "scan", "A step of the scan: what is added lies so many places apart."},
    {Word::kUpsweep, "upsweep", "A step that adds pairs, as in a reduction."},
    {Word::kDownsweep, "downsweep", "A step that hands partial results back to the cells between."},
    {Word::kLoad, "load", "A step that moves elements, and adds none or some of them."},
    {Word::kOutput, "output", "Where the kernel leaves its results: an array, or the step that writes it."},
    {Word::kStep, "step", "A load, an addition or a store by each thread that works in it; one step follows another."},
    {Word::kLeftOut, "above and below", "They find no room here; those about the present step are in sight."},
    {Word::kStepFactor, "step ×", "How many times as fast as the row before."},
    {Word::kCumulative, "cumulative ×", "How many times as fast as the first row."},
    {Word::kWorks, "works", "A lane that does this step's work."},
    {Word::kWaits, "waits, paid for", "A lane without work in a warp that runs: its slot is paid for all the same.",
     "waits"},
    {Word::kIdle, "idle, free", "A lane of a warp that does not run: it uses no slot.", "idle"},
    {Word::kWritten, "written", "A cell that got its value in the present step."},
    {Word::kWrittenThen, "written in its step", "A cell that got its value in the row's step.", "written"},
    {Word::kFinished, "prefix finished", "A cell that holds its final result: all elements up to its own.", "finished"},
    {Word::kUnused, "word left unused", "A word that is skipped, so that those behind it fall into other banks.",
     "unused"},
    {Word::kToldNothing, "nothing published", "The tile's block has not published its sum yet.", "nothing"},
    {Word::kToldSum, "sum published, looks back", "The tile's sum is known; the sum of all before it is not.",
     "its sum"},
    {Word::kToldPrefix, "prefix published", "The sum of all elements up to the tile's end is known.", "its prefix"},
    {Word::kWindow, "window: the tiles that a prefix is made of",
     "The tiles whose sums and prefix a block took to make its own prefix.", "window"},
    {Word::kAdd, "add", "One addition of two partial results."},
    {Word::kAnAdd, "an add", "One addition of two partial results."},
    {Word::kToCome, "to come", "Has not run yet at the step on show."},
    {Word::kBlockOnShow, "block on show", "The block that the other views show."},
    {Word::kBlockAtWork, "at work: round", "A block that has begun and not ended.", "at work"},
    {Word::kDone, "done", "A block whose work has ended."},
    {Word::kAsks, "lane asks", "A lane that takes part in this access.", "asks"},
    {Word::kLaneWaits, "lane waits", "A lane of the same warp that takes no part, and waits.", "waits"},
    {Word::kBankWord, "word, first pass", "A word that the bank gives in the first pass.", "word"},
    {Word::kConflict, "conflict: one pass more",
     "A word that has to wait for a further pass: its bank is busy with another.", "conflict"},
    {Word::kBank, "bank", "One of 32 parts of shared memory; each gives one word a pass."},
    {Word::kPass, "pass", "One go at shared memory: each bank gives one word."},
    {Word::kUsed, "used", "Of the time, the share in which it did something."},
    {Word::kThreadsWork, "threads that work", "Threads of the block that do the step's work.", "work"},
    {Word::kThreadsWait, "threads of the block that wait",
     "Threads without work while the block runs: their place is taken all the same.", "wait"},
    {Word::kMatch, "a match, at its venue", "A match is one operation; its venue is the thread that does it.", "match"},
    {Word::kVenueOperation, "an operation, at its venue", "A venue is the thread that does an operation.", "operation"},
    {Word::kIdleVenue, "a venue that stands idle", "A venue at which no match is played in that step.", "idle venue"},
    {Word::kWhoGoesOn, "who goes on", "The winner: the value that the operation leaves.", "goes on"},
    {Word::kWhatGoesOn, "what goes on", "The winner: the value that the operation leaves.", "goes on"},
    {Word::kWrongValue, "wrong value", "A cell that holds another value than with the barrier in place."},
    {Word::kWrongRead, "read at the wrong time", "A read that came before, or after, the write that it should follow."},
    {Word::kDigits, "the sum's digits", "Binary digits that the addition's result holds."},
    {Word::kLost, "lost", "Digits that rounding cut off."},
    {Word::kCaught, "lost, and caught", "Digits that rounding cut off, and that the kernel added back elsewhere.",
     "caught"},
    {Word::kRight, "correctly rounded", "No other number of the type lies nearer to the exact result.", "right"},
    {Word::kOff, "off by more than ½ ulp",
     "Another number of the type lies nearer to the exact result; an ulp is the distance of two neighbours.",
     "> ½ ulp"},
    {Word::kExact, "exact", "A sum with no rounding in it."},
    {Word::kHalfUlp, "to ½ ulp", "A sum that is off by at most half a unit in the result's last place.", "½ ulp"},
    {Word::kFourUlps, "4 ulps", "A sum that is off by at most four units in the result's last place."},
    {Word::kMore, "more", "A sum that is off by more than four units in the result's last place."},
    {Word::kPath, "path", "The adds on the way to the result on which most was lost."},
    {Word::kNotKnown, "not known", "The order in which blocks meet decides how far this sum is off.", "?"},
    {Word::kWarp, "warp", "Threads that share one instruction: they run it together, or some of them wait."},
    {Word::kTile, "tile", "The elements that one block scans; at its right what the block had told, and when."},
    {Word::kElements, "elements", "Elements of the input, from the first number to the last."},
    {Word::kRound, "round", "What can happen at one time: nothing in it waits for another of the same round."},
    {Word::kVenue, "venue", "A place where matches are played: a thread."},
    {Word::kLaunch, "launch", "One start of a kernel: all its blocks run before the next begins."},
    {Word::kByFactor, "by the factor", "With this coarsening factor."},
    {Word::kPlain, "plain", "Without coarsening."},
    {Word::kFewer, "÷", "Against the kernel before: so many times less."},
    {Word::kTimes, "×", "Against the kernel before: so many times as much."},
    {Word::kPmpp, "PMPP", "Printed in Programming Massively Parallel Processors, by Hwu, Kirk and El Hajj."},
    {Word::kHarris, "Harris", "Printed in Optimizing Parallel Reduction in CUDA, by Mark Harris."},
    {Word::kDevice, "device", "The GPU that these were measured on."},
    {Word::kLog2, "log₂",
     "How many times the number can be halved until 1 is left: a tree over so many has that many levels."},
    {Word::kThreadOrder, "order of threads", "In which order the threads of a block ran between two barriers."},
    {Word::kWhichFirst, "which came first", "The order of a write and a read of one cell that no barrier keeps apart."},
    {Word::kResult, "result", "What the run leaves as its result."},
    {Word::kFactor, "coarsening factor",
     "How many elements each thread adds by itself before its block's tree begins."},
    {Word::kAtOnce, "blocks that run at once", "How many blocks the GPU has room for at one time; the others wait."},
    {Word::kMatchesAtOnce, "matches at once", "How many matches can be played at one time: threads of the block."},
    {Word::kAllThreads, "of them with all threads", "Steps in which every thread of the block works."},
    {Word::kBlocks, "blocks", "Groups of threads that share memory and can wait for one another."},
    {Word::kGbPerS, "GB/s",
     "Billions of bytes a second: of a reduction's input, of scans and copies read and written."},
    {Word::kChangedPlaces, "changed places",
     "Operands that the run takes elsewhere than where they stand in the input."},
    {Word::kOperands, "operands", "The elements, from left to right as the run takes them."},
    {Word::kOperator, "operator", "What joins two values into one, and what they are; the identity changes nothing."},
    {Word::kSteps, "steps", "How many steps it takes, one after the other."},
    {Word::kBusiest, "busiest step", "The most operations that any one step does side by side."},
    {Word::kAverage, "average a step", "Operations over steps: how many are done side by side, on the average."},
    {Word::kTickets, "tickets", "Atomic adds to global memory that give back what was there."},
    {Word::kRemoteShared, "other blocks' shared",
     "Warps' instructions that read the shared memory of another block of their cluster."},
    {Word::kBefore, "before", "Of the kernel before."},
    {Word::kThen, "then", "Of the kernel that is looked at."},
    {Word::kMs, "ms", "Milliseconds that one run takes, in the median."},
    {Word::kLane, "lane", "A thread's place in its warp."},
    {Word::kSpeedUp, "speed-up", "How many times as many steps the sequential order takes."},
    {Word::kADevice, "device", "One of the devices of the run: it has a part of each array."},
    {Word::kLinkTime, "links over time",
     "Of each device its way out to the others. A round is as long as its busiest way has bytes to carry, if all are "
     "equally fast: what is empty is a way that waits."},
    {Word::kOwnElements, "its own elements", "Nothing of another device is in them yet.", "own"},
    {Word::kPartSums, "sums over some devices", "Sums of the elements that some of the devices have here.", "some"},
    {Word::kAllSums, "sums over all devices", "Results: the elements of all devices are in them.", "all"},
    {Word::kMessage, "went over a link", "What one device read of another's memory in this round.", "link"},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(kMeanings); ++i)
        if (kMeanings[i].word != Word(i)) return false;
    return std::size(kMeanings) == std::size_t(Word::kCount);
}
static_assert(in_order(), "a row a word");

}  // namespace

const Meaning& meaning_of(Word word) {
    return kMeanings[word < Word::kCount ? std::size_t(word) : 0];
}

Word word_of(const counters::Quantity& quantity) {
    static constexpr std::pair<std::string_view, Word> kQuantities[] = {
        {counters::kActiveThreads.key, Word::kActiveThreads},
        {counters::kActiveWarps.key, Word::kActiveWarps},
        {counters::kDivergentWarps.key, Word::kDivergentWarps},
        {counters::kConsumedSlots.key, Word::kSlots},
        {counters::kOperations.key, Word::kOperations},
        {counters::kRequests.key, Word::kRequests},
        {counters::kSegments.key, Word::kSegments},
        {counters::kSectors.key, Word::kSectors},
        {counters::kAtomicRequests.key, Word::kAtomicRequests},
        {counters::kSharedRequests.key, Word::kSharedRequests},
        {counters::kBankConflicts.key, Word::kBankConflicts},
        {counters::kBarriers.key, Word::kBarriers}};
    const auto* row = std::ranges::find(kQuantities, quantity.key, &std::pair<std::string_view, Word>::first);
    return row == std::end(kQuantities) ? Word::kNone : row->second;
}

Word word_of(const trace::Step& step) {
    switch (step.phase) {
        case trace::Phase::kLoad:
        case trace::Phase::kClear:
            return Word::kLoad;
        case trace::Phase::kAdd:
            return Word::kAdd;
        case trace::Phase::kTree:
            return Word::kStride;
        case trace::Phase::kScan:
            return Word::kScanStep;
        case trace::Phase::kUpsweep:
            return Word::kUpsweep;
        case trace::Phase::kDownsweep:
            return Word::kDownsweep;
        case trace::Phase::kOutput:
            return Word::kOutput;
    }
    return Word::kStep;
}

Id word_id(Word name, Word head, bool share) {
    if (name == Word::kNone) std::swap(name, head);
    return name == Word::kNone ? 0 : target_id(Target::Kind::kWord, std::size_t(name), std::size_t(head), share);
}

std::vector<std::string> word_story(const Target& target) {
    const auto& [name, head] = std::pair(Word(target.index), Word(target.state));
    const Meaning &of = meaning_of(name), &column = meaning_of(head);
    return said({std::string(of.name) + (head == Word::kNone ? "" : ": " + std::string(column.name)),
                 std::string(of.means), std::string(column.means),
                 target.array == 1 ? "So many threads work, of all." : ""});
}

}  // namespace warptree::scene
