// Choosing what runs: kernels, sizes, operators and inputs; what cannot be, undo, files.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/state/app.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

TEST_F(AnApp, TheTournamentBringsItsTeamsAndTakesAnyNumberOfVenues) {
    act(Action::kKernel, 0, "tournament");
    EXPECT_EQ(state().request.op, "beats");
    EXPECT_EQ(state().request.input, "teams");
    EXPECT_EQ(state().subject->trace.launch.n, 8u);
    EXPECT_EQ(state().steps(), 4u) << "three rounds at four venues, and the output";
    act(Action::kBlock, 1);
    EXPECT_EQ(state().steps(), 8u) << "seven matches at one venue";
    act(Action::kOperator, 0, "sum");
    EXPECT_EQ(state().request.op, "sum") << "another operator may be chosen";
    act(Action::kUndo);
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().request.op, "sum");
}

TEST_F(AnApp, AKernelsDigitGivesASizeThatMakesItsPoint) {
    for (std::size_t i = 0; i < kernels::catalog().size(); ++i) {
        const kernels::Kernel& kernel = kernels::catalog()[i];
        act(Action::kKernelNumber, static_cast<double>(i));
        ASSERT_EQ(state().request.kernel, kernel.name);
        const trace::Launch& launch = state().subject->run().launch();
        if (kernel.sizes.single_block || kernel.sizes.takes_turns) continue;
        EXPECT_LE(std::uint64_t{launch.grid} * launch.block * kernel.sizes.per_thread * launch.coarsen, launch.n)
            << kernel.name << ": no thread is there for padding";
        EXPECT_TRUE(launch.grid > 1 || kernel.problem != kernels::Problem::kReduction) << kernel.name;
    }
    act(Action::kKernelNumber, 4);
    EXPECT_EQ(state().request.kernel, "pmpp-coarsened");
    EXPECT_EQ(state().request.n, 128u) << "four blocks of eight threads, four elements each";
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 1024u) << "two blocks of warps of 32";
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 128u);
    act(Action::kN, 64);
    act(Action::kKernelNumber, 0);
    EXPECT_EQ(state().request.n, 64u) << "an N that was chosen stays";
}

TEST_F(AnApp, AScanIsInclusiveOrExclusiveAndOpensInItsNetwork) {
    act(Action::kExclusive, -1);
    ASSERT_EQ(state().messages.size(), 1u) << "a reduction is neither";
    EXPECT_FALSE(menu_applies(Menu::kScan, state()));
    act(Action::kKernel, 0, "kogge-stone");
    EXPECT_EQ(state().view, scene::View::kNetwork);
    EXPECT_TRUE(menu_applies(Menu::kScan, state()));
    EXPECT_EQ(menu_label(Menu::kScan, state()), "inclusive");
    act(Action::kExclusive, -1);
    EXPECT_EQ(state().subject->trace.launch.problem, value::Problem::kExclusiveScan);
    EXPECT_EQ(menu_label(Menu::kScan, state()), "exclusive");
    act(Action::kView, 0, "tree");
    act(Action::kN, 32);
    EXPECT_EQ(state().view, scene::View::kTree) << "the view that was asked for stays";
    act(Action::kView, 0, "warps");
    act(Action::kView, 0, "warps");
    EXPECT_EQ(state().view, scene::View::kNetwork) << "its key again leads home";
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_FALSE(state().request.exclusive);
    act(Action::kExclusive, -1);
    act(Action::kExclusive, -1);
    EXPECT_FALSE(state().request.exclusive) << "put back";
    act(Action::kUndo);
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().view, scene::View::kTree);
}

TEST_F(AnApp, AnotherKernelKeepsThePlace) {
    act(Action::kGoTo, 3);
    act(Action::kKernelNumber, 1);
    EXPECT_EQ(state().request.kernel, "pmpp-convergent");
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-convergent");
    EXPECT_EQ(state().goal, 3u);
    EXPECT_EQ(state().playhead(), (study::Playhead{3, 1}));
}

TEST(AGpu, ThatFailsIsLeftAloneAndTheCpuGoesOn) {
    for (const auto patience : {std::chrono::milliseconds(0), std::chrono::milliseconds(60'000)}) {
        FakeFiles files;
        Services services = files.services();
        services.patience = patience;
        bool lost = false;
        int asked = 0;
        services.record = [&](const kernels::Request& request, kernels::Progress& progress) -> Result<trace::Run> {
            kernels::Request on_cpu = request;
            on_cpu.backend = kernels::Backend::kCpu;
            const bool on_gpu = request.backend == kernels::Backend::kCuda;
            asked += on_gpu;
            if (on_gpu && lost) return failure("CUDA failed: the GPU is lost.");
            return kernels::record(on_cpu, &progress);
        };
        AppState first = teaching_state();
        first.request.backend = kernels::Backend::kCuda;
        App app(first, services);
        const auto settle = [&] {
            while (app.state().work) app.update(0.001);
        };
        settle();
        ASSERT_EQ(app.state().request.backend, kernels::Backend::kCuda);
        app.apply({.action = Action::kForward});
        lost = true;
        app.apply({.action = Action::kKernel, .text = "pmpp-shared"});
        settle();
        EXPECT_EQ(app.state().request.kernel, "pmpp-shared");
        EXPECT_EQ(app.state().request.backend, kernels::Backend::kCpu);
        ASSERT_FALSE(app.state().messages.empty());
        EXPECT_EQ(app.state().messages.back().text, "CUDA failed: the GPU is lost. Going on with the CPU.");
        EXPECT_EQ(app.state().goal, 1u) << "the place stays";
        app.apply({.action = Action::kKernel, .text = "pmpp-convergent"});
        settle();
        EXPECT_EQ(app.state().request.kernel, "pmpp-convergent");
        EXPECT_EQ(asked, 2) << "it is not asked again";
        EXPECT_TRUE(app.state().messages.empty());

        lost = false;
        AppState two = first;
        two.others.push_back({two.request, "", nullptr});
        App beside(two, services);
        const auto do_beside = [&](const Command& command) {
            beside.apply(command);
            while (beside.state().work) beside.update(0.001);
        };
        do_beside({.action = Action::kView, .text = "compare"});
        ASSERT_EQ(beside.state().others.size(), 1u);
        ASSERT_EQ(beside.state().others[0].request.backend, kernels::Backend::kCuda);
        do_beside({.action = Action::kColumn, .value = 1});
        lost = true;
        do_beside({.action = Action::kKernel, .text = "harris-3"});
        EXPECT_EQ(beside.state().others[0].request.kernel, "harris-3");
        EXPECT_EQ(beside.state().others[0].request.backend, kernels::Backend::kCpu) << "a column, too";
        EXPECT_EQ(beside.state().request.backend, kernels::Backend::kCuda) << "what is there stays";
        ASSERT_FALSE(beside.state().messages.empty());
        EXPECT_EQ(beside.state().messages.back().text, "CUDA failed: the GPU is lost. Going on with the CPU.");
    }
}

TEST_F(AnApp, ABadRequestIsSaidAndTheLastGoodStateStays) {
    const auto before = state().subject;
    const Command bad[] = {{.action = Action::kKernel, .text = "pmpp-simpel"},
                           {.action = Action::kInput, .text = "zeros"},
                           {.action = Action::kKernelNumber, .value = 77},
                           scene::set(Field::kTheme, "mauve")};
    for (const Command& command : bad) {
        app.apply(command);
        ASSERT_EQ(state().messages.size(), 1u);
        EXPECT_TRUE(state().messages[0].error);
        EXPECT_GT(state().messages[0].text.size(), 20u);
        EXPECT_EQ(state().subject, before);
        EXPECT_EQ(state().request, teaching_state().request);
        EXPECT_EQ(state().theme, "dark");
    }
    act(Action::kN, 32);
    EXPECT_TRUE(state().messages.empty()) << "a choice that works takes the complaint away";
}

TEST_F(AnApp, TheSameChoiceAgainRunsNothing) {
    const int before = files.recorded;
    act(Action::kN, 16);
    act(Action::kKernel, 0, "pmpp-simple");
    EXPECT_EQ(files.recorded, before);
}

TEST_F(AnApp, BlocksAndCoarseningGoWithTheKernelsThatHaveThem) {
    EXPECT_FALSE(menu_applies(Menu::kBlock, state())) << "simple is one block of N / 2 threads";
    EXPECT_FALSE(menu_applies(Menu::kCoarsen, state()));
    act(Action::kTeachingSize);
    act(Action::kKernel, 0, "pmpp-coarsened");
    EXPECT_TRUE(menu_applies(Menu::kCoarsen, state()));
    EXPECT_TRUE(menu_applies(Menu::kBlock, state()));
    EXPECT_EQ(state().subject->trace.launch.coarsen, 2u);
    act(Action::kBlock, 32);
    EXPECT_EQ(state().subject->trace.launch.block, 32u);
    act(Action::kCoarsen, 4);
    EXPECT_EQ(state().subject->trace.launch.coarsen, 4u);
    act(Action::kKernel, 0, "pmpp-segmented");
    EXPECT_EQ(state().subject->trace.launch.coarsen, 1u) << state().messages.size();
    EXPECT_TRUE(state().messages.empty());
}

TEST_F(AnApp, DevicesGoWithTheKernelsThatHaveThem) {
    EXPECT_FALSE(menu_applies(Menu::kDevices, state()));
    const auto devices = [this] { return state().subject->trace.launch.devices; };
    act(Action::kKernel, 0, "all-reduce-ring");
    EXPECT_TRUE(menu_applies(Menu::kDevices, state()));
    EXPECT_EQ(menu_label(Menu::kDevices, state()), "4 devices");
    act(Action::kLesson, 0, "devices");
    EXPECT_EQ(menu_label(Menu::kDevices, state()), "4 devices") << "of a scene that says nothing of them";
    act(Action::kEscape);
    act(Action::kKernel, 0, "all-reduce-ring");
    EXPECT_EQ(state().view, scene::View::kNetwork) << "where devices are drawn";
    act(Action::kDevices, 8);
    EXPECT_EQ(devices(), 8u);
    act(Action::kKernel, 0, "all-reduce-tree");
    EXPECT_EQ(devices(), 8u) << "these are kept";
    act(Action::kDevices, 7);
    EXPECT_EQ(devices(), 8u);
    EXPECT_NE(state().messages.back().text.find("a multiple of 7, for example 70"), std::string::npos)
        << state().messages.back().text;
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "all-reduce-ring");
    EXPECT_EQ(devices(), 4u);
    act(Action::kKernel, 0, "pmpp-simple");
    EXPECT_EQ(devices(), 1u);
    EXPECT_EQ(state().view, scene::View::kTree);
}

TEST_F(AnApp, BlocksAreShownInTurn) {
    act(Action::kNextBlock);
    EXPECT_EQ(state().messages.size(), 1u) << "there is one block only";
    act(Action::kTeachingSize);
    act(Action::kKernel, 0, "pmpp-segmented");
    act(Action::kBlock, 32);
    ASSERT_EQ(state().subject->trace.launch.grid, 4u);
    act(Action::kGoTo, 2);
    const int before = files.recorded;
    act(Action::kNextBlock);
    EXPECT_EQ(state().subject->block, 1u);
    act(Action::kPreviousBlock);
    act(Action::kPreviousBlock);
    EXPECT_EQ(state().subject->block, 3u);
    EXPECT_EQ(state().goal, 2u);
    EXPECT_EQ(files.recorded, before) << "nothing runs again";
}

TEST_F(AnApp, TeachingSizeAndBack) {
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 256u);
    EXPECT_EQ(state().request.warp_size, 32u);
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().request.warp_size, 4u);
}

TEST_F(AnApp, UndoTakesBackChoicesOneByOne) {
    act(Action::kGoTo, 2);
    act(Action::kTeachingSize);
    act(Action::kKernelNumber, 2);
    act(Action::kLast);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().request.n, 256u);
    act(Action::kUndo);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().goal, 2u);
    EXPECT_EQ(state().subject->trace.launch.n, 16u);
    act(Action::kUndo);
    EXPECT_FALSE(state().messages.empty()) << "there is no more";
    EXPECT_EQ(state().request.n, 16u);
}

TEST_F(AnApp, SavesAndOpensFiles) {
    act(Action::kGoTo, 4);
    act(Action::kSave, 0, "/pmpp-simple-n16-w4.wtrace");
    ASSERT_EQ(files.files.count("pmpp-simple-n16-w4.wtrace"), 1u);
    EXPECT_NE(state().messages.back().text.find("pmpp-simple-n16-w4.wtrace"), std::string::npos);
    act(Action::kTeachingSize);
    act(Action::kOpen, 0, "pmpp-simple-n16-w4.wtrace");
    EXPECT_EQ(state().subject->trace.launch.n, 16u);
    EXPECT_EQ(state().file, "pmpp-simple-n16-w4.wtrace");
    EXPECT_EQ(state().goal, 0u);

    const auto before = state().subject;
    act(Action::kOpen, 0, "missing.wtrace");
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_EQ(state().subject, before);

    trace::Run foreign = files.files.begin()->second;
    for (trace::Trace& launch : foreign.launches) launch.launch.kernel = "quantum-sum";
    files.files["foreign.wtrace"] = foreign;
    act(Action::kOpen, 0, "foreign.wtrace");
    EXPECT_EQ(state().messages.back().text,
              "The kernel quantum-sum is not in this program: what the file holds of it is shown, but it cannot be run "
              "again or otherwise.");
    EXPECT_EQ(state().subject->trace.launch.kernel, "quantum-sum");
    EXPECT_FALSE(state().subject->listing().empty()) << "which the file has";
    act(Action::kLast);
    EXPECT_EQ(state().goal, state().steps());
    EXPECT_EQ(menu_items(Menu::kN, state()).size(), 1u);
    EXPECT_FALSE(menu_items(Menu::kN, state()).front().usable);
    const auto foreign_run = state().subject;
    act(Action::kN, 64);
    EXPECT_EQ(state().subject, foreign_run);
    for (const scene::ViewRow& row : scene::view_rows()) act(Action::kView, 0, std::string(row.name));
    act(Action::kKernel, 0, "pmpp-convergent");
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-convergent") << "any other kernel can be chosen";
}

TEST_F(AnApp, WhatAKernelCannotTakeBecomesTheNearestThatItCan) {
    const auto before = state().request;
    act(Action::kN, 100);
    EXPECT_EQ(state().request.n, 128u);
    EXPECT_EQ(state().messages.back().text,
              "pmpp-simple cannot take N = 100; it has N = 128 now. Ctrl Z takes that back.");
    act(Action::kUndo);
    EXPECT_EQ(state().request, before);
    for (const kernels::Kernel& kernel : kernels::catalog()) {  // of warps none is refused
        act(Action::kKernel, 0, std::string(kernel.name));
        for (const std::uint32_t warp : {8u, 16u, 32u, 4u}) {
            act(Action::kWarpSize, warp);
            EXPECT_EQ(state().subject->trace.launch.warp_size, warp) << kernel.name;
        }
    }
    act(Action::kKernel, 0, "two-stage-shuffle");
    act(Action::kN, 64);
    act(Action::kBlock, 256);
    EXPECT_EQ(state().messages.back().text,
              "two-stage-shuffle cannot take blocks of 256 threads; it keeps its usual block.");
    act(Action::kKernel, 0, "pmpp-simple");
    act(Action::kN, 16);
    act(Action::kInput, 0, "3, 1, 7, 0, 5");
    EXPECT_EQ(state().request.input, "3, 1, 7, 0");
    EXPECT_EQ(state().messages.back().text,
              "pmpp-simple cannot take N = 5; it has N = 4 and the first 4 values now. Ctrl Z takes that back.");
}

TEST_F(AnApp, SettingsThatDoNotRunFallBackToWhatDoes) {
    AppState bad = teaching_state();
    bad.request.kernel = "no-such-kernel";
    const App other(bad, files.services());
    ASSERT_NE(other.state().subject, nullptr);
    EXPECT_EQ(other.state().request.kernel, "pmpp-simple");
}

TEST_F(AnApp, OperatorsAndTypesAreChosenAndFitted) {
    act(Action::kOperator, 0, "max");
    EXPECT_EQ(state().subject->trace.launch.op, "max");
    EXPECT_EQ(state().request.type, value::Type::kFloat32) << "max takes it: nothing to change";
    act(Action::kType, 0, "float64");
    EXPECT_EQ(state().subject->trace.value.type(), value::Type::kFloat64);
    EXPECT_EQ(menu_label(Menu::kOperator, state()), "max float64");
    act(Action::kOperator, 0, "matrix");
    EXPECT_EQ(state().request.type, value::Type::kInt32) << "matrices are made of whole numbers";
    EXPECT_EQ(state().subject->trace.value.type(), value::Type::kMatrix);
    act(Action::kType, 0, "float32");
    EXPECT_EQ(state().request.type, value::Type::kInt32);
    ASSERT_FALSE(state().messages.empty());
    EXPECT_TRUE(state().messages.back().error) << "matrix cannot take float32, and the message says so";
    act(Action::kUndo);
    EXPECT_EQ(menu_label(Menu::kOperator, state()), "max float64");
}

TEST_F(AnApp, AnyNumberCanBeTypedIntoTheMenuOfN) {
    act(Action::kKernel, 0, "pmpp-segmented");
    act(Action::kDigit, 7);
    EXPECT_EQ(state().typed, "") << "only into the open menu";
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    EXPECT_EQ(menu_items(Menu::kN, state()).back().remark, "Type it, as 4096 or 2^12, then Enter.");
    for (const int digit : {0, 3, 0, 0, 1}) act(Action::kDigit, digit);
    EXPECT_EQ(state().typed, "3001") << "no zero in front";
    act(Action::kErase);
    EXPECT_EQ(menu_items(Menu::kN, state()).front().label, "N = 300");
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kNone);
    EXPECT_EQ(state().request.n, 300u);
    EXPECT_EQ(state().subject->trace.launch.n, 300u);
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    EXPECT_EQ(state().typed, "") << "a menu begins anew";
    for (int i = 0; i < 30; ++i) act(Action::kDigit, 9);
    EXPECT_EQ(state().typed.size(), 10u);
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kN) << "the number can still be mended";
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_NE(state().messages.back().text.find("9999999999"), std::string::npos) << state().messages.back().text;
    EXPECT_EQ(state().request.n, 300u);
    for (int i = 0; i < 30; ++i) act(Action::kErase);
    EXPECT_EQ(state().typed, "");
    EXPECT_EQ(state().menu_row, -1);
}

TEST_F(AnApp, APowerOfTwoCanBeTypedIntoTheMenuOfN) {
    act(Action::kKernel, 0, "pmpp-segmented");
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    act(Action::kCharacter, 0, "^");
    EXPECT_EQ(state().typed, "") << "of what?";
    act(Action::kDigit, 2);
    act(Action::kCharacter, 0, "^");
    EXPECT_FALSE(menu_items(Menu::kN, state()).front().usable) << "not yet a number";
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kN);
    for (const int digit : {1, 0}) act(Action::kDigit, digit);
    act(Action::kCharacter, 0, "^");
    EXPECT_EQ(state().typed, "2^10");
    EXPECT_EQ(menu_items(Menu::kN, state()).front().label, "N = 1024");
    act(Action::kActivate);
    EXPECT_EQ(state().request.n, 1024u);
}

TEST_F(AnApp, ValuesCanBeTypedIntoTheMenuOfInputs) {
    const auto type = [&](const std::string& text) {
        for (const char c : text) act(Action::kCharacter, 0, std::string(1, c));
    };
    type("7");
    EXPECT_EQ(state().typed, "") << "only into the open menu";
    app.apply({.action = Action::kMenu, .menu = Menu::kInput});
    EXPECT_NE(menu_items(Menu::kInput, state()).back().remark.find("Ctrl V"), std::string::npos);
    type("5, -4, 3, ");
    type("1x");
    EXPECT_FALSE(menu_items(Menu::kInput, state()).front().usable) << "x is no number";
    act(Action::kErase);
    EXPECT_EQ(menu_items(Menu::kInput, state()).front().label, "5, -4, 3, 1");
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kNone);
    EXPECT_EQ(state().request.n, 4u);
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "5");
    EXPECT_EQ(menu_label(Menu::kInput, state()), "values");
    AppState reading;
    reading.request.n = 0;
    EXPECT_EQ(menu_label(Menu::kN, reading), "N ?") << "while a file is read";
    act(Action::kInput, 0, "ones");
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "4") << "N stays";
    act(Action::kUndo);
    EXPECT_EQ(state().request.input, "5, -4, 3, 1");
}

TEST_F(AnApp, WhatIsPastedIsTheInputOrSaysWhatIsWrong) {
    act(Action::kPaste, 0, " 3\t1\n7 0\n");
    EXPECT_EQ(state().request.n, 4u);
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "11");
    const auto before = state().request;
    for (const std::string text : {"", " \n", "three", "1 2 x"}) {
        act(Action::kPaste, 0, text);
        ASSERT_FALSE(state().messages.empty()) << text;
        EXPECT_TRUE(state().messages.back().error) << text;
        EXPECT_EQ(state().request, before) << text;
        act(Action::kEscape);
    }
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    act(Action::kPaste, 0, "64");
    EXPECT_EQ(state().typed, "64") << "into the open menu";
    act(Action::kPaste, 0, "2^9");
    EXPECT_EQ(state().typed, "2^9");
    act(Action::kPaste, 0, "^");
    EXPECT_EQ(state().menu, Menu::kNone) << "no number, so it is for the input, which says what is wrong";
    EXPECT_TRUE(state().messages.back().error);
}

TEST_F(AnApp, ManyValuesArePastedIntoAFile) {
    const std::string folder = ::testing::TempDir() + "warptree-many";
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    std::string text = "3";
    while (text.size() <= 1 << 16) text += " 1";
    act(Action::kKernel, 0, "pmpp-segmented");
    act(Action::kPaste, 0, text);
    const kernels::Request& request = state().request;
    EXPECT_EQ(request.input.find(folder + "/warptree/pasted-"), 0u)
        << "settings, links and what is announced stay short";
    EXPECT_TRUE(request.input.ends_with(".txt"));
    EXPECT_EQ(request.n, text.size() / 2 + 1);
    EXPECT_FALSE(state().writing);
    act(Action::kUndo);
    EXPECT_EQ(state().request.input, "textbook");
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(folder);
    std::ofstream(folder) << "a file where the folder would be";
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    act(Action::kPaste, 0, text);
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_EQ(state().request.input, "textbook");
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove(folder);
}

TEST_F(AnApp, AFileOfValuesIsTheInput) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-values-{}.csv", getpid());
    std::ofstream(path) << "2,4,6,8\n";
    act(Action::kOpen, 0, path.string());
    EXPECT_EQ(state().request.n, 4u);
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "20");
    std::filesystem::remove(path);
    act(Action::kOpen, 0, path.string());
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "20") << "the last run stays";
}

TEST_F(AnApp, ValuesComeAsPeopleHaveThem) {
    app.apply({.action = Action::kKernel, .text = "sequential"});
    act(Action::kPaste, 0, "1,5;2,25");
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "3.75");
    const auto path = std::filesystem::temp_directory_path() / fmt::format("warptree-values-{}.asc", getpid());
    std::ofstream(path) << std::string(
        "\xff\xfe"
        "x\0\n\0"
        "7\0\n\0"
        "1\0\n\0",
        14);
    act(Action::kOpen, 0, path.string());
    EXPECT_EQ(judge::result(state().subject->run()).text(0), "8");
    EXPECT_NE(state().messages.back().text.find("'x' is taken for a header."), std::string::npos);
    std::ofstream(path) << "\x89PNG\r\n";
    act(Action::kOpen, 0, path.string());
    EXPECT_NE(state().messages.back().text.find("it is a PNG picture"), std::string::npos);
    std::filesystem::remove(path);
    act(Action::kPaste, 0, "1,5\n2,25");
    EXPECT_NE(state().messages.back().text.find("can be the values 1 and 5 or the number 1.5"), std::string::npos);
}

TEST_F(AnApp, LargeNIsOfferedWhereTheKernelTakesIt) {
    const auto offers = [&](std::uint64_t n) {
        const auto items = menu_items(Menu::kN, state());
        return std::ranges::find(items, std::to_string(n), &MenuItem::label) != items.end();
    };
    EXPECT_TRUE(offers(4096)) << "with the reason why pmpp-simple does not take it";
    EXPECT_FALSE(offers(1 << 20));
    act(Action::kKernel, 0, "pmpp-segmented");
    EXPECT_TRUE(offers(1 << 20));
}

/// A later launch has fewer threads: what the header offers and what a view runs again are of the run.
TEST_F(AnApp, SteppingIntoALaterLaunchChangesNoChoice) {
    act(Action::kKernel, 0, "harris-4");
    act(Action::kN, 32);
    act(Action::kBlock, 4);
    ASSERT_EQ(state().subject->run().launches.size(), 2u);
    act(Action::kLast);
    EXPECT_EQ(state().subject->launch, 1u);
    EXPECT_EQ(state().subject->trace.launch.block, 2u);
    EXPECT_EQ(menu_label(Menu::kBlock, state()), "block 4");
    EXPECT_EQ(kernels::request_of(state().subject->run().launch()).block, state().request.block);
    for (std::size_t i = state().steps(); i > 0; --i) act(Action::kBack);
    EXPECT_EQ(state().subject->launch, 0u);
    EXPECT_EQ(state().goal, 0u);
}

}  // namespace
}  // namespace warptree::state
