// Saving and loading traces.
//
//   save:  sound? -> manifest and columns into a ZIP archive -> a file that appears whole or not at all
//   load:  archive as a whole -> manifest -> limits -> columns, one member each -> rows -> index of rows
#include "instrumentation/trace/file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/trace/durable_file.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they are in memory");

constexpr std::size_t kLargestManifest = std::size_t{64} << 20;  // bytes

/// NumPy has no bfloat16: its bits are stored, which the manifest says (see manifest.cpp, encoding_of()).
std::string_view dtype_of(Type type) {
    switch (type) {
        case Type::kFloat32:
            return npy_dtype<float>();
        case Type::kInt32:
            return npy_dtype<std::int32_t>();
        case Type::kInt8:
            return "|i1";
        case Type::kInt64:
            return "<i8";
        case Type::kFloat16:
            return "<f2";
        case Type::kBfloat16:
            return npy_dtype<std::uint16_t>();
        case Type::kFloat64:
            return "<f8";
        case Type::kPairFloat32:
            return "[('value', '<f4'), ('index', '<i4')]";
        case Type::kPairInt32:
            return "[('value', '<i4'), ('index', '<i4')]";
        case Type::kMatrix:
            return "[('a', '<i2'), ('b', '<i2'), ('c', '<i2'), ('d', '<i2')]";
    }
    return "?";
}

/// The columns that follow from the site; in the file for those who read it without this program.
struct SiteColumns {
    Column<std::uint8_t> kind, space, array;
    Column<std::uint16_t> line;

    explicit SiteColumns(const Trace& trace)
        : kind(trace.rows()), space(trace.rows()), array(trace.rows()), line(trace.rows()) {
        for (std::size_t row = 0; row < trace.rows(); ++row) {
            kind[row] = static_cast<std::uint8_t>(trace.kind(row));
            space[row] = space_of(trace, trace.array(row));
            array[row] = trace.array(row);
            line[row] = trace.line(row);
        }
    }
    /// 255 where the event is not of memory.
    static std::uint8_t space_of(const Trace& trace, std::uint8_t array) {
        return array == Site::kNoArray ? Site::kNoArray : static_cast<std::uint8_t>(trace.arrays[array].space);
    }
};

// ---- saving ----

/// Puts arrays into an archive.
class Packer {
public:
    explicit Packer(ZipWriter& archive) : archive_(archive) {}
    template <class T>
    void column(std::string_view name, const Column<T>& entries) {
        archive_.add(fmt::format("{}.npy", name), npy_header(npy_dtype<T>(), entries.size()),
                     std::as_bytes(std::span(entries)));
    }
    void values(std::string_view name, const Values& entries) {
        archive_.add(fmt::format("{}.npy", name), npy_header(dtype_of(entries.type()), entries.size()), entries.bytes);
    }

private:
    ZipWriter& archive_;
};

/// Of a trace that holds the rows of some blocks: each step's name, and what it cost over the whole grid.
std::vector<std::pair<std::string, Column<std::uint64_t>>> step_columns(const Trace& trace) {
    std::vector<std::pair<std::string, Column<std::uint64_t>>> columns;
    if (!trace.kept) return columns;
    columns.emplace_back("key", Column<std::uint64_t>(trace.kept->keys.begin(), trace.kept->keys.end()));
    for (std::size_t i = 0; i < kTotalNames.size(); ++i) {
        auto& [name, column] = columns.emplace_back(fmt::format("total_{}", kTotalNames[i]), Column<std::uint64_t>());
        for (const StepTotals& totals : trace.kept->totals) column.push_back(totals[i]);
    }
    return columns;
}

int write_archive(const Trace& trace, std::string manifest, int descriptor) {
    const SiteColumns of_site(trace);
    ZipWriter archive(descriptor);
    Packer pack(archive);
    archive.add(kManifestName, std::move(manifest), {});
    pack.column("step", trace.step);
    pack.column("site", trace.site);
    pack.column("block", trace.block);
    pack.column("thread", trace.thread);
    pack.column("kind", of_site.kind);
    pack.column("space", of_site.space);
    pack.column("array", of_site.array);
    pack.column("line", of_site.line);
    pack.column("index", trace.index);
    pack.values("value", trace.value);
    pack.column("a", trace.a);
    pack.column("b", trace.b);
    pack.column("barrier", trace.barrier);
    pack.column("warp_sync", trace.warp_sync);
    if (trace.launch.cluster > 1) pack.column("owner", trace.owner);
    const auto of_steps = step_columns(trace);
    for (const auto& [name, column] : of_steps) pack.column(name, column);
    std::size_t ordinal = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        pack.values(fmt::format("initial_{}", id), trace.initial[ordinal]);
        pack.values(fmt::format("final_{}", id), trace.final[ordinal]);
        ++ordinal;
    }
    return archive.finish();
}

// ---- loading ----

/// Takes members out of an archive. The first problem stays; after it, every call is without effect.
class Unpacker {
public:
    explicit Unpacker(const ZipReader& archive) : archive_(archive) {}
    const std::string& problem() const { return problem_; }

    /// The whole of a text member.
    std::string text(std::string_view name, std::size_t most_bytes) {
        std::string result;
        const ZipMember* const member = take(name);
        if (member == nullptr) return result;
        if (member->size > most_bytes) {
            fail(name, fmt::format("it has {} bytes; up to {} are read", member->size, most_bytes));
            return result;
        }
        result.resize(member->size);
        auto reader = archive_.reader(*member);
        if (fail(name, reader.read(result.data(), result.size()))) return result;
        fail(name, reader.finish());
        return result;
    }

    template <class T>
    Column<T> column(std::string_view name, std::uint64_t size) {
        Column<T> entries;
        array(fmt::format("{}.npy", name), npy_dtype<T>(), sizeof(T), size, [&](std::size_t bytes) -> void* {
            entries.resize(bytes / sizeof(T));
            return entries.data();
        });
        return entries;
    }
    Values values(std::string_view name, Type type, std::uint64_t size) {
        Values entries(type);
        array(fmt::format("{}.npy", name), dtype_of(type), size_bytes(type), size, [&](std::size_t bytes) -> void* {
            entries.bytes.resize(bytes);
            return entries.bytes.data();
        });
        return entries;
    }

    /// A member that nobody took is one that this version does not know.
    void finish() {
        for (const ZipMember& member : archive_.members())
            if (!taken_.contains(member.name)) fail(member.name, "it is not a member of this format");
    }

private:
    bool fail(std::string_view name, std::string_view why) {
        if (problem_.empty() && !why.empty()) problem_ = fmt::format("{}: {}", name, why);
        return !problem_.empty();
    }
    const ZipMember* take(std::string_view name) {
        if (!problem_.empty()) return nullptr;
        taken_.emplace(name);
        const ZipMember* const member = archive_.find(name);
        if (member == nullptr) fail(name, "it is missing");
        return member;
    }

    /// One .npy member: its header is held against what is expected before anything is allocated.
    /// allocate(bytes)  gives the memory to read into
    template <class Allocate>
    void array(const std::string& name, std::string_view dtype, std::size_t element, std::uint64_t size,
               Allocate allocate) {
        const ZipMember* const member = take(name);
        if (member == nullptr) return;
        auto reader = archive_.reader(*member);
        std::string head(std::min<std::uint64_t>(kNpyPrefix, member->size), '\0');
        if (fail(name, reader.read(head.data(), head.size()))) return;
        if (head.size() < kNpyPrefix) return void(fail(name, "it is not a .npy file"));
        const auto data_at = npy_data_at(std::span<const char, kNpyPrefix>(head.data(), kNpyPrefix));
        if (!data_at) return void(fail(name, data_at.error()));
        if (*data_at > member->size) return void(fail(name, "its .npy header is cut off"));
        head.resize(*data_at);
        if (fail(name, reader.read(head.data() + kNpyPrefix, head.size() - kNpyPrefix))) return;
        const auto header = read_npy_header(head);
        if (!header) return void(fail(name, header.error()));
        if (fail(name, header_problem(*header, *member, dtype, element, size))) return;
        const std::size_t bytes = size * element;
        if (fail(name, reader.read(allocate(bytes), bytes))) return;
        fail(name, reader.finish());
    }

    static std::string header_problem(const NpyHeader& header, const ZipMember& member, std::string_view dtype,
                                      std::size_t element, std::uint64_t size) {
        if (header.dtype != dtype) return fmt::format("its dtype is {}; it has to be {}", header.dtype, dtype);
        if (header.size != size) return fmt::format("it has {} entries; the manifest asks for {}", header.size, size);
        if (member.size - header.data_at != size * element)
            return fmt::format("it holds {} bytes of data; {} entries take {}", member.size - header.data_at, size,
                               size * element);
        return "";
    }

    const ZipReader& archive_;
    std::string problem_;
    std::set<std::string, std::less<>> taken_;
};

template <class T, class Expected>
std::string derived_problem(std::string_view name, const Column<T>& column, const Trace& trace, Expected expected) {
    for (std::size_t row = 0; row < column.size(); ++row)
        if (column[row] != expected(row))
            return fmt::format("{}.npy, row {}: it is {}, but site {} says {}", name, row, column[row], trace.site[row],
                               expected(row));
    return "";
}

/// kind, space, array and line have to say what the sites say.
std::string site_columns_problem(const Trace& trace, const Column<std::uint8_t>& kind,
                                 const Column<std::uint8_t>& space, const Column<std::uint8_t>& array,
                                 const Column<std::uint16_t>& line) {
    std::string found =
        derived_problem("kind", kind, trace, [&](std::size_t row) { return static_cast<int>(trace.kind(row)); });
    if (found.empty())
        found = derived_problem("space", space, trace,
                                [&](std::size_t row) { return SiteColumns::space_of(trace, trace.array(row)); });
    if (found.empty())
        found = derived_problem("array", array, trace, [&](std::size_t row) { return trace.array(row); });
    if (found.empty()) found = derived_problem("line", line, trace, [&](std::size_t row) { return trace.line(row); });
    return found;
}

void read_contents(Unpacker& from, Trace& trace) {
    const Type type = value_type(trace.launch);
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        const std::uint32_t extent = trace.arrays[id].extent;
        trace.initial.push_back(from.values(fmt::format("initial_{}", id), type, extent));
        trace.final.push_back(from.values(fmt::format("final_{}", id), type, extent));
    }
}

void read_totals(Unpacker& from, Trace& trace) {
    if (!trace.kept) return;
    const auto keys = from.column<std::uint64_t>("key", trace.steps.size());
    trace.kept->keys.assign(keys.begin(), keys.end());
    trace.kept->totals.resize(trace.steps.size());
    for (std::size_t i = 0; i < kTotalNames.size() && from.problem().empty(); ++i) {
        const auto column = from.column<std::uint64_t>(fmt::format("total_{}", kTotalNames[i]), trace.steps.size());
        for (std::size_t step = 0; step < column.size(); ++step) trace.kept->totals[step][i] = column[step];
    }
}

/// Fills the columns of a trace whose tables are sound. returns  the problem
std::string read_columns(Unpacker& from, Trace& trace, std::uint64_t rows) {
    trace.step = from.column<std::uint16_t>("step", rows);
    trace.site = from.column<std::uint16_t>("site", rows);
    trace.block = from.column<std::uint32_t>("block", rows);
    trace.thread = from.column<std::uint16_t>("thread", rows);
    const auto kind = from.column<std::uint8_t>("kind", rows);
    const auto space = from.column<std::uint8_t>("space", rows);
    const auto array = from.column<std::uint8_t>("array", rows);
    const auto line = from.column<std::uint16_t>("line", rows);
    trace.index = from.column<std::uint32_t>("index", rows);
    trace.value = from.values("value", value_type(trace.launch), rows);
    trace.a = from.column<std::int32_t>("a", rows);
    trace.b = from.column<std::int32_t>("b", rows);
    trace.barrier = from.column<std::uint16_t>("barrier", rows);
    trace.warp_sync = from.column<std::uint16_t>("warp_sync", rows);
    if (trace.launch.cluster > 1) trace.owner = from.column<std::uint32_t>("owner", rows);
    read_totals(from, trace);
    read_contents(from, trace);
    from.finish();
    if (!from.problem().empty()) return from.problem();
    if (std::string found = row_problem(trace); !found.empty()) return found;
    return site_columns_problem(trace, kind, space, array, line);
}

Result<Trace> read(const tl::expected<ZipReader, std::string>& archive, std::string_view name) {
    const auto refuse = [name](std::string_view why) {
        return failure(fmt::format("{} cannot be opened: {}.", name, why));
    };
    if (!archive) return refuse(archive.error());
    Unpacker from(*archive);
    const std::string json = from.text(kManifestName, kLargestManifest);
    if (!from.problem().empty()) return refuse(from.problem());
    auto manifest = read_manifest(json);
    if (!manifest) return refuse(manifest.error());
    Trace trace = std::move(manifest->trace);
    if (const std::string found = table_problem(trace, manifest->rows); !found.empty())
        return refuse(fmt::format("{}: {}", kManifestName, found));
    if (const std::string found = read_columns(from, trace, manifest->rows); !found.empty()) return refuse(found);
    trace.index_rows();
    return trace;
}

}  // namespace

Result<void> save(const Trace& trace, const std::filesystem::path& path) {
    if (const std::string found = problem(trace); !found.empty())
        return failure(fmt::format("{} cannot be saved: the trace is not sound, {}.", path.string(), found));
    auto manifest = write_manifest(trace);
    if (!manifest) return failure(fmt::format("{} cannot be saved: {}.", path.string(), manifest.error()));
    auto file = DurableFile::create(path);
    if (!file) return tl::unexpected<Error>(file.error());
    if (const int error = write_archive(trace, std::move(*manifest), file->descriptor()); error != 0)
        return tl::unexpected<Error>(save_error(path, error));
    return file->commit();
}

Result<Trace> load(const std::filesystem::path& path) {
    return read(ZipReader::open(path), path.string());
}

Result<Trace> load(std::span<const std::byte> file, std::string_view name) {
    return read(ZipReader::open(file), name);
}

}  // namespace warptree::trace
