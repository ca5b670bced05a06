// libFuzzer's target for manifest.json.
#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"
#include "instrumentation/trace/validate.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    trace::Manifest manifest;
    const std::string refused = refusal_of([&] {
        manifest = trace::read_manifest({reinterpret_cast<const char*>(data), size});
        trace::check_tables(manifest.run, manifest.rows);
    });
    if (!refused.empty()) return fuzzing::expect_sentence(refused), 0;
    trace::read_manifest(trace::write_manifest(manifest.run, trace::layout_of(manifest.run)));
    return 0;
}
