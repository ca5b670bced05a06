// Finds functions and variables of the device, and names of types.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

const Words kFloats = {"float", "double"};

/// "unsigned int" -> an integer, "float" -> a float; 0 otherwise.
int sort_of(const std::vector<std::string>& words) {
    if (words.empty()) return 0;
    if (std::ranges::all_of(words, [](const auto& word) { return has(kIntegerWords, word); })) return 1;
    return words.size() == 1 && has(kFloats, words[0]) ? 2 : 0;
}

}  // namespace

std::string File::included_name(std::size_t n) const {
    const Tokens inner(t_[n].substr(t_[n].find('#') + 1));
    if (inner[0] != "include") return {};
    const std::string_view line = t_[n];
    const std::size_t open = line.find_first_of("<\"", line.find("include") + 7);
    if (open == line.npos) return {};
    const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    return close == line.npos ? std::string() : std::string(line.substr(open + 1, close - open - 1));
}

void File::survey() {
    find_aliases();
    drop_branches();
    find_regions();
    find_structs();
    for (std::size_t n = 0; n < t_.size(); ++n)
        if (t_[n] == "__shared__" && !inside(n)) n = shared_array(nullptr, n);
}

bool File::has_main() const {
    for (std::size_t n = 1; n < t_.size(); ++n)
        if (t_[n] == "main" && t_[n + 1] == "(" && t_.is_word(n - 1) && t_.is(t_.match(n + 1) + 1, {"{", "try", "->"}))
            return true;
    return false;
}

std::ptrdiff_t File::inner_launch() const {
    for (const Region& region : regions_)
        for (std::size_t n = region.body; n < region.end && n < t_.size(); ++n)
            if (t_[n] == "<<<") return t_.line(n);
    return 0;
}

void File::find_aliases() {
    const auto note = [this](std::vector<std::string> words, std::string_view name) {
        std::erase_if(words, [](const auto& word) { return word == "const" || word == "volatile"; });
        const bool points = !words.empty() && words.back() == "*";
        if (points) words.pop_back();
        const int sort = sort_of(words);
        if (sort == 0) return;
        if (points) shared_.pointer_names.emplace(name);
        (sort == 1 && !points ? shared_.integer_names : shared_.float_names).emplace(name);
    };
    for (std::size_t n = 0; n < t_.size(); ++n) {
        std::vector<std::string> words;
        if (t_[n] == "typedef") {
            const std::size_t end = t_.end_of(n, {";"});
            for (std::size_t m = n + 1; m + 1 < end; ++m) words.emplace_back(t_[m]);
            note(words, t_[end - 1]);
        } else if (t_[n] == "using" && t_[n + 2] == "=") {
            for (std::size_t m = n + 3; m < t_.end_of(n, {";"}); ++m) words.emplace_back(t_[m]);
            note(words, t_[n + 1]);
        } else if (t_.is_directive(n)) {
            const Tokens inner(t_[n].substr(t_[n].find('#') + 1));
            if (inner[0] == "if" || inner[0] == "elif")
                for (std::size_t m = 1; m < inner.size(); ++m) shared_.tested.emplace(inner[m]);
            if (inner[0] != "define") continue;
            own_.emplace(inner[1]);
            Words& body = shared_.macros[std::string(inner[1])];
            for (std::size_t m = 2; m < inner.size(); ++m) {
                words.emplace_back(inner[m]);
                if (inner.is_word(m)) body.emplace(inner[m]);
                if (inner[m] == "<<<" || inner[m].starts_with("#")) shared_.naming.emplace(inner[1]);
            }
            note(words, inner[1]);
        }
    }
}

/// Whether an #if, #ifdef, ... holds, where that hangs on one number or one name that is no compiler's.
std::optional<bool> File::holds(const Tokens& directive) const {
    const auto defined = [&](std::size_t n) -> std::optional<bool> {
        if (directive[n].starts_with("__")) return std::nullopt;
        return has(own_, directive[n]) || shared_.macros.contains(directive[n]);
    };
    std::size_t n = 1;
    const bool negated = directive[0] == "ifndef" || directive[n] == "!";
    n += directive[n] == "!";
    std::optional<bool> holds;
    if (directive.is(0, {"ifdef", "ifndef"}) && directive.size() == 2) holds = defined(1);
    if (directive.is(n, {"0", "1"}) && directive.size() == n + 1) holds = directive[n] == "1";
    if (directive[n] == "defined" && directive.size() == n + (directive[n + 1] == "(" ? 4 : 2))
        holds = defined(n + (directive[n + 1] == "(" ? 2 : 1));
    return holds && negated ? !*holds : holds;
}

/// Branches of #if that have heads of functions alone, a brace each, would not match: of those one stays.
void File::drop_branches() {
    struct Branch {
        std::ptrdiff_t begin, end;
        std::optional<bool> holds;
        int depth;  // after it, from what it was before
    };
    std::vector<std::vector<Branch>> open;
    std::vector<bool> gone(t_.size());
    for (std::size_t n = 0; n < t_.size(); ++n) {
        const int change = t_.is(n, {"{"}) ? 1 : t_.is(n, {"}"}) ? -1 : 0;
        if (change != 0 && t_.kind(n) == TokenKind::kSign)
            for (auto& branches : open) branches.back().depth += change;
        if (!t_.is_directive(n)) continue;
        const Tokens inner(t_[n].substr(t_[n].find('#') + 1));
        const bool begins = inner[0].starts_with("if"), ends = inner[0] == "endif";
        const bool other = inner[0].starts_with("el");
        if ((other || ends) && !open.empty()) open.back().back().end = static_cast<std::ptrdiff_t>(n);
        if (begins) open.emplace_back();
        if ((begins || other) && !open.empty())
            open.back().push_back({static_cast<std::ptrdiff_t>(n) + 1, 0, inner[0] == "else" ? true : holds(inner), 0});
        if (!ends || open.empty()) continue;
        const std::vector<Branch> branches = std::move(open.back());
        open.pop_back();
        const int depth = branches.front().depth;
        if (branches.size() < 2 || depth == 0) continue;
        if (std::ranges::any_of(branches, [&](const Branch& one) { return one.depth != depth; })) continue;
        for (auto& outer : open) outer.back().depth -= depth * static_cast<int>(branches.size() - 1);
        const auto taken = std::ranges::find_if(branches, [](const Branch& one) { return one.holds.value_or(true); });
        if (taken == branches.end() || !taken->holds) continue;
        for (auto one = branches.begin(); one != branches.end(); ++one)
            if (one != taken) std::fill(gone.begin() + one->begin, gone.begin() + one->end, true);
    }
    t_.drop(gone);
}

void File::find_regions() {
    for (std::size_t n = 0; n < t_.size(); ++n)
        if (t_.is_word(n) && t_.is(n, {"__global__", "__device__", "__managed__"})) n = add_region(n);
    inside_.assign(t_.size(), false);
    for (const Region& region : regions_)
        std::fill(inside_.begin() + static_cast<std::ptrdiff_t>(region.begin),
                  inside_.begin() + static_cast<std::ptrdiff_t>(std::min(region.end + 1, t_.size())), true);
}

/// n         at __global__ or __device__
/// returns   the last token of the function, or of the variable
std::size_t File::add_region(std::size_t n) {
    std::size_t begin = n;
    while (begin > 0 && !t_.is_directive(begin - 1) && !t_.is(begin - 1, {";", "{", "}"}) &&
           !(t_[begin - 1] == ":" && t_.is(begin - 2, {"public", "private", "protected"})))
        --begin;
    std::size_t m = n, open = 0;
    std::string name;
    for (; m < t_.size() && !t_.is(m, {";", "=", "{", "["}); ++m) {
        if (t_.is(m, {"__launch_bounds__", "__align__", "__attribute__", "alignas", "decltype"}) && t_[m + 1] == "(") {
            m = t_.match(m + 1);
        } else if (t_[m] == "operator") {
            open = m + (t_[m + 1] == "(" ? 3 : 1);
            while (open < t_.size() && t_[open] != "(") ++open;
            name = t_[m + 1] == "(" ? "operator()" : "operator";
            break;
        } else if (t_[m] == "<") {
            if (const auto close = t_.angle(m)) m = *close;
        } else if (t_[m] == "(") {
            open = m;
            const auto angle = t_[m - 1] == ">" ? t_.angle_back(m - 1) : std::nullopt;  // a template's special case
            name = t_[angle ? *angle - 1 : m - 1];
            break;
        }
    }
    if (open == 0) {
        const std::size_t end = t_.end_of(n, {";"});
        variables_.emplace_back(begin, end);
        return end;
    }
    Region region;
    region.begin = begin;
    region.open = open;
    region.close = t_.match(open);
    region.body = region.close + 1;
    while (region.body < t_.size() && !t_.is(region.body, {"{", ";", "="}))
        region.body = t_[region.body] == "(" ? t_.match(region.body) + 1 : region.body + 1;
    region.end = t_[region.body] == "{" ? t_.match(region.body) : region.body;
    region.name = name;
    for (std::size_t k = begin; k < open; ++k) {
        region.kernel |= t_[k] == "__global__";
        region.hosts |= t_[k] == "__host__";
    }
    if (!name.starts_with("operator")) {
        const std::vector<bool> kinds = template_kinds(begin);
        auto& known = shared_.functions[name];
        if (!kinds.empty() || known.empty()) known = kinds;
        if (!region.kernel) {
            shared_.declared.insert(name);
            shared_.device_only.insert(name);
        } else if (t_[region.body] == "{") {
            kernels_.push_back(name);
            shared_.homes[name] = this;
        }
    }
    regions_.push_back(region);
    return region.end;
}

std::vector<bool> File::template_kinds(std::size_t n) const {
    std::vector<bool> kinds;
    if (t_[n] != "template") return kinds;
    const auto close = t_.angle(n + 1);
    if (!close) return kinds;
    int depth = 0;
    bool begins = true;
    for (std::size_t m = n + 2; m < *close; ++m) {
        if (begins) kinds.push_back(t_.is(m, {"typename", "class"}));
        begins = depth == 0 && t_[m] == ",";
        depth += t_.is(m, {"<", "(", "["}) ? 1 : t_.is(m, {">", ")", "]"}) ? -1 : 0;
    }
    return kinds;
}

/// __device__ float sum; __constant__ ones stay plain: the device does not write them.
void File::device_variable(std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m)
        if (t_[m] == "__constant__" || t_[m] == "class" || t_[m] == "struct" || t_[m] == "constexpr") return;
    bool typed = false;
    std::vector<std::string> names;
    for (std::size_t m = begin; m < end && t_[m] != "="; ++m) {
        if (!typed && is_view(t_[m])) {
            t_.token(m).out = "wt_" + std::string(t_[m]);
            typed = true;
        } else if (!typed && is_float(m)) {
            record_type(m, m);
            typed = true;
        } else if (const auto last = !typed ? integer_type(m) : std::nullopt) {
            record_type(m, *last);
            typed = true;
            m = *last;
        } else if (typed && t_.is_word(m) && t_.is(m + 1, {"[", ";", "=", ","})) {
            names.emplace_back(t_[m]);
            note_device_data(m);
            int depth = 0;
            for (std::size_t k = m + 1; k + 1 < end; ++k) {  // further declarators
                depth += t_.is(k, {"(", "[", "{"}) ? 1 : t_.is(k, {")", "]", "}"}) ? -1 : 0;
                if (depth != 0 || t_[k] != ",") continue;
                while (t_.is(k + 1, {"*", "&"})) ++k;
                if (!t_.is_word(k + 1)) continue;
                names.emplace_back(t_[k + 1]);
                note_device_data(k + 1);
            }
            break;
        }
    }
    if (end >= t_.size()) return;
    if (names.empty())
        t_.token(end).after += fmt::format(" static ::wt::Variable wt_untracked_{}(nullptr, 0, 0, \"\");", begin);
    bool managed = false;
    for (std::size_t m = begin; m < end; ++m) managed |= t_[m] == "__managed__";
    for (const std::string& name : names) {
        t_.token(end).after += fmt::format(
            " static ::wt::Variable wt_variable_{0}(&{0}, sizeof({0}), "
            "sizeof(::std::remove_all_extents_t<decltype({0})>), "
            "\"{0}\", {1});",
            name, managed);
        if (managed) see_from_host(name, end);
    }
}

/// A variable of the device, at its name: functions that have none of that name get data from it.
void File::note_device_data(std::size_t at) {
    for (Region& region : regions_) {
        const auto declares = [&](const Region::Group& group) { return has(group.names, t_[at]); };
        if (std::ranges::find(region.parameters, t_[at]) == region.parameters.end() &&
            std::ranges::none_of(region.groups, declares))
            (t_[at + 1] == "[" ? region.pointers : region.data).emplace(t_[at]);
    }
}

/// In host code a managed variable is as it was written: its address goes where plain ones go.
void File::see_from_host(const std::string& name, std::size_t end) {
    std::vector<std::size_t> uses;
    for (std::size_t n = end + 1; n < t_.size(); ++n) {
        if (inside_[n] || !t_.is_word(n) || t_[n] != name || t_.is(n - 1, {".", "->", "::"})) continue;
        const bool declares =
            (t_.is_word(n - 1) && !t_.is(n - 1, {"return", "case", "sizeof", "delete", "else"})) ||
            (t_.is(n - 1, {"*", "&"}) && t_.is_word(n - 2) && t_.is(n + 1, {";", "=", "[", ")", ","}));
        if (declares) return;  // another thing of this name
        uses.push_back(n);
    }
    for (const std::size_t n : uses) t_.token(n).out = "wt_host_" + name;
    t_.token(end).after += fmt::format(" static auto& wt_host_{0} = ::wt::as_plain({0});", name);
}

}  // namespace warptree::foreign
