// What devices hold after each round of a collective.
#include "app/views/devices/facts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

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

/// The device that was the first to have the sum over all at an element of its part.
std::optional<std::uint32_t> first_finished(const Devices& all, std::uint32_t element) {
    for (const auto& round : all.held)
        for (std::uint32_t device = 0; device < all.devices; ++device)
            if (piece_at(round[device], element).count() == all.devices) return device;
    return {};
}

std::vector<DeviceTree> trees_of(const Devices& all) {
    if (all.devices <= 2) return {};
    std::set<std::uint32_t> begins;
    for (const auto& round : all.messages)
        for (const counters::Message& one : round) begins.insert(one.first);
    std::map<std::set<std::pair<std::uint32_t, std::uint32_t>>, std::uint32_t> ways;  // links, and an element there
    for (const std::uint32_t element : begins) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> links;
        for (const auto& round : all.messages)
            for (const counters::Message& one : round)
                if (one.first <= element && element < one.end) links.insert(std::minmax(one.from, one.to));
        const auto [way, is_new] = ways.try_emplace(links, element);
        if (!is_new && first_finished(all, way->second) != first_finished(all, element)) return {};  // of no one root
    }
    if (ways.size() > 2) return {};
    std::vector<DeviceTree> trees;
    for (const auto& [links, element] : ways) {
        const auto root = first_finished(all, element);
        if (!root || links.size() != all.devices - 1) return {};
        DeviceTree tree{element, std::vector<std::uint32_t>(all.devices, all.devices)};
        std::vector<std::uint32_t> reached{*root};
        tree.parent[*root] = *root;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const auto& [a, b] : links)
                if (const std::uint32_t next = a == reached[i]   ? b
                                               : b == reached[i] ? a
                                                                 : all.devices;
                    next < all.devices && tree.parent[next] == all.devices)
                    tree.parent[next] = reached[i], reached.push_back(next);
        if (reached.size() != all.devices) return {};
        trees.push_back(std::move(tree));
    }
    return trees;
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
        out.sent.push_back(sent(out.messages.emplace_back(counters::messages(trace)), out.devices));
        note();
    }
    out.trees = trees_of(out);
    return out;
}

const Piece& piece_at(const std::vector<Piece>& held, std::uint32_t element) {
    return *std::ranges::find_if(held, [&](const Piece& piece) { return element < piece.end; });
}

Sent sent(const std::vector<counters::Message>& messages, std::uint32_t devices) {
    Sent out{std::vector<std::uint64_t>(devices)};
    std::vector<std::uint64_t> received(devices);
    for (const counters::Message& one : messages) out.by[one.from] += one.bytes, received[one.to] += one.bytes;
    out.most = std::max(std::ranges::max(out.by), std::ranges::max(received));
    return out;
}

double Devices::links_use(std::size_t end) const {
    std::uint64_t bytes = 0, time = 0;
    for (const Sent& one : std::span(sent).first(end)) {
        bytes = std::accumulate(one.by.begin(), one.by.end(), bytes);
        time += one.most;
    }
    return time == 0 ? 0 : 1.0 * bytes / (1.0 * time * devices);
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
