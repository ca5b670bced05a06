// The run: everything between the input and the answer. Launches in order, those of the host's own work among them;
// what one leaves in an array the next one finds there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

/// The file that a launched function stands in, as it was compiled.
struct Listing {
    std::string file;  // "kernels/reduce/harris_4.cuh"
    std::string text;
    bool operator==(const Listing&) const = default;
};

struct Run {
    std::vector<Trace> launches;    // in order; at least one
    std::vector<Listing> listings;  // of the functions that were launched; none in files of older programs

    const Launch& launch() const { return launches.front().launch; }  // what all launches have in common stands in each
    /// Steps of all launches, in order.
    std::size_t steps() const;
    /// A step of the run, as a launch and a step of it.
    struct Place {
        std::size_t launch = 0, step = 0;
        bool operator==(const Place&) const = default;
    };
    Place place(std::size_t step) const;
    /// The first step of a launch, counted over the run; of the one past the last: steps().
    std::size_t first_step(std::size_t launch) const;
    /// Whether all rows of all launches are there.
    bool complete() const;
    /// The input before the run, and what it left in the output. Null where a file has no such array.
    const Values* input() const;
    const Values* output() const;
    /// What a global array holds before the first launch that has it. Null: no launch has one of that name.
    const Values* before(std::string_view array) const;
};

/// A run of one launch.
Run run_of(Trace);

/// Finds, of launches that hold all their rows, what follows from these: the line of each step, what a launch found
/// where another one was before, and what it left in the cells that one thread alone wrote to. Which of several threads
/// came last, and what atomics made, is chance: there the contents stay as they are. Rows have to be sound.
void derive(Run&);

/// Compares two runs as first_difference() of traces does, launch by launch.
std::string first_difference(const Run&, const Run&);

}  // namespace warptree::trace
