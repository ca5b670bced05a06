// libFuzzer's target for CUDA files: whatever stands there, what g++ gets has its lines, so that messages name the
// user's.
#include <algorithm>
#include <cstdlib>

#include "instrumentation/foreign/rewrite/rewrite.hpp"
#include "instrumentation/trace/fuzz_text_testing.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string made = foreign::rewritten(text);
    if (std::ranges::count(made, '\n') != std::ranges::count(text, '\n')) std::abort();
    return 0;
}
