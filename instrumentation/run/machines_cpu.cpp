// The CPU backend: host programs on the executor, planned, plain or recorded.
#include "instrumentation/run/machine_cpu.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <optional>

#include <fmt/format.h>

#include "instrumentation/judge/reference.hpp"
#include "instrumentation/probe/element.cuh"
#include "instrumentation/refusal.hpp"
#include "instrumentation/run/chunks.hpp"
#include "instrumentation/run/timed.hpp"
#include "instrumentation/simt/executor.hpp"

namespace warptree::kernels {

namespace {

Programs programs = nullptr;
void run_program(const Prepared& prepared, bool recorded, Machine& machine) {
    programs(*prepared.kernel, prepared.elements(), recorded, machine);
}

std::string describe(const probe::BlockLog::TwoShared& two, std::string_view function) {
    return fmt::format(
        "Two shared arrays of {} have the number {}, one of {} elements and one of {}; give each its own, such as "
        "Shared<T, {}, {}>.",
        function, two.ordinal, two.extent, two.other, two.other, two.ordinal + 1);
}

/// The arrays of a run, and its launches on the executor. What becomes of a launch, the derived machines say. Where one
/// fails, or nobody wants it any more, the run ends with a Refusal.
class CpuMachine : public Machine {
public:
    CpuMachine(const Prepared& prepared, bool recorded, Progress* progress)
        : Machine(Program(prepared.request, recorded)), prepared_(prepared), recorded_(recorded), progress_(progress) {}

protected:
    /// One array: native elements stand in `values`, cells of 8 bytes in `wide`.
    struct Memory {
        value::Values values;
        std::vector<std::uint64_t> wide;
        value::Column<std::uint64_t> origins;
    };

    Cells make(std::uint32_t array) final {
        const ArrayRow& row = program().arrays()[array];
        if (array == memory_.size()) {
            Memory& memory = memory_.emplace_back();
            if (row.chance_bytes != 0) {
                memory.wide.resize((row.extent * row.chance_bytes + 7) / 8);
            } else if (value::Values values = first_contents(array); prepared_.has_true_size(row)) {
                memory.values = std::move(values);
            } else {
                memory.wide = wide_cells(values);
            }
            if (recorded_ && row.chance_bytes == 0) memory.origins = first_origins(array);
        }
        Memory& memory = memory_[array];
        void* data = memory.wide.empty() ? static_cast<void*>(memory.values.bytes.data()) : memory.wide.data();
        return {data, memory.origins.data()};
    }
    virtual value::Values first_contents(std::uint32_t array) {
        return prepared_.first_contents(program().arrays()[array]);
    }
    virtual value::Column<std::uint64_t> first_origins(std::uint32_t array) {
        return value::zeros<std::uint64_t>(program().arrays()[array].extent);
    }
    /// Where nothing is recorded there is no more to do.
    void run(const LaunchRow& row, const simt::Body& body) override { execute(shape(row), body); }
    value::Values contents(std::uint32_t array) const {
        if (prepared_.has_true_size(program().arrays()[array])) return memory_[array].values;
        return true_size(memory_[array].wide, prepared_.value_type);
    }
    /// What a launch's arrays hold now.
    std::vector<value::Values> contents(const LaunchRow& row) const {
        std::vector<value::Values> all;
        for (const std::uint32_t array : row.arrays) all.push_back(contents(array));
        return all;
    }

    simt::Launch shape(const LaunchRow& row) const {
        const Request& request = prepared_.request;
        return {.grid = row.grid,
                .block = row.block,
                .warp_size = request.warp_size,
                .order = static_cast<simt::Order>(request.thread_order),
                .seed = request.seed,
                .workers = row.in_order ? 1 : request.workers,
                .without_barrier_line = request.without_barrier_line,
                .cluster = row.cluster,
                .devices = row.on.empty() ? std::max(1u, request.devices) : static_cast<std::uint32_t>(row.on.size()),
                .cancel = progress_ == nullptr ? nullptr : &progress_->cancel,
                .earlier = row.earlier,
                .shuffle_blocks = recorded_ || row.in_order ? 0 : request.shuffle_blocks};
    }
    /// Runs every thread of a launch, or of some blocks.
    void execute(const simt::Launch& launch, const simt::Body& body, const simt::BlockDone& done = {}) {
        for (std::size_t array = 0; array < program().arrays().size(); ++array) {
            const ArrayRow& row = program().arrays()[array];
            if (row.chance_bytes == 0) continue;
            std::ranges::fill(memory_[array].wide, 0u);
            row.found(memory_[array].wide.data(), launch.first);
        }
        const probe::ActiveOperator active{prepared_.value_type, prepared_.op};
        const auto with_operator = [&] {
            probe::active_operator = active;  // of this worker
            body();
        };
        const std::string error = simt::run(launch, prepared_.native() ? body : with_operator, done);
        if (!error.empty()) throw Refusal{error};
        end_if_cancelled();
    }
    void end_if_cancelled() const {
        if (progress_ != nullptr && progress_->cancel) throw Refusal{cancelled().value().message};
    }
    /// What a call gave; where that is an error, the run ends with it.
    template <class T>
    static T given(Result<T> result) {
        if (!result) throw Refusal{result.error().message};
        if constexpr (!std::is_void_v<T>) return std::move(*result);
    }

    /// Runs a launch recorded, and hands what each block logged to `take(range, block, log)`.
    /// returns  the shared arrays that it came by
    template <class Take>
    probe::SharedExtents log(const simt::Launch& launch, const trace::Trace& header, const simt::Body& body,
                             Take&& take) {
        std::vector<std::string> faults(simt::ranges_for(launch));
        std::vector<probe::SharedExtents> shared(faults.size());
        execute(launch, body, [&](std::uint32_t range, std::uint32_t block, probe::BlockLog& raw) {
            take(range, block, raw);
            raw.add_shared(shared[range]);
            if (raw.two_shared.extent != 0) faults[range] = describe(raw.two_shared, header.launch.function);
            if (!raw.faults.empty() && faults[range].empty())
                faults[range] = describe(raw.faults.front(), prepared_, header);
            if (progress_ != nullptr) progress_->add_block();
        });
        for (const std::string& fault : faults)
            if (!fault.empty()) throw Refusal{fault};
        return united(shared);
    }
    static probe::SharedExtents united(const std::vector<probe::SharedExtents>& all) {
        probe::SharedExtents one{};
        for (const probe::SharedExtents& extents : all)
            for (std::size_t i = 0; i < one.size(); ++i) one[i] = std::max(one[i], extents[i]);
        return one;
    }
    record::Piece log_rows(const simt::Launch& launch, trace::Trace header, const simt::Body& body) {
        const std::uint32_t ranges = simt::ranges_for(launch);
        std::shared_ptr<record::WholeColumns> whole;
        const value::Type type = prepared_.value_type;
        if (ranges > 1) whole = std::make_shared<record::WholeColumns>(type, launch.grid);
        std::vector<record::Assembler> parts;
        for (std::uint32_t range = 0; range < ranges; ++range) {
            const std::uint32_t blocks = simt::first_block(launch, range + 1) - simt::first_block(launch, range);
            parts.emplace_back(header.arrays, launch.block, type, blocks, whole);
            if (launch.cluster > 1) parts.back().keep_shared_writes();
        }
        const auto take = [&](std::uint32_t range, std::uint32_t block, probe::BlockLog& raw) {
            parts[range].add_block(block, raw.data(), raw.size());
        };
        prepared_.add_shared(header, log(launch, header, body, take));
        return given(record::assemble(std::move(header), std::move(parts)));
    }

    const Prepared& prepared_;
    const bool recorded_;
    Progress* progress_;
    std::deque<Memory> memory_;  // (program().arrays())
};

trace::Trace named_header(const Prepared& prepared, const LaunchRow& row) {
    trace::Trace header = prepared.header(row);
    header.launch.backend = "cpu";
    header.launch.device = kExecutor;
    return header;
}

/// Records each launch: all rows, or those of some blocks and the counters of all.
class RecordingMachine : public CpuMachine {
public:
    RecordingMachine(const Prepared& prepared, const Keeping& keeping, Progress* progress)
        : CpuMachine(prepared, true, progress), keeping_(keeping) {}

    Recorded launches;

private:
    void run(const LaunchRow& row, const simt::Body& body) override {
        end_if_cancelled();
        trace::Trace header = named_header(prepared_, row);
        header.initial = contents(row);
        auto piece = prepared_.keeps_all(launches.size()) ? log_rows(shape(row), std::move(header), body)
                                                          : count(row, std::move(header), body);
        if (!piece.trace.kept) piece.trace.final = contents(row);
        launches.push_back(std::move(piece));
    }

    record::Piece count(const LaunchRow& row, trace::Trace header, const simt::Body& body) {
        const simt::Launch launch = shape(row);
        std::vector<BlockCounter> counters(simt::ranges_for(launch), BlockCounter(header));
        const auto take = [&](std::uint32_t range, std::uint32_t, probe::BlockLog& raw) {
            counters[range].add_block(raw.data(), raw.size());
        };
        log(launch, header, body, take);
        counters::Merger merged;
        for (BlockCounter& counter : counters) given(counter.finish(merged));
        KeptBlocks kept(prepared_, launches.size(), keeping_, std::move(header.initial));
        record::Piece piece = given(kept.with(merged, contents(row)));
        piece.trace.launch.device = kExecutor;
        return piece;
    }

    const Keeping& keeping_;
};

/// Runs one launch of the program, on memory that is given; the others are passed over.
class LoneMachine : public CpuMachine {
public:
    LoneMachine(const Prepared& prepared, Alone alone, bool recorded)
        : CpuMachine(prepared, recorded, nullptr), alone_(std::move(alone)) {}

    Ran ran;

private:
    const LaunchRow& wanted() const { return prepared_.plan.launches()[alone_.launch]; }
    /// Its place among the arrays that the launch takes; past these where it takes it not.
    std::size_t place(std::uint32_t array) const {
        return static_cast<std::size_t>(std::ranges::find(wanted().arrays, array) - wanted().arrays.begin());
    }
    value::Values first_contents(std::uint32_t array) override {
        const std::size_t i = place(array);
        return i < alone_.memory.size() ? std::move(alone_.memory[i]) : value::Values(prepared_.value_type);
    }
    value::Column<std::uint64_t> first_origins(std::uint32_t array) override {
        const std::size_t i = place(array);
        if (i >= alone_.memory.size()) return {};
        if (i >= alone_.origins.size()) return CpuMachine::first_origins(array);
        return {alone_.origins[i].begin(), alone_.origins[i].end()};
    }
    void run(const LaunchRow& row, const simt::Body& body) override {
        if (index_++ != alone_.launch) return;
        const LaunchRow& known = wanted();  // a plain program does not know what arrays a launch takes
        recorded_ ? record(known, body) : execute(shape(row), body);
        if (!alone_.blocks.empty()) return;  // what some blocks leave is of no use to others
        ran.memory = contents(known);
        if (recorded_)
            for (const std::uint32_t array : known.arrays)
                ran.origins.emplace_back(memory_[array].origins.begin(), memory_[array].origins.end());
    }
    void record(const LaunchRow& row, const simt::Body& body) {
        trace::Trace header = named_header(prepared_, row);
        if (alone_.blocks.empty()) {
            header.initial = contents(row);
            ran.piece = log_rows(shape(row), std::move(header), body);
            ran.piece.trace.final = contents(row);
            return;
        }
        header.kept = {alone_.blocks, {}, {}};
        std::vector<record::Assembler> parts;
        parts.emplace_back(header.arrays, row.block, prepared_.value_type,
                           static_cast<std::uint32_t>(alone_.blocks.size()));
        if (row.cluster > 1) parts.back().keep_shared_writes();
        simt::Launch launch = shape(row);
        launch.count = row.cluster;
        std::vector<probe::SharedExtents> shared;
        for (std::size_t i = 0; i < alone_.blocks.size(); i += row.cluster) {
            launch.first = alone_.blocks[i];
            const auto take = [&](std::uint32_t, std::uint32_t block, probe::BlockLog& raw) {
                parts[0].add_block(block, raw.data(), raw.size());
            };
            shared.push_back(log(launch, header, body, take));
        }
        prepared_.add_shared(header, united(shared));
        ran.piece = given(record::assemble(std::move(header), std::move(parts)));
    }

    Alone alone_;
    std::size_t index_ = 0;
};

/// Counts what each launch would record: its first two clusters and its last are run alone, on what the run begins
/// with.
class CountingMachine : public CpuMachine {
public:
    explicit CountingMachine(const Prepared& prepared) : CpuMachine(prepared, true, nullptr) {}

    std::vector<Extent> launches;

private:
    void run(const LaunchRow& row, const simt::Body& body) override {
        const std::uint32_t clusters = row.grid / row.cluster;
        Extent& extent = launches.emplace_back();
        simt::Launch launch = shape(row);
        launch.count = row.cluster;
        launch.drop_events = true;
        const auto rows_of = [&](std::uint32_t cluster) {
            launch.first = cluster * row.cluster;
            std::uint64_t rows = 0;
            const auto take = [&](std::uint32_t, std::uint32_t, probe::BlockLog& log) {
                const probe::BlockLog::Tally tally = log.tally();
                rows += tally.events;
                extent.most_of_block = std::max(extent.most_of_block, tally.events);
                extent.most_adds = std::max(extent.most_adds, tally.most_adds);
                log.add_shared(extent.shared);
            };
            refusal_of([&] { execute(launch, body, take); });  // the recording will say it
            return rows;
        };
        const std::uint32_t each = clusters / launch.devices;  // of a device: each may do other work
        for (std::uint32_t begin = 0; begin < clusters; begin += each) {
            const std::uint64_t first = rows_of(begin), last = each > 1 ? rows_of(begin + each - 1) : 0;
            std::uint64_t others = each > 2 ? first : 0;
            // Blocks that look back see another number of tiles each, up to those that look back together
            for (std::uint32_t of = 1; of + 1 < each && of <= (row.in_order ? probe::kAbreast : 1); ++of)
                others = std::max(others, rows_of(begin + of));
            extent.rows += first + last + others * (each > 2 ? each - 2 : 0);
        }
    }
};

/// Runs the program with nothing recorded.
class PlainMachine : public CpuMachine {
public:
    explicit PlainMachine(const Prepared& prepared) : CpuMachine(prepared, false, nullptr) {}
    value::Values take_output() {
        const std::uint32_t array = prepared_.plan.output();
        return prepared_.native() ? std::move(memory_[array].values) : contents(array);
    }
};

/// Runs the program with nothing recorded, again and again on the same memory.
class TimedMachine : public CpuMachine {
public:
    explicit TimedMachine(const Prepared& prepared) : CpuMachine(prepared, false, nullptr) {}
    /// returns  milliseconds from the input in memory to the result there
    double milliseconds() {
        for (std::uint32_t array = 0; array < memory_.size(); ++array)  // kernels that work in place spoil it
            if (program().arrays()[array].role == trace::Role::kInput)
                memory_[array].values = prepared_.first_contents(program().arrays()[array]);
        program() = Program::timed(prepared_.request);
        const auto begun = std::chrono::steady_clock::now();
        run_program(prepared_, false, *this);
        ++runs_;
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    }
    /// Where there are several the last.
    std::uint64_t result() {
        const value::Values& output = memory_[program().output()].values;
        const trace::Launch launch = prepared_.header(prepared_.plan.launches().front()).launch;
        return output.bits(judge::results_of(launch, output.size()) - 1);
    }

private:
    void clear(void* cell, std::size_t bytes) override { std::memset(cell, 0, bytes); }  // of a sum: its identity
};

/// Notes what a program asks for.
class PlanMachine : public Machine {
public:
    using Machine::Machine;

private:
    Cells make(std::uint32_t) override { return {nullptr, nullptr}; }
    void run(const LaunchRow&, const simt::Body&) override {}
};

}  // namespace

inline namespace cpu {
void give(Programs given) {
    programs = given;
}
}  // namespace cpu

Result<Program> plan(const Kernel& kernel, const Request& request, bool recorded) try {
    PlanMachine machine(Program(request, recorded));
    programs(kernel, Elements::kAny, true, machine);  // as of any element that records
    return std::move(machine.program());
} catch (const Refusal& refusal) {
    return usage_error(refusal.why);
}

std::vector<Extent> extents(const Prepared& prepared) {
    CountingMachine machine(prepared);
    run_program(prepared, true, machine);
    return std::move(machine.launches);
}

Result<Recorded> record_cpu(const Prepared& prepared, const Keeping& keeping, Progress* progress) {
    RecordingMachine machine(prepared, keeping, progress);
    const std::string error = refusal_of([&] { run_program(prepared, true, machine); });
    if (progress != nullptr && progress->cancel) return cancelled();
    if (!error.empty()) return failure(error);
    return std::move(machine.launches);
}

static Result<Ran> ran_alone(const Prepared& prepared, Alone alone, bool recorded) try {
    LoneMachine machine(prepared, std::move(alone), recorded);
    run_program(prepared, recorded, machine);
    return std::move(machine.ran);
} catch (const Refusal& refusal) {
    return failure(refusal.why);
}

Result<Ran> record_alone(const Prepared& prepared, Alone alone) {
    return ran_alone(prepared, std::move(alone), true);
}

Result<Ran> run_alone(const Prepared& prepared, Alone alone) {
    return ran_alone(prepared, std::move(alone), false);
}

Result<value::Values> run_plain_cpu(const Prepared& prepared) try {
    PlainMachine machine(prepared);
    run_program(prepared, false, machine);
    return machine.take_output();
} catch (const Refusal& refusal) {
    return failure(refusal.why);
}

Result<Times> time_cpu(const Prepared& prepared, const Stop& stop) try {
    TimedMachine machine(prepared);
    Times times{.ms = repeated([&] { return machine.milliseconds(); }, stop)};
    if (times.ms.empty()) return cancelled();  // before there was a result
    times.result = machine.result();
    times.first = machine.program().launches().front();
    return times;
} catch (const Refusal& refusal) {
    return failure(refusal.why);
}

}  // namespace warptree::kernels
