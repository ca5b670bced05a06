// libFuzzer's target for results files, JSON and CSV: what was read comes back as it was when it is written and read
// again.
#include "app/results/measurements.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"
#include "kernels/catalog.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = study::read_measurements({reinterpret_cast<const char*>(data), size}, "results");
    if (!read) return fuzzing::expect_sentence(read.error().message), 0;
    const std::string text = study::to_json(*read);
    const auto again = study::read_measurements(text, "results");
    if (!again || study::to_json(*again) != text) std::abort();
    const auto of_csv = study::read_measurements(study::to_csv(*read), "results");
    if (!of_csv || study::to_json(*of_csv) != text) std::abort();
    return 0;
}
