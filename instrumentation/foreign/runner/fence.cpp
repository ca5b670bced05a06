// The fence around the user's code: what the system lets it do. It is native code, and nobody has read it.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace warptree::foreign {
namespace {

/// Calls that are refused whatever they ask: other processes, the network, who may do what, the machine.
constexpr const char* kRefused[] = {"fork",
                                    "vfork",
                                    "execve",
                                    "execveat",
                                    "socket",
                                    "socketpair",
                                    "connect",
                                    "bind",
                                    "listen",
                                    "accept",
                                    "accept4",
                                    "ptrace",
                                    "process_vm_readv",
                                    "process_vm_writev",
                                    "pidfd_open",
                                    "pidfd_send_signal",
                                    "pidfd_getfd",
                                    "rt_sigqueueinfo",
                                    "rt_tgsigqueueinfo",
                                    "tkill",
                                    "mount",
                                    "umount2",
                                    "pivot_root",
                                    "chroot",
                                    "unshare",
                                    "setns",
                                    "bpf",
                                    "perf_event_open",
                                    "keyctl",
                                    "add_key",
                                    "request_key",
                                    "io_uring_setup",
                                    "userfaultfd",
                                    "init_module",
                                    "finit_module",
                                    "delete_module",
                                    "reboot",
                                    "kexec_load",
                                    "swapon",
                                    "swapoff",
                                    "sethostname",
                                    "setdomainname",
                                    "settimeofday",
                                    "clock_settime",
                                    "adjtimex",
                                    "clock_adjtime",
                                    "setuid",
                                    "setgid",
                                    "setreuid",
                                    "setregid",
                                    "setresuid",
                                    "setresgid",
                                    "setgroups",
                                    "capset",
                                    "chmod",
                                    "fchmod",
                                    "fchmodat",
                                    "chown",
                                    "fchown",
                                    "lchown",
                                    "fchownat",
                                    "utime",
                                    "utimes",
                                    "utimensat",
                                    "futimesat",
                                    "truncate",
                                    "setxattr",
                                    "lsetxattr",
                                    "fsetxattr",
                                    "removexattr",
                                    "lremovexattr",
                                    "fremovexattr",
                                    "mknod",
                                    "mknodat",
                                    "shmget",
                                    "msgget",
                                    "semget",
                                    "mq_open",
                                    "setpriority",
                                    "ioprio_set",
                                    "setpgid",
                                    "setsid",
                                    "quotactl",
                                    "acct",
                                    "name_to_handle_at",
                                    "open_by_handle_at",
                                    "fanotify_init",
                                    "kcmp",
                                    "process_madvise",
                                    "migrate_pages"};
/// Where Landlock is missing, those that name files, too.
constexpr const char* kChanging[] = {"unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat",
                                     "rmdir",  "link",     "linkat", "symlink",  "symlinkat", "creat"};

bool limit(int what, rlim_t soft, rlim_t hard) {
    const rlimit wanted{soft, hard};
    return setrlimit(static_cast<__rlimit_resource>(what), &wanted) == 0;
}

/// Memory: what is mapped now, the arena among it, and as much again as a program of this kind needs.
bool close_limits() {
    std::ifstream sizes("/proc/self/statm");
    rlim_t pages = 0;
    sizes >> pages;
    constexpr rlim_t kMore = rlim_t{3} << 30, kFile = rlim_t{64} << 20, kResult = rlim_t{2} << 30;
    const rlim_t mapped = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const auto seconds = static_cast<rlim_t>(state().seconds) + 20;  // to write what there is
    return limit(RLIMIT_AS, mapped + kMore, mapped + kMore) && limit(RLIMIT_CORE, 0, 0) &&
           limit(RLIMIT_FSIZE, kFile, kResult) && limit(RLIMIT_CPU, seconds, seconds + 1) &&
           limit(RLIMIT_NOFILE, 256, 256);
}

/// returns  whether the kernel has it and nothing outside of the folder can be changed
bool close_files(const std::string& folder) {
    const auto version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    landlock_ruleset_attr all{};
    all.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                            LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
    if (rules < 0) return false;
    landlock_path_beneath_attr within{};
    within.allowed_access = all.handled_access_fs;
    within.parent_fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
    const bool closed = within.parent_fd >= 0 &&
                        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &within, 0) == 0 &&
                        syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(within.parent_fd);
    close(rules);
    return closed;
}

/// The filter refuses, and does not kill: a program that is told no goes on, and can say so.
class Filter {
public:
    Filter() : rules_(seccomp_init(SCMP_ACT_ALLOW)) {}
    ~Filter() { seccomp_release(rules_); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    template <class... Compare>
    void refuse(const char* call, int error, Compare... compare) {
        const int number = seccomp_syscall_resolve_name(call);
        if (number >= 0)
            seccomp_rule_add(rules_, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), number, sizeof...(compare),
                             compare...);
    }
    bool load() { return rules_ != nullptr && seccomp_load(rules_) == 0; }

private:
    scmp_filter_ctx rules_;
};

bool close_calls(bool files_too) {
    Filter filter;
    const auto self = static_cast<scmp_datum_t>(getpid());
    for (const char* const call : kRefused) filter.refuse(call, EPERM);
    filter.refuse("clone3", ENOSYS);  // its flags lie in memory; the C library then takes clone
    filter.refuse("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    filter.refuse("kill", EPERM, SCMP_A0(SCMP_CMP_NE, self));
    filter.refuse("tgkill", EPERM, SCMP_A0(SCMP_CMP_NE, self));
    for (const auto other : {SCMP_A0(SCMP_CMP_NE, 0), SCMP_A1(SCMP_CMP_NE, RLIMIT_FSIZE)})  // a trace is larger
        filter.refuse("prlimit64", EPERM, SCMP_A2(SCMP_CMP_NE, 0), other);
    for (const char* const call : kChanging)
        if (files_too) filter.refuse(call, EACCES);
    for (const auto flag : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC})
        if (files_too) {
            const auto bits = static_cast<scmp_datum_t>(flag);
            filter.refuse("open", EACCES, SCMP_A1(SCMP_CMP_MASKED_EQ, bits, bits));
            filter.refuse("openat", EACCES, SCMP_A2(SCMP_CMP_MASKED_EQ, bits, bits));
        }
    if (files_too) filter.refuse("openat2", ENOSYS);
    return filter.load();
}

}  // namespace

std::string close_fence(const std::string& folder) {
    if (chdir(folder.c_str()) != 0) return fmt::format("{} cannot be entered: {}", folder, std::strerror(errno));
    if (!close_limits()) return fmt::format("memory and time cannot be limited: {}", std::strerror(errno));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
        return fmt::format("new rights cannot be refused: {}", std::strerror(errno));
    const bool files = close_files(folder);
    if (!close_calls(!files)) return "this system has no seccomp, without which a program cannot be kept from others";
    return {};
}

}  // namespace warptree::foreign
