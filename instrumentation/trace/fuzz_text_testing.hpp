// For libFuzzer's targets whose input is a text; it is included once in each.
#pragma once

#include "instrumentation/trace/fuzz_testing.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    return warptree::fuzzing::change_text(data, size, most, seed);
}
