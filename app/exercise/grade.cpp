#include "app/exercise/grade.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/exercise/condition.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/beside.hpp"

namespace warptree::exercise {
namespace {

/// On one line, as long as a reason may be.
std::string one_line(std::string text) {
    constexpr std::size_t kMost = 400;
    while (text.ends_with('\n')) text.pop_back();
    if (text.size() > kMost) text.resize(utf8_size(std::string_view(text).substr(0, kMost)));
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// What the compiler says first: of "my.cu does not compile:\n/home/my.cu: In …\n/home/my.cu:12:5: error: …" that, and
/// line 12.
void refuse_source(Graded& graded, const std::string& message) {
    constexpr std::string_view kSays = ": error: ";
    const std::size_t at = message.find(kSays), begin = message.rfind('\n', at) + 1;  // npos + 1 is 0
    if (at == message.npos) {
        graded.refused = one_line(message);
        return;
    }
    const std::size_t end = std::min(message.find('\n', at), message.size()), said = at + kSays.size();
    graded.refused = fmt::format("it does not compile: {}", one_line(message.substr(said, end - said)));
    const std::string_view place = std::string_view(message).substr(begin, at - begin);  // "/home/my.cu:12:5"
    const std::size_t column = place.rfind(':'), line = place.rfind(':', column - 1);
    if (column != place.npos && line != place.npos)
        graded.line = number_in<int>(place.substr(line + 1, column - line - 1)).value_or(0);
}

/// What ends a submission's tests: nothing that came before it counts.
const foreign::Note* end_of(const foreign::Outcome& outcome) {
    const auto ends = std::ranges::find_if(outcome.notes, [&](const foreign::Note& one) {
        return one.stopped() || one.kind == "output" || (one.kind == "crash" && !outcome.run);
    });
    return ends == outcome.notes.end() ? nullptr : &*ends;
}

/// One test.
/// returns  whether the others are worth running
bool run_test(const Exercise& exercise, std::size_t test, const foreign::Compiled& compiled, Graded& graded) {
    const Test& asked = exercise.tests[test];
    auto ran = foreign::run(compiled, {.arguments = asked.arguments(),
                                       .seconds = exercise.seconds,
                                       .input = asked.input,
                                       .smaller = foreign::Smaller::kNo});
    const auto refuse = [&](std::string_view kind, const std::string& why, int line = 0) {
        graded.refused = fmt::format("{}{}: {}", kind, asked.name(), one_line(why));
        graded.line = line;
        return false;
    };
    if (!ran) return refuse("", ran.error().message);
    if (const foreign::Note* end = end_of(*ran)) return refuse(end->kind + ", ", end->text, std::max(0, end->line));
    if (!ran->run) {
        const foreign::Note* note = ran->notes.empty() ? nullptr : &ran->notes.front();
        return refuse("", note ? fmt::format("{}: {}", note->kind, note->text) : ran->untraced,
                      note ? std::max(0, note->line) : 0);
    }
    trace::Run run = std::move(*ran->run);
    const study::RunFacts facts(std::move(run));
    for (std::size_t i = 0; i < exercise.conditions.size(); ++i) {
        const Holding found = judge_condition(exercise.conditions[i].holds, exercise, asked, *ran, facts);
        Verdict& verdict = graded.verdicts[i];
        if (found.holds) continue;
        if (verdict.fails++ == 0) verdict = {false, std::max(0, found.line), one_line(found.why), test, 1};
    }
    return true;
}

}  // namespace

std::size_t Graded::held() const {
    return static_cast<std::size_t>(std::ranges::count(verdicts, true, &Verdict::holds));
}

std::vector<Reason> reasons(const Exercise& exercise, const Graded& graded) {
    const auto at = [](int line) { return line > 0 ? fmt::format("line {}, ", line) : std::string(); };
    if (!graded.refused.empty()) return {{at(graded.line) + graded.refused}};
    std::vector<Reason> all;
    for (std::size_t i = 0; i < graded.verdicts.size(); ++i) {
        const Verdict& verdict = graded.verdicts[i];
        if (verdict.holds) continue;
        all.push_back(
            {fmt::format(
                 "{}{}: {} ({}{})", at(verdict.line), exercise.conditions[i].holds, verdict.why,
                 exercise.tests[verdict.test].name(),
                 verdict.fails > 1 ? fmt::format(", and {}", study::counted(verdict.fails - 1, "more test")) : ""),
             exercise.conditions[i].hint});
    }
    return all;
}

Graded grade(const Exercise& exercise, const std::string& file, const std::filesystem::path& home) {
    Graded graded{.file = file};
    try {
        const auto compiled = foreign::compile({.files = {file}}, home);
        if (!compiled) {
            refuse_source(graded, compiled.error().message);
            return graded;
        }
        graded.verdicts.resize(exercise.conditions.size());
        for (std::size_t test = 0; test < exercise.tests.size() && run_test(exercise, test, *compiled, graded);) ++test;
    } catch (const std::exception& bad) {  // no memory, no room
        graded.refused = fmt::format("it could not be graded: {}", bad.what());
    }
    if (!graded.refused.empty()) graded.verdicts.clear();
    return graded;
}

std::vector<Graded> grade_all(const Exercise& exercise, std::span<const std::string> files,
                              const std::filesystem::path& home, const Grading& how) {
    std::vector<Graded> all(files.size());
    std::atomic<std::size_t> next = 0;
    std::size_t done = 0;
    std::mutex telling;
    on_threads(std::min<std::size_t>(how.jobs, files.size()), [&](std::size_t) {
        for (std::size_t at = next++; at < files.size() && !(how.stops && how.stops()); at = next++) {
            all[at] = grade(exercise, files[at], home);
            const std::lock_guard lock(telling);
            if (how.told) how.told(++done);
        }
    });
    return all;
}

}  // namespace warptree::exercise
