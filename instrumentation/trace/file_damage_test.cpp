// Tests of what load() does with archives that are not as this program writes them: cut short, damaged in one byte, or
// made by other programs.
#include <cstdint>
#include <cstring>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/file_testing.hpp"

namespace warptree::trace {
namespace {

using testing::every_kind_trace;
using testing::good_file;
using ::testing::HasSubstr;
using testing::load_bytes;
using testing::Members;
using testing::refusal_of;

TEST(FileDamage, CutShortAnywhere) {
    for (std::size_t size = 0; size < good_file().size(); ++size) {
        const auto loaded = load_bytes(good_file().substr(0, size));
        ASSERT_FALSE(loaded) << size;
        ASSERT_THAT(loaded.error().message, HasSubstr("a.wtrace cannot be opened: "));
    }
    ASSERT_TRUE(load_bytes(good_file()));
}

TEST(FileDamage, CutShortAtTheFront) {
    for (std::size_t size = 1; size < good_file().size(); size += 7)
        ASSERT_FALSE(load_bytes(good_file().substr(size))) << size;
}

TEST(FileDamage, SomethingBeforeOrAfter) {
    EXPECT_THAT(refusal_of(good_file() + "x"), HasSubstr("something was appended"));
    EXPECT_THAT(refusal_of(good_file() + good_file()), HasSubstr("does not end where the archive does"));
    EXPECT_THAT(refusal_of("x" + good_file()), HasSubstr("it is not a ZIP archive"));
}

TEST(FileDamage, AnyOneByte) {
    const Trace trace = every_kind_trace();
    std::size_t refused = 0, equal = 0;
    for (std::size_t at = 0; at < good_file().size(); at += 5) {
        for (const unsigned char flip : {0x01, 0x80, 0xff}) {
            std::string damaged = good_file();
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
            const auto loaded = load_bytes(damaged);
            if (loaded) {
                ASSERT_EQ(first_difference(loaded->launches.front(), trace), "") << "byte " << at;
                ASSERT_EQ(loaded->launch(), trace.launch);
            }
            ++(loaded ? equal : refused);
        }
    }
    // What may change unseen are time stamps, versions and permissions, and what follows from the rest: derived
    // columns.
    EXPECT_GT(refused, 3 * equal);
}

TEST(FileDamage, ACheckSumIsNamedWithItsMember) {
    std::string damaged = good_file();
    const std::size_t at = damaged.find("value.npy");
    damaged[at + std::strlen("value.npy") + 130] ^= 1;
    EXPECT_EQ(refusal_of(damaged), "a.wtrace cannot be opened: value.npy: it is damaged (CRC error).");
}

// ---- ZIP archives that this program would not write ----

/// An archive made with libzip itself. change(archive, index) may alter each member's form.
std::string other_archive(const Members& members, const std::function<void(zip_t*, zip_uint64_t)>& change) {
    const testing::Folder folder;
    const std::string path = folder / "other.zip";
    zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
    for (const auto& [name, text] : members.all()) {
        zip_source_t* const source = zip_source_buffer(archive, text.data(), text.size(), 0);
        const auto index = static_cast<zip_uint64_t>(zip_file_add(archive, name.c_str(), source, 0));
        zip_set_file_compression(archive, index, ZIP_CM_STORE, 0);
        change(archive, index);
    }
    EXPECT_EQ(zip_close(archive), 0);
    return testing::bytes_of(path);
}

TEST(FileArchives, StoredByAnotherProgramIsRead) {
    const auto loaded = load_bytes(other_archive(Members(good_file()), [](zip_t*, zip_uint64_t) {}));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(first_difference(loaded->launches.front(), every_kind_trace()), "");
}

TEST(FileArchives, CompressedIsRefused) {
    const std::string archive = other_archive(Members(good_file()), [](zip_t* zip, zip_uint64_t index) {
        if (index == 1) zip_set_file_compression(zip, index, ZIP_CM_DEFLATE, 9);
    });
    EXPECT_THAT(refusal_of(archive), HasSubstr("step.npy is compressed; members have to be stored"));
}

TEST(FileArchives, ACommentIsRefused) {
    const std::string archive =
        other_archive(Members(good_file()), [](zip_t* zip, zip_uint64_t) { zip_set_archive_comment(zip, "hello", 5); });
    EXPECT_THAT(refusal_of(archive), HasSubstr("something was appended"));
}

/// Writes over 4 bytes of a member's entry in the list at the archive's end, and of its own header.
void set_in_headers(std::string& archive, const std::string& name, std::size_t in_list, std::size_t in_header,
                    std::uint32_t value) {
    const std::size_t header = archive.find(name) - 30, list = archive.rfind(name) - 46;
    std::memcpy(archive.data() + header + in_header, &value, sizeof value);
    std::memcpy(archive.data() + list + in_list, &value, sizeof value);
}

TEST(FileArchives, AMemberThatClaimsMoreThanTheArchiveHolds) {
    std::string archive = good_file();
    set_in_headers(archive, "step.npy", 20, 18, 4000000000u);  // compressed size
    set_in_headers(archive, "step.npy", 24, 22, 4000000000u);  // size
    const auto loaded = load_bytes(archive);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, ::testing::AnyOf(HasSubstr("more than the archive holds"),
                                                         HasSubstr("its list of members is damaged")));
}

TEST(FileArchives, TheSameMemberTwice) {
    std::string archive = good_file();
    for (std::size_t at = archive.find("site.npy"); at != std::string::npos; at = archive.find("site.npy", at))
        archive.replace(at, 8, "step.npy");
    // Some versions of libzip see it first.
    EXPECT_THAT(refusal_of(archive),
                ::testing::AnyOf(HasSubstr("step.npy is there twice"), HasSubstr("its list of members is damaged")));
}

TEST(FileArchives, ManyMembers) {
    Members members(good_file());
    for (int i = 0; i < 5000; ++i) members[std::to_string(i)] = "";
    EXPECT_THAT(refusal_of(members.archive()), HasSubstr("members; a trace has far fewer"));
}

}  // namespace
}  // namespace warptree::trace
