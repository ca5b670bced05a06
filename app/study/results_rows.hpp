// The rows of a results file, one list of fields for reading and for writing: see json_fields.hpp.
#pragma once

#include <charconv>
#include <cmath>
#include <compare>
#include <map>

#include <fmt/ranges.h>

#include "app/study/json_fields.hpp"
#include "app/study/measurements.hpp"

namespace warptree::study {

inline constexpr std::uint64_t kLargestN = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kMostBlock = 1024;

/// Of a row that is about a kernel. known  also what is none: a library's times
template <class F>
void kernel_field(F& f, std::string& kernel, bool known = false) {
    f.text("kernel", kernel);
    if constexpr (F::kReads)
        if (!known && kernels::find(kernel) == nullptr) f.wrong("kernel = {}, which is no kernel", kernel);
}

/// The factor that a kernel ran with; where a file does not say it, 1.
template <class F>
void coarsen_field(F& f, const std::string& kernel, std::uint32_t& coarsen) {
    if constexpr (F::kReads)
        if (!f.has("coarsen")) return;
    f.whole("coarsen", kMostBlock, coarsen);
    if constexpr (F::kReads) {
        const kernels::Kernel* known = kernels::find(kernel);
        if (coarsen == 0 || (coarsen > 1 && (known == nullptr || !known->sizes.coarsens)))
            f.wrong("coarsen = {}, where {} is right", coarsen,
                    coarsen == 0 ? "1 or more" : "1, for " + kernel + " has no coarsening factor,");
    }
}

template <class F>
void fields(F& f, kernels::Timing& t) {
    static constexpr std::pair<value::Type, std::string_view> kTypes[] = {{value::Type::kFloat32, "float32"},
                                                                          {value::Type::kInt32, "int32"}};
    static constexpr std::pair<bool, std::string_view> kCaches[] = {{false, "warm"}, {true, "cold"}};
    kernel_field(f, t.kernel, true);
    f.named("type", t.type, kTypes, "float32 or int32");
    f.whole("n", kLargestN, t.n);
    f.whole("block", kMostBlock, t.block);
    coarsen_field(f, t.kernel, t.coarsen);
    f.named("cache", t.cold, kCaches, "warm or cold");
    f.number("ms_min", t.ms_min);
    f.number("ms_median", t.ms_median);
    f.number("ms_max", t.ms_max);
    f.number("gb_per_s", t.gb_per_s);
    f.truth("correct", t.correct);
}

template <class F>
void fields(F& f, CountedRun& run) {
    kernel_field(f, run.kernel);
    f.whole("n", kLargestN, run.n);
    f.whole("block", kMostBlock, run.block);
    coarsen_field(f, run.kernel, run.coarsen);
    f.whole("launches", 65536, run.launches);
    f.object("counters", [&run](auto& figures) {
        trace::StepTotals totals = counters::totals_of(run.totals);
        for (std::size_t i = 0; i < totals.size(); ++i)
            figures.whole(trace::kTotalNames[i], std::uint64_t{1} << 60, totals[i]);
        run.totals = counters::counters_of(totals);
    });
}

template <class F>
void fields(F& f, kernels::Schedule& schedule) {
    constexpr std::uint64_t kMostNs = std::uint64_t{1} << 50;
    std::vector<std::uint64_t> places, begins, ends;
    for (const kernels::BlockRun& block : schedule.blocks)
        places.push_back(block.place), begins.push_back(block.begin), ends.push_back(block.end);
    kernel_field(f, schedule.kernel);
    f.text("function", schedule.function);
    f.whole("n", kLargestN, schedule.n);
    f.whole("block", kMostBlock, schedule.block);
    coarsen_field(f, schedule.kernel, schedule.coarsen);
    f.whole("multiprocessors", 4096, schedule.places);
    f.wholes("multiprocessor", places);
    f.wholes("begin_ns", begins);
    f.wholes("end_ns", ends);
    if constexpr (F::kReads) {
        if (places.empty() || places.size() > kernels::Schedule::kMostBlocks || begins.size() != places.size() ||
            ends.size() != places.size())
            f.wrong("lists of {}, {} and {} blocks, where three of one length stand, 1 to {}", places.size(),
                    begins.size(), ends.size(), kernels::Schedule::kMostBlocks);
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] >= schedule.places || begins[i] > ends[i] || ends[i] > kMostNs)
                refuse(
                    "{} says of block {} what cannot be: a multiprocessor below {}, a begin and an end not before it "
                    "are right",
                    f.where(), i, schedule.places);
            schedule.blocks.push_back({static_cast<std::uint32_t>(places[i]), begins[i], ends[i]});
        }
    }
}

/// The fields that errors and repeated runs share: of which sum they are.
template <class F, class Row>
void sum_fields(F& f, Row& row) {
    using value::Type;
    static constexpr std::pair<Type, std::string_view> kTypes[] = {{Type::kFloat16, "float16"},
                                                                   {Type::kBfloat16, "bfloat16"},
                                                                   {Type::kFloat32, "float32"},
                                                                   {Type::kFloat64, "float64"}};
    kernel_field(f, row.kernel);
    coarsen_field(f, row.kernel, row.coarsen);
    f.named("type", row.type, kTypes, "float16, bfloat16, float32 or float64");
    f.whole("n", kLargestN, row.n);
    f.text("input", row.input);
    if constexpr (F::kReads)
        if (row.n == 0) f.wrong("n = 0, where at least 1 is right");
}

template <class F>
void fields(F& f, AccuracyRow& row) {
    sum_fields(f, row);
    f.whole("seeds", 1'000'000, row.seeds);
    f.figure("worst", row.worst);
    f.figure("rms", row.rms);
    f.figure("bound", row.bound);
    if constexpr (F::kReads)
        if (row.rms > row.worst) f.wrong("rms = {}, where at most worst = {} is right", row.rms, row.worst);
}

template <class F>
void fields(F& f, Repeats& row) {
    sum_fields(f, row);
    double before = -std::numeric_limits<double>::infinity();
    f.rows("results", row.results, [&](auto& one, Repeats::Result& result) {
        const std::size_t digits = 2 * value::size_bytes(row.type);
        std::string bits = fmt::format("{:0{}x}", result.bits, digits);
        one.any_number("value", result.value);
        one.text("bits", bits);
        one.any_number("error_ulps", result.ulps);
        one.whole("count", std::uint64_t{1} << 40, result.count);
        if constexpr (F::kReads) {
            const char* const end = bits.data() + bits.size();
            const auto read = std::from_chars(bits.data(), end, result.bits, 16);
            const double exact = value::value_of(row.type, result.bits).as_double(0);  // with the sign of a zero
            if (bits.size() != digits || read.ptr != end || exact != result.value)
                one.wrong("bits = {}, which are not those of value = {}", bits, result.value);
            if (result.count == 0 || !std::is_lt(std::strong_order(before, exact)))
                one.wrong("a count of 0, or a value that is not above the one before");
            before = exact;
        }
    });
    if constexpr (F::kReads)
        if (row.results.empty()) refuse("{} has no results", f.where());
}

/// Of CSV, by list: the line that each of its rows begins in.
using RowLines = std::map<std::string, std::vector<std::size_t>, std::less<>>;
/// Of CSV, the JSON that says the same; read_measurements() asks for it.
/// errors  a Refusal: what is wrong in which line
Json json_of_csv(std::string_view text, RowLines& lines);

inline Json header_of(const Measurements& m) {
    Json header{{"device", m.device}, {"driver", m.driver}, {"date", m.date}, {"command", m.command}};
    if (m.limit_gb_per_s > 0) header.update({{"limit_gb_per_s", m.limit_gb_per_s}, {"limit_of", m.limit_of}});
    return header;
}

/// A row as JSON.
template <class Row>
Json written(Row row) {
    Writer writer;
    fields(writer, row);
    return std::move(writer.json);
}

/// The lists that a file may have in place of times, of one or more such files: does(name, list of each).
void each_untimed(auto&& does, auto&... of) {
    does("counted", of.counted...);
    does("tuned", of.tuned...);
    does("accuracy", of.accuracy...);
    does("repeats", of.repeats...);
    does("schedules", of.schedules...);
}
void each_list(auto&& does, auto&... of) {
    does("runs", of.runs...);
    each_untimed(does, of...);
}

}  // namespace warptree::study
