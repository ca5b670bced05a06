#include "app/cli/words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/errors.hpp"
#include "app/cli/source.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"

namespace warptree::cli {
namespace {

bool is_blank(std::string_view word) {
    return word.find_first_not_of(" \t\r\n") == word.npos;
}
bool is_option(std::string_view word) {
    return word.starts_with("--") && word.size() > 2;
}

}  // namespace

void refuse_empty_words(std::span<char* const> words) {
    std::string_view before;
    for (const std::string_view word : words) {
        const std::size_t value = is_option(word) ? word.find('=') + 1 : 0;  // npos + 1 is 0
        const bool empty = is_blank(word), empty_value = value > 0 && is_blank(word.substr(value));
        if (empty_value || (empty && is_option(before) && before.find('=') == before.npos))
            refuse("{} is given and empty; give it a value, or leave it out.",
                   empty ? before : word.substr(0, value - 1));
        if (empty)
            refuse("The word {} is empty; name what is meant, or leave it out.",
                   before.empty() ? "in front" : fmt::format("after '{}'", before));
        before = word;
    }
}

std::vector<std::string> listed(const std::vector<std::string>& words, std::string_view flag) {
    std::vector<std::string> all;
    for (const std::string& word : words)
        for (std::string& one : split(word, ',')) {
            if (is_blank(one)) refuse("{} {} has an empty name at a comma.", flag, word);
            if (std::ranges::find(all, one) != all.end()) refuse("{} names {} twice; once is enough.", flag, one);
            all.push_back(std::move(one));
        }
    return all;
}

void check_out(const std::string& out, std::initializer_list<std::string_view> endings) {
    if (out.empty()) return;
    const std::string ending = ending_of(out);
    if (!ending.empty() && std::ranges::find(endings, ending) == endings.end())
        refuse("--out {} ends in {}; what is written here ends in {}.", out, ending, fmt::join(endings, " or "));
    taken(trace::DurableFile::create(out));  // nothing remains of it
}

}  // namespace warptree::cli
