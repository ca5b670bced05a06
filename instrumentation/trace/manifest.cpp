// manifest.json, written and read.
#include "instrumentation/trace/manifest.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/json/fields.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

constexpr std::string_view kFormat = "warptree trace";
constexpr std::string_view kKeptRows = "of these blocks alone; total_*.npy are over the whole grid";

// ---- what there is, both ways ----

/// The first of an enumeration's values, by their names.
template <class E, std::size_t kCount = kNames<E>.size()>
const auto kNamed = [] {
    std::array<std::pair<E, std::string_view>, kCount> all;
    for (std::size_t i = 0; i < kCount; ++i) all[i] = {static_cast<E>(i), name(static_cast<E>(i))};
    return all;
}();
template <class E, std::size_t kCount = kNames<E>.size()>
OneOf<std::array<std::pair<E, std::string_view>, kCount>> named() {
    return {kNamed<E, kCount>};
}
constexpr std::size_t kChosenTypes = value::kChosenTypes.size(), kProblems = value::kProblemNames.size();
constexpr std::size_t kLongest = 1024;
constexpr Text kText{"a text of up to 1024 bytes without control characters", 0, kLongest, true};
constexpr Text kName{"a text of 1 to 1024 bytes without control characters", 1, kLongest, true};
constexpr Range kAboveZero{std::uint32_t{1}, ~std::uint32_t{0}};

/// null stands for Site::kNoArray
struct ArrayId {
    static std::string take(const Json& json, std::uint8_t& to) {
        to = Site::kNoArray;
        const bool good = json.is_null() || Range<std::uint8_t>{0, Site::kNoArray - 1}.take(json, to).empty();
        return good ? "" : "an array's number or null";
    }
    static Json give(std::uint8_t id) { return id == Site::kNoArray ? Json() : Json(id); }
};

/// What dtypes do not say of the columns of values; "" where they say all.
std::string_view encoding_of(const Launch& launch) {
    switch (value_type(launch)) {
        case Type::kBfloat16:
            return "bfloat16 as the uint16 of its bits, the upper half of a float32";
        case Type::kPairFloat32:
        case Type::kPairInt32:
            return "pairs of a value and the index where it stood, 2147483647 for the identity";
        case Type::kMatrix:
            return "2 x 2 matrices [a b; c d]";
        default:
            return "";
    }
}

/// What the launches of a run have in common.
template <class F>
void common_fields(F& f, Launch& l) {
    f("kernel", l.kernel, kName), f("n", l.n, Range{std::uint64_t{1}, ~std::uint64_t{0}});
    f("warp_size", l.warp_size), f("type", l.type, named<Type, kChosenTypes>());
    f("op", l.op, kName), f("input", l.input, kName), f("seed", l.seed), f("thread_order", l.thread_order, kName);
    f.unusual("rounded", l.rounded.values, 0);
    f.unusual("given_exact", l.rounded.exact, "", kText);
    f.unusual("held_by", l.rounded.held_by, "", kText);
    f.unusual("unjudged", l.unjudged, "", kText);
    f.unusual("results", l.results, 0u);
    f.unusual("members", l.members, 1u);
    f.unusual("member", l.member, 0u);
    f.unusual("factor", l.factor, "", kName);
    f.unusual("devices", l.devices, 1u);
    f.unusual("problem", l.problem, value::Problem::kReduction, named<value::Problem, kProblems>());
    if (const std::string_view encoding = encoding_of(l); !encoding.empty()) f.constant("values", encoding);
}

template <class F>
void recorder_fields(F& f, Launch& l) {
    f("backend", l.backend, kName), f("device", l.device, kText), f("driver", l.driver, kText);
    f("build", l.build, kText);
}

template <class F>
void fields(F& f, Array& array) {
    f("name", array.name, kName), f("space", array.space, named<Space>()), f("role", array.role, named<Role>());
    f("extent", array.extent, kAboveZero), f.optional("type", array.type, named<Type, value::kNumberTypes>());
}

template <class F>
void fields(F& f, Site& site) {
    f("line", site.line), f("kind", site.kind, named<Kind>()), f("array", site.array, ArrayId());
    f("occurrence", site.occurrence);
    f.unusual("remote", site.remote, false);
    f.unusual("width", site.width, 1);
    f.unusual("op", site.op, Operator::kLaunch, named<Operator>());
    f.unusual("swap", site.swap, false);
}

template <class F>
void fields(F& f, Step& step) {
    f("phase", step.phase, named<Phase>()), f("stride", step.stride), f("line", step.line);
}

/// A launch without its rows; where its part of the run begins, and its arrays as the run numbers them.
struct Entry {
    Trace trace;
    std::uint64_t first_step = 0, first_row = 0, first_site = 0;
    std::vector<std::uint8_t> arrays;
};

/// All that is of one launch alone.
template <class F>
void fields(F& f, Entry& entry) {
    Launch& l = entry.trace.launch;
    f("function", l.function, kText), f("processor", l.processor, named<Processor>());
    f("grid", l.grid, kAboveZero), f("block", l.block, Range{1u, kMostThreadsPerBlock});
    f("coarsen", l.coarsen, Range{1u, kMostSharedElements});
    f("without_barrier_line", l.without_barrier_line), f.unusual("cluster", l.cluster, 1);
    f("first_step", entry.first_step), f("first_row", entry.first_row), f("first_site", entry.first_site);
    f("arrays", entry.arrays, ListOf{"array numbers"});
    f.optional("last_block", l.last_block);  // and so on: what chance decided
    f.unusual("on", l.on, {}, ListOf{"numbers of devices"});
    f.unusual("waits", l.waits, {}, ListOf{"numbers of tiles"});
    f.unusual("told", l.told, {}, ListOf{"nanoseconds"});
    if (entry.trace.kept || f.has("kept"))
        f.object("kept", [&entry](auto& inner) {
            if (!entry.trace.kept) entry.trace.kept.emplace();
            inner("blocks", entry.trace.kept->blocks, ListOf{"block numbers"});
            inner.constant("rows", kKeptRows);
        });
}

/// The whole of it.
struct Tables {
    std::uint32_t schema = kSchemaVersion;
    std::uint64_t rows = 0;
    Launch common;
    std::vector<Entry> launches;
    std::vector<std::string> listings;
    std::vector<Array> arrays;
    std::vector<Site> sites;
    std::vector<Step> steps;
};
/// Before anything else: is it this format, and of which schema?
template <class F>
void format_fields(F& f, Tables& all) {
    f.constant("format", kFormat), f("schema", all.schema);
}
template <class F>
void fields(F& f, Tables& all) {
    const auto each = [](auto& inner, auto& row) { fields(inner, row); };
    format_fields(f, all);
    f("rows", all.rows, Range<std::uint64_t>{0, kMostRows});
    f.object("launch", [&all](auto& inner) { common_fields(inner, all.common); });
    f.rows("launches", all.launches, each, kMostLaunches);
    f.object("recorded_by", [&all](auto& inner) { recorder_fields(inner, all.common); });
    f("listings", all.listings, ListOf{"texts of 1 to 1024 bytes without control characters", kName});
    f.rows("arrays", all.arrays, each, kMostArrays), f.rows("sites", all.sites, each, kMostSites);
    f.rows("steps", all.steps, each, kMostSteps);
}

// ---- writing ----

/// What is of each launch alone.
std::vector<Entry> launch_entries(const Run& run, const Layout& layout) {
    std::vector<Entry> entries;
    Entry next;
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const Trace& trace = run.launches[i];
        next.trace.launch = trace.launch;
        next.trace.kept = trace.kept;
        next.arrays.assign(layout.places[i].begin(), layout.places[i].end());
        entries.push_back(next);
        next.first_step += trace.steps.size();
        next.first_row += trace.rows();
        next.first_site += trace.sites.size();
    }
    return entries;
}

/// The sites of all launches, with arrays as the run numbers them.
std::vector<Site> sites_of(const Run& run, const Layout& layout) {
    std::vector<Site> sites;
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        for (const Site& site : run.launches[i].sites) {
            sites.push_back(site);
            if (site.array < layout.places[i].size())
                sites.back().array = static_cast<std::uint8_t>(layout.places[i][site.array]);
        }
    return sites;
}

/// A line for each field, and for each entry of a list of objects.
std::string lines(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items()) {
        text += fmt::format("{}\n  \"{}\": ", text == "{" ? "" : ",", key);
        if (!value.is_array() || value.empty() || !value[0].is_object()) {
            text += json_text(value);
            continue;
        }
        for (const Json& entry : value) text += (&entry == &value[0] ? "[\n    " : ",\n    ") + json_text(entry);
        text += "\n  ]";
    }
    return text + "\n}\n";
}

// ---- reading ----

void check_order(const Entry& part, const Entry& next, std::size_t i) {
    const std::tuple<std::string_view, std::uint64_t, std::uint64_t> firsts[] = {
        {"first_step", part.first_step, next.first_step},
        {"first_row", part.first_row, next.first_row},
        {"first_site", part.first_site, next.first_site}};
    for (const auto& [key, first, end] : firsts)
        if (first > end) refuse("launches[{}].{} is {}, but its part ends at {}", i, key, first, end);
}

/// Gives a launch its part of the run's tables.
/// end  where the next one's begins
void take_part(const Tables& all, const Entry& from, const Entry& end, std::size_t i, Trace& launch) {
    if (from.arrays.size() > all.arrays.size())
        refuse("launches[{}].arrays has {} entries, but {} arrays are listed", i, from.arrays.size(),
               all.arrays.size());
    for (const std::uint8_t place : from.arrays) {
        if (place >= all.arrays.size())
            refuse("launches[{}].arrays names array {}, but {} are listed", i, place, all.arrays.size());
        launch.arrays.push_back(all.arrays[place]);
    }
    for (std::uint64_t id = from.first_site; id < end.first_site; ++id) {
        Site& site = launch.sites.emplace_back(all.sites[id]);
        if (site.array == Site::kNoArray) continue;
        const auto own = std::find(from.arrays.begin(), from.arrays.end(), site.array);
        if (own == from.arrays.end())
            refuse("sites[{}] is of array {}, which launches[{}].arrays does not name", id, site.array, i);
        site.array = static_cast<std::uint8_t>(own - from.arrays.begin());
    }
    const auto steps = all.steps.begin();
    launch.steps.assign(steps + static_cast<std::ptrdiff_t>(from.first_step),
                        steps + static_cast<std::ptrdiff_t>(end.first_step));
}

/// Gives a launch what all have in common.
void take_common(Launch& launch, const Launch& common) {
    const Launch own = std::exchange(launch, common);
    launch.function = own.function, launch.processor = own.processor;
    launch.grid = own.grid, launch.block = own.block, launch.coarsen = own.coarsen, launch.cluster = own.cluster;
    launch.without_barrier_line = own.without_barrier_line;
    launch.on = own.on, launch.last_block = own.last_block, launch.waits = own.waits, launch.told = own.told;
}

/// Cuts the tables of a run into those of its launches.
void cut(Tables& all, Manifest& manifest) {
    std::vector<Trace>& launches = manifest.run.launches;
    std::vector<Entry>& parts = all.launches;
    const std::size_t count = parts.size();
    if (count == 0) refuse("launches is empty; a run has at least one");
    if (parts[0].first_step != 0 || parts[0].first_row != 0 || parts[0].first_site != 0)
        refuse("launches[0] has to begin with the first step, row and site");
    parts.push_back({{}, all.steps.size(), all.rows, all.sites.size(), {}});
    for (std::size_t i = 0; i < count; ++i) check_order(parts[i], parts[i + 1], i);
    for (std::size_t i = 0; i < count; ++i) {
        launches.push_back(std::move(parts[i].trace));
        take_common(launches[i].launch, all.common);
        take_part(all, parts[i], parts[i + 1], i, launches[i]);
        manifest.rows.push_back(parts[i + 1].first_row - parts[i].first_row);
    }
    const Layout layout = layout_of(manifest.run);
    for (std::size_t i = 0; i < count; ++i)
        if (!std::equal(layout.places[i].begin(), layout.places[i].end(), parts[i].arrays.begin()))
            refuse(
                "launches[{}].arrays does not fit: arrays are listed in the order in which launches name them, global "
                "ones once for all, shared ones for one launch each",
                i);
    if (layout.arrays.size() != all.arrays.size())
        refuse("{} arrays are listed, but launches name {}", all.arrays.size(), layout.arrays.size());
}

}  // namespace

bool is_utf8(std::string_view text) {
    try {
        return !json_text(Json(text)).empty();
    } catch (const Json::exception&) {
        return false;
    }
}

bool is_name(const std::string& text) {
    std::string name;
    return is_utf8(text) && kName.take(Json(text), name).empty();
}

std::string write_manifest(const Run& run, const Layout& layout) try {
    Tables all;
    for (const Trace& trace : run.launches) {
        all.rows += trace.rows();
        all.steps.insert(all.steps.end(), trace.steps.begin(), trace.steps.end());
    }
    if (run.launches.empty()) refuse("a run has at least one launch");
    all.common = run.launch();
    if (!all.common.unjudged.empty() || all.common.results != 0) all.schema = kProgramSchema;
    if (all.common.members != 1) all.schema = kStructsSchema;
    if (all.common.devices > 1) all.schema = kDeviceSchema;
    if (!all.common.factor.empty()) all.schema = kFactorSchema;
    all.launches = launch_entries(run, layout);
    for (const Listing& listing : run.listings) all.listings.push_back(listing.file);
    all.arrays = layout.arrays;
    all.sites = sites_of(run, layout);
    if (std::ranges::find(all.sites, true, &Site::swap) != all.sites.end()) all.schema = kSwapSchema;
    FieldWriter out;
    fields(out, all);
    return lines(out.json);
} catch (const Json::exception&) {
    refuse("one of its texts is not UTF-8");
}

Manifest read_manifest(std::string_view json) {
    Document document;
    Tables all;
    within(kManifestName, [&] {
        if (const TextProblem bad = bad_text(json); !bad.text.empty()) refuse("{}", said(bad));
        document = parse_json(json, JsonShape());
        FieldReader reader(document);
        format_fields(reader, all);
    });
    if (all.schema < kSchemaVersion || all.schema > kSwapSchema)
        refuse("it is of schema {}, which {} reads; this one reads {} to {}", all.schema,
               all.schema < kSchemaVersion ? "Warptree 0.1" : "a newer Warptree", kSchemaVersion, kSwapSchema);
    Manifest manifest;
    within(kManifestName, [&] {
        FieldReader reader(document);
        fields(reader, all);
        reader.finish();
        for (std::string& file : all.listings) manifest.run.listings.push_back({std::move(file), ""});
        cut(all, manifest);
    });
    return manifest;
}

}  // namespace warptree::trace
