// Orders: what the order view shows: a run beside the sequential order and the ideal tree of the same input, each with
// its parentheses and its parallelism. The other two are runs as well: recorded, counted and followed like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/subject/rerun.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/counters/parallelism.hpp"
#include "instrumentation/judge/order.hpp"

namespace warptree::study {

/// One run of the view.
struct OrderOf {
    std::string name;     // "sequential", "pmpp-simple"
    std::string problem;  // why there is none; then all else is empty
    std::shared_ptr<const RunFacts> facts;
    const trace::Run& run() const { return facts->run; }
    counters::Parallelism parallelism;
    judge::Combination combination;
    std::string result;
    bool correct = true;
    // For the picture, found once: a frame of a million joins has no time for it
    std::vector<float> centres;          // (joins,) halfway between the outermost parts, in operands from the left
    std::vector<std::uint32_t> thinned;  // joins that suffice where operands are narrower than a hair; empty: all do
    std::vector<std::uint32_t> moved_before;  // (operands + 1,) how many of those further left changed places
    bool present() const { return problem.empty(); }
    /// Results of blocks that meet after all else, in atomics or on the host: how often.
    std::size_t afterwards() const { return combination.roots.empty() ? 0 : combination.roots.size() - 1; }
};

struct Orders {
    std::shared_ptr<const Subject> subject;
    OrderOf own, sequential, ideal;
    std::vector<std::string> operands;  // of the input, as cells show them
    bool brief = true;                  // no operand has more than four letters
    bool own_is_sequential() const { return own.name == sequential.name; }
    bool own_is_ideal() const { return own.name == ideal.name; }
};

/// Records the sequential order and the ideal tree over the subject's input. Takes some milliseconds at N = 2048.
/// request  as the subject was made by: knows an input that the trace only names
std::shared_ptr<const Orders> make_orders(std::shared_ptr<const Subject> subject, const kernels::Request& request,
                                          const Recorder& record = {});

/// What the operator asks of the order, and what this kernel did: one or two sentences.
std::string order_sentence(const Orders&);
/// "8 steps become 3: 62.5 % fewer, 2.67 times as fast …"; "" where there is nothing to compare.
std::string fewer_sentence(const counters::Parallelism& before, const counters::Parallelism& after);

}  // namespace warptree::study
