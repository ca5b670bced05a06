// manifest.json, written and read.
#include "instrumentation/trace/manifest.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warptree::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "warptree trace";
constexpr std::string_view kKeptRows = "of these blocks alone; total_*.npy are over the whole grid";

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

/// The oldest schema that has all that a trace needs: older programs go on reading what they can understand.
int schema_of(const Trace& trace) {
    const auto is_new = [](const Site& site) { return site.kind > Kind::kWarpSync || site.width != 1; };
    const auto is_of_4 = [](const Site& site) { return site.op != Operator::kLaunch || site.kind == Kind::kVote; };
    if (std::any_of(trace.sites.begin(), trace.sites.end(), is_of_4)) return 4;
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

/// Which rows there are; "" where all are.
std::string kept_text(const Trace& trace) {
    if (!trace.kept) return "";
    const Json json = {{"blocks", trace.kept->blocks}, {"rows", kKeptRows}};
    return fmt::format("  \"kept\": {},\n", json.dump());
}

/// A list with one entry a line.
template <class T>
std::string lines(const std::vector<T>& entries) {
    std::string text = "[";
    for (std::size_t i = 0; i < entries.size(); ++i)
        text += (i == 0 ? "\n    " : ",\n    ") + to_json(entries[i]).dump();
    return text + (entries.empty() ? "]" : "\n  ]");
}

// ---- reading ----

/// Every value that an enumeration can take, in order of their numbers.
template <class E>
constexpr std::size_t kChoices = 0;
template <>
constexpr std::size_t kChoices<Kind> = 11;
template <>
constexpr std::size_t kChoices<Operator> = kOperators;
template <>
constexpr std::size_t kChoices<Space> = 2;
template <>
constexpr std::size_t kChoices<Role> = 3;
template <>
constexpr std::size_t kChoices<Phase> = 8;
template <>
constexpr std::size_t kChoices<Type> = value::kChosenTypes.size();

/// Takes the fields of one object. The first problem stays in `problem`, shared by all readers of a manifest; after
/// it, every call is without effect.
class Fields {
public:
    Fields(const Json& object, std::string where, std::string& problem)
        : object_(object), where_(std::move(where)), problem_(problem) {
        if (!object_.is_object()) fail("", "an object");
    }

    /// Whether a field that may be missing is there.
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }

    template <class T>
    void number(const char* key, T& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        constexpr std::uint64_t kMost = std::numeric_limits<T>::max();
        if (!value->is_number_unsigned() || value->get<std::uint64_t>() > kMost)
            return fail(key, fmt::format("a whole number from 0 to {}", kMost));
        to = static_cast<T>(value->get<std::uint64_t>());
    }
    /// null stands for Site::kNoArray
    void array_id(const char* key, std::uint8_t& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (value->is_null()) {
            to = Site::kNoArray;
        } else if (value->is_number_unsigned() && value->get<std::uint64_t>() < Site::kNoArray) {
            to = static_cast<std::uint8_t>(value->get<std::uint64_t>());
        } else {
            fail(key, "an array's number or null");
        }
    }
    void truth(const char* key, bool& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_boolean()) return fail(key, "true or false");
        to = value->get<bool>();
    }
    void text(const char* key, std::string& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_string()) return fail(key, "a text");
        to = value->get<std::string>();
    }
    template <class E>
    void choice(const char* key, E& to) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        std::string known;
        for (std::size_t i = 0; i < kChoices<E>; ++i) {
            const auto candidate = static_cast<E>(i);
            if (value->is_string() && value->get_ref<const std::string&>() == name(candidate)) {
                to = candidate;
                return;
            }
            known += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == kChoices<E> ? " or " : ", ", name(candidate));
        }
        fail(key, known);
    }
    /// returns  the field, or null where there is none
    const Json* take(const char* key) {
        if (!problem_.empty()) return nullptr;
        taken_.insert(key);
        const auto found = object_.find(key);
        if (found != object_.end()) return &*found;
        problem_ = fmt::format("{} is missing", path(key));
        return nullptr;
    }
    template <class Read>
    void list(const char* key, Read read) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        if (!value->is_array()) return fail(key, "a list");
        for (std::size_t i = 0; i < value->size() && problem_.empty(); ++i) {
            Fields entry((*value)[i], fmt::format("{}[{}]", path(key), i), problem_);
            read(entry);
            entry.finish();
        }
    }
    template <class Read>
    void object(const char* key, Read read) {
        const Json* const value = take(key);
        if (value == nullptr) return;
        Fields entry(*value, path(key), problem_);
        read(entry);
        entry.finish();
    }
    /// A field that nobody took is one that this version does not know.
    void finish() {
        if (!problem_.empty()) return;
        for (const auto& [key, value] : object_.items())
            if (!taken_.contains(key)) problem_ = fmt::format("{} is not a field of this format", path(key));
    }
    void fail(std::string_view key, std::string_view wanted) {
        if (!problem_.empty()) return;
        const auto found = object_.is_object() ? object_.find(key) : object_.end();
        std::string is =
            (found == object_.end() ? object_ : *found).dump(-1, ' ', false, Json::error_handler_t::replace);
        if (is.size() > 60) is = is.substr(0, 57) + "...";
        problem_ = fmt::format("{} is {}, but has to be {}", path(key), is, wanted);
    }

private:
    std::string path(std::string_view key) const {
        if (key.empty()) return where_.empty() ? "it" : where_;
        return where_.empty() ? std::string(key) : fmt::format("{}.{}", where_, key);
    }

    const Json& object_;
    std::string where_;
    std::string& problem_;
    std::set<std::string, std::less<>> taken_;
};

void read_launch(Fields& from, Launch& launch) {
    from.text("kernel", launch.kernel);
    from.number("n", launch.n);
    from.number("grid", launch.grid);
    from.number("block", launch.block);
    from.number("warp_size", launch.warp_size);
    from.number("coarsen", launch.coarsen);
    from.choice("type", launch.type);
    from.text("op", launch.op);
    from.text("input", launch.input);
    from.number("seed", launch.seed);
    from.number("without_barrier_line", launch.without_barrier_line);
    from.text("thread_order", launch.thread_order);
    if (from.has("cluster")) from.number("cluster", launch.cluster);
    const std::string_view encoding = encoding_of(launch);
    if (encoding.empty()) return;
    std::string values;
    from.text("values", values);
    if (values != encoding) from.fail("values", fmt::format("\"{}\"", encoding));
}

void read_recorded_by(Fields& from, Launch& launch) {
    from.text("backend", launch.backend);
    from.text("device", launch.device);
    from.text("driver", launch.driver);
    from.text("build", launch.build);
    if (from.has("last_block")) from.number("last_block", launch.last_block.emplace());
}

void read_kept(Fields& from, Kept& kept) {
    const Json* const blocks = from.take("blocks");
    if (blocks != nullptr && !blocks->is_array()) from.fail("blocks", "a list");
    for (std::size_t i = 0; blocks != nullptr && blocks->is_array() && i < blocks->size(); ++i) {
        const Json& block = (*blocks)[i];
        if (!block.is_number_unsigned() || block.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return from.fail("blocks", "a list of block numbers");
        kept.blocks.push_back(static_cast<std::uint32_t>(block.get<std::uint64_t>()));
    }
    std::string rows;
    from.text("rows", rows);
    if (rows != kKeptRows) from.fail("rows", fmt::format("\"{}\"", kKeptRows));
}

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

}  // namespace

tl::expected<std::string, std::string> write_manifest(const Trace& trace) {
    try {
        return fmt::format(
            "{{\n  \"format\": \"{}\",\n  \"schema\": {},\n  \"rows\": {},\n{}  \"launch\": {},\n  \"recorded_by\": "
            "{},\n"
            "  \"arrays\": {},\n  \"sites\": {},\n  \"steps\": {}\n}}\n",
            kFormat, schema_of(trace), trace.rows(), kept_text(trace), launch_json(trace.launch).dump(),
            recorded_by_json(trace.launch).dump(), lines(trace.arrays), lines(trace.sites), lines(trace.steps));
    } catch (const Json::exception&) {
        return tl::unexpected<std::string>("one of its texts is not UTF-8");
    }
}

tl::expected<Manifest, std::string> read_manifest(std::string_view json) {
    const auto refuse = [](std::string_view why) {
        return tl::unexpected<std::string>(fmt::format("{}: {}", kManifestName, why));
    };
    const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
    if (document.is_discarded()) return refuse("it is not JSON");
    std::string problem;
    Manifest manifest;
    Fields fields(document, "", problem);
    const std::uint32_t schema = read_schema(fields);
    if (problem.empty() && schema > kSchemaVersion)
        return tl::unexpected<std::string>(fmt::format(
            "it was written by a newer Warptree (schema {}; this one reads up to {})", schema, kSchemaVersion));
    fields.number("rows", manifest.rows);
    if (fields.has("kept"))
        fields.object("kept", [&](Fields& from) { read_kept(from, manifest.trace.kept.emplace()); });
    fields.object("launch", [&](Fields& from) { read_launch(from, manifest.trace.launch); });
    fields.object("recorded_by", [&](Fields& from) { read_recorded_by(from, manifest.trace.launch); });
    read_tables(fields, manifest.trace);
    fields.finish();
    if (!problem.empty()) return refuse(problem);
    return manifest;
}

}  // namespace warptree::trace
