// ZIP archives of stored members, through libzip: written to a file descriptor, read without trusting them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;
struct zip_file;
struct zip_source;

namespace warptree::trace {

/// Writes members in the order in which they are added. Equal members give equal bytes: times are fixed.
class ZipWriter {
public:
    /// descriptor  of an empty file, open for reading and writing; stays the caller's
    explicit ZipWriter(int descriptor);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// head is copied; data, one piece behind the other, have to live until finish().
    void add(std::string_view name, std::string head, const std::vector<std::span<const std::byte>>& data = {});
    /// Writes it all. returns  0, or the errno of what failed
    int finish();

private:
    struct Sink;
    std::unique_ptr<Sink> sink_;
    zip* archive_ = nullptr;
    std::deque<std::string> heads_;
    bool failed_ = false;
};

struct ZipMember {
    std::string name;
    std::uint64_t index = 0;
    std::uint64_t size = 0;  // bytes
};

/// One member being read from its beginning to its end. Errors are Refusals.
class ZipMemberReader {
public:
    ZipMemberReader(zip* archive, const ZipMember& member);
    ~ZipMemberReader();
    ZipMemberReader(const ZipMemberReader&) = delete;
    ZipMemberReader& operator=(const ZipMemberReader&) = delete;

    void read(void* to, std::size_t bytes);
    /// To be called at the end: only there the check sum is compared.
    void finish();

private:
    /// returns  how many bytes there were, up to `bytes`; 0 at the end
    std::int64_t some(char* to, std::size_t bytes);
    zip_file* file_;
};

/// An archive open for reading, checked as a whole: nothing before it or after it, every member stored in plain form,
/// named once, and together not larger than the archive. Errors are Refusals: "it is cut short" or so.
class ZipReader {
public:
    explicit ZipReader(const std::filesystem::path& path);
    /// archive  has to live as long as the reader
    explicit ZipReader(std::span<const std::byte> archive);

    const std::vector<ZipMember>& members() const { return members_; }
    /// returns  the member of that name, or nullptr
    const ZipMember* find(std::string_view name) const;
    ZipMemberReader reader(const ZipMember& member) const { return {archive_.get(), member}; }

private:
    struct Close {
        void operator()(zip* archive) const;
    };
    void open(zip_source* source, std::uint64_t bytes);
    void list_members(std::uint64_t bytes);

    std::unique_ptr<zip, Close> archive_;
    std::vector<ZipMember> members_;
};

}  // namespace warptree::trace
