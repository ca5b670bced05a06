// Tests of the recording element: small kernels over Recorded<T>, and the raw events that they leave.
// Neighbours: ../simt/executor_test.cpp (what runs them), ../trace/canonical_test.cpp (what becomes of the events).
#include "instrumentation/probe/recorded_testing.hpp"

namespace warptree::kernels::inline WARPTREE_BACKEND {
namespace {

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

// ---- Shared arrays

constexpr unsigned kOwnConstant = 7;
template <class T>
__global__ void two_of_three(Global<T> a) {
    __shared__ Shared<T, kOwnConstant * 6> x;
    __shared__ Shared<T, 48, 2> y;
    x[0] = a[0];
    y[1] = x[0];
}
template <class T>
__global__ void both_zero(Global<T> a) {
    __shared__ Shared<T, 4> x;
    __shared__ Shared<T, 4> y;
    x[0] = a[0];
    y[1] = x[0];
}

TEST(SharedArrays, are_what_the_kernel_came_by_however_they_are_written) {
    GlobalMemory<float> a(0, {1});
    simt::Launch launch;
    launch.grid = 2;
    probe::SharedExtents extents{};
    probe::BlockLog::TwoShared two;
    const simt::BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& log) {
        log.add_shared(extents);
        two = log.two_shared;
    };
    EXPECT_EQ(simt::run(
                  launch, [&] { two_of_three<Recorded<float>>(a.recorded()); }, done),
              "");
    EXPECT_EQ(extents, (probe::SharedExtents{42, 0, 48}));
    EXPECT_EQ(two.extent, 0u);
    EXPECT_EQ(simt::run(
                  launch, [&] { both_zero<Recorded<float>>(a.recorded()); }, done),
              "");
    EXPECT_EQ(two.extent, 4u) << "two arrays by one number";
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

// Three elements on each device, five cells from one part to the next: what the trace calls 4 is cell 6.
TEST(Parts, lie_a_stride_apart_and_go_by_one_array_of_the_trace) {
    float cells[10] = {};
    std::uint64_t origins[10] = {};
    const Parts<float> plain{cells, 3, 5};
    EXPECT_EQ(&plain[1][1], &cells[6]);
    EXPECT_EQ(&plain[0][2], &cells[2]);
    const Parts<Recorded<float>> recorded{{cells, origins, 6, 0}, 3, 5};
    const auto second = recorded[1];
    EXPECT_EQ(second.first, 3u);
    EXPECT_EQ(second.whole.data + 4, &cells[6]);
    EXPECT_EQ(second.whole.origins + 4, &origins[6]);
    EXPECT_EQ(recorded[0].whole.data, &cells[0]);
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

}  // namespace
}  // namespace warptree::kernels::inline WARPTREE_BACKEND
