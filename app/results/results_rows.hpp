// The rows of a results file, one list of fields for reading and for writing.
#pragma once

#include <charconv>
#include <cmath>
#include <compare>
#include <sstream>

#include <fmt/ranges.h>

#include "app/results/measurements.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/text.hpp"

namespace warptree::study {

inline constexpr Range<std::uint64_t> kN{1, std::uint64_t{1} << 32};
inline constexpr Range<std::uint32_t> kBlock{0, 1024};
inline constexpr Text kLine{.what = "a text of one line", .one_line = true};
/// Names of some types.
template <value::Type... kTypes>
inline const std::pair<value::Type, std::string_view> kTypesNamed[] = {{kTypes, value::name(kTypes)}...};

template <class F>
void kernel_field(F& f, std::string& kernel) {
    f("kernel", kernel, kLine);
    f.expect(kernels::find(kernel) != nullptr, "kernel", "a kernel's name");
}
/// Of what may also be a reference.
template <class F>
void measured_field(F& f, std::string& kernel) {
    f("kernel", kernel, kLine);
    const auto references = kernels::references(kernels::Backend::kCuda);
    if (kernels::find(kernel) == nullptr && std::ranges::find(references, kernel) == references.end())
        f.expect(false, "kernel",
                 fmt::format("a kernel's name or one of the references {}", fmt::join(references, ", ")));
}

/// The factor that a kernel ran with; where a file does not say it, 1.
template <class F>
void coarsen_field(F& f, const std::string& kernel, std::uint32_t& coarsen) {
    f.maybe("coarsen", coarsen, Range<std::uint32_t>{1, 1024});
    const kernels::Kernel* known = kernels::find(kernel);
    if (coarsen > 1 && (known == nullptr || !known->sizes.coarsens))
        f.expect(false, "coarsen", fmt::format("1, for {} has no coarsening factor", kernel));
}

template <class F>
void fields(F& f, kernels::Timing& t) {
    static constexpr std::pair<bool, std::string_view> kCaches[] = {{false, "warm"}, {true, "cold"}};
    measured_field(f, t.kernel);
    f("type", t.type, OneOf{kTypesNamed<value::Type::kFloat32, value::Type::kInt32>});
    f("n", t.n, kN), f("block", t.block, kBlock);
    coarsen_field(f, t.kernel, t.coarsen);
    f.maybe("devices", t.devices, Range<std::uint32_t>{1, trace::kMostDevices});
    f("cache", t.cold, OneOf{kCaches});
    f("ms_min", t.ms_min, kAboveNothing), f("ms_median", t.ms_median, kAboveNothing);
    f("ms_max", t.ms_max, kAboveNothing), f("gb_per_s", t.gb_per_s, kAboveNothing);
    f("correct", t.correct);
    if constexpr (F::kReads) {
        if (t.ms_min > t.ms_median || t.ms_median > t.ms_max)
            f.says("ms_min = {}, ms_median = {}, ms_max = {}, which do not ascend", t.ms_min, t.ms_median, t.ms_max);
        const double right = kernels::bytes_moved(t.kernel, t.type, t.n, t.devices) / t.ms_median / 1e6;
        f.expect(std::abs(t.gb_per_s / right - 1) < 0.01, "gb_per_s",  // published figures are rounded
                 fmt::format("{:.3f}, which goes with {} ms", right, t.ms_median));
    }
}

template <class F>
void fields(F& f, kernels::NcclChannels& row) {
    using Shape = kernels::NcclChannels::Shape;
    static constexpr std::pair<Shape, std::string_view> kShapes[] = {{Shape::kRing, "ring"}, {Shape::kTree, "tree"}};
    f("shape", row.shape, OneOf{kShapes});
    f("devices", row.devices, Range<std::uint32_t>{2, trace::kMostDevices});
    f("channels", row.channels, Range<std::uint32_t>{1, 1024});
    std::string order = fmt::format("{}", fmt::join(row.order, " "));
    f("order", order, kLine);
    if constexpr (F::kReads) {
        row.order.clear();
        for (std::istringstream words(order); words >> order;)
            row.order.push_back(number_in<std::uint32_t>(order).value_or(row.devices));
        const bool known = std::ranges::all_of(row.order, [&](std::uint32_t device) { return device < row.devices; });
        if (!known || row.order.size() != row.devices)
            f.says("an order of other devices than 0 to {}, each of which stands in it once, or says whom it sends to",
                   row.devices - 1);
    }
}

template <class F>
void fields(F& f, kernels::NcclChoice& row) {
    measured_field(f, row.kernel);
    f("bytes", row.bytes, Range<std::uint64_t>{1, std::uint64_t{1} << 40});
    f("devices", row.devices, Range<std::uint32_t>{2, trace::kMostDevices});
    f("algorithm", row.algorithm, kLine), f("protocol", row.protocol, kLine);
    f("channels", row.channels, Range<std::uint32_t>{1, 1024});
}

template <class F>
void fields(F& f, CountedRun& run) {
    kernel_field(f, run.kernel);
    f("n", run.n, kN), f("block", run.block, kBlock);
    coarsen_field(f, run.kernel, run.coarsen);
    f("launches", run.launches, Range<std::uint64_t>{0, 65536});
    f.object("counters", [&run](auto& figures) {
        trace::StepTotals totals = counters::totals_of(run.totals);
        for (std::size_t i = 0; i < totals.size(); ++i)
            figures(trace::kTotalNames[i], totals[i], Range<std::uint64_t>{0, std::uint64_t{1} << 60});
        run.totals = counters::counters_of(totals);
    });
}

template <class F>
void fields(F& f, kernels::Schedule& schedule) {
    constexpr std::uint64_t kMostNs = std::uint64_t{1} << 50;
    constexpr ListOf kWholes{"whole numbers"};
    std::vector<std::uint64_t> places, begins, ends;
    for (const kernels::BlockRun& block : schedule.blocks)
        places.push_back(block.place), begins.push_back(block.begin), ends.push_back(block.end);
    kernel_field(f, schedule.kernel);
    f("function", schedule.function, kLine);
    f("n", schedule.n, kN), f("block", schedule.block, kBlock);
    coarsen_field(f, schedule.kernel, schedule.coarsen);
    f("multiprocessors", schedule.places, Range<std::uint32_t>{0, 4096});
    f("multiprocessor", places, kWholes), f("begin_ns", begins, kWholes), f("end_ns", ends, kWholes);
    if constexpr (F::kReads) {
        if (places.empty() || places.size() > kernels::Schedule::kMostBlocks || begins.size() != places.size() ||
            ends.size() != places.size())
            f.says("lists of {}, {} and {} blocks, where three of one length stand, 1 to {}", places.size(),
                   begins.size(), ends.size(), kernels::Schedule::kMostBlocks);
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] >= schedule.places || begins[i] > ends[i] || ends[i] > kMostNs)
                f.says(
                    "a block {} that cannot be: a multiprocessor below {}, a begin and an end not before it "
                    "are right",
                    i, schedule.places);
            schedule.blocks.push_back({static_cast<std::uint32_t>(places[i]), begins[i], ends[i]});
        }
    }
}

/// The fields that errors and repeated runs share: of which sum they are.
template <class F, class Row>
void sum_fields(F& f, Row& row) {
    using value::Type;
    kernel_field(f, row.kernel);
    coarsen_field(f, row.kernel, row.coarsen);
    f("type", row.type, OneOf{kTypesNamed<Type::kFloat16, Type::kBfloat16, Type::kFloat32, Type::kFloat64>});
    f("n", row.n, kN), f("input", row.input, kLine);
}

template <class F>
void fields(F& f, AccuracyRow& row) {
    sum_fields(f, row);
    f("seeds", row.seeds, Range<std::uint32_t>{0, 1'000'000});
    f("worst", row.worst, kNothingOrMore), f("rms", row.rms, kNothingOrMore), f("bound", row.bound, kNothingOrMore);
    f.expect(row.rms <= row.worst, "rms", fmt::format("at most worst = {}", row.worst));
}

template <class F>
void fields(F& f, Repeats& row) {
    sum_fields(f, row);
    double before = -std::numeric_limits<double>::infinity();
    f.rows("results", row.results, [&](auto& one, Repeats::Result& result) {
        const std::size_t digits = 2 * value::size_bytes(row.type);
        std::string bits = fmt::format("{:0{}x}", result.bits, digits);
        one("value", result.value), one("bits", bits, kLine), one("error_ulps", result.ulps);
        one("count", result.count, Range<std::uint64_t>{1, std::uint64_t{1} << 40});
        if constexpr (F::kReads) {
            const char* const end = bits.data() + bits.size();
            const auto read = std::from_chars(bits.data(), end, result.bits, 16);
            const double exact = value::value_of(row.type, result.bits).as_double(0);  // with the sign of a zero
            one.expect(bits.size() == digits && read.ptr == end && exact == result.value, "bits",
                       fmt::format("those of value = {}", result.value));
            one.expect(std::is_lt(std::strong_order(before, exact)), "value", "above the one before");
            before = exact;
        }
    });
    f.expect(!row.results.empty(), "results", "a list of at least one");
}

/// Of CSV, the JSON that says the same, and the line that each row begins in.
/// errors  a Refusal: what is wrong in which line
Document parse_csv(std::string_view text);

inline Json header_of(const Measurements& m) {
    Json header{{"device", m.device}, {"driver", m.driver}, {"date", m.date}, {"command", m.command}};
    if (m.limit_gb_per_s > 0) header.update({{"limit_gb_per_s", m.limit_gb_per_s}, {"limit_of", m.limit_of}});
    return header;
}

/// A row as JSON.
template <class Row>
Json written(Row row) {
    FieldWriter writer;
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
    does("nccl_channels", of.nccl_channels...);
    does("nccl_choices", of.nccl_choices...);
}
void each_list(auto&& does, auto&... of) {
    does("runs", of.runs...);
    each_untimed(does, of...);
}

}  // namespace warptree::study
