// Tests of what is left when saving fails half way: a trace that is not sound, a full disk, a kill at any moment.
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"

namespace {

/// What was synced, and what stood under the target's name then.
struct Sync {
    bool folder;
    std::string target;
};
std::filesystem::path target_of_syncs;  // empty: nobody looks
std::vector<Sync> syncs;
int sync_fails_with = 0;

}  // namespace

/// Stands before the system's, which does the work.
extern "C" int fsync(int descriptor) {
    if (!target_of_syncs.empty()) {
        struct stat found {};
        fstat(descriptor, &found);
        syncs.push_back({S_ISDIR(found.st_mode), std::filesystem::exists(target_of_syncs)
                                                     ? warptree::trace::testing::bytes_of(target_of_syncs)
                                                     : ""});
        if (sync_fails_with != 0) return errno = sync_fails_with, -1;
    }
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace warptree::trace {
namespace {

using testing::bytes_of;
using testing::every_kind_trace;
using testing::Folder;
using ::testing::HasSubstr;
using testing::save_message;
using testing::saved_bytes;

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

TEST(FileFailing, AFileIsOnTheDiskBeforeItsName) {
    const Folder folder;
    target_of_syncs = folder / "a.wtrace";
    EXPECT_EQ(save_message(target_of_syncs), "saved");
    ASSERT_EQ(syncs.size(), 2u);
    EXPECT_FALSE(syncs[0].folder);
    EXPECT_EQ(syncs[0].target, "") << "it has its name before its contents are safe";
    EXPECT_TRUE(syncs[1].folder);
    EXPECT_EQ(syncs[1].target, bytes_of(target_of_syncs)) << "the folder is synced before the name is in it";

    const std::string old = bytes_of(target_of_syncs);
    sync_fails_with = EIO;
    const auto saved = save(testing::simple_trace(testing::textbook_input(16), 4), target_of_syncs);
    sync_fails_with = 0;
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message, HasSubstr("cannot be saved: the system reports an error"));
    EXPECT_EQ(bytes_of(target_of_syncs), old);
    EXPECT_THAT(folder.names(), ::testing::ElementsAre("a.wtrace"));
    target_of_syncs.clear();
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
/// returns  whether that came in the middle of a save
bool save_until_killed(const Trace& x, const Trace& y, const std::filesystem::path& path, unsigned microseconds) {
    void* const shared =
        mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* const saving = new (shared) std::atomic<bool>(false);
    const pid_t child = fork();
    if (child == 0)
        for (const Trace* next = &x;; next = next == &x ? &y : &x) {
            *saving = true;
            static_cast<void>(save(*next, path));
            *saving = false;
        }
    usleep(microseconds);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const bool half_way = *saving;
    munmap(shared, sizeof(std::atomic<bool>));
    return half_way;
}

/// Whether files can be written here before they have a name.
bool has_nameless_files(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
    const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR, 0600);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
#else
    return false;
#endif
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

    // At least 25 kills, and so many that both files were found and some kills came in the middle of writing.
    int smalls = 0, larges = 0, half_way = 0, left_behind = 0;
    unsigned random = 1;
    const auto enough = [&](int round) { return round >= 25 && smalls > 0 && larges > 0 && half_way > 0; };
    for (int round = 0; round < 1000 && !enough(round); ++round) {
        random = random * 1664525 + 1013904223;
        // Later each round: a child on a busy machine may take many times as long
        const auto latest = static_cast<unsigned>(3 * both * (1 + round / 10));
        half_way += save_until_killed(large, small, path, 300 + (random >> 8) % latest);
        const std::string found = bytes_of(path);
        ASSERT_TRUE(found == of_small || found == of_large) << "round " << round << ": " << found.size() << " bytes";
        ASSERT_TRUE(load(path));
        ++(found == of_small ? smalls : larges);
        left_behind += folder.names().size() > 1;
        for (const std::string& name : folder.names())
            if (name != "a.wtrace") std::filesystem::remove(folder / name);
    }
    EXPECT_GT(smalls, 0);
    EXPECT_GT(larges, 0);
    EXPECT_GT(half_way, 0);
    if (has_nameless_files(folder.path())) {
        EXPECT_LT(left_behind, half_way / 2);
    }
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

}  // namespace
}  // namespace warptree::trace
