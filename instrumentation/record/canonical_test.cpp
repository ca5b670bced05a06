// Tests of the canonical order: whatever order the threads ran in, however the log lies, however many workers made
// it, a correct kernel gives one trace, and it is the one that the rules of canonical.hpp give.
#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "instrumentation/record/canonical_kernels_testing.hpp"
#include "instrumentation/record/canonical_state.hpp"
#include "instrumentation/record/canonical_testing.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/reduce/last_block.cuh"

namespace warptree::record {

namespace {

using namespace testing;

struct Named {
    const char* name;
    KernelFunction function;
    bool whole_warp_leads = true;  // the first lane of every warp passes all barriers and markers
};

using R = probe::Recorded<float>;

const std::vector<Named>& all_kernels() {
    static const std::vector<Named> all = {
        {"in_place", in_place<R>},
        {"in_shared", in_shared<R>},
        {"coarsened", coarsened<R>},
        {"two_barriers", two_barriers<R>},
        {"lone_thread", lone_thread<R>},
        {"first_alone", first_alone<R>},
        {"overtaken", overtaken<R>},
        {"outputs", outputs<R>},
        {"stored_and_added", stored_and_added<R>},
        {"twice_on_a_line", twice_on_a_line<R>},
        {"last_warp", last_warp<R>, false},
        {"uneven_clocks", uneven_clocks<R>},
        {"shuffles", shuffles<R>},
        {"early_exits", early_exits<R>},
        {"uneven_blocks", uneven_blocks<R>},
        {"own_operators", own_operators<R>},
        {"votes", votes<R>},
        {"own_atomics", own_atomics<R>},
        {"relay", relay<R>},
        {"phased", phased<R>},
        {"lines_apart", lines_apart<R>},
        {"numbered_rounds", numbered_rounds<R>},
        {"padded_by_16", padded_by_16<R>},
    };
    return all;
}

constexpr simt::Order kOrders[] = {simt::Order::kAscending, simt::Order::kDescending, simt::Order::kShuffled};

std::vector<Shape> shapes() {
    std::vector<Shape> all;
    for (const std::uint32_t grid : {1u, 2u, 3u})
        for (const std::uint32_t block : {1u, 2u, 4u, 8u, 32u, 64u, 128u})
            for (const std::uint32_t warp_size : {4u, 32u}) all.push_back({grid, block, warp_size});
    return all;
}

// ---- One trace

class EveryKernel : public ::testing::TestWithParam<std::size_t> {
protected:
    const Named& kernel() const { return all_kernels()[GetParam()]; }
};

TEST_P(EveryKernel, gives_the_trace_of_the_rules) {
    for (const Shape shape : shapes()) {
        const Recording recording = record(kernel().function, shape);
        const Result<Trace> trace = assembled(recording);
        ASSERT_TRUE(trace.has_value()) << trace.error().message;
        EXPECT_GT(trace->rows(), 0u);
        ASSERT_EQ(first_difference(by_the_rules(recording), *trace), "")
            << kernel().name << ", " << shape.grid << " x " << shape.block << ", warps of " << shape.warp_size;
        EXPECT_EQ(problem(*trace), "");
    }
}

TEST_P(EveryKernel, gives_one_trace_in_every_order_from_any_number_of_workers_and_from_a_gpus_log) {
    for (const Shape shape : shapes()) {
        const Trace expected = *assembled(record(kernel().function, shape));
        for (const simt::Order order : kOrders)
            for (const std::uint64_t seed : {1, 2}) {
                if (order == simt::Order::kShuffled ? kThreadsAlone && seed > 1 : kThreadsAlone || seed > 1) continue;
                const Recording recording = record(kernel().function, shape, order, seed);
                const auto where = [&](const char* what) {
                    return std::string(kernel().name) + " as " + what + ", " + std::to_string(shape.grid) + " x " +
                           std::to_string(shape.block) + ", warps of " + std::to_string(shape.warp_size) + ", order " +
                           std::to_string(static_cast<int>(order)) + "." + std::to_string(seed);
                };
                ASSERT_EQ(first_difference(expected, *assembled(recording)), "") << where("it ran");
                for (std::uint32_t parts = 2; parts <= shape.grid; ++parts)
                    ASSERT_EQ(first_difference(expected, *assembled(recording, parts)), "") << where("parts");
                if (!kernel().whole_warp_leads) continue;
                const Recording as_gpu = sparse(recording);
                ASSERT_EQ(first_difference(expected, *assembled(as_gpu)), "") << where("a sparse log");
                ASSERT_EQ(first_difference(expected, *assembled(as_gpu, shape.grid)), "") << where("sparse parts");
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Canonical, EveryKernel, ::testing::Range(std::size_t{0}, all_kernels().size()),
                         [](const auto& param) { return all_kernels()[param.param].name; });

// ---- The fast way

/// Whether a recording's first block goes through the pass that does not sort.
bool goes_in_order(const Recording& recording) {
    Assembler assembler(recording.header.arrays, recording.header.launch.block, Type::kFloat32, 1);
    const auto count = static_cast<std::uint32_t>(recording.logs[0].size());
    assembler.state->row_of.resize(count);
    return assembler.state->add_in_order(0, recording.logs[0].data(), count, 0);
}

TEST(InOrder, the_usual_logs_need_no_sorting) {
    EXPECT_TRUE(goes_in_order(record(in_place<R>, {1, 128})));
    EXPECT_TRUE(goes_in_order(record(in_shared<R>, {1, 128})));
    EXPECT_FALSE(goes_in_order(record(in_shared<R>, {1, 128}, simt::Order::kDescending)));
    EXPECT_FALSE(goes_in_order(record(in_place<R>, {1, 2}, simt::Order::kDescending)));
    EXPECT_FALSE(goes_in_order(sparse(record(in_shared<R>, {1, 128}))));
}

TEST(InOrder, threads_alike_keep_their_own_clocks) {
    const Recording recording = record(uneven_clocks<R>, {1, 33, 32});  // a warp of one thread waits for nobody
    EXPECT_TRUE(goes_in_order(recording));
    const Trace trace = *assembled(recording);
    EXPECT_EQ(first_difference(by_the_rules(recording), trace), "");
    for (const std::uint32_t row : {trace.range(0, 0).begin, trace.range(0, 1).begin})
        EXPECT_EQ(trace.warp_sync[row], 0);
    EXPECT_EQ(trace.thread.back(), 32);
    EXPECT_EQ(trace.warp_sync.back(), 1);
}

// ---- Steps

std::vector<std::string> step_texts(const Trace& trace, int base) {
    std::vector<std::string> out;
    for (const Step& step : trace.steps)
        out.push_back(std::string(name(step.phase)) + " " + std::to_string(step.stride) + " at +" +
                      std::to_string(step.line - base));
    return out;
}

/// Kinds of one thread's rows in one step: "RRCW".
std::string kinds(const Trace& trace, std::uint32_t block, std::uint32_t step, std::uint32_t thread) {
    std::string out;
    const Trace::Range range = trace.range(block, step);
    for (std::uint32_t row = range.begin; row < range.end; ++row)
        if (trace.thread[row] == thread) out += "RWCSABY"[static_cast<int>(trace.kind(row))];
    return out;
}

TEST(Steps, four_loads_with_three_adds_are_three) {
    const Trace trace = *assembled(record(coarsened<R>, {1, 4}));
    EXPECT_EQ(step_texts(trace, kCoarsenedBase),
              (std::vector<std::string>{"load 0 at +7", "load 0 at +7", "load 0 at +7", "tree 2 at +14",
                                        "tree 1 at +14", "output 0 at +18"}));
    EXPECT_EQ(kinds(trace, 0, 0, 3), "RRC");
    EXPECT_EQ(kinds(trace, 0, 1, 3), "RC");
    EXPECT_EQ(kinds(trace, 0, 2, 3), "RCW");
    EXPECT_EQ(kinds(trace, 0, 2, 0), "RCWB") << "the barrier belongs to the step that it ends";
    EXPECT_EQ(kinds(trace, 0, 3, 1), "RRCW");
    EXPECT_EQ(kinds(trace, 0, 3, 2), "");
    EXPECT_EQ(kinds(trace, 0, 5, 0), "RW") << "the output, with the read that it stores";
}

TEST(Steps, that_only_some_blocks_have) {
    for (const std::uint32_t parts : {1u, 4u}) {
        const Trace trace = *assembled(record(uneven_blocks<R>, {4, 2}), parts);
        EXPECT_EQ(step_texts(trace, kUnevenBase),
                  (std::vector<std::string>{"load 0 at +6", "load 0 at +6", "tree 100 at +14", "output 0 at +17",
                                            "tree 101 at +14", "output 0 at +17", "tree 102 at +14", "output 0 at +17",
                                            "tree 103 at +14", "output 0 at +17"}))
            << parts << " workers: a step's line is that of an add, if any block adds";
        EXPECT_EQ(kinds(trace, 0, 1, 0), "");
        EXPECT_EQ(kinds(trace, 0, 3, 1), "W");
        EXPECT_EQ(kinds(trace, 3, 3, 1), "");
        EXPECT_EQ(kinds(trace, 3, 1, 0), "RCB");
        EXPECT_EQ(kinds(trace, 3, 8, 1), "C");
    }
}

TEST(Steps, take_the_phase_that_the_kernel_gives) {
    for (const std::uint32_t parts : {1u, 3u}) {
        const Trace trace = *assembled(record(phased<R>, {3, 8, 4}), parts);
        std::vector<Phase> phases;
        for (const Step& step : trace.steps) phases.push_back(step.phase);
        EXPECT_EQ(phases, (std::vector<Phase>{Phase::kLoad, Phase::kUpsweep, Phase::kClear, Phase::kDownsweep,
                                              Phase::kDownsweep, Phase::kOutput}))
            << parts << " workers";
    }
}

TEST(Steps, of_partial_results_are_outputs_too) {
    Recording recording = record(outputs<R>, {2, 4, 4});
    const Trace of_output = *assembled(recording);
    recording.header.arrays[1].role = Role::kPartial;
    const Trace of_partial = *assembled(recording);
    EXPECT_EQ(first_difference(by_the_rules(recording), of_partial), "");
    EXPECT_EQ(of_partial.steps, of_output.steps);
    recording.header.arrays[1].role = Role::kScratch;
    EXPECT_NE(assembled(recording)->steps, of_output.steps);
}

// ---- Disagreement

template <class T>
__global__ void strides_by_thread(Global<T> input, Global<T>) {
    step<T>(5);
    input[threadIdx.x] += input[0];
    __syncthreads();
    step<T>(threadIdx.x == 5 ? 9 : 4);
}

template <class T>
__global__ void strides_by_block(Global<T> input, Global<T>) {
    step<T>(blockIdx.x == 2 ? 7 : 6);
    input[blockIdx.x] += input[blockIdx.x];
}

TEST(Disagreement, of_threads_about_a_round_is_an_error) {
    for (const simt::Order order : kOrders) {
        const Result<Trace> trace = assembled(record(strides_by_thread<R>, {1, 8}, order));
        ASSERT_FALSE(trace.has_value());
        const std::string& message = trace.error().message;
        EXPECT_NE(message.find("Threads disagree about round 2"), std::string::npos) << message;
        EXPECT_NE(message.find("stride 4"), std::string::npos) << message;
        EXPECT_NE(message.find("stride 9"), std::string::npos) << message;
        EXPECT_NE(message.find("Every thread of the launch has to call step() for the same rounds."),
                  std::string::npos);
    }
}

TEST(Disagreement, of_blocks_is_one_too_whoever_recorded_them) {
    std::vector<std::string> messages;
    for (const std::uint32_t parts : {1u, 2u, 3u}) {
        const Result<Trace> trace = assembled(record(strides_by_block<R>, {3, 2}), parts);
        ASSERT_FALSE(trace.has_value()) << parts;
        messages.push_back(trace.error().message);
        EXPECT_NE(messages.back().find("round 1"), std::string::npos) << messages.back();
        EXPECT_EQ(messages.back(), messages.front());
    }
}

// ---- Launches

/// Reads of a later launch, as the plainest of all walks finds who wrote what they saw: the write of that cell with the
/// latest step, in the latest launch that has one. Right where no launch writes a cell twice in a step.
std::vector<Carried> carried_by_the_rules(const std::vector<Piece>& launches, std::size_t at) {
    std::vector<Carried> carried;
    const Trace& trace = launches[at].trace;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        if (trace.kind(row) != Kind::kRead || trace.space(row) != Space::kGlobal || trace.a[row] != kNoEvent) continue;
        for (std::size_t from = at; from-- > 0;) {
            const Trace& before = launches[from].trace;
            std::int32_t last = kNoEvent;
            for (std::uint32_t w = 0; w < before.rows(); ++w)
                if (before.kind(w) == Kind::kWrite && before.array(w) == trace.array(row) &&
                    before.index[w] == trace.index[row] &&
                    (last < 0 || before.step[w] >= before.step[static_cast<std::size_t>(last)]))
                    last = static_cast<std::int32_t>(w);
            if (last < 0) continue;
            carried.push_back({row, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(last)});
            break;
        }
    }
    return carried;
}

/// Writes every second cell of its part, so that the next launch finds cells of several launches and some of none.
template <class T>
__global__ void every_second(Global<T> input, Global<T>) {
    unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    step<T>(1);
    input[i] += input[i + 1];
}

TEST(Launches, reads_name_the_write_of_an_earlier_launch) {
    struct One {
        KernelFunction kernel;
        Shape shape;
    };
    const One in_order[] = {{in_place<R>, {3, 4, 4}},
                            {every_second<R>, {2, 2, 4}},
                            {in_place<R>, {2, 8, 4}},
                            {relay<R>, {2, 8, 4}},
                            {lone_thread<R>, {1, 4, 4}}};
    for (const simt::Order order : kOrders)
        for (const std::uint32_t parts : {1u, 2u}) {
            Memory memory(64);
            std::vector<Piece> launches;
            std::uint32_t earlier = 0;
            for (const auto& [kernel, shape] : in_order) {
                const Recording recording = record_on(memory, kernel, shape, earlier, order);
                auto piece = piece_of(recording, std::min(parts, shape.grid));
                ASSERT_TRUE(piece) << piece.error().message;
                EXPECT_EQ(first_difference(by_the_rules(recording), piece->trace), "") << launches.size();
                launches.push_back(std::move(*piece));
                earlier += shape.grid;
            }
            connect(launches);
            EXPECT_TRUE(launches[0].trace.carried.empty());
            std::set<std::uint32_t> sources;
            for (std::size_t at = 1; at < launches.size(); ++at) {
                const Trace& trace = launches[at].trace;
                EXPECT_EQ(trace.carried, carried_by_the_rules(launches, at)) << "launch " << at;
                EXPECT_FALSE(trace.carried.empty()) << at;
                EXPECT_EQ(problem(trace), "") << at;
                for (const Carried& of : trace.carried) {
                    EXPECT_TRUE(trace.value.same(of.row, launches[of.launch].trace.value, of.from_row)) << at;
                    sources.insert(of.launch);
                }
            }
            EXPECT_GE(sources.size(), 3u) << "otherwise this tests little";
        }
}

// ---- Tickets

/// last-block on 4 blocks of 4 threads. Its block sums lie behind the input.
Recording with_tickets() {
    unsigned tickets = 0;
    return record(
        [&tickets](Cells input, Cells output) {
            const Cells block_sums{input.data + 32, input.origins + 32, 32, 0};
            kernels::last_block<R>(input, output, block_sums, {&tickets});
        },
        {4, 4, 4});
}

/// The same run, had `last` been the block that came last: what block 3 did after its ticket, done there.
Recording with_last(Recording run, std::uint32_t last) {
    std::vector<RawLog>& logs = run.logs;
    const std::size_t before = logs[0].size();  // what every block does
    for (std::size_t at = before; at < logs[3].size(); ++at) {
        RawEvent event = logs[3][at];
        const bool shared_read =
            probe::kind_of(event.what) == RawKind::kRead && probe::array_of(event.what) >= probe::kFirstShared;
        if (shared_read) event.b = last;
        logs[last].push_back(event);
    }
    logs[3].resize(before);
    const auto ticket = [](RawLog& log) -> std::uint64_t& {
        return std::find_if(log.begin(), log.end(),
                            [](const RawEvent& e) { return probe::kind_of(e.what) == RawKind::kTicket; })
            ->value;
    };
    std::swap(ticket(logs[last]), ticket(logs[3]));
    return run;
}

/// The rows tell the block sums as the input's first cells: lets those hold them, and the cells behind it the ramp.
Result<Trace> settled(Result<Trace> trace) {
    for (std::size_t row = 0; trace && row < trace->rows(); ++row) {
        if (trace->kind(row) != trace::Kind::kWrite || trace->array(row) != 0) continue;
        const std::uint32_t cell = trace->index[row];
        trace->final[0].set_bits(cell, trace->value.bits(row));
        trace->final[0].set_bits(32 + cell, std::bit_cast<std::uint32_t>(static_cast<float>(33 + cell)));
    }
    return trace;
}

TEST(Tickets, whichever_block_comes_last_the_rows_are_the_same) {
    const Recording run = with_tickets();
    const auto expected = settled(assembled(run));
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_EQ(expected->launch.last_block, 3u);
    EXPECT_EQ(problem(*expected), "");
    for (const std::uint32_t last : {0u, 1u, 2u})
        for (const std::uint32_t parts : {1u, 2u, 4u}) {
            const auto other = settled(assembled(with_last(run, last), parts));
            ASSERT_TRUE(other) << other.error().message;
            EXPECT_EQ(other->launch.last_block, last);
            EXPECT_EQ(problem(*other), "") << last;
            EXPECT_EQ(first_difference(*expected, *other), "") << last;
        }
}

TEST(Tickets, rows_of_a_last_block_that_uses_what_it_kept_stay_with_it) {
    Recording run = with_last(with_tickets(), 1);
    const std::size_t before = run.logs[0].size();
    for (std::size_t at = before; at < run.logs[1].size(); ++at)
        if (probe::kind_of(run.logs[1][at].what) == RawKind::kCombine) {
            run.logs[1][at].a = 0;  // the first element that thread 0 read
            break;
        }
    const auto trace = assembled(run);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->launch.last_block, 1u);
    EXPECT_EQ(trace->block[trace->rows() - 1], 3u);
    const auto ending = trace->range(1, static_cast<std::uint32_t>(trace->steps.size() - 1));
    EXPECT_GT(ending.end, ending.begin) << "the output step is block 1's";
}

}  // namespace
}  // namespace warptree::record
