// What is refused before anything runs: empty words, names twice, --out that cannot be written; and that results come
// back from each ending.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/testing.hpp"
#include "app/results/measurements.hpp"

namespace warptree::cli {
namespace {

using testing::expect_refusal, testing::Outcome, testing::run_words;

std::string written_to(const std::string& name) {
    return (std::filesystem::temp_directory_path() / fmt::format("warptree-words-{}-{}", getpid(), name)).string();
}

// Of every command, by its own help: one that is added later is asked as well.
TEST(Words, that_are_empty_are_refused_whatever_the_command_and_the_option) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                         {"list"},
                                                                                         {"record"},
                                                                                         {"report"},
                                                                                         {"render"},
                                                                                         {"diff"},
                                                                                         {"run"},
                                                                                         {"verify"},
                                                                                         {"bench"},
                                                                                         {"accuracy"},
                                                                                         {"lesson", "show"}}) {
        std::vector<std::string> asked = command;
        asked.emplace_back("--help");
        const std::string help = run_words(asked).out;
        std::size_t options = 0;
        for (std::size_t at = 0; (at = help.find("\n  --", at)) != help.npos; ++at, ++options) {
            const std::string flag = help.substr(at + 3, help.find_first_of(" ,\n", at + 3) - at - 3);
            for (const std::vector<std::string>& given :
                 std::vector<std::vector<std::string>>{{flag, ""}, {flag, " \t"}, {flag + "="}}) {
                std::vector<std::string> words = command;
                words.insert(words.end(), given.begin(), given.end());
                words.emplace_back("sequential");
                expect_refusal(words, 2, {flag + " is given and empty"});
            }
        }
        EXPECT_TRUE(options > 0 || command.size() == 2 || command[0] == "diff") << help;
        asked = command;
        asked.emplace_back("");
        expect_refusal(asked, 2,
                       {command.empty() ? "The word in front is empty" : "The word after '" + command.back()});
    }
}

TEST(Words, of_a_list_are_there_once_and_none_is_empty) {
    expect_refusal({"bench", "vectorized,,by-turns"}, 2, {"KERNEL vectorized,,by-turns has an empty name at a comma"});
    expect_refusal({"bench", "vectorized,by-turns", "vectorized"}, 2, {"KERNEL names vectorized twice"});
    expect_refusal({"bench", "vectorized", "--type", "int32,int32"}, 2, {"--type names int32 twice"});
    expect_refusal({"bench", "vectorized", "--references", "copy,copy"}, 2, {"--references names copy twice"});
    expect_refusal({"accuracy", "kahan,"}, 2, {"KERNEL kahan, has an empty name"});
    expect_refusal({"accuracy", "kahan,kahan"}, 2, {"names kahan twice"});
    expect_refusal({"render", "sequential", "--results", "a.json,", "--out", written_to("a.png")}, 2,
                   {"--results a.json, has an empty name"});
}

TEST(Words, that_contradict_each_other_are_refused) {
    expect_refusal({"accuracy", "kahan", "--seeds", "3", "--repeat", "3"}, 2, {"leave --seeds out"});
    for (const char* more : {"--tune", "--count"})
        expect_refusal({"bench", "vectorized", "--type", "int32", more}, 2,
                       {"sums of float32", "--type float32,int32"});
    const std::vector<std::string> alone[] = {{"--scene", "2"},
                                              {"--question"},
                                              {"--strip"},
                                              {"--by-time"},
                                              {"--one-step"},
                                              {"--picture", "time"},
                                              {"--errors", "--view", "grid"}};
    for (const std::vector<std::string>& more : alone) {
        std::vector<std::string> words{"render", "sequential", "--out", written_to("a.png")};
        words.insert(words.end(), more.begin(), more.end());
        expect_refusal(words, 2, {more.front() + " changes nothing without "});
    }
    expect_refusal({"report", "--compare", "pmpp-simple,pmpp-convergent", "--open-block", "0"}, 2,
                   {"leave one of them"});
}

TEST(Words, that_are_a_link_name_its_run) {
    const std::string link = "https://any.page/#kernel=harris-3&n=64&view=warps&step=2";
    EXPECT_EQ(run_words({"report", link}).out, run_words({"report", "harris-3", "--n", "64"}).out);
    expect_refusal({"report", link, "--n", "8"}, 2, {"A link says how its kernel is launched"});
    expect_refusal({"report", "#lesson=divergence"}, 2, {"This link is of a lesson"});
    expect_refusal({"render", link, "--view", "tree", "--out", "x.png"}, 2, {"leave --view, --compare"});
    expect_refusal({"render", link + "0", "--out", "x.png"}, 2, {"step=20 is past the end; this run has 8 steps."});
    expect_refusal({"#kernel=harris-3&view=forest"}, 2, {"The link's view is \"forest\""});
}

TEST(Out, that_cannot_be_written_is_refused_before_anything_is_measured) {
    const std::vector<std::string> writers[] = {{"bench", "vectorized", "--n", "2^30"},
                                                {"accuracy", "kahan", "--n", "2^28"},
                                                {"record", "sequential", "--n", "2^24"},
                                                {"render", "sequential", "--n", "2^24"},
                                                {"verify"}};
    for (std::vector<std::string> words : writers) {
        words.emplace_back("--out=" + written_to("x.jsn"));
        expect_refusal(words, 2, {"x.jsn ends in .jsn; what is written here ends in "});
        words.back() = "--out=/nowhere/at/all";
        expect_refusal(words, 1, {"/nowhere/at/all cannot be saved: the folder /nowhere/at does not exist"});
        words.back() = "--out=" + std::filesystem::temp_directory_path().string();
        expect_refusal(words, 1, {"it is a folder"});
    }
    const std::string path = written_to("mine.json");
    std::ofstream(path) << "{\"mine\": 1}";
    expect_refusal({"accuracy", "kahan", "--n", "2^28", "--out", path}, 2, {"is there already and would be lost"});
    std::filesystem::remove(path);
}

TEST(Out, of_results_is_read_back_from_every_ending_with_every_list) {
    const std::vector<std::vector<std::string>> all = {
        {"accuracy", "sequential,kahan", "--n", "2^4..2^5", "--seeds", "2"},
        {"accuracy", "pmpp-segmented", "--n", "4096", "--repeat", "5"},
        {"bench", "pmpp-coarsened", "--n", "2^10", "--tune", "--count", "--references", "none"}};
    for (const auto& command : all)
        for (const char* ending : {".json", ".csv", ".CSV", ".JSON"}) {
            const std::string path = written_to("results") + ending;
            std::vector<std::string> words = command;
            words.insert(words.end(), {"--json", "--out", path});
            const Outcome done = run_words(words);
            ASSERT_EQ(done.code, 0) << done.err;
            const auto back = study::load_results(path);
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(study::to_json(*back), done.out) << ending;
            EXPECT_TRUE(study::holds_results(path));
            std::ifstream file(path);
            EXPECT_EQ(file.get() == '#', std::string(ending).size() == 4) << "CSV begins with its comments";
            const Outcome again = run_words(words);
            EXPECT_NE(again.err.find("is there already; its results will be replaced"), std::string::npos);
            const std::string picture = written_to("a") + (std::string(ending) == ".CSV" ? ".PNG" : ".svg");
            EXPECT_EQ(
                run_words({"render", "sequential", "--view", "accuracy", "--results", path, "--out", picture}).code, 0);
            std::filesystem::remove(picture);
            std::filesystem::remove(path);
        }
}

TEST(Out, has_endings_in_any_case) {
    const std::string trace = written_to("A.WTRACE"), picture = written_to("a.SVG");
    EXPECT_EQ(run_words({"record", "sequential", "--n", "8", "--out", trace}).code, 0);
    EXPECT_EQ(run_words({"report", trace}).code, 0);
    EXPECT_EQ(run_words({"diff", trace, trace}).out, "equal\n");
    EXPECT_EQ(run_words({"render", trace, "--out", picture}).code, 0);
    std::ifstream file(picture);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}).substr(0, 5), "<svg ");
    expect_refusal({"report", "NONE.WTRACE"}, 1, {"NONE.WTRACE"});
    std::filesystem::remove(trace);
    std::filesystem::remove(picture);
}

}  // namespace
}  // namespace warptree::cli
