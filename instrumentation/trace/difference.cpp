// Where two traces differ: what the promise "same trace everywhere" is tested with.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {
namespace {

template <class T>
std::string unequal(std::string_view what, const T& x, const T& y) {
    return fmt::format("{}: {} in the first trace, {} in the second.", what, x, y);
}

std::string launch_difference(const Launch& x, const Launch& y) {
    if (x.kernel != y.kernel) return unequal("kernel", x.kernel, y.kernel);
    if (x.problem != y.problem) return unequal("problem", name(x.problem), name(y.problem));
    if (x.function != y.function) return unequal("function", x.function, y.function);
    if (x.processor != y.processor) return unequal("processor", name(x.processor), name(y.processor));
    if (x.n != y.n) return unequal("N", x.n, y.n);
    if (x.grid != y.grid) return unequal("blocks", x.grid, y.grid);
    if (x.block != y.block) return unequal("threads a block", x.block, y.block);
    if (x.warp_size != y.warp_size) return unequal("warp size", x.warp_size, y.warp_size);
    if (x.coarsen != y.coarsen) return unequal("coarsening", x.coarsen, y.coarsen);
    if (x.cluster != y.cluster) return unequal("blocks a cluster", x.cluster, y.cluster);
    if (x.type != y.type) return unequal("type", name(x.type), name(y.type));
    if (x.op != y.op) return unequal("operator", x.op, y.op);
    if (x.input != y.input) return unequal("input rule", x.input, y.input);
    if (x.seed != y.seed) return unequal("seed", x.seed, y.seed);
    if (x.without_barrier_line != y.without_barrier_line)
        return unequal("line of the barrier left out", x.without_barrier_line, y.without_barrier_line);
    if (x.thread_order != y.thread_order) return unequal("thread order", x.thread_order, y.thread_order);
    return "";
}

std::string describe(const Array& array) {
    return fmt::format("{} ({}, {}, {} elements{})", array.name, name(array.space), name(array.role), array.extent,
                       array.type ? fmt::format(" of {}", name(*array.type)) : "");
}

std::string describe(const Site& site) {
    const std::string array = site.array == Site::kNoArray ? "" : fmt::format(" on array {}", site.array);
    const std::string width = site.width == 1 ? "" : fmt::format(", {} elements wide", site.width);
    const std::string op = site.op == Operator::kLaunch ? "" : fmt::format(" ({})", name(site.op));
    return fmt::format("line {}, {}{}{}{}, occurrence {}{}", site.line, site.remote ? "remote " : "", name(site.kind),
                       op, array, site.occurrence, width);
}

std::string describe(const Step& step) {
    return fmt::format("{} with stride {} on line {}", name(step.phase), step.stride, step.line);
}

template <class T>
std::string table_difference(std::string_view what, const std::vector<T>& x, const std::vector<T>& y) {
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        if (x[i] != y[i]) return unequal(fmt::format("{} {}", what, i), describe(x[i]), describe(y[i]));
    return x.size() == y.size() ? "" : unequal(fmt::format("number of {}s", what), x.size(), y.size());
}

std::string contents_difference(std::string_view when, const Trace& trace, const std::vector<Values>& x,
                                const std::vector<Values>& y) {
    if (x.size() != y.size()) return unequal(fmt::format("number of arrays {}", when), x.size(), y.size());
    std::size_t ordinal = 0;
    for (const Array& array : trace.arrays) {
        if (array.space != Space::kGlobal || ordinal == x.size()) continue;
        const Values &before = x[ordinal], &after = y[ordinal];
        ++ordinal;
        if (before == after) continue;
        if (before.type() != after.type() || before.size() != after.size())
            return unequal(fmt::format("size of {} {}", array.name, when), before.size(), after.size());
        std::size_t i = 0;
        while (before.same(i, after, i)) ++i;
        return unequal(fmt::format("{}[{}] {}", array.name, i, when), before.text(i), after.text(i));
    }
    return "";
}

/// The first place at which two columns differ; the shorter one's size if they do not.
template <class T>
std::size_t mismatch(const Column<T>& x, const Column<T>& y) {
    const std::size_t size = std::min(x.size(), y.size());
    if (size == 0 || std::memcmp(x.data(), y.data(), size * sizeof(T)) == 0) return size;
    return static_cast<std::size_t>(std::mismatch(x.begin(), x.begin() + size, y.begin()).first - x.begin());
}

std::string row_name(const Trace& trace, std::size_t row) {
    return fmt::format("row {} ({} on line {}: block {}, step {}, thread {})", row, name(trace.kind(row)),
                       trace.line(row), trace.block[row], trace.step[row], trace.thread[row]);
}

/// The earliest row that differs in any column, and the first column that does so there.
std::string rows_difference(const Trace& x, const Trace& y) {
    std::size_t first = x.rows();
    std::string what;
    const auto compare = [&](std::string_view column, const auto& of_x, const auto& of_y) {
        const std::size_t row = mismatch(of_x, of_y);
        if (row >= first) return;
        first = row;
        what = unequal(fmt::format("{}, {}", row_name(x, row), column), of_x[row], of_y[row]);
    };
    compare("block", x.block, y.block);
    compare("step", x.step, y.step);
    compare("thread", x.thread, y.thread);
    compare("site", x.site, y.site);
    compare("index", x.index, y.index);
    compare("operand a", x.a, y.a);
    compare("operand b", x.b, y.b);
    compare("barriers passed", x.barrier, y.barrier);
    compare("warp synchronisations passed", x.warp_sync, y.warp_sync);
    if (!x.owner.empty()) compare("owner", x.owner, y.owner);
    const std::size_t byte = mismatch(x.value.bytes, y.value.bytes);
    const std::size_t row = byte / size_bytes(x.value.type());
    const std::size_t own = std::min(x.bits.empty() ? x.rows() : mismatch(x.bits, y.bits), row);
    if (own < first) what = unequal(row_name(x, own) + ", value", x.text(own), y.text(own));
    return what;
}

std::string blocks_text(const Trace& trace) {
    if (!trace.kept) return "all blocks";
    return fmt::format("{} of {} blocks", trace.kept->blocks.size(), trace.launch.grid);
}

/// What two traces hold of their launches.
std::string kept_difference(const Trace& x, const Trace& y) {
    if (x.kept.has_value() != y.kept.has_value() || (x.kept && x.kept->blocks.size() != y.kept->blocks.size()))
        return unequal("rows kept", blocks_text(x), blocks_text(y));
    if (!x.kept) return "";
    for (std::size_t i = 0; i < x.kept->blocks.size(); ++i)
        if (x.kept->blocks[i] != y.kept->blocks[i])
            return unequal(fmt::format("block kept as number {}", i), x.kept->blocks[i], y.kept->blocks[i]);
    for (std::size_t step = 0; step < std::min(x.kept->totals.size(), y.kept->totals.size()); ++step)
        for (std::size_t i = 0; i < kTotalNames.size(); ++i)
            if (x.kept->totals[step][i] != y.kept->totals[step][i])
                return unequal(fmt::format("{} of step {}", kTotalNames[i], step), x.kept->totals[step][i],
                               y.kept->totals[step][i]);
    return "";
}

}  // namespace

std::string first_difference(const Trace& x, const Trace& y) {
    if (std::string what = launch_difference(x.launch, y.launch); !what.empty()) return what;
    if (std::string what = table_difference("array", x.arrays, y.arrays); !what.empty()) return what;
    if (std::string what = table_difference("step", x.steps, y.steps); !what.empty()) return what;
    if (std::string what = kept_difference(x, y); !what.empty()) return what;
    if (std::string what = table_difference("site", x.sites, y.sites); !what.empty()) return what;
    if (std::string what = contents_difference("before the launch", x, x.initial, y.initial); !what.empty())
        return what;
    if (x.rows() != y.rows()) return unequal("number of rows", x.rows(), y.rows());
    if (std::string what = rows_difference(x, y); !what.empty()) return what;
    if (x.carried != y.carried) return "reads of what earlier launches wrote: they name other writes.";
    // Floating-point atomics add up in the order in which blocks arrive, a fact of the run: their sums may differ in
    // the last bits.
    std::vector<Values> x_final = x.final, y_final = y.final;
    for (const Site& site : x.sites)
        if (site.kind == Kind::kReduction && is_float(x.type_of(site.array)) && site.array < x_final.size())
            x_final[site.array] = y_final[site.array];
    return contents_difference("after the launch", x, x_final, y_final);
}

}  // namespace warptree::trace
