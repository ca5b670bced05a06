// Files that appear whole or not at all, on POSIX systems.
#include "instrumentation/trace/durable_file.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace warptree::trace {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

tl::unexpected<Error> not_saved(const std::filesystem::path& path, std::string_view why) {
    return failure(fmt::format("{} cannot be saved: {}.", path.string(), why));
}

/// Tries names until one is unused. make  (name) -> negative, with errno set, where it could not make the file
/// returns  what `make` did last; `name` is that of the file
template <class Make>
int under_unused_name(const std::filesystem::path& folder, std::filesystem::path& name, Make&& make) {
    static std::atomic<unsigned> made = 0;
    for (int attempt = 0; attempt < 100; ++attempt) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        name = folder / fmt::format(".warptree-{}-{}-{:x}.tmp", getpid(), made++, now);
        const int result = make(name.c_str());
        if (result >= 0 || errno != EEXIST) return result;
    }
    return -1;
}

std::string link_to(int descriptor) {
    return fmt::format("/proc/self/fd/{}", descriptor);
}

/// Makes a new file: without a name where the system can give it one in the end, so that nothing is left after a kill.
/// name     empty, or the name that it has
/// returns  its descriptor, or -1 with errno set
int create_new(const std::filesystem::path& folder, std::filesystem::path& name) {
#ifdef O_TMPFILE
    const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (nameless >= 0) {
        if (access(link_to(nameless).c_str(), F_OK) == 0) return nameless;
        close(nameless);
    }
#endif
    return under_unused_name(folder, name,
                             [](const char* path) { return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
}

/// Why a path cannot be replaced, if it cannot. mode  the file's permissions, if there is one.
std::string target_problem(const std::filesystem::path& path, std::optional<mode_t>& mode) {
    if (!path.has_filename()) return "a file name is missing at its end";
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return errno == ENOENT || errno == ENOTDIR ? "" : std::strerror(errno);
    if (S_ISDIR(found.st_mode)) return "it is a folder; give a file name";
    if (!S_ISREG(found.st_mode)) return "something other than a file has that name";
    if (access(path.c_str(), W_OK) != 0) return "the file of that name is read-only";
    mode = found.st_mode & 07777;
    return "";
}

/// The file behind a link, so that saving replaces the file and not the link.
std::filesystem::path behind_links(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error)) return path;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return error ? path : real;
}

}  // namespace

Error save_error(const std::filesystem::path& path, int error_number) {
    const std::string folder = folder_of(path).string();
    std::string why;
    switch (error_number) {
        case ENOENT:
            why = fmt::format("the folder {} does not exist", folder);
            break;
        case ENOTDIR:
            why = fmt::format("{} is not a folder", folder);
            break;
        case EACCES:
        case EPERM:
        case EROFS:
            why = fmt::format("the folder {} is not writable", folder);
            break;
        case ENOSPC:
        case EDQUOT:
            why = "the disk is full";
            break;
        case EFBIG:
            why = "the file would be larger than this system allows";
            break;
        default:
            why = "the system reports an error";
            break;
    }
    return {Error::Kind::kFailed,
            fmt::format("{} cannot be saved: {} ({}).", path.string(), why, std::strerror(error_number))};
}

DurableFile::DurableFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
    : target_(std::move(target)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

DurableFile::~DurableFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

Result<DurableFile> DurableFile::create(const std::filesystem::path& path) {
    std::optional<mode_t> mode;
    if (const std::string problem = target_problem(path, mode); !problem.empty()) return not_saved(path, problem);
    const std::filesystem::path target = behind_links(path);
    std::filesystem::path temporary;
    const int descriptor = create_new(folder_of(target), temporary);
    if (descriptor < 0) return tl::unexpected<Error>(save_error(path, errno));
    DurableFile file(target, temporary, descriptor);
    if (mode && fchmod(descriptor, *mode) != 0) return tl::unexpected<Error>(save_error(path, errno));
    return file;
}

Result<void> DurableFile::commit() {
    const auto failed = [this] { return tl::unexpected<Error>(save_error(target_, errno)); };
    if (fsync(descriptor_) != 0) return failed();
    if (temporary_.empty()) {
        const auto name = [link = link_to(descriptor_)](const char* path) {
            return linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW);
        };
        std::filesystem::path named;
        if (under_unused_name(folder_of(target_), named, name) < 0) return failed();
        temporary_ = named;
    }
    if (close(std::exchange(descriptor_, -1)) != 0) return failed();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return failed();
    temporary_.clear();

    // The new name is on the disk once the folder is; some file systems cannot sync a folder and need not.
    const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return {};
    const bool synced = fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP;
    const int error_number = errno;
    close(folder);
    if (!synced) return tl::unexpected<Error>(save_error(target_, error_number));
    return {};
}

Result<void> write_durably(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    auto file = DurableFile::create(path);
    if (!file) return tl::unexpected(file.error());
    while (!bytes.empty()) {
        const ssize_t written = ::write(file->descriptor(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return tl::unexpected(save_error(path, errno));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return file->commit();
}

}  // namespace warptree::trace
