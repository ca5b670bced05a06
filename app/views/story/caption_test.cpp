// Captions against the rows: who works, who does not, on what, from where and how far away, in each step of each block
// of each launch of every kernel. What the rows say is read off the trace here, by none of the caption's own means.
#include <charconv>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/kit/testing.hpp"
#include "app/subject/words.hpp"
#include "app/views/listing/view.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

using ::testing::HasSubstr;
using trace::Kind;
using trace::kNoEvent;
using Threads = std::set<std::uint32_t>;

std::uint32_t number(std::string text) {
    static const std::vector<std::string> kWords = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                                    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    const auto word = std::find(kWords.begin(), kWords.end(), text);
    if (word != kWords.end()) return static_cast<std::uint32_t>(word - kWords.begin());
    std::erase(text, ',');
    std::uint32_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    EXPECT_TRUE(!text.empty() && end == text.data() + text.size()) << "'" << text << "' is no number";
    return value;
}

/// What matches a pattern's first group.
std::optional<std::string> match(const std::string& text, const char* pattern) {
    static std::map<std::string, std::regex> made;  // which takes longer than to search
    std::smatch found;
    const std::regex& regex = made.try_emplace(pattern, pattern).first->second;
    return std::regex_search(text, found, regex) ? std::optional(found[1].str()) : std::nullopt;
}

/// Whether "0, 2, 4, … 126", "0 to 7" or "1 and 3" names just these threads: all of them, or first ones and the last.
void expect_list(const std::string& list, const Threads& threads) {
    const std::vector<std::uint32_t> all(threads.begin(), threads.end());
    std::vector<std::uint32_t> named;
    static const std::regex digits("[0-9]+");
    for (std::sregex_iterator at(list.begin(), list.end(), digits), end; at != end; ++at)
        named.push_back(number(at->str()));
    ASSERT_FALSE(all.empty()) << list << " for nobody";
    ASSERT_FALSE(named.empty()) << list;
    EXPECT_EQ(named.back(), all.back()) << list;
    if (list.find(" to ") != std::string::npos) {
        EXPECT_EQ(named.front(), all.front()) << list;
        EXPECT_EQ(all.back() - all.front() + 1, all.size()) << list << " has no gaps";
    } else if (list.find("…") != std::string::npos) {
        for (std::size_t i = 0; i + 1 < named.size(); ++i) EXPECT_EQ(named[i], all[i]) << list;
    } else {
        EXPECT_EQ(named, all) << list;
    }
}

/// A step of a block, by its rows.
struct Rows {
    const trace::Trace& t;
    trace::Trace::Range range;
    std::uint32_t block, step;

    template <class With>
    void each(Kind kind, With&& with) const {
        for (std::uint32_t row = range.begin; row < range.end; ++row)
            if (t.kind(row) == kind) with(row);
    }
    bool moves(std::uint32_t row) const {
        const Kind kind = t.kind(row);
        return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kReduction || kind == Kind::kShuffle ||
               kind == Kind::kTicket || kind == Kind::kVote;
    }
    /// Those that add; where none does, those that move data.
    Threads working() const {
        Threads adding, moving;
        for (std::uint32_t row = range.begin; row < range.end; ++row) {
            if (t.sites[t.site[row]].adds()) adding.insert(t.thread[row]);
            if (moves(row)) moving.insert(t.thread[row]);
        }
        bool anywhere = false;  // a step that adds in any block is one that adds
        for (std::size_t row = 0; row < t.rows(); ++row)
            anywhere = anywhere || (t.step[row] == step && t.sites[t.site[row]].adds());
        return anywhere ? adding : moving;
    }
    Threads idle() const {
        Threads out;
        const Threads at_work = working();
        for (std::uint32_t thread = 0; thread < t.launch.block; ++thread)
            if (at_work.count(thread) == 0) out.insert(thread);
        return out;
    }
    bool names(Kind kind, const std::string& place) const {  // "output[0]"
        bool found = false;
        each(kind, [&](std::uint32_t row) {
            found = found || t.arrays[t.array(row)].name + "[" + std::to_string(t.index[row]) + "]" == place;
        });
        return found;
    }
    std::string value_at(Kind kind, const std::string& place) const {
        std::string out;
        each(kind, [&](std::uint32_t row) {
            if (t.arrays[t.array(row)].name + "[" + std::to_string(t.index[row]) + "]" == place) out = t.text(row);
        });
        return out;
    }
};

void expect_who(const std::string& text, const Rows& rows, int brief) {
    const Threads working = rows.working(), idle = rows.idle();
    const std::string act = text.substr(0, text.find(';'));
    if (const auto all = match(act, "all ([a-z]+|[0-9,]+) threads")) {
        EXPECT_EQ(number(*all), working.size());
        EXPECT_TRUE(idle.empty());
    } else if (act.find("both threads") != std::string::npos) {
        EXPECT_EQ(working.size(), 2u);
        EXPECT_TRUE(idle.empty());
    } else if (const auto some = match(act, "([0-9,]+) of [0-9,]+ threads")) {
        EXPECT_EQ(number(*some), working.size());
        EXPECT_EQ(number(*match(act, " of ([0-9,]+) threads")), rows.t.launch.block);
        const auto list = match(act, "threads \\(([^)]*)\\)");
        EXPECT_EQ(list.has_value(), brief < 2);
        if (list) expect_list(*list, working);
    } else if (const auto few = match(act, "threads ((?:[0-9]+(?:, | and | to )?)+)")) {
        expect_list(*few, working);
    } else {
        const auto one = match(act, "thread ([0-9]+)");
        ASSERT_TRUE(one);
        EXPECT_EQ(working, Threads{number(*one)});
    }
    const auto listed = match(text, "; threads? (.*) sits? the step out"), rest = match(text, "; the other (.*) sit");
    if (listed) expect_list(*listed, idle);
    if (rest) {
        EXPECT_EQ(number(*rest), idle.size());
    }
    const auto copied = match(text, "; threads? ([^;]*) cop(?:y theirs|ies its value)");
    if (copied) expect_list(*copied, idle);
    EXPECT_TRUE(!(listed || rest || copied) || !idle.empty());
    EXPECT_TRUE(listed || rest || copied || idle.empty() || brief > 0);
    EXPECT_FALSE(brief > 0 && (listed || rest));
}

/// How far an add's second operand was read from its first, by this lane or by one that handed it on.
std::optional<std::int64_t> distance(const trace::Trace& t, std::uint32_t add) {
    const auto read = [&t](std::int32_t row) {
        while (row != kNoEvent && t.kind(static_cast<std::size_t>(row)) == Kind::kShuffle)
            row = t.a[static_cast<std::size_t>(row)];
        return row;
    };
    if (read(t.a[add]) == kNoEvent || read(t.b[add]) == kNoEvent) return std::nullopt;
    const auto a = static_cast<std::size_t>(read(t.a[add])), b = static_cast<std::size_t>(read(t.b[add]));
    if (t.kind(a) != Kind::kRead || t.kind(b) != Kind::kRead || t.array(a) != t.array(b)) return std::nullopt;
    if (t.home(a) != t.block[add] || t.home(b) != t.block[add]) return std::nullopt;
    return std::int64_t{t.index[b]} - std::int64_t{t.index[a]};
}

void expect_distances(const std::string& text, const Rows& rows) {
    std::optional<std::int64_t> said;
    bool either = false;
    if (const auto right = match(text, "element (\\S+) places? to the right")) said = number(*right);
    if (const auto left = match(text, "element (\\S+) places? to the left")) said = -std::int64_t{number(*left)};
    if (const auto apart = match(text, ", (\\S+) apart")) said = number(*apart), either = true;
    if (!said) return;
    rows.each(Kind::kCombine, [&](std::uint32_t row) {
        auto found = distance(rows.t, row);
        if (found && either) found = std::abs(*found);  // which of the two comes first is not said
        EXPECT_EQ(found, said) << "thread " << rows.t.thread[row];
    });
}

void expect_registers(const std::string& text, const Rows& rows) {
    const trace::Trace& t = rows.t;
    const auto taken = [&](std::int32_t operand, std::uint32_t thread) {  // from another lane
        if (operand == kNoEvent || t.kind(static_cast<std::size_t>(operand)) != Kind::kShuffle) return false;
        const std::int32_t from = t.a[static_cast<std::size_t>(operand)];
        return from == kNoEvent || t.thread[static_cast<std::size_t>(from)] != thread;
    };
    const bool another = text.find("from another lane's register") != std::string::npos;
    const auto own = match(text, "from a lane's register, (\\S+) of them from their own");
    std::uint32_t alone = 0;
    rows.each(Kind::kCombine, [&](std::uint32_t row) {
        alone += !taken(t.a[row], t.thread[row]) && !taken(t.b[row], t.thread[row]);
        if (text.find("which held none yet") != std::string::npos) {
            EXPECT_EQ(t.a[row], kNoEvent);
            EXPECT_NE(t.b[row], kNoEvent);
            EXPECT_EQ(t.home(static_cast<std::size_t>(t.b[row])), rows.block) << "an element of its own block's";
        }
    });
    if (another) {
        EXPECT_EQ(alone, 0u);
    }
    if (own) {
        EXPECT_EQ(number(*own), alone);
    }
    std::set<std::uint32_t> others;
    rows.each(Kind::kRead, [&](std::uint32_t row) {
        if (t.home(row) != rows.block) others.insert(t.home(row));
    });
    const auto other = match(text, "block ([0-9,]+)'s");
    EXPECT_EQ(other.has_value(), others.size() == 1);
    if (other && others.size() == 1) {
        EXPECT_EQ(number(*other), *others.begin());
    }
}

void expect_places(const std::string& text, const Rows& rows, const Subject& s) {
    static const std::regex place("([a-z_0-9]+)\\[([0-9]+)\\]");
    const std::string told = text.substr(0, text.find(" Race:"));
    for (std::sregex_iterator at(told.begin(), told.end(), place), end; at != end; ++at)
        EXPECT_TRUE(rows.names(Kind::kRead, at->str()) || rows.names(Kind::kWrite, at->str()) ||
                    rows.names(Kind::kReduction, at->str()))
            << at->str();
    if (const auto written = match(text, "writes [a-z ]+, ([^,(]*)"); written && !s.on_host()) {
        const auto where = match(text, "to ([a-z_0-9]+\\[[0-9]+\\])");
        ASSERT_TRUE(where);
        EXPECT_EQ(rows.value_at(Kind::kWrite, *where), *match(text, "writes [a-z ]+, ([^ ,]*)"));
    }
    if (text.find("writes the result") != std::string::npos) {
        EXPECT_EQ(*match(text, "writes the result, ([^ ,]*)"), s.run().output()->text(0));
    }
    if (const auto set = match(text, ", and thread [0-9]+ sets (\\S+) to ")) {
        EXPECT_EQ(rows.value_at(Kind::kWrite, *set), *match(text, ", and thread [0-9]+ sets \\S+ to ([^ ;.]*)"));
    }
    if (const auto added = match(text, "adds its value, ([^ ,]*), to")) {
        const auto where = match(text, ", to ([a-z_0-9]+\\[[0-9]+\\])");
        ASSERT_TRUE(where);
        EXPECT_EQ(rows.value_at(Kind::kReduction, *where), *added);
        const auto in_all = match(text, "which holds (\\S+) once ");
        EXPECT_EQ(in_all.has_value(), rows.t.launch.grid > 1);
        if (in_all) {
            EXPECT_EQ(*in_all, s.run().output()->text(0));
        }
    }
}

void expect_true(const Subject& s, std::uint32_t step, int brief) {
    const std::string text = caption(s, {step + 1, 1}, brief);
    SCOPED_TRACE(s.trace.launch.kernel + ", block " + std::to_string(s.block) + ": " + text);
    const trace::Trace& t = s.trace;
    const Rows rows{t, t.range(s.block, step), s.block, step};
    const auto counted = match(text, "^Step ([0-9]+)");
    ASSERT_TRUE(counted);
    EXPECT_EQ(number(*counted), s.first_step + step + 1);
    const std::vector<std::uint32_t>& on = t.launch.on;  // devices: each has as many blocks
    const std::uint32_t each = t.launch.grid / (on.empty() ? t.launch.devices : on.size()), device = s.block / each;
    EXPECT_EQ(match(text, ": on device ([0-9]+), ").value_or("none"),
              t.launch.devices > 1 ? std::to_string(on.empty() ? device : on[device]) : "none");
    EXPECT_EQ(match(text, "(?:: |, )in block ([0-9,]+), ").value_or("none"),
              each > 1 ? std::to_string(s.block) : "none");
    const bool adds_none = text.find("no thread adds") != std::string::npos;
    if (adds_none || text.find("no thread works") != std::string::npos) {
        EXPECT_TRUE(rows.working().empty());
        std::set<std::uint32_t> others;
        for (std::size_t row = 0; row < t.rows(); ++row)
            if (t.step[row] == step && rows.moves(static_cast<std::uint32_t>(row))) others.insert(t.block[row]);
        EXPECT_EQ(others.erase(s.block) == 1, adds_none);
        if (const auto one = match(text, "; block ([0-9,]+) does")) {
            EXPECT_EQ(others, std::set{number(*one)});
        }
        if (const auto many = match(text, "; (\\S+) other blocks do")) {
            EXPECT_EQ(others.size(), number(*many));
        }
        return;
    }
    if (s.on_host()) {
        EXPECT_THAT(text, HasSubstr("the CPU "));
        EXPECT_EQ(rows.working(), Threads{0});
    } else {
        expect_who(text, rows, brief);
    }
    expect_distances(text, rows);
    if (brief < kBriefest) expect_registers(text, rows);
    expect_places(text, rows, s);
}

/// The tooltip of each cell that a step wrote, by the last row that wrote it.
void expect_cells(const Subject& s, std::uint32_t step) {
    const trace::Trace& t = s.trace;
    std::map<std::pair<std::uint8_t, std::uint32_t>, std::uint32_t> last;
    const auto [begin, end] = t.range(s.block, step);
    for (std::uint32_t row = begin; row < end; ++row)
        if (t.kind(row) == Kind::kWrite) last[{t.array(row), t.index[row]}] = row;
    for (const auto& [cell, row] : last) {
        const Target target{Target::Kind::kCell, static_cast<std::uint16_t>(step + 1), cell.first, cell.second};
        const auto lines = story(s, {step + 1, 1}, target);
        ASSERT_GE(lines.size(), 3u);
        const std::string place = fmt::format("{}[{}]", t.arrays[cell.first].name, cell.second);
        const std::string moment = fmt::format("step {}", s.first_step + step + 1);
        EXPECT_EQ(lines[0], fmt::format("{} = {} after {}", place, t.text(row), moment));
        EXPECT_THAT(lines[1], HasSubstr(s.on_host() ? "the CPU " : fmt::format("thread {} ", t.thread[row])));
        EXPECT_THAT(lines[1], HasSubstr(fmt::format("in {}, line {}", moment, t.line(row))));
    }
}

/// The tooltips of lanes: whether they work, what each adds and from where; and those of their edges.
void expect_lanes(const Subject& s, std::uint32_t step) {
    const trace::Trace& t = s.trace;
    const Rows rows{t, t.range(s.block, step), s.block, step};
    const Threads working = rows.working();
    for (std::uint32_t thread = 0; thread < t.launch.block; ++thread) {
        const auto at = static_cast<std::uint16_t>(step);
        const auto lines = story(s, {step + 1, 1}, {Target::Kind::kLane, at, 0, thread});
        ASSERT_GE(lines.size(), 2u);
        EXPECT_EQ(lines[1] == "active", working.contains(thread)) << "thread " << thread;
        const std::string all = fmt::format("{}", fmt::join(lines, "\n"));
        for (std::uint32_t row = rows.range.begin; row < rows.range.end; ++row) {
            if (t.thread[row] != thread || t.kind(row) != Kind::kCombine || !t.sites[t.site[row]].adds()) continue;
            EXPECT_THAT(all, HasSubstr(" = " + t.text(row)));
            const auto edge = story(s, {step + 1, 1}, {Target::Kind::kEdge, at, 0, row});
            ASSERT_GE(edge.size(), 2u);
            EXPECT_THAT(edge[0], HasSubstr(fmt::format("Step {}, line {}: ", s.first_step + step + 1, t.line(row))));
            EXPECT_THAT(edge[1], HasSubstr(" = " + t.text(row)));
            for (const std::int32_t operand : {t.a[row], t.b[row]}) {
                if (operand == kNoEvent) continue;
                const auto from = static_cast<std::size_t>(operand);
                EXPECT_THAT(edge[1], HasSubstr(t.text(from)));
                if (t.kind(from) != Kind::kRead || t.step[from] != step) continue;
                EXPECT_THAT(all, HasSubstr(fmt::format("{}[{}]", t.arrays[t.array(from)].name, t.index[from])));
                if (t.home(from) != s.block && t.space(from) == trace::Space::kShared) {
                    EXPECT_THAT(all, HasSubstr(fmt::format(" of block {}", t.home(from))));
                }
            }
        }
    }
}

/// The listing's remark: how many warps and lanes work, wait, and are idle.
void expect_remark(const Subject& s, std::uint32_t step) {
    const trace::Trace& t = s.trace;
    const std::uint32_t warp = t.launch.warp_size, warps = (t.launch.block + warp - 1) / warp;
    const Threads working = Rows{t, t.range(s.block, step), s.block, step}.working();
    std::map<std::uint32_t, std::uint32_t> active;  // lanes of each active warp
    for (const std::uint32_t thread : working) ++active[thread / warp];
    std::uint32_t lanes = 0, diverged = 0;
    for (const auto& [at, its] : active) {
        const std::uint32_t all = std::min(warp, t.launch.block - at * warp);
        lanes += all;
        diverged += its < all;
    }
    std::string text = branch_sentence(s, step);
    SCOPED_TRACE(text);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (s.on_host()) return;
    EXPECT_EQ(text.starts_with("no thread of this block works"), working.empty());
    if (working.empty()) return;
    if (const auto some = match(text, "^(\\S+) of \\S+ warps")) {
        EXPECT_EQ(number(*some), active.size());
        EXPECT_EQ(number(*match(text, "^\\S+ of (\\S+) warps")), warps);
    } else {
        EXPECT_EQ(active.size(), warps);
    }
    const auto waiting = match(text, "; the other (\\S+)");
    EXPECT_EQ(waiting.has_value(), diverged > 0);
    if (waiting) {
        EXPECT_EQ(*waiting == "lane" ? 1 : number(*waiting), lanes - working.size());
    }
    if (text.find("half of the lanes") != std::string::npos) {
        EXPECT_EQ(2 * working.size(), lanes);
    } else if (const auto share = match(text, "branch with (\\S+) of \\S+ lanes")) {
        EXPECT_EQ(number(*share), working.size());
        EXPECT_EQ(number(*match(text, "branch with \\S+ of (\\S+) lanes")), lanes);
    }
    if (const auto some = match(text, "(\\S+) of them diverge")) {
        EXPECT_EQ(number(*some), diverged);
    }
    std::uint32_t idle = 0;
    for (const char* const act : {"is idle", "are idle", "only cop"})
        if (const auto some = match(text, (std::string("(\\S+) warps? ") + act).c_str())) idle += number(*some);
    EXPECT_EQ(idle, warps - active.size());
}

class EveryCaption : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryCaption, says_what_the_rows_say) {
    int steps = 0;
    for (const auto& [n, narrow] : {std::pair(16u, 4u), {64u, 16u}, {128u, 8u}, {250u, 4u}})
        for (const std::uint32_t warp : {narrow, 32u})
            for (const std::uint32_t block : {0, 8, 32}) {
                auto run =
                    kernels::record({.kernel = GetParam(),
                                     .n = n,
                                     .block = block,
                                     .warp_size = warp,
                                     .type = kernels::find(GetParam())->sizes.needs.compensates ? value::Type::kFloat32
                                                                                                : value::Type::kInt32});
                if (!run) continue;  // not for this kernel
                const auto facts = std::make_shared<const study::RunFacts>(std::move(*run));
                for (std::size_t launch = 0; launch < facts->run.launches.size(); ++launch)
                    for (std::uint32_t at = 0; at < facts->run.launches[launch].launch.grid; ++at) {
                        const auto s = study::make_subject(facts, launch, at);
                        for (std::uint32_t step = 0; step < s->steps() && step < 40; ++step, ++steps)
                            for (int brief = 0; brief <= (n == 64 ? kBriefest : 0); ++brief)
                                expect_true(*s, step, brief);
                        for (std::uint32_t step = 0; n == 128 && step < s->steps() && step < 40; ++step) {
                            SCOPED_TRACE(s->trace.launch.kernel + ", step " + std::to_string(step));
                            expect_cells(*s, step);
                            expect_lanes(*s, step);
                            expect_remark(*s, step);
                        }
                        if (HasFailure()) return;
                    }
            }
    EXPECT_GT(steps, 20) << "else this tests little";
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCaption, ::testing::ValuesIn(testing::kernel_names()), testing::word_of);

std::shared_ptr<const Subject> shown(const char* kernel, std::uint64_t n, std::uint32_t block, std::size_t launch = 0,
                                     std::uint32_t on_show = 0) {
    auto run = kernels::record({.kernel = kernel, .n = n, .block = block, .warp_size = 4});
    return study::make_subject(std::move(*run), launch, on_show);
}

TEST(Captions, say_whose_sum_a_cluster_adds) {
    EXPECT_EQ(
        caption(*shown("cluster", 128, 8), {5, 1}),
        "Step 5: in block 0, thread 0 adds block 4's input_s[0] to its own input_s[0]; threads 1 to 7 sit the step "
        "out.");
}

TEST(Captions, tell_padding_from_elements_and_partial_results_from_both) {
    EXPECT_THAT(caption(*shown("pmpp-coarsened", 12, 4), {0, 1}), HasSubstr("12 elements and 4 of padding lie"));
    EXPECT_THAT(caption(*shown("harris-3", 64, 8, 1), {0, 1}), HasSubstr("8 partial results lie"));
    EXPECT_THAT(caption(*shown("global-halving", 64, 8, 1), {0, 1}), HasSubstr("the CPU is about to reduce them"));
}

TEST(Stories, of_a_cell_that_blocks_add_to_do_not_take_one_blocks_value_for_all) {
    const auto s = shown("pmpp-segmented", 64, 4);
    Target cell{Target::Kind::kCell, static_cast<std::uint16_t>(s->steps()), 1, 0};
    const auto lines = story(*s, {s->steps(), 1}, cell);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines[0], HasSubstr("of block 0's making; other blocks add theirs, in any order"));
}

}  // namespace
}  // namespace warptree::scene
