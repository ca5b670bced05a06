// What went over the links between devices.
#include "instrumentation/counters/links.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace warptree::counters {

std::vector<Message> messages(const trace::Trace& trace, std::size_t first, std::size_t end) {
    const trace::Launch& launch = trace.launch;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Message> all;
    for (std::size_t row = 0; launch.devices > 1 && row < trace.rows(); ++row) {
        if (trace.step[row] < first || trace.step[row] >= end) continue;
        if (trace.array(row) == trace::Site::kNoArray || trace.space(row) != trace::Space::kGlobal) continue;
        const std::uint32_t part = trace.arrays[trace.array(row)].extent / launch.devices,
                            there = trace.index[row] / part, at = trace.index[row] % part,
                            here = launch.device_of_block(trace.block[row]);
        if (there == here) continue;
        const auto ends = trace.kind(row) == trace::Kind::kRead ? std::pair(there, here) : std::pair(here, there);
        Message& one = all.try_emplace(ends, Message{ends.first, ends.second, at, at, 0}).first->second;
        one.first = std::min(one.first, at), one.end = std::max(one.end, at + 1);
        one.bytes += value::size_bytes(trace.type_of(trace.array(row)));
    }
    std::vector<Message> in_order;
    for (const auto& [ends, one] : all) in_order.push_back(one);
    return in_order;
}

Links links(const trace::Run& run, std::size_t first, std::size_t end) {
    const trace::Launch& launch = run.launch();
    Links all{.part = launch.n / launch.devices * value::size_bytes(trace::value_type(launch))};
    std::vector<std::uint64_t> received(launch.devices);
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const std::size_t before = run.first_step(l);
        if (end <= before) break;
        const std::vector<Message> sent = messages(run.launches[l], std::max(first, before) - before, end - before);
        all.rounds += sent.empty() ? 0 : 1;
        all.messages += sent.size();
        for (const Message& one : sent) all.bytes += one.bytes, received[one.to] += one.bytes;
    }
    all.most_received = std::ranges::max(received);
    return all;
}

bool LinksForm::agrees(const Links& found) const {
    return found.rounds == rounds_value &&
           static_cast<double>(found.most_received) == received_value * static_cast<double>(found.part);
}

LinksForm links_form(const trace::Launch& launch) {
    const std::uint32_t p = launch.devices, levels = static_cast<std::uint32_t>(std::bit_width(p - 1));
    const std::string others = fmt::format("{} − 1", p), halves = fmt::format("2·({})/{}", others, p);
    const double twice = 2.0 * (p - 1) / p;
    if (launch.kernel == "all-reduce-ring")
        return {fmt::format("2·({})", others), halves, 2 * (std::uint64_t{p} - 1), twice, twice / 2};
    const std::string log = std::has_single_bit(p) ? fmt::format("log₂ {}", p) : fmt::format("⌈log₂ {}⌉", p);
    if (launch.kernel == "all-reduce-halving") return {"2·" + log, halves, 2 * std::uint64_t{levels}, twice, twice / 2};
    if (launch.kernel == "all-reduce-tree") {
        const bool few = p < 4;  // no node has two children
        return {"2·" + log, few ? fmt::format("{}/2", p) : "2", 2 * std::uint64_t{levels}, few ? p / 2.0 : 2,
                few ? p / 2.0 - 0.5 : 1};
    }
    if (launch.kernel == "reduce-to-root") return {log, log, levels, double(levels), double(levels)};
    if (launch.kernel == "all-reduce-one-shot") return {"1", others, 1, p - 1.0, p - 1.0};
    return {};
}

}  // namespace warptree::counters
