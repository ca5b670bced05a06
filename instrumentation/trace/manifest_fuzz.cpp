// libFuzzer's target for manifest.json.
#include "instrumentation/trace/fuzz_testing.hpp"
#include "instrumentation/trace/validate.hpp"

using namespace warptree;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    return fuzzing::change_text(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto manifest = trace::read_manifest({reinterpret_cast<const char*>(data), size});
    if (!manifest) return fuzzing::expect_sentence(manifest.error()), 0;
    if (const std::string problem = trace::table_problem(manifest->run, manifest->rows); !problem.empty())
        return fuzzing::expect_sentence(problem), 0;
    const auto again = trace::write_manifest(manifest->run, trace::layout_of(manifest->run));
    if (!again || !trace::read_manifest(*again)) std::abort();
    return 0;
}
