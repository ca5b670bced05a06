// A file that appears whole or not at all: written in the same folder without a name, or where the system has no such
// files under another name, synced, then renamed.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "instrumentation/result.hpp"

namespace warptree::trace {

/// Begin with create(), write to descriptor(), end with commit(). Without commit() nothing remains of it.
class DurableFile {
public:
    /// path    what it will be called; a file of that name stays as it is until commit()
    /// errors  the folder is missing or cannot be written; the path is a folder, a device or a read-only file
    static Result<DurableFile> create(const std::filesystem::path& path);
    DurableFile(DurableFile&& other) noexcept;
    DurableFile& operator=(DurableFile&&) = delete;
    ~DurableFile();

    int descriptor() const { return descriptor_; }
    /// Syncs the contents, gives the file its name, syncs the folder.
    /// errors  as the system says them: a full disk shows here at the latest
    Result<void> commit();

private:
    DurableFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor);

    std::filesystem::path target_, temporary_;  // temporary_ is empty while the file has no name, and once renamed
    int descriptor_ = -1;
};

/// Writes a whole file: it appears complete or not at all.
Result<void> write_durably(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// "a.wtrace cannot be saved: the disk is full (No space left on device)."
/// error_number  errno of what failed
Error save_error(const std::filesystem::path& path, int error_number);

}  // namespace warptree::trace
