// Folds: what can be said of each node, or of the whole graph, by one pass over the nodes. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/graph/graph.hpp"

namespace warptree::graph {

/// Nodes on the longest way from a node down to an operand that is none, itself included.
/// returns  (nodes,) 1 where both operands are elements
/// source   PMPP ch. 10.1: the steps that an ideal machine needs
std::vector<std::uint32_t> depths(const Graph&);

/// How a node's value follows from its operands where nothing is rounded.
enum class Form : std::uint8_t {
    kSum,
    kDifference,  // the first less the others; of one operand, 0 less it
    kOther,
};
class Forms {
public:
    explicit Forms(const Graph&);
    Form operator[](std::size_t node) const {
        const std::size_t launch = graph_.launch(node);
        return of_site_[launch][graph_.launches[launch].site[graph_.row[node]]];
    }

private:
    const Graph& graph_;
    std::vector<std::vector<Form>> of_site_;  // (launches, sites)
};

/// Whether a node carries elements of the input: its value would depend on them if nothing were rounded. What a
/// compensated sum keeps aside does not: it is 0 but for roundings.
/// returns  (nodes,)
std::vector<bool> carrying(const Graph&);

/// The elements of the input under a node: the lowest, the highest, and how many, each as often as it is used.
struct Leaves {
    std::uint32_t first = UINT32_MAX, last = 0;
    std::uint64_t count = 0;  // 0: none, and first and last have no meaning
};
/// Of a node that carries none there are none.
/// returns  (nodes,)
std::vector<Leaves> leaves(const Graph&);

/// Operations that the result needs: a node that reaches a store to an output array counts one for each operand beyond
/// the first that carries elements of the input. So a reduction of N elements has N - 1, whatever its kernel.
/// returns  (steps of the run,); empty where rows are missing, or no array is the input: then it is not known
struct Usefulness {
    std::vector<std::uint64_t> operations;
    std::vector<bool> operates;          // whether the step has any operation, useful or not, atomics among them; of a
                                         // run none of whose operations has elements, as where they are counted, none
    std::vector<std::uint32_t> of_node;  // (nodes,)
    bool known() const { return !operations.empty(); }
};
Usefulness usefulness(const Graph&);

/// The most operations on each element's way to the result that can round: those both of whose operands carry elements.
/// Where there are several results, parts of one, to that which they are added up to.
/// Atomics of a cell come in any order, so of m values each can have gone through m - 1.
/// returns  (elements,) 0 where the result has nothing of it
std::vector<std::uint32_t> roundings(const Graph&, std::size_t elements);

/// The place among the results of the one that is told where there are several, the last element of the output; of a
/// reduction its first. returns  how many there are where it is not among them
std::size_t chosen_result(const Graph&);

/// What the result is: the last store to an output's first cell, of a scan to its last; of atomics that has the values
/// of all. None: nothing was stored there.
std::optional<Operand> root(const Graph&);

/// What roundings did to the values of a sum over floating point, each to the nearest double.
struct Errors {
    double result = 0;          // of the run's result: that less the exact sum
    double ulp = 0;             // a unit in the last place of the exact result
    std::vector<double> error;  // (nodes,) a node's value less what it would be if nothing were rounded; NaN: not known
    std::vector<double> made;   // (nodes,) how much of that its own operation rounded; NaN: not known
    std::vector<std::uint32_t> path;  // nodes, from the result's down: each the operand of the one before that is off
                                      // most, as far as it is off more than the one before rounded itself
    bool known() const { return !error.empty(); }
};
/// Empty of other operators and types, where rows are missing, and where values are not finite. In which order atomics
/// came is not known, so of what a cell held between them nothing is.
Errors errors(const Graph&);

/// A row's value, of an atomic the value added, written out over the elements: "((x0 + x1) + (x2 + x3))". What stands
/// past element N, and what nobody wrote of partial results, is the identity.
/// limit  characters; longer expressions end in an ellipsis
std::string expression(const Graph&, std::size_t launch, std::uint32_t row, std::size_t limit = 4096);

/// What a node, which is no atomic, was applied to: "9 + 7", "one instruction: + of 32 lanes".
std::string operands_text(const Graph&, std::size_t node);

}  // namespace warptree::graph
