// The network of a scan against its trace, and the cells that are finished against their definition.
#include "app/views/network/facts.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/subject/testing.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::study {
namespace {

kernels::Request scan(const std::string& kernel, bool exclusive, std::uint64_t n = 8) {
    return {.kernel = kernel, .n = n, .warp_size = 4, .exclusive = exclusive};
}

/// Columns of the working array that are finished after each step that writes it.
std::vector<std::set<std::uint32_t>> finished(const Network& network) {
    std::vector<std::set<std::uint32_t>> all;
    for (const NetworkRow& row : network.rows(kAllOpen)) {
        if (row.array != network.work || row.steps.steps() == 0) continue;
        all.emplace_back();
        for (std::uint32_t i = row.first; i < row.first + row.extent; ++i)
            if (network.finished({row.array, i}, row.state)) all.back().insert(network.column({row.array, i}));
    }
    return all;
}

using Sets = std::vector<std::set<std::uint32_t>>;
const std::set<std::uint32_t> kAll = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(Network, cells_are_finished_where_they_hold_their_prefix) {
    const auto of = [](const std::string& kernel, bool exclusive) {
        kernels::Request request = scan(kernel, exclusive);
        request.numbers = *kernels::numbers_of("4,6,7,1,2,8,5,2");
        request.input = "4,6,7,1,2,8,5,2";
        return finished(Network(testing::subject(request)));
    };
    // Source: PMPP 4e, Fig. 11.2 and 11.6: kogge-stone finishes 2^k cells in step k; of brent-kung the first of each
    // power of two in the up-sweep, the others in the down-sweep.
    EXPECT_EQ(of("kogge-stone", false), (Sets{{0}, {0, 1}, {0, 1, 2, 3}, kAll}));
    EXPECT_EQ(of("hillis-steele", false), (Sets{{0}, {0, 1}, {0, 1, 2, 3}, kAll}));
    EXPECT_EQ(of("kogge-stone", true), (Sets{{0, 1}, {0, 1, 2}, {0, 1, 2, 3, 4}, kAll}));
    EXPECT_EQ(of("brent-kung", false), (Sets{{0}, {0, 1}, {0, 1, 3}, {0, 1, 3, 7}, {0, 1, 3, 5, 7}, kAll}));
    // Exclusive by nature: the inclusive one reads results from one cell further on, the last from behind the root.
    EXPECT_EQ(of("blelloch", true), (Sets{{}, {}, {}, {}, {}, {}, {}, kAll}));
    const Sets inclusive = of("blelloch", false);
    EXPECT_EQ(inclusive.at(4), (std::set<std::uint32_t>{8}));
    EXPECT_EQ(inclusive.back(), (std::set<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Network, what_no_element_is_known_to_be_in_is_no_prefix) {
    kernels::Request request = scan("kogge-stone", false);
    request.numbers = *kernels::numbers_of("0,0,0,0,0,0,0,0");
    request.input = "0,0,0,0,0,0,0,0";
    trace::Run run = *kernels::record(request);
    const auto finished_in = [](trace::Run of) {
        const Network network(make_subject(std::move(of)));
        return network.finished(static_cast<std::uint32_t>(network.subject->steps()));
    };
    EXPECT_EQ(finished_in(run), 8u);
    for (trace::Array& array : run.launches.front().arrays)  // as in a copy of what an earlier launch left
        if (array.role == trace::Role::kInput) array.role = trace::Role::kScratch;
    EXPECT_EQ(finished_in(run), 0u) << "that they are 0, as nothing at all is, says nothing";
}

/// The value graph's own word for it: the leaves of a cell's value, by a walk of its own.
void leaves_of(const graph::Graph& graph, graph::Operand operand, std::multiset<std::uint32_t>& out) {
    if (operand.is_element()) out.insert(operand.index());
    if (operand.is_node())
        for (const graph::Operand each : graph.operands(operand.index())) leaves_of(graph, each, out);
}

TEST(Network, what_a_cell_holds_is_what_the_graph_says) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        if (!kernel.scans()) continue;
        for (const bool exclusive : {false, true}) {
            const auto s = testing::subject(scan(std::string(kernel.name), exclusive, 16));
            const Network network(s);
            EXPECT_EQ(network.results, 16u) << kernel.name;
            EXPECT_EQ(network.finished(static_cast<std::uint32_t>(s->steps())), 16u) << kernel.name << exclusive;
            for (const NetworkRow& row : network.rows(kAllOpen))
                for (std::uint32_t i = row.first; i < row.first + row.extent; ++i) {
                    const replay::Cell cell = s->memory.cell(row.array, i, row.state);
                    if (!cell.defined || cell.row == replay::Cell::kInitial) continue;
                    std::multiset<std::uint32_t> leaves, held;
                    leaves_of(s->facts->graph, s->facts->graph.values[0][cell.row], leaves);
                    const Elements elements = network.held({row.array, i}, row.state);
                    ASSERT_TRUE(elements.known);
                    for (std::uint32_t x = elements.first; x < elements.end; ++x) held.insert(x);
                    ASSERT_EQ(held, leaves) << kernel.name << " cell " << i << " after " << row.state;
                }
        }
    }
}

/// The cells that a row's value was read from, through whatever registers.
std::set<std::pair<std::uint8_t, std::uint32_t>> read_by(const trace::Trace& t, std::int32_t row) {
    if (row == trace::kNoEvent) return {};
    const auto at = static_cast<std::size_t>(row);
    if (t.kind(at) == trace::Kind::kRead) return {{t.array(at), t.index[at]}};
    auto cells = read_by(t, t.a[at]);
    cells.merge(read_by(t, t.b[at]));
    return cells;
}

TEST(Network, edges_come_from_the_cells_that_were_read) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        if (!kernel.scans()) continue;
        for (const bool exclusive : {false, true})
            for (const std::uint64_t open : {std::uint64_t{0}, kAllOpen}) {
                const auto s = testing::subject(scan(std::string(kernel.name), exclusive, 16));
                const trace::Trace& t = s->trace;
                const Network network(s);
                const auto rows = network.rows(open);
                std::size_t adds = 0, all = 0;
                bool registers = false;  // between adds: an edge passes over what no cell holds
                for (const auto& edges : network.edges(rows))
                    for (const NetworkEdge& edge : edges) {
                        ++all;
                        if (edge.flow->combine) ++adds;
                        ASSERT_TRUE(rows[edge.from_row].holds(edge.from));
                        const auto row = static_cast<std::int32_t>(edge.flow->row);
                        ASSERT_TRUE(read_by(t, row).contains({edge.from.array, edge.from.index})) << kernel.name;
                    }
                std::size_t combines = 0;
                for (std::size_t row = 0; row < t.rows(); ++row) {
                    combines += t.kind(row) == trace::Kind::kCombine;
                    registers = registers || t.kind(row) == trace::Kind::kShuffle;
                }
                EXPECT_GT(all, 0u) << kernel.name;
                EXPECT_TRUE(registers ? adds < 2 * combines : adds == 2 * combines) << kernel.name << ": two an add";
            }
    }
}

TEST(Network, two_halves_are_told_from_one_array) {
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        if (!kernel.scans()) continue;
        const Network network(testing::subject(scan(std::string(kernel.name), false, 16)));
        EXPECT_EQ(network.doubled, kernel.name == "hillis-steele") << kernel.name;
    }
    const Network network(testing::subject(scan("hillis-steele", false, 16)));
    EXPECT_EQ(network.columns, 16u);
    EXPECT_EQ(network.column({network.work, 17}), 1u);
}

TEST(Network, words_between_the_elements_are_padding) {
    const Network network(testing::subject(scan("blelloch-padded", false, 64)));
    std::set<std::uint32_t> padding;
    for (std::uint32_t i = 0; i < network.columns; ++i)
        if (network.padding({network.work, i})) padding.insert(i);
    EXPECT_EQ(padding, (std::set<std::uint32_t>{32, 65})) << "the sum stands behind the second";
}

TEST(Network, every_launch_of_a_scan_ends_with_its_prefixes) {
    for (const bool exclusive : {false, true})
        for (const char* kernel : {"kogge-stone", "brent-kung", "blelloch", "hillis-steele"}) {
            kernels::Request request = scan(kernel, exclusive, 60);
            request.block = 8;
            auto run = kernels::record(request);
            ASSERT_TRUE(run) << run.error().message;
            const auto first = make_subject(std::move(*run));
            for (std::size_t launch = 0; launch < first->run().launches.size(); ++launch)
                for (std::uint32_t block = 0; block < first->run().launches[launch].launch.grid; ++block) {
                    const Network network(make_subject(first->facts, launch, block));
                    EXPECT_EQ(network.finished(static_cast<std::uint32_t>(network.subject->steps())), network.results)
                        << kernel << " launch " << launch << " block " << block << (exclusive ? " exclusive" : "");
                }
        }
}

}  // namespace
}  // namespace warptree::study
