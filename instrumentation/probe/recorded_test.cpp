// Tests of the recording element: small kernels over Recorded<T>, and the raw events that they leave.
// Neighbours: ../simt/executor_test.cpp (what runs them), ../trace/canonical_test.cpp (what becomes of the events).
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/probe/element.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {
namespace {

using probe::kNone;
using probe::RawEvent;
using probe::RawKind;
using probe::Recorded;

/// An array in global memory, with two guard cells behind its end.
template <class T>
class GlobalMemory {
public:
    GlobalMemory(std::uint32_t id, std::vector<T> values) : cells(std::move(values)), id_(id) {
        extent_ = static_cast<std::uint32_t>(cells.size());
        cells.resize(extent_ + 2, T(-99));
        origins_.resize(extent_ + 2);
    }
    Global<Recorded<T>> recorded() { return {cells.data(), origins_.data(), extent_, id_}; }
    Global<T> plain() { return cells.data(); }
    bool guards_hold() const { return cells[extent_] == T(-99) && cells[extent_ + 1] == T(-99); }

    std::vector<T> cells;

private:
    std::vector<std::uint64_t> origins_;
    std::uint32_t extent_, id_;
};

/// What one launch left behind.
struct Log {
    std::vector<std::vector<RawEvent>> blocks;  // (block, event)
    std::vector<probe::OutOfBounds> faults;
    const std::vector<RawEvent>& events() const { return blocks.at(0); }
};

template <class Body>
Log record(std::uint32_t grid, std::uint32_t block, Body&& body, simt::Order order = simt::Order::kAscending) {
    simt::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.order = order;
    launch.workers = 1;
    Log log;
    const simt::BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& of_block) {
        log.blocks.emplace_back(of_block.data(), of_block.data() + of_block.size());
        log.faults.insert(log.faults.end(), of_block.faults.begin(), of_block.faults.end());
    };
    EXPECT_EQ(simt::run(launch, body, done), "");
    return log;
}

template <class T>
T value_of(const RawEvent& event) {
    T value;
    std::memcpy(&value, &event.value, sizeof value);
    return value;
}

/// "line+2 thread 0: read array 1 [3] = 5 from 4/0": operands as positions, a read's block behind the slash.
template <class T>
std::string text(const RawEvent& event, int base_line) {
    static const char* const kNames[] = {
        "empty",  "read",       "write",          "combine", "shuffle", "reduction", "barrier",    "warpsync",
        "ticket", "warpreduce", "clusterbarrier", "vote",    "marker",  "readwide",  "readremote", "ownreduction"};
    const auto operand = [](std::uint32_t position) { return position == kNone ? "-" : std::to_string(position); };
    const std::uint32_t array = probe::array_of(event.what);
    std::string on = array == probe::kNoArray ? "" : fmt::format(" {}[{}]", array, event.index);
    if (!on.empty() && probe::has_operator(probe::kind_of(event.what)))
        on = array == probe::kNegate ? " negate" : fmt::format(" {}", value::kOpNames[array]);
    return fmt::format("+{} t{} {}{} = {} ({}, {})", static_cast<int>(probe::line_of(event.what)) - base_line,
                       probe::thread_of(event.what), kNames[static_cast<int>(probe::kind_of(event.what))], on,
                       value_of<T>(event), operand(event.a), operand(event.b));
}

template <class T = float>
std::vector<std::string> texts(const std::vector<RawEvent>& events, int base_line) {
    std::vector<std::string> out;
    for (const RawEvent& event : events) out.push_back(text<T>(event, base_line));
    return out;
}

using Texts = std::vector<std::string>;

// ---- Order, lines, operands

constexpr int kSum = __LINE__;
template <class T>
__global__ void sum_of_two(Global<T> in, Global<T> out) {
    out[1] =            // +3
        in[2] + in[0];  // +4
    out[0] = in[0]      // +5
             + in[1]    // +6
             + in[2];   // +7
}

TEST(Recorded, reads_the_left_operand_first_and_knows_each_line) {
    GlobalMemory<float> in(0, {1, 2, 4}), out(1, {0, 0});
    const Log log = record(1, 1, [&] { sum_of_two<Recorded<float>>(in.recorded(), out.recorded()); });
    EXPECT_EQ(texts(log.events(), kSum), (Texts{
                                             "+4 t0 read 0[2] = 4 (-, -)",
                                             "+4 t0 read 0[0] = 1 (-, -)",
                                             "+4 t0 combine = 5 (0, 1)",
                                             "+3 t0 write 1[1] = 5 (2, -)",
                                             "+5 t0 read 0[0] = 1 (-, -)",
                                             "+6 t0 read 0[1] = 2 (-, -)",
                                             "+5 t0 combine = 3 (4, 5)",
                                             "+7 t0 read 0[2] = 4 (-, -)",
                                             "+7 t0 combine = 7 (6, 7)",
                                             "+5 t0 write 1[0] = 7 (8, -)",
                                         }));
    EXPECT_EQ(out.cells[0], 7);
    EXPECT_EQ(out.cells[1], 5);
}

constexpr int kAccumulate = __LINE__;
template <class T>
__global__ void accumulate(Global<T> a) {
    a[0] += a[1];  // +3
    T sum = a[2];
    sum += a[0];  // +5
    sum += sum;
    a[2] = sum;  // +7
    *a = a[2];
}

TEST(Recorded, adds_in_place_left_first_and_follows_values_through_registers) {
    GlobalMemory<std::int32_t> a(0, {10, -3, 100});
    const Log log = record(1, 1, [&] { accumulate<Recorded<std::int32_t>>(a.recorded()); });
    EXPECT_EQ(texts<std::int32_t>(log.events(), kAccumulate), (Texts{
                                                                  "+3 t0 read 0[0] = 10 (-, -)",
                                                                  "+3 t0 read 0[1] = -3 (-, -)",
                                                                  "+3 t0 combine = 7 (0, 1)",
                                                                  "+3 t0 write 0[0] = 7 (2, -)",
                                                                  "+4 t0 read 0[2] = 100 (-, -)",
                                                                  "+5 t0 read 0[0] = 7 (3, 0)",
                                                                  "+5 t0 combine = 107 (4, 5)",
                                                                  "+6 t0 combine = 214 (6, 6)",
                                                                  "+7 t0 write 0[2] = 214 (7, -)",
                                                                  "+8 t0 read 0[2] = 214 (8, 0)",
                                                                  "+8 t0 write 0[0] = 214 (9, -)",
                                                              }));
    EXPECT_EQ(a.cells[0], 214);
}

constexpr int kCopies = __LINE__;
template <class T>
__global__ void copies(Global<T> a, Global<T> b) {
    __shared__ Shared<T, 4> s;
    __shared__ Shared<T, 3, 1> u;
    s[3] = a[1];  // +5
    u[2] = s[3];
    a[0] = a[1];
    b[0] = u[2];
    s[0] = s[3];
    T held = a[0], other = held;  // +10
    held = T(5);
    b[1] = other;
    b[2] = held;
}

TEST(Recorded, copies_cells_of_either_memory_and_tells_two_shared_arrays_apart) {
    GlobalMemory<float> a(0, {1, 2}), b(1, {0, 0, 0});
    const Log log = record(1, 1, [&] { copies<Recorded<float>>(a.recorded(), b.recorded()); });
    EXPECT_EQ(texts(log.events(), kCopies), (Texts{
                                                "+5 t0 read 0[1] = 2 (-, -)",
                                                "+5 t0 write 8[3] = 2 (0, -)",
                                                "+6 t0 read 8[3] = 2 (1, 0)",
                                                "+6 t0 write 9[2] = 2 (2, -)",
                                                "+7 t0 read 0[1] = 2 (-, -)",
                                                "+7 t0 write 0[0] = 2 (4, -)",
                                                "+8 t0 read 9[2] = 2 (3, 0)",
                                                "+8 t0 write 1[0] = 2 (6, -)",
                                                "+9 t0 read 8[3] = 2 (1, 0)",
                                                "+9 t0 write 8[0] = 2 (8, -)",
                                                "+10 t0 read 0[0] = 2 (5, 0)",
                                                "+12 t0 write 1[1] = 2 (10, -)",
                                                "+13 t0 write 1[2] = 5 (-, -)",
                                            }));
}

TEST(Recorded, kernels_do_the_same_without_recording) {
    GlobalMemory<float> a(0, {1, 2}), b(1, {0, 0, 0}), c(0, {10, -3, 100});
    simt::Launch launch;
    EXPECT_EQ(simt::run(launch, [&] { copies<float>(a.plain(), b.plain()); }), "");
    EXPECT_EQ(simt::run(launch, [&] { accumulate<float>(c.plain()); }), "");
    EXPECT_EQ(a.cells, (std::vector<float>{2, 2, -99, -99}));
    EXPECT_EQ(b.cells, (std::vector<float>{2, 2, 5, -99, -99}));
    EXPECT_EQ(c.cells, (std::vector<float>{214, -3, 214, -99, -99}));
}

// ---- Out of bounds

constexpr int kOutside = __LINE__;
template <class T>
__global__ void outside(Global<T> a, Global<T> b) {
    __shared__ Shared<T, 2> s;
    unsigned t = threadIdx.x;
    a[t + 2] = T(7);  // +5: extent 3, thread 1 is outside
    T got = a[t + 2];
    b[0] = got;
    s[t + 1] = T(1);  // +8: extent 2, thread 1 is outside
    a[0u - 1] += a[0];
}

TEST(OutOfBounds, accesses_are_reported_and_not_made) {
    GlobalMemory<float> a(0, {1, 2, 3}), b(1, {0});
    const Log log = record(1, 2, [&] { outside<Recorded<float>>(a.recorded(), b.recorded()); });
    Texts faults;
    for (const probe::OutOfBounds& fault : log.faults)
        faults.push_back(text<float>({0, 0, fault.what, fault.index, fault.extent, fault.block}, kOutside));
    EXPECT_EQ(faults, (Texts{
                          "+9 t0 read 0[4294967295] = 0 (3, 0)",
                          "+9 t0 write 0[4294967295] = 0 (3, 0)",
                          "+5 t1 write 0[3] = 0 (3, 0)",
                          "+6 t1 read 0[3] = 0 (3, 0)",
                          "+8 t1 write 8[2] = 0 (2, 0)",
                          "+9 t1 read 0[4294967295] = 0 (3, 0)",
                          "+9 t1 write 0[4294967295] = 0 (3, 0)",
                      }));
    EXPECT_TRUE(a.guards_hold());
    EXPECT_EQ(a.cells[2], 7);
    EXPECT_EQ(b.cells[0], 0) << "a read outside gives zero";
    for (const RawEvent& event : log.events()) {
        if (probe::array_of(event.what) == 0) {
            EXPECT_LT(event.index, 3u);
        }
    }
}

template <class T>
__global__ void all_outside(Global<T> a) {
    a[10 + threadIdx.x] = T(1);
    atomicAdd(a, T(1));
}

TEST(OutOfBounds, atomics_too_and_only_the_first_sixteen_of_a_block_are_kept) {
    GlobalMemory<float> none(1, {});
    const Log log = record(2, 40, [&] { all_outside<Recorded<float>>(none.recorded()); });
    ASSERT_EQ(log.faults.size(), 32u);
    EXPECT_EQ(probe::kind_of(log.faults[1].what), RawKind::kReduction);
    EXPECT_EQ(log.faults[1].extent, 0u);
    EXPECT_EQ(log.faults[0].block, 0u);
    EXPECT_EQ(log.faults[16].block, 1u);
    EXPECT_TRUE(none.guards_hold());
    EXPECT_TRUE(log.events().empty());
}

// ---- Blocks

constexpr int kAtomic = __LINE__;
template <class T>
__global__ void add_up(Global<T> in, Global<T> out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // +4
}

TEST(Atomics, leave_a_reduction_with_the_value_added) {
    GlobalMemory<float> in(0, {1, 2, 4, 8}), out(1, {0.5f});
    const Log log = record(2, 2, [&] { add_up<Recorded<float>>(in.recorded(), out.recorded()); });
    ASSERT_EQ(log.blocks.size(), 2u);
    EXPECT_EQ(texts(log.blocks[1], kAtomic), (Texts{
                                                 "+4 t0 read 0[2] = 4 (-, -)",
                                                 "+4 t0 reduction 1[0] = 4 (0, -)",
                                                 "+4 t1 read 0[3] = 8 (-, -)",
                                                 "+4 t1 reduction 1[0] = 8 (2, -)",
                                             }));
    EXPECT_EQ(out.cells[0], 15.5f);
}

constexpr int kLeftOver = __LINE__;
template <class T>
__global__ void left_over(Global<T> out) {
    __shared__ Shared<T, 2> s;
    out[blockIdx.x] = s[1];  // +4
    s[1] = T(6);
    out[blockIdx.x] = s[1];  // +6
}

TEST(SharedMemory, of_another_block_or_launch_is_never_seen) {
    for (int launch = 0; launch < 2; ++launch) {
        GlobalMemory<float> out(1, {0, 0, 0});
        const Log log = record(3, 1, [&] { left_over<Recorded<float>>(out.recorded()); });
        ASSERT_EQ(log.blocks.size(), 3u);
        for (std::uint32_t block = 0; block < 3; ++block) {
            const std::string cell = fmt::format("1[{}]", block), own = fmt::format("(2, {})", block);
            EXPECT_EQ(texts(log.blocks[block], kLeftOver), (Texts{
                                                               "+4 t0 read 8[1] = 0 (-, -)",
                                                               "+4 t0 write " + cell + " = 0 (0, -)",
                                                               "+5 t0 write 8[1] = 6 (-, -)",
                                                               "+6 t0 read 8[1] = 6 " + own,
                                                               "+6 t0 write " + cell + " = 6 (3, -)",
                                                           }));
        }
    }
}

template <class T>
__global__ void hand_on(Global<T> a) {
    a[blockIdx.x + 1] = a[blockIdx.x];
}

TEST(GlobalMemory, remembers_which_block_wrote) {
    GlobalMemory<float> a(0, {3, 0, 0});
    const Log log = record(2, 1, [&] { hand_on<Recorded<float>>(a.recorded()); });
    EXPECT_EQ(log.blocks[0][0].a, kNone);
    EXPECT_EQ(log.blocks[1][0].a, 1u) << "the write's position";
    EXPECT_EQ(log.blocks[1][0].b, 0u) << "in block 0";
    EXPECT_EQ(a.cells[2], 3);
}

// ---- Rounds, barriers, warps

constexpr int kRounds = __LINE__;
template <class T>
__global__ void rounds(Global<T> a) {
    for (unsigned stride = 2; stride >= 1; stride /= 2) {
        step<T>(stride);  // +4
        if (threadIdx.x < stride) {
            a[threadIdx.x] += a[threadIdx.x + stride];  // +6
        }
        __syncthreads();  // +8
    }
}

std::string clock_text(const RawEvent& event) {
    return fmt::format("{}.{}.{}", probe::marker_of(event.clock), probe::barrier_of(event.clock),
                       probe::warp_sync_of(event.clock));
}

TEST(Clocks, count_rounds_and_barriers) {
    GlobalMemory<float> a(0, {1, 2, 4, 8});
    const Log log = record(1, 2, [&] { rounds<Recorded<float>>(a.recorded()); });
    const Texts what = texts(log.events(), kRounds);
    Texts clocks;
    for (std::size_t i = 0; i < what.size(); ++i)
        clocks.push_back(clock_text(log.events()[i]) + " " + what[i].substr(0, what[i].find(" =")));
    EXPECT_EQ(clocks,
              (Texts{"1.0.0 +4 t0 marker", "1.0.0 +6 t0 read 0[0]", "1.0.0 +6 t0 read 0[2]", "1.0.0 +6 t0 combine",
                     "1.0.0 +6 t0 write 0[0]", "1.0.0 +8 t0 barrier", "1.0.0 +6 t1 read 0[1]", "1.0.0 +6 t1 read 0[3]",
                     "1.0.0 +6 t1 combine", "1.0.0 +6 t1 write 0[1]", "2.1.0 +4 t0 marker", "2.1.0 +6 t0 read 0[0]",
                     "2.1.0 +6 t0 read 0[1]", "2.1.0 +6 t0 combine", "2.1.0 +6 t0 write 0[0]", "2.1.0 +8 t0 barrier"}));
    EXPECT_EQ(log.events()[0].index, 2u) << "the stride";
    EXPECT_EQ(log.events()[12].a, 9u) << "thread 0 reads what thread 1 wrote before the barrier";
}

template <class T>
__global__ void disagree() {
    step<T>(threadIdx.x == 3 ? 7 : 5);
}

TEST(Clocks, a_thread_that_names_another_stride_leaves_an_event_of_its_own) {
    for (const auto order : {simt::Order::kAscending, simt::Order::kDescending}) {
        const Log log = record(
            1, 6, [&] { disagree<Recorded<float>>(); }, order);
        ASSERT_EQ(log.events().size(), 2u);
        std::vector<std::uint32_t> strides = {log.events()[0].index, log.events()[1].index};
        EXPECT_EQ(strides, (std::vector<std::uint32_t>{5, 7}));
    }
}

constexpr int kShuffle = __LINE__;
template <class T>
__global__ void shuffle(Global<T> a) {
    T x = a[threadIdx.x];
    x += __shfl_down_sync(0xffffffffu, x, 1);  // +4
    __syncwarp();                              // +5
    if (threadIdx.x == 0) a[0] = x;
}

TEST(Warps, a_shuffle_names_the_event_in_the_other_lane) {
    GlobalMemory<float> a(0, {1, 2, 4});
    const Log log = record(1, 3, [&] { shuffle<Recorded<float>>(a.recorded()); });
    EXPECT_EQ(texts(log.events(), kShuffle), (Texts{
                                                 "+3 t0 read 0[0] = 1 (-, -)",
                                                 "+3 t1 read 0[1] = 2 (-, -)",
                                                 "+3 t2 read 0[2] = 4 (-, -)",
                                                 "+4 t2 shuffle = 4 (2, -)",
                                                 "+4 t2 combine = 8 (2, 3)",
                                                 "+4 t0 shuffle = 2 (1, -)",
                                                 "+4 t0 combine = 3 (0, 5)",
                                                 "+5 t0 warpsync = 0 (-, -)",
                                                 "+4 t1 shuffle = 4 (2, -)",
                                                 "+4 t1 combine = 6 (1, 8)",
                                                 "+6 t0 write 0[0] = 3 (6, -)",
                                             }));
    EXPECT_EQ(log.events()[5].index, 1u) << "the source lane";
    EXPECT_EQ(clock_text(log.events()[10]), "0.0.1");
}

// ---- Operators that mean themselves

constexpr int kOwn = __LINE__;
template <class T>
__global__ void own(Global<T> a) {
    T x = a[0] - a[1];     // +3
    x = -x * a[1];         // +4
    if (x < a[0]) x -= x;  // +5
    a[0] *= 2.0f - x;      // +6
    a[1] = x + T(1);       // +7
    if (a[0] == a[1]) a[2] = x;
}

TEST(Operators, that_mean_themselves_say_so) {
    GlobalMemory<float> a(0, {5, 3, 0});
    const Log log = record(1, 1, [&] { own<Recorded<float>>(a.recorded()); });
    EXPECT_EQ(texts(log.events(), kOwn), (Texts{
                                             "+3 t0 read 0[0] = 5 (-, -)",
                                             "+3 t0 read 0[1] = 3 (-, -)",
                                             "+3 t0 combine subtract = 2 (0, 1)",
                                             "+4 t0 combine negate = -2 (2, -)",
                                             "+4 t0 read 0[1] = 3 (-, -)",
                                             "+4 t0 combine product = -6 (3, 4)",
                                             "+5 t0 read 0[0] = 5 (-, -)",
                                             "+5 t0 combine subtract = 0 (5, 5)",
                                             "+6 t0 combine subtract = 2 (-, 7)",
                                             "+6 t0 read 0[0] = 5 (-, -)",
                                             "+6 t0 combine product = 10 (9, 8)",
                                             "+6 t0 write 0[0] = 10 (10, -)",
                                             "+7 t0 combine = 1 (7, -)",
                                             "+7 t0 write 0[1] = 1 (12, -)",
                                             "+8 t0 read 0[0] = 10 (11, 0)",
                                             "+8 t0 read 0[1] = 1 (13, 0)",
                                         }));
}

/// Kahan's sum, as in his paper.
template <class T>
__global__ void kahan(Global<T> input, Global<T> output, unsigned n) {
    T sum = input[0], c = sum - sum, plain = sum;
    for (unsigned i = 1; i < n; ++i) {
        T y = input[i] - c;
        T t = sum + y;
        c = (t - sum) - y;
        sum = t;
        plain += input[i];
    }
    output[0] = sum;
    output[1] = plain;
}

TEST(Operators, kahans_sum_keeps_what_a_plain_one_loses) {
    std::vector<float> numbers(1025, 0x1p-25f);  // a quarter of the last place of 1 each
    numbers[0] = 1;
    GlobalMemory<float> in(0, numbers), out(1, {0, 0});
    record(1, 1, [&] { kahan<Recorded<float>>(in.recorded(), out.recorded(), 1025); });
    EXPECT_EQ(out.cells[0], 1 + 0x1p-15f);
    EXPECT_EQ(out.cells[1], 1);
    simt::Launch launch;
    GlobalMemory<float> plain(1, {0, 0});
    EXPECT_EQ(simt::run(launch, [&] { kahan<float>(in.plain(), plain.plain(), 1025); }), "");
    EXPECT_EQ(plain.cells, out.cells);
}

TEST(Operators, of_dynamic_elements_are_the_launchs_for_add_alone) {
    using probe::Dynamic;
    const auto bits = [](float value) { return Dynamic{std::bit_cast<std::uint32_t>(value)}; };
    std::vector<float> got;
    record(1, 1, [&] {
        probe::active_operator = {value::Type::kFloat32, value::Op::kMax};
        const Recorded<Dynamic> x = bits(5), y = bits(3);
        for (const Recorded<Dynamic>& result : {x + y, x - y, x * y, -x})
            got.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(result.plain().bits)));
        EXPECT_TRUE(y < x && x >= y && x != y && !(x == y) && x == x);
        probe::active_operator = {};
    });
    EXPECT_EQ(got, (std::vector<float>{5, 2, 15, -5}));
}

// ---- Warp words

template <class T>
__global__ void four_shuffles(Global<T> a) {
    const unsigned t = threadIdx.x;
    T x = a[t];
    T got[] = {__shfl_up_sync(0xffffffffu, x, 1, 4), __shfl_down_sync(0xffffffffu, x, 1, 4),
               __shfl_xor_sync(0xffffffffu, a[t], 1), __shfl_sync(0xffffffffu, x, 2, 4)};
    if (t >= 4) got[0] = __shfl_xor_sync(0xf0u, x, 2);
    a[t] = got[0];
}

TEST(Warps, four_shuffles_with_widths_and_masks) {
    GlobalMemory<float> a(0, {0, 10, 20, 30, 40, 50, 60, 70});
    const Log log = record(1, 8, [&] { four_shuffles<Recorded<float>>(a.recorded()); });
    std::vector<std::vector<std::uint32_t>> sources(8);
    for (const RawEvent& event : log.events()) {
        if (probe::kind_of(event.what) != RawKind::kShuffle) continue;
        sources[probe::thread_of(event.what)].push_back(event.index);
        EXPECT_EQ(value_of<float>(event), 10 * static_cast<float>(event.index));
        EXPECT_EQ(probe::thread_of(log.events()[event.a].what), event.index);
    }
    EXPECT_EQ(sources, (std::vector<std::vector<std::uint32_t>>{{0, 1, 1, 2},
                                                                {0, 2, 0, 2},
                                                                {1, 3, 3, 2},
                                                                {2, 3, 2, 2},
                                                                {4, 5, 5, 6, 6},
                                                                {4, 6, 4, 6, 7},
                                                                {5, 7, 7, 6, 4},
                                                                {6, 7, 6, 6, 5}}));
}

template <class T>
__global__ void all_votes(Global<T> a, unsigned* got) {
    const unsigned t = threadIdx.x;
    T x = a[t];
    int same = 7;
    if (t == 0)
        got[0] = __activemask();
    else
        (void)__activemask();
    const unsigned votes[] = {__ballot_sync(0xffffffffu, x > T(2)),
                              static_cast<unsigned>(__any_sync(0xffffffffu, x > T(8))),
                              static_cast<unsigned>(__all_sync(0xffffffffu, x > T(0))),
                              __match_any_sync(0xffffffffu, a[t]),
                              __match_all_sync(0xffffffffu, x, &same),
                              static_cast<unsigned>(same),
                              static_cast<unsigned>(__syncthreads_count(t < 2)),
                              static_cast<unsigned>(__syncthreads_and(t < 2)),
                              static_cast<unsigned>(__syncthreads_or(t < 2))};
    if (t == 2)
        for (unsigned k = 0; k < 9; ++k) got[k + 1] = votes[k];
}

TEST(Warps, votes_leave_what_each_lane_got) {
    GlobalMemory<std::int32_t> a(0, {1, 2, 3, 3});
    std::vector<unsigned> got(10), plain(10), logged;
    const Log log = record(1, 4, [&] { all_votes<Recorded<std::int32_t>>(a.recorded(), got.data()); });
    EXPECT_EQ(got, (std::vector<unsigned>{0xf, 0xc, 0, 1, 0xc, 0, 0, 2, 0, 1}));
    for (const RawEvent& event : log.events())
        if (probe::kind_of(event.what) == RawKind::kVote && probe::thread_of(event.what) == 2)
            logged.push_back(event.index);
    EXPECT_EQ(logged, (std::vector<unsigned>{0xf, 0xc, 0, 1, 0xc, 0}));
    simt::Launch launch;
    launch.block = 4;
    EXPECT_EQ(simt::run(launch, [&] { all_votes<std::int32_t>(a.plain(), plain.data()); }), "");
    EXPECT_EQ(plain, got);
}

constexpr int kReduces = __LINE__;
template <class T>
__global__ void reduces(Global<T> a, Global<T> out) {
    T x = a[threadIdx.x];
    const T all[] = {__reduce_add_sync(0x7u, x),  // +4
                     __reduce_min_sync(0x7u, x),
                     __reduce_max_sync(0x7u, x),
                     T(__reduce_and_sync(0x7u, x)),
                     T(__reduce_or_sync(0x7u, x)),
                     T(__reduce_xor_sync(0x7u, a[threadIdx.x]))};
    __syncwarp(0x3u << (threadIdx.x & 2));
    if (threadIdx.x == 0)
        for (unsigned k = 0; k < 6; ++k) out[k] = all[k];
}

TEST(Warps, reductions_but_for_add_mean_themselves) {
    GlobalMemory<std::int32_t> a(0, {6, 7, 5}), out(1, std::vector<std::int32_t>(6)),
        plain(1, std::vector<std::int32_t>(6));
    const Log log = record(1, 3, [&] { reduces<Recorded<std::int32_t>>(a.recorded(), out.recorded()); });
    EXPECT_EQ(out.cells, (std::vector<std::int32_t>{18, 5, 7, 4, 7, 4, -99, -99}));
    Texts of_one, syncs;
    for (const RawEvent& event : log.events()) {
        const std::string line = text<std::int32_t>(event, kReduces);
        if (probe::kind_of(event.what) == RawKind::kWarpReduce && probe::thread_of(event.what) == 1)
            of_one.push_back(line.substr(0, line.find(" (")));
        if (probe::kind_of(event.what) == RawKind::kWarpSync) syncs.push_back(line);
    }
    EXPECT_EQ(of_one, (Texts{"+4 t1 warpreduce = 18", "+5 t1 warpreduce min = 5", "+6 t1 warpreduce max = 7",
                             "+7 t1 warpreduce and = 4", "+8 t1 warpreduce or = 7", "+9 t1 warpreduce xor = 4"}));
    EXPECT_EQ(syncs.size(), 2u) << "one a mask";
    simt::Launch launch;
    launch.block = 3;
    EXPECT_EQ(simt::run(launch, [&] { reduces<std::int32_t>(a.plain(), plain.plain()); }), "");
    EXPECT_EQ(plain.cells, out.cells);
}

constexpr int kCells = __LINE__;
template <class T>
__global__ void cells(Global<T> a) {
    __shared__ Shared<T, 2> s;
    T x = a[2];  // +4
    s[1] = x;
    atomicAdd(&s[1], x);
    atomicMin(&a[1], s[1]);  // +7
    atomicSub(a, x);
    atomicMax(&a[0], a[1]);  // +9
}

TEST(Atomics, work_on_any_cell_and_name_their_operator) {
    GlobalMemory<std::int32_t> a(0, {5, 9, 4}), plain(0, {5, 9, 4});
    const Log log = record(1, 1, [&] { cells<Recorded<std::int32_t>>(a.recorded()); });
    EXPECT_EQ(texts<std::int32_t>(log.events(), kCells), (Texts{
                                                             "+4 t0 read 0[2] = 4 (-, -)",
                                                             "+5 t0 write 8[1] = 4 (0, -)",
                                                             "+6 t0 reduction 8[1] = 4 (0, -)",
                                                             "+7 t0 read 8[1] = 8 (-, -)",
                                                             "+7 t0 ownreduction 0[1] = 8 (3, 2)",
                                                             "+8 t0 ownreduction 0[0] = 4 (0, 11)",
                                                             "+9 t0 read 0[1] = 8 (-, -)",
                                                             "+9 t0 ownreduction 0[0] = 8 (6, 3)",
                                                         }));
    EXPECT_EQ(a.cells, (std::vector<std::int32_t>{8, 8, 4, -99, -99}));
    simt::Launch launch;
    EXPECT_EQ(simt::run(launch, [&] { cells<std::int32_t>(plain.plain()); }), "");
    EXPECT_EQ(plain.cells, a.cells);
}

}  // namespace
}  // namespace warptree::kernels::inline WARPTREE_BACKEND
