// The manual's tables of views, keys and commands are what the window and --help say. WARPTREE_UPDATE_GOLDENS=1 writes
// them anew, between their marks in app/manual.md.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "app/cli/testing.hpp"
#include "app/kit/rooms.hpp"
#include "app/state/keys.hpp"

namespace warptree::cli {
namespace {

constexpr const char* kManual = "app/manual.md";

std::string manual() {
    std::ifstream file(kManual);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Keys stand apart by two blanks: "→  Space".
std::string keys_of(std::string_view keys) {
    std::vector<std::string> each;
    for (std::size_t at = 0, end = 0; at < keys.size(); at = end + 2) {
        end = std::min(keys.find("  ", at), keys.size());
        each.push_back(fmt::format("`{}`", keys.substr(at, end - at)));
    }
    return fmt::format("{}", fmt::join(each, " "));
}

std::string key_tables() {
    std::string text;
    for (const state::KeyGroup& group : state::key_groups()) {
        text += fmt::format("\n**{}**\n\n| key | does |\n|---|---|\n", group.title);
        for (const state::Binding* row : group.rows)
            text += fmt::format("| {} | {} |\n", keys_of(row->keys), row->does);
    }
    return text;
}

std::string view_table() {
    std::string text = "\n| view | key | shows |\n|---|---|---|\n";
    for (const scene::ViewRow& view : scene::view_rows()) {
        const auto key = std::ranges::find_if(state::bindings(), [&](const state::Binding& binding) {
            return binding.command.action == state::Action::kView && binding.command.text == view.name;
        });
        text += fmt::format("| `{}` | {} | {} |\n", view.name, key == state::bindings().end() ? "" : keys_of(key->keys),
                            view.help);
    }
    return text;
}

/// What --help prints of one command.
struct Help {
    using Rows = std::vector<std::pair<std::string, std::string>>;  // a name, its text
    using Group = std::pair<std::string, Rows>;
    std::string command, about, end;
    std::vector<Group> groups;
};

void add_line(Help& help, const std::string& line) {
    if (help.groups.empty() && !line.ends_with(':')) {
        if (!line.starts_with("Usage:") && !line.empty()) help.about += (help.about.empty() ? "" : " ") + line;
    } else if (line.starts_with("      ")) {  // a name was too long for its column
        help.groups.back().second.back().second += line.substr(line.find_first_not_of(' '));
    } else if (line.starts_with("  ")) {
        const std::size_t name = std::min(line.find("  ", 2), line.size()), text = line.find_first_not_of(' ', name);
        help.groups.back().second.emplace_back(line.substr(2, name - 2), text == line.npos ? "" : line.substr(text));
    } else if (line.ends_with(':')) {
        help.groups.push_back({line.substr(0, line.size() - 1), {}});
    } else if (!line.empty()) {
        help.end = line;
    }
}

/// The help of a command, and of those below it.
void read_help(std::vector<std::string> words, std::vector<Help>& all) {
    Help help{.command = fmt::format("{}", fmt::join(words, " ")), .about = {}, .end = {}, .groups = {}};
    std::vector<std::string> asked(words.begin() + 1, words.end());
    asked.emplace_back("--help");
    std::istringstream lines(testing::run_words(asked).out);
    for (std::string line; std::getline(lines, line);) add_line(help, line);
    Help::Rows below;
    for (auto& [title, rows] : help.groups) {
        std::erase_if(rows, [](const auto& row) { return row.first.starts_with("-h,"); });
        if (title == "Subcommands") below.swap(rows);
    }
    std::erase_if(help.groups, [](const Help::Group& group) { return group.second.empty(); });
    all.push_back(help);
    words.emplace_back();
    for (const auto& row : below) words.back() = row.first, read_help(words, all);
}

/// Where a link to a heading leads.
std::string heading_id(std::string title) {
    for (char& c : title) c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return title;
}

std::string option_table(const Help::Rows& rows) {
    if (rows.empty()) return {};
    std::string text = "\n| | |\n|---|---|\n";
    for (const auto& [name, about] : rows) text += fmt::format("| `{}` | {} |\n", name, about);
    return text;
}

/// Each command with its own options; those of several commands stand once, after all.
std::string command_tables() {
    std::vector<Help> all;
    read_help({"warptree"}, all);
    std::string text, shared;
    for (const Help& help : all) {
        Help::Rows own;
        std::vector<std::string> also;
        for (const Help::Group& group : help.groups) {
            const auto has = [&](const Help& o) { return std::ranges::find(o.groups, group) != o.groups.end(); };
            if (std::ranges::count_if(all, has) < 2 || group.first == "Positionals") {
                own.insert(own.end(), group.second.begin(), group.second.end());
                continue;
            }
            also.push_back(fmt::format("[{}](#{})", group.first, heading_id(group.first)));
            if (&*std::ranges::find_if(all, has) == &help)  // the first that has it
                shared += fmt::format("\n### {}\n{}", group.first, option_table(group.second));
        }
        text += fmt::format("\n### {}\n\n{}\n{}", help.command, help.about, option_table(own));
        if (!also.empty()) text += fmt::format("\nAlso: {}\n", fmt::join(also, ", "));
    }
    return text + shared + fmt::format("\n{}\n", all.front().end);
}

/// Holds what stands between two marks of the manual against `wanted`, or writes it there.
void expect_section(const std::string& name, const std::string& wanted) {
    const std::string text = manual(), begin = fmt::format("<!-- {}: written by cli_test -->\n", name),
                      end = fmt::format("\n<!-- end of {} -->\n", name);
    const std::size_t from = text.find(begin), to = text.find(end);
    ASSERT_TRUE(from != text.npos && to != text.npos && from < to) << kManual << " lacks the marks\n" << begin << end;
    const std::size_t first = from + begin.size();
    if (std::getenv("WARPTREE_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(kManual) << text.substr(0, first) << wanted << text.substr(to);
        return;
    }
    EXPECT_EQ(text.substr(first, to - first), wanted)
        << "app/manual.md says of " << name
        << " what the program does not; WARPTREE_UPDATE_GOLDENS=1 cli_test writes it.";
}

TEST(Manual, views_are_those_of_the_window) {
    expect_section("views", view_table());
}

TEST(Manual, keys_are_those_of_the_overlay) {
    expect_section("keys", key_tables());
}

TEST(Manual, commands_are_those_of_help) {
    expect_section("commands", command_tables());
}

}  // namespace
}  // namespace warptree::cli
