// Tests of saving and loading whole files: what comes back, the bytes, paths, and NumPy.
#include "instrumentation/trace/file.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrumentation/trace/file_testing.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

using testing::bytes_of;
using testing::every_kind_trace;
using testing::Folder;
using ::testing::HasSubstr;
using testing::load_bytes;
using testing::save_message;
using testing::saved_bytes;

void expect_equal(const Trace& x, const Trace& y) {
    EXPECT_EQ(first_difference(x, y), "");
    EXPECT_EQ(x.launch, y.launch);
    EXPECT_EQ(x.row_begin, y.row_begin);
}

TEST(File, ComesBackEqual) {
    for (const Type type : {Type::kFloat32, Type::kInt32}) {
        const Folder folder;
        const Trace trace = every_kind_trace(type);
        ASSERT_TRUE(save(trace, folder / "a.wtrace"));
        const auto loaded = load(folder / "a.wtrace");
        ASSERT_TRUE(loaded) << loaded.error().message;
        expect_equal(loaded->launches.front(), trace);
    }
}

/// Makes all values and contents after the launch follow from the contents before.
void follow(Trace& trace) {
    const Type type = value_type(trace.launch);
    const value::Op op = *value::op_named(trace.launch.op);
    const auto at = [&](std::int32_t row) { return trace.value.bits(static_cast<std::size_t>(row)); };
    std::vector<std::size_t> ordinals;
    for (const Array& array : trace.arrays)
        ordinals.push_back((ordinals.empty() ? 0 : ordinals.back()) + (array.space == Space::kGlobal));
    trace.final = trace.initial;
    trace.value = Values(type);
    trace.value.resize(trace.rows());
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        const std::int32_t a = trace.a[row], b = trace.b[row];
        const bool global = trace.array(row) != Site::kNoArray && trace.space(row) == Space::kGlobal;
        Values* const contents = global ? &trace.final[ordinals[trace.array(row)] - 1] : nullptr;
        std::uint64_t bits = a >= 0 ? at(a) : 0;
        if (a < 0 && trace.kind(row) == Kind::kRead) bits = contents->bits(trace.index[row]);
        if (b >= 0) bits = value::apply(type, op, bits, at(b));
        trace.value.set_bits(row, bits);
        if (global && trace.kind(row) == Kind::kWrite) contents->set_bits(trace.index[row], bits);
        if (global && trace.kind(row) == Kind::kReduction)
            contents->set_bits(trace.index[row], value::apply(type, op, contents->bits(trace.index[row]), bits));
    }
}

/// The same rows with values of another type: every byte of the input different.
Trace with_values_of(Type type, std::string op) {
    Trace trace = every_kind_trace();
    trace.launch.type = type;
    trace.launch.op = std::move(op);
    unsigned char next = 0;
    const auto fill = [&](Values& values, std::size_t size) {
        values = Values(value_type(trace.launch));
        values.resize(size);
        for (std::byte& byte : values.bytes) byte = std::byte{next += 37};
    };
    fill(trace.initial[0], 16);
    fill(trace.initial[1], 1);
    follow(trace);
    return trace;
}

TEST(File, ComesBackEqualInEveryType) {
    std::vector<std::pair<Type, std::string>> all = {
        {Type::kFloat32, "argmax"}, {Type::kFloat16, "argmin"}, {Type::kInt8, "argmin"}, {Type::kInt32, "matrix"}};
    for (const Type type : value::kChosenTypes) all.emplace_back(type, "sum");
    for (const auto& [type, op] : all) {
        const Trace trace = with_values_of(type, op);
        const auto loaded = load_bytes(saved_bytes(trace));
        ASSERT_TRUE(loaded) << loaded.error().message;
        expect_equal(loaded->launches.front(), trace);
        EXPECT_EQ(loaded->launches.front().value.type(), value_type(trace.launch));
        EXPECT_EQ(loaded->launches.front().final, trace.final);
    }
}

TEST(File, HasEveryKindOfEvent) {
    const Trace trace = every_kind_trace();
    bool seen[7] = {};
    for (std::size_t row = 0; row < trace.rows(); ++row) seen[static_cast<int>(trace.kind(row))] = true;
    EXPECT_THAT(seen, ::testing::Each(true));
}

TEST(File, KeepsEveryFieldOfTheLaunch) {
    Trace trace = testing::simple_trace(testing::textbook_input(8), 4);
    trace.launch = {.kernel = "a \"kernel\" \\ \xe2\x88\x91",
                    .n = 7,
                    .grid = 3,
                    .block = 5,
                    .warp_size = 8,
                    .coarsen = 2,
                    .type = Type::kFloat32,
                    .op = "max",
                    .input = "random",
                    .seed = 0xffffffffffffffffu,
                    .without_barrier_line = 65535,
                    .thread_order = "shuffled",
                    .backend = "cuda",
                    .device = "H100",
                    .driver = "13.0",
                    .build = "abc"};
    follow(trace);
    trace.index_rows();
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    expect_equal(loaded->launches.front(), trace);
}

TEST(File, KeepsEveryBitOfAValue) {
    Trace trace = every_kind_trace();
    const std::uint32_t odd[] = {0x7fc00001, 0xffffffff, 0x80000000, 0x00000001, 0x7f800000};  // NaNs, -0, tiny, inf
    std::memcpy(trace.initial[0].bytes.data(), odd, sizeof odd);
    follow(trace);
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(std::isnan(loaded->launches.front().value.as_double(0)));
    EXPECT_EQ(std::memcmp(loaded->launches.front().value.bytes.data(), odd, sizeof odd[0]), 0);
    EXPECT_EQ(std::memcmp(loaded->launches.front().initial[0].bytes.data(), odd, sizeof odd), 0);
}

TEST(File, KeepsTheOperatorsOfSites) {
    testing::TraceBuilder builder(Launch{.kernel = "own", .n = 2});
    const double numbers[] = {5, 3};
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 2, numbers);
    builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const testing::At at{0, builder.step(Phase::kTree, 1, 1), 0, 1};
    const testing::Register x = builder.read(at, input, 0), y = builder.read(at, input, 1);
    builder.apply(at, Operator::kNegate, -2, builder.apply(at, static_cast<Operator>(11), 2, x, y));
    builder.vote(at, 1);
    const Trace trace = builder.build();
    const std::string bytes = saved_bytes(trace);
    testing::Members members(bytes);
    EXPECT_THAT(members["manifest.json"], HasSubstr(R"("occurrence":0,"op":"subtract"})"));
    const auto loaded = testing::load_bytes(bytes);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(first_difference(*loaded, run_of(trace)), "");
    members.replace("manifest.json", "subtract", "subtrakt");
    EXPECT_THAT(testing::load_bytes(members.archive()).error().message,
                HasSubstr("sites[2].op is \"subtrakt\", but has to be \"sum\", "));
}

TEST(File, AnEmptyTraceComesBack) {
    testing::TraceBuilder builder(Launch{.kernel = "nothing", .n = 1});
    builder.array("input", Space::kGlobal, Role::kInput, 1);
    builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const Trace trace = builder.build();
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->launches.front().rows(), 0u);
    expect_equal(loaded->launches.front(), trace);
}

TEST(File, EqualTracesGiveEqualBytes) {
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
    const std::string first = saved_bytes(every_kind_trace());
    setenv("TZ", "America/New_York", 1);
    tzset();
    for (const std::time_t begun = std::time(nullptr) / 2; std::time(nullptr) / 2 == begun;)  // as a ZIP archive counts
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(first == saved_bytes(every_kind_trace()));
    unsetenv("TZ");
    tzset();
}

TEST(File, BackendFieldsChangeTheManifestAlone) {
    Trace other = every_kind_trace();
    other.launch.backend = "gpu";  // as long as "cpu", so that all else keeps its place
    const std::string x = saved_bytes(every_kind_trace()), y = saved_bytes(other);
    testing::Members of_x(x), of_y(y);
    EXPECT_NE(of_x["manifest.json"], of_y["manifest.json"]);
    of_y.replace("manifest.json", "\"gpu\"", "\"cpu\"");
    EXPECT_TRUE(of_y.archive() == of_x.archive());
}

TEST(File, BigOnesComeBack) {
    const Trace trace = testing::simple_trace(testing::textbook_input(2048), 32);
    testing::TraceBuilder builder(Launch{.kernel = "long", .n = 100000, .grid = 100000, .block = 1});
    const auto data = builder.array("data", Space::kGlobal, Role::kInput, 100000);
    builder.array("output", Space::kGlobal, Role::kOutput, 1);
    const auto step = builder.step(Phase::kLoad, 0, 1);
    for (std::uint32_t block = 0; block < 100000; ++block) builder.read({block, step, 0, 1}, data, block);
    for (const Trace& one : {trace, builder.build()}) {
        const auto loaded = load_bytes(saved_bytes(one));
        ASSERT_TRUE(loaded) << loaded.error().message;
        expect_equal(loaded->launches.front(), one);
    }
}

// ---- paths ----

std::string load_message(const std::filesystem::path& path) {
    const auto loaded = load(path);
    return loaded ? "loaded" : loaded.error().message;
}

TEST(FilePaths, SavingSaysWhatIsWrong) {
    const Folder folder;
    EXPECT_THAT(save_message(folder / "no/a.wtrace"), HasSubstr("does not exist"));
    EXPECT_THAT(save_message(folder.path()), HasSubstr("it is a folder; give a file name"));
    EXPECT_THAT(save_message(folder / ""), HasSubstr("a file name is missing"));
    EXPECT_THAT(save_message(""), HasSubstr("a file name is missing"));
    EXPECT_THAT(save_message("/dev/null"), HasSubstr("something other than a file has that name"));
    std::ofstream(folder / "file") << "x";
    EXPECT_THAT(save_message(folder / "file/a.wtrace"), HasSubstr("is not a folder"));
    EXPECT_THAT(save_message(folder / std::string(300, 'x')), HasSubstr("File name too long"));
    EXPECT_THAT(folder.names(), ::testing::ElementsAre("file"));
    struct stat device {};
    ASSERT_EQ(stat("/dev/null", &device), 0);
    EXPECT_TRUE(S_ISCHR(device.st_mode));
}

TEST(FilePaths, LoadingSaysWhatIsWrong) {
    const Folder folder;
    EXPECT_EQ(load_message(folder / "no.wtrace"),
              (folder / "no.wtrace").string() + " cannot be opened: No such file or directory.");
    EXPECT_THAT(load_message(folder.path()), HasSubstr("it is a folder"));
    EXPECT_THAT(load_message("/dev/null"), HasSubstr("it is not a regular file"));
    std::ofstream(folder / "empty");
    EXPECT_THAT(load_message(folder / "empty"), HasSubstr("it is empty"));
    std::ofstream(folder / "text") << "This is not an archive, but it is long enough to be one.";
    EXPECT_THAT(load_message(folder / "text"), HasSubstr("it is not a ZIP archive"));
}

/// Acts as another user for a while, where the test runs as root and would be allowed everything.
class AsNobody {
public:
    AsNobody() { ok_ = geteuid() != 0 || seteuid(65534) == 0; }
    ~AsNobody() {
        if (getuid() == 0 && seteuid(0) != 0) std::abort();
    }
    bool ok() const { return ok_; }

private:
    bool ok_ = false;
};

TEST(FilePaths, AFolderThatCannotBeWritten) {
    const Folder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
    {
        const AsNobody nobody;
        ASSERT_TRUE(nobody.ok());
        EXPECT_THAT(save_message(folder / "a.wtrace"), HasSubstr("is not writable (Permission denied)."));
    }
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    EXPECT_TRUE(folder.names().empty());
}

TEST(FilePaths, ALinkIsFollowedAndPermissionsAreKept) {
    const Folder folder;
    std::ofstream(folder / "real.wtrace") << "old";
    ASSERT_EQ(chmod((folder / "real.wtrace").c_str(), 0600), 0);
    std::filesystem::create_symlink("real.wtrace", folder / "link.wtrace");
    ASSERT_EQ(save_message(folder / "link.wtrace"), "saved");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.wtrace"));
    EXPECT_EQ(load_message(folder / "real.wtrace"), "loaded");
    struct stat found {};
    ASSERT_EQ(stat((folder / "real.wtrace").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0600u);
}

TEST(FilePaths, ANewFileObeysTheUmask) {
    const Folder folder;
    const mode_t before = umask(027);
    ASSERT_EQ(save_message(folder / "a.wtrace"), "saved");
    umask(before);
    struct stat found {};
    ASSERT_EQ(stat((folder / "a.wtrace").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0640u);
}

// ---- NumPy ----

TEST(FileNumpy, OpensIt) {
    if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) GTEST_SKIP() << "python3 has no numpy here";
    const Folder folder;
    ASSERT_EQ(save_message(folder / "a.wtrace"), "saved");
    ASSERT_TRUE(save(with_values_of(Type::kFloat32, "argmax"), folder / "pairs.wtrace"));
    ASSERT_TRUE(save(with_values_of(Type::kInt32, "matrix"), folder / "matrices.wtrace"));
    ASSERT_TRUE(save(with_values_of(Type::kBfloat16, "sum"), folder / "halves.wtrace"));
    std::ofstream(folder / "check.py") << R"(
import json, sys, numpy
trace = numpy.load(sys.argv[1], allow_pickle=False)
manifest = json.loads(trace['manifest.json'])
columns = 'step site block thread kind space array line index value a b barrier warp_sync'.split()
assert all(trace[name].shape == (manifest['rows'],) for name in columns)
assert set(trace.files) == set(columns) | {'manifest.json', 'initial_0', 'final_0', 'initial_2', 'final_2'}, trace.files
assert manifest['launch']['n'] == 16 and manifest['arrays'][2]['name'] == 'output'
assert trace['value'].dtype == numpy.float32 and trace['a'].dtype == numpy.int32
assert trace['final_2'][0] == trace['initial_0'].sum() == 50
combines = trace['kind'] == 2
assert (trace['value'][combines] == trace['value'][trace['a'][combines]] + trace['value'][trace['b'][combines]]).all()
assert combines.sum() == 14 and (trace['line'][trace['kind'] == 5] == 9).all()
def values(name):
    return numpy.load(f'{sys.argv[2]}/{name}.wtrace', allow_pickle=False)['value']
assert values('pairs').dtype.names == ('value', 'index') and values('pairs')['value'].dtype == numpy.float32
assert values('matrices').dtype.names == ('a', 'b', 'c', 'd') and values('matrices').shape == (manifest['rows'],)
assert values('halves').dtype == numpy.uint16
)";
    const std::string command = "python3 " + (folder / "check.py").string() + " " + (folder / "a.wtrace").string() +
                                " " + folder.path().string();
    EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace warptree::trace
