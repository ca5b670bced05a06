// libFuzzer's target for exercises: what is wrong is said in sentences, and what can be graded has tests and
// conditions.
#include "app/exercise/exercise.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const exercise::Reading read = exercise::read({reinterpret_cast<const char*>(data), size});
    for (const TextProblem& problem : read.problems) fuzzing::expect_sentence(problem.text);
    if (!read.problems.empty()) return 0;
    if (read.exercise.tests.empty() || read.exercise.conditions.empty()) std::abort();
    for (const exercise::Test& test : read.exercise.tests)
        if (test.name().empty() || test.arguments().size() < 2) std::abort();
    return 0;
}
