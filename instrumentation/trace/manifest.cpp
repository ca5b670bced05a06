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
constexpr std::uint32_t kListsLaunches = 4;  // the schema from which on a file is of a run, not of one launch
constexpr std::string_view kKeptRows = "of these blocks alone; total_*.npy are over the whole grid";

/// What may differ from launch to launch. Where there is no list of launches, it stands with what they have in common.
constexpr const char* kOfEachLaunch[] = {"grid", "block", "coarsen", "without_barrier_line", "cluster"};

// ---- writing ----

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

Json launch_json(const Launch& launch) {
    Json json = {{"kernel", launch.kernel},
                 {"n", launch.n},
                 {"grid", launch.grid},
                 {"block", launch.block},
                 {"warp_size", launch.warp_size},
                 {"coarsen", launch.coarsen},
                 {"type", name(launch.type)},
                 {"op", launch.op},
                 {"input", launch.input},
                 {"seed", launch.seed},
                 {"without_barrier_line", launch.without_barrier_line},
                 {"thread_order", launch.thread_order}};
    if (launch.scans()) json["problem"] = name(launch.problem);
    if (launch.cluster != 1) json["cluster"] = launch.cluster;
    if (const std::string_view encoding = encoding_of(launch); !encoding.empty()) json["values"] = encoding;
    return json;
}

Json recorded_by_json(const Launch& launch) {
    Json json = {
        {"backend", launch.backend}, {"device", launch.device}, {"driver", launch.driver}, {"build", launch.build}};
    if (launch.last_block) json["last_block"] = *launch.last_block;
    return json;
}

/// The oldest schema that has all that a run needs: older programs go on reading what they can understand.
std::uint32_t schema_of(const Run& run) {
    const Trace& trace = run.launches.front();
    if (trace.launch.scans()) return kSchemaVersion;
    const auto is_new = [](const Site& site) { return site.kind > Kind::kWarpSync || site.width != 1; };
    const auto is_of_4 = [](const Site& site) { return site.op != Operator::kLaunch || site.kind == Kind::kVote; };
    const auto is_partial = [](const Array& array) { return array.role == Role::kPartial; };
    if (run.launches.size() > 1 || !run.listings.empty() || !trace.launch.function.empty() ||
        trace.launch.processor != Processor::kDevice ||
        std::any_of(trace.arrays.begin(), trace.arrays.end(), is_partial) ||
        std::any_of(trace.sites.begin(), trace.sites.end(), is_of_4))
        return kListsLaunches;
    if (trace.kept) return 3;
    return trace.launch.last_block || trace.launch.cluster != 1 ||
                   std::any_of(trace.sites.begin(), trace.sites.end(), is_new)
               ? 2
               : 1;
}

Json to_json(const Array& array) {
    return {{"name", array.name}, {"space", name(array.space)}, {"role", name(array.role)}, {"extent", array.extent}};
}

Json to_json(const Site& site) {
    Json json = {{"line", site.line},
                 {"kind", name(site.kind)},
                 {"array", site.array == Site::kNoArray ? Json() : Json(site.array)},
                 {"occurrence", site.occurrence}};
    if (site.remote) json["remote"] = true;
    if (site.width != 1) json["width"] = site.width;
    if (site.op != Operator::kLaunch) json["op"] = name(site.op);
    return json;
}

Json to_json(const Step& step) {
    return {{"phase", name(step.phase)}, {"stride", step.stride}, {"line", step.line}};
}

Json to_json(const Json& entry) {
    return entry;
}

Json kept_json(const Kept& kept) {
    return {{"blocks", kept.blocks}, {"rows", kKeptRows}};
}

/// All that is of one launch alone, and where its part of the columns and tables begins.
std::vector<Json> launch_entries(const Run& run, const Layout& layout) {
    std::vector<Json> entries;
    std::size_t step = 0, row = 0, site = 0;
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const Trace& trace = run.launches[i];
        Json& entry = entries.emplace_back();
        entry = {{"function", trace.launch.function}, {"processor", name(trace.launch.processor)}};
        const Json all = launch_json(trace.launch);
        for (const char* const key : kOfEachLaunch)
            if (all.contains(key)) entry[key] = all[key];
        entry.update({{"first_step", step}, {"first_row", row}, {"first_site", site}, {"arrays", layout.places[i]}});
        if (trace.launch.last_block) entry["last_block"] = *trace.launch.last_block;
        if (!trace.launch.waits.empty()) entry["waits"] = trace.launch.waits;
        if (trace.kept) entry["kept"] = kept_json(*trace.kept);
        step += trace.steps.size();
        row += trace.rows();
        site += trace.sites.size();
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

/// A list with one entry a line.
template <class T>
std::string lines(const std::vector<T>& entries) {
    std::string text = "[";
    for (std::size_t i = 0; i < entries.size(); ++i)
        text += (i == 0 ? "\n    " : ",\n    ") + to_json(entries[i]).dump();
    return text + (entries.empty() ? "]" : "\n  ]");
}

/// What describes a run: with a list of its launches where the schema has one.
std::string launches_text(const Run& run, const Layout& layout, bool listed) {
    Json launch = launch_json(run.launch()), recorded_by = recorded_by_json(run.launch());
    if (!listed) {
        const std::optional<Kept>& kept = run.launches.front().kept;
        return fmt::format("{}  \"launch\": {},\n  \"recorded_by\": {}",
                           kept ? fmt::format("  \"kept\": {},\n", kept_json(*kept).dump()) : "", launch.dump(),
                           recorded_by.dump());
    }
    for (const char* const key : kOfEachLaunch) launch.erase(key);
    recorded_by.erase("last_block");
    Json listings = Json::array();
    for (const Listing& listing : run.listings) listings.push_back(listing.file);
    return fmt::format("  \"launch\": {},\n  \"launches\": {},\n  \"recorded_by\": {},\n  \"listings\": {}",
                       launch.dump(), lines(launch_entries(run, layout)), recorded_by.dump(), listings.dump());
}

// ---- reading ----

void read_launch(Fields& from, Launch& launch) {
    from.text("kernel", launch.kernel);
    if (from.has("problem")) from.choice("problem", launch.problem);
    from.number("n", launch.n);
    from.number("warp_size", launch.warp_size);
    from.choice("type", launch.type);
    from.text("op", launch.op);
    from.text("input", launch.input);
    from.number("seed", launch.seed);
    from.text("thread_order", launch.thread_order);
    const std::string_view encoding = encoding_of(launch);
    if (encoding.empty()) return;
    std::string values;
    from.text("values", values);
    if (values != encoding) from.fail("values", fmt::format("\"{}\"", encoding));
}

/// kOfEachLaunch
void read_shape(Fields& from, Launch& launch) {
    from.number("grid", launch.grid);
    from.number("block", launch.block);
    from.number("coarsen", launch.coarsen);
    from.number("without_barrier_line", launch.without_barrier_line);
    if (from.has("cluster")) from.number("cluster", launch.cluster);
}

void read_recorded_by(Fields& from, Launch& launch) {
    from.text("backend", launch.backend);
    from.text("device", launch.device);
    from.text("driver", launch.driver);
    from.text("build", launch.build);
}

/// What a launch may lack.
void read_extras(Fields& in_launch, Fields& in_kept, Trace& trace) {
    if (in_launch.has("last_block")) in_launch.number("last_block", trace.launch.last_block.emplace());
    if (in_launch.has("waits")) in_launch.numbers("waits", "wait", trace.launch.waits);
    if (!in_kept.has("kept")) return;
    in_kept.object("kept", [&trace](Fields& from) {
        from.numbers("blocks", "block", trace.kept.emplace().blocks);
        std::string rows;
        from.text("rows", rows);
        if (rows != kKeptRows) from.fail("rows", fmt::format("\"{}\"", kKeptRows));
    });
}

/// Where the part of a launch begins, and its arrays as the run numbers them.
struct Part {
    std::uint64_t first_step = 0, first_row = 0, first_site = 0;
    std::vector<std::uint8_t> arrays;
};

void read_tables(Fields& from, Trace& trace) {
    from.list("arrays", [&trace](Fields& entry) {
        Array& array = trace.arrays.emplace_back();
        entry.text("name", array.name);
        entry.choice("space", array.space);
        entry.choice("role", array.role);
        entry.number("extent", array.extent);
    });
    from.list("sites", [&trace](Fields& entry) {
        Site& site = trace.sites.emplace_back();
        entry.number("line", site.line);
        entry.choice("kind", site.kind);
        entry.array_id("array", site.array);
        entry.number("occurrence", site.occurrence);
        if (entry.has("remote")) entry.truth("remote", site.remote);
        if (entry.has("width")) entry.number("width", site.width);
        if (entry.has("op")) entry.choice("op", site.op);
    });
    from.list("steps", [&trace](Fields& entry) {
        Step& step = trace.steps.emplace_back();
        entry.choice("phase", step.phase);
        entry.number("stride", step.stride);
        entry.number("line", step.line);
    });
}

/// Before anything else: is it this format, and a schema that this version knows?
/// returns  the schema
std::uint32_t read_schema(Fields& from) {
    std::string format;
    from.text("format", format);
    if (format != kFormat) from.fail("format", fmt::format("\"{}\"", kFormat));
    std::uint32_t schema = 1;
    from.number("schema", schema);
    if (schema < 1) from.fail("schema", fmt::format("a number from 1 to {}", kSchemaVersion));
    return schema;
}

/// A manifest is read only where it has the shape of one: the JSON library goes down into what is nested, and looks for
/// every key among those before it.
struct Misshapen {
    std::string why;
};
std::string shown(const std::string& key) {
    return Json(key.substr(0, 60)).dump(-1, ' ', false, Json::error_handler_t::replace);
}
Json parse(std::string_view json) {
    static constexpr int kDeepest = 8;
    static constexpr std::size_t kMostKeys = 64;  // of an object
    std::vector<std::set<std::string>> keys;      // of the objects that are open
    return Json::parse(
        json,
        [&keys](int depth, Json::parse_event_t event, const Json& parsed) {
            if (depth > kDeepest) throw Misshapen{fmt::format("it is nested more than {} deep", kDeepest)};
            if (event == Json::parse_event_t::object_start) keys.emplace_back();
            if (event == Json::parse_event_t::object_end) keys.pop_back();
            if (event != Json::parse_event_t::key) return true;
            const auto& key = parsed.get_ref<const std::string&>();
            if (!keys.back().insert(key).second)
                throw Misshapen{fmt::format("the key {} stands twice in one object", shown(key))};
            if (keys.back().size() > kMostKeys)
                throw Misshapen{fmt::format("an object has more than {} keys", kMostKeys)};
            return true;
        },
        /*allow_exceptions=*/false);
}

std::string order_problem(const Part& part, const Part& next, std::size_t i) {
    const std::tuple<std::string_view, std::uint64_t, std::uint64_t> firsts[] = {
        {"first_step", part.first_step, next.first_step},
        {"first_row", part.first_row, next.first_row},
        {"first_site", part.first_site, next.first_site}};
    for (const auto& [key, first, end] : firsts)
        if (first > end) return fmt::format("launches[{}].{} is {}, but its part ends at {}", i, key, first, end);
    return "";
}

/// Gives a launch its part of the run's tables. returns  the problem
std::string take_part(const Trace& whole, const Part& from, const Part& to, std::size_t i, Trace& launch) {
    if (from.arrays.size() > whole.arrays.size())
        return fmt::format("launches[{}].arrays has {} entries, but {} arrays are listed", i, from.arrays.size(),
                           whole.arrays.size());
    for (const std::uint8_t place : from.arrays) {
        if (place >= whole.arrays.size())
            return fmt::format("launches[{}].arrays names array {}, but {} are listed", i, place, whole.arrays.size());
        launch.arrays.push_back(whole.arrays[place]);
    }
    for (std::uint64_t id = from.first_site; id < to.first_site; ++id) {
        Site& site = launch.sites.emplace_back(whole.sites[id]);
        if (site.array == Site::kNoArray) continue;
        const auto own = std::find(from.arrays.begin(), from.arrays.end(), site.array);
        if (own == from.arrays.end())
            return fmt::format("sites[{}] is of array {}, which launches[{}].arrays does not name", id, site.array, i);
        site.array = static_cast<std::uint8_t>(own - from.arrays.begin());
    }
    const auto steps = whole.steps.begin();
    launch.steps.assign(steps + static_cast<std::ptrdiff_t>(from.first_step),
                        steps + static_cast<std::ptrdiff_t>(to.first_step));
    return "";
}

/// Cuts the tables of a run into those of its launches. returns  the problem
/// parts  (launches + 1,) the last: where all ends
std::string cut(const Trace& whole, const std::vector<Part>& parts, Manifest& manifest) {
    std::vector<Trace>& launches = manifest.run.launches;
    if (launches.empty()) return "launches is empty; a run has at least one";
    if (parts[0].first_step != 0 || parts[0].first_row != 0 || parts[0].first_site != 0)
        return "launches[0] has to begin with the first step, row and site";
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (std::string found = order_problem(parts[i], parts[i + 1], i); !found.empty()) return found;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (std::string found = take_part(whole, parts[i], parts[i + 1], i, launches[i]); !found.empty()) return found;
        manifest.rows.push_back(parts[i + 1].first_row - parts[i].first_row);
    }
    const Layout layout = layout_of(manifest.run);
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (!std::equal(layout.places[i].begin(), layout.places[i].end(), parts[i].arrays.begin()))
            return fmt::format(
                "launches[{}].arrays does not fit: arrays are listed in the order in which launches name them, global "
                "ones once for all, shared ones for one launch each",
                i);
    if (layout.arrays.size() != whole.arrays.size())
        return fmt::format("{} arrays are listed, but launches name {}", whole.arrays.size(), layout.arrays.size());
    return "";
}

/// Of schema 4: the launches, each with its own part of the tables.
/// whole  the run's tables, and what launches have in common
/// returns  the problem of what they say; that of a field stays with the fields
std::string read_launches(Fields& fields, const Trace& whole, std::uint64_t rows, Manifest& manifest) {
    std::vector<Part> parts;
    fields.list(
        "launches",
        [&](Fields& from) {
            Trace& trace = manifest.run.launches.emplace_back();
            trace.launch = whole.launch;
            from.text("function", trace.launch.function);
            from.choice("processor", trace.launch.processor);
            read_shape(from, trace.launch);
            Part& part = parts.emplace_back();
            from.number("first_step", part.first_step);
            from.number("first_row", part.first_row);
            from.number("first_site", part.first_site);
            from.numbers("arrays", "array", part.arrays);
            read_extras(from, from, trace);
        },
        kMostLaunches);
    std::vector<std::string> listings;
    fields.texts("listings", listings);
    for (std::string& file : listings) manifest.run.listings.push_back({std::move(file), ""});
    if (!fields.sound()) return "";
    parts.push_back({whole.steps.size(), rows, whole.sites.size(), {}});
    return cut(whole, parts, manifest);
}

}  // namespace

bool is_utf8(std::string_view text) {
    try {
        return !Json(text).dump().empty();
    } catch (const Json::exception&) {
        return false;
    }
}

tl::expected<std::string, std::string> write_manifest(const Run& run, const Layout& layout) {
    try {
        std::size_t rows = 0;
        std::vector<Step> steps;
        for (const Trace& trace : run.launches) {
            rows += trace.rows();
            steps.insert(steps.end(), trace.steps.begin(), trace.steps.end());
        }
        const std::uint32_t schema = schema_of(run);
        return fmt::format(
            "{{\n  \"format\": \"{}\",\n  \"schema\": {},\n  \"rows\": {},\n{},\n"
            "  \"arrays\": {},\n  \"sites\": {},\n  \"steps\": {}\n}}\n",
            kFormat, schema, rows, launches_text(run, layout, schema >= kListsLaunches), lines(layout.arrays),
            lines(sites_of(run, layout)), lines(steps));
    } catch (const Json::exception&) {
        return tl::unexpected<std::string>("one of its texts is not UTF-8");
    }
}

tl::expected<Manifest, std::string> read_manifest(std::string_view json) {
    const auto refuse = [](std::string_view why) {
        return tl::unexpected<std::string>(fmt::format("{}: {}", kManifestName, why));
    };
    Json document;
    try {
        document = parse(json);
    } catch (const Misshapen& shape) {
        return refuse(shape.why);
    }
    if (document.is_discarded()) return refuse("it is not JSON");
    std::string problem;
    Fields fields(document, "", problem);
    const std::uint32_t schema = read_schema(fields);
    if (problem.empty() && schema > kSchemaVersion)
        return tl::unexpected<std::string>(fmt::format(
            "it was written by a newer Warptree (schema {}; this one reads up to {})", schema, kSchemaVersion));
    Manifest manifest;
    Trace whole;
    std::uint64_t rows = 0;
    const bool listed = schema >= kListsLaunches;
    fields.number("rows", rows);
    fields.object("launch", [&](Fields& from) {
        read_launch(from, whole.launch);
        if (!listed) read_shape(from, whole.launch);
    });
    fields.object("recorded_by", [&](Fields& from) {
        read_recorded_by(from, whole.launch);
        if (!listed) read_extras(from, fields, whole);
    });
    read_tables(fields, whole);
    std::string found = listed ? read_launches(fields, whole, rows, manifest) : "";
    fields.finish();
    if (problem.empty()) problem = std::move(found);
    if (!problem.empty()) return refuse(problem);
    if (!listed) manifest = {run_of(std::move(whole)), {rows}};
    if (const std::uint32_t own = schema_of(manifest.run); schema != own)
        return refuse(fmt::format("schema is {}, but what it describes is of schema {}", schema, own));
    return manifest;
}

}  // namespace warptree::trace
