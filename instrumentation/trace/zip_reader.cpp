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

#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {
namespace {

using Problem = tl::unexpected<std::string>;

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
std::string frame_problem(const unsigned char* first, const unsigned char* last, std::uint64_t bytes) {
    if (std::memcmp(first, "PK\x03\x04", 4) != 0) return "it is not a ZIP archive";
    if (std::memcmp(last, "PK\x05\x06", 4) != 0 || little_endian(last + 20, 2) != 0)
        return "it does not end as an archive ends: it was cut short, or something was appended";
    const std::uint64_t list_bytes = little_endian(last + 12, 4), list_at = little_endian(last + 16, 4);
    constexpr std::uint64_t kInZip64Record = 0xffffffffu;
    if (list_at == kInZip64Record) return bytes > kInZip64Record ? "" : "its list of members lies outside the file";
    if (list_at + list_bytes + kEndBytes != bytes) return "its list of members does not end where the archive does";
    return "";
}

std::string error_text(zip_error_t& error) {
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

}  // namespace

void ZipReader::Close::operator()(zip* archive) const {
    zip_discard(archive);
}

tl::expected<ZipReader, std::string> ZipReader::open(const std::filesystem::path& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return Problem(std::strerror(errno));
    const auto give_up = [file](std::string why) {
        std::fclose(file);
        return Problem(std::move(why));
    };
    struct stat found {};
    if (fstat(fileno(file), &found) != 0) return give_up(std::strerror(errno));
    if (S_ISDIR(found.st_mode)) return give_up("it is a folder");
    if (!S_ISREG(found.st_mode)) return give_up("it is not a regular file");
    if (found.st_size == 0) return give_up("it is empty");
    const auto bytes = static_cast<std::uint64_t>(found.st_size);
    if (bytes < kEndBytes) return give_up("it is not a ZIP archive");
    std::array<unsigned char, 4> first{};
    std::array<unsigned char, kEndBytes> last{};
    const bool read = std::fread(first.data(), first.size(), 1, file) == 1 &&
                      fseeko(file, static_cast<off_t>(bytes - kEndBytes), SEEK_SET) == 0 &&
                      std::fread(last.data(), last.size(), 1, file) == 1;
    if (!read) return give_up("it cannot be read");
    if (std::string problem = frame_problem(first.data(), last.data(), bytes); !problem.empty())
        return give_up(std::move(problem));
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_filep_create(file, 0, 0, &error);
    if (source == nullptr) return give_up(error_text(error));
    return open(source, bytes);
}

tl::expected<ZipReader, std::string> ZipReader::open(std::span<const std::byte> archive) {
    if (archive.empty()) return Problem("it is empty");
    if (archive.size() < kEndBytes) return Problem("it is not a ZIP archive");
    const auto* const data = reinterpret_cast<const unsigned char*>(archive.data());
    if (std::string problem = frame_problem(data, data + archive.size() - kEndBytes, archive.size()); !problem.empty())
        return Problem(std::move(problem));
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_buffer_create(archive.data(), archive.size(), 0, &error);
    if (source == nullptr) return Problem(error_text(error));
    return open(source, archive.size());
}

tl::expected<ZipReader, std::string> ZipReader::open(zip_source* source, std::uint64_t bytes) {
    zip_error_t error;
    zip_error_init(&error);
    ZipReader reader;
    reader.archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (reader.archive_ == nullptr) {
        zip_source_free(source);
        return Problem(fmt::format("its list of members is damaged ({})", error_text(error)));
    }
    if (std::string problem = reader.list_members(bytes); !problem.empty()) return Problem(std::move(problem));
    return reader;
}

std::string ZipReader::list_members(std::uint64_t bytes) {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > kMostMembers)
        return fmt::format("it lists {} members; a trace has far fewer", count);
    std::unordered_set<std::string> names;
    std::uint64_t total = 0;
    for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
        zip_stat_t found;
        constexpr zip_uint64_t kNeeded =
            ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(archive_.get(), index, ZIP_FL_ENC_RAW, &found) != 0 || (found.valid & kNeeded) != kNeeded)
            return fmt::format("member {} of its list cannot be read", index);
        const std::string name = found.name;
        if (!names.insert(name).second) return fmt::format("{} is there twice", name);
        if (found.encryption_method != ZIP_EM_NONE) return fmt::format("{} is encrypted", name);
        if (found.comp_method != ZIP_CM_STORE)
            return fmt::format("{} is compressed; members have to be stored (zip -0)", name);
        // Stored members cannot be larger than the archive: nothing is allocated on the word of a header.
        if (found.size != found.comp_size || found.size > bytes - total)
            return fmt::format("{} claims {} bytes, more than the archive holds", name, found.size);
        total += found.size;
        members_.push_back({name, index, found.size});
    }
    return "";
}

const ZipMember* ZipReader::find(std::string_view name) const {
    const auto found = std::find_if(members_.begin(), members_.end(), [name](const auto& m) { return m.name == name; });
    return found == members_.end() ? nullptr : &*found;
}

ZipMemberReader::ZipMemberReader(zip* archive, const ZipMember& member)
    : archive_(archive), file_(zip_fopen_index(archive, member.index, 0)) {}

ZipMemberReader::~ZipMemberReader() {
    if (file_ != nullptr) zip_fclose(file_);
}

std::string ZipMemberReader::read(void* to, std::size_t bytes) {
    if (file_ == nullptr) return fmt::format("it cannot be opened ({})", zip_strerror(archive_));
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
        const zip_int64_t count = zip_fread(file_, at, bytes);
        if (count < 0) return fmt::format("it is damaged ({})", zip_file_strerror(file_));
        if (count == 0) return "it is cut short";
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
    return "";
}

std::string ZipMemberReader::finish() {
    if (file_ == nullptr) return fmt::format("it cannot be opened ({})", zip_strerror(archive_));
    char more = 0;
    const zip_int64_t count = zip_fread(file_, &more, 1);
    if (count < 0) return fmt::format("it is damaged ({})", zip_file_strerror(file_));
    return count > 0 ? "it is longer than it claims" : "";
}

}  // namespace warptree::trace
