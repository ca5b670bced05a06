// The way that NCCL went, from its log: how many of its channels it used at each N, by which algorithm and protocol;
// and how these are laid over the devices, beside the links that our kernels were seen to use.
#include "app/kit/chart.hpp"
#include "app/views/ladder/view.hpp"
#include "instrumentation/text.hpp"

namespace warptree::scene {
namespace {

using kernels::NcclChannels;
using kernels::NcclChoice;
using Links = decltype(study::CountedRun::links);

constexpr float kBand = 26, kWays = 196, kWay = 150, kTitle = 20, kDisc = 13;

/// "ring, LL"
std::string way_text(const NcclChoice& choice) {
    return fmt::format("{}, {}", lower_case(choice.algorithm), choice.protocol);
}

Links links_of(const NcclChannels& channels) {
    Links links;
    for (std::uint32_t i = 0; i < channels.devices; ++i) {
        if (channels.shape == NcclChannels::Shape::kRing) {
            links.emplace(channels.order[i], channels.order[(i + 1) % channels.devices]);
        } else if (channels.order[i] != i) {  // up, and back down
            links.emplace(i, channels.order[i]);
            links.emplace(channels.order[i], i);
        }
    }
    return links;
}

/// Devices in a circle, and who sends to whom.
void draw_way(Pen& pen, Box box, std::uint32_t devices, const Links& links, std::string_view title, bool chosen) {
    const Box names = cut_bottom(box, kTitle);
    const float radius = std::min(box.w, box.h) / 2 - kDisc - 4;
    const std::vector<Vec> at = in_circle(box.centre(), radius, radius, devices);
    for (const auto& [from, to] : links) draw_arrow_between(pen, at[from], at[to], kDisc, {kActive, 0.9f}, 2, 6);
    for (std::uint32_t device = 0; device < devices; ++device) {
        pen.ring(at[device], kDisc, {kPanel}, {kText}, 1.5f);
        pen.put(at[device], std::to_string(device), {kMonoBold, kLeast, {kText}}, kCentre);
    }
    pen.line({names.centre().x, names.centre().y}, title, chosen_style(kFine, chosen), names.w, kCentre);
}

/// All that has room, one beside the other: NCCL's channels, then ours.
void draw_ways(const LadderContext& c, Box box) {
    struct Way {
        Links links;
        std::string title;
        bool ours = false;
    };
    std::vector<Way> ways;
    for (const NcclChannels& channels : c.ladder.of->nccl_channels)
        if (channels.devices == c.ladder.devices)
            ways.push_back({links_of(channels),
                            fmt::format("{} {}", channels.shape == NcclChannels::Shape::kRing ? "ring" : "tree",
                                        channels.channels == 1 ? "" : fmt::format("×{}", channels.channels))});
    const std::size_t theirs = ways.size();
    for (const Rung& rung : c.ladder.rungs) {
        const study::CountedRun* run = c.counted == nullptr ? nullptr : c.counted->of(rung.name, c.ladder.devices);
        if (run != nullptr && !run->links.empty()) ways.push_back({run->links, std::string(rung.name), true});
    }
    const std::size_t room = std::max(1.0f, box.w / kWay);
    if (ways.size() > room) {  // of each as many as there are of the other, if it can be
        const std::size_t ours = std::min(ways.size() - theirs, room / 2);
        ways.erase(ways.begin() + std::min(theirs, room - ours), ways.begin() + theirs);
        ways.resize(std::min(ways.size(), room));
    }
    const float w = std::min(1.4f * kWay, box.w / ways.size());
    Box heads = cut_top(box, 22);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const Box cell = cut_left(box, w), head = cut_left(heads, w);
        if (i == 0 || ways[i].ours != ways[i - 1].ours)
            c.pen.line({head.x + 8, head.y + 8}, ways[i].ours ? "Ours, as recorded" : "NCCL's channels", kTopic,
                       head.w + (ways.size() - i - 1) * w);
        draw_way(c.pen, {cell.x + 8, cell.y, cell.w - 16, cell.h}, c.ladder.devices, ways[i].links, ways[i].title,
                 ways[i].ours && ways[i].title == c.chosen.name);
    }
}

}  // namespace

void draw_ladder_nccl(const LadderContext& c, Box box) {
    if (box.h < kLeastCurves) return;
    const auto& sizes = c.ladder.sizes;
    if (box.h >= 2 * kWays) draw_ways(c, cut_bottom(box, kWays, 20));
    ChartLine line{.name = "channels", .ink = {kActive}, .width = 2.5f, .dot = 4.5f, .kept = true};
    Scale up{0, 1};
    for (const std::uint64_t n : sizes)
        if (const NcclChoice* choice = study::nccl_choice(c.ladder, n)) {
            line.points.push_back({1.0 * n, 1.0 * choice->channels});
            up.take(choice->channels);
        }
    up.high *= 1.08;
    const float used = c.pen.line({box.x, box.y + 12}, "NCCL's channels in use, over N", kTopic, box.w);
    c.pen.either({box.right(), box.y + 12}, {"as its log says; above: algorithm and protocol", "from its log"}, kFine,
                 box.w - used - 20, kRight);
    const Scale across{1.0 * sizes.front(), 1.0 * sizes.back(), true};
    const Chart chart(c.pen, box, 40 + kBand, {line}, across, up);
    chart.ticks();
    draw_ladder_sizes(c, chart, box.x);
    chart.draw(line);
    const Box area = chart.area();
    for (std::size_t first = 0, end = 0; first < sizes.size(); first = end) {
        const NcclChoice* choice = study::nccl_choice(c.ladder, sizes[first]);
        const std::string way = choice == nullptr ? "" : way_text(*choice);
        for (end = first + 1; end < sizes.size(); ++end) {
            const NcclChoice* next = study::nccl_choice(c.ladder, sizes[end]);
            if ((next == nullptr ? "" : way_text(*next)) != way) break;
        }
        const auto edge = [&](std::size_t i) {
            return i == 0 ? area.x : i == sizes.size() ? area.right() : (chart.x(sizes[i - 1]) + chart.x(sizes[i])) / 2;
        };
        const Box band{edge(first) + 1, area.y - kBand, edge(end) - edge(first) - 2, kBand - 6};
        if (way.empty()) continue;
        c.pen.fill(band, {kRaised}, 4);
        c.pen.either({band.centre().x, band.centre().y}, {way, choice->protocol}, kFine, band.w - 8, kCentre);
    }
}

}  // namespace warptree::scene
