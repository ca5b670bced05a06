#include "app/results/recognised.hpp"

#include <algorithm>
#include <span>

#include "instrumentation/request/inputs.hpp"

namespace warptree::study {
namespace {

constexpr const char* kNvidia =
    "; it counts kernel functions one by one, not runs: `warptree verify KERNEL` starts that profiler itself and "
    "compares "
    "its counters with Warptree's";

const std::string kDetails = std::string("it is of NVIDIA's profiler (ncu --csv, its page of details)") + kNvidia;
const std::string kRaw = std::string("it is of NVIDIA's profiler (ncu --csv, its raw page)") + kNvidia;

struct Sign {
    std::vector<std::string_view> holds;  // all of these
    std::string what;
};

bool is_one(const Sign& sign, auto&& has) {
    return std::ranges::all_of(sign.holds, has);
}

std::string found(std::span<const Sign> signs, auto&& has) {
    const auto sign = std::ranges::find_if(signs, [&](const Sign& one) { return is_one(one, has); });
    return sign == signs.end() ? "" : sign->what;
}

}  // namespace

std::string recognised_binary(std::string_view bytes) {
    if (bytes.starts_with("\x93NUMPY")) return "it is a NumPy array (.npy), which holds values: --input takes it";
    if (bytes.starts_with("PK\x03\x04"))
        return bytes.find("manifest.json") != bytes.npos
                   ? "it is a trace (.wtrace), of one run: `warptree report` and the window take it as SOURCE"
                   : "it is a zip archive, as .npz files are, too: unpack what is in it";
    if (bytes.starts_with("\x89PNG") || bytes.starts_with("%PDF")) return "it is a picture";
    if (bytes.starts_with("\x7f"
                          "ELF") ||
        bytes.starts_with("MZ"))
        return "it is a program";
    if (bytes.starts_with("NVR") || bytes.starts_with("SQLite format 3"))
        return std::string("it is a report of NVIDIA's profilers (.ncu-rep, .nsys-rep, .sqlite)") + kNvidia;
    return "";
}

std::string recognised_text(std::string_view text) {
    const auto line_begins = [&](std::string_view word) {
        const std::size_t at = text.find(word);
        return at != text.npos && (at == 0 || text[at - 1] == '\n');
    };
    if (line_begins("[[scene]]") || line_begins("teaches"))
        return "it is a lesson (TOML): --lesson takes it, and `warptree lesson check` reads it";
    if (line_begins("\"ID\",\"Process ID\"")) return text.find("\"Metric Name\"") != text.npos ? kDetails : kRaw;
    if (line_begins("==PROF==")) return std::string("it is a report of NVIDIA's profiler (ncu)") + kNvidia;
    return "";
}

std::string recognised_json(const Json& json) {
    static const std::vector<Sign> kSigns = {
        {{"context", "benchmarks"},
         "it is Google Benchmark's, as `warptree bench` without a KERNEL prints it, too: times of a program's own "
         "parts, "
         "not of kernels"},
        {{"meta", "benchmarks"}, "it is NVBench's: times of a program's own kernels, not of Warptree's"},
        {{"device", "figures"}, "it is of `warptree verify`: counters beside the hardware's, and no times"},
        {{"kernel", "steps"}, "it is a report of one run, as `warptree report --json` prints it"},
        {{"traceEvents"}, "it is a timeline for chrome://tracing"},
        {{"title", "scene"}, "it is a lesson, which is written in TOML"}};
    if (json.is_array() && !json.empty() && json[0].is_object() && json[0].contains("removes"))
        return "it is the list of the kernels, as `warptree list --json` prints it";
    if (!json.is_object()) return "";
    return found(kSigns, [&](std::string_view key) { return json.contains(std::string(key)); });
}

std::string recognised_columns(const std::vector<std::string>& columns) {
    static const std::vector<Sign> kSigns = {
        {{"Kernel Name", "Metric Name", "Metric Value"}, kDetails},
        {{"ID", "Kernel Name", "Process ID"}, kRaw},
        {{"Time (%)", "Total Time (ns)"},
         "it is of NVIDIA Nsight Systems (nsys stats): times of kernel functions, not of runs"},
        {{"Time(%)", "Calls", "Avg"}, "it is of NVIDIA's nvprof: times of kernel functions, not of runs"},
        {{"Benchmark", "Device", "GPU Time (sec)"}, "it is NVBench's: times of a program's own kernels"},
        {{"name", "iterations", "real_time"},
         "it is Google Benchmark's: times of a program's own parts, not of kernels"}};
    return found(kSigns, [&](std::string_view column) { return std::ranges::find(columns, column) != columns.end(); });
}

std::string recognised_source(std::string_view bytes) {
    if (bytes.starts_with("PK")) return "";
    const bool is_text = bytes.find('\0') == bytes.npos;  // a damaged trace holds a listing, too
    if (is_text && bytes.find("__global__") != bytes.npos)
        return "it is a CUDA program: the window, report, record, render, run and diff take it";
    if (std::string what = recognised_binary(bytes); !what.empty()) return what;
    if (std::string what = recognised_text(bytes); !what.empty()) return what;
    if (const Json json = Json::parse(bytes, nullptr, false); json.is_object()) {
        const std::string what = recognised_json(json);
        return what.empty() && json.contains("runs") ? "it holds results: --results takes it" : what;
    }
    return kernels::parse_input(bytes, "") ? "it holds values: --input takes it, after a kernel's name" : "";
}

}  // namespace warptree::study
