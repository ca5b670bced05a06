// What devices hold after each round of a collective.
#include "app/views/devices/facts.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/subject/words.hpp"

namespace warptree::study {
namespace {

/// Whose elements go into each node.
std::vector<std::uint64_t> origins(const graph::Graph& graph, std::uint32_t part) {
    std::vector<std::uint64_t> of(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const graph::Operand operand : graph.operands(node))
            of[node] |= operand.is_node()      ? of[operand.index()]
                        : operand.is_element() ? std::uint64_t{1} << operand.index() / part
                                               : 0;
    return of;
}

std::vector<Piece> pieces(std::span<const std::uint64_t> over, std::uint32_t device) {
    std::vector<Piece> all;
    for (std::uint32_t i = 0; i < over.size(); ++i) {
        const std::uint64_t now = over[i] != 0 ? over[i] : std::uint64_t{1} << device;
        if (all.empty() || all.back().over != now) all.push_back({i, i, now});
        all.back().end = i + 1;
    }
    return all;
}

}  // namespace

std::uint32_t Devices::finished(std::size_t rounds, std::uint32_t device) const {
    std::uint32_t sum = 0;
    for (const Piece& piece : held[rounds][device])
        if (piece.count() == devices) sum += piece.end - piece.first;
    return sum;
}

std::uint64_t Devices::finished(std::size_t rounds) const {
    std::uint64_t sum = 0;
    for (std::uint32_t device = 0; device < devices; ++device) sum += finished(rounds, device);
    return sum;
}

Devices devices_of(const graph::Graph& graph) {
    const trace::Launch& launch = graph.launches.front().launch;
    Devices out{.devices = launch.devices, .part = static_cast<std::uint32_t>(launch.n / launch.devices)};
    const std::vector<std::uint64_t> of_node = origins(graph, out.part);
    std::vector<std::uint64_t> over(launch.n);  // of the output's cells; 0: nothing was written
    const auto note = [&] {
        auto& held = out.held.emplace_back();
        for (std::uint32_t device = 0; device < out.devices; ++device)
            held.push_back(pieces(std::span(over).subspan(std::size_t{device} * out.part, out.part), device));
    };
    note();
    for (std::size_t l = 0; l < graph.launches.size(); ++l) {
        const trace::Trace& trace = graph.launches[l];
        for (std::size_t row = 0; row < trace.rows(); ++row) {
            if (trace.kind(row) != trace::Kind::kWrite || trace.arrays[trace.array(row)].role != trace::Role::kOutput)
                continue;
            const graph::Operand value = graph.values[l][row];
            over[trace.index[row]] = value.is_node()      ? of_node[value.index()]
                                     : value.is_element() ? std::uint64_t{1} << value.index() / out.part
                                                          : 0;
        }
        out.messages.push_back(counters::messages(trace));
        note();
    }
    return out;
}

std::string over_text(const Piece& piece, std::uint32_t devices) {
    if (piece.count() == devices) return fmt::format("all {}", counted(devices, "device"));
    std::vector<std::uint32_t> names;
    for (std::uint32_t device = 0; device < devices; ++device)
        if ((piece.over >> device & 1) != 0) names.push_back(device);
    return names.size() == 1 ? fmt::format("device {} alone", names.front())
                             : fmt::format("devices {}", fmt::join(names, ", "));
}

}  // namespace warptree::study
