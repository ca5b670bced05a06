// libFuzzer's target for values: texts, and NumPy's files.
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/trace/fuzz_testing.hpp"

using namespace warptree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const char* const decimal : {"comma", "point"})
        for (const char* const column : {"1", "x"})
            if (const auto values = kernels::parse_input(text, "Input", {column, decimal}); !values)
                fuzzing::expect_sentence(values.error().message);
    auto read = kernels::parse_input(text, "Input");
    if (!read) return fuzzing::expect_sentence(read.error().message), 0;
    const kernels::Numbers numbers(std::move(read->numbers), read->type);
    fuzzing::expect_sentence(kernels::input_label(std::string(text.substr(0, text.find('\0')))));
    for (const value::Type type : value::kChosenTypes)
        for (const value::Op op : {value::Op::kSum, value::Op::kArgmax, value::Op::kMatrix}) {
            const auto values = kernels::make_input("typed", numbers.size(), type, op, 1, numbers);
            if (!values) fuzzing::expect_sentence(values.error().message);
        }
    return 0;
}
