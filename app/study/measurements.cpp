// Reading times back, strictly: a picture of wrong figures would look like one of right ones.
#include "app/study/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/listings.hpp"

namespace warptree::study {
namespace {

using nlohmann::json;

/// The fields of one object, each asked for once; the first that is wrong is remembered.
class Fields {
public:
    Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

    void text(const char* key, std::string& out) {
        if (const json* field = at(key, "a text", &json::is_string)) out = field->get<std::string>();
    }
    void number(const char* key, double& out) {
        const json* field = at(key, "a number above 0", &json::is_number);
        if (field == nullptr) return;
        out = field->get<double>();
        if (!std::isfinite(out) || out <= 0) wrong(fmt::format("{} = {}, where a number above 0 stands", key, out));
    }
    template <class Whole>
    void whole(const char* key, std::uint64_t most, Whole& out) {
        const json* field = at(key, "a whole number", &json::is_number_unsigned);
        if (field == nullptr) return;
        const auto value = field->get<std::uint64_t>();
        if (value > most) return wrong(fmt::format("{} = {}, where at most {} is right", key, value, most));
        out = static_cast<Whole>(value);
    }
    void truth(const char* key, bool& out) {
        if (const json* field = at(key, "true or false", &json::is_boolean)) out = field->get<bool>();
    }
    const json* list(const char* key) { return at(key, "a list", &json::is_array); }
    bool has(const char* key) const { return object_.is_object() && object_.contains(key); }
    void wrong(const std::string& what) {
        if (problem_.empty()) problem_ = fmt::format("{} has {}", where_, what);
    }
    /// What is wrong; "" where nothing is, and every field was asked for.
    std::string problem() {
        if (problem_.empty())
            for (const auto& [key, value] : object_.items())
                if (std::ranges::find(asked_, key) == asked_.end())
                    wrong(fmt::format("a field {}, which no results file has", key));
        return problem_;
    }

private:
    const json* at(const char* key, const char* kind, bool (json::*is)() const noexcept) {
        asked_.emplace_back(key);
        if (has(key) && (object_[key].*is)()) return &object_[key];
        wrong(has(key) ? fmt::format("{} = {}, where {} stands", key, object_[key].dump(), kind)
                       : fmt::format("no {}: {}", key, kind));
        return nullptr;
    }
    const json& object_;
    std::string where_, problem_;
    std::vector<std::string> asked_;
};

void check(const kernels::Timing& t, Fields& fields) {
    if (kernels::find(t.kernel) == nullptr && !is_reference(t))
        return fields.wrong(fmt::format("kernel = {}, which is no kernel and none of the references {}", t.kernel,
                                        fmt::join(kernels::references(kernels::Backend::kCuda), ", ")));
    if (t.n == 0) return fields.wrong("n = 0, where at least 1 is right");
    if (t.ms_min > t.ms_median || t.ms_median > t.ms_max)
        return fields.wrong(fmt::format("ms_min = {}, ms_median = {}, ms_max = {}, which do not ascend", t.ms_min,
                                        t.ms_median, t.ms_max));
    const double right = kernels::bytes_moved(t.kernel, t.type, t.n) / t.ms_median / 1e6;
    if (!(std::abs(t.gb_per_s / right - 1) < 0.01))  // published figures are rounded
        fields.wrong(fmt::format("gb_per_s = {}, where {:.3f} goes with {} ms", t.gb_per_s, right, t.ms_median));
}

kernels::Timing read_run(const json& object, const std::string& where, std::string& problem) {
    Fields fields(object, where);
    kernels::Timing t;
    std::string type, cache;
    fields.text("kernel", t.kernel);
    fields.text("type", type);
    fields.whole("n", std::uint64_t{1} << 32, t.n);
    fields.whole("block", 1024, t.block);
    fields.text("cache", cache);
    fields.number("ms_min", t.ms_min);
    fields.number("ms_median", t.ms_median);
    fields.number("ms_max", t.ms_max);
    fields.number("gb_per_s", t.gb_per_s);
    fields.truth("correct", t.correct);
    t.type = type == "int32" ? value::Type::kInt32 : value::Type::kFloat32;
    if (type != "float32" && type != "int32")
        fields.wrong(fmt::format("type = {}, where float32 or int32 is right", type));
    if (cache != "warm" && cache != "cold") fields.wrong(fmt::format("cache = {}, where warm or cold is right", cache));
    t.cold = cache == "cold";
    check(t, fields);
    problem = fields.problem();
    return t;
}

std::vector<Measurements> read_shipped() {
    std::map<std::string_view, std::string> files;
    for (const kernels::Listing& part : kernels::kAssets)
        if (part.name.starts_with("assets/results/")) files[part.name] += part.text;
    std::vector<Measurements> all;
    for (const auto& [name, text] : files) {
        auto one = read_measurements(text, name);
        if (!one) continue;  // measurements_test reads each
        const auto same = std::ranges::find(all, one->device, &Measurements::device);
        if (same == all.end())
            all.push_back(std::move(*one));
        else
            overlay(*same, std::move(*one));
    }
    return all;
}

}  // namespace

bool is_reference(const kernels::Timing& timing) {
    const auto all = kernels::references(kernels::Backend::kCuda);
    return std::ranges::find(all, timing.kernel) != all.end();
}

bool same_run(const kernels::Timing& a, const kernels::Timing& b) {
    return a.kernel == b.kernel && a.type == b.type && a.n == b.n && a.cold == b.cold;
}

Result<Measurements> read_measurements(std::string_view text, std::string_view name) {
    const auto refused = [&](const std::string& what) {
        return failure(fmt::format(
            "{} cannot be read as results: {}. `warptree bench KERNEL... --out FILE` writes one.", name, what));
    };
    const json file = json::parse(text, nullptr, false);
    if (!file.is_object()) return refused("it is no JSON object");
    Measurements m;
    Fields fields(file, "it");
    fields.text("device", m.device);
    fields.text("driver", m.driver);
    fields.text("date", m.date);
    fields.text("command", m.command);
    fields.number("limit_gb_per_s", m.limit_gb_per_s);
    if (fields.has("limit_of")) fields.text("limit_of", m.limit_of);
    const json* runs = fields.list("runs");
    if (m.device.empty()) fields.wrong("no name of its device");
    if (std::string problem = fields.problem(); !problem.empty()) return refused(problem);
    for (const json& run : *runs) {
        const std::string where = fmt::format("runs[{}]", m.runs.size());
        if (!run.is_object()) return refused(where + " is no object");
        std::string problem;
        kernels::Timing t = read_run(run, where, problem);
        if (!problem.empty()) return refused(problem);
        if (std::ranges::any_of(m.runs, [&](const kernels::Timing& other) { return same_run(t, other); }))
            return refused(fmt::format("{} is there twice: {}, {}, N = {}, {}", where, t.kernel, value::name(t.type),
                                       t.n, t.cold ? "cold" : "warm"));
        m.runs.push_back(std::move(t));
    }
    if (m.runs.empty()) return refused("it has no runs");
    return m;
}

void overlay(Measurements& below, Measurements above) {
    for (kernels::Timing& t : above.runs) {
        const auto same = std::ranges::find_if(below.runs, [&](const auto& other) { return same_run(t, other); });
        if (same == below.runs.end())
            below.runs.push_back(std::move(t));
        else
            *same = std::move(t);
    }
    below.limit_gb_per_s = std::max(below.limit_gb_per_s, above.limit_gb_per_s);
    if (below.command != above.command) below.command += "; " + above.command;
    below.date = std::max(below.date, above.date);
}

const std::vector<Measurements>& shipped_measurements() {
    static const std::vector<Measurements> all = read_shipped();
    return all;
}

}  // namespace warptree::study
