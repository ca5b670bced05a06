// Tests of inputs: what can be typed in or read, what is refused and where the mistake is said to be.
#include "instrumentation/request/inputs.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/request/options.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

/// A folder for one test's files.
class Inputs : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  fmt::format("warptree-inputs-{}-{}", getpid(),
                              ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::string& name, const std::string& contents) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << contents;
        return path;
    }
    template <class T>
    std::string npy(const std::string& name, std::string_view dtype, std::vector<T> values) {
        std::string text = trace::npy_header(dtype, values.size());
        text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return file(name, text);
    }
    static std::string refusal(const std::string& input) {
        const auto numbers = numbers_of(input);
        return numbers ? "" : numbers.error().message;
    }
    static std::vector<double> reals(const std::string& input) {
        const auto numbers = numbers_of(input);
        EXPECT_TRUE(numbers) << numbers.error().message;
        std::vector<double> out;
        if (numbers)
            for (const Number& number : numbers->all()) out.push_back(number.real);
        return out;
    }
    std::filesystem::path folder_;
};
using Reals = std::vector<double>;

TEST_F(Inputs, RandomOnesFollowFromTheSeed) {
    const auto of = [](std::uint64_t seed) {
        std::vector<double> out;
        const auto values = make_input("random", 4, Type::kInt32, value::Op::kSum, seed);
        for (std::size_t i = 0; i < values->size(); ++i) out.push_back(values->as_double(i));
        return out;
    };
    EXPECT_EQ(of(1), (Reals{49, 68, 1, 95}));
    EXPECT_EQ(of(2), (Reals{83, 19, 96, 35}));
    const auto recorded = [&](std::uint64_t seed) {
        const auto run = record({.kernel = "pmpp-simple", .n = 4, .input = "random", .seed = seed});
        EXPECT_TRUE(run) << run.error().message;
        std::vector<double> out;
        for (std::size_t i = 0; i < 4; ++i) out.push_back(run->input()->as_double(i));
        return out;
    };
    for (const std::uint64_t seed : {1, 2, 77}) EXPECT_EQ(recorded(seed), of(seed)) << seed;
}

TEST_F(Inputs, can_be_typed_with_commas_semicolons_or_blanks) {
    EXPECT_EQ(reals("3,1,7,0"), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(reals("3 1  7\t0"), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(reals(" 3; 1 ;7, 0 "), (Reals{3, 1, 7, 0}));
    EXPECT_EQ(reals("-1.5 +2 1e3 .25"), (Reals{-1.5, 2, 1000, 0.25}));
    EXPECT_EQ(reals("5"), Reals{5});
}

TEST_F(Inputs, special_values_can_be_typed) {
    const Reals values = reals("nan, -inf, Infinity, -0, -0.0, 0");
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[1], -INFINITY);
    EXPECT_EQ(values[2], INFINITY);
    EXPECT_TRUE(std::signbit(values[3]));
    EXPECT_TRUE(std::signbit(values[4]));
    EXPECT_FALSE(std::signbit(values[5]));
}

TEST_F(Inputs, keep_all_64_bits_of_whole_numbers) {
    const auto numbers = numbers_of("9223372036854775807 -9223372036854775808 3.0");
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->all()[0].whole, 9223372036854775807);
    EXPECT_EQ(numbers->all()[1].whole, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(numbers->all()[2].whole, 3);
}

TEST_F(Inputs, mistakes_are_named_with_line_and_column) {
    EXPECT_EQ(refusal("3,1,x,0"),
              "Input, line 1, column 5: 'x' is not a number. Numbers stand with commas, semicolons or blanks between "
              "them, for example 3, 1, 7, 0.");
    EXPECT_THAT(refusal("3,,1"), HasSubstr("line 1, column 3: there is no number before ','"));
    EXPECT_THAT(refusal(",1"), HasSubstr("line 1, column 1: there is no number before ','"));
    EXPECT_THAT(refusal("3,1,"), HasSubstr("column 5: a number has to follow the last separator"));
    EXPECT_THAT(refusal("3 4a"), HasSubstr("column 3: '4a' is not a number"));
    EXPECT_THAT(refusal("1e999"), HasSubstr("'1e999' is larger than a double holds"));
    EXPECT_THAT(refusal("+-3"), HasSubstr("'+-3' is not a number"));
    EXPECT_THAT(refusal("3 gr\u00f6\u00dfe"), HasSubstr("'gr\u00f6\u00dfe' is not a number"));
    EXPECT_THAT(refusal("3 \xf6\x7f"), HasSubstr("'\u00f6?' is not a number"));
    EXPECT_THAT(refusal("3" + std::string(40, 'x') + "\u00f6"), HasSubstr("xx...' is not a number")) << "half a letter";
    EXPECT_THAT(refusal(""), HasSubstr("has no numbers in it"));
    EXPECT_THAT(refusal("textbok"), HasSubstr("There is no input called 'textbok'. The inputs are textbook, ramp"));
}

TEST_F(Inputs, text_files_are_read) {
    EXPECT_EQ(reals(file("a.csv", "3,1,7\r\n0,4,1\r\n")), (Reals{3, 1, 7, 0, 4, 1}));
    EXPECT_EQ(reals(file("a.txt", "# two lines\n3 1 # and a remark\n7\n\n0")), (Reals{3, 1, 7, 0}));
    const std::string path = file("bad.csv", "3,1\n7,spam\n");
    EXPECT_THAT(refusal(path), HasSubstr(path + ", line 2, column 3: 'spam' is not a number"));
    EXPECT_THAT(refusal(file("empty.csv", "")), HasSubstr("has no numbers in it"));
    EXPECT_THAT(refusal((folder_ / "none.csv").string()), HasSubstr("There is no file called"));
    EXPECT_THAT(refusal(folder_.string()), HasSubstr("is a folder"));
    EXPECT_THAT(refusal(file("binary.txt", std::string("\0\x01\x02", 3))), HasSubstr("it is binary data"));
}

TEST_F(Inputs, know_which_file_they_are_of) {
    const std::string path = file("a.txt", "3 1 7 0");
    const auto numbers = numbers_of(path);
    ASSERT_TRUE(numbers);
    EXPECT_TRUE(numbers->are_of(path));
    EXPECT_FALSE(numbers->are_of(file("b.txt", "3 1 7 0")));
    EXPECT_FALSE(numbers->are_of(""));
    EXPECT_FALSE(Numbers().are_of(path));
}

TEST_F(Inputs, what_fuzzing_found_is_read_or_refused_in_plain_text) {
    for (const auto& entry : std::filesystem::directory_iterator("instrumentation/request/testdata/values")) {
        const auto numbers = read_numbers(entry.path().string());
        EXPECT_TRUE(numbers || trace::is_utf8(numbers.error().message)) << entry.path();
    }
}

TEST_F(Inputs, npy_files_of_every_real_dtype_are_read) {
    const Reals wanted{3, 1, 7, 0};
    EXPECT_EQ(reals(npy<float>("a.npy", "<f4", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<double>("a.npy", "<f8", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::uint16_t>("a.npy", "<f2", {0x4200, 0x3c00, 0x4700, 0})), wanted);
    EXPECT_EQ(reals(npy<std::int8_t>("a.npy", "|i1", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::uint8_t>("a.npy", "|u1", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::uint8_t>("a.npy", "|b1", {1, 0})), (Reals{1, 0}));
    EXPECT_EQ(reals(npy<std::int16_t>("a.npy", "<i2", {3, 1, 7, -1})), (Reals{3, 1, 7, -1}));
    EXPECT_EQ(reals(npy<std::int32_t>("a.npy", "<i4", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::int64_t>("a.npy", "<i8", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::uint64_t>("a.npy", "<u8", {3, 1, 7, 0})), wanted);
    EXPECT_EQ(reals(npy<std::uint16_t>("a.npy", ">u2", {0x0300, 0x0100})), (Reals{3, 1}));  // the other byte order
}

TEST_F(Inputs, damaged_npy_files_are_refused) {
    EXPECT_THAT(refusal(npy<float>("a.npy", "<c8", {3, 1})), HasSubstr("its dtype is <c8: save a.real"));
    EXPECT_THAT(refusal(npy<double>("a.npy", "<f4", {3, 1})), HasSubstr("promises 8 bytes of data, but 16 follow"));
    EXPECT_THAT(refusal(npy<float>("a.npy", "<f4", {})), HasSubstr("it has no entries"));
    EXPECT_EQ(reals(file("a.npy", "3,1")), (Reals{3, 1})) << "a text, whatever its name";
    EXPECT_THAT(refusal(file("a.npy", "\x93NUMPY\x01")), HasSubstr("cannot be used as input"));
}

TEST_F(Inputs, values_have_to_fit_the_type) {
    const auto refused = [](const char* input, Type type, value::Op op = value::Op::kSum) {
        const auto values = make_input(input, 2, type, op, 1);
        return values ? "" : values.error().message;
    };
    EXPECT_EQ(refused("1 300", Type::kInt8),
              "Value 2 of the input cannot be used: 300 does not fit int8, which takes -128 to 127.");
    EXPECT_THAT(refused("1.5 2", Type::kInt32), HasSubstr("Value 1 of the input cannot be used: 1.5 is not a whole"));
    EXPECT_THAT(refused("nan 2", Type::kInt64), HasSubstr("nan is not a whole number"));
    EXPECT_THAT(refused("1 65520", Type::kFloat16), HasSubstr("65520 is too large for float16, which ends at 65504"));
    EXPECT_THAT(refused("1 3.4e38", Type::kBfloat16), HasSubstr("is too large for bfloat16, which ends at 3.39e+38"));
    EXPECT_THAT(refused("1 1e300", Type::kFloat32), HasSubstr("is too large for float32, which ends at 3.4028235e+38"));
    EXPECT_THAT(refused("1 40000", Type::kInt32, value::Op::kMatrix), HasSubstr("does not fit the int16 of a matrix"));
    EXPECT_EQ(refused("1 inf", Type::kFloat16), "");
    EXPECT_EQ(refused("1 65519", Type::kFloat16), "");
    EXPECT_EQ(refused("1 2 3", Type::kFloat32),
              "The input 1 2 3 has 3 values, not N = 2; leave N out, and it follows.");
}

TEST_F(Inputs, rules_wrap_around_and_any_takes_truth_values) {
    const auto ramp = make_input("ramp", 130, Type::kInt8, value::Op::kSum, 1);
    ASSERT_TRUE(ramp);
    EXPECT_EQ(ramp->text(127), "127");
    EXPECT_EQ(ramp->text(128), "-128");
    const auto truth = make_input("0 5 -0.0 nan", 4, Type::kFloat32, value::Op::kAny, 1);
    ASSERT_TRUE(truth);
    EXPECT_EQ(truth->text(0) + truth->text(1) + truth->text(2) + truth->text(3), "0101");
}

TEST_F(Inputs, are_named_in_the_trace) {
    EXPECT_EQ(input_label("ramp"), "ramp");
    EXPECT_EQ(input_label("3, 1\n7"), "3, 1 7");
    EXPECT_EQ(input_label(std::string(500, '1')), "values typed in");
    EXPECT_EQ(input_label(file("marks.csv", "1")), "file marks.csv");
    EXPECT_EQ(input_label("3 # \xff"), "values typed in") << "a trace's texts are UTF-8";
    EXPECT_EQ(input_label(file("\xff.csv", "1")), "a file");
    const auto run = record({.kernel = "pmpp-simple", .n = 4, .input = file("marks.csv", "1 2 3 4")});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->launch().input, "file marks.csv");
    EXPECT_EQ(judge::result(*run).text(0), "10");
}

TEST_F(Inputs, a_run_names_no_file_to_be_opened) {
    auto run = record({.kernel = "pmpp-simple", .n = 4, .input = "3,1,7,0"});
    ASSERT_TRUE(run) << run.error().message;
    run->launches[0].launch.input = file("other.csv", "9 9 9 9");
    const auto again = record(request_of(*run));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(judge::result(*again).text(0), "11");
    EXPECT_EQ(*run->input(), *again->input());
    EXPECT_FALSE(record(request_of(run->launch())));
}

TEST_F(Inputs, that_have_the_same_numbers_are_the_same_request) {
    const auto of = [](std::vector<Number> numbers) {
        return Request{.n = numbers.size(), .numbers = Numbers(numbers)};
    };
    const Number nan{std::nan(""), {}};
    EXPECT_EQ(of({{3, 3}, nan}), of({{3, 3}, nan})) << "whoever made them";
    EXPECT_NE(of({{3, 3}, nan}), of({{3, 3}, {4, 4}}));
    EXPECT_NE(of({{3, 3}}), Request{.n = 1});
}

TEST_F(Inputs, a_byte_order_mark_is_no_number) {
    EXPECT_EQ(numbers_of(file("marked.csv",
                              "\xef\xbb\xbf"
                              "3 1"))
                  ->size(),
              2u);
}

TEST_F(Inputs, n_follows_from_values) {
    EXPECT_EQ(*input_size({.input = "3,1,7"}), std::optional<std::uint64_t>(3));
    EXPECT_EQ(*input_size({.input = "ramp"}), std::nullopt);
    EXPECT_FALSE(input_size({.input = "3,"}));
}

/// What request_from() makes of a file or of values, and what its type cannot hold of them.
Request given(const std::string& input, const std::string& type = "", const std::string& kernel = "pmpp-simple") {
    const auto request = request_from(kernel, {{"input", input}, {"type", type}});
    EXPECT_TRUE(request) << request.error().message;
    return request.value_or(Request());
}

TEST_F(Inputs, a_file_brings_its_type_where_the_kernel_takes_it) {
    EXPECT_EQ(given(npy<std::int64_t>("a.npy", "<i8", {16777217, 1})).type, Type::kInt64);
    EXPECT_EQ(given(npy<double>("a.npy", "<f8", {0.1, 0.2})).type, Type::kFloat64);
    EXPECT_EQ(given(npy<float>("a.npy", "<f4", {1, 2})).type, Type::kFloat32);
    EXPECT_EQ(given(npy<std::uint16_t>("a.npy", "<f2", {0x3c00, 0x4200})).type, Type::kFloat16);
    EXPECT_EQ(given(npy<std::int8_t>("a.npy", "|i1", {1, 2})).type, Type::kInt8);
    EXPECT_EQ(given(npy<std::uint8_t>("a.npy", "|u1", {200, 2})).type, Type::kInt32);
    EXPECT_EQ(given(npy<std::uint8_t>("a.npy", "|b1", {1, 0})).type, Type::kInt32);
    EXPECT_EQ(given(npy<std::uint32_t>("a.npy", "<u4", {4000000000u, 2})).type, Type::kInt64);
    EXPECT_EQ(given(npy<std::int64_t>("a.npy", "<i8", {1, 2}), "float16").type, Type::kFloat16) << "asked for";
    EXPECT_EQ(given(npy<std::int64_t>("a.npy", "<i8", {1, 2}), "", "kahan").type, Type::kFloat32) << "takes no other";
    EXPECT_EQ(given("16777217,1").type, Type::kFloat32) << "as without a file";
}

TEST_F(Inputs, that_the_type_cannot_hold_are_counted_and_their_exact_sum_is_kept) {
    using trace::Rounded;
    EXPECT_EQ(rounded(given(npy<std::int64_t>("a.npy", "<i8", {16777217, 1}), "float32")),
              (Rounded{1, "16777218", "int32, int64, float64"}));
    EXPECT_EQ(rounded(given("16777217,1")), (Rounded{1, "16777218", "int32, int64, float64"}));
    EXPECT_EQ(rounded(given("16777217,1", "float64")), Rounded());
    EXPECT_EQ(rounded(given("9007199254740993,0.5", "float64")), (Rounded{1, "9007199254740993.5", ""}));
    EXPECT_EQ(rounded(given("9007199254740993,1", "float64")), (Rounded{1, "9007199254740994", "int64"}));
    EXPECT_EQ(rounded(given("9223372036854775807,1", "float64")).exact, "9223372036854775808");
    EXPECT_EQ(rounded(given("2049,1", "float16")).held_by, "int32, int64, float32, float64");
    EXPECT_EQ(rounded(given("2049,0.5", "float16")).held_by, "float32, float64");
    EXPECT_EQ(rounded(given("1e-50,1")).values, 1u) << "it becomes 0";
    EXPECT_EQ(rounded(given("0.123456789012,1")).held_by, "float64");
    for (const char* type : {"float16", "bfloat16", "float32", "float64"})
        EXPECT_EQ(rounded(given("0.1,0.5,-0.3,1e3,nan,inf", type)), Rounded()) << type << ": no decimal is binary";
    const Request doubles = given(npy<double>("a.npy", "<f8", {0.1, 0.5, 0.3}), "float32");
    EXPECT_EQ(rounded(doubles).values, 2u) << "a file's are";
    EXPECT_EQ(rounded(doubles).held_by, "float64");
    EXPECT_EQ(rounded(given(npy<std::uint64_t>("a.npy", "<u8", {18446744073709551615u, 1}))),
              (Rounded{1, "18446744073709551616", ""}));
    EXPECT_EQ(rounded({.n = 4, .input = "ramp"}), Rounded());
}

TEST_F(Inputs, are_told_of_in_the_run_and_in_its_file) {
    const Request request = given(npy<std::int64_t>("a.npy", "<i8", {16777217, 1}), "float32");
    const trace::Run run = testing::recorded(request);
    EXPECT_EQ(run.launch().rounded, rounded(request));
    EXPECT_EQ(run_untraced(request)->rounded, rounded(request));
    const std::string path = (folder_ / "rounded.wtrace").string();
    ASSERT_TRUE(trace::save(run, path));
    EXPECT_EQ(trace::load(path)->launch().rounded, rounded(request));
}

TEST_F(Inputs, are_looked_at_once_however_often_a_request_is_checked) {
    std::vector<Number> many(std::size_t{1} << 21, Number{1.5, {}});
    many.back() = {70000, 70000};
    const Request request{.kernel = "pmpp-segmented", .n = many.size(), .input = "many", .numbers = Numbers(many)};
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(check(request));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "a look at all takes 20 ms";
    Request other = request;
    other.type = Type::kFloat16;
    EXPECT_THAT(check(other).error().message, HasSubstr("Value 2097152 of the input cannot be used: 70000 is too"));
    other.numbers = request.numbers.first(1 << 20);
    other.n = 1 << 20;
    EXPECT_TRUE(check(other)) << "the one that is too large is not among the first";
    other.type = Type::kInt32;
    EXPECT_THAT(check(other).error().message, HasSubstr("Value 1 of the input cannot be used: 1.5 is not a whole"));
}

}  // namespace
}  // namespace warptree::kernels
