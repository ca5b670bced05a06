// The command line as its user meets it: exit codes, sentences, JSON, files.
#include <bit>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/cli/accuracy.hpp"
#include "app/cli/report.hpp"
#include "app/cli/source.hpp"
#include "app/cli/testing.hpp"
#include "app/cli/verify.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/app.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::cli {
namespace {

using testing::expect_refusal, testing::Outcome, testing::run_words;

std::string temporary(const std::string& name) {
    return (std::filesystem::temp_directory_path() / fmt::format("warptree-cli-{}-{}", getpid(), name)).string();
}

TEST(CommandLine, bad_usage_is_exit_code_two_and_a_sentence) {
    expect_refusal({"report", "pmpp-smple"}, 2, {"'pmpp-smple'", "Did you mean pmpp-simple?"});
    expect_refusal({"report", "pmpp-simple", "--n", "0"}, 2, {"N = 0 is too small", "2 to 2048"});
    expect_refusal({"report", "pmpp-simple", "--n", "-5"}, 2, {"N = -5 is negative"});
    expect_refusal({"report", "pmpp-simple", "--n", "twelve"}, 2, {"N = twelve is not a whole number", "256"});
    expect_refusal({"report", "pmpp-simple", "--n", "100"}, 2, {"a power of two", "64 or 128"});
    expect_refusal({"report", "pmpp-simple", "--n", "4096"}, 2, {"too large", "2048"});
    expect_refusal({"report", "pmpp-simple", "--n", "99999999999999999999"}, 2, {"far too large"});
    expect_refusal({"report", "pmpp-simple", "--warp-size", "5"}, 2, {"4, 8, 16 and 32"});
    expect_refusal({"report", "pmpp-simple", "--type", "float1"}, 2, {"'float1'", "float32"});
    expect_refusal({"report", "pmpp-simple", "--input", "nothing"}, 2, {"'nothing'", "textbook"});
    expect_refusal({"report", "pmpp-simple", "--order", "up"}, 2, {"'up'", "descending"});
    expect_refusal({"report", "pmpp-simple", "--backend", "gpu"}, 2, {"'gpu'", "cuda"});
    expect_refusal({"report", "pmpp-simple", "--frobnicate"}, 2, {"--frobnicate", "--help"});
    expect_refusal({"report"}, 2, {"SOURCE"});
    expect_refusal({"render", "pmpp-simple", "--step", "99", "--out", temporary("a.png")}, 2,
                   {"past the end", "9 steps"});
    expect_refusal({"render", "pmpp-simple", "--step", "9.5", "--out", temporary("a.png")}, 2,
                   {"past the end", "9 steps"});
    for (const char* text : {"two", "-1", "nan", "2.5x"})
        expect_refusal({"render", "pmpp-simple", "--step", text, "--out", temporary("a.png")}, 2,
                       {"is not a step", "from 0 to 9"});
    expect_refusal({"render", "pmpp-simple", "--size", "10x10", "--out", temporary("a.png")}, 2,
                   {"--size 10x10", "1920x1080"});
    expect_refusal({"render", "pmpp-simple", "--out", temporary("a.jpg")}, 2, {".jpg", ".png", ".svg", ".pdf"});
    expect_refusal({"render", "pmpp-simple", "--text", "huge", "--out", temporary("a.png")}, 2,
                   {"--text is \"huge\"", "hall"});
    expect_refusal({"render", "no-kernel", "--theme", "pink", "--out", temporary("a.png")}, 2,
                   {"--theme is \"pink\""});  // before anything runs
    expect_refusal({"render", "pmpp-simple", "--theme", "pink", "--out", temporary("a.png")}, 2,
                   {"--theme is \"pink\"", "dark"});
    expect_refusal({"record", "pmpp-simple", "--out", "/nowhere/at/all.wtrace"}, 1, {"/nowhere/at/all.wtrace"});
    expect_refusal({"report", "/nowhere/at/all.wtrace"}, 1, {"/nowhere/at/all.wtrace"});
    expect_refusal({"report", "/nowhere/at/all.wtrace", "--n", "16"}, 2,
                   {"trace file", "Leave the launch options out"});
}

TEST(Cli, ValuesComeByAColumnAndByStandardInput) {
    std::istringstream table("t;x\n0;1,5\n1;2,25\n2;1e-400\n");
    std::streambuf* const before = std::cin.rdbuf(table.rdbuf());
    const Outcome outcome = run_words({"run", "sequential", "--input", "-", "--column", "x"});
    std::cin.rdbuf(before);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("3.75"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err,
              "Standard input: line 4, column 3: 1e-400 is smaller than a double holds and is read as 0.\n");
    expect_refusal({"report", "sequential", "--column", "x"}, 2, {"the input textbook is a rule"});
    expect_refusal({"report", "sequential", "--input", "1,5;2", "--decimal", "dot"}, 2, {"it takes point or comma"});
    expect_refusal({"report", "sequential", "--input", "1,5;2", "--column", "3"}, 2, {"its columns are 1 to 2"});
}

TEST(CommandLine, report_counts_useful_operations) {
    const auto totals = [](const char* kernel, const char* n, const char* keep) {
        const Outcome outcome = run_words({"report", kernel, "--n", n, "--keep", keep, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read_json(outcome.out)["totals"];
    };
    const auto simple = totals("pmpp-simple", "256", "all"), shared = totals("pmpp-shared", "256", "all");
    EXPECT_EQ(simple["useful_operations"], 255);
    EXPECT_DOUBLE_EQ(simple["efficiency"], 255.0 / 864);
    EXPECT_EQ(shared["useful_operations"], 255);
    EXPECT_DOUBLE_EQ(shared["efficiency"], 255.0 / 384);
    const auto kept = totals("pmpp-segmented", "4096", "counters");
    EXPECT_TRUE(kept["useful_operations"].is_null());
    EXPECT_TRUE(kept["efficiency"].is_null());
}

TEST(CommandLine, render_draws_moments_between_steps) {
    std::vector<std::string> pictures;
    for (const char* step : {"2", "2.5", "3"}) {
        const std::string out = temporary("moment.png");
        const Outcome outcome = run_words({"render", "pmpp-simple", "--n", "16", "--warp-size", "4", "--step", step,
                                           "--size", "640x360", "--out", out});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream file(out, std::ios::binary);
        pictures.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        std::filesystem::remove(out);
    }
    EXPECT_NE(pictures[0], pictures[1]);
    EXPECT_NE(pictures[1], pictures[2]);
    state::AppState on_the_way;  // to step 3, as the window draws it
    on_the_way.request = {.kernel = "pmpp-simple", .n = 16, .warp_size = 4};
    on_the_way = state::App(on_the_way, state::services()).state();
    on_the_way.goal = 3;
    on_the_way.time = 2.5;
    const auto expected = shell::render(on_the_way, 640, 360);
    ASSERT_TRUE(expected) << expected.error().message;
    const auto* bytes = reinterpret_cast<const char*>(expected->data());
    EXPECT_TRUE(pictures[1] == std::string(bytes, expected->size()));
}

TEST(CommandLine, render_draws_the_lecture_in_every_size_of_text) {
    std::set<std::string> pictures;
    for (const std::vector<std::string>& look : {std::vector<std::string>{},
                                                 {"--lecture"},
                                                 {"--lecture", "--text", "hall"},
                                                 {"--lecture", "--strip"},
                                                 {"--text", "hall"},
                                                 {"--lecture", "--theme", "dark"}}) {
        const std::string out = temporary("lecture.png");
        std::vector<std::string> words = {"render", "pmpp-simple", "--n", "16", "--warp-size", "4", "--out", out};
        words.insert(words.end(), look.begin(), look.end());
        const Outcome outcome = run_words(words);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream file(out, std::ios::binary);
        pictures.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        std::filesystem::remove(out);
    }
    EXPECT_EQ(pictures.size(), 6u) << "each looks otherwise";
}

TEST(CommandLine, render_draws_vectors_where_the_name_asks_for_them) {
    const auto drawn = [](const char* name, const char* theme, const char* view) {
        const std::string out = temporary(name);
        const Outcome outcome =
            run_words({"render", "pmpp-simple", "--n", "16", "--warp-size", "4", "--step", "2", "--size", "1280x720",
                       "--scale", "1.2", "--theme", theme, "--view", view, "--out", out});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream file(out, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        std::filesystem::remove(out);
        return bytes;
    };
    const std::string pdf = drawn("a.PDF", "dark", "tree"), svg = drawn("a.svg", "light", "tree");
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_NE(pdf.find("/MediaBox [ 0 0 1280 720 ]"), std::string::npos);
    EXPECT_NE(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1280\" height=\"720\""), std::string::npos);
    EXPECT_NE(svg.find(">Cost so far</text>"), std::string::npos);
    EXPECT_NE(svg, drawn("a.svg", "projector", "tree"));
    EXPECT_NE(svg, drawn("a.svg", "light", "warps"));
}

TEST(CommandLine, help_of_every_command_is_exit_code_zero) {
    for (const char* command : {"list", "record", "report", "render", "diff", "run", "verify", "bench"}) {
        const Outcome outcome = run_words({command, "--help"});
        EXPECT_EQ(outcome.code, 0) << command;
        EXPECT_NE(outcome.out.find("Exit codes"), std::string::npos) << command;
    }
}

TEST(CommandLine, report_says_which_blocks_are_kept_and_opens_others) {
    const auto report = [](std::vector<std::string> words) { return read_json(run_words(words).out); };
    auto whole = report({"report", "harris-4", "--n", "5000", "--block", "64", "--json"});
    auto kept = report(
        {"report", "harris-4", "--n", "5000", "--block", "64", "--keep", "counters", "--open-block", "7", "--json"});
    EXPECT_EQ(whole["kept"], "all");
    EXPECT_EQ(kept["kept"], (std::vector<int>{0, 7, 39}));
    EXPECT_EQ(whole["totals"]["useful_operations"], 4999);
    EXPECT_TRUE(kept["totals"]["useful_operations"].is_null()) << "that takes all rows";
    for (auto* json : {&whole, &kept}) {  // apart from that the figures are equal
        for (auto& step : (*json)["steps"]) step.erase("useful_operations");
        for (const char* key : {"useful_operations", "efficiency"}) (*json)["totals"].erase(key);
    }
    EXPECT_EQ(kept["steps"], whole["steps"]);
    EXPECT_EQ(kept["totals"], whole["totals"]);
    EXPECT_EQ(kept["blocks"][0]["block"], 7);
    EXPECT_EQ(kept["blocks"][0]["steps"][0]["active_threads"], 64);
    const std::vector<std::string> two = {"report", "harris-4", "--n", "65536", "--block", "4", "--keep", "counters"};
    const auto opened = [&](const char* place) {
        auto words = two;
        words.insert(words.end(), {"--json", "--open-block", place});
        return run_words(words);
    };
    const auto second = read_json(opened("2:5").out);
    EXPECT_EQ(second["blocks"][0]["launch"], 1);
    EXPECT_EQ(second["blocks"][0]["block"], 5);
    EXPECT_EQ(second["blocks"][0]["steps"][0]["active_threads"], 4);
    for (const char* place : {"0:5", "99:0", "2:99999999", "2:", ":x", "2:x"})
        EXPECT_EQ(opened(place).code, 2) << place;
    const auto limited = [&](const char* mebibytes) {  // the file has 9.6
        return report({"report", "harris-4", "--n", "65536", "--keep-limit", mebibytes, "--json"})["kept"];
    };
    EXPECT_EQ(limited("16"), "all");
    EXPECT_TRUE(limited("8").is_array());
    EXPECT_EQ(run_words({"report", "harris-4", "--n", "5000", "--keep", "most"}).code, 2);
    EXPECT_EQ(run_words({"report", "harris-4", "--n", "5000", "--keep", "counters", "--open-block", "9999"}).code, 2);
}

TEST(CommandLine, report_of_a_scan_says_which_it_is_and_judges_all_of_it) {
    const std::vector<std::string> words = {"report", "kogge-stone", "--n", "8", "--input", "4 6 7 1 2 8 5 2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return run_words(more).out;
    };
    const auto inclusive = read_json(with({"--json"}));
    EXPECT_EQ(inclusive["problem"], "inclusive scan");
    EXPECT_EQ(inclusive["exclusive"], false);
    EXPECT_EQ(inclusive["result"], 35);
    EXPECT_EQ(inclusive["totals"]["operations"], 17);
    const auto exclusive = read_json(with({"--json", "--exclusive"}));
    EXPECT_EQ(exclusive["problem"], "exclusive scan");
    EXPECT_EQ(exclusive["result"], 33);
    EXPECT_EQ(exclusive["expected"], 33);
    EXPECT_EQ(exclusive["wrong"], "");
    EXPECT_NE(with({}).find("inclusive scan, its last result 35, expected 35: correct"), std::string::npos);
    EXPECT_NE(with({}).find("7 / 17 = 41.2 %"), std::string::npos);
    EXPECT_NE(with({"--without-barrier", "30"}).find("inclusive scan of 8 elements: WRONG. output["),
              std::string::npos);
    EXPECT_EQ(run_words({"report", "harris-1", "--exclusive"}).code, 2);
}

TEST(CommandLine, report_of_devices_says_what_went_over_links) {
    const std::string text = run_words({"report", "all-reduce-ring", "--devices", "8", "--n", "512"}).out;
    for (const char* line :
         {"all-reduce-ring (Patarasuk and Yuan 2009)  N = 512, 8 devices, 8 blocks of 8 threads",
          "all-reduce, its last result ",
          "8 devices with 64 elements each, 256 bytes: 112 messages in 14 rounds, 3,584 bytes in all",
          "rounds   2·(8 − 1) = 14; measured 14",
          "received 2·(8 − 1)/8 = 1.75 parts by one device at most; measured 1.75\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    EXPECT_NE(run_words({"report", "all-reduce-ring", "--devices", "3", "--n", "15"}).out.find("pieces are not equal"),
              std::string::npos);
    const auto json = read_json(run_words({"report", "reduce-to-root", "--json"}).out);
    EXPECT_EQ(json["problem"], "reduce to root");
    EXPECT_EQ(json["devices"], 4);
    EXPECT_EQ(json["links"]["bytes"], 3 * 64);
    EXPECT_EQ(json["links"]["launches"][0][1]["from"], 3);
    EXPECT_EQ(run_words({"report", "pmpp-simple", "--devices", "2"}).code, 2);
}

TEST(CommandLine, a_file_that_is_no_trace_is_named_by_every_command) {
    const std::string path = temporary("values.csv"), picture = temporary("a.png");
    std::ofstream(path) << "3,1,7,0\n";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"report", path}, {"diff", path, path}, {"render", path, "--out", picture}})
        EXPECT_EQ(run_words(words).err,
                  "warptree: " + path + " is no trace: it holds values: --input takes it, after a kernel's name.\n")
            << words[0];
    std::filesystem::remove(path);
}

TEST(CommandLine, another_block_is_offered_of_a_kernel_alone) {
    trace::Run run =
        kernels::record({.kernel = "pmpp-segmented", .n = 4096}, {.what = kernels::Keep::kCounters}).value();
    const auto says = [&](std::string_view part) { return kept_sentence(run).find(part) != std::string::npos; };
    EXPECT_TRUE(says("--open-block opens another"));
    for (trace::Trace& trace : run.launches) trace.launch.kernel = "mine.cu";
    EXPECT_FALSE(says("--open-block"));
    EXPECT_TRUE(says("Counters are exact over all"));
}

TEST(CommandLine, a_dot_product_is_called_one) {
    trace::Run run = kernels::record({.kernel = "pmpp-shared", .n = 64}).value();
    const auto& arrays = run.launches.front().arrays;
    const std::string path = temporary("squares.wtrace");
    run.launches.front().launch.factor = std::ranges::find(arrays, trace::Role::kInput, &trace::Array::role)->name;
    ASSERT_TRUE(trace::save(run, path));
    EXPECT_NE(run_words({"report", path}).out.find(", dot product float32, input"), std::string::npos);
    EXPECT_EQ(read_json(run_words({"report", path, "--json"}).out)["problem"], "dot product");
    std::filesystem::remove(path);
}

TEST(CommandLine, a_seed_chooses_the_random_input) {
    const auto input = [](const std::string& seed) {
        const std::string path = temporary("seed.wtrace");
        const std::vector<std::string> words = {"record", "pmpp-simple", "--n", "8",     "--input",
                                                "random", "--seed",      seed,  "--out", path};
        EXPECT_EQ(run_words(words).code, 0);
        const auto run = trace::load(path);
        std::filesystem::remove(path);
        return *run->input();
    };
    EXPECT_EQ(input("1"), input("1"));
    EXPECT_FALSE(input("1") == input("2"));
}

TEST(CommandLine, list_names_every_kernel) {
    const auto rows = read_json(run_words({"list", "--json"}).out);
    ASSERT_EQ(rows.size(), kernels::catalog().size());
    EXPECT_EQ(rows[0]["name"], "pmpp-simple");
}

TEST(CommandLine, list_says_which_operators_and_types_a_kernel_takes) {
    for (const auto& row : Json::parse(run_words({"list", "--json"}).out)) {
        const bool warp = row["name"] == "warp-reduce";
        if (kernels::find(row["name"].get<std::string>())->sizes.needs.compensates) {
            EXPECT_EQ(row["operators"].size(), 1u) << row["name"];
            EXPECT_EQ(row["operators"]["sum"], Json({"float16", "bfloat16", "float32", "float64"})) << row["name"];
            continue;
        }
        EXPECT_EQ(row["operators"]["sum"].size(), warp ? 1u : 7u) << row["name"];
        EXPECT_EQ(row["operators"]["min"].at(0), warp ? "int32" : "int8") << row["name"];
        EXPECT_EQ(row["operators"].contains("matrix"), !warp) << row["name"];
        EXPECT_EQ(row["operators"].value("and", Json::array()).size(), warp ? 1u : 3u) << row["name"];
        EXPECT_EQ(row["compute_capability"], warp ? 8.0 : row["name"] == "cluster" ? 9.0 : 7.5) << row["name"];
    }
    const std::string text = run_words({"list"}).out;
    EXPECT_NE(text.find("sum min max and or xor over int32\n"), std::string::npos) << text;
    EXPECT_NE(text.find("and or xor over int8 int32 int64\n"), std::string::npos) << text;
    EXPECT_NE(text.find("of compute capability 8.0 or newer"), std::string::npos);
}

TEST(CommandLine, a_kernel_that_takes_integers_alone_gets_them_where_no_type_is_asked_for) {
    EXPECT_EQ(read_json(run_words({"report", "warp-reduce", "--n", "64", "--json"}).out)["type"], "int32");
    const Outcome refused = run_words({"report", "warp-reduce", "--n", "64", "--type", "float32"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("two-stage-shuffle"), std::string::npos) << refused.err;
}

TEST(CommandLine, recorded_file_gives_the_report_of_its_kernel) {
    const std::string path = temporary("simple.wtrace");
    ASSERT_EQ(run_words({"record", "pmpp-simple", "--n", "256", "--out", path}).code, 0);
    EXPECT_EQ(run_words({"report", path, "--json"}).out,
              run_words({"report", "pmpp-simple", "--n", "256", "--json"}).out);
    EXPECT_EQ(run_words({"diff", path, path}).out, "equal\n");
    const std::string other = temporary("other.wtrace");
    ASSERT_EQ(run_words({"record", "pmpp-simple", "--n", "256", "--input", "ones", "--out", other}).code, 0);
    EXPECT_EQ(run_words({"diff", path, other}).code, 1);
    std::filesystem::remove(path);
    std::filesystem::remove(other);
}

TEST(CommandLine, an_interrupt_stops_a_recording_and_leaves_no_file) {
    const std::string path = temporary("interrupted.wtrace");
    std::filesystem::remove(path);
    std::thread user = testing::interrupting(SIGINT);
    const Outcome outcome = run_words({"record", "harris-1", "--n", "4194304", "--workers", "1", "--out", path});
    user.join();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_NE(outcome.err.find("Stopped"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(CommandLine, help_names_every_rule_of_inputs) {
    const Outcome outcome = run_words({"record", "--help"});
    for (const std::string_view rule : kernels::input_rules())
        EXPECT_NE(outcome.out.find(rule), std::string::npos) << rule;
}

TEST(CommandLine, cuda_that_is_missing_is_said_and_the_cpu_goes_on) {
    if (kernels::cuda_status().usable) GTEST_SKIP() << "CUDA is usable here";
    for (const char* warp : {"32", "4"}) {  // which CUDA has not
        const Outcome outcome =
            run_words({"report", "pmpp-simple", "--n", "16", "--backend", "cuda", "--warp-size", warp, "--json"});
        EXPECT_EQ(outcome.code, 0);
        EXPECT_NE(outcome.err.find("Going on with the CPU"), std::string::npos) << outcome.err;
        EXPECT_EQ(read_json(outcome.out)["backend"], "cpu");
    }
}

TEST(Report, figures_of_the_simple_kernel) {
    const auto report = read_json(run_words({"report", "pmpp-simple", "--n", "256", "--json"}).out);
    EXPECT_EQ(report["result"], report["expected"]);
    EXPECT_EQ(report["correct"], true);
    ASSERT_EQ(report["steps"].size(), 9u);
    EXPECT_EQ(report["steps"][8]["phase"], "output");
    EXPECT_EQ(report["steps"][1]["divergent_warps"], 4);
    EXPECT_EQ(report["steps"][1]["stride"], 2);
    EXPECT_EQ(report["totals"]["operations"], 255);
    std::uint64_t slots = 0, segments = 0;
    for (const auto& step : report["steps"]) {
        if (step["phase"] != "tree") continue;
        slots += step["consumed_slots"].get<std::uint64_t>();
        segments += step["global_ld_segments"].get<std::uint64_t>() + step["global_st_segments"].get<std::uint64_t>();
    }
    EXPECT_EQ(slots, 864u);
    EXPECT_EQ(segments, 141u);
    EXPECT_EQ(report["totals"]["global_ld_segments"].get<int>() + report["totals"]["global_st_segments"].get<int>(),
              143);
}

TEST(Report, a_missing_barrier_is_named) {
    const Outcome outcome = run_words({"report", "pmpp-convergent", "--n", "64", "--without-barrier", "22"});
    EXPECT_NE(outcome.out.find("Hazards"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("Without the __syncthreads() of line 22"), std::string::npos) << outcome.out;
    const auto orders = read_json(
        run_words({"report", "pmpp-convergent", "--n", "64", "--without-barrier", "22", "--json"}).out)["orders"];
    ASSERT_EQ(orders.size(), 3u);
    for (const auto& order : orders) {  // each as recording in that order tells it
        const std::string name = order["order"];
        const auto alone = read_json(
            run_words({"report", "pmpp-convergent", "--n", "64", "--without-barrier", "22", "--json", "--order", name})
                .out);
        EXPECT_EQ(order["correct"], alone["correct"]) << name;
    }
    EXPECT_EQ(orders[0]["correct"], false);
    EXPECT_EQ(run_words({"report", "pmpp-convergent", "--n", "64"}).out.find("Hazards"), std::string::npos);
}

TEST(Verify, reads_the_profilers_table) {
    const auto profiles = parse_profiles(
        "==PROF== Connected\n"
        "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"void simple<float>(float *, float *)\",\"smsp__inst_executed_op_global_red.sum\",\"inst\",\"1,234\"\n"
        "\"0\",\"void simple<float>(float *, float "
        "*)\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"request\",\"55\"\n"
        "\"1\",\"scan(int *)\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"request\",\"7\"\n"
        "\"1\",\"scan(int *)\",\"smsp__inst_executed_op_global_red.sum\",\"inst\",\"n/a\"\n");
    ASSERT_TRUE(profiles.has_value()) << profiles.error().message;
    ASSERT_EQ(profiles->size(), 2u) << "launches";
    const auto& values = profiles->front().values;
    EXPECT_EQ(values.at("smsp__inst_executed_op_global_red.sum"), 1234u);
    EXPECT_EQ(values.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 55u);
    EXPECT_EQ(profiles->back().kernel, "scan(int *)");
    EXPECT_EQ(profiles->back().values.size(), 1u);
    EXPECT_FALSE(parse_profiles("==ERROR== no permission\n").has_value());
    EXPECT_FALSE(parse_profiles("").has_value());
}

TEST(Verify, a_difference_without_a_known_reason_stays_bare) {
    kernels::Request request;
    request.kernel = "pmpp-simple";
    counters::Summary summary;
    summary.totals.global_ld.requests = 55;
    const auto figures = compare(request, {}, summary, {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 54}}, {});
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].ours, 55u);
    EXPECT_EQ(figures[0].hardware, 54u);
    EXPECT_EQ(figures[0].reason, "");
}

TEST(Verify, a_conflict_that_cannot_be_has_its_reason_only_where_one_lane_stores) {
    kernels::Request request;
    request.kernel = "warp-reduce";
    request.type = value::Type::kInt32;
    const MachineCode code = MachineCode::parse("Function : 11warp_reduceIiEE\n/*0190*/ @!P1 STS [R6], R5 ;\n");
    const auto reason = [&](bool one_lane) {
        return compare(request, {.blocks = 8, .one_lane_stores = one_lane}, {},
                       {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 11}}, code)
            .at(0)
            .reason;
    };
    EXPECT_NE(reason(true).find("one lane"), std::string::npos);
    EXPECT_EQ(reason(false), "");
}

TEST(Verify, a_merged_load_is_told_from_a_wrong_count) {
    kernels::Request request;
    request.kernel = "harris-5";
    counters::Summary summary;
    summary.totals.shared_ld.requests = 416;
    const MachineCode merged = MachineCode::parse("Function : 8harris_5IfEE\n/*0290*/ LDS.64 R4, [UR4] ;\n");
    const auto figure = [&](std::uint64_t hardware, const MachineCode& code) {
        return compare(request, {32}, summary, {{"smsp__sass_inst_executed_op_shared_ld.sum", hardware}}, code).at(0);
    };
    EXPECT_NE(figure(384, merged).reason.find("64-bit load"), std::string::npos);
    EXPECT_EQ(figure(384, merged).instruction, "/*0290*/ LDS.64 R4, [UR4]");
    EXPECT_EQ(figure(384, {}).reason, "") << "the machine code does not show it";
    EXPECT_EQ(figure(385, merged).reason, "");
    EXPECT_EQ(figure(416, merged).reason, "");
}

}  // namespace
}  // namespace warptree::cli
