#include "instrumentation/run/nccl_log.hpp"

#include <gmock/gmock.h>

namespace warptree::kernels {
namespace {

using ::testing::ElementsAre;
using Shape = NcclChannels::Shape;

/// As version 2.28 writes it, of two devices; lines of other kinds between.
constexpr const char* kLog =
    "vm:7:7 [0] NCCL INFO cudaDriverVersion 13000\n"
    "vm:7:7 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
    "vm:7:9 [0] NCCL INFO Pattern 4, crossNic 0, nChannels 12, bw 30.000000/30.000000, type NVL/PIX, sameChannels 1\n"
    "vm:7:9 [0] NCCL INFO Tree 0 : -1 -> 0 -> 1/-1/-1\n"
    "vm:7:9 [0] NCCL INFO Tree 1 : 1 -> 0 -> -1/-1/-1\n"
    "vm:7:9 [0] NCCL INFO Channel 00/02 : 0 1\n"
    "vm:7:9 [0] NCCL INFO Channel 01/02 : 0 1\n"
    "vm:7:8 [1] NCCL INFO Tree 0 : 0 -> 1 -> -1/-1/-1\n"
    "vm:7:8 [1] NCCL INFO Tree 1 : -1 -> 1 -> 0/-1/-1\n"
    "vm:7:9 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1\n"
    "vm:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/direct pointer\n"
    "vm:7:7 [0] NCCL INFO AllReduce: 4 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n"
    "vm:7:7 [0] NCCL INFO Reduce: 65536 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..7}\n"
    "vm:7:7 [0] NCCL INFO AllReduce: 4 Bytes -> Algo TREE proto LL128 channel{Lo..Hi}={2..23}\n";

TEST(NcclLog, Says_how_channels_are_laid_and_which_way_each_work_went) {
    const NcclNotes notes = read_nccl_log(kLog, 2);
    EXPECT_EQ(notes.version, "2.28.9");
    EXPECT_THAT(notes.channels,
                ElementsAre(NcclChannels{Shape::kRing, 2, 2, {0, 1}}, NcclChannels{Shape::kTree, 2, 1, {0, 0}},
                            NcclChannels{Shape::kTree, 2, 1, {1, 1}}));
    EXPECT_THAT(notes.choices, ElementsAre(NcclChoice{"nccl-all-reduce", 4, 2, 22, "TREE", "LL128"},
                                           NcclChoice{"nccl-reduce", 65536, 2, 8, "RING", "LL"}));
}

TEST(NcclLog, Passes_over_what_is_not_whole) {
    // Of three devices one says nothing of its tree, a ring leaves one out, and lines end early.
    const NcclNotes notes = read_nccl_log(
        "a NCCL INFO Tree 0 : -1 -> 0 -> 1/-1/-1\na NCCL INFO Tree 0 : 0 -> 1 -> -1/-1/-1\n"
        "a NCCL INFO Channel 00/01 : 0 1\na NCCL INFO Channel 01/02\na NCCL INFO Tree 7\n"
        "a NCCL INFO AllReduce: 4 Bytes -> Algo 1 proto 0 time 7.2\na NCCL INFO AllReduce: x Bytes\n"
        "a NCCL INFO Reduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={5..2}\na NCCL INFO",
        3);
    EXPECT_TRUE(notes.version.empty());
    EXPECT_TRUE(notes.channels.empty());
    EXPECT_TRUE(notes.choices.empty());
    EXPECT_TRUE(read_nccl_log("", 2).channels.empty());
}

TEST(NcclLog, Of_two_communicators_the_last_counts) {
    const std::string both = std::string("a NCCL INFO Channel 00/01 : 0 2 1\n") + "a NCCL INFO Channel 00/01 : 0 1 2\n";
    EXPECT_THAT(read_nccl_log(both, 3).channels, ElementsAre(NcclChannels{Shape::kRing, 3, 1, {0, 1, 2}}));
}

}  // namespace
}  // namespace warptree::kernels
