// Runs the plain kernels under NVIDIA's profiler and compares.
#include "app/cli/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <ranges>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/cli/errors.hpp"
#include "instrumentation/csv/csv.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

/// Why the hardware counts differently, where it is known to: an instruction of the machine code shows it.
void explain(Figure& figure, const kernels::Kernel& kernel, value::Type type, const Launched& launched,
             const MachineCode& code) {
    const auto shown = [&](std::string_view mnemonic, bool guarded, std::string reason, std::string_view operand = {}) {
        figure.instruction = code.find(kernel.name, type, figure.block, mnemonic, guarded, operand);
        if (!figure.instruction.empty()) figure.reason = std::move(reason);
    };
    if (figure.counter == "divergent_branches" && figure.hardware < figure.ours)
        shown("ST", true, "the compiler predicates the short body: no branch is left to diverge");
    if (figure.counter == "divergent_branches" && launched.tickets && figure.hardware == figure.ours + launched.blocks)
        shown("ATOMG", false, "one thread of each block draws a ticket: a branch in which no thread adds");
    const bool shared_load = figure.counter.starts_with("shared_ld_"), load = figure.counter.starts_with("global_ld_");
    if ((kernel.name == "scan-coarsened" && shared_load) || (kernel.name == "scan-sequential" && load))
        if (figure.hardware < figure.ours)
            shown("FADD", false, "what it has just stored the compiler keeps in a register, and adds to it there");
    if (kernel.name == "look-back" && load && launched.blocks > 1)
        shown("LDG.E.64.STRONG", false,
              "a tile is looked at until it has published something, which a recorded run waits for: how often is "
              "chance");
    if (kernel.name == "look-back" && shared_load && figure.hardware == figure.ours + launched.warps)
        shown("LDS", false, "the compiler loads before_s in the first block too, which then has no use for it",
              "+0x80]");  // past the 32 sums of warps
    if (figure.counter == "shared_ld_requests" && kernel.name.starts_with("harris-") &&
        figure.ours == figure.hardware + launched.blocks)
        shown("LDS.64", false, "in the last round the compiler reads sdata[0] and sdata[1] with one 64-bit load");
    if (figure.counter == "shared_st_conflicts" && figure.ours == 0 && launched.one_lane_stores)
        shown(
            "STS", true,
            "one lane of a warp stores, so no two words can meet in a bank; what the hardware counts here changes from "
            "run to run");
}

/// The run's first launch, with the grid that a recorded one has.
std::string profile_command(const std::string& program, const kernels::Request& request) {
    return "WARPTREE_USUAL_GRID=1 " +
           profiled(fmt::format("{} run {} --n {} --block {} --type {} --op {} --input {}{} --backend cuda",
                                shell_word(program), request.kernel, request.n, request.block,
                                trace::name(request.type), request.op, request.input,
                                request.coarsen == 1 ? "" : fmt::format(" --coarsen {}", request.coarsen)),
                    1);
}

/// The launches to compare: each kernel at small and large sizes, in blocks of 64, 128 and 512.
/// names  of kernels; none: of all
std::vector<kernels::Request> launches(const std::vector<std::string>& names) {
    std::vector<kernels::Request> all;
    const auto add = [&](const kernels::Kernel& kernel, std::uint64_t n, std::uint32_t block, std::uint32_t coarsen) {
        kernels::Request request;
        request.kernel = kernel.name;
        request.n = n;
        request.block = block;
        request.coarsen = coarsen;
        request.type = kernels::usual_type(kernel, request.op);
        if (const auto checked = kernels::check(request)) all.push_back(*checked);
    };
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        const kernels::Sizes& sizes = kernel.sizes;
        if (sizes.devices) continue;  // on the CPU alone so far
        if (!names.empty() && std::ranges::count(names, kernel.name) == 0) continue;
        if (sizes.single_block) {
            for (const std::uint64_t n : {64, 256, 1024, 2048}) add(kernel, n, 0, 1);
            continue;
        }
        for (const std::uint32_t block : {64u, 128u, 512u})
            for (const std::uint64_t n : {4096, 16384, 65536})
                for (const std::uint32_t coarsen : {1u, 2u, 4u})
                    if (coarsen == 1 || sizes.coarsens) add(kernel, n, block, coarsen);
    }
    return all;
}

std::string table_row(const Figure& f) {
    const char* verdict = f.reason.empty() ? "DIFFERS" : f.reason.c_str();
    return fmt::format("{:<18} {:>7} {:>6} {:>3} {:<20} {:>9} {:>9} {:>9}  {}\n", f.kernel, f.n, f.block, f.coarsen,
                       f.counter, f.ours, f.hardware,
                       static_cast<std::int64_t>(f.ours) - static_cast<std::int64_t>(f.hardware), verdict);
}

/// One line for each known difference, with how many launches show it.
void print_explained(const std::vector<Figure>& figures) {
    std::map<std::string, int> launches;
    for (const Figure& f : figures)
        if (f.explained()) ++launches[f.kernel + ", " + f.counter + ": " + f.reason + ", as in " + f.instruction];
    for (const auto& [what, count] : launches) fmt::print("{} ({} launch{})\n", what, count, count == 1 ? "" : "es");
}

/// before  the file as it was; what it has of other kernels on the same device stays
std::string to_json(const std::vector<Figure>& figures, std::string_view before) {
    Json json;
    json["device"] = kernels::cuda_status().device;
    json["driver"] = kernels::cuda_status().driver;
    json["date"] = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    json["figures"] = Json::array();
    const Json old = read_json(before);
    if (old.is_object() && old.value("device", "") == json["device"] && old.contains("figures"))
        for (const auto& figure : old["figures"])
            if (std::ranges::count(figures, figure.value("kernel", ""), &Figure::kernel) == 0)
                json["figures"].push_back(figure);
    for (const Figure& f : figures)
        json["figures"].push_back({{"kernel", f.kernel},
                                   {"n", f.n},
                                   {"block", f.block},
                                   {"coarsen", f.coarsen},
                                   {"counter", f.counter},
                                   {"ours", f.ours},
                                   {"hardware", f.hardware},
                                   {"reason", f.reason},
                                   {"instruction", f.instruction}});
    return json_text(json, 1) + "\n";
}

}  // namespace

std::uint64_t Metric::ours(const counters::Summary& s) const {
    if (counter == "divergent_branches") return s.tree.divergent_warps;
    const auto at = std::ranges::find(trace::kTotalNames, counter) - trace::kTotalNames.begin();
    return counters::totals_of(s.totals).at(static_cast<std::size_t>(at));
}

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> all = {
        {"global_ld_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
        {"global_st_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
        {"global_red_requests", "smsp__inst_executed_op_global_red.sum"},
        {"global_atom_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"},
        {"global_ld_segments", "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum"},
        {"global_st_segments", "l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum"},
        {"global_ld_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
        {"global_st_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
        {"shared_ld_requests", "smsp__sass_inst_executed_op_shared_ld.sum"},
        {"shared_ld_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
        {"shared_st_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
        {"divergent_branches", "smsp__sass_branch_targets_threads_divergent.sum"}};
    return all;
}

std::string profiled(const std::string& command, int launches) {
    std::string names;
    for (const Metric& metric : metrics()) names += (names.empty() ? "" : ",") + std::string(metric.metric);
    return fmt::format("ncu --csv --clock-control none --launch-count {} --metrics {} {} 2>&1", launches, names,
                       command);
}

Result<std::vector<Profile>> parse_profiles(std::string_view csv) try {
    std::string table;  // ncu prints lines of its own around it
    for (const auto line : std::views::split(csv, '\n'))
        if (!line.empty() && line.front() == '"') table.append(line.begin(), line.end()) += '\n';
    std::vector<Profile> all;
    std::string last;
    constexpr std::string_view kColumns[] = {"ID", "Kernel Name", "Metric Name", "Metric Value"};
    std::vector<std::size_t> at;
    read_csv(table, [&](const CsvLine& line) {
        const std::vector<std::string>& row = line.cells;
        if (at.empty()) {  // the table's first line names its columns
            for (const std::string_view name : kColumns)
                at.push_back(static_cast<std::size_t>(std::ranges::find(row, name) - row.begin()));
            return;
        }
        if (row.size() <= std::ranges::max(at)) return;
        const std::string &id = row[at[0]], &metric = row[at[2]];
        if (all.empty() || id != last) all.push_back({row[at[1]], {}});
        last = id;
        std::string digits = row[at[3]];
        if (digits == "n/a") return;  // a metric that this GPU does not have
        std::erase(digits, ',');
        const auto value = number_in<std::uint64_t>(digits);
        if (!value)
            throw Refusal{
                fmt::format("NVIDIA's profiler gave '{}' for {}, which is no whole number.", row[at[3]], metric)};
        all.back().values[metric] = *value;
    });
    if (all.empty())
        throw Refusal{
            "NVIDIA's profiler (ncu) printed no table of metrics; is it installed, and may it read the counters?"};
    return all;
} catch (const Refusal& refusal) {
    return failure(refusal.why);
}

/// Whether each store to shared memory is one lane's.
bool one_lane_stores(const trace::Trace& trace, const counters::Summary& summary) {
    std::uint64_t lanes = 0;
    for (std::size_t row = 0; row < trace.rows(); ++row)
        lanes += trace.kind(row) == trace::Kind::kWrite && trace.space(row) == trace::Space::kShared;
    return lanes == summary.totals.shared_st.requests;
}

std::vector<Figure> compare(const kernels::Request& request, const Launched& launched, const counters::Summary& summary,
                            const std::map<std::string, std::uint64_t>& profile, const MachineCode& code) {
    std::vector<Figure> figures;
    for (const Metric& metric : metrics()) {
        const auto found = profile.find(std::string(metric.metric));
        if (found == profile.end()) continue;
        Figure figure{request.kernel,  std::string(metric.counter), request.n,    request.block,
                      request.coarsen, metric.ours(summary),        found->second};
        if (const kernels::Kernel* kernel = kernels::find(request.kernel);
            kernel != nullptr && figure.ours != figure.hardware)
            explain(figure, *kernel, request.type, launched, code);
        figures.push_back(std::move(figure));
    }
    return figures;
}

bool verify(const std::string& program, const std::vector<std::string>& names, const std::string& out) {
    for (const std::string& name : names)
        if (kernels::find(name) == nullptr) taken(kernels::check({.kernel = name}));
    if (!kernels::cuda_status().usable) throw Error{Error::Kind::kFailed, kernels::cuda_status().reason};
    const MachineCode code = taken(MachineCode::of(kernels::cuda_status().module));
    std::vector<Figure> all;
    fmt::print("{:<18} {:>7} {:>6} {:>3} {:<20} {:>9} {:>9} {:>9}\n", "kernel", "N", "block", "C", "counter", "ours",
               "hardware", "ours - hw");
    for (const kernels::Request& request : launches(names)) {
        const trace::Run run = taken(kernels::record(request));
        const trace::Trace& trace = run.launches.front();
        const std::string command = profile_command(program, request);
        const auto text = output_of(command);
        if (!text) throw Error{Error::Kind::kFailed, "NVIDIA's profiler could not be started: " + command};
        const auto profiles = parse_profiles(*text);
        if (!profiles) throw Error{Error::Kind::kFailed, profiles.error().message + "\n" + text->substr(0, 600)};
        const counters::Summary summary = counters::count(trace);
        const Launched launched{trace.launch.grid, (trace.launch.block + 31) / 32, one_lane_stores(trace, summary),
                                std::ranges::count(trace.sites, trace::Kind::kTicket, &trace::Site::kind) > 0};
        for (const Figure& figure : compare(request, launched, summary, profiles->front().values, code)) {
            if (figure.ours != figure.hardware && !figure.explained()) fmt::print("{}", table_row(figure));
            all.push_back(figure);
        }
        std::fflush(stdout);
    }
    const auto equal = std::ranges::count_if(all, [](const Figure& f) { return f.ours == f.hardware; });
    const auto explained = std::ranges::count_if(all, &Figure::explained);
    const auto unexplained = static_cast<std::ptrdiff_t>(all.size()) - equal - explained;
    print_explained(all);
    fmt::print("{} figures: {} equal, {} with a reason, {} unexplained ({}, {})\n", all.size(), equal, explained,
               unexplained, kernels::cuda_status().device, kernels::cuda_status().driver);
    if (!out.empty()) {
        std::ifstream file(out, std::ios::binary);
        const std::string json = to_json(all, std::string(std::istreambuf_iterator<char>(file), {}));
        taken(trace::write_durably(out, std::as_bytes(std::span(json))));
    }
    return unexplained == 0;
}

}  // namespace warptree::cli
