// libFuzzer's target for lessons: what is wrong is said in sentences, and one that can be played can have a scene more.
#include "app/lesson/lesson.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const lesson::Reading read = lesson::read(text);
    for (const lesson::Problem& problem : read.problems) fuzzing::expect_sentence(lesson::line_of(problem));
    if (!read.problems.empty() || read.lesson.exercises) return 0;
    lesson::Scene more = read.lesson.scenes.front();
    more.question.reset();
    const auto longer = lesson::with_scene(text, more);
    if (!longer) return fuzzing::expect_sentence(longer.error().message), 0;
    const lesson::Reading again = lesson::read(*longer);
    if (!again.problems.empty() || again.lesson.scenes.size() != read.lesson.scenes.size() + 1) std::abort();
    return 0;
}
