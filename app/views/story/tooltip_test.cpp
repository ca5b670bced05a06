// Tooltips and bars against the rows: what each step, warp, access and segment of memory costs, of every kernel, launch
// and block. What it costs is counted here, by none of the counters' own means.
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/testing.hpp"
#include "app/subject/flows.hpp"
#include "app/subject/words.hpp"
#include "app/views/memory/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::scene {
namespace {

using study::brief_percent;
using study::counted;
using study::grouped;
using study::percent;
using trace::Kind;
using Numbers = std::vector<std::uint64_t>;

const testing::FixedMeasure kMeasure;

Numbers numbers_in(std::string text) {
    std::erase(text, ',');
    Numbers found;
    const std::regex digits("[0-9]+");
    for (std::sregex_iterator at(text.begin(), text.end(), digits), end; at != end; ++at)
        found.push_back(std::stoull(at->str()));
    return found;
}

struct Cost {
    std::uint64_t adds = 0, threads = 0, warps = 0, divergent = 0, slots = 0, segments = 0, barriers = 0;
};

/// Rows that a warp executed together.
using Request = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;  // block, warp, site

bool is_access(Kind kind) {
    return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kReduction || kind == Kind::kTicket;
}
bool is_global(const trace::Trace& t, std::uint32_t row) {
    return t.kind(row) == Kind::kTicket || (is_access(t.kind(row)) && t.space(row) == trace::Space::kGlobal);
}

/// What a step cost, of one block or of all.
Cost cost_of(const trace::Trace& t, std::uint32_t step, std::optional<std::uint32_t> of = {}) {
    Cost cost;
    std::map<std::uint32_t, std::set<std::uint32_t>> adding, moving;  // threads of a block
    std::map<Request, std::set<std::uint64_t>> lines;
    for (std::uint32_t row = 0; row < t.rows(); ++row) {
        if (t.step[row] != step) continue;
        const bool adds = t.sites[t.site[row]].adds(),
                   moves = is_access(t.kind(row)) || t.kind(row) == Kind::kShuffle || t.kind(row) == Kind::kVote;
        const bool counts = !of || t.block[row] == *of;
        if (adds) adding[t.block[row]].insert(t.thread[row]);
        if (moves) moving[t.block[row]].insert(t.thread[row]);
        if (!counts) continue;
        cost.adds += adds;
        cost.barriers += t.kind(row) == Kind::kBarrier || t.kind(row) == Kind::kClusterBarrier;
        if (is_global(t, row))
            lines[{t.block[row], t.thread[row] / t.launch.warp_size, t.site[row]}].insert(
                t.kind(row) == Kind::kTicket ? 0 : t.index[row] * value::size_bytes(t.type_of(t.array(row))) / 128);
    }
    if (t.launch.processor == trace::Processor::kHost) return cost;
    for (const auto& [request, its] : lines) cost.segments += its.size();
    const std::uint32_t warp = t.launch.warp_size;
    for (const auto& [block, threads] : adding.empty() ? moving : adding) {
        if (of && block != *of) continue;
        std::map<std::uint32_t, std::uint32_t> lanes;
        for (const std::uint32_t thread : threads) ++lanes[thread / warp];
        cost.threads += threads.size();
        cost.warps += lanes.size();
        cost.slots += warp * lanes.size();
        for (const auto& [at, working] : lanes) cost.divergent += working < std::min(warp, t.launch.block - at * warp);
    }
    return cost;
}

struct Bar {
    Box box;
    std::vector<std::string> texts;  // within it
};

/// The bars of steps in a scene, by the step of the run that they stand for.
std::map<std::uint32_t, Bar> bars_in(const Scene& scene) {
    std::map<std::uint32_t, Bar> bars;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape); rect && unpack(rect->id).kind == Target::Kind::kStepBar)
            if (Bar& bar = bars[unpack(rect->id).state]; rect->box.h > bar.box.h) bar.box = rect->box;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape))
            for (auto& [step, bar] : bars)
                if (bar.box.contains(text->at)) bar.texts.push_back(text->text);
    return bars;
}

/// The tooltip of a step, in the transport and in the view of warps.
/// returns  the useful operations that it says
std::uint64_t expect_step(const Subject& s, std::uint32_t step, const Cost& cost,
                          const std::map<std::uint32_t, Bar>& bars) {
    const auto at = static_cast<std::uint16_t>(s.first_step + step);
    const auto lines = story(s, {step + 1, 1}, {Target::Kind::kStepBar, at, 0, 0});
    EXPECT_EQ(lines.at(0), caption(s, {step + 1, 1}));
    EXPECT_EQ(lines.at(lines.size() - 2),
              fmt::format("{} of {} diverge", cost.divergent, counted(cost.warps, "active warp")));
    EXPECT_EQ(lines.back(),
              fmt::format("{}, {}", counted(cost.segments, "segment"), counted(cost.barriers, "barrier")));
    std::uint64_t useful = 0;
    std::string share;
    for (const std::string& line : lines) {
        if (line.find("useful operation") == std::string::npos || line.find(" in ") == std::string::npos) continue;
        const Numbers said = numbers_in(line);
        useful = said.at(0);
        EXPECT_EQ(said.at(1), cost.slots) << line;
        const double of = static_cast<double>(useful) / static_cast<double>(cost.slots);
        EXPECT_EQ(line.substr(line.find(": ") + 2), percent(of)) << line;
        share = brief_percent(of);
    }
    if (const auto bar = bars.find(at); bar != bars.end()) {
        for (const std::string& text : bar->second.texts)
            EXPECT_TRUE(text.find('%') == std::string::npos || text == share) << text << " in the bar, not " << share;
    }
    return useful;
}

/// The warps' bands: lanes at work, slots, efficiency; and the tooltip of each warp.
void expect_bands(const Subject& s, std::uint32_t step, const Cost& cost, const std::map<std::uint32_t, Bar>& bands) {
    const trace::Trace& t = s.trace;
    const auto bar = bands.find(static_cast<std::uint32_t>(s.first_step + step));
    ASSERT_NE(bar, bands.end());
    const auto& texts = bar->second.texts;
    ASSERT_GE(texts.size(), 3u);
    EXPECT_EQ(texts[texts.size() - 3], grouped(cost.threads));
    EXPECT_EQ(texts[texts.size() - 2], grouped(cost.slots));
    const std::string& share = texts.back();
    if (share != "–") {
        std::uint64_t useful = 0;  // of a block: some whole number
        while (useful < cost.slots && percent(static_cast<double>(useful) / static_cast<double>(cost.slots)) != share)
            ++useful;
        EXPECT_EQ(percent(static_cast<double>(useful) / static_cast<double>(cost.slots)), share);
    }
    const std::uint32_t warp = t.launch.warp_size;
    const auto [begin, end] = t.range(s.block, step);
    for (std::uint32_t at = 0; at * warp < t.launch.block; ++at) {
        const auto lines = story(s, {step + 1, 1}, {Target::Kind::kWarp, static_cast<std::uint16_t>(step), 0, at});
        ASSERT_EQ(lines.size(), 2u);
        EXPECT_EQ(lines[0], fmt::format("Warp {}, step {}: {}", at, s.first_step + step + 1, step_name(s, step)));
        std::set<std::uint32_t> working;
        bool adds = cost_of(t, step).adds > 0;
        for (std::uint32_t row = begin; row < end; ++row)
            if (t.thread[row] / warp == at &&
                (adds ? t.sites[t.site[row]].adds()
                      : is_access(t.kind(row)) || t.kind(row) == Kind::kShuffle || t.kind(row) == Kind::kVote))
                working.insert(t.thread[row]);
        EXPECT_EQ(lines[1], working.empty() ? "idle: it issues nothing and costs no slot"
                                            : fmt::format("{} of {} lanes work; all {} slots are spent", working.size(),
                                                          warp, warp));
    }
}

/// An access, as the view of memory draws it and its tooltip tells it.
void expect_access(const Subject& s, std::uint32_t step, std::uint32_t index, const std::vector<std::uint32_t>& rows) {
    const trace::Trace& t = s.trace;
    const std::uint64_t size = value::size_bytes(t.type_of(t.array(rows.front())));
    std::set<std::uint64_t> cells, sectors, segments, threads;
    for (const std::uint32_t row : rows) {
        cells.insert(t.index[row]);
        sectors.insert(t.index[row] * size / 32);
        segments.insert(t.index[row] * size / 128);
        threads.insert(t.thread[row]);
    }
    const auto lines = access_story(s, {step + 1, 1}, {Target::Kind::kAccess, 0, 0, index});
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[0].substr(0, lines[0].find(' ', 5)),
              fmt::format("Warp {}", t.thread[rows[0]] / t.launch.warp_size));
    EXPECT_NE(lines[0].find(fmt::format(", line {}, with {}", t.line(rows[0]), counted(threads.size(), "lane"))),
              std::string::npos)
        << lines[0];
    if (!is_global(t, rows[0])) {
        std::map<std::uint64_t, std::set<std::uint64_t>> banks;
        std::size_t passes = 0;
        for (const std::uint64_t cell : cells) banks[cell * size / 4 % 32].insert(cell * size / 4);
        for (const auto& [bank, words] : banks) passes = std::max(passes, words.size());
        EXPECT_EQ(lines[1], fmt::format("{} over the 32 banks, {}", counted(passes, "pass", "passes"),
                                        counted(passes - 1, "conflict")));
        return;
    }
    if (t.kind(rows[0]) == Kind::kTicket) return;
    EXPECT_EQ(lines[1], fmt::format("{}, {}", counted(segments.size(), "segment"), counted(sectors.size(), "sector")));
    EXPECT_EQ(lines[2], moved_text(cells.size() * size, sectors.size() * 32));
    const MemoryChoice choice{true, t.site[rows[0]], t.thread[rows[0]] / t.launch.warp_size};
    std::set<std::uint64_t> drawn;
    bool told = false;
    for (const Shape& shape : memory_view(s, {step + 1, 1}, choice, {0, 0, 1200, 900}, kMeasure).shapes) {
        if (const auto* rect = std::get_if<Rect>(&shape); rect && unpack(rect->id).kind == Target::Kind::kSegment) {
            const Target target = unpack(rect->id);
            const auto tip = story(s, {step + 1, 1}, target);
            ASSERT_EQ(tip.size(), 2u);
            const std::string& name = t.arrays[t.array(rows[0])].name;
            EXPECT_EQ(tip[0], fmt::format("Segment {} of {}", target.index * size / 128, name));
            EXPECT_EQ(numbers_in(tip[1]), (Numbers{128, target.index}));
            drawn.insert(target.index * size / 128);
        }
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr || text->text.find("bytes moved are used: ") == std::string::npos) continue;
        const double used = static_cast<double>(cells.size() * size) / static_cast<double>(sectors.size() * 32);
        EXPECT_EQ(text->text, fmt::format("{} of {} bytes moved are used: {}", grouped(cells.size() * size),
                                          grouped(sectors.size() * 32), percent(used)));
        told = true;
    }
    EXPECT_EQ(drawn, segments);
    EXPECT_TRUE(told);
}

void expect_accesses(const Subject& s, std::uint32_t step) {
    const trace::Trace& t = s.trace;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::vector<std::uint32_t>>
        requests;  // by site, as they are listed
    const auto [begin, end] = t.range(s.block, step);
    for (std::uint32_t row = begin; row < end; ++row)
        if (is_access(t.kind(row)) && !t.sites[t.site[row]].remote)
            requests[{t.site[row], t.thread[row] / t.launch.warp_size}].push_back(row);
    std::uint32_t index = 0;
    for (const auto& [place, rows] : requests) {
        SCOPED_TRACE(fmt::format("access {}", index));
        expect_access(s, step, index++, rows);
    }
    EXPECT_TRUE(access_story(s, {step + 1, 1}, {Target::Kind::kAccess, 0, 0, index}).empty())
        << "no more than the rows have";
}

class EveryTooltip : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryTooltip, says_what_the_rows_cost) {
    int runs = 0;
    for (const auto& [n, warp, block] : {std::tuple(16u, 4u, 0u),
                                         {128u, 4u, 8u},
                                         {128u, 8u, 16u},
                                         {250u, 16u, 32u},
                                         {128u, 32u, 32u},
                                         {250u, 32u, 0u}}) {
        auto run = kernels::record(
            {.kernel = GetParam(),
             .n = n,
             .block = block,
             .warp_size = warp,
             .type = kernels::find(GetParam())->sizes.needs.compensates ? value::Type::kFloat32 : value::Type::kInt32});
        if (!run) continue;  // not for this kernel
        ++runs;
        const auto facts = std::make_shared<const study::RunFacts>(std::move(*run));
        std::uint64_t useful = 0;
        bool slots = true;
        for (std::size_t launch = 0; launch < facts->run.launches.size(); ++launch) {
            const std::uint32_t grid = facts->run.launches[launch].launch.grid;
            for (const std::uint32_t at : std::set{0u, grid / 2, grid - 1}) {
                const auto s = study::make_subject(facts, launch, at);
                const Playhead end{s->steps(), 1};
                const float height = 60 * static_cast<float>(s->steps()) + 200;
                const auto bars = bars_in(transport_view(*s, end, {}, {0, 0, 4000, 220}, kMeasure));
                const auto bands = bars_in(warps_view(*s, end, true, {0, 0, 1200, height}, kMeasure));
                for (std::uint32_t step = 0; step < s->steps() && step < 40; ++step) {
                    SCOPED_TRACE(
                        fmt::format("{}, N = {}, launch {}, block {}, step {}", GetParam(), n, launch, at, step));
                    const std::uint64_t said = expect_step(*s, step, cost_of(s->trace, step), bars);
                    useful += at == 0 ? said : 0;
                    slots = slots && !s->on_host() && s->steps() <= 40;
                    if (s->on_host()) continue;
                    expect_bands(*s, step, cost_of(s->trace, step, at), bands);
                    expect_accesses(*s, step);
                    if (HasFailure()) return;
                }
            }
        }
        if (kernels::find(GetParam())->problem == value::Problem::kReduction && slots) {
            EXPECT_EQ(useful, n - 1) << GetParam();
        }
    }
    EXPECT_GT(runs, 0);
}

TEST_P(EveryTooltip, has_no_empty_line) {
    using enum Target::Kind;
    std::size_t told = 0;
    for (const auto& [n, warp, block] : {std::tuple(16u, 4u, 0u), {128u, 8u, 16u}, {128u, 32u, 32u}}) {
        const bool floats = kernels::find(GetParam())->sizes.needs.compensates;
        auto run = kernels::record({.kernel = GetParam(),
                                    .n = n,
                                    .block = block,
                                    .warp_size = warp,
                                    .type = floats ? value::Type::kFloat32 : value::Type::kInt32});
        if (!run) continue;  // not for this kernel
        const auto s = study::make_subject(std::move(*run), 0, 0);
        for (const Target::Kind kind : {kCell, kLane, kEdge, kStepBar, kLine, kTerm, kSegment, kHardware, kWarp})
            for (std::uint16_t state = 0; state <= s->steps(); ++state)
                for (std::uint8_t array = 0; array <= s->trace.arrays.size(); ++array)
                    for (std::uint32_t index = 0; index < 70; ++index) {
                        const auto lines = story(*s, {s->steps(), 1}, {kind, state, array, index});
                        told += lines.size();
                        ASSERT_EQ(std::ranges::count(lines, ""), 0)
                            << int(kind) << " " << state << " " << int(array) << " " << index << ": " << lines[0];
                    }
    }
    EXPECT_GT(told, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryTooltip, ::testing::ValuesIn(testing::kernel_names()), testing::word_of);

}  // namespace
}  // namespace warptree::scene
