// What has to hold in a run beyond each of its launches: what they have in common, and what one has of an earlier one.
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "instrumentation/trace/layout.hpp"
#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

/// Where a problem of a launch is: rows and the like are said as the launch counts them.
std::string in_launch(const Run& run, std::size_t launch) {
    if (run.launches.size() == 1) return "";
    std::size_t row = 0;
    for (std::size_t i = 0; i < launch; ++i) row += run.launches[i].rows();
    return fmt::format("launch {}{}", launch, row > 0 ? fmt::format(", from row {} on", row) : "");
}

void check_common(const Run& run) {
    const Launch& first = run.launch();
    for (std::size_t i = 1; i < run.launches.size(); ++i) {
        const Launch& other = run.launches[i].launch;
        const std::pair<std::string_view, bool> fields[] = {{"kernel", first.kernel == other.kernel},
                                                            {"problem", first.problem == other.problem},
                                                            {"n", first.n == other.n},
                                                            {"warp_size", first.warp_size == other.warp_size},
                                                            {"type", first.type == other.type},
                                                            {"op", first.op == other.op},
                                                            {"input", first.input == other.input},
                                                            {"seed", first.seed == other.seed},
                                                            {"thread_order", first.thread_order == other.thread_order},
                                                            {"backend", first.backend == other.backend},
                                                            {"device", first.device == other.device},
                                                            {"driver", first.driver == other.driver},
                                                            {"build", first.build == other.build}};
        for (const auto& [field, agrees] : fields)
            if (!agrees) refuse("launch {} has another {} than launch 0; a run has one", i, field);
    }
}

void check_arrays(const Run& run) {
    const Layout layout = layout_of(run);
    for (std::size_t place = 0; place < layout.arrays.size(); ++place) {
        const Array& array = layout.arrays[place];
        const auto& sights = layout.sights[place];
        for (std::size_t i = 1; i < sights.size(); ++i)
            if (sights[i].launch == sights[i - 1].launch)
                refuse("two global arrays of launch {} are called {}; a name is one array in all of a run",
                       sights[i].launch, array.name);
    }
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch)
        for (std::size_t id = 0; id < run.launches[launch].arrays.size(); ++id) {
            const Array &own = run.launches[launch].arrays[id], &first = layout.arrays[layout.places[launch][id]];
            if (own.type != first.type) refuse("{} has another type in launch {} than before", own.name, launch);
            if (own.extent != first.extent || own.role != first.role)
                refuse("{} is {} of {} elements in launch {}, but {} of {} before", own.name, name(own.role),
                       own.extent, launch, name(first.role), first.extent);
        }
    const auto has = [&](Role role) {
        return std::any_of(layout.arrays.begin(), layout.arrays.end(),
                           [role](const Array& array) { return array.role == role && array.space == Space::kGlobal; });
    };
    if (!has(Role::kInput) || !has(Role::kOutput))
        refuse("no global array is the {}; a run has both", has(Role::kInput) ? "output" : "input");
    if (layout.arrays.size() > kMostArrays)
        refuse("the launches have {} arrays; a run holds up to {}", layout.arrays.size(), kMostArrays);
}

/// What 16-bit columns and operands can count, and what row_begin of all launches takes.
void check_size(const Run& run, std::uint64_t rows) {
    std::uint64_t sites = 0, spans = 0;
    for (const Trace& trace : run.launches) {
        sites += trace.sites.size();
        spans += std::uint64_t{trace.blocks_held()} * trace.steps.size();
    }
    if (rows > kMostRows) refuse("there are {} rows; a run holds up to {}", rows, kMostRows);
    if (run.steps() > kMostSteps) refuse("there are {} steps; a run holds up to {}", run.steps(), kMostSteps);
    if (sites > kMostSites) refuse("there are {} sites; a run holds up to {}", sites, kMostSites);
    if (!can_index(spans, 1, rows)) refuse("launches with {} blocks and steps are too many for {} rows", spans, rows);
}

/// A read that says which write of an earlier launch it saw.
void check_carried(const Run& run, std::size_t launch, std::size_t i) {
    const Trace& trace = run.launches[launch];
    const Carried& carried = trace.carried[i];
    const auto wrong = [&](std::string_view why) {
        refuse("a.npy, row {}: it names row {} of launch {}, but {}", carried.row, carried.from_row, carried.launch,
               why);
    };
    if (i > 0 && carried.row <= trace.carried[i - 1].row) wrong("such reads have to ascend, each once");
    if (carried.row >= trace.rows()) wrong(fmt::format("there are {} rows", trace.rows()));
    if (trace.kind(carried.row) != Kind::kRead || trace.space(carried.row) != Space::kGlobal)
        wrong("only a read of a global array can see what an earlier launch wrote");
    if (trace.a[carried.row] != kNoEvent) wrong(fmt::format("saw row {} of its own", trace.a[carried.row]));
    if (carried.launch >= launch) wrong("that launch is not an earlier one");
    const Trace& other = run.launches[carried.launch];
    if (carried.from_row >= other.rows()) wrong(fmt::format("that has {} rows", other.rows()));
    const Kind kind = other.kind(carried.from_row);
    const bool same = stores(kind) && other.space(carried.from_row) == Space::kGlobal &&
                      other.arrays[other.array(carried.from_row)].name == trace.arrays[trace.array(carried.row)].name &&
                      other.index[carried.from_row] == trace.index[carried.row];
    if (!same) wrong(fmt::format("that is a {}; it has to be a write or a reduction of the same cell", name(kind)));
    const bool alike = trace.is_own(carried.row) ? trace.bits[carried.row] == other.bits[carried.from_row]
                                                 : trace.value.same(carried.row, other.value, carried.from_row);
    if (kind == Kind::kWrite && !alike)
        wrong(fmt::format("that wrote {}, and the read saw {}", other.text(carried.from_row), trace.text(carried.row)));
}

/// A launch finds in an array what the one before left there. One whose rows are not all there may say otherwise: of
/// cells that other blocks wrote it has what the kept ones found.
void check_contents(const Run& run) {
    const Layout layout = layout_of(run);
    for (std::size_t place = 0; place < layout.arrays.size(); ++place)
        for (std::size_t i = 1; i < layout.sights[place].size(); ++i) {
            const auto &before = layout.sights[place][i - 1], &now = layout.sights[place][i];
            const Values& left = run.launches[before.launch].final[before.ordinal];
            const Values& found = run.launches[now.launch].initial[now.ordinal];
            if (run.launches[now.launch].kept || left == found) continue;
            std::size_t at = 0;
            while (left.same(at, found, at)) ++at;
            refuse("before_{}_{}.npy, entry {}: launch {} finds {} in {}, where launch {} left {}", now.launch, place,
                   at, now.launch, found.text(at), layout.arrays[place].name, before.launch, left.text(at));
        }
}

bool is_control(char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
}

/// A file within a folder: no way out of it.
void check_file(const std::string& file) {
    check_text("a listing's file", file, true);
    const std::string path = "/" + file + "/";
    for (const char* const part : {"//", "/./", "/../", "\\", ":"})
        if (path.find(part) != std::string::npos)
            refuse("listing {} does not have the name of a file within a folder", file);
}

void check_listings(const Run& run) {
    if (run.listings.size() > kMostListings)
        refuse("{} listings are there; a run has up to {}", run.listings.size(), kMostListings);
    for (std::size_t i = 0; i < run.listings.size(); ++i) {
        const std::string& file = run.listings[i].file;
        check_file(file);
        for (std::size_t j = 0; j < i; ++j)
            if (run.listings[j].file == file) refuse("listing {} is there twice", file);
    }
}

/// (lines,) whether there is more on a listing's line than a comment.
std::vector<bool> lines_of_code(std::string_view text) {
    std::vector<bool> code;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = text.find_first_not_of(" \t\r", at);
        code.push_back(first < end && !text.substr(first).starts_with("//"));
        at = end + 1;
    }
    return code;
}

/// Sites stand on lines of the listings that have code. Which words are there a kernel is free to choose: a helper of
/// its own may hide an access, a macro a barrier.
void check_sites(const Run& run) {
    std::vector<std::vector<bool>> listings;
    for (const Listing& listing : run.listings) listings.push_back(lines_of_code(listing.text));
    const auto is_code = [&listings](std::size_t line) {
        return std::ranges::any_of(listings, [line](const std::vector<bool>& code) {
            return line >= 1 && line <= code.size() && code[line - 1];
        });
    };
    for (std::size_t launch = 0; launch < run.launches.size() && !listings.empty(); ++launch)
        within(in_launch(run, launch), [&sites = run.launches[launch].sites, &is_code] {
            for (std::size_t id = 0; id < sites.size(); ++id)
                if (!is_code(sites[id].line))
                    refuse("{}: sites[{}] is a {} of line {}, where no listing has code", kManifestName, id,
                           name(sites[id].kind), sites[id].line);
        });
}

}  // namespace

void check_listing(const Listing& listing) {
    if (listing.text.size() > kLargestListing)
        refuse("listing/{}: it has {} bytes; up to {} are possible", listing.file, listing.text.size(),
               kLargestListing);
    if (listing.text.empty()) refuse("listing/{}: it is empty", listing.file);
    if (std::any_of(listing.text.begin(), listing.text.end(), is_control))
        refuse("listing/{}: it has control characters in it", listing.file);
    if (!is_utf8(listing.text)) refuse("listing/{}: it is not UTF-8", listing.file);
}

void check_tables(const Run& run, std::span<const std::uint64_t> rows) {
    if (run.launches.empty() || run.launches.size() > kMostLaunches)
        refuse("there are {} launches; a run has 1 to {}", run.launches.size(), kMostLaunches);
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        within(in_launch(run, i), [&] { check_tables(run.launches[i], rows[i]); });
    check_common(run);
    check_arrays(run);
    check_listings(run);
    check_size(run, std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}));
}

void check_rows(const Run& run) {
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        within(in_launch(run, i), [&] {
            check_rows(run.launches[i]);
            for (std::size_t k = 0; k < run.launches[i].carried.size(); ++k) check_carried(run, i, k);
        });
    for (const Listing& listing : run.listings) check_listing(listing);
    check_sites(run);
    check_contents(run);
}

std::string problem(const Run& run) {
    std::vector<std::uint64_t> rows;
    for (const Trace& trace : run.launches) rows.push_back(trace.rows());
    return refusal_of([&] {
        within(kManifestName, [&] { check_tables(run, rows); });
        check_rows(run);
    });
}

}  // namespace warptree::trace
