// Saving runs: sound? -> manifest and columns into a ZIP archive -> a file that appears whole or not at all. Neighbour:
// load.cpp.
#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/trace/durable_file.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they are in memory");

/// A launch's columns as they stand in the file, where they are not those in memory; else empty.
struct FileColumns {
    Derived derived;
    Trace rows;
};

/// Numbers counted from a launch's first, as counted from the run's.
template <class T>
Column<T> shifted(const Column<T>& column, std::size_t first) {
    Column<T> result = column;
    for (T& entry : result)
        if (std::int64_t{entry} > kNoEvent) entry = static_cast<T>(entry + first);
    return result;
}

FileColumns file_columns(const Run& run, const Layout& layout, const std::vector<First>& all, std::size_t i) {
    const Trace& trace = run.launches[i];
    const Derived of = of_sites(trace, layout.places[i]);
    FileColumns columns;
    each_of_sites([&](std::string_view, auto column) {
        auto& filled = columns.derived.*column;
        filled.resize(trace.rows());
        std::ranges::transform(trace.site, filled.begin(),
                               [each = (of.*column).data()](std::uint16_t site) { return each[site]; });
    });
    if (run.launches.size() > 1) columns.derived.launch.assign(trace.rows(), static_cast<std::uint16_t>(i));
    if (has_own(run.launches) && !has_own({&trace, 1})) columns.rows.bits.assign(trace.rows(), 0);
    if (has_clusters(run.launches) && trace.launch.cluster == 1) columns.rows.owner = trace.block;
    if (i == 0) return columns;  // the first launch, most often the largest, counts as the run does
    columns.rows.step = shifted(trace.step, all[i].step);
    columns.rows.site = shifted(trace.site, all[i].site);
    columns.rows.a = shifted(trace.a, all[i].row);
    columns.rows.b = shifted(trace.b, all[i].row);
    for (const Carried& carried : trace.carried)
        columns.rows.a[carried.row] = static_cast<std::int32_t>(all[carried.launch].row + carried.from_row);
    return columns;
}

/// Puts arrays into an archive. What it is given has to live until the archive is written.
class Packer {
public:
    Packer(ZipWriter& archive, const Run& run) : archive_(archive), launches_(run.launches.size()) {}
    /// of(launch)  its part of the column
    template <class Of>
    void column(std::string_view name, Of of) {
        using T = typename std::decay_t<decltype(of(0))>::value_type;
        Pieces pieces;
        for (std::size_t i = 0; i < launches_; ++i) pieces.push_back(std::as_bytes(std::span(of(i))));
        add(name, npy_dtype<T>(), sizeof(T), pieces);
    }
    /// parts  of one type
    void values(std::string_view name, const std::vector<const Values*>& parts) {
        Pieces pieces;
        for (const Values* const part : parts) pieces.emplace_back(part->bytes);
        const Type type = parts.front()->type();
        add(name, npy_dtype(type), size_bytes(type), pieces);
    }

private:
    using Pieces = std::vector<std::span<const std::byte>>;
    void add(std::string_view name, std::string_view dtype, std::size_t element, const Pieces& pieces) {
        std::size_t bytes = 0;
        for (const auto piece : pieces) bytes += piece.size();
        archive_.add(fmt::format("{}.npy", name), npy_header(dtype, bytes / element), pieces);
    }

    ZipWriter& archive_;
    std::size_t launches_;
};

/// Of launches that hold the rows of some blocks: each step's name, and what it cost over the whole grid.
std::vector<std::pair<std::string, Column<std::uint64_t>>> step_columns(const Run& run) {
    std::vector<std::pair<std::string, Column<std::uint64_t>>> columns;
    if (run.complete()) return columns;
    Column<std::uint64_t>& keys = columns.emplace_back("key", Column<std::uint64_t>()).second;
    for (const Trace& trace : run.launches)
        if (trace.kept) keys.insert(keys.end(), trace.kept->keys.begin(), trace.kept->keys.end());
    for (std::size_t i = 0; i < kTotalNames.size(); ++i) {
        auto& [name, column] = columns.emplace_back(fmt::format("total_{}", kTotalNames[i]), Column<std::uint64_t>());
        for (const Trace& trace : run.launches)
            for (std::size_t step = 0; trace.kept && step < trace.kept->totals.size(); ++step)
                column.push_back(trace.kept->totals[step][i]);
    }
    return columns;
}

/// Contents of arrays before and after each launch, where they are not as the moment before.
void pack_contents(Packer& pack, const Run& run, const Layout& layout) {
    for (std::size_t place = 0; place < layout.arrays.size(); ++place) {
        const Values* held = nullptr;
        const auto& sights = layout.sights[place];
        const auto now = [&](const Values& contents, const std::string& name) {
            if (held == nullptr || *held != contents) pack.values(name, {&contents});
            held = &contents;
        };
        for (const auto& [launch, ordinal] : sights) {
            const bool first = launch == sights.front().launch, last = launch == sights.back().launch;
            now(run.launches[launch].initial[ordinal],
                first ? fmt::format("initial_{}", place) : fmt::format("before_{}_{}", launch, place));
            now(run.launches[launch].final[ordinal],
                last ? fmt::format("final_{}", place) : fmt::format("after_{}_{}", launch, place));
        }
    }
}

void pack_columns(Packer& pack, const Run& run, const std::vector<FileColumns>& columns) {
    each_column(run.launches, [&](std::string_view name, auto column) {
        if constexpr (std::is_same_v<decltype(column), Values Trace::*>) {
            std::vector<const Values*> values;
            for (const Trace& trace : run.launches) values.push_back(&(trace.*column));
            pack.values(name, values);
        } else {
            pack.column(
                name, [&](std::size_t i) -> auto& {
                    if constexpr (requires { columns[i].derived.*column; })
                        return columns[i].derived.*column;
                    else
                        return (columns[i].rows.*column).empty() ? run.launches[i].*column : columns[i].rows.*column;
                });
        }
    });
}

int write_archive(const Run& run, const Layout& layout, std::string manifest, int descriptor) {
    std::vector<std::uint64_t> rows;
    for (const Trace& trace : run.launches) rows.push_back(trace.rows());
    const std::vector<First> all = firsts(run, rows);
    std::vector<FileColumns> columns;
    for (std::size_t i = 0; i < run.launches.size(); ++i) columns.push_back(file_columns(run, layout, all, i));
    const auto of_steps = step_columns(run);
    const Column<std::uint64_t> none;
    ZipWriter archive(descriptor);
    Packer pack(archive, run);
    archive.add(kManifestName, std::move(manifest));
    pack_columns(pack, run, columns);
    for (const auto& [name, entries] : of_steps)
        pack.column(
            name, [&, &column = entries ](std::size_t i) -> auto& { return i == 0 ? column : none; });
    pack_contents(pack, run, layout);
    for (const Listing& listing : run.listings) archive.add(listing_member(listing), listing.text);
    return archive.finish();
}

/// write  is called with the manifest and the layout of a run that is sound
template <class Write>
Result<void> save_sound(const Run& run, const std::filesystem::path& path, Write write) {
    if (const std::string found = problem(run); !found.empty())
        return failure(fmt::format("{} cannot be saved: what was recorded is not sound, {}.", path.string(), found));
    const Layout layout = layout_of(run);
    std::string manifest;
    if (const std::string why = refusal_of([&] { manifest = write_manifest(run, layout); }); !why.empty())
        return failure(fmt::format("{} cannot be saved: {}.", path.string(), why));
    return write(manifest, layout);
}

}  // namespace

Result<void> save(const Run& run, const std::filesystem::path& path) {
    return save_sound(run, path, [&](const std::string& manifest, const Layout& layout) -> Result<void> {
        auto file = DurableFile::create(path);
        if (!file) return tl::unexpected<Error>(file.error());
        if (const int error = write_archive(run, layout, manifest, file->descriptor()); error != 0)
            return tl::unexpected<Error>(save_error(path, error));
        return file->commit();
    });
}

Result<void> save(const Run& run, int descriptor) {
    return save_sound(run, "The trace", [&](const std::string& manifest, const Layout& layout) -> Result<void> {
        if (const int error = write_archive(run, layout, manifest, descriptor); error != 0)
            return tl::unexpected<Error>(save_error("The trace", error));
        return {};
    });
}

Result<void> save(const Trace& trace, const std::filesystem::path& path) {
    return save(run_of(trace), path);
}

}  // namespace warptree::trace
