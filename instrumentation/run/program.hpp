// A host program's book: what it asks of N and of the block, its arrays and its launches, in order. A plan keeps this
// and nothing else; every other host keeps it too, and does what it says.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/registry.hpp"

namespace warptree::kernels {

inline constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;  // that an unsigned tells apart

/// What a host program asks of N.
struct NRange {
    std::uint64_t least = 1, most = std::uint64_t{1} << 28;  // when the run is recorded
    bool power_of_two = false;
    std::string_view why = {};                  // what sets the limit: "one block of N / 2 threads, at most 1,024"
    std::uint64_t most_plain = kMostElements;   // when it is not
    std::uint64_t most_of_gpu = kMostElements;  // then: of a GPU, where one of its threads does it all
};

/// What it asks of the block, in threads.
struct BlockRange {
    std::uint32_t least = 1;
    std::uint32_t per_thread = 2;  // elements that a thread takes: the usual block is no larger than N has use for
    bool whole_warps = false;      // any number of whole warps, whose sums a single one can add; else a power of two
    std::uint32_t usual = 128;     // where nobody chose one
    std::uint32_t on_gpu = 0;      // the same there, where nothing is recorded; 0: the same
    std::uint32_t most_elements = 0xffffffffu;  // that a block takes, where all are in its shared memory at once
    std::uint64_t most_blocks = 0xffffffffu;    // of a recorded run: the usual block grows with N to keep to it
    bool last_adds_up =
        false;  // threads of the last block add up what the others left, each value in a step of its own
};

/// The shape of a launch.
struct Grid {
    std::uint64_t blocks = 1;
    std::uint32_t threads = 1;  // a block
    std::uint32_t cluster = 1;  // blocks
    bool in_order = false;      // a block waits for those before it: the GPU starts them in order, and so does the CPU
    std::vector<std::uint32_t> on = {};  // devices, ascending, each with as many blocks; empty: all
    bool early = false;  // the GPU may start it before the launch before has ended: the kernel waits for that
};

/// A global array of the run.
struct ArrayRow {
    std::string name;
    trace::Role role = trace::Role::kInput;
    std::uint64_t extent = 0;              // elements
    bool exchanged = false;                // blocks of one launch read in it what others left: see Host::exchange()
    std::optional<value::Type> type = {};  // of its elements, where they are none of the run's: see Host::array()
    std::function<void(void* cells)> first = {};  // of such: makes it what it holds at first
    std::size_t chance_bytes = 0;  // an element of an array of chance: see Host::chance(); the trace has none of it
    std::function<void(void* cells, std::uint64_t block)> found = {};  // of such: makes it what `block` finds alone
};

/// Its memory, wherever the run is.
struct Cells {
    void* data;
    std::uint64_t* origins;  // who wrote each cell last; null where nothing is recorded
};

/// A launch of the run.
struct LaunchRow {
    std::string function;
    trace::Processor processor = trace::Processor::kDevice;
    std::uint32_t grid = 1, block = 1, cluster = 1;
    bool with_cluster = false;               // it asks for one, also where it is of a single block
    bool in_order = false, early = false;    // see Grid
    std::vector<std::uint32_t> arrays = {};  // that are handed to it: places in Program::arrays()
    std::uint32_t earlier = 0;               // blocks of the launches before it
    std::vector<std::uint32_t> on = {};      // devices; empty: all

    /// The one that has the i-th part of its blocks.
    std::uint32_t device(std::size_t i) const { return on.empty() ? static_cast<std::uint32_t>(i) : on[i]; }
    /// The place among its arrays of one of the run's.
    std::uint32_t local(std::uint32_t array);
};

/// A host program that is planned throws a Refusal, a sentence, where a request cannot be run; plan() catches it.
class Program {
public:
    /// recorded  whether N is held against NRange::most or most_plain
    Program(const Request& request, bool recorded) : request_(request), recorded_(recorded) {}
    /// Of a run whose time is taken: it refuses elements that record.
    static Program timed(const Request& request) {
        Program program(request, false);
        program.timed_ = true;
        return program;
    }
    bool is_timed() const { return timed_; }

    /// With its zeros filled in by what the program has asked so far.
    const Request& request() const { return request_; }
    const Sizes& sizes() const { return sizes_; }
    const std::vector<ArrayRow>& arrays() const { return arrays_; }
    const std::vector<LaunchRow>& launches() const { return launches_; }
    std::uint64_t blocks() const;  // of all launches
    std::uint32_t output() const;  // its place in arrays()

    // What the program asks. errors: Refusal
    void needs(const Needs& needs) { sizes_.needs = needs; }
    void takes_n(const NRange&);
    std::uint32_t block(const BlockRange&);
    std::uint32_t only_block(std::uint64_t threads);
    std::uint32_t turns(std::uint64_t usual);
    std::uint32_t coarsen();
    std::uint32_t devices(bool power_of_two);
    std::uint32_t exclusive() const { return request_.exclusive; }
    std::uint32_t cluster(std::uint64_t blocks, std::uint32_t most);

    /// returns  its place in arrays(); a name that is there already gets a number
    std::uint32_t add(ArrayRow);
    LaunchRow& add(std::string_view function, trace::Processor, const Grid&);

private:
    Request request_;
    bool recorded_, timed_ = false;
    Sizes sizes_;
    std::vector<ArrayRow> arrays_;
    std::vector<LaunchRow> launches_;
};

/// Runs a checked or unchecked request's host program dry.
/// errors  what the program cannot take, in a sentence
Result<Program> plan(const Kernel&, const Request&, bool recorded = true);

}  // namespace warptree::kernels
