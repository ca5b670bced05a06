// Kernels that are in no catalog: registers instead of memory, several blocks, atomics, shuffles. Their traces are
// built by hand; the views must still be true and fit.
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/views/story/story.hpp"
#include "app/views/testing.hpp"
#include "app/views/tree/view.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::scene {
namespace {

using trace::Phase;
using trace::Space;
using trace::testing::At;
using trace::testing::Register;
using trace::testing::TraceBuilder;

/// Two blocks of 4 threads: three loads a thread into a register, a shared tree, an atomic add of the block's sum.
trace::Trace segmented() {
    trace::Launch launch;
    launch.kernel = "pmpp-simple";  // the nearest that has a row in the catalog
    launch.n = 24;
    launch.grid = 2;
    launch.block = 4;
    launch.warp_size = 4;
    TraceBuilder b(launch);
    const std::vector<double> input = trace::testing::textbook_input(24);
    const auto in = b.array("input", Space::kGlobal, trace::Role::kInput, 24, input);
    const auto out = b.array("output", Space::kGlobal, trace::Role::kOutput, 1);
    const auto tile = b.array("input_s", Space::kShared, trace::Role::kScratch, 32);
    const auto load1 = b.step(Phase::kLoad, 0, 16), load2 = b.step(Phase::kLoad, 0, 17);
    const auto tree1 = b.step(Phase::kTree, 2, 20), tree2 = b.step(Phase::kTree, 1, 20),
               last = b.step(Phase::kOutput, 0, 25);
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t t = 0; t < 4; ++t) {
            const std::uint32_t first = 12 * block + t;
            Register sum = b.combine({block, load1, t, 16}, b.read({block, load1, t, 16}, in, first),
                                     b.read({block, load1, t, 16}, in, first + 4));
            sum = b.combine({block, load2, t, 17}, sum, b.read({block, load2, t, 17}, in, first + 8));
            b.write({block, load2, t, 17}, tile, t, sum);
        }
        for (const auto& [step, stride] : {std::pair{tree1, 2}, std::pair{tree2, 1}}) {
            b.barrier({block, step, 0, 19});
            for (std::uint16_t t = 0; t < stride; ++t) {
                const At at{block, step, t, 20};
                const Register left = b.read(at, tile, t),
                               right = b.read(at, tile, static_cast<std::uint32_t>(t + stride));
                b.write(at, tile, t, b.combine(at, left, right));
            }
        }
        b.reduction({block, last, 0, 25}, out, 0, b.read({block, last, 0, 25}, tile, 0));
    }
    return b.build();
}

/// One warp of 8: a load each, then shuffles down; nothing but the result is stored.
trace::Trace shuffled() {
    trace::Launch launch;
    launch.kernel = "pmpp-simple";
    launch.n = 8;
    launch.block = 8;
    launch.warp_size = 8;
    TraceBuilder b(launch);
    const auto in = b.array("input", Space::kGlobal, trace::Role::kInput, 8, trace::testing::textbook_input(8));
    const auto out = b.array("output", Space::kGlobal, trace::Role::kOutput, 1);
    const auto load = b.step(Phase::kLoad, 0, 16);
    std::vector<Register> value;
    for (std::uint16_t t = 0; t < 8; ++t) value.push_back(b.read({0, load, t, 16}, in, t));
    for (std::uint32_t offset = 4; offset >= 1; offset /= 2) {
        const auto step = b.step(Phase::kTree, offset, 18);
        const std::vector<Register> before = value;
        for (std::uint16_t t = 0; t < 8; ++t) {
            const std::uint32_t from = t + offset < 8 ? t + offset : t;
            const At at{0, step, t, 18};
            value[t] = b.combine(at, before[t], b.shuffle(at, from, before[from]));
        }
    }
    const At at{0, b.step(Phase::kOutput, 0, 20), 0, 20};
    b.write(at, out, 0, value[0]);
    return b.build();
}

/// One thread that adds 40 elements one after the other.
trace::Trace sequential() {
    trace::Launch launch;
    launch.kernel = "pmpp-simple";
    launch.n = 40;
    launch.block = 1;
    launch.warp_size = 32;
    TraceBuilder b(launch);
    const auto in = b.array("input", Space::kGlobal, trace::Role::kInput, 40, trace::testing::textbook_input(40));
    const auto out = b.array("output", Space::kGlobal, trace::Role::kOutput, 1);
    Register sum;
    for (std::uint32_t i = 0; i < 40; ++i) {
        const At at{0, b.step(Phase::kLoad, 0, 16), 0, 16};
        sum = b.combine(at, sum, b.read(at, in, i));
    }
    const At at{0, b.step(Phase::kOutput, 0, 20), 0, 20};
    b.write(at, out, 0, sum);
    return b.build();
}

std::size_t curves(const Scene& scene) {
    std::size_t n = 0;
    for (const Shape& shape : scene.shapes) n += std::holds_alternative<Curve>(shape);
    return n;
}

void expect_views(const Subject& s) {
    for (const Vec size : {Vec{1920, 1080}, Vec{768, 432}}) {
        const Layout l = layout(size);
        const Box boxes[] = {l.middle, l.listing, l.counters, l.transport};
        for (std::size_t p = 0; p <= s.steps(); ++p) {
            int i = 0;
            for (const auto& [name, scene] : testing::views(s, {p, 1}, size)) {
                EXPECT_EQ(testing::fault(scene, boxes[i++]), "") << name << " at " << p;
            }
        }
    }
}

TEST(Foreign, RegistersBlocksAndAtomics) {
    const auto s = make_subject(segmented(), 1);
    const Flows& flows = *s->flows;
    const auto second = flows.of(1);
    ASSERT_EQ(second.size(), 4u);
    EXPECT_FALSE(second[0].sources[0].in_cell) << "the sum so far is in a register";
    EXPECT_EQ(second[0].sources[0].step, 0u);
    EXPECT_TRUE(second[0].sources[1].in_cell);
    ASSERT_TRUE(second[0].written);
    EXPECT_EQ(caption(*s, {2, 1}),
              "Step 2: in block 1, all four threads each add an element of input to the value in their registers.");
    EXPECT_NE(caption(*s, {5, 1}).find("thread 0 adds its value"), std::string::npos) << caption(*s, {5, 1});
    // Operands and results: 4 x 2, 4 x 3, 2 x 3, 1 x 3, and the last read and atomic add.
    EXPECT_EQ(curves(tree_view(*s, {5, 1}, {}, {0, 0, 960, 900}, testing::FixedMeasure())), 8u + 12 + 6 + 3 + 2);
    expect_views(*s);
}

TEST(Foreign, Shuffles) {
    const auto s = make_subject(shuffled());
    const Scene scene = tree_view(*s, {4, 1}, {}, {0, 0, 960, 900}, testing::FixedMeasure());
    EXPECT_GE(curves(scene), 3u * 8 * 2) << "two registers an add";
    expect_views(*s);
}

TEST(Foreign, ARunWithoutAnInputTellsNoUsefulness) {
    trace::Trace trace = shuffled();
    for (trace::Array& array : trace.arrays)
        if (array.role == trace::Role::kInput) array.role = trace::Role::kScratch;
    trace.launch.unjudged = "its kernels read no elements";
    const auto s = make_subject(trace);
    EXPECT_FALSE(s->facts->usefulness.known());
    EXPECT_EQ(s->run().input(), nullptr);
    expect_views(*s);
}

/// Four threads that add, or whatever the operator does, an element each to the result.
trace::Trace atomic(const char* op) {
    trace::Launch launch;
    launch.kernel = "mine.cu";
    launch.op = op;
    launch.n = 4;
    launch.block = 4;
    launch.warp_size = 4;
    TraceBuilder b(launch);
    const auto in = b.array("in", Space::kGlobal, trace::Role::kInput, 6, trace::testing::textbook_input(6));
    const auto out = b.array("out", Space::kGlobal, trace::Role::kOutput, 1);
    const auto step = b.step(Phase::kOutput, 0, 3);
    for (std::uint16_t t = 0; t < 4; ++t) b.reduction({0, step, t, 3}, out, 0, b.read({0, step, t, 3}, in, t));
    return b.build();
}

TEST(Foreign, AtomicsOfSeveralThreadsAreNoStores) {
    EXPECT_EQ(caption(*make_subject(atomic("sum")), {1, 1}), "Step 1: all four threads each add a value to out.");
    EXPECT_EQ(caption(*make_subject(atomic("max")), {1, 1}),
              "Step 1: all four threads each take the maximum of out and a value.");
}

TEST(Foreign, ElementsThatAreNotReadAreNoPadding) {
    const std::string before = caption(*make_subject(atomic("sum")), {0, 1});
    EXPECT_NE(before.find("4 elements and 2 more lie in memory"), std::string::npos) << before;
}

TEST(Foreign, ManyStepsOfOneThread) {
    expect_views(*make_subject(sequential()));
}

}  // namespace
}  // namespace warptree::scene
