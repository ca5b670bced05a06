// Orders: what the order view shows: a run beside the sequential order and the ideal tree of the same input, each with
// its parentheses and its parallelism. The other two are runs as well: recorded, counted and followed like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/draw.hpp"
#include "app/scene/subject.hpp"
#include "app/scene/views.hpp"
#include "instrumentation/replay/grouping.hpp"

namespace warptree::scene {

/// How parallel a run is. Only steps in which values are combined count as steps.
struct Parallelism {
    std::uint64_t steps = 0;
    std::uint64_t work = 0;        // operations in all
    std::uint64_t peak = 0;        // operations in the busiest step
    std::uint64_t afterwards = 0;  // results of blocks that meet in atomics or on the host
    double average() const { return steps == 0 ? 0 : static_cast<double>(work) / static_cast<double>(steps); }
};
Parallelism parallelism(const counters::Summary&, const replay::Grouping&);

/// One run of the view.
struct OrderOf {
    std::string name;     // "sequential", "pmpp-simple"
    std::string problem;  // why there is none; then all else is empty
    Parallelism figures;
    replay::Grouping grouping;
    std::vector<std::uint32_t> levels;  // steps that combine, ascending: the rounds
    std::string result;
    bool correct = true;
    bool present() const { return problem.empty(); }
};

struct Orders {
    std::shared_ptr<const Subject> subject;
    OrderOf own, sequential, ideal;
    std::string expected;
    std::vector<std::string> operands;  // of the input, as cells show them
    bool own_is_sequential() const { return own.name == sequential.name; }
    bool own_is_ideal() const { return own.name == ideal.name; }
};

/// Records the sequential order and the ideal tree over the subject's input. Takes some milliseconds at N = 2048.
/// request  as the subject was made by: knows an input that the trace only names
std::shared_ptr<const Orders> make_orders(std::shared_ptr<const Subject> subject, const kernels::Request& request);

/// A grouping in the operator's own notation: "((3 max 1) max (7 max 0)) max ((4 max 1) max (6 max 3))", in pieces that
/// know which node they belong to, and without parentheses around the whole.
struct Piece {
    std::string text;
    std::int32_t node = replay::Grouping::kNone;
    bool operand = false;
};
/// names   operands as x0, x1, ... instead of their values
/// limit   pieces; a longer one ends in an ellipsis
std::vector<Piece> pieces(const Orders&, const OrderOf&, bool names, std::size_t limit = 4096);
std::string text_of(const std::vector<Piece>&);

/// What the operator asks of the order, and what this kernel did: one or two sentences.
std::string order_sentence(const Orders&);
/// "8 steps become 3: 62.5 % fewer, 2.67 times as fast"; "" where there is nothing to compare.
std::string fewer_sentence(const Parallelism& before, const Parallelism& after);

/// Sequential order, this kernel's order, and the ideal tree: figures, parentheses, and operands that changed places.
Scene order_view(const Orders&, Playhead, Box, const Measure&, const Target& hover = {});

}  // namespace warptree::scene
