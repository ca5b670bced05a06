// Reading ZIP archives that may be damaged or made to harm.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {
namespace {

constexpr std::size_t kEndBytes = 22;  // the record that ends an archive without a comment
constexpr std::size_t kMostMembers = 4096;

std::uint64_t little_endian(const unsigned char* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}

/// libzip searches for the end record and bears with what follows it; here it has to be the file's end, so that a
/// file cut short or with something appended is told from a whole one.
/// first (4,), last (22,) bytes of the file
void check_frame(const unsigned char* first, const unsigned char* last, std::uint64_t bytes) {
    if (std::memcmp(first, "PK\x03\x04", 4) != 0) refuse("it is not a ZIP archive");
    if (std::memcmp(last, "PK\x05\x06", 4) != 0 || little_endian(last + 20, 2) != 0)
        refuse("it does not end as an archive ends: it was cut short, or something was appended");
    const std::uint64_t list_bytes = little_endian(last + 12, 4), list_at = little_endian(last + 16, 4);
    constexpr std::uint64_t kInZip64Record = 0xffffffffu;
    const bool in_record = list_at == kInZip64Record;
    if (in_record && bytes <= kInZip64Record) refuse("its list of members lies outside the file");
    if (!in_record && list_at + list_bytes + kEndBytes != bytes)
        refuse("its list of members does not end where the archive does");
}

std::string error_text(zip_error_t& error) {
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

/// make(error)  gives a source, or null and why
template <class Make>
zip_source_t* source(Make make) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const made = make(&error);
    if (made == nullptr) refuse("{}", error_text(error));
    return made;
}

}  // namespace

void ZipReader::Close::operator()(zip* archive) const {
    zip_discard(archive);
}

ZipReader::ZipReader(const std::filesystem::path& path) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    struct stat found {};
    if (file == nullptr || fstat(fileno(file.get()), &found) != 0) refuse("{}", std::strerror(errno));
    if (S_ISDIR(found.st_mode)) refuse("it is a folder");
    if (!S_ISREG(found.st_mode)) refuse("it is not a regular file");
    if (found.st_size == 0) refuse("it is empty");
    const auto bytes = static_cast<std::uint64_t>(found.st_size);
    if (bytes < kEndBytes) refuse("it is not a ZIP archive");
    std::array<unsigned char, 4> first{};
    std::array<unsigned char, kEndBytes> last{};
    const bool read = std::fread(first.data(), first.size(), 1, file.get()) == 1 &&
                      fseeko(file.get(), static_cast<off_t>(bytes - kEndBytes), SEEK_SET) == 0 &&
                      std::fread(last.data(), last.size(), 1, file.get()) == 1;
    if (!read) refuse("it cannot be read");
    check_frame(first.data(), last.data(), bytes);
    zip_source_t* const from =
        source([&](zip_error_t* error) { return zip_source_filep_create(file.get(), 0, 0, error); });
    static_cast<void>(file.release());  // the source closes it
    open(from, bytes);
}

ZipReader::ZipReader(std::span<const std::byte> archive) {
    if (archive.empty()) refuse("it is empty");
    if (archive.size() < kEndBytes) refuse("it is not a ZIP archive");
    const auto* const data = reinterpret_cast<const unsigned char*>(archive.data());
    check_frame(data, data + archive.size() - kEndBytes, archive.size());
    open(source([&](zip_error_t* error) { return zip_source_buffer_create(data, archive.size(), 0, error); }),
         archive.size());
}

void ZipReader::open(zip_source* source, std::uint64_t bytes) {
    zip_error_t error;
    zip_error_init(&error);
    archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (archive_ == nullptr) {
        zip_source_free(source);
        refuse("its list of members is damaged ({})", error_text(error));
    }
    list_members(bytes);
}

void ZipReader::list_members(std::uint64_t bytes) {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > kMostMembers)
        refuse("it lists {} members; a trace has far fewer", count);
    std::unordered_set<std::string> names;
    std::uint64_t total = 0;
    for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
        zip_stat_t found;
        constexpr zip_uint64_t kNeeded =
            ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(archive_.get(), index, ZIP_FL_ENC_RAW, &found) != 0 || (found.valid & kNeeded) != kNeeded)
            refuse("member {} of its list cannot be read", index);
        const std::string name = found.name;
        if (!names.insert(name).second) refuse("{} is there twice", name);
        if (found.encryption_method != ZIP_EM_NONE) refuse("{} is encrypted", name);
        if (found.comp_method != ZIP_CM_STORE) refuse("{} is compressed; members have to be stored (zip -0)", name);
        // Stored members cannot be larger than the archive: nothing is allocated on the word of a header.
        if (found.size != found.comp_size || found.size > bytes - total)
            refuse("{} claims {} bytes, more than the archive holds", name, found.size);
        total += found.size;
        members_.push_back({name, index, found.size});
    }
}

const ZipMember* ZipReader::find(std::string_view name) const {
    const auto found = std::find_if(members_.begin(), members_.end(), [name](const auto& m) { return m.name == name; });
    return found == members_.end() ? nullptr : &*found;
}

ZipMemberReader::ZipMemberReader(zip* archive, const ZipMember& member)
    : file_(zip_fopen_index(archive, member.index, 0)) {
    if (file_ == nullptr) refuse("it cannot be opened ({})", zip_strerror(archive));
}

ZipMemberReader::~ZipMemberReader() {
    zip_fclose(file_);
}

std::int64_t ZipMemberReader::some(char* to, std::size_t bytes) {
    const zip_int64_t count = zip_fread(file_, to, bytes);
    if (count < 0) refuse("it is damaged ({})", zip_file_strerror(file_));
    return count;
}

void ZipMemberReader::read(void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
        const std::int64_t count = some(at, bytes);
        if (count == 0) refuse("it is cut short");
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
}

void ZipMemberReader::finish() {
    char more = 0;
    if (some(&more, 1) > 0) refuse("it is longer than it claims");
}

}  // namespace warptree::trace
