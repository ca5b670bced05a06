#include "app/cli/describe.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/exercise/exercise.hpp"
#include "app/kit/rooms.hpp"
#include "app/lesson/course.hpp"
#include "instrumentation/request/registry.hpp"

namespace warptree::cli {
namespace {

/// A command below the program, or one below that: "lesson check".
struct Command {
    std::string name;
    const CLI::App* app;
};

void add_below(const CLI::App& app, const std::string& before, std::vector<Command>& all) {
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        all.push_back({before + one->get_name(), one});
        add_below(*one, before + one->get_name() + " ", all);
    }
}

/// The program itself, and all below it.
std::vector<Command> commands_of(const CLI::App& app) {
    std::vector<Command> all = {{"", &app}};
    add_below(app, "", all);
    return all;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* one) { return !one->get_lnames().empty(); });
}

std::string words_of(const CLI::App& app) {
    std::vector<std::string> all;
    for (const CLI::Option* one : options_of(app)) all.push_back("--" + one->get_lnames().front());
    return fmt::format("{}", fmt::join(all, " "));
}

/// As man has a text: its own marks are none of ours.
std::string roff(std::string text) {
    std::string all;
    for (const char c : text) all += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    if (all.starts_with('.') || all.starts_with('\'')) all.insert(0, "\\&");
    return all;
}

/// What follows an option, by names.
struct Values {
    const char* option;
    std::string names;
};

std::string joined(const auto& rows, auto name) {
    std::vector<std::string> all;
    for (const auto& row : rows) all.emplace_back(row.*name);
    return fmt::format("{}", fmt::join(all, " "));
}

std::string kernels_named() {
    return joined(kernels::catalog(), &kernels::Kernel::name);
}

std::vector<Values> values() {
    return {{"--lesson", joined(lesson::shipped_courses(), &lesson::ShippedCourse::name) + " " +
                             joined(lesson::shipped(), &lesson::Shipped::name)},
            {"--view", joined(scene::view_rows(), &scene::ViewRow::name)},
            {"--exercise", joined(exercise::shipped(), &exercise::Shipped::name)}};
}

/// Of bash and zsh, whose scripts differ in how they give words back and where they find those that are typed.
struct Dialect {
    const char *head, *typed, *before, *current, *give, *files, *tail;
};
constexpr Dialect kBash{"_warptree() {\n    local command= word\n",
                        "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"",
                        "${COMP_WORDS[COMP_CWORD-1]}",
                        "${COMP_WORDS[COMP_CWORD]}",
                        "COMPREPLY+=($(compgen -W '{}' -- \"${{COMP_WORDS[COMP_CWORD]}}\"))",
                        "COMPREPLY+=($(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\"))",
                        "}\ncomplete -o filenames -F _warptree warptree\n"};
constexpr Dialect kZsh{
    "#compdef warptree\n_warptree() {\n    local command= word\n",
    "${words[2,CURRENT-1]}",
    "${words[CURRENT-1]}",
    "${words[CURRENT]}",
    "compadd -- {}",
    "_files",
    "}\nif [[ $funcstack[1] = _warptree ]]; then _warptree \"$@\"; else compdef _warptree warptree; fi\n"};

std::string script(const CLI::App& app, const Dialect& shell) {
    std::vector<std::string> first;
    std::string options;
    const auto give = [&](const std::string& words) { return fmt::format(fmt::runtime(shell.give), words); };
    for (const auto& [name, command] : commands_of(app)) {
        if (!name.empty() && name.find(' ') == name.npos) first.push_back(name);
        options += fmt::format("            '{}') {} ;;\n", name, give(words_of(*command)));
    }
    std::string text = shell.head;
    text += fmt::format(
        "    for word in {}; do\n        case \"$command:$word\" in\n            {}) command=$word ;;\n"
        "            lesson:list|lesson:show|lesson:check) command=\"lesson $word\" ;;\n        esac\n    done\n",
        shell.typed, fmt::format(":{}", fmt::join(first, "|:")));
    text += fmt::format("    case \"{}\" in\n", shell.before);
    for (const auto& [option, names] : values())
        text += fmt::format("        {}) {}; {}; return ;;\n", option, give(names), shell.files);
    text += fmt::format("    esac\n    if [[ \"{}\" == -* ]]; then\n        case \"$command\" in\n{}        esac\n",
                        shell.current, options);
    text += fmt::format("    elif [[ $command == lesson ]]; then\n        {}\n", give("list show check"));
    text += fmt::format("    elif [[ $command == 'lesson '* ]]; then\n        {}\n        {}\n",
                        give(values().front().names), shell.files);
    text += fmt::format("    elif [[ $command == grade ]]; then\n        {}\n        {}\n", give(values().back().names),
                        shell.files);
    text += fmt::format("    else\n        [[ -n $command ]] || {}\n        {}\n        {}\n    fi\n",
                        give(fmt::format("{}", fmt::join(first, " "))), give(kernels_named()), shell.files);
    return text + shell.tail;
}

std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != text.npos; at += 2) text.insert(at, 1, '\\');
    return "'" + text + "'";
}

std::string fish(const CLI::App& app) {
    std::vector<std::string> first;
    for (const auto& [name, command] : commands_of(app))
        if (!name.empty() && name.find(' ') == name.npos) first.push_back(name);
    const std::string none = fmt::format("not __fish_seen_subcommand_from {}", fmt::join(first, " "));
    std::string text;
    for (const auto& [name, command] : commands_of(app)) {
        const std::size_t blank = name.find(' ');
        const std::string when = name.empty() ? none
                                 : blank == name.npos
                                     ? "__fish_seen_subcommand_from " + name
                                     : fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}",
                                                   name.substr(0, blank), name.substr(blank + 1));
        if (!name.empty())
            text +=
                fmt::format("complete -c warptree -n {} -a {} -d {}\n",
                            quoted(blank == name.npos ? none : "__fish_seen_subcommand_from " + name.substr(0, blank)),
                            name.substr(blank + 1), quoted(command->get_description()));
        for (const CLI::Option* option : options_of(*command)) {
            text += fmt::format("complete -c warptree -n {} -l {} -d {}\n", quoted(when), option->get_lnames().front(),
                                quoted(option->get_description()));
        }
    }
    for (const auto& [option, names] : values())
        text += fmt::format("complete -c warptree -l {} -x -a {}\n", std::string_view(option).substr(2), quoted(names));
    text += fmt::format("complete -c warptree -n 'not __fish_seen_subcommand_from lesson grade' -a {} -d kernel\n",
                        quoted(kernels_named()));
    text += fmt::format("complete -c warptree -n '__fish_seen_subcommand_from show check' -a {}\n",
                        quoted(values().front().names));
    text += fmt::format("complete -c warptree -n '__fish_seen_subcommand_from grade' -a {}\n",
                        quoted(values().back().names));
    return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
    std::string text =
        ".TH WARPTREE 1\n.SH NAME\nwarptree \\- replays, step by step, what a GPU kernel really did\n"
        ".SH SYNOPSIS\n.B warptree\n[\\fISOURCE\\fR] [\\fIOPTIONS\\fR]\n.br\n.B warptree\n\\fICOMMAND\\fR "
        "[\\fIOPTIONS\\fR]\n"
        ".SH DESCRIPTION\n";
    for (const auto& [name, command] : commands_of(app)) {
        if (!name.empty()) text += fmt::format(".SS \"warptree {}\"\n", name);
        text += roff(command->get_description()) + "\n";
        for (const CLI::Option* option : command->get_options())
            text += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(option->get_lnames().empty(), true)),
                                roff(option->get_description()));
    }
    return text +
           ".SH \"EXIT STATUS\"\n0 done, 1 failed or a result is WRONG, 2 bad usage, 130 stopped by Ctrl\\-C.\n"
           ".SH FILES\n~/.config/warptree/settings.toml: what the window remembers.\n";
}

std::string completion(const CLI::App& app, const std::string& shell) {
    return shell == "fish" ? fish(app) : script(app, shell == "zsh" ? kZsh : kBash);
}

}  // namespace warptree::cli
