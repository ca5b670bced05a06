// Tests of the recording element: operators that mean themselves, words of warps, atomics on any cell.
// Neighbour: recorded_test.cpp.
#include <bit>

#include "instrumentation/probe/recorded_testing.hpp"

namespace warptree::kernels::inline WARPTREE_BACKEND {
namespace {

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
