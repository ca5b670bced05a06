// The cost model of all-reduces, by hand: 12 GB/s of copy are 10^6 adds a ms, and a link carries 4 GB/s.
#include "app/views/ladder/model.hpp"

#include <gtest/gtest.h>

#include "app/results/testing.hpp"

namespace warptree::study {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;  // elements on each of two

Json run_on_two(const char* kernel, std::uint64_t n, double ms) {
    Json one = testing::run(kernel, n, ms);
    one["devices"] = 2;
    one["gb_per_s"] = kernels::bytes_moved(kernel, value::Type::kFloat32, n, 2) / ms / 1e6;
    return one;
}
std::vector<Measurements> measured() {
    Json text = testing::file();
    text["limit_gb_per_s"] = 12;
    text["runs"] = {run_on_two("all-reduce-ring", 2, 0.006),
                    run_on_two("all-reduce-one-shot", 2, 0.004),
                    run_on_two("nccl-all-reduce", 2, 0.001),
                    run_on_two("all-reduce-ring", 2 * kMillion, 1.006),
                    run_on_two("reduce-to-root", 2 * kMillion, 0.1),
                    run_on_two("all-reduce-one-shot", 2 * kMillion, 3),
                    testing::run("harris-1", 1024, 4)};
    return {testing::made(text)};
}

TEST(LinkModel, IsFittedToTheFewestAndTheMostElements) {
    const auto all = measured();
    const Ladder ladder = ladder_of(all, {}, "all-reduce-ring");
    EXPECT_EQ(ladder.devices, 2u);
    EXPECT_EQ(ladder.rungs.size(), 3u) << "the ring, the one shot and NCCL: no reduce, and no kernel of one device";
    EXPECT_EQ(ladder.rungs.front().share, 0) << "of no memory's rate";
    const auto model = link_model(ladder);
    ASSERT_TRUE(model);
    EXPECT_DOUBLE_EQ(model->alpha, 0.003) << "two rounds in 0.006 ms; NCCL is none of ours";
    EXPECT_DOUBLE_EQ(model->gamma, 1e6);
    EXPECT_NEAR(model->beta, 4e6, 1) << "1.006 ms less two rounds; half a million adds take less";
    EXPECT_NEAR(model->ms("all-reduce-ring", 2, kMillion), 1.006, 1e-9) << "as measured";
    EXPECT_NEAR(model->ms("all-reduce-one-shot", 4, kMillion), 0.003 + 3, 1e-9)
        << "three arrays come; three million adds take as long";
    EXPECT_NEAR(model->ms("all-reduce-ring", 4, kMillion), 6 * 0.003 + 1.5, 1e-9);
}

TEST(LinkModel, SaysWhichIsFastestWhere) {
    const auto all = measured();
    const Ladder ladder = ladder_of(all, {}, "all-reduce-ring");
    const LinkModel model = *link_model(ladder);
    EXPECT_EQ(fastest_of(ladder, model, kMillion),
              (std::vector<Fastest>{{"all-reduce-one-shot", 2, 2}, {"all-reduce-ring", 4, kMostModelled}}));
    // Of one element: a round is all that counts, up to 1,000 rounds' worth of bytes
    EXPECT_EQ(fastest_of(ladder, model, 1), (std::vector<Fastest>{{"all-reduce-one-shot", 2, kMostModelled}}));
    // p - 1 arrays, or 2 (p - 1) rounds of 0.003 ms: the same at 3,000 elements and more, whatever p is
    EXPECT_EQ(fastest_of(ladder, model, 3000).front().kernel, "all-reduce-one-shot");
}

TEST(LinkModel, IsOfAllReducesAlone) {
    const auto all = measured();
    EXPECT_FALSE(link_model(ladder_of(all, {}, "harris-1")));
    EXPECT_FALSE(link_model(ladder_of(all, {.least = 1000}, "all-reduce-ring"))) << "one N says no round's time";
}

}  // namespace
}  // namespace warptree::study
