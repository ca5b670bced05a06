// Writing ZIP archives: libzip arranges the bytes, this hands them to a file descriptor. libzip's own way to a file
// would rename without syncing.
#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zip.h>

#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {

/// What libzip writes to: a file descriptor with a position.
struct ZipWriter::Sink {
    int descriptor;
    std::uint64_t position = 0;
    std::uint64_t size = 0, sent = 0;
    int error_number = 0;
    zip_error_t error{};

    explicit Sink(int file) : descriptor(file) { zip_error_init(&error); }

    zip_int64_t fail(int number) {
        error_number = number;
        zip_error_set(&error, ZIP_ER_WRITE, number);
        return -1;
    }

    zip_int64_t write(const char* from, std::uint64_t length) {
        std::uint64_t done = 0;
        while (done < length) {
            const ssize_t count = pwrite(descriptor, from + done, length - done, static_cast<off_t>(position + done));
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return fail(count == 0 ? EIO : errno);
            done += static_cast<std::uint64_t>(count);
        }
        position += length;
        size = std::max(size, position);
#ifdef __linux__
        constexpr std::uint64_t kPart = 8 << 20;  // sets out for the disk while the next is on its way here
        if (position - sent >= kPart) {
            sync_file_range(descriptor, static_cast<off_t>(sent), static_cast<off_t>(position - sent),
                            SYNC_FILE_RANGE_WRITE);
            sent = position;
        }
#endif
        return static_cast<zip_int64_t>(length);
    }

    zip_int64_t describe(void* data) {
        zip_stat_init(static_cast<zip_stat_t*>(data));
        static_cast<zip_stat_t*>(data)->size = 0;
        static_cast<zip_stat_t*>(data)->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    }

    zip_int64_t seek(void* data, std::uint64_t length) {
        const zip_int64_t at = zip_source_seek_compute_offset(position, size, data, length, &error);
        if (at < 0) return -1;
        position = static_cast<std::uint64_t>(at);
        return 0;
    }

    static zip_int64_t call(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
        Sink& sink = *static_cast<Sink*>(self);
        switch (command) {
            case ZIP_SOURCE_SUPPORTS:
                return zip_source_make_command_bitmap(
                    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                    ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                    ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE,
                    ZIP_SOURCE_WRITE, -1);
            case ZIP_SOURCE_STAT:
                return sink.describe(data);
            case ZIP_SOURCE_ERROR:
                return zip_error_to_data(&sink.error, data, length);
            case ZIP_SOURCE_WRITE:
                return sink.write(static_cast<const char*>(data), length);
            case ZIP_SOURCE_SEEK_WRITE:
                return sink.seek(data, length);
            case ZIP_SOURCE_TELL_WRITE:
                return static_cast<zip_int64_t>(sink.position);
            case ZIP_SOURCE_OPEN:
            case ZIP_SOURCE_READ:  // the archive is new: nothing to read
            case ZIP_SOURCE_CLOSE:
            case ZIP_SOURCE_FREE:
            case ZIP_SOURCE_BEGIN_WRITE:
            case ZIP_SOURCE_COMMIT_WRITE:
            case ZIP_SOURCE_ROLLBACK_WRITE:
            case ZIP_SOURCE_REMOVE:
                return 0;
            default:
                zip_error_set(&sink.error, ZIP_ER_OPNOTSUPP, 0);
                return -1;
        }
    }
};

ZipWriter::ZipWriter(int descriptor) : sink_(std::make_unique<Sink>(descriptor)) {
    zip_source_t* const source = zip_source_function_create(&Sink::call, sink_.get(), &sink_->error);
    if (source == nullptr) return;
    archive_ = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &sink_->error);
    if (archive_ == nullptr) zip_source_free(source);
}

ZipWriter::~ZipWriter() {
    if (archive_ != nullptr) zip_discard(archive_);
}

void ZipWriter::add(std::string_view name, std::string head, const std::vector<std::span<const std::byte>>& data) {
    if (archive_ == nullptr) return;
    heads_.push_back(std::move(head));
    std::vector<zip_buffer_fragment_t> parts;
    // libzip only reads the fragments, though its type does not say so.
    if (!heads_.back().empty())
        parts.push_back({reinterpret_cast<zip_uint8_t*>(heads_.back().data()), heads_.back().size()});
    for (const std::span<const std::byte> piece : data)
        if (!piece.empty())
            parts.push_back({reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(piece.data())), piece.size()});
    zip_source_t* const source = zip_source_buffer_fragment(archive_, parts.data(), parts.size(), 0);
    const zip_int64_t index = source == nullptr ? -1 : zip_file_add(archive_, std::string(name).c_str(), source, 0);
    if (index < 0) {
        if (source != nullptr) zip_source_free(source);
        failed_ = true;
        return;
    }
    const auto at = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t kMidnight = 0, kFirstDay1980 = 1 << 5 | 1;
    constexpr zip_uint32_t kRegularFile0644 = 0100644u << 16;
    failed_ |= zip_set_file_compression(archive_, at, ZIP_CM_STORE, 0) != 0;
    failed_ |= zip_file_set_dostime(archive_, at, kMidnight, kFirstDay1980, 0) != 0;
    failed_ |= zip_file_set_external_attributes(archive_, at, 0, ZIP_OPSYS_UNIX, kRegularFile0644) != 0;
}

int ZipWriter::finish() {
    if (archive_ == nullptr || failed_) return ENOMEM;
    if (zip_close(archive_) == 0) {
        archive_ = nullptr;
        return 0;
    }
    return sink_->error_number != 0 ? sink_->error_number : EIO;
}

}  // namespace warptree::trace
