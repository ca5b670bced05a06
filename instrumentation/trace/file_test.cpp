// Tests of saving and loading whole files: what comes back, the bytes, and what is left when saving fails.
#include "instrumentation/trace/file.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/trace/file_testing.hpp"

namespace warptree::trace {
namespace {

using testing::bytes_of;
using testing::every_kind_trace;
using testing::Folder;
using ::testing::HasSubstr;
using testing::load_bytes;
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
        expect_equal(*loaded, trace);
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
    trace.index_rows();
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    expect_equal(*loaded, trace);
}

TEST(File, KeepsEveryBitOfAValue) {
    Trace trace = every_kind_trace();
    const std::uint32_t odd[] = {0x7fc00001, 0xffffffff, 0x80000000, 0x00000001, 0x7f800000};  // NaNs, -0, tiny, inf
    std::memcpy(trace.value.bytes.data(), odd, sizeof odd);
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(std::isnan(loaded->value.as_double(0)));
    EXPECT_EQ(std::memcmp(loaded->value.bytes.data(), odd, sizeof odd), 0);
}

TEST(File, AnEmptyTraceComesBack) {
    testing::TraceBuilder builder(Launch{.kernel = "nothing", .n = 1});
    const Trace trace = builder.build();
    const auto loaded = load_bytes(saved_bytes(trace));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->rows(), 0u);
    expect_equal(*loaded, trace);
}

TEST(File, EqualTracesGiveEqualBytes) {
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
    const std::string first = saved_bytes(every_kind_trace());
    setenv("TZ", "America/New_York", 1);
    tzset();
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));  // a ZIP archive counts in steps of two seconds
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
    testing::TraceBuilder builder(Launch{.kernel = "long", .n = 400000, .grid = 400000, .block = 1});
    const auto data = builder.array("data", Space::kGlobal, Role::kInput, 400000);
    const auto step = builder.step(Phase::kLoad, 0, 1);
    for (std::uint32_t block = 0; block < 400000; ++block) builder.read({block, step, 0, 1}, data, block);
    for (const Trace& one : {trace, builder.build()}) {
        const auto loaded = load_bytes(saved_bytes(one));
        ASSERT_TRUE(loaded) << loaded.error().message;
        expect_equal(*loaded, one);
    }
}

// ---- paths ----

std::string save_message(const std::filesystem::path& path) {
    const auto saved = save(every_kind_trace(), path);
    return saved ? "saved" : saved.error().message;
}
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

// ---- failing half way ----

TEST(FileFailing, ATraceThatIsNotSoundIsNotSaved) {
    const Folder folder;
    Trace trace = every_kind_trace();
    trace.index[0] = 99;
    const auto saved = save(trace, folder / "a.wtrace");
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                HasSubstr("index.npy, row 0: 99 is out of range, there are 16 elements in input"));
    EXPECT_TRUE(folder.names().empty());
    trace = every_kind_trace();
    trace.launch.device = "\xff";
    EXPECT_THAT(save(trace, folder / "a.wtrace").error().message, HasSubstr("UTF-8"));
}

TEST(FileFailing, AFileTooLargeLeavesTheOldOneAndNothingElse) {
    const Folder folder;
    ASSERT_EQ(save_message(folder / "a.wtrace"), "saved");
    const std::string old = bytes_of(folder / "a.wtrace");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    // At every point of the archive: in a column, in the list of members, at its very end.
    for (std::size_t limit = 0; limit < old.size(); limit += limit + 1 < old.size() / 2 ? 517 : 211) {
        rlimit tight = before;
        tight.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &tight);
        const std::string message = save_message(folder / "a.wtrace");
        setrlimit(RLIMIT_FSIZE, &before);
        ASSERT_THAT(message, HasSubstr("larger than this system allows")) << limit;
        ASSERT_TRUE(bytes_of(folder / "a.wtrace") == old);
        ASSERT_THAT(folder.names(), ::testing::ElementsAre("a.wtrace"));
    }
    std::signal(SIGXFSZ, handler);
}

/// Runs a function in a child process. returns  its exit code
template <class Run>
int in_child(Run run) {
    const pid_t child = fork();
    if (child == 0) _exit(run());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FileFailing, AFullDiskLeavesTheOldOneAndNothingElse) {
    const Folder folder;
    constexpr int kMayNotMount = 77;
    const int code = in_child([&] {
        const bool mounted = unshare(CLONE_NEWNS) == 0 && mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                             mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") == 0;
        if (!mounted) return kMayNotMount;
        if (save_message(folder / "a.wtrace") != "saved") return 1;
        const std::string old = bytes_of(folder / "a.wtrace");
        const auto saved = save(testing::simple_trace(testing::textbook_input(1024), 32), folder / "a.wtrace");
        if (saved || saved.error().message.find("the disk is full (No space left") == std::string::npos) return 2;
        if (bytes_of(folder / "a.wtrace") != old) return 3;
        return folder.names().size() == 1 ? 0 : 4;
    });
    if (code == kMayNotMount) GTEST_SKIP() << "a small file system cannot be mounted here";
    EXPECT_EQ(code, 0);
}

/// Saves two traces in turn in a child process, which is killed after some microseconds.
void save_until_killed(const Trace& x, const Trace& y, const std::filesystem::path& path, unsigned microseconds) {
    const pid_t child = fork();
    if (child == 0)
        for (;;) {
            static_cast<void>(save(x, path));
            static_cast<void>(save(y, path));
        }
    usleep(microseconds);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

TEST(FileFailing, AKillAtAnyMomentLeavesTheOldFileOrTheNewOne) {
    using std::chrono::steady_clock;
    const Folder folder;
    const auto path = folder / "a.wtrace";
    const Trace small = every_kind_trace(), large = testing::simple_trace(testing::textbook_input(2048), 32);
    const std::string of_small = saved_bytes(small), of_large = saved_bytes(large);
    const auto before = steady_clock::now();
    ASSERT_TRUE(save(large, path));
    ASSERT_TRUE(save(small, path));
    const auto both = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - before).count();

    // At least 60 kills, and so many that both files were found and some kills came in the middle of writing.
    int smalls = 0, larges = 0, half_way = 0;
    unsigned random = 1;
    const auto enough = [&](int round) { return round >= 60 && smalls > 0 && larges > 0 && half_way > 0; };
    for (int round = 0; round < 1000 && !enough(round); ++round) {
        random = random * 1664525 + 1013904223;
        save_until_killed(large, small, path, 300 + (random >> 8) % static_cast<unsigned>(3 * both));
        const std::string found = bytes_of(path);
        ASSERT_TRUE(found == of_small || found == of_large) << "round " << round << ": " << found.size() << " bytes";
        ASSERT_TRUE(load(path));
        ++(found == of_small ? smalls : larges);
        half_way += folder.names().size() > 1;
        for (const std::string& name : folder.names())
            if (name != "a.wtrace") std::filesystem::remove(folder / name);
    }
    EXPECT_GT(smalls, 0);
    EXPECT_GT(larges, 0);
    EXPECT_GT(half_way, 0);
}

TEST(FileFailing, TwoSaversDoNotMix) {
    const Folder folder;
    const Trace small = every_kind_trace(), large = testing::simple_trace(testing::textbook_input(256), 32);
    const auto save_often = [&](const Trace& trace) {
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(save(trace, folder / "a.wtrace"));
    };
    std::thread one(save_often, std::cref(small)), two(save_often, std::cref(large));
    one.join();
    two.join();
    const std::string found = bytes_of(folder / "a.wtrace");
    EXPECT_TRUE(found == saved_bytes(small) || found == saved_bytes(large));
    EXPECT_EQ(folder.names().size(), 1u);
}

// ---- NumPy ----

TEST(FileNumpy, OpensIt) {
    if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) GTEST_SKIP() << "python3 has no numpy here";
    const Folder folder;
    ASSERT_EQ(save_message(folder / "a.wtrace"), "saved");
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
)";
    const std::string command = "python3 " + (folder / "check.py").string() + " " + (folder / "a.wtrace").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace warptree::trace
