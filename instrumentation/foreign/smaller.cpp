#include "instrumentation/foreign/smaller.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <bit>
#include <cctype>
#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/tokens.hpp"
#include "instrumentation/foreign/running.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/text_file.hpp"

namespace warptree::foreign {
namespace {

namespace fs = std::filesystem;

/// 1 << 20, 1024 * 1024, (16'777'216u): numbers, +, *, << and brackets; none: it is something else.
class Expression {
public:
    explicit Expression(const std::string& text) {
        for (const char c : text)
            if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '\'') text_ += c;
    }
    std::optional<std::uint64_t> value() {
        const std::uint64_t all = shifted();
        return good_ && at_ == text_.size() ? std::optional(all) : std::nullopt;
    }

private:
    bool takes(std::string_view sign) {
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }
    std::uint64_t shifted() {
        std::uint64_t all = sum();
        while (takes("<<")) all <<= sum() & 63;
        return all;
    }
    std::uint64_t sum() {
        std::uint64_t all = product();
        while (takes("+")) all += product();
        return all;
    }
    std::uint64_t product() {
        std::uint64_t all = one();
        while (takes("*")) all *= one();
        return all;
    }
    std::uint64_t one() {
        if (takes("(")) {
            const std::uint64_t all = shifted();
            good_ = good_ && takes(")");
            return all;
        }
        const auto digits = [&](std::size_t most) {
            const std::size_t begin = at_;
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
            good_ = good_ && at_ > begin && at_ - begin <= most;
            return good_ ? std::stoull(text_.substr(begin, at_ - begin)) : 0;
        };
        std::uint64_t all = digits(18);
        if (takes("e") || takes("E"))
            for (std::uint64_t power = digits(1); power > 0; --power) all *= 10;
        while (at_ < text_.size() && std::string_view("uUlL").find(text_[at_]) != std::string_view::npos) ++at_;
        return all;
    }

    std::string text_;
    std::size_t at_ = 0;
    bool good_ = true;
};

std::uint64_t exponent_of(std::uint64_t value) {
    return static_cast<std::uint64_t>(std::bit_width(value)) - 1;
}

constexpr std::uint64_t kLarge = 4096;  // a number that may be one of elements, or of turns

/// A number that stands beside a name in a file, or several in a list.
struct Given {
    std::filesystem::path file;
    int line = 0;
    std::string name, is = {}, text = {};
    std::uint64_t value = 0;  // of a list the largest
    bool power = false;       // it stands for two to its power: somewhere it is shifted by what has this name
    bool bound = false;       // a loop ends there
    bool grid = false;        // so many blocks are launched
    std::vector<std::uint64_t> list = {};
};

/// "1000, 1 << 20"; empty: some are no numbers, or it is one alone.
std::vector<std::uint64_t> numbers_of(const std::string& text) {
    std::vector<std::uint64_t> out;
    std::istringstream stream(text);
    for (std::string one; std::getline(stream, one, ',');)
        if (const auto value = Expression(one).value())
            out.push_back(*value);
        else
            return {};
    return out.size() < 2 ? std::vector<std::uint64_t>() : out;
}

std::vector<Given> all_given(const std::vector<std::filesystem::path>& files) {
#define WT_NUMBER R"(([0-9(](?:[0-9uUlL()<*+' ]|[eE](?=[0-9]))*))"
    static const std::regex kGiven(R"((\w+)(\s*=\s*|\s*\{\s*|\s*<=?\s*|\(|\s+))" WT_NUMBER),
        kElse(R"((\w+)(\s*=)[^;?]*\?[^;:]*:\s*)" WT_NUMBER),  // what it is without an argument
        kArgument(R"((\w+)(\s*<<<[^;]*>>>\s*\()(?:[^;()]*,)?\s*)" WT_NUMBER),
        kList(R"((\w+)((?:\s*\[[^\]]*\])?\s*[=:]?\s*)\{([^{}]*,[^{}]*)\})"), kShift(R"(<<\s*(\w+))"),
        kGrid(R"(<<<\s*(?:dim3\s*\(\s*)?(\w+))"), kLoop(R"(\bfor\b[^;]*;[^;]*[<>]=?\s*(\w+))");
#undef WT_NUMBER
    std::vector<Given> all;
    std::set<std::string> powers, bounds, grids;
    for (const std::filesystem::path& file : files) {
        const std::string code = code_of(file);
        for (const auto& [words, into] : {std::pair(&kShift, &powers), {&kLoop, &bounds}, {&kGrid, &grids}})
            for (std::sregex_iterator one(code.begin(), code.end(), *words), end; one != end; ++one)
                into->insert((*one)[1]);
        std::istringstream stream(code);
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number)
            for (const std::regex* const words : {&kGiven, &kElse, &kArgument, &kList})
                for (std::sregex_iterator one(line.begin(), line.end(), *words), end; one != end; ++one) {
                    const std::string between = (*one)[2];
                    std::string text = (*one)[3];
                    Given given{.file = file, .line = number, .name = (*one)[1]};
                    if (words == &kList) {
                        given.list = numbers_of(text);
                        if (given.list.empty()) continue;
                        given.value = std::ranges::max(given.list);
                    } else {
                        while (!text.empty() &&
                               (text.back() == ' ' || (text.back() == ')' && !Expression(text).value())))
                            text.pop_back();
                        const auto value = Expression(text).value();
                        if (!value) continue;
                        given.value = *value;
                    }
                    given.is = between.ends_with('(')              ? "takes"
                               : between.find('<') != between.npos ? "is compared with"
                                                                   : "is";
                    given.text = text;
                    all.push_back(std::move(given));
                }
    }
    for (Given& one : all) {
        one.bound = one.is == "is compared with" || bounds.contains(one.name);
        one.grid = one.is == "is" && grids.contains(one.name);
        if (one.power = one.list.empty() && one.value < 48 && powers.contains(one.name); one.power)
            one.value = std::uint64_t{1} << one.value;
    }
    return all;
}

/// With a smaller number in its place; of a list with none that is larger.
Change changed(const Given& one, std::uint64_t value, bool names_file) {
    std::string fresh;
    for (const std::uint64_t each : one.list)
        fresh += fmt::format("{}{}", fresh.empty() ? "" : ", ", std::min(each, value));
    return {.file = one.file,
            .line = one.line,
            .name = one.name,
            .old = one.text,
            .fresh = !fresh.empty() ? fresh : std::to_string(one.power ? exponent_of(value) : value),
            .is = one.is,
            .names_file = names_file};
}

/// ", on line 3 of other.cu,"; "": it has none
std::string place_of(const Note& fault, const std::vector<fs::path>& files) {
    const bool other = !fault.file.empty() && fault.file != files.front().filename();
    return fault.line <= 0 ? "" : fmt::format(", on line {}{},", fault.line, other ? " of " + fault.file : "");
}

/// What a program does with a change.
struct Trial {
    Outcome outcome;
    std::string but;    // what is wrong with that; "": nothing
    bool whole = true;  // all of it is shown
};

std::string listed(const std::vector<Change>& changes, std::string (Change::*text)() const, const char* last) {
    std::string all;
    for (const Change& one : changes) all += (all.empty() ? "" : &one != &changes.back() ? ", " : last) + (one.*text)();
    return all;
}
/// "on line 3 N is 1 << 26; with 65536", "with N = 65536 (line 3, now 1 << 26) and turns = 1 (line 4, now 100)"
std::string proposal_of(const std::vector<Change>& changes) {
    return changes.size() == 1 ? changes[0].proposed() : "with " + listed(changes, &Change::among_others, " and ");
}

/// How much longer something may take than the processor works for it: the machine may do other things, too.
constexpr double kLoad = 3;

/// What processes that we wait for take of the processor from here on, or, where that is more, a part of the time.
class Spent {
public:
    double seconds() const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
        return std::max(processor() - processor_, passed.count() / kLoad);
    }

private:
    static double processor() {
        rusage used{};
        getrusage(RUSAGE_CHILDREN, &used);
        const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
        return seconds(used.ru_utime) + seconds(used.ru_stime);
    }

    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    double processor_ = processor();
};

/// What a program does with changes, if all of it is shown.
/// known  notes that it has without the changes, too
std::optional<Trial> tried(const Compiled& program, Start start, const std::vector<Change>& changes,
                           const std::vector<Note>& known) {
    constexpr double kPatience = 4;  // seconds
    start.processor_seconds = std::min(start.seconds, kPatience);
    start.seconds = kLoad * start.processor_seconds;
    Sources sources = program.sources;
    const Folder copy;
    std::map<fs::path, std::string> texts;
    for (const Change& change : changes) {
        if (change.argument >= 0) {
            start.arguments[static_cast<std::size_t>(change.argument)] = change.fresh;
            continue;
        }
        const auto [text, fresh] = texts.try_emplace(change.file);
        if (fresh) text->second = text_of_file(change.file).value_or("");
        auto made = changed_text(change, text->second);
        if (!made) return std::nullopt;
        text->second = std::move(*made);
    }
    for (const auto& [path, text] : texts) {
        const auto same = [&, &path = path](const fs::path& file) {
            return fs::absolute(file).lexically_normal() == path;
        };
        const auto file = std::ranges::find_if(sources.files, same);
        if (file == sources.files.end()) return std::nullopt;
        sources.folders.push_back(path.parent_path().string());
        *file = copy.path() / path.filename();
        std::ofstream(*file, std::ios::binary) << text;
    }
    std::optional<Compiled> changed;
    if (!texts.empty()) {
        auto compiled = compile(sources, program.home);
        if (!compiled) return std::nullopt;
        changed = std::move(*compiled);
    }
    auto outcome = run_as_it_is(changed ? *changed : program, start);
    if (!outcome || !outcome->run || std::ranges::any_of(outcome->notes, is_too_much)) return std::nullopt;
    Trial trial{std::move(*outcome), ""};
    trial.whole = trial.outcome.run->complete();
    trial.outcome.changed = listed(changes, &Change::made, ", and ");
    const auto fails = [&](const Note& one) {  // by itself a program that is stopped may show less
        static constexpr std::string_view kNew[] = {"undefined", "race", "wrong"};
        return std::ranges::find(kNew, one.kind) == std::end(kNew) &&
               std::ranges::find(known, one.kind, &Note::kind) == known.end();
    };
    if (const auto fault = std::ranges::find_if(trial.outcome.notes, fails); fault != trial.outcome.notes.end())
        trial.but = fmt::format(", but then{} {}", place_of(*fault, program.files),
                                fault->text.substr(0, fault->text.find(';')));
    else if (trial.outcome.exit != 0)
        trial.but = fmt::format(", but then main() ends with {}", trial.outcome.exit);
    else if (!judge::verdict(*trial.outcome.run).correct)
        trial.but = ", and its result is wrong";
    else if (!trial.whole)
        trial.but = ", but of blocks that did alike one alone";
    return trial;
}

}  // namespace

std::string code_of(const std::filesystem::path& file) {
    std::string code;
    for (const Token& token : tokens_of(text_of_file(file).value_or("")))
        if (token.kind == TokenKind::kComment)
            code.append(static_cast<std::size_t>(std::ranges::count(token.text, '\n')), '\n');
        else
            code += token.text;
    return code;
}

namespace {

/// "line 3", "lines 3 and 7 of my.cu"
std::string place_of(const Change& change) {
    std::string lines = std::to_string(change.line);
    for (const int one : change.again) lines += fmt::format("{}{}", one == change.again.back() ? " and " : ", ", one);
    return fmt::format("line{} {}{}", change.again.empty() ? "" : "s", lines,
                       change.names_file ? " of " + change.file.filename().string() : "");
}

}  // namespace

std::string Change::proposed() const {
    if (argument >= 0) return fmt::format("with {} for its argument {}", fresh, old);
    return fmt::format("on {} {} {} {}; with {}", place_of(*this), name, is, old, fresh);
}
std::string Change::among_others() const {
    if (argument >= 0) return fmt::format("{} for its argument {}", fresh, old);
    return fmt::format("{}{}{} ({}, now {})", name,
                       is == "is"      ? " = "
                       : is == "takes" ? " of "
                                       : " up to ",
                       fresh, place_of(*this), old);
}
std::string Change::made() const {
    if (argument >= 0) return fmt::format("its argument is {}, not {}", fresh, old);
    return fmt::format("on {} {} {} {}, not {}", place_of(*this), name, is, fresh, old);
}

std::vector<Change> smaller_sizes(const std::vector<std::filesystem::path>& files,
                                  const std::vector<std::string>& arguments, std::uint64_t elements,
                                  std::uint64_t small, std::uint64_t most) {
    constexpr std::size_t kMost = 4;  // of those that are no more than large
    std::vector<Change> out;
    const std::vector<Given> all = all_given(files);
    const auto in_file = [&](const Given& one, std::uint64_t value) {
        const auto same = [&](const Change& other) {
            return other.argument < 0 && other.file == one.file && other.line == one.line && other.old == one.text;
        };
        if (value < one.value && std::ranges::none_of(out, same))
            out.push_back(changed(one, value, one.file != files.front()));
    };
    const auto in_argument = [&](std::size_t i, std::uint64_t value) {
        out.push_back({.argument = static_cast<int>(i), .old = arguments[i], .fresh = std::to_string(value)});
    };
    if (elements > small) {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto value = Expression(arguments[i]).value();
            if (value == elements) in_argument(i, small);
            if (value && *value < 63 && std::uint64_t{1} << *value == elements) in_argument(i, exponent_of(small));
        }
        for (const Given& one : all)
            if (one.value == elements) in_file(one, small);
        for (const Given& one : all)  // blocks times threads, rows times columns: of the two the larger may be smaller
            for (const Given& other : all)
                if (other.value > 1 && one.value >= other.value && one.value * other.value == elements)
                    in_file(one, std::max<std::uint64_t>(1, small / other.value));
    }
    const auto much_less = [&](std::uint64_t value) { return std::bit_floor(std::min(value / 16, most)); };
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (const auto value = Expression(arguments[i]).value();
            value && *value >= kLarge && std::ranges::find(out, static_cast<int>(i), &Change::argument) == out.end())
            in_argument(i, much_less(*value));
    std::vector<Given> large = all;
    std::erase_if(large, [](const Given& one) { return one.value < kLarge || one.value > std::uint64_t{1} << 40; });
    std::ranges::stable_sort(large, std::ranges::greater{}, &Given::value);
    if (large.size() > kMost) large.erase(large.begin() + kMost, large.end());
    for (const Given& one : large) in_file(one, much_less(one.value));
    return out;
}

std::vector<Change> less_work(const std::vector<std::filesystem::path>& files) {
    constexpr std::uint64_t kFewest = 20, kMost = 100000, kBlocks = 64;
    std::vector<Change> out;
    for (const Given& one : all_given(files)) {
        const bool turns = one.bound && one.value % 10 == 0 && one.value >= kFewest && one.value <= kMost;
        const bool blocks = one.grid && one.value > kBlocks && one.value <= kMost;
        if (!one.list.empty() || !(turns || blocks)) continue;
        const auto same = [&](const Change& other) {
            return other.file == one.file && other.name == one.name && other.is == one.is && other.old == one.text;
        };
        if (const auto first = std::ranges::find_if(out, same); first == out.end()) {
            out.push_back(changed(one, blocks ? kBlocks : 1, one.file != files.front()));
            out.back().blocks = blocks;
        } else if (first->line != one.line) {
            first->again.push_back(one.line);
        }
    }
    return out;
}

std::optional<std::string> changed_text(const Change& change, std::string text) {
    std::vector<int> lines{change.line};
    lines.insert(lines.end(), change.again.begin(), change.again.end());
    for (const int wanted : lines) {
        std::size_t at = 0;
        for (int line = 1; line < wanted && at != text.npos; ++line)
            if (at = text.find('\n', at); at != text.npos) ++at;
        if (at == text.npos) return std::nullopt;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t name = text.find(change.name, at);
        const std::size_t old = name < end ? text.find(change.old, name + change.name.size()) : text.npos;
        if (old >= end) return std::nullopt;
        text.replace(old, change.old.size(), change.fresh);
    }
    return text;
}

namespace {

/// All of them at once, each place's first; of these no more than can be told in a sentence.
std::vector<Change> together(const std::vector<Change>& sizes, const std::vector<Change>& turns) {
    constexpr std::size_t kMost = 6;
    std::vector<Change> all;
    for (const std::vector<Change>* const some : {&sizes, &turns})
        for (const Change& one : *some) {
            const auto same = [&](const Change& other) {
                return other.argument == one.argument && other.file == one.file && other.old == one.old &&
                       (other.line == one.line || std::ranges::count(one.again, other.line) > 0);
            };
            const bool small = &one != &sizes.front() && some == &sizes &&  // the other one of rows and columns
                               Expression(one.old).value().value_or(kLarge) < kLarge;
            if (all.size() < kMost && !small && std::ranges::none_of(all, same)) all.push_back(one);
        }
    return all;
}

}  // namespace

Outcome with_smaller(const Compiled& program, const Start& start, Outcome outcome) {
    // What took long is to end in an eighth of the time, and what grows with the square sooner
    constexpr double kLeast = 256, kMost = 1 << 16, kUnknown = 1 << 12;
    constexpr double kPatience = 25;  // seconds
    const Spent spent;
    const double wanted = outcome.done == 0  ? kUnknown
                          : outcome.done < 1 ? outcome.done * static_cast<double>(outcome.elements) / 8
                                             : kMost;
    const auto small = std::bit_floor(static_cast<std::uint64_t>(std::clamp(wanted, kLeast, kMost)));
    std::set<std::string> seen;
    std::optional<Trial> best;
    const auto rank = [](const Trial& trial) { return trial.but.empty() ? 0 : trial.whole ? 1 : 2; };
    const auto is_best = [&](int most) { return best && rank(*best) <= most; };
    const bool counted = outcome.run && std::ranges::none_of(outcome.notes, is_too_much);  // it is shown so already
    /// returns  whether fewer blocks, if these are among them, leave it as right as it was
    const auto is_sound = [&](const std::vector<Change>& changes) {
        const std::string proposed = proposal_of(changes);
        if (is_best(0) || spent.seconds() > kPatience || !seen.insert(proposed).second) return true;
        auto trial = tried(program, start, changes, outcome.notes);
        if (!trial || (!trial->whole && counted) || is_best(rank(*trial))) return true;
        if (rank(*trial) == 1 && std::ranges::any_of(changes, &Change::blocks)) return false;
        best = std::move(trial);
        best->outcome.smaller = fmt::format("{} all of it is shown{}", proposed, best->but);
        return true;
    };
    const auto attempt = [&](std::vector<Change> changes) {
        if (is_sound(changes)) return;
        // That many may be no size: as many as an array of the kernel has
        std::erase_if(changes, [](const Change& one) { return one.blocks; });
        if (!changes.empty()) is_sound(changes);
    };
    const std::vector<Change> turns = less_work(program.files);
    for (const std::uint64_t less : {1, 16}) {
        std::vector<Change> changes;
        for (const std::uint64_t elements : {outcome.elements, outcome.elements / 2})  // if they have 8 bytes each
            std::ranges::move(smaller_sizes(program.files, start.arguments, elements, small / less, kMostElse / less),
                              std::back_inserter(changes));
        if (is_best(1)) break;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            attempt({changes[i]});
            if (i == 0) attempt(together(changes, turns));
        }
        if (changes.empty() && !turns.empty()) attempt(turns);
    }
    if (!best) return outcome;
    if (start.smaller == Smaller::kTaken) return std::move(best->outcome);
    outcome.smaller = best->outcome.smaller;
    for (Note& note : outcome.notes)
        if (is_too_much(note)) {
            note.text += "; " + outcome.smaller;
            if (note.kind == "hang") note.kind = "too-long";  // it has an end
        }
    if (!outcome.untraced.empty()) outcome.untraced += "; " + outcome.smaller;
    if (std::ranges::none_of(outcome.notes, is_too_much) && outcome.untraced.empty())
        outcome.judgement.remark += (outcome.judgement.remark.empty() ? "" : "; ") + outcome.smaller;
    return outcome;
}

}  // namespace warptree::foreign
