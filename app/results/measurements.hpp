// Measured times and errors: results files as JSON and as CSV, what `warptree bench` and `warptree accuracy` write with
// `--out FILE`, read back; and the files that come with the program.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/results/accuracy.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/request/timing.hpp"
#include "instrumentation/result.hpp"

namespace warptree::study {

/// What one kernel was counted to cost, the launches of its run together.
struct CountedRun {
    std::string kernel;
    std::uint64_t n = 0;
    std::uint32_t block = 0, coarsen = 1;
    std::uint64_t launches = 0;
    counters::Counters totals = {};
    std::string problem = {};  // why it was not counted; "" where it was
    // Of a run that was counted here, in no file
    std::uint32_t devices = 1;
    std::set<std::pair<std::uint32_t, std::uint32_t>> links = {};  // from which device to which it sent
};
/// Adds what a run cost.
void add_run(CountedRun&, const trace::Run&);

/// The times of one device.
struct Measurements {
    std::string device, driver, date, command;  // of published ones the driver is empty and the command says the source
    double limit_gb_per_s = 0;                  // that shares are of, 0: not known; a copy's rate is none to stay below
    std::string limit_of = "a copy's rate, read plus written; to read alone can be faster";  // what it is
    std::vector<kernels::Timing> runs = {};
    std::vector<CountedRun> counted = {};  // at the same N, blocks as usual where all machines leave the same trace
    std::vector<kernels::Schedule> schedules = {};
    std::vector<kernels::Timing> tuned = {};  // kernels by block and coarsening
    std::vector<AccuracyRow> accuracy = {};
    std::vector<Repeats> repeats = {};
    std::vector<kernels::NcclChannels> nccl_channels = {};
    std::vector<kernels::NcclChoice> nccl_choices = {};
    std::string file = {}, path = {};  // it was loaded from; "" of those that come with the program
    /// Printed elsewhere, not measured with this program.
    bool is_published() const { return driver.empty() && device != kernels::kExecutor; }
    /// What it is called where it is chosen; that figures are published, the views say of the one on show.
    std::string name() const {
        return file.empty() ? device.substr(0, device.find(", as published")) : device + " · " + file;
    }
    std::string brief_name() const { return brief_device(device) + (file.empty() ? "" : " · " + file); }
    /// What tells it from all others: its file, or what was measured.
    std::string known_by() const { return !path.empty() ? path : file.empty() ? device : name(); }
    /// What limit_gb_per_s is, in a word or two: "a copy's rate", "the memory's peak"; and what else is said of it.
    std::pair<std::string, std::string> limit_name() const;
    /// Of limit_gb_per_s; 0 where that is not known.
    double share(const kernels::Timing& t) const { return limit_gb_per_s > 0 ? t.gb_per_s / limit_gb_per_s : 0; }
    const CountedRun* counted_of(std::string_view kernel, std::uint64_t n) const;
    const kernels::Schedule* schedule_of(std::string_view kernel, std::uint64_t n) const;
    /// The right times of a kernel at an N, by block and coarsening, the fastest first.
    std::vector<kernels::Timing> tuning_of(std::string_view kernel, std::uint64_t n) const;
};

/// Whether a time is a library's, a copy's or a CPU's: of no kernel.
bool is_reference(const kernels::Timing&);
/// A run's device, type, cache and N, of which there is one time a kernel.
bool same_run(const kernels::Timing&, const kernels::Timing&);

/// Reads a results file, JSON or CSV.
/// name    of the file, for the sentence
/// errors  text that is neither; a field that is missing, unknown or of another kind; a kernel, type or cache that is
///         not there; times out of order; a bandwidth that does not go with its time; a run that is there twice
Result<Measurements> read_measurements(std::string_view text, std::string_view name);
/// errors  a file that cannot be read or is too large; as read_measurements()
Result<Measurements> load_results(const std::filesystem::path&);

std::string to_json(const Measurements&);
/// What JSON has: the header's fields as comments, then one table. A line is a row of a list, or an entry of the lists
/// in it; where there is more than `runs`, the column `list` says of which list, and cells of others' columns are
/// empty.
std::string to_csv(const Measurements&);
/// CSV where the name ends in .csv, else JSON.
Result<void> save_results(const Measurements&, const std::filesystem::path&);
/// Whether a file is to be opened as results: JSON by its name, CSV by its columns, since values are CSV too.
bool holds_results(const std::string& path);

/// Adds what NCCL said; of the same the last counts.
void take(Measurements&, const kernels::NcclNotes&);
/// Lays one file over another of the same device: its times replace those of the same run, the larger limit holds.
void overlay(Measurements& below, Measurements above);

/// assets/results/*.json, compiled in: one entry a device, in the order of the files' names.
std::shared_ptr<const std::vector<Measurements>> shipped_results();
inline const std::vector<Measurements>& shipped_measurements() {
    return *shipped_results();
}

}  // namespace warptree::study
