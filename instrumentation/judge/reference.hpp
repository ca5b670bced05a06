// What a run should give, what it gave, and how far that may be off.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/trace/run.hpp"

namespace warptree::judge {

/// How far the result of a run over floating point, of a scan its last one, is off.
struct Accuracy {
    std::string exact;     // what no rounding would give, in decimal, all its digits; of a product 256 bits of them
    double error = 0;      // the result less that
    double ulps = 0;       // the same in units in the last place of the right result
    double bound = 0;      // what the error is no larger than, whatever the numbers round to; 0: nothing can round
    double right = 0;      // the exact result, to the nearest double
    double size = 0;       // of a sum: that of its elements without their signs; else the exact result's
    double likely = 0;     // what the error is about where roundings are random; 0: not told
    double depth = 0;      // roundings on an element's way, at most; 0: nothing can round
    double underflow = 0;  // the part of the bound that products below the type's normal numbers have
};

/// How many of an output's elements are results: of several devices that leave them on the first, its part's.
std::size_t results_of(const trace::Launch&, std::size_t output);

/// What the run gave: the first element of its output, where there are many results the last.
value::Values result(const trace::Run&);  // (1,)

/// What that should be: from left to right, exact, and for sum, product and subtract over floating point then rounded
/// to the type once.
value::Values expected(const trace::Run&);  // (1,)
std::string expected_text(const trace::Run&);
/// Whether the recorded result is that, of a scan the whole output element by element: equal where no partial result
/// can round, whole numbers for example, else off by no more than the roundings on each element's way through the run's
/// graph allow. False where the kernel's order changed the result of an operator that asks for an order, and where
/// partial results left the type's range, so that infinity or no number came of numbers whose result the type has.
bool is_correct(const trace::Run&);
/// The same in two parts: what the input asks for, and whether a result is that.
struct Expectation {
    value::Values want;    // (1,)
    bool exact = true;     // bit for bit
    double rest = 0;       // else: with this, which was rounded away (of an infinite one: beyond the largest number),
    double tolerance = 0;  // or as near to it
    double depth = 0, underflow = 0;  // see Accuracy
    bool compensates = false;         // see judge::compensates(): where its sum is infinite it takes infinity off
                                      // infinity, which is no number
    bool met_by(const value::Values& output, std::size_t at = 0) const;
    /// "output[5] is 29, and 28 would be right."; "" where it is met
    std::string wrong(const value::Values& output, std::size_t at = 0) const;
};
/// What rounds on the way to a result.
struct Rounded {
    std::vector<std::uint32_t>
        times;                        // of a reduction (N,), for each element; of a scan for each result; or one number
    std::optional<double> underflow;  // of products in the order of the graph: see Accuracy; none: in any order
    Rounded(std::vector<std::uint32_t> all, std::optional<double> below = {})
        : times(std::move(all)), underflow(below) {}
};
/// Asked for where something can round.
using Roundings = std::function<Rounded()>;
Expectation expectation(const trace::Launch&, const value::Values& input, const Roundings&);

/// What no rounding and no end of the type's range would give, in decimal, of a run's result: of a sum, a product or
/// differences of numbers. "": of other operators, and where a number is infinite or none
std::string exact_text(const trace::Launch&, const value::Values& input);
/// Where that is not within the type's range: "outside int32, which ends at 2147483647"; "" where it is.
std::string outside_text(const trace::Launch&, const value::Values& input);

/// What a dot product adds up: (n,) products of the input's elements and those of Launch::factor.
value::Values products(const trace::Run&);
/// The same of a run; "" where it has no input.
std::string exact_text(const trace::Run&);
std::string outside_text(const trace::Run&);

/// How far a run's result is off. none: of other types; where result or right result is not finite
std::optional<Accuracy> accuracy(const trace::Launch&, const value::Values& input, const value::Values& result,
                                 const Roundings&);
std::optional<Accuracy> accuracy(const trace::Run&);

/// The first element of an output that is not what the problem asks for, as a sentence; "" where all are right.
/// Of a reduction the output's only element; of a scan all n, each held against its own sum.
std::string first_wrong(const trace::Launch&, const value::Values& input, const value::Values& output,
                        const Roundings&);
std::string first_wrong(const trace::Run&);

}  // namespace warptree::judge
