// What goes on beside the window, and what it says meanwhile, for ThreadSanitizer: jobs.cpp with few of its neighbours,
// so that it is compiled soon. What users see of it is jobs_test.cpp's.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/request/inputs.hpp"

namespace warptree::study {  // what a neighbour would be linked for

std::shared_ptr<const std::vector<Measurements>> shipped_results() {
    return std::make_shared<const std::vector<Measurements>>();
}
std::string grouped(std::uint64_t value) {
    return std::to_string(value);
}

}  // namespace warptree::study
namespace warptree::state {
namespace {

/// A session whose runs go on until they are let go or called off, and fail then, by words of theirs.
class Beside : public testing::Test {
protected:
    Beside() {
        session.services.patience = std::chrono::milliseconds(0);
        session.services.record = [this](const kernels::Request& request,
                                         kernels::Progress& progress) -> Result<trace::Run> {
            progress.all = 1000;
            while (!progress.cancel && !let_go) progress.done = (progress.done + 1) % progress.all;
            return failure((progress.cancel ? "Cancelled: " : "Ended: ") + request.kernel);
        };
    }
    /// Asks for a run, as a command does; what came of it is in `said`.
    void ask(const std::string& kernel) {
        attempt(session, [this, kernel] {
            const auto outcome = subject_of(session, {.request = {.kernel = kernel}});
            if (!session.waits) said = outcome.error().message;
        });
    }
    /// Follows the run that is waited for to its end; shares that it said on the way are shares.
    void follow() {
        while (session.state.work) {
            follow_job(session, 0.001);
            EXPECT_TRUE(!session.state.work || session.state.work->share <= 1);
            std::this_thread::yield();
        }
    }
    std::atomic<bool> let_go = false;
    std::string said;
    Session session;  // gone first: its runs use the above
};

TEST_F(Beside, ARunIsFollowedToItsEnd) {
    ask("pmpp-simple");
    ASSERT_TRUE(session.state.work);
    for (int i = 0; i < 100; ++i) follow_job(session, 0.001);
    let_go = true;
    follow();
    EXPECT_EQ(said, "Ended: pmpp-simple");
}

TEST_F(Beside, ARunThatAnotherTakesThePlaceOfIsCalledOff) {
    for (int i = 0; i < 20; ++i) ask("harris-" + std::to_string(i));
    EXPECT_FALSE(session.cancelled.empty());
    let_go = true;
    follow();
    EXPECT_EQ(said, "Ended: harris-19");
    retire(session);
    for (const auto begun = std::chrono::steady_clock::now(); !session.cancelled.empty(); retire(session))
        ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST_F(Beside, ASessionThatEndsCallsItsRunsOff) {
    ask("pmpp-simple");
    ask("pmpp-shared");
    EXPECT_TRUE(session.state.work);
}

TEST_F(Beside, NumbersAreReadThatTheCommandThenHas) {
    const auto path = std::filesystem::temp_directory_path() / "numbers.txt";
    std::ofstream(path) << "3 1 7 0 4";
    kernels::Request read;
    attempt(session, [&] {
        if (auto with = with_values(session, {.kernel = "pmpp-simple", .n = 0, .input = path}); with) read = *with;
    });
    follow();
    EXPECT_EQ(read.n, 5u);
}

}  // namespace
}  // namespace warptree::state
