// Where two traces differ: what the promise "same trace everywhere" is tested with.
#include "instrumentation/trace/difference.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    if (x.devices != y.devices) return unequal("devices", x.devices, y.devices);
    if (x.on != y.on)
        return unequal("devices of the launch", fmt::format("{}", fmt::join(x.on, ", ")),
                       fmt::format("{}", fmt::join(y.on, ", ")));
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
    return fmt::format("line {}, {}{}{}{}, occurrence {}{}", site.line,
                       site.remote ? "remote "
                       : site.swap ? "swapping "
                                   : "",
                       name(site.kind), op, array, site.occurrence, width);
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

/// What was done alone.
std::string difference_of_work(const Trace& x, const Trace& y) {
    Launch other = y.launch;  // called and written otherwise, it may do the same
    other.kernel = x.launch.kernel, other.function = x.launch.function, other.coarsen = x.launch.coarsen;
    other.input = x.launch.input, other.seed = x.launch.seed, other.unjudged = x.launch.unjudged;
    if (std::string what = launch_difference(x.launch, other); !what.empty()) return what;
    if (x.steps.size() != y.steps.size()) return unequal("number of steps", x.steps.size(), y.steps.size());
    for (std::size_t i = 0; i < x.steps.size(); ++i)
        if (x.steps[i].phase != y.steps[i].phase || x.steps[i].stride != y.steps[i].stride)
            return unequal(fmt::format("step {}", i), describe(x.steps[i]), describe(y.steps[i]));
    const auto space = [](const Trace& t, std::size_t row) {
        return t.array(row) == Site::kNoArray ? std::string_view() : name(t.space(row));
    };
    const auto differs = [&](std::size_t row) {
        const auto own = [&](const Trace& t) {
            return std::tuple(t.block[row], t.step[row], t.thread[row], t.kind(row), space(t, row), t.index[row],
                              t.a[row], t.b[row], t.barrier[row], t.warp_sync[row]);
        };
        return own(x) != own(y) || x.text(row) != y.text(row);
    };
    const std::size_t rows = std::min(x.rows(), y.rows());
    std::size_t row = 0;
    while (row < rows && !differs(row)) ++row;
    const auto text = [&](const Trace& t) {
        const std::string place = space(t, row).empty() ? "" : fmt::format(" at {}[{}]", space(t, row), t.index[row]);
        return fmt::format("{}{} = {}", row_name(t, row), place, t.text(row));
    };
    if (row < rows) return unequal("the first access that is another", text(x), text(y));
    return x.rows() == y.rows() ? "" : unequal("number of rows", x.rows(), y.rows());
}

/// The first launch that differs.
std::string launches_difference(const Run& x, const Run& y, auto&& difference) {
    for (std::size_t i = 0; i < std::min(x.launches.size(), y.launches.size()); ++i)
        if (std::string what = difference(x.launches[i], y.launches[i]); !what.empty())
            return x.launches.size() == 1 ? what : fmt::format("Launch {}: {}", i, what);
    if (x.launches.size() == y.launches.size()) return "";
    return fmt::format("number of launches: {} in the first run, {} in the second.", x.launches.size(),
                       y.launches.size());
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

std::string first_difference(const Run& x, const Run& y) {
    return launches_difference(x, y, [](const Trace& a, const Trace& b) { return first_difference(a, b); });
}

std::string first_difference_of_work(const Run& x, const Run& y) {
    return launches_difference(x, y, difference_of_work);
}

}  // namespace warptree::trace
