// Roundings: what the accuracy view shows of a run: how far kernels are off against N, what each addition on the way to
// the run's result lost and who caught it, and what other orders of its atomics would give.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/study/accuracy.hpp"
#include "app/study/subject.hpp"

namespace warptree::study {

/// An addition on the way to the result: that of the operand which has more elements, and so on up to the root.
struct RunningSum {
    std::size_t step = 0;  // of the run
    double sum = 0;
    double lost = 0;      // of the exact sum of its operands, rounded away
    bool caught = false;  // a later operation that carries no element has just this value, or less it
};

/// What comes out where the same sums of blocks are added by atomics in random orders.
struct Spread {
    struct Result {
        double value = 0;
        std::uint64_t bits = 0;
        std::size_t count = 0;  // of the orders
    };
    std::size_t sums = 0, orders = 0;  // sums: 0 where none meet so
    std::vector<Result> results = {};  // ascending
};

struct RoundingStudy {
    std::shared_ptr<const Subject> subject;
    std::string problem;  // why nothing is known of the run itself; "": it is
    AccuracyTable table;
    std::vector<RunningSum> running;
    Spread spread;
    double exact = 0, ulp = 0;  // of the result
};

/// Runs the plain kernels of the table, or finds that it has done so already.
std::shared_ptr<const RoundingStudy> study_roundings(std::shared_ptr<const Subject> subject);

}  // namespace warptree::study
