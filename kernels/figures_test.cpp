// The published and measured figures, against kernels that really ran here.
// Sources: assets/measured/h100.csv (NVIDIA's profiler on the plain kernels, H100) and PMPP chapter 10.
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/replay/replay.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"
#include "kernels/textbook/textbook.hpp"

namespace warptree {
namespace {

using counters::Counters;
using Figures = std::vector<std::uint64_t>;

trace::Trace recorded(const std::string& kernel, std::uint64_t n, std::uint32_t warp_size = 32,
                      std::uint16_t without_barrier_line = 0) {
    kernels::Request request;
    request.kernel = kernel;
    request.n = n;
    request.warp_size = warp_size;
    request.without_barrier_line = without_barrier_line;
    return kernels::testing::only_launch(kernels::testing::recorded(request));
}

/// One field of each tree step.
Figures rounds(const trace::Trace& trace, const counters::Summary& summary, std::uint64_t Counters::*field) {
    Figures out;
    for (std::size_t i = 0; i < summary.steps.size(); ++i) {
        if (trace.steps[i].phase == trace::Phase::kTree) out.push_back(summary.steps[i].*field);
    }
    return out;
}

// ---- NVIDIA's profiler

/// The rows of a comma-separated file, by the names in its first line.
std::vector<std::map<std::string, std::string>> table(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << path;
    const auto cells = [](const std::string& line) {
        std::vector<std::string> out;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) out.push_back(cell);
        return out;
    };
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> names = cells(line);
    std::vector<std::map<std::string, std::string>> out;
    while (std::getline(file, line)) {
        const std::vector<std::string> values = cells(line);
        EXPECT_EQ(values.size(), names.size()) << line;
        std::map<std::string, std::string>& row = out.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values.at(i);
    }
    return out;
}

/// A column of the measurements, counted in a trace.
std::uint64_t counted(const counters::Summary& summary, const std::string& column) {
    const Counters& all = summary.totals;
    const std::map<std::string, std::uint64_t> by_name{
        {"global_ld_requests", all.global_ld.requests},      {"global_st_requests", all.global_st.requests},
        {"global_red_requests", all.global_red.requests},    {"global_ld_segments", all.global_ld.segments},
        {"global_st_segments", all.global_st.segments},      {"global_ld_sectors", all.global_ld.sectors},
        {"global_st_sectors", all.global_st.sectors},        {"shared_ld_requests", all.shared_ld.requests},
        {"shared_ld_conflicts", all.shared_ld.conflicts},    {"shared_st_conflicts", all.shared_st.conflicts},
        {"divergent_branches", summary.tree.divergent_warps}};
    return by_name.at(column);
}

/// The run whose first launch a row was measured on: "pmpp-coarsened-4" is pmpp-coarsened with a factor of 4.
kernels::Request run_of(const std::string& name, std::uint32_t grid, std::uint32_t block) {
    kernels::Request request;
    request.kernel = name;
    if (name.starts_with("pmpp-coarsened-")) {
        request.kernel = "pmpp-coarsened";
        request.coarsen = static_cast<std::uint32_t>(std::stoul(name.substr(15)));
    }
    const kernels::Kernel* kernel = kernels::find(request.kernel);
    if (kernel == nullptr) return request;
    request.block = block;
    request.n = std::uint64_t{grid} * block * kernel->sizes.per_thread * request.coarsen;
    return request;
}

TEST(Measured, totals_of_the_first_launch_equal_the_profilers) {
    int compared = 0;
    for (auto& row : table("assets/measured/h100.csv")) {
        const std::string name = row["kernel"];
        const auto grid = static_cast<std::uint32_t>(std::stoul(row["grid"]));
        const auto block = static_cast<std::uint32_t>(std::stoul(row["block"]));
        const kernels::Request request = run_of(name, grid, block);
        // Scans were measured of older listings, whose blocks left no sums
        const kernels::Kernel* kernel = kernels::find(request.kernel);
        if (kernel == nullptr || kernel->problem != kernels::Problem::kReduction) continue;
        const trace::Trace first = kernels::testing::recorded(request).launches.front();
        ASSERT_EQ(first.launch.grid, grid) << name;
        ASSERT_EQ(first.launch.block, block) << name;
        const counters::Summary summary = counters::count(first);
        // The compiler predicates the short bodies of shared-memory kernels: no branch is there to diverge.
        const bool branches = name == "pmpp-simple" || name == "pmpp-convergent" || name == "global-halving";
        for (const auto& [column, value] : row) {
            if (column == "kernel" || column == "grid" || column == "block") continue;
            if (column == "divergent_branches" && !branches) continue;
            EXPECT_EQ(counted(summary, column), std::stoull(value)) << name << " " << row["block"] << " " << column;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 24 * 11 - 18);
}

// ---- The book

double percent(double share) {
    return std::round(1000 * share) / 10;
}

struct Row {
    std::uint64_t n, slots;
    double efficiency;
    std::uint64_t segments;
};

void expect_rows(const std::string& kernel, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        const counters::Summary summary = counters::count(recorded(kernel, row.n));
        EXPECT_EQ(summary.tree.consumed_slots, row.slots) << kernel << " " << row.n;
        EXPECT_EQ(percent(summary.tree.efficiency()), row.efficiency) << kernel << " " << row.n;
        EXPECT_EQ(summary.tree.segments(), row.segments) << kernel << " " << row.n;
        EXPECT_EQ(summary.tree.operations, row.n - 1) << kernel << " " << row.n;
    }
}

TEST(Book, slots_efficiency_and_memory_requests) {
    expect_rows("pmpp-simple", {{256, 864, 29.5, 141}, {1024, 3552, 28.8, 573}, {2048, 7136, 28.7, 1149}});
    expect_rows("pmpp-convergent", {{256, 384, 66.4, 36}, {1024, 1152, 88.8, 108}, {2048, 2176, 94.1, 204}});
    EXPECT_EQ(counters::count(recorded("pmpp-simple", 256)).totals.segments(), 143u);
    EXPECT_EQ(counters::count(recorded("pmpp-convergent", 256)).totals.segments(), 38u);
    EXPECT_EQ(counters::count(recorded("pmpp-shared", 256)).totals.segments(), 9u);
    EXPECT_EQ(counters::count(recorded("pmpp-shared", 1024)).totals.segments(), 33u);
    EXPECT_EQ(counters::count(recorded("pmpp-shared", 2048)).totals.segments(), 65u);
}

TEST(Book, warps_by_round_at_256) {
    const trace::Trace simple = recorded("pmpp-simple", 256), convergent = recorded("pmpp-convergent", 256);
    const counters::Summary of_simple = counters::count(simple), of_convergent = counters::count(convergent);
    EXPECT_EQ(rounds(simple, of_simple, &Counters::active_warps), (Figures{4, 4, 4, 4, 4, 4, 2, 1}));
    EXPECT_EQ(rounds(simple, of_simple, &Counters::divergent_warps), (Figures{0, 4, 4, 4, 4, 4, 2, 1}));
    EXPECT_EQ(rounds(convergent, of_convergent, &Counters::active_warps), (Figures{4, 2, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(rounds(convergent, of_convergent, &Counters::divergent_warps), (Figures{0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(Book, exercises) {
    const trace::Trace simple = recorded("pmpp-simple", 1024), convergent = recorded("pmpp-convergent", 1024);
    EXPECT_EQ(rounds(simple, counters::count(simple), &Counters::divergent_warps).at(4), 16u);
    EXPECT_EQ(rounds(convergent, counters::count(convergent), &Counters::divergent_warps).at(4), 0u);
    EXPECT_EQ(counters::count(recorded("pmpp-simple", 2048)).totals.barriers, 11u);
    EXPECT_EQ(counters::count(recorded("pmpp-convergent", 2048)).totals.barriers, 11u);
    EXPECT_EQ(counters::count(recorded("pmpp-shared", 2048)).totals.barriers, 10u);
}

TEST(Book, forms_agree_but_for_the_misprint) {
    for (const std::string kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared"}) {
        for (const std::uint64_t n : {64, 128, 256, 512, 1024, 2048}) {
            const trace::Trace trace = recorded(kernel, n);
            const std::vector<textbook::Form> forms = textbook::forms(trace, counters::count(trace));
            ASSERT_FALSE(forms.empty());
            for (const textbook::Form& form : forms) {
                ASSERT_FALSE(form.note_only()) << kernel << " " << n << ": " << form.note;
                const bool misprint =
                    kernel == "pmpp-simple" && form.edition == "PMPP 4e" && form.quantity != "memory requests";
                EXPECT_EQ(form.agrees, !misprint) << kernel << " " << n << ": " << form.expression << " = "
                                                  << form.value << ", measured " << form.measured;
            }
        }
    }
}

TEST(Book, the_shared_kernels_terms_are_its_load_and_its_store) {
    const trace::Trace trace = recorded("pmpp-shared", 256);
    const counters::Summary summary = counters::count(trace);
    const textbook::Form form = textbook::forms(trace, summary).at(0);
    EXPECT_EQ(form.expression, "256/32 + 1");
    ASSERT_EQ(form.terms.size(), 2u);
    EXPECT_EQ(form.terms[0].steps, std::vector<std::uint32_t>{0});
    EXPECT_EQ(form.terms[1].steps, std::vector<std::uint32_t>{static_cast<std::uint32_t>(trace.steps.size() - 1)});
    EXPECT_EQ(form.value, 9);
}

// ---- Replay of real recordings

TEST(Replay, the_last_state_is_what_the_kernel_left) {
    for (const std::string kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared"}) {
        for (const std::uint64_t n : {2, 16, 256, 2048}) {
            const trace::Trace trace = recorded(kernel, n);
            const replay::Memory memory(trace, 0);
            std::size_t global = 0;
            for (std::uint8_t id = 0; id < trace.arrays.size(); ++id) {
                if (trace.arrays[id].space != trace::Space::kGlobal) continue;
                const value::Values& final = trace.final[global++];
                for (std::uint32_t i = 0; i < trace.arrays[id].extent; ++i) {
                    ASSERT_EQ(memory.text(id, i, trace.steps.size()), final.text(i)) << kernel << " " << n << " " << i;
                }
            }
        }
    }
}

/// What the root of a kernel's tree adds up, and how.
std::string root(const std::string& kernel, std::uint64_t n) {
    const trace::Trace trace = recorded(kernel, n, 4);
    const graph::Graph graph = graph::build(trace);
    EXPECT_EQ(graph.size(), n - 1);
    return graph::expression(graph, 0, graph.row.back());
}

TEST(Replay, trees_of_the_three_kernels) {
    EXPECT_EQ(root("pmpp-simple", 8), "(((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)))");
    EXPECT_EQ(root("pmpp-convergent", 8), "(((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)))");
    EXPECT_EQ(root("pmpp-shared", 8), "(((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)))");
}

TEST(Replay, a_barrier_left_out_is_a_hazard) {
    for (const std::string kernel : {"pmpp-simple", "pmpp-convergent", "pmpp-shared"}) {
        const trace::Trace correct = recorded(kernel, 256);
        EXPECT_TRUE(replay::hazards(correct, 0).empty()) << kernel;
        std::uint16_t line = 0;
        for (const trace::Site& site : correct.sites) {
            if (site.kind == trace::Kind::kBarrier) line = site.line;
        }
        ASSERT_NE(line, 0) << kernel;
        const trace::Trace racy = recorded(kernel, 256, 32, line);
        const std::vector<replay::Hazard> found = replay::hazards(racy, 0);
        ASSERT_FALSE(found.empty()) << kernel;
        EXPECT_NE(replay::describe(racy, found.front()).find("line " + std::to_string(line)), std::string::npos);
    }
}

TEST(Harris, lets_every_lane_of_the_last_warp_add_in_six_rounds) {
    for (const std::string kernel : {"harris-5", "harris-6", "harris-7"})
        for (const std::uint32_t warp : {32u, 8u}) {
            const trace::Trace correct = recorded(kernel, 256, warp);
            const counters::Summary summary = counters::count(correct);
            EXPECT_EQ(rounds(correct, summary, &Counters::active_threads),
                      warp == 32 ? (Figures{64, 32, 32, 32, 32, 32, 32}) : (Figures{64, 32, 16, 8, 8, 8, 8}))
                << kernel;
            EXPECT_EQ(summary.tree.divergent_warps, 0u) << kernel;
            EXPECT_TRUE(replay::hazards(correct, 0).empty()) << kernel;
            std::set<std::uint16_t> lines;  // of those that this warp comes to
            for (const trace::Site& site : correct.sites)
                if (site.kind == trace::Kind::kWarpSync) lines.insert(site.line);
            EXPECT_EQ(lines.size(), warp == 32 ? 10u : 6u) << kernel;
            for (const std::uint16_t line : lines)
                EXPECT_FALSE(replay::hazards(recorded(kernel, 256, warp, line), 0).empty())
                    << kernel << " does without the __syncwarp() of line " << line;
        }
}

}  // namespace
}  // namespace warptree
