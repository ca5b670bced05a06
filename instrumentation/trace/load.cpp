// Loading runs: archive as a whole -> manifest -> limits -> columns, one member each -> rows -> index of rows.
// Neighbour: save.cpp.
#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/trace/file.hpp"
#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/validate.hpp"
#include "instrumentation/trace/zip_archive.hpp"

namespace warptree::trace {
namespace {

constexpr std::size_t kLargestManifest = std::size_t{64} << 20;  // bytes

using Sizes = std::vector<std::uint64_t>;  // (launches,) entries of each one's part of a column

/// Takes members out of an archive.
class Unpacker {
public:
    explicit Unpacker(const ZipReader& archive) : archive_(archive) {}

    /// The whole of a text member.
    std::string text(std::string_view name, std::size_t most_bytes) {
        std::string result;
        member(name, [&](const ZipMember& member) {
            if (member.size > most_bytes) refuse("it has {} bytes; up to {} are read", member.size, most_bytes);
            result.resize(member.size);
            auto reader = archive_.reader(member);
            reader.read(result.data(), result.size());
            reader.finish();
        });
        return result;
    }

    /// of(launch)  the column that its part goes to
    template <class Of>
    void column(std::string_view name, const Sizes& sizes, Of of) {
        using T = typename std::decay_t<decltype(of(0))>::value_type;
        array(name, npy_dtype<T>(), sizeof(T), sizes, [&](std::size_t i) -> void* {
            of(i).resize(sizes[i]);
            return of(i).data();
        });
    }
    template <class Of>
    void values(std::string_view name, Type type, const Sizes& sizes, Of of) {
        array(name, npy_dtype(type), size_bytes(type), sizes, [&](std::size_t i) -> void* {
            of(i) = Values(type, sizes[i]);
            return of(i).bytes.data();
        });
    }
    /// A member that follows from others is not looked at.
    void pass_over(std::string_view name) { taken_.insert(fmt::format("{}.npy", name)); }
    bool has(std::string_view name) const { return archive_.find(fmt::format("{}.npy", name)) != nullptr; }

    /// A member that nobody took is one that this version does not know.
    void finish() {
        for (const ZipMember& member : archive_.members())
            if (!taken_.contains(member.name)) refuse("{}: it is not a member of this format", member.name);
    }

private:
    /// take(member)  reads it
    template <class Take>
    void member(std::string_view name, Take take) {
        taken_.emplace(name);
        within(name, [&] {
            const ZipMember* const found = archive_.find(name);
            if (found == nullptr) refuse("it is missing");
            take(*found);
        });
    }

    /// One .npy member: its header is held against what is expected before anything is allocated.
    /// allocate(launch)  gives the memory for its part
    template <class Allocate>
    void array(std::string_view name, std::string_view dtype, std::size_t element, const Sizes& sizes,
               Allocate allocate) {
        member(fmt::format("{}.npy", name), [&](const ZipMember& member) {
            auto reader = archive_.reader(member);
            std::string head(std::min<std::uint64_t>(kNpyPrefix, member.size), '\0');
            reader.read(head.data(), head.size());
            if (head.size() < kNpyPrefix) refuse("it is not a .npy file");
            const std::size_t data_at = npy_data_at(std::span<const char, kNpyPrefix>(head.data(), kNpyPrefix));
            if (data_at > member.size) refuse("its .npy header is cut off");
            head.resize(data_at);
            reader.read(head.data() + kNpyPrefix, head.size() - kNpyPrefix);
            check_header(read_npy_header(head), member, dtype, element,
                         std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
            for (std::size_t i = 0; i < sizes.size(); ++i) reader.read(allocate(i), sizes[i] * element);
            reader.finish();
        });
    }

    static void check_header(const NpyHeader& header, const ZipMember& member, std::string_view dtype,
                             std::size_t element, std::uint64_t size) {
        if (header.dtype != dtype) refuse("its dtype is {}; it has to be {}", header.dtype, dtype);
        if (header.shape.size() != 1) refuse("its shape is {}; it has to be of one dimension", header.shape_text());
        if (header.size() != size) refuse("it has {} entries; the manifest asks for {}", header.size(), size);
        if (member.size - header.data_at != size * element)
            refuse("it holds {} bytes of data; {} entries take {}", member.size - header.data_at, size, size * element);
    }

    const ZipReader& archive_;
    std::set<std::string, std::less<>> taken_;
};

/// Numbers counted over the run, as counted from a launch's first.
void own_numbers(std::string_view name, Column<std::uint16_t>& column, std::size_t first, std::size_t count,
                 std::size_t first_row) {
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (column[row] < first || column[row] - first >= count)
            refuse("{}.npy, row {}: it is {}, but its launch has {} {}s from {} on", name, first_row + row, column[row],
                   count, name, first);
        column[row] = static_cast<std::uint16_t>(column[row] - first);
    }
}

/// The rows of a later launch as the launch itself counts; operands in earlier ones are told apart.
void own_rows(Run& run, std::size_t i, const std::vector<First>& all) {
    Trace& trace = run.launches[i];
    const First& first = all[i];
    own_numbers("step", trace.step, first.step, trace.steps.size(), first.row);
    own_numbers("site", trace.site, first.site, trace.sites.size(), first.row);
    const auto begin = static_cast<std::int32_t>(first.row);
    for (std::size_t row = 0; row < trace.rows(); ++row) {
        std::int32_t &a = trace.a[row], &b = trace.b[row];
        if (b >= 0 && b < begin) refuse("b.npy, row {}: {} is of an earlier launch", first.row + row, b);
        if (b >= begin) b -= begin;
        if (a >= begin)
            a -= begin;
        else if (a >= 0) {
            std::size_t from = i;
            while (all[from].row > static_cast<std::size_t>(a)) --from;
            trace.carried.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(from),
                                     static_cast<std::uint32_t>(a - static_cast<std::int32_t>(all[from].row))});
            a = kNoEvent;
        }
    }
}

/// See pack_contents(). What a launch that holds all its rows found, and left, derive() says.
void read_contents(Unpacker& from, Run& run, const Layout& layout) {
    for (Trace& trace : run.launches) {
        const auto globals = std::ranges::count(trace.arrays, Space::kGlobal, &Array::space);
        trace.initial.resize(static_cast<std::size_t>(globals));
        trace.final.resize(static_cast<std::size_t>(globals));
    }
    for (std::size_t place = 0; place < layout.arrays.size(); ++place) {
        const Type type = layout.arrays[place].type.value_or(value_type(run.launch()));
        const auto& sights = layout.sights[place];
        Values held;
        const auto now = [&](Values& contents, const std::string& name, bool needed) {
            if (needed || from.has(name))
                from.values(
                    name, type, {layout.arrays[place].extent}, [&](std::size_t) -> auto& { return held; });
            contents = held;
        };
        for (const auto& [launch, ordinal] : sights) {
            const bool first = launch == sights.front().launch, last = launch == sights.back().launch;
            now(run.launches[launch].initial[ordinal],
                first ? fmt::format("initial_{}", place) : fmt::format("before_{}_{}", launch, place), first);
            now(run.launches[launch].final[ordinal],
                last ? fmt::format("final_{}", place) : fmt::format("after_{}_{}", launch, place), false);
        }
    }
}

void read_totals(Unpacker& from, Run& run) {
    if (run.complete()) return;
    Sizes steps;
    for (const Trace& trace : run.launches) steps.push_back(trace.kept ? trace.steps.size() : 0);
    std::vector<Column<std::uint64_t>> parts(steps.size());
    const auto part = [&](std::size_t i) -> auto& {
        return parts[i];
    };
    from.column("key", steps, part);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!run.launches[i].kept) continue;
        run.launches[i].kept->keys.assign(parts[i].begin(), parts[i].end());
        run.launches[i].kept->totals.resize(steps[i]);
    }
    for (std::size_t k = 0; k < kTotalNames.size(); ++k) {
        from.column(fmt::format("total_{}", kTotalNames[k]), steps, part);
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t step = 0; step < parts[i].size(); ++step)
                run.launches[i].kept->totals[step][k] = parts[i][step];
    }
}

/// Fills the columns of a run whose tables are sound.
void read_columns(Unpacker& from, Manifest& manifest) {
    Run& run = manifest.run;
    const Sizes& rows = manifest.rows;
    const std::vector<First> all = firsts(run, rows);
    each_column(run.launches, [&](std::string_view name, auto column) {
        if constexpr (requires { Derived{}.*column; }) {
            from.pass_over(name);
        } else {
            const auto part = [&](std::size_t i) -> auto& {
                return run.launches[i].*column;
            };
            if constexpr (std::is_same_v<decltype(column), Values Trace::*>)
                from.values(name, value_type(run.launch()), rows, part);
            else
                from.column(name, rows, part);
        }
    });
    read_totals(from, run);
    read_contents(from, run, layout_of(run));
    for (Listing& listing : run.listings) listing.text = from.text(listing_member(listing), kLargestListing);
    from.finish();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Trace& trace = run.launches[i];
        if (i > 0) own_rows(run, i, all);
        if (trace.launch.cluster == 1) trace.owner.clear();  // in the file each row's own block
        if (!has_own({&trace, 1})) trace.bits.clear();
    }
    check_rows(run);
    derive(run);
}

/// open()  gives the archive
template <class Open>
Result<Run> read(std::string_view name, Open open) try {
    const ZipReader archive = open();
    Unpacker from(archive);
    Manifest manifest = read_manifest(from.text(kManifestName, kLargestManifest));
    within(kManifestName, [&] { check_tables(manifest.run, manifest.rows); });
    read_columns(from, manifest);
    for (Trace& trace : manifest.run.launches) trace.index_rows();
    return std::move(manifest.run);
} catch (const Refusal& refusal) {
    return failure(fmt::format("{} cannot be opened: {}.", name, refusal.why));
}

}  // namespace

Result<Run> load(const std::filesystem::path& path) {
    return read(path.string(), [&path] { return ZipReader(path); });
}

Result<Run> load(std::span<const std::byte> file, std::string_view name) {
    return read(name, [file] { return ZipReader(file); });
}

}  // namespace warptree::trace
