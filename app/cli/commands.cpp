// The commands: each reads its options, does one thing, and says in a sentence what went wrong.
#include "app/cli/commands.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/accuracy.hpp"
#include "app/cli/describe.hpp"
#include "app/cli/errors.hpp"
#include "app/cli/export.hpp"
#include "app/cli/grade.hpp"
#include "app/cli/judged.hpp"
#include "app/cli/lessons.hpp"
#include "app/cli/measure.hpp"
#include "app/cli/program.hpp"
#include "app/cli/render.hpp"
#include "app/cli/report.hpp"
#include "app/cli/source.hpp"
#include "app/cli/verify.hpp"
#include "app/cli/verify_program.hpp"
#include "app/cli/watch.hpp"
#include "app/cli/words.hpp"
#include "app/state/key_file.hpp"
#include "app/state/settings.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/beside.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/trace/difference.hpp"
#include "instrumentation/trace/file.hpp"
#include "instrumentation/value/operators.hpp"
#include "instrumentation/version.hpp"

namespace warptree::cli {
namespace {

/// What prints to standard output tells its reader when it could not: a full disk behind a redirection is a failure.
/// returns  the exit code 0
int print(const std::string& text) {
    Heartbeat::end();
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
    throw Error{Error::Kind::kFailed, "Standard output could not be written: is the disk full, or the reader gone?"};
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
    bool json = false, allow_wrong = false;
    std::string out;
    std::string other;  // of diff
    std::string kind;   // of new
    std::string compare;
    std::string filter;              // of bench
    std::string program;             // of verify
    std::vector<std::string> names;  // of verify
    MeasureOptions measure;
    AccuracyOptions accuracy;
    RenderOptions render;
    ExportOptions exported;
    const CLI::App* app = nullptr;
    WindowOptions window;
    std::vector<std::string> lessons;
    GradeOptions grade;
};

/// What a kernel takes: each operator with its types.
Json operators_of(const kernels::Kernel& kernel) {
    Json all = Json::object();
    for (const value::Operator& op : value::operators())
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
        const auto over = fmt::format("{}", fmt::join(types.get<std::vector<std::string>>(), " "));
        const auto same = std::ranges::find(groups, over, &decltype(groups)::value_type::first);
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
    if (kernels::catalog().empty()) throw Error{Error::Kind::kFailed, kernels::cuda_status().reason};
    Json rows = Json::array();
    std::string text;
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        rows.push_back({{"name", kernel.name},
                        {"source", kernel.source},
                        {"file", kernel.file},
                        {"problem", kernel.scans() ? "scan" : value::name(kernel.problem)},
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
    text += fmt::format("\nbackends: cpu; cuda: {}{}\n", cuda.usable ? cuda.device : cuda.reason,
                        cuda.devices > 1 ? fmt::format(", {} that reach each other's memory", cuda.devices) : "");
    return print(options.json ? json_text(rows, 2) + "\n" : text);
}

int record(const Options& options) {
    if (is_file(options.source.source))
        refuse("{} is a trace file already; name a kernel to record.", options.source.source);
    check_out(options.out, {".wtrace"});
    const trace::Run run = open_source(options.source);
    const std::string path =
        options.out.empty() ? fmt::format("{}-{}.wtrace", run.launch().kernel, run.launch().n) : options.out;
    std::future<void> ended;
    if (run.launch().backend == "cuda") ended = later(kernels::end_cuda);
    taken(trace::save(run, path));
    std::error_code ignored;
    std::size_t rows = 0;
    for (const trace::Trace& trace : run.launches) rows += trace.rows();
    const std::string kept = kept_sentence(run);
    return print(fmt::format("{}: {} events in {} steps{}, {} bytes\n{}", path, rows, run.steps(),
                             run.launches.size() == 1 ? "" : fmt::format(" of {} launches", run.launches.size()),
                             std::filesystem::file_size(path, ignored), kept.empty() ? "" : kept + "\n"));
}

/// What a command that judges a result ends with.
int code_of(const Options& options, bool correct) {
    return correct || options.allow_wrong ? 0 : 1;
}

/// brief  without its steps
int tell_program(const Options& options, bool brief) {
    const ProgramReport told = report_program(options.source, options.json, brief);
    print(told.text);
    return code_of(options, told.good);
}

int report(const Options& options) {
    bool correct = true;
    if (!options.compare.empty()) {
        if (!options.source.open_block.empty())
            refuse("--open-block is of one run, and --compare prints totals alone; leave one of them out.");
        std::vector<trace::Run> runs;
        for (const SourceOptions& source : compared_sources(options.source, options.compare))
            runs.push_back(open_source(source));
        print(options.json ? json_comparison(std::move(runs), &correct) : text_comparison(std::move(runs), &correct));
        return code_of(options, correct);
    }
    if (foreign::is_program(options.source.source)) return tell_program(options, false);
    if (options.source.source.empty())
        refuse("report needs a SOURCE (a kernel's name or a trace file), or --compare with two to four.");
    const trace::Run run = open_source(options.source);
    const auto opened = block_to_open(options.source);
    const std::string& input = options.source.launch.at("input");
    print(options.json ? json_report(run, input, opened, &correct) : text_report(run, input, opened, &correct));
    return code_of(options, correct);
}

int diff(const Options& options) {
    const auto opened = [&](const std::string& path) {
        SourceOptions source = options.source;
        source.source = path;
        return foreign::is_program(path) ? run_of_program(source) : load_trace(path);
    };
    const trace::Run first = opened(options.source.source), second = opened(options.other);
    const bool programs = foreign::is_program(options.source.source) || foreign::is_program(options.other);
    if (!programs && options.source.program.any())
        refuse("diff: neither is a CUDA file: leave out what follows --, -I, -D and --seconds.");
    const std::string difference =
        programs ? trace::first_difference_of_work(first, second) : trace::first_difference(first, second);
    print((difference.empty() ? "equal" : difference) + "\n");
    return difference.empty() ? 0 : 1;
}

/// What `run` gives to NVIDIA's library for several GPUs, and what does it where that cannot.
constexpr std::string_view kLibrarys = "all-reduce", kOurs = "all-reduce-ring";

/// The plain kernel, as a profiler wants to see it: nothing recorded.
int run_plainly(const Options& options) {
    if (foreign::is_program(options.source.source)) return tell_program(options, true);
    SourceOptions source = options.source;
    const bool library = source.source == kLibrarys;
    if (library) source.source = kOurs;
    kernels::Request request = to_request(source, false);
    request.by_library = library;
    const auto run = taken(kernels::run_untraced(request));
    if (!run.by_ours_since.empty())
        fmt::print(stderr, "{} {} does it instead.\n", run.by_ours_since, run.request.kernel);
    print(options.json ? json_of_run(run) : text_of_run(run));
    return code_of(options, run.correct);
}

int write_program(const Options& options) {
    return print(new_program(options.out, options.kind, options.grade.exercise));
}

int verify_counters(const Options& options) {
    check_out(options.out, {".json"});
    if (!options.names.empty() && foreign::is_program(options.names.front())) {
        SourceOptions source = options.source;
        source.source = options.names.front();
        source.program.words.assign(options.names.begin() + 1, options.names.end());
        return verify_program(source, options.out) ? 0 : 1;
    }
    if (options.source.program.any())
        refuse("What a program is compiled and run with changes nothing here: none of these is a CUDA file.");
    return verify(options.program, options.names, options.out) ? 0 : 1;
}

int time_things(const Options& options) {
    const MeasureOptions& asked = options.measure;
    if (asked.kernels.empty()) {
        if (asked.any())
            refuse(
                "bench needs a KERNEL to time, for example vectorized; without one it times the app's own work, which "
                "takes --filter and --json alone.");
        bench(options.filter, asked.json);
        return 0;
    }
    if (!options.filter.empty()) refuse("--filter is of the app's own timings; leave it out, or the kernels.");
    const Measured measured = measure(asked);
    print(measured.text);
    taken(measured.ended);
    return 0;
}

int tell_accuracy(const Options& options) {
    return print(measure_accuracy(options.accuracy));
}

int render(const Options& options) {
    check_out(options.out, {".png", ".svg", ".pdf"});
    render_picture(options.source, options.render, options.out);
    return 0;
}

int export_files(const Options& options) {
    return print(export_to(options.source, options.exported, options.out) + "\n");
}

int describe(const Options& options) {
    return print(options.kind == "man" ? man_page(*options.app) : completion(*options.app, options.kind));
}

/// Those that hold: the usual ones, with the user's own.
int print_keys(const Options&) {
    const auto own = state::read_key_file(state::keys_path());
    if (!own) return print(state::key_file(state::bindings()));
    for (const std::string& problem : own->problems) fmt::print(stderr, "{}\n", problem);
    return print(state::key_file(own->keys));
}

int tell_checked(const Options& options) {
    const CheckedLessons checked = check_lessons(options.lessons);
    print(checked.text);
    return checked.good ? 0 : 1;
}
int show_lesson(const Options& options) {
    return print(lesson_text(options.lessons.front()));
}
int grade(const Options& options) {
    const GradeReport graded = grade_report(options.grade);
    print(graded.text);
    return graded.good ? 0 : 1;
}
int list_lessons(const Options&) {
    return print(lesson_list());
}

using Act = int(const Options&);

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 failed or a result is WRONG, 2 bad usage, 130 stopped by Ctrl-C.";

void add_json(CLI::App& command, bool& json) {
    command.add_flag("--json", json, "print JSON");
}

void add_allow_wrong(CLI::App& command, bool& allow) {
    command.add_flag("--allow-wrong", allow, "exit with 0 also where a result is WRONG, which else is 1");
}

/// Every command with its options, in the order of --help.
/// add(to, name, help, act)  adds one that does act
template <class Add>
void add_commands(CLI::App& app, Options& options, Add add) {
    add_json(add(app, "list", "List the kernels, what each removes and what remains", list), options.json);

    CLI::App& to_record = add(app, "record", "Run a kernel and write everything it did to a trace file", record);
    add_source_options(to_record, options.source, true);
    add_keep_options(to_record, options.source);
    to_record.add_option("--out", options.out, "the file to write (default KERNEL-N.wtrace)");

    CLI::App& to_report = add(app, "report", "Print the counters of every step beside the book's formulas", report);
    add_source_options(to_report, options.source, false);
    add_keep_options(to_report, options.source);
    add_json(to_report, options.json);
    add_allow_wrong(to_report, options.allow_wrong);
    to_report.add_option("--compare", options.compare, kCompareHelp);

    CLI::App& to_render =
        add(app, "render", "Draw the app's view to a PNG, SVG or PDF file, without a display", render);
    add_source_options(to_render, options.source, false);
    add_keep_options(to_render, options.source);
    add_render_options(to_render, options.render);
    to_render
        .add_option("--out", options.out, "the file to write: .png, or .svg and .pdf for vectors whose text is text")
        ->required();

    CLI::App& to_export = add(
        app, "export", "Write a run or a lesson as slides, a handout, pictures, a film, a table or a page for browsers",
        export_files);
    add_source_options(to_export, options.source, false);
    add_keep_options(to_export, options.source);
    add_export_options(to_export, options.exported);
    to_export
        .add_option("--out", options.out,
                    "the file to write: .pdf (a page a step, of a lesson a scene), .png and .svg (a numbered series), "
                    ".mp4, .webm and .gif (by ffmpeg), .csv, .json and .tex (the steps' counters), .html (one page for "
                    "browsers, with the program and what it shows)")
        ->required();

    CLI::App& to_diff =
        add(app, "diff", "Compare two trace files, whose backend and device may differ; or CUDA files, by what they do",
            diff);
    to_diff.add_option("FIRST", options.source.source, "a trace file, or a CUDA file (.cu), or a folder of them")
        ->required();
    to_diff.add_option("SECOND", options.other, "likewise")->required();
    add_program_options(to_diff, options.source.program);

    CLI::App& to_run = add(
        app, "run", "Run the plain kernel, nothing recorded, and print its output: N up to 2^32; all-reduce: by NCCL",
        run_plainly);
    add_source_options(to_run, options.source, true);
    add_json(to_run, options.json);
    add_allow_wrong(to_run, options.allow_wrong);

    CLI::App& to_write =
        add(app, "new", "Write a CUDA file to start from: a reduction or a scan of your own, or an exercise's",
            write_program);
    to_write.add_option("FILE", options.out, "the file to write, for example sum.cu")->required();
    to_write.add_option(
        "--kind", options.kind,
        "block: a sum by one block (default); segmented: by several; scan: all sums up to each element");
    to_write.add_option("--exercise", options.grade.exercise,
                        "what this exercise starts from: its name (see 'warptree grade --list') or a file");

    CLI::App& to_verify =
        add(app, "verify",
            "Compare the counters with the hardware's, through NVIDIA's profiler (ncu), on a machine with a GPU",
            verify_counters);
    to_verify.add_option("KERNEL", options.names,
                         "kernels (none: all); or a CUDA file (.cu), which nvcc compiles unchanged and which runs here "
                         "without a fence");
    add_program_options(to_verify, options.source.program, false);
    to_verify.add_option("--out", options.out,
                         "write every figure to this JSON file, beside those that it has of other kernels");

    CLI::App& to_bench =
        add(app, "bench", "Time plain kernels beside references; without a kernel, what the app does", time_things);
    add_measure_options(to_bench, options.measure);
    add_json(to_bench, options.measure.json);
    to_bench.add_option("--filter", options.filter,
                        "of the app's timings those whose name this regular expression finds");

    add_accuracy_options(
        add(app, "accuracy", "Sum floats over many seeds, and print how far off kernels are against N", tell_accuracy),
        options.accuracy);

    add_grade_options(
        add(app, "grade", "Grade CUDA files by an exercise: which conditions hold, and why others do not", grade),
        options.grade);

    CLI::App& lesson =
        *app.add_subcommand("lesson", "List, print or check lessons and courses; --lesson NAME opens one");
    lesson.require_subcommand(1);
    add(lesson, "list", "List the courses and lessons that come with Warptree", list_lessons);
    add(lesson, "show", "Print a lesson with its answers and the speaker's notes, or a course's plan", show_lesson)
        .add_option("NAME", options.lessons, "one of the list, or a TOML file")
        ->required()
        ->expected(1);
    add(lesson, "check", "Run every scene of a lesson, or read a course, and say what is wrong in it", tell_checked)
        .add_option("FILE", options.lessons, "lessons or courses: TOML files, or names of those that come along")
        ->required();

    add(app, "keys", "Print the window's keys as a file, keys.toml, to begin one's own from", print_keys);

    add(app, "completion", "Print a script with which a shell completes what is typed; or the manual page", describe)
        .add_option("SHELL", options.kind, "bash, zsh or fish; or man: the page that man shows")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));
}

}  // namespace

int run(int argc, char** argv) {
    Options options;
    options.program = argv[0];
    char** const end = std::find(argv, argv + argc, std::string_view("--"));
    if (end != argv + argc) options.source.program.arguments = {end + 1, argv + argc};
    options.measure.command = options.accuracy.command = said({argv + 1, argv + argc});
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
    options.app = &app;
    int code = 0;
    add_commands(app, options, [&](CLI::App& to, const char* name, const char* help, Act* act) -> CLI::App& {
        return *to.add_subcommand(name, help)->callback([&options, &code, act, name] {
            static constexpr std::string_view kTalkers[] = {"bench", "accuracy", "export",
                                                            "grade"};  // say themselves where they are
            const bool talks = std::ranges::find(kTalkers, name) != std::end(kTalkers);
            const Heartbeat beat(talks ? "" : name);
            code = act(options);
        });
    });
    for (CLI::App* command : app.get_subcommands({})) command->footer(kExitCodes);
    app.footer(fmt::format("{} 'warptree COMMAND --help' tells more.", kExitCodes));
    try {
        refuse_empty_words({argv + 1, argv + argc});
        app.parse(static_cast<int>(end - argv), argv);
        return app.get_subcommands().empty() ? open_window(options.source, options.window) : code;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        fmt::print(stderr, "warptree: {}\nTry 'warptree --help', or 'warptree COMMAND --help'.\n", error.what());
        return 2;
    } catch (const Error& error) {
        fmt::print(stderr, "warptree: {}\n", error.message);
        if (error.kind == Error::Kind::kCancelled) return 130;  // as a shell says it of a program that Ctrl-C ended
        return error.kind == Error::Kind::kUsage ? 2 : 1;
    }
}

}  // namespace warptree::cli
