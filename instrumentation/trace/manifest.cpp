// manifest.json, written and read.
#include "instrumentation/trace/manifest.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/trace/manifest_fields.hpp"
#include "instrumentation/trace/validate.hpp"

namespace warptree::trace {
namespace {

constexpr std::string_view kFormat = "warptree trace";
constexpr std::string_view kKeptRows = "of these blocks alone; total_*.npy are over the whole grid";

// ---- what there is, both ways ----

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
    f("kernel", l.kernel), f("n", l.n), f("warp_size", l.warp_size), f("type", l.type), f("op", l.op);
    f("input", l.input), f("seed", l.seed), f("thread_order", l.thread_order);
    f.unusual("rounded", l.rounded.values, std::uint64_t{0});
    f.unusual("given_exact", l.rounded.exact, std::string());
    f.unusual("held_by", l.rounded.held_by, std::string());
    f.unusual("problem", l.problem, value::Problem::kReduction);
    if (const std::string_view encoding = encoding_of(l); !encoding.empty()) f.constant("values", encoding);
}
template <class F>
void own_fields(F& f, Launch& l) {
    f("grid", l.grid), f("block", l.block), f("coarsen", l.coarsen);
    f("without_barrier_line", l.without_barrier_line), f.unusual("cluster", l.cluster, std::uint32_t{1});
}

/// What chance decided.
void chance_fields(Writer& to, Launch& l) {
    if (l.last_block) to("last_block", *l.last_block);
    if (!l.waits.empty()) to.values("waits", "numbers of tiles", l.waits);
    if (!l.told.empty()) to.values("told", "nanoseconds", l.told);
}
void chance_fields(Fields& from, Launch& l) {
    if (from.has("last_block")) from("last_block", l.last_block.emplace());
    if (from.has("waits")) from.values("waits", "numbers of tiles", l.waits);
    if (from.has("told")) from.values("told", "nanoseconds", l.told);
}

template <class F>
void recorder_fields(F& f, Launch& l) {
    f("backend", l.backend), f("device", l.device), f("driver", l.driver), f("build", l.build);
}

template <class F>
void fields(F& f, Array& array) {
    f("name", array.name), f("space", array.space), f("role", array.role);
    f("extent", array.extent), f.own_type("type", array.type);
}

template <class F>
void fields(F& f, Site& site) {
    f("line", site.line), f("kind", site.kind);
    f.array_id("array", site.array);
    f("occurrence", site.occurrence);
    f.unusual("remote", site.remote, false);
    f.unusual("width", site.width, std::uint16_t{1});
    f.unusual("op", site.op, Operator::kLaunch);
}

template <class F>
void fields(F& f, Step& step) {
    f("phase", step.phase), f("stride", step.stride), f("line", step.line);
}

/// What a launch may lack.
template <class F>
void kept_fields(F& f, std::optional<Kept>& kept) {
    f.optional("kept", kept, [](auto& inner, Kept& of) {
        inner.values("blocks", "block numbers", of.blocks);
        inner.constant("rows", kKeptRows);
    });
}

/// Where the part of a launch begins, and its arrays as the run numbers them.
struct Part {
    std::uint64_t first_step = 0, first_row = 0, first_site = 0;
    std::vector<std::uint8_t> arrays;
};

/// All that is of one launch alone.
template <class F>
void entry_fields(F& f, Trace& trace, Part& part) {
    f("function", trace.launch.function), f("processor", trace.launch.processor);
    own_fields(f, trace.launch);
    f("first_step", part.first_step), f("first_row", part.first_row), f("first_site", part.first_site);
    f.values("arrays", "array numbers", part.arrays);
    chance_fields(f, trace.launch);
    kept_fields(f, trace.kept);
}

// ---- writing ----

template <class T>
Json table(const std::vector<T>& entries) {
    Json list = Json::array();
    for (T entry : entries) {
        Writer writer;
        fields(writer, entry);
        list.push_back(std::move(writer.json));
    }
    return list;
}

/// What is of each launch alone.
Json launch_entries(const Run& run, const Layout& layout) {
    Json entries = Json::array();
    Part part;
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const Trace& trace = run.launches[i];
        Trace described;  // without its rows
        described.launch = trace.launch;
        described.kept = trace.kept;
        part.arrays.assign(layout.places[i].begin(), layout.places[i].end());
        Writer entry;
        entry_fields(entry, described, part);
        entries.push_back(std::move(entry.json));
        part.first_step += trace.steps.size();
        part.first_row += trace.rows();
        part.first_site += trace.sites.size();
    }
    return entries;
}

/// The sites of all launches, with arrays as the run numbers them.
std::vector<Site> sites_of(const Run& run, const Layout& layout) {
    std::vector<Site> sites;
    for (std::size_t i = 0; i < run.launches.size(); ++i)
        for (const Site& site : run.launches[i].sites) {
            sites.push_back(site);
            if (site.array != Site::kNoArray)
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

/// One of the run's tables.
template <class T>
void read_table(Fields& from, const char* key, std::vector<T>& table) {
    from.list(key, [&table](Fields& entry) { fields(entry, table.emplace_back()); });
}

/// Before anything else: is it this format?
/// returns  the schema
std::uint32_t read_schema(Fields& from) {
    from.constant("format", kFormat);
    std::uint32_t schema = 0;
    from("schema", schema);
    return schema;
}

/// A manifest is read only where it has the shape of one: the JSON library goes down into what is nested, and looks for
/// every key among those before it.
Json parse(std::string_view json) {
    static constexpr int kDeepest = 8;
    static constexpr std::size_t kMostKeys = 64;  // of an object
    std::vector<std::set<std::string>> keys;      // of the objects that are open
    Json document = read_json(json, [&keys](int depth, Json::parse_event_t event, const Json& parsed) {
        if (depth > kDeepest) refuse("it is nested more than {} deep", kDeepest);
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event != Json::parse_event_t::key) return true;
        const auto& key = parsed.get_ref<const std::string&>();
        if (!keys.back().insert(key).second) refuse("the key {} stands twice in one object", json_shown(key));
        if (keys.back().size() > kMostKeys) refuse("an object has more than {} keys", kMostKeys);
        return true;
    });
    if (document.is_discarded()) refuse("it is not JSON");
    return document;
}

void check_order(const Part& part, const Part& next, std::size_t i) {
    const std::tuple<std::string_view, std::uint64_t, std::uint64_t> firsts[] = {
        {"first_step", part.first_step, next.first_step},
        {"first_row", part.first_row, next.first_row},
        {"first_site", part.first_site, next.first_site}};
    for (const auto& [key, first, end] : firsts)
        if (first > end) refuse("launches[{}].{} is {}, but its part ends at {}", i, key, first, end);
}

/// Gives a launch its part of the run's tables.
void take_part(const Trace& whole, const Part& from, const Part& to, std::size_t i, Trace& launch) {
    if (from.arrays.size() > whole.arrays.size())
        refuse("launches[{}].arrays has {} entries, but {} arrays are listed", i, from.arrays.size(),
               whole.arrays.size());
    for (const std::uint8_t place : from.arrays) {
        if (place >= whole.arrays.size())
            refuse("launches[{}].arrays names array {}, but {} are listed", i, place, whole.arrays.size());
        launch.arrays.push_back(whole.arrays[place]);
    }
    for (std::uint64_t id = from.first_site; id < to.first_site; ++id) {
        Site& site = launch.sites.emplace_back(whole.sites[id]);
        if (site.array == Site::kNoArray) continue;
        const auto own = std::find(from.arrays.begin(), from.arrays.end(), site.array);
        if (own == from.arrays.end())
            refuse("sites[{}] is of array {}, which launches[{}].arrays does not name", id, site.array, i);
        site.array = static_cast<std::uint8_t>(own - from.arrays.begin());
    }
    const auto steps = whole.steps.begin();
    launch.steps.assign(steps + static_cast<std::ptrdiff_t>(from.first_step),
                        steps + static_cast<std::ptrdiff_t>(to.first_step));
}

/// Cuts the tables of a run into those of its launches.
/// parts  (launches + 1,) the last: where all ends
void cut(const Trace& whole, const std::vector<Part>& parts, Manifest& manifest) {
    std::vector<Trace>& launches = manifest.run.launches;
    if (launches.empty()) refuse("launches is empty; a run has at least one");
    if (parts[0].first_step != 0 || parts[0].first_row != 0 || parts[0].first_site != 0)
        refuse("launches[0] has to begin with the first step, row and site");
    for (std::size_t i = 0; i < launches.size(); ++i) check_order(parts[i], parts[i + 1], i);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        take_part(whole, parts[i], parts[i + 1], i, launches[i]);
        manifest.rows.push_back(parts[i + 1].first_row - parts[i].first_row);
    }
    const Layout layout = layout_of(manifest.run);
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (!std::equal(layout.places[i].begin(), layout.places[i].end(), parts[i].arrays.begin()))
            refuse(
                "launches[{}].arrays does not fit: arrays are listed in the order in which launches name them, global "
                "ones once for all, shared ones for one launch each",
                i);
    if (layout.arrays.size() != whole.arrays.size())
        refuse("{} arrays are listed, but launches name {}", whole.arrays.size(), layout.arrays.size());
}

/// The launches, and the listings.
/// whole    what launches have in common
/// returns  (launches,) which part of the run's tables is each one's
std::vector<Part> read_launches(Fields& fields, const Trace& whole, Run& run) {
    std::vector<Part> parts;
    fields.list(
        "launches",
        [&](Fields& from) {
            Trace& trace = run.launches.emplace_back();
            trace.launch = whole.launch;
            entry_fields(from, trace, parts.emplace_back());
        },
        kMostLaunches);
    std::vector<std::string> listings;
    fields.values("listings", "texts", listings);
    for (std::string& file : listings) run.listings.push_back({std::move(file), ""});
    return parts;
}

Manifest read_run(const Json& document) {
    Fields fields(document);
    read_schema(fields);
    Manifest manifest;
    Trace whole;
    std::uint64_t rows = 0;
    fields("rows", rows);
    fields.object("launch", [&](Fields& from) { common_fields(from, whole.launch); });
    fields.object("recorded_by", [&](Fields& from) { recorder_fields(from, whole.launch); });
    read_table(fields, "arrays", whole.arrays);
    read_table(fields, "sites", whole.sites);
    read_table(fields, "steps", whole.steps);
    std::vector<Part> parts = read_launches(fields, whole, manifest.run);
    fields.finish();
    parts.push_back({whole.steps.size(), rows, whole.sites.size(), {}});
    cut(whole, parts, manifest);
    return manifest;
}

}  // namespace

bool is_utf8(std::string_view text) {
    try {
        return !json_text(Json(text)).empty();
    } catch (const Json::exception&) {
        return false;
    }
}

std::string write_manifest(const Run& run, const Layout& layout) try {
    std::size_t rows = 0;
    std::vector<Step> steps;
    for (const Trace& trace : run.launches) {
        rows += trace.rows();
        steps.insert(steps.end(), trace.steps.begin(), trace.steps.end());
    }
    Launch described = run.launch();
    Writer out, launch, recorded_by;
    common_fields(launch, described);
    recorder_fields(recorded_by, described);
    std::vector<std::string> listings;
    for (const Listing& listing : run.listings) listings.push_back(listing.file);
    out.constant("format", kFormat);
    out("schema", kSchemaVersion), out("rows", rows), out("launch", launch.json);
    out("launches", launch_entries(run, layout)), out("recorded_by", recorded_by.json);
    out.values("listings", "texts", listings);
    out("arrays", table(layout.arrays)), out("sites", table(sites_of(run, layout))), out("steps", table(steps));
    return lines(out.json);
} catch (const Json::exception&) {
    refuse("one of its texts is not UTF-8");
}

Manifest read_manifest(std::string_view json) {
    Json document;
    std::uint32_t schema = 0;
    within(kManifestName, [&] {
        document = parse(json);
        Fields fields(document);
        schema = read_schema(fields);
    });
    if (schema != kSchemaVersion)
        refuse("it is of schema {}, which {} reads; this one reads schema {}", schema,
               schema < kSchemaVersion ? "Warptree 0.1" : "a newer Warptree", kSchemaVersion);
    Manifest manifest;
    within(kManifestName, [&] { manifest = read_run(document); });
    return manifest;
}

}  // namespace warptree::trace
