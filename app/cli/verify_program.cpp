#include "app/cli/verify_program.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/cli/errors.hpp"
#include "app/cli/program.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLaunches = 200;  // each is run again for every few counters

/// A kernel's name without what stands around it: "void app::sum<float>(float *)" is "sum".
std::string_view bare(std::string_view name) {
    name = name.substr(0, name.find_first_of("<("));
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    return name.substr(name.find_last_of(" :") + 1);  // npos + 1 is 0
}

/// A folder that goes with it.
class Scratch {
public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "warptree-verify-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw Error{Error::Kind::kFailed, "No folder can be made in " + fs::temp_directory_path().string() + "."};
        path = name;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    fs::path path;
};

/// Where CUDA's compiler is.
std::string find_nvcc() {
    for (const char* nvcc : {"nvcc", "/usr/local/cuda/bin/nvcc"})
        if (output_of(fmt::format("{} --version 2>/dev/null", nvcc)).value_or("").find("release") != std::string::npos)
            return nvcc;
    throw Error{Error::Kind::kFailed,
                "nvcc is not found: verify compiles the program with the CUDA Toolkit, which has to be installed."};
}

/// Builds the files unchanged and profiles what they do.
/// how  "-G", or nothing
std::vector<Profile> profile(const SourceOptions& source, const std::vector<fs::path>& files, const std::string& nvcc,
                             const std::string& how, const fs::path& folder) {
    const fs::path program = folder / ("program" + how);
    std::string build = fmt::format("{} -arch=native {} -o {}", nvcc, how, shell_word(program.string()));
    for (const std::string& define : source.program.defines) build += " " + shell_word("-D" + define);
    for (const std::string& include : source.program.folders) build += " " + shell_word("-I" + include);
    for (const fs::path& file : files)
        if (foreign::is_program_file(file)) build += " " + shell_word(file.string());
    const std::string said = output_of(build + " 2>&1").value_or("");
    if (!fs::exists(program))
        throw Error{Error::Kind::kFailed, fmt::format("nvcc does not compile {}:\n{}", source.source, said)};
    std::string run = shell_word(program.string());
    for (const std::string& argument : source.program.arguments) run += " " + shell_word(argument);
    const std::string text =
        output_of(fmt::format("cd {} && {}", shell_word(folder.string()), profiled(run, kMostLaunches))).value_or("");
    auto profiles = parse_profiles(text);
    if (!profiles) throw Error{Error::Kind::kFailed, profiles.error().message + "\n" + text.substr(0, 600)};
    return std::move(*profiles);
}

std::string verdict(const ProgramFigure& f) {
    if (f.compilers())
        return fmt::format("the compiler's doing: as it is written, without optimisation, the hardware counts {} too",
                           study::grouped(f.written));
    if (f.chance())
        return fmt::format("chance: the same program once more makes the hardware count {}", study::grouped(f.again));
    return fmt::format("DIFFERS ({} without optimisation)", study::grouped(f.written));
}

/// before  the file as it was; what it has of other programs on the same device stays
std::string to_json(const std::vector<ProgramFigure>& figures, const std::string& file, const std::string& device,
                    std::string_view before) {
    const Json old = read_json(before);
    Json json{{"device", device}, {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))}};
    Json& programs = json["programs"] = Json::object();
    if (old.is_object() && old.value("device", "") == device && old.contains("programs")) programs = old["programs"];
    Json& own = programs[file] = Json::array();
    for (const ProgramFigure& f : figures)
        own.push_back({{"launch", f.launch},
                       {"kernel", f.kernel},
                       {"counter", f.counter},
                       {"ours", f.ours},
                       {"hardware", f.optimised},
                       {"hardware_again", f.again},
                       {"without_optimisation", f.written}});
    return json_text(json, 1) + "\n";
}

}  // namespace

std::vector<ProgramFigure> compare(const trace::Run& run, const std::vector<Profile>& written,
                                   const std::vector<Profile>& optimised, const std::vector<Profile>& again) {
    std::vector<ProgramFigure> figures;
    const std::vector<Profile>* const runs[] = {&written, &optimised, &again};
    std::size_t next[] = {0, 0, 0};
    for (std::size_t launch = 0; launch < run.launches.size(); ++launch) {
        const trace::Trace& trace = run.launches[launch];
        if (trace.launch.processor == trace::Processor::kHost) continue;
        const Profile* found[] = {nullptr, nullptr, nullptr};
        for (std::size_t i = 0; i < std::size(runs); ++i)
            for (std::size_t at = next[i]; at < runs[i]->size() && found[i] == nullptr; ++at)
                if (bare((*runs[i])[at].kernel) == bare(trace.launch.function))
                    found[i] = &(*runs[i])[at], next[i] = at + 1;
        if (std::ranges::find(found, nullptr) != std::end(found)) continue;
        const counters::Summary summary = counters::count(trace);
        for (const Metric& metric : metrics()) {
            if (metric.counter == "divergent_branches") continue;  // of branches; ours are warps, however they branch
            const std::string key(metric.metric);
            if (std::ranges::any_of(found, [&](const Profile* one) { return !one->values.contains(key); })) continue;
            figures.push_back({launch, std::string(bare(trace.launch.function)), metric.counter, metric.ours(summary),
                               found[0]->values.at(key), found[1]->values.at(key), found[2]->values.at(key)});
        }
    }
    return figures;
}

bool verify_program(const SourceOptions& source, const std::string& out) {
    std::vector<fs::path> files;
    const trace::Run run = run_of_program(source, &files);
    const std::string nvcc = find_nvcc(),
                      device = output_of("nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null")
                                   .value_or("");
    if (device.find(',') == std::string::npos)
        throw Error{Error::Kind::kFailed, "No NVIDIA GPU is found here: nvidia-smi names none."};
    const std::string name = device.substr(0, device.find('\n'));
    const Scratch scratch;
    taken(foreign::give({source.program.data.begin(), source.program.data.end()}, scratch.path));
    const auto written = profile(source, files, nvcc, "-G", scratch.path),
               optimised = profile(source, files, nvcc, "", scratch.path);
    std::vector<ProgramFigure> figures = compare(run, written, optimised, optimised);
    if (std::ranges::any_of(figures, &ProgramFigure::unexplained))
        figures = compare(run, written, optimised, profile(source, files, nvcc, "", scratch.path));
    if (figures.empty())
        throw Error{Error::Kind::kFailed,
                    fmt::format("No launch of {} was found among those that NVIDIA's profiler saw.", source.source)};
    fmt::print("{:>6} {:<20} {:<20} {:>12} {:>12}\n", "launch", "kernel", "counter", "ours", "hardware");
    for (const ProgramFigure& f : figures)
        if (!f.equal())
            fmt::print("{:>6} {:<20} {:<20} {:>12} {:>12}  {}\n", f.launch + 1, f.kernel, f.counter, f.ours,
                       f.optimised, verdict(f));
    const auto count = [&](auto is) { return std::ranges::count_if(figures, is); };
    fmt::print("{}: {} equal, {} the compiler's doing, {} chance, {} unexplained ({})\n",
               study::counted(figures.size(), "figure"), count(&ProgramFigure::equal), count(&ProgramFigure::compilers),
               count(&ProgramFigure::chance), count(&ProgramFigure::unexplained), name);
    if (!out.empty()) {
        std::ifstream file(out, std::ios::binary);
        std::string own = fs::path(source.source).filename().string();
        for (const std::string& argument : source.program.arguments) own += " " + argument;
        const std::string json = to_json(figures, own, name, std::string(std::istreambuf_iterator<char>(file), {}));
        taken(trace::write_durably(out, std::as_bytes(std::span(json))));
    }
    return count(&ProgramFigure::unexplained) == 0;
}

}  // namespace warptree::cli
