// The commands: each reads its options, does one thing, and says in a sentence what went wrong.
#include "app/cli/commands.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/accuracy.hpp"
#include "app/cli/bench.hpp"
#include "app/cli/compare.hpp"
#include "app/cli/measure.hpp"
#include "app/cli/render.hpp"
#include "app/cli/report.hpp"
#include "app/cli/source.hpp"
#include "app/cli/verify.hpp"
#include "app/lesson/lesson.hpp"
#include "app/study/words.hpp"
#include "instrumentation/counters/open.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/version.hpp"
#include "kernels/operators.hpp"

namespace warptree::cli {
namespace {

int exit_code(const Error& error) {
    if (error.kind == Error::Kind::kCancelled) return 130;  // as a shell says it of a program that Ctrl-C ended
    return error.kind == Error::Kind::kUsage ? 2 : 1;
}

int refuse(const Error& error) {
    fmt::print(stderr, "warptree: {}\n", error.message);
    return exit_code(error);
}

/// What prints to standard output tells its reader when it could not: a full disk behind a redirection is a failure.
int print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
    return refuse(
        {Error::Kind::kFailed, "Standard output could not be written: is the disk full, or the reader gone?"});
}

/// The command line as results keep it: where they went says nothing of them.
std::string said(std::vector<std::string> words) {
    if (const auto out = std::ranges::find(words, "--out"); out != words.end())
        words.erase(out, std::min(out + 2, words.end()));
    std::erase_if(words, [](const std::string& word) { return word.starts_with("--out="); });
    return fmt::format("warptree {}", fmt::join(words, " "));
}

struct Options {
    SourceOptions source;
    bool json = false;
    std::string out;
    std::string other;  // of diff
    std::string compare;
    std::string filter;              // of bench
    std::vector<std::string> names;  // of verify
    MeasureOptions measure;
    AccuracyOptions accuracy;
    RenderOptions render;
    WindowOptions window;
    std::vector<std::string> lessons;
};

/// What a kernel takes: each operator with its types.
Json operators_of(const kernels::Kernel& kernel) {
    Json all = Json::object();
    for (const kernels::Operator& op : kernels::operators())
        for (const value::Type type : value::kChosenTypes)
            if (value::is_defined(op.op, type) && kernels::unsuited(kernel, op.name, type).empty())
                all[std::string(op.name)].push_back(trace::name(type));
    return all;
}

/// The same in words, the operators that take equal types together.
std::string operators_text(const kernels::Kernel& kernel) {
    std::vector<std::pair<std::string, std::string>> groups;  // types, operators
    const Json operators = operators_of(kernel);
    for (const auto& [op, types] : operators.items()) {
        std::string over;
        for (const auto& type : types) over += (over.empty() ? "" : " ") + type.get<std::string>();
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == over; });
        if (same == groups.end()) {
            groups.emplace_back(over, op);
        } else {
            same->second += " " + op;
        }
    }
    std::string text;
    for (const auto& [types, names] : groups) text += fmt::format("{:18} {} over {}\n", "", names, types);
    return text;
}

int list(const Options& options) {
    Json rows = Json::array();
    std::string text;
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        rows.push_back({{"name", kernel.name},
                        {"source", kernel.source},
                        {"file", kernel.file},
                        {"problem", kernel.problem == kernels::Problem::kReduction ? "reduction" : "scan"},
                        {"removes", kernel.removes},
                        {"remains", kernel.remains},
                        {"n_least", kernel.sizes.least},
                        {"n_most", kernel.sizes.most},
                        {"n_power_of_two", kernel.sizes.power_of_two},
                        {"single_block", kernel.sizes.single_block},
                        {"compute_capability", kernel.sizes.needs.capability / 10.0},
                        {"operators", operators_of(kernel)}});
        const bool takes_all = operators_text(kernel) == operators_text(kernels::catalog().front());
        text += fmt::format("{:<18} {:<18} N from {} to {}{}\n{:18} removes {}\n{:18} remains: {}\n", kernel.name,
                            kernel.source, kernel.sizes.least, kernel.sizes.most,
                            kernel.sizes.power_of_two ? ", powers of two" : "", "", kernel.removes, "", kernel.remains);
        if (!takes_all) text += operators_text(kernel);
        if (kernel.sizes.needs.capability > 75)
            text += fmt::format("{:18} on a GPU of compute capability {:.1f} or newer, or the CPU\n", "",
                                kernel.sizes.needs.capability / 10.0);
    }
    text += "\noperators and types of all kernels that name none\n" + operators_text(kernels::catalog().front());
    const kernels::CudaStatus& cuda = kernels::cuda_status();
    text += fmt::format("\nbackends: cpu; cuda: {}\n", cuda.usable ? cuda.device : cuda.reason);
    return print(options.json ? json_text(rows, 2) + "\n" : text);
}

int record(const Options& options) {
    if (is_file(options.source.source))
        return refuse({Error::Kind::kUsage,
                       fmt::format("{} is a trace file already; name a kernel to record.", options.source.source)});
    const auto run = open_source(options.source);
    if (!run) return refuse(run.error());
    const std::string path =
        options.out.empty() ? fmt::format("{}-{}.wtrace", run->launch().kernel, run->launch().n) : options.out;
    std::future<void> ended;
    if (run->launch().backend == "cuda") ended = std::async(kernels::end_cuda);
    if (const auto saved = trace::save(*run, path); !saved) return refuse(saved.error());
    std::error_code ignored;
    std::size_t rows = 0;
    for (const trace::Trace& trace : run->launches) rows += trace.rows();
    const std::string kept = kept_sentence(*run);
    return print(fmt::format("{}: {} events in {} steps{}, {} bytes\n{}", path, rows, run->steps(),
                             run->launches.size() == 1 ? "" : fmt::format(" of {} launches", run->launches.size()),
                             std::filesystem::file_size(path, ignored), kept.empty() ? "" : kept + "\n"));
}

int report_comparison(const Options& options) {
    const auto sources = compared_sources(options.source, options.compare);
    if (!sources) return refuse(sources.error());
    std::vector<trace::Run> runs;
    for (const SourceOptions& source : *sources) {
        auto run = open_source(source);
        if (!run) return refuse(run.error());
        runs.push_back(std::move(*run));
    }
    return print(options.json ? json_comparison(runs) : text_comparison(runs));
}

int report(const Options& options) {
    if (!options.compare.empty()) return report_comparison(options);
    if (options.source.source.empty())
        return refuse({Error::Kind::kUsage,
                       "report needs a SOURCE (a kernel's name or a trace file), or --compare with two to four."});
    const auto run = open_source(options.source);
    if (!run) return refuse(run.error());
    const auto opened = block_to_open(options.source).value_or(std::nullopt);
    const std::string& input = options.source.launch.at("input");
    return print(options.json ? json_report(*run, input, opened) : text_report(*run, input, opened));
}

int diff(const Options& options) {
    const auto first = counters::open(options.source.source);
    if (!first) return refuse(first.error());
    const auto second = counters::open(options.other);
    if (!second) return refuse(second.error());
    const std::string difference = trace::first_difference(*first, *second);
    if (print((difference.empty() ? "equal" : difference) + "\n") != 0) return 1;
    return difference.empty() ? 0 : 1;
}

/// The plain kernel, as a profiler wants to see it: nothing recorded.
int run_plainly(const Options& options) {
    const auto request = to_request(options.source, false);
    if (!request) return refuse(request.error());
    const auto run = kernels::run_untraced(*request);
    if (!run) return refuse(run.error());
    const value::Values& output = run->output;
    std::string text = fmt::format("{} N = {}, block {}, {}: output", run->request.kernel, run->request.n,
                                   run->request.block, name(run->request.backend));
    for (std::size_t i = 0; i < std::min<std::size_t>(output.size(), 8); ++i) text += " " + output.text(i);
    text += output.size() > 8 ? fmt::format(" ... ({} elements)\n", output.size()) : "\n";
    text += result_text(run->problem, run->request.n, run->result, run->expected, run->wrong) +
            accuracy_text(run->accuracy);
    return print(text);
}

int verify_counters(const Options& options, const char* program) {
    const auto holds = verify(program, options.names, options.out);
    if (!holds) return refuse(holds.error());
    return *holds ? 0 : 1;
}

int time_things(const Options& options) {
    if (options.measure.kernels.empty()) {
        if (options.measure.any())
            return refuse({Error::Kind::kUsage,
                           "bench needs a KERNEL to time, for example vectorized; without one it times the app's own "
                           "work, which takes --filter and --json alone."});
        if (const auto done = bench(options.filter, options.json); !done) return refuse(done.error());
        return 0;
    }
    if (!options.filter.empty())
        return refuse({Error::Kind::kUsage, "--filter is of the app's own timings; leave it out, or the kernels."});
    const auto measured = measure(options.measure);
    if (!measured) return refuse(measured.error());
    if (const int code = print(measured->text); code != 0) return code;
    return measured->ended ? 0 : refuse(measured->ended.error());
}

int tell_accuracy(const Options& options) {
    const auto text = measure_accuracy(options.accuracy);
    return text ? print(*text) : refuse(text.error());
}

int render(const Options& options) {
    if (const auto done = render_picture(options.source, options.render, options.out); !done)
        return refuse(done.error());
    return 0;
}

/// Says of each file what is wrong in it; 0 where nothing is.
int check_lessons(const Options& options) {
    std::string text;
    std::size_t good = 0;
    for (const std::string& source : options.lessons) {
        const auto file = lesson::text_of(source);
        if (!file) return print(text), refuse(file.error());
        lesson::Reading reading = lesson::read(*file);
        if (reading.problems.empty()) reading.problems = lesson::check(reading.lesson);
        for (const lesson::Problem& problem : reading.problems)
            text += fmt::format("{}, {}\n", source, lesson::line_of(problem));
        if (!reading.problems.empty()) continue;
        ++good;
        const auto& scenes = reading.lesson.scenes;
        const auto asks = [](const lesson::Scene& scene) { return scene.question.has_value(); };
        text +=
            fmt::format("{}: {}, {}, nothing wrong\n", source, study::counted(scenes.size(), "scene"),
                        study::counted(static_cast<std::uint64_t>(std::ranges::count_if(scenes, asks)), "question"));
    }
    const int printed = print(text);
    return good == options.lessons.size() ? printed : 1;
}

/// A lesson as text: what the window shows of it, the answers, and the speaker's notes.
int show_lesson(const Options& options) {
    const auto lesson = lesson::open(options.lessons.front());
    if (!lesson) return refuse(lesson.error());
    std::string text = fmt::format("{}\n{}\n", lesson->title, lesson->teaches);
    for (const lesson::Scene& scene : lesson->scenes) {
        text += fmt::format("\nscene {}: {}, N = {}, warps of {}, view {}\n{}\n", &scene - lesson->scenes.data() + 1,
                            scene.request.kernel, scene.request.n, scene.request.warp_size,
                            scene::view_row(scene.view).name, scene.caption);
        if (!scene.note.empty()) text += fmt::format("note: {}\n", scene.note);
        if (!scene.question) continue;
        auto run = kernels::record(scene.request);
        if (!run) return refuse(run.error());
        const auto posed = lesson::pose(*scene.question, study::RunFacts(std::move(*run)));
        if (!posed) return refuse(posed.error());
        text += fmt::format("before step {}: {}{}{}\nanswer: {} ({})\n", scene.question->step, scene.question->ask,
                            posed->choices.empty() ? "" : " ", fmt::join(posed->choices, ", "), posed->right.text,
                            posed->right.called);
    }
    return print(text);
}

int list_lessons() {
    std::string text;
    for (const lesson::Shipped& one : lesson::shipped())
        text += fmt::format("{:<20} {}, {}\n{:20} {}\n", one.name, one.lesson.title, lesson::length_of(one.lesson), "",
                            one.lesson.teaches);
    return print(text);
}

int window(const Options& options) {
    const auto code = open_window(options.source, options.window);
    return code ? *code : refuse(code.error());
}

}  // namespace

int run(int argc, char** argv) {
    Options options;
    CLI::App app{
        "Warptree replays, step by step, what a GPU kernel really did.\n"
        "Without a command it opens the window; Warptree's window cannot be read by screen readers,\n"
        "the commands print everything that it shows.",
        "warptree"};
    app.set_version_flag("--version", std::string(kBuild));
    app.require_subcommand(0, 1);
    app.fallthrough(false);
    add_source_options(app, options.source, false);
    add_window_options(app, options.window);

    auto* list_command = app.add_subcommand("list", "List the kernels, what each removes and what remains");
    list_command->add_flag("--json", options.json, "print JSON");

    auto* record_command = app.add_subcommand("record", "Run a kernel and write everything it did to a trace file");
    add_source_options(*record_command, options.source, true);
    add_keep_options(*record_command, options.source);
    record_command->add_option("--out", options.out, "the file to write (default KERNEL-N.wtrace)");

    auto* report_command = app.add_subcommand("report", "Print the counters of every step beside the book's formulas");
    add_source_options(*report_command, options.source, false);
    add_keep_options(*report_command, options.source);
    report_command->add_flag("--json", options.json, "print JSON");
    report_command->add_option("--compare", options.compare, kCompareHelp);

    auto* render_command =
        app.add_subcommand("render", "Draw the app's view to a PNG, SVG or PDF file, without a display");
    add_source_options(*render_command, options.source, false);
    add_keep_options(*render_command, options.source);
    add_render_options(*render_command, options.render);
    render_command
        ->add_option("--out", options.out, "the file to write: .png, or .svg and .pdf for vectors whose text is text")
        ->required();

    auto* diff_command = app.add_subcommand("diff", "Compare two trace files; backend and device may differ");
    diff_command->add_option("FIRST", options.source.source, "a trace file")->required();
    diff_command->add_option("SECOND", options.other, "a trace file")->required();

    auto* run_command =
        app.add_subcommand("run", "Run the plain kernel, nothing recorded, and print its output: N up to 2^32");
    add_source_options(*run_command, options.source, true);

    auto* verify_command = app.add_subcommand(
        "verify", "Compare the counters with the hardware's, through NVIDIA's profiler (ncu), on a machine with a GPU");
    verify_command->add_option("KERNEL", options.names, "kernels; none: all");
    verify_command->add_option("--out", options.out,
                               "write every figure to this JSON file, beside those that it has of other kernels");

    auto* bench_command =
        app.add_subcommand("bench", "Time plain kernels beside references; without a kernel, what the app does");
    add_measure_options(*bench_command, options.measure);
    bench_command->add_flag("--json", options.json, "print JSON");
    bench_command->add_option("--filter", options.filter,
                              "of the app's timings those whose name this regular expression finds");

    auto* accuracy_command =
        app.add_subcommand("accuracy", "Sum floats over many seeds, and print how far off kernels are against N");
    add_accuracy_options(*accuracy_command, options.accuracy);

    auto* lesson_command = app.add_subcommand("lesson", "List, print or check lessons; --lesson NAME opens one");
    lesson_command->require_subcommand(1);
    auto* lessons_command = lesson_command->add_subcommand("list", "List the lessons that come with Warptree");
    auto* show_command =
        lesson_command->add_subcommand("show", "Print a lesson with its answers and the speaker's notes");
    show_command->add_option("NAME", options.lessons, "one of the list, or a TOML file")->required()->expected(1);
    auto* check_command =
        lesson_command->add_subcommand("check", "Run every scene of a lesson and say what is wrong in it");
    check_command->add_option("FILE", options.lessons, "lessons: TOML files, or names of those that come along")
        ->required();

    for (CLI::App* command : app.get_subcommands({}))
        command->footer("Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.");
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C. 'warptree COMMAND --help' tells more.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        fmt::print(stderr, "warptree: {}\nTry 'warptree --help', or 'warptree COMMAND --help'.\n", error.what());
        return 2;
    }
    options.measure.command = options.accuracy.command = said({argv + 1, argv + argc});
    if (list_command->parsed()) return list(options);
    if (record_command->parsed()) return record(options);
    if (report_command->parsed()) return report(options);
    if (render_command->parsed()) return render(options);
    if (diff_command->parsed()) return diff(options);
    if (run_command->parsed()) return run_plainly(options);
    if (bench_command->parsed()) {
        options.measure.json = options.json;
        return time_things(options);
    }
    if (accuracy_command->parsed()) return tell_accuracy(options);
    if (lessons_command->parsed()) return list_lessons();
    if (show_command->parsed()) return show_lesson(options);
    if (check_command->parsed()) return check_lessons(options);
    if (verify_command->parsed()) return verify_counters(options, argv[0]);
    return window(options);
}

}  // namespace warptree::cli
