// Kernels that run on several devices: results, what goes over links, and traces, for any number of devices.
#include <bit>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/counters/links.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/sanitized.hpp"
#include "instrumentation/trace/file_testing.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDevices[] = {"reduce-to-root", "all-reduce-ring", "all-reduce-halving", "all-reduce-tree",
                                    "all-reduce-one-shot"};

Request on_devices(const std::string& kernel, std::uint32_t devices, std::uint64_t part) {
    Request request{.kernel = kernel};
    take_usual(*find(kernel), request);
    request.devices = devices, request.n = devices * part;
    return request;
}
bool takes_devices(const std::string& kernel, std::uint32_t devices) {
    return kernel != "all-reduce-halving" || std::has_single_bit(devices);
}

TEST(Devices, EachHasTheSumsWhateverTheirNumber) {
    for (const std::string kernel : kDevices)
        for (const std::uint32_t devices : {2u, 3u, 5u, 8u, 64u})
            for (const std::uint64_t part : {1u, 7u, 32u}) {
                if (!takes_devices(kernel, devices)) continue;
                SCOPED_TRACE(fmt::format("{} on {} devices, {} elements each", kernel, devices, part));
                Request request = on_devices(kernel, devices, part);
                request.input = "random", request.type = value::Type::kInt32;
                const trace::Run run = testing::recorded(request);
                EXPECT_EQ(judge::first_wrong(run), "");
                const auto& in = *run.input();
                const auto& out = *run.output();
                for (std::size_t i = 0; i < judge::results_of(run.launch(), out.size()); ++i) {
                    double sum = 0;
                    for (std::uint32_t d = 0; d < devices; ++d) sum += in.as_double(d * part + i % part);
                    ASSERT_EQ(out.as_double(i), sum) << i;
                }
                EXPECT_EQ(judge::results_of(run.launch(), out.size()),
                          kernel == "reduce-to-root" ? part : part * devices);
            }
}

TEST(Devices, OperatorsAndOrdersOfThreads) {
    for (const std::string kernel : kDevices)
        for (const std::string op : {"max", "min", "xor", "argmax", "product"}) {
            Request request = on_devices(kernel, 4, 8);
            request.op = op, request.type = usual_type(*find(kernel), op);
            SCOPED_TRACE(kernel + " " + op);
            const trace::Run first = testing::recorded(request);
            EXPECT_EQ(judge::first_wrong(first), "");
            request.thread_order = ThreadOrder::kShuffled;
            trace::Run other = testing::recorded(request);
            for (trace::Trace& trace : other.launches) trace.launch.thread_order = "ascending";
            EXPECT_EQ(trace::first_difference(first, other), "");
        }
}

TEST(Devices, LinksCarryWhatTheTextbookSays) {
    for (const std::string kernel : kDevices)
        for (const std::uint32_t devices : {2u, 3u, 4u, 5u, 8u, 16u}) {
            if (!takes_devices(kernel, devices)) continue;
            const trace::Run run = testing::recorded(on_devices(kernel, devices, 4 * devices));
            const counters::LinksForm form = counters::links_form(run.launch());
            EXPECT_TRUE(form.agrees(counters::links(run)))
                << kernel << " on " << devices << ": " << form.rounds << ", " << form.received;
            std::vector<std::uint64_t> adds(devices);
            for (const trace::Trace& trace : run.launches)
                for (std::size_t row = 0; row < trace.rows(); ++row)
                    if (trace.kind(row) == trace::Kind::kCombine)
                        ++adds[trace.launch.device_of_block(trace.block[row])];
            EXPECT_DOUBLE_EQ(std::ranges::max(adds), form.adds_value * 4 * devices) << kernel << " on " << devices;
        }
}

TEST(Devices, TheRingByHand) {
    const trace::Run run = testing::recorded(on_devices("all-reduce-ring", 4, 16));
    ASSERT_EQ(run.launches.size(), 6u);
    using counters::Message;
    for (unsigned round = 0; round < 6; ++round) {
        std::vector<Message> sent;  // to each a quarter of 16 floats: first another of the left one's, then its results
        for (unsigned from : {0u, 1u, 2u, 3u}) {
            const unsigned piece = (from + 8 - (round < 3 ? round : round - 4)) % 4;
            sent.push_back({from, (from + 1) % 4, 4 * piece, 4 * piece + 4, 16});
        }
        EXPECT_EQ(counters::messages(run.launches[round]), sent) << round;
    }
    const counters::Links links = counters::links(run);
    EXPECT_EQ(links.bytes, 6u * 4 * 16);
    EXPECT_EQ(links.most_received, 6u * 16);
    EXPECT_EQ(links.part, 64u);
}

TEST(Devices, TheTreeToTheRootByHand) {
    const trace::Run run = testing::recorded(on_devices("reduce-to-root", 5, 2));
    ASSERT_EQ(run.launches.size(), 3u);
    EXPECT_EQ(run.launches[0].launch.on, (std::vector<std::uint32_t>{0, 2, 4}));
    EXPECT_EQ(run.launches[1].launch.on, (std::vector<std::uint32_t>{0, 4}));
    EXPECT_EQ(run.launches[2].launch.on, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(run.launches[1].launch.device_of_block(1), 4u);
    using counters::Message;
    EXPECT_EQ(counters::messages(run.launches[0]), (std::vector<Message>{{1, 0, 0, 2, 8}, {3, 2, 0, 2, 8}}));
    EXPECT_EQ(counters::messages(run.launches[1]), (std::vector<Message>{{2, 0, 0, 2, 8}}));
    EXPECT_EQ(counters::messages(run.launches[2]), (std::vector<Message>{{4, 0, 0, 2, 8}}));
}

TEST(Devices, NoAddOfThemIsInVain) {
    for (const std::string kernel : kDevices) {
        const trace::Run run = testing::recorded(on_devices(kernel, 4, 16));
        const graph::Graph graph = graph::build(run);
        const graph::Usefulness useful = graph::usefulness(graph);
        EXPECT_EQ(std::accumulate(useful.of_node.begin(), useful.of_node.end(), std::size_t{0}), graph.size())
            << kernel;
    }
}

TEST(Devices, AWrongResultIsNamed) {
    trace::Run run = testing::recorded(on_devices("all-reduce-ring", 4, 4));
    value::Values output = *run.output();
    output.set_bits(9, value::float_bits(output.type(), 99));
    EXPECT_THAT(judge::first_wrong(run.launch(), *run.input(), output, [] { return judge::Rounded({3}); }),
                HasSubstr("output[9] is 99, and "));
    run.launches.front().launch.problem = value::Problem::kReduceToRoot;  // of which the first part alone counts
    EXPECT_EQ(judge::first_wrong(run.launch(), *run.input(), output, [] { return judge::Rounded({3}); }), "");
}

TEST(Devices, TheOrderOfTheirElementsIsTold) {
    const auto note = [](const std::string& kernel, std::uint32_t devices) {
        Request request = on_devices(kernel, devices, 8);
        request.op = "subtract";
        return judge::order_note(testing::recorded(request));
    };
    EXPECT_THAT(note("reduce-to-root", 2), HasSubstr("takes the operands from left to right"));
    EXPECT_THAT(note("all-reduce-ring", 4), HasSubstr("changes the order of the operands: it begins with x"));
}

TEST(Devices, AreRefusedWhereTheyDoNotSuit) {
    const auto why = [](const Request& request) {
        const auto checked = check(request);
        return checked ? std::string() : checked.error().message;
    };
    EXPECT_THAT(why(on_devices("all-reduce-halving", 3, 4)), HasSubstr("it takes a power of two from 2 to 64"));
    EXPECT_THAT(why(on_devices("all-reduce-ring", 1, 4)), HasSubstr("on 1 device; it takes any number from 2 to 64"));
    EXPECT_EQ(check(Request{.kernel = "all-reduce-ring"})->devices, 4u);
    EXPECT_THAT(why(on_devices("all-reduce-ring", 65, 4)), HasSubstr("any number from 2 to 64"));
    Request odd = on_devices("all-reduce-ring", 4, 4);
    odd.n = 18;
    EXPECT_THAT(why(odd), HasSubstr("a multiple of 4, for example 20"));
    Request one{.kernel = "pmpp-simple", .devices = 2};
    EXPECT_THAT(why(one), HasSubstr("pmpp-simple runs on one device"));
    Request cuda = on_devices("all-reduce-ring", 4, 4);
    cuda.backend = Backend::kCuda;
    EXPECT_FALSE(check(cuda));
}

TEST(Devices, AFileKeepsThem) {
    const trace::testing::Folder folder;
    const trace::Run run = testing::recorded(on_devices("reduce-to-root", 5, 2));
    ASSERT_TRUE(trace::save(run, folder / "a.wtrace"));
    const auto back = trace::load(folder / "a.wtrace");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(trace::first_difference(run, *back), "");
    EXPECT_EQ(back->launches[1].launch.on, run.launches[1].launch.on);
    EXPECT_EQ(request_of(back->launch()).devices, 5u);
    trace::Run wrong = run;
    for (const std::uint32_t second : {0u, 4u}) {
        wrong.launches[1].launch.on = {4, second};
        const auto saved = trace::save(wrong, folder / "b.wtrace");
        ASSERT_FALSE(saved);
        EXPECT_THAT(saved.error().message, HasSubstr(fmt::format("on[1] is {}, but they have to ascend", second)));
    }
}

}  // namespace
}  // namespace warptree::kernels
