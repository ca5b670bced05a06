// The memory view: its accesses add up to the counters, its banks to the conflicts, its text fits at any size.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/rooms.hpp"
#include "app/kit/target.hpp"
#include "app/kit/testing.hpp"
#include "app/views/memory/view.hpp"
#include "app/views/story/story.hpp"

namespace warptree::scene {
namespace {

struct MemoryCase {
    const char* kernel;
    std::uint64_t n;
    std::uint32_t warp;
    value::Type type = value::Type::kFloat32;
};

constexpr MemoryCase kMemoryCases[] = {{"pmpp-simple", 16, 4},
                                       {"pmpp-simple", 2048, 32},
                                       {"pmpp-convergent", 256, 32, value::Type::kFloat64},
                                       {"harris-2", 1024, 32},
                                       {"harris-2", 1024, 32, value::Type::kFloat64},
                                       {"harris-2", 1024, 32, value::Type::kInt8},
                                       {"harris-3", 1024, 32},
                                       {"pmpp-segmented", 4096, 32},
                                       {"shuffle-atomic", 100, 32},
                                       {"vectorized", 4096, 32},
                                       {"gather", 256, 32, value::Type::kFloat64}};

std::shared_ptr<const Subject> record(const MemoryCase& c) {
    kernels::Request request;
    request.kernel = c.kernel;
    request.n = c.n;
    request.warp_size = c.warp;
    request.type = c.type;
    return testing::subject(request);
}

TEST(Memory, AnArrayLiesInMemoryAsItsOwnElementsDo) {
    const auto s = record({"gather", 16, 4, value::Type::kFloat64});
    const auto told = [&](std::uint8_t array, std::uint32_t index) {
        return story(*s, {1, 1}, {Target::Kind::kCell, 1, array, index});
    };
    EXPECT_EQ(told(0, 9), (std::vector<std::string>{"input[9] = 2 after step 1", "as the launch found it",
                                                    "byte 72, 128-byte segment 0, sector 2 of it"}));
    EXPECT_EQ(told(1, 9), (std::vector<std::string>{"index[9] = 1 after step 1", "as the launch found it",
                                                    "byte 36, 128-byte segment 0, sector 1 of it"}));
    EXPECT_EQ(story(*s, {1, 1}, {Target::Kind::kSegment, 0, 0, 16})[0], "Segment 1 of input");
    EXPECT_EQ(story(*s, {1, 1}, {Target::Kind::kSegment, 0, 1, 32})[0], "Segment 1 of index");
    EXPECT_EQ(story(*s, {1, 1}, {Target::Kind::kLane, 0, 0, 1}),
              (std::vector<std::string>{"Thread 1 (warp 0, lane 1), step 1", "active", "reads index[1]: 9",
                                        "takes input[9]", "writes input_s[1]"}));
}

TEST(Memory, AccessesAddUpToTheBlocksCounters) {
    for (const MemoryCase& c : kMemoryCases) {
        const auto s = record(c);
        for (std::size_t step = 0; step < s->steps(); ++step) {
            const auto accesses = memory_accesses(*s, {step + 1, 1});
            counters::Global global;
            std::uint64_t conflicts = 0, shared = 0;
            for (std::size_t i = 0; i < accesses.size(); ++i) {
                global += accesses[i].global;
                conflicts += accesses[i].conflicts;
                shared += accesses[i].shared ? 1 : 0;
            }
            const counters::Counters& cost = s->block_summary.steps[step];
            EXPECT_EQ(global.requests, cost.requests()) << c.kernel << " step " << step;
            EXPECT_EQ(global.segments, cost.segments()) << c.kernel << " step " << step;
            EXPECT_EQ(global.sectors, cost.sectors()) << c.kernel << " step " << step;
            EXPECT_EQ(shared, cost.shared_ld.requests + cost.shared_st.requests) << c.kernel << " step " << step;
            EXPECT_EQ(conflicts, cost.shared_ld.conflicts + cost.shared_st.conflicts) << c.kernel << " step " << step;
        }
    }
}

TEST(Memory, BanksStackAsHighAsThereArePasses) {
    std::size_t seen = 0, conflicting = 0;
    for (const MemoryCase& c : kMemoryCases) {
        const auto s = record(c);
        for (std::size_t step = 0; step < s->steps(); ++step) {
            const auto accesses = memory_accesses(*s, {step + 1, 1});
            for (std::size_t i = 0; i < accesses.size(); ++i) {
                if (!accesses[i].shared) continue;
                std::uint64_t passes = 0;
                std::size_t lanes = 0;
                for (const BankWord& word : bank_words(*s, accesses[i])) {
                    passes = std::max<std::uint64_t>(passes, word.pass + 1);
                    lanes += word.rows.size();
                }
                ASSERT_EQ(passes, accesses[i].passes) << c.kernel << " step " << step << " access " << i;
                EXPECT_EQ(lanes, accesses[i].rows.size());
                ++seen;
                conflicting += accesses[i].conflicts > 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(seen, 100u);
    EXPECT_GT(conflicting, 10u);
}

TEST(Memory, ShowsTheWorstAccessUntilAnotherIsChosen) {
    const auto s = record({"harris-2", 1024, 32});
    const Playhead at{4, 1};
    const auto accesses = memory_accesses(*s, at);
    const std::size_t worst = shown_access(accesses, {});
    for (std::size_t i = 0; i < accesses.size(); ++i) EXPECT_LE(accesses[i].excess, accesses[worst].excess);
    EXPECT_GT(accesses[worst].conflicts, 0u);
    const std::size_t last = accesses.size() - 1;
    const MemoryChoice choice = choice_of(*s, at, {Target::Kind::kAccess, 0, 0, static_cast<std::uint32_t>(last)});
    EXPECT_TRUE(choice.made);
    EXPECT_EQ(shown_access(accesses, choice), last);
    EXPECT_FALSE(choice_of(*s, at, {Target::Kind::kAccess, 0, 0, 9999}).made);
    EXPECT_FALSE(access_story(*s, at, {Target::Kind::kAccess, 0, 0, 0}).empty());
}

TEST(Memory, LiesInSegmentsBeforeTheFirstStep) {
    const auto s = record({"pmpp-shared", 256, 32});
    const auto texts = [&](Vec size) {
        std::string all;
        for (const Shape& shape : memory_view(*s, {0, 1}, {}, layout(size, View::kMemory).middle, kMeasure).shapes)
            if (const auto* text = std::get_if<Text>(&shape)) all += text->text + "\n";
        return all;
    };
    const std::string wide = texts({1920, 1080});
    EXPECT_NE(wide.find("256 elements of 4 bytes in 8 segments of 128 bytes, 32 sectors of 32\n"), std::string::npos)
        << wide;
    EXPECT_NE(wide.find("1,024 elements of 4 bytes over 32 banks of 4 bytes; drawn: the first 256 words"),
              std::string::npos)
        << wide;
    EXPECT_NE(texts({1280, 720}).find("input"), std::string::npos);
}

TEST(Memory, CutsNoHeadAndNoSentenceShort) {
    for (const MemoryCase& c : kMemoryCases) {
        const auto s = record(c);
        for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}}) {
            const Box box = layout(size, View::kMemory).middle;
            for (std::size_t position = 1; position <= s->steps(); ++position)
                for (const Shape& shape : memory_view(*s, {position, 1}, {}, box, kMeasure).shapes) {
                    const auto* text = std::get_if<Text>(&shape);
                    if (text == nullptr) continue;
                    EXPECT_EQ(text->text.find("…"), std::string::npos)
                        << c.kernel << " step " << position << ", " << size.x << ": " << text->text;
                }
        }
    }
}

TEST(Memory, NumbersEveryWordOfAnAccessOrNone) {
    for (const MemoryCase& c : kMemoryCases) {
        const auto s = record(c);
        for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{1067, 600}}) {
            const Box box = layout(size, View::kMemory).middle;
            for (std::size_t position = 1; position <= s->steps(); ++position) {
                std::set<Id> words, numbered;
                for (const Shape& shape : memory_view(*s, {position, 1}, {}, box, kMeasure).shapes) {
                    const auto* rect = std::get_if<Rect>(&shape);
                    const auto* text = std::get_if<Text>(&shape);
                    const Id id = rect != nullptr ? rect->id : text != nullptr ? text->id : 0;
                    if (unpack(id).kind != Target::Kind::kCell) continue;
                    (rect != nullptr ? words : numbered).insert(id);
                }
                EXPECT_TRUE(numbered.empty() || numbered == words)
                    << c.kernel << ", step " << position << ", " << size.x << ": " << numbered.size() << " of "
                    << words.size();
            }
        }
    }
}

TEST(Memory, HasNoConflictsInHarris3) {
    const auto s = record({"harris-3", 1024, 32});
    for (std::size_t step = 0; step < s->steps(); ++step) {
        const auto accesses = memory_accesses(*s, {step + 1, 1});
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            if (accesses[i].shared) {
                EXPECT_EQ(accesses[i].passes, 1u);
            }
        }
    }
}

TEST(Memory, FitsEveryWindow) {
    for (const MemoryCase& c : kMemoryCases) {
        const auto s = record(c);
        for (const Vec size :
             {Vec{3200, 1800}, Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}}) {
            const Box box = layout(size, View::kMemory).middle;
            for (std::size_t position = 0; position <= s->steps(); ++position) {
                const Scene scene = memory_view(*s, {position, 0.7f}, {}, box, kMeasure);
                ASSERT_EQ(testing::fault(scene, box), "") << c.kernel << " " << c.n << "/" << c.warp << ", step "
                                                          << position << ", " << size.x << "x" << size.y;
                EXPECT_LT(scene.shapes.size(), 3000u);
            }
        }
    }
}

TEST(Memory, AtRestSaysThatNotAllOfAnArrayIsDrawn) {
    const auto s = testing::subject("vectorized", 4096, 32);  // 128 segments; step 2 leaves memory alone
    for (const Vec size : {Vec{1920, 1080}, Vec{1600, 900}, Vec{1440, 1080}, Vec{1067, 600}}) {
        const Box box = layout(size, View::kMemory).middle;
        const Scene scene = memory_view(*s, {2, 1}, {}, box, kMeasure);
        EXPECT_EQ(testing::fault(scene, box), "");
        EXPECT_TRUE(std::ranges::any_of(scene.shapes,
                                        [](const Shape& shape) {
                                            const auto* text = std::get_if<Text>(&shape);
                                            return text != nullptr &&
                                                   text->text.find("the first") != std::string::npos &&
                                                   text->text.find("segments") != std::string::npos;
                                        }))
            << size.x << "x" << size.y;
    }
}

}  // namespace
}  // namespace warptree::scene
