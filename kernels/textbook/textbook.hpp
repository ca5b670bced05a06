// The textbook's closed forms beside the measurement, as data: what the app's panel and the report both show.
// Source: Programming Massively Parallel Processors, chapters 10 (reduction) and 11 (scan). The measured side comes
// from counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::textbook {

/// One term of a form: "4·6" of "(4·6 + 2 + 1)·32".
struct Term {
    std::string text;
    double value = 0;                  // what it contributes, in the form's unit: 4·6 warps of 32 slots are 768
    std::vector<std::uint32_t> steps;  // the steps of the trace that it stands for
    bool missing_in_print = false;     // the book left it out: in neither `expression` nor Form::value
    std::size_t at = kNowhere;         // byte offset of `text` in Form::expression
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
};

/// One formula of one edition, with this run's numbers in it. Terms are in order of steps; those that are not missing
/// in print add up to `value`, except in an efficiency, whose two terms are dividend and divisor.
struct Form {
    std::string quantity;    // "consumed slots", "efficiency" (0..1), "memory requests"
    std::string edition;     // "PMPP 4e", "PMPP 5e"
    std::string expression;  // UTF-8: "(4·6 + 2 + 1)·32"
    std::vector<Term> terms;
    double value = 0;     // of the expression as printed
    double measured = 0;  // the same quantity, counted in the trace
    bool agrees = false;  // value = measured
    std::string note;     // erratum, or what the book leaves out; "" where there is nothing to say

    /// The kernel has forms in the book, but not for this launch: only `note` has a meaning, and says why.
    bool note_only() const { return expression.empty(); }
};

/// The book's forms for a trace's kernel and launch.
/// returns  empty where the book has none for the kernel; a single note-only form where it has some, but they do not
///          hold for this launch (those of slots and requests take warps of 32 and N = 2^k >= 64 in one block of N / 2
///          threads)
std::vector<Form> forms(const trace::Trace&, const counters::Summary&);

// Operations of a scan of one section, N = 2^k.
std::uint64_t kogge_stone_operations(std::uint64_t n);  // N log2 N - (N - 1), Hillis-Steele's too
std::uint64_t brent_kung_operations(std::uint64_t n);   // 2 N - 2 - log2 N

}  // namespace warptree::textbook
