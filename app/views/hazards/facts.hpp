// What a missing barrier does: the same launch run in several orders of threads, each held against the run in which
// every barrier stands. Everything here is found by running the kernel and reading its traces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/subject/rerun.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/graph/damage.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::study {

/// One order's outcome.
struct OrderRun {
    kernels::ThreadOrder order = kernels::ThreadOrder::kAscending;
    std::string result;
    bool correct = false;
};

/// What one order made of a race. Not known where the order took another way through the kernel.
struct Reading {
    bool read_first = false;    // the read came before the write; of two writes it has no meaning
    std::string read, written;  // values; of two writes: the first row's and the second's
    bool differs = false;       // from what was read with every barrier in place
    bool known() const { return !written.empty(); }
};

/// A hazard of the run on show, in every order.
struct Race {
    replay::Hazard hazard;
    std::uint32_t step = 0;                // in which it shows: that of the later access
    std::uint32_t writer = 0, reader = 0;  // rows of the run on show; of two writes: first and second
    bool both_write = false;
    bool matters = false;           // some order read a wrong value
    Reading sound;                  // with every barrier in place
    std::vector<Reading> readings;  // (orders,)
};

/// All that the hazards view shows of a subject beyond the subject itself.
struct RaceStudy {
    std::vector<kernels::Barrier> barriers;  // of the kernel
    std::uint16_t without = 0;               // line of the one that is missing; 0: none
    std::string trouble;                     // why the orders could not be run; then there are none
    OrderRun sound;                          // with every barrier in place
    std::vector<OrderRun> runs;              // ascending, descending, shuffled
    bool same_trace = false;                 // all orders left the same trace
    graph::Damage damage;                    // of the run on show
    std::vector<Race> races;                 // in order of (step, cell); at most kMostRaces
    std::size_t race_count = 0;              // all of them
    static constexpr std::size_t kMostRaces = 2048;
    bool finds_nothing() const { return races.empty(); }
};

/// Runs the launch of a subject again on the CPU, in every order, and once with all barriers.
/// input  the rule, values or file that the launch's input came from
RaceStudy study_races(const Subject&, const std::string& input, const Recorder& record = {});

/// What a cell that holds a wrong value would hold with every barrier in place. returns  "" where it is not wrong
std::string sound_value(const RaceStudy&, const Subject&, replay::Place, std::size_t state);

/// The race to tell at a position: of the present step, else the last before it, else the first to come; among those of
/// one step the first that made a value wrong. A cell that is asked for goes first. Null where there is none.
const Race* race_at(const RaceStudy&, Playhead, const replay::Place* wanted = nullptr);

/// "Thread 2 writes input[4] in step 2 (line 20); thread 0 reads it in step 3 (line 20). No barrier keeps them apart."
std::string race_sentence(const Subject&, const Race&);

/// The whole finding in sentences, one a line: what is missing, each order's result, the first race that matters.
std::vector<std::string> race_report(const Subject&, const RaceStudy&);

}  // namespace warptree::study
