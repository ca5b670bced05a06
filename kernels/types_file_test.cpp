// Tests of trace files with elements of every type: what is saved comes back, and what is not sound is refused.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/value/operators.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;
using value::Type;

class TypesInFiles : public ::testing::Test {
protected:
    void SetUp() override {
        path_ = std::filesystem::temp_directory_path() /
                fmt::format("warptree-types-{}-{}.wtrace", getpid(),
                            ::testing::UnitTest::GetInstance()->current_test_info()->name());
    }
    void TearDown() override { std::filesystem::remove(path_); }
    std::string bytes() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    std::filesystem::path path_;
};

trace::Trace small(Type type, std::string_view op) {
    return testing::only_launch(
        testing::recorded({.kernel = "shuffle-atomic", .n = 70, .type = type, .op = std::string(op)}));
}

TEST_F(TypesInFiles, everything_comes_back_equal) {
    for (const value::Operator& row : value::operators())
        for (const Type type : value::kChosenTypes) {
            if (!value::is_defined(row.op, type)) continue;
            const trace::Trace trace = small(type, row.name);
            ASSERT_TRUE(trace::save(trace, path_));
            const auto loaded = trace::load(path_);
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_EQ(trace::first_difference(trace, loaded->launches.front()), "")
                << row.name << " " << trace::name(type);
            EXPECT_EQ(loaded->launch(), trace.launch);
            EXPECT_EQ(judge::is_correct(*loaded), judge::is_correct(run_of(trace)));
        }
}

TEST_F(TypesInFiles, are_stored_as_numpy_knows_them) {
    const auto header = [&](Type type, const char* op) {
        EXPECT_TRUE(trace::save(small(type, op), path_));
        const std::string all = bytes();
        const std::size_t member = all.find("value.npy");
        const std::size_t begin = all.find("'descr': ", member) + 9;
        return all.substr(begin, all.find(", 'fortran_order'", begin) - begin);
    };
    EXPECT_EQ(header(Type::kInt8, "sum"), "'|i1'");
    EXPECT_EQ(header(Type::kInt64, "sum"), "'<i8'");
    EXPECT_EQ(header(Type::kFloat16, "sum"), "'<f2'");
    EXPECT_EQ(header(Type::kBfloat16, "sum"), "'<u2'");
    EXPECT_EQ(header(Type::kFloat64, "sum"), "'<f8'");
    EXPECT_EQ(header(Type::kFloat32, "argmin"), "[('value', '<f4'), ('index', '<i4')]");
    EXPECT_EQ(header(Type::kInt8, "argmax"), "[('value', '<i4'), ('index', '<i4')]");
    EXPECT_EQ(header(Type::kInt32, "matrix"), "[('a', '<i2'), ('b', '<i2'), ('c', '<i2'), ('d', '<i2')]");
}

TEST_F(TypesInFiles, the_manifest_says_what_dtypes_do_not) {
    ASSERT_TRUE(trace::save(small(Type::kBfloat16, "sum"), path_));
    EXPECT_THAT(bytes(), HasSubstr("\"values\":\"bfloat16 as the uint16 of its bits, the upper half of a float32\""));
    ASSERT_TRUE(trace::save(small(Type::kFloat16, "sum"), path_));
    EXPECT_THAT(bytes(), ::testing::Not(HasSubstr("\"values\":")));
}

TEST_F(TypesInFiles, what_does_not_fit_together_is_not_saved) {
    trace::Trace trace = small(Type::kFloat32, "sum");
    trace.launch.op = "argmax";
    auto saved = trace::save(trace, path_);
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                HasSubstr("value.npy is of type float32, but argmax of float32 works on pair of float32 and index"));
    trace = small(Type::kFloat32, "sum");
    trace.launch.op = "xor";
    saved = trace::save(trace, path_);
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message, HasSubstr("launch.op is xor, which is not defined on float32"));
    trace = small(Type::kInt32, "matrix");
    trace.launch.type = Type::kMatrix;
    saved = trace::save(trace, path_);
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message, HasSubstr("launch.type is null, but has to be \"float32\""));
}

}  // namespace
}  // namespace warptree::kernels
