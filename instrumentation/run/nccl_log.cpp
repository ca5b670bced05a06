#include "instrumentation/run/nccl_log.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "instrumentation/text.hpp"

namespace warptree::kernels {
namespace {

/// A line from left to right.
class Words {
public:
    explicit Words(std::string_view line) : left_(line) {}
    /// Past the first place where this stands; false, and nowhere, where it does not.
    bool past(std::string_view what) {
        const auto at = left_.find(what);
        if (at == left_.npos) return false;
        left_.remove_prefix(at + what.size());
        return true;
    }
    /// What comes until a blank, and past it; "" at the end.
    std::string_view next() {
        left_.remove_prefix(std::min(left_.find_first_not_of(' '), left_.size()));
        const std::string_view word = left_.substr(0, left_.find(' '));
        left_.remove_prefix(word.size());
        return word;
    }
    std::optional<std::uint64_t> number() { return number_in<std::uint64_t>(next()); }

private:
    std::string_view left_;
};

/// How each channel is laid, by its number.
using Laid = std::map<std::uint64_t, std::vector<std::uint32_t>>;

/// Channels that are laid alike, the most first.
void add(std::vector<NcclChannels>& to, NcclChannels::Shape shape, std::uint32_t devices, const Laid& laid) {
    const std::size_t first = to.size();
    const auto ours = [&] { return std::span(to).subspan(first); };
    for (const auto& [channel, order] : laid) {
        const bool whole = order.size() == devices &&
                           std::ranges::all_of(order, [&](std::uint32_t device) { return device < devices; });
        if (!whole) continue;
        const auto known = ours();
        const auto alike = std::ranges::find(known, order, &NcclChannels::order);
        if (alike != known.end())
            ++alike->channels;
        else
            to.push_back({shape, devices, 1, order});
    }
    std::ranges::stable_sort(ours(), std::ranges::greater(), &NcclChannels::channels);
}

}  // namespace

NcclNotes read_nccl_log(std::string_view log, std::uint32_t devices) {
    NcclNotes notes;
    Laid rings, trees;
    while (!log.empty()) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        Words words(line);
        if (!words.past(" NCCL INFO ")) continue;
        const std::string_view kind = words.next();
        if (kind == "NCCL" && words.next() == "version") {
            notes.version = words.next();
            notes.version.resize(std::min(notes.version.find('+'), notes.version.size()));
        } else if (kind == "Channel") {  // Channel 00/24 : 0 1
            const std::string_view of = words.next();
            const auto channel = number_in<std::uint64_t>(of.substr(0, of.find('/')));
            if (!channel || of.find('/') == of.npos || words.next() != ":") continue;
            std::vector<std::uint32_t> order;
            while (const auto device = words.number()) order.push_back(static_cast<std::uint32_t>(*device));
            if (!order.empty()) rings[*channel] = std::move(order);  // else it tells of a connection
        } else if (kind == "Tree") {  // Tree 0 : -1 -> 0 -> 1/-1/-1: whom it sends to, itself, whom it hears
            const auto channel = words.number();
            if (!channel || words.next() != ":") continue;
            const std::string_view up = words.next();
            if (words.next() != "->") continue;
            const auto itself = words.number();
            if (!itself || *itself >= devices) continue;
            std::vector<std::uint32_t>& order = trees[*channel];
            order.resize(devices, devices);  // not said yet: no device
            order[*itself] = static_cast<std::uint32_t>(number_in<std::uint64_t>(up).value_or(*itself));
        } else if (kind == "AllReduce:" || kind == "Reduce:") {
            NcclChoice choice{.kernel = kind == "Reduce:" ? "nccl-reduce" : "nccl-all-reduce", .devices = devices};
            const auto bytes = words.number();
            if (!bytes || words.next() != "Bytes" || !words.past("Algo ")) continue;
            choice.bytes = *bytes;
            choice.algorithm = words.next();
            if (!words.past("proto ")) continue;
            choice.protocol = words.next();
            if (!words.past("={")) continue;
            const std::string_view range = words.next();  // 0..7}
            const auto dots = range.find("..");
            const auto low = number_in<std::uint64_t>(range.substr(0, dots));
            const auto high = dots == range.npos
                                  ? std::nullopt
                                  : number_in<std::uint64_t>(range.substr(dots + 2, range.find('}') - dots - 2));
            if (!low || !high || *high < *low) continue;
            choice.channels = static_cast<std::uint32_t>(*high - *low + 1);
            const auto before = std::ranges::find_if(notes.choices, [&](const NcclChoice& other) {
                return other.kernel == choice.kernel && other.bytes == choice.bytes;
            });
            if (before != notes.choices.end())
                *before = std::move(choice);
            else
                notes.choices.push_back(std::move(choice));
        }
    }
    add(notes.channels, NcclChannels::Shape::kRing, devices, rings);
    add(notes.channels, NcclChannels::Shape::kTree, devices, trees);
    return notes;
}

}  // namespace warptree::kernels
