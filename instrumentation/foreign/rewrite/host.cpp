// Host code: launches become calls, and kernels' type arguments are recording types; macros that hold either.
#include <algorithm>
#include <map>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

std::string replaced(const std::string& text, const char* pattern, const char* by) {
    return std::regex_replace(text, std::regex(pattern), by);
}
/// The first of two statements that compiles, in a template.
std::string either(std::string_view first, std::string_view second) {
    return fmt::format("if constexpr (requires {{ {0} }}) {{ {1} }} else {{ {2} }}",
                       first.starts_with("return ") ? first.substr(7) : first, first, second);
}

}  // namespace

bool File::is_kernel(std::string_view name) const {
    return shared_.functions.contains(name) && !has(shared_.device_only, name) && !has(own_, name);
}

/// The host's own variables, which may have a kernel's name.
void File::find_hidden() {
    for (std::size_t n = 1; n < t_.size(); ++n)
        if (!inside(n) && is_kernel(t_[n]) && t_.is(n + 1, {"=", ";", "[", ",", ")", "{"}) &&
            (t_.is_word(n - 1) || (t_.is(n - 1, {"*", "&", ">"}) && t_.is_word(n - 2))) &&
            !t_.is(n - 1, {"return", "else", "case"}) && t_[n - 2] != "return")
            hidden_.emplace(t_[n]);
}

/// A kernel's name where it is a value: k = reduce<256>; -> k = ::wt::kernel<reduce<256>>;
void File::kernel_value(std::size_t n) {
    const auto known = shared_.functions.find(t_[n]);
    std::size_t last = n;
    if (t_[n + 1] == "<") last = t_.angle(n + 1).value_or(n);
    if (has(hidden_, t_[n]) || (last == n && !known->second.empty())) return;
    if (!t_.is(last + 1, {",", ")", ";", "}", ":", "?", ">"})) return;
    std::size_t first = n;
    while (t_[first - 1] == "::") first -= t_.is_word(first - 2) ? 2 : 1;
    const bool address = t_[first - 1] == "&";
    static constexpr auto kBefore = {"(", ",", "=", "{", "return", "?", ":", "<", ")"};
    const auto before = t_[first - 1 - address];
    if (std::ranges::find(kBefore, before) == std::end(kBefore)) return;
    std::size_t call = first - 1 - address;  // a macro that launches or pastes it takes its name
    while (call > 0 && !t_.is(call, {"(", ";", "{", "}"})) call = t_[call] == ")" ? t_.match_back(call) - 1 : call - 1;
    if (t_[call] == "(" && has(shared_.naming, t_[call - 1])) return;
    if (address) t_.replace(first - 1, first - 1, "");
    t_.wrap(first, last, "::wt::kernel<", ">");
}

/// Where what a launch at n names begins: k, k<T>, a.k[i], K(1), (*k), k_##T.
std::size_t File::launched_by(std::size_t n) const {
    std::size_t begin = n - 1;
    for (;; begin -= 2) {
        if (t_.is(begin, {">", ">>"}))
            if (const auto open = t_.angle_back(begin)) begin = *open - 1;
        while (t_.is(begin, {")", "]"})) {
            begin = t_.match_back(begin);
            if (t_[begin] == "(" && (!t_.is_word(begin - 1) || t_.is(begin - 1, {"else", "do", "return"})))
                return begin;
            --begin;
        }
        const bool pasted = t_[begin - 1] == "#" && t_[begin - 2] == "#";
        begin -= pasted;
        if (!pasted && !t_.is(begin - 1, {"::", ".", "->"})) return begin;
    }
}

void File::host() {
    find_hidden();
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (t_[n] == "__noinline__" && t_[n - 1] != "(")
            t_.token(n).out.clear();  // the C++ library has it as an attribute
        if (inside(n)) continue;
        if (t_[n + 1] == "<" && shared_.functions.contains(t_[n])) record_arguments(t_[n], n + 1);
        if (is_kernel(t_[n])) kernel_value(n);
        if (t_[n] == "<<<") launch(n);
        if (t_.is(n, {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"}) && t_[n + 1] == "(") launch_by_pointers(n);
    }
}

/// The line of a launch, where it stands in the file that its kernel is shown of; else 0.
const char* File::line_of_launch(const std::string& kernel) const {
    const auto home = shared_.homes.find(kernel);
    return home == shared_.homes.end() || home->second == this ? "__LINE__" : "0";
}

/// kernel<<<grid, block>>>(a, b) -> ::wt::launch("kernel", "a, b", line, Config(grid, block), kernel, a, b)
/// n  at the '<<<'
void File::launch(std::size_t n) {
    const std::size_t begin = launched_by(n);
    std::size_t close = n + 1;
    while (close < t_.size() && t_[close] != ">>>")
        close = t_.is(close, {"(", "{", "["}) ? t_.match(close) + 1 : close + 1;
    if (t_[close + 1] != "(") return;
    const std::size_t end = t_.match(close + 1);
    std::string name = t_.is_word(begin) ? std::string(t_[begin]) : "kernel";
    const bool macro = shared_.macros.contains(t_[begin]);
    bool known = false;
    for (std::size_t m = begin; m < n && !macro; ++m)
        if (shared_.functions.contains(t_[m])) name = t_[m], known = true;
    const bool empty = end == close + 2;
    std::string names = empty ? "" : t_.plain(close + 2, end);
    std::erase_if(names, [](char c) { return c == '"' || c == '\\'; });
    const std::string callee = t_.written(begin, n);
    const auto function = shared_.functions.find(name);
    const bool deduced = function != shared_.functions.end() && !function->second.empty() && !callee.ends_with(">");
    const std::string recorded = fmt::format("{}(::wt::recorded(wt_a)...);", callee);
    const std::string by_pointer = fmt::format("::wt::call({}, wt_a...);", callee);
    std::string shown = fmt::format("\"{}\"", name), call = fmt::format("{}(wt_a...);", callee);
    if (deduced) call = either(call, recorded);
    if (!known) {
        const bool made = in_macro_ || macro || (t_[n - 1] == ")" && t_.is_word(begin));
        if (made) shown = fmt::format("::wt::word_of(WT_TEXT({}))", callee);
        const std::string pointed = fmt::format("::wt::name_of({}, {}", callee, shown);
        if (made) {  // it may also be a template, which is no value
            call = either(call, either(recorded, by_pointer));
            shown = fmt::format("[&](auto... wt_e) {{ {} }}()",
                                either(fmt::format("return {}, wt_e...);", pointed), fmt::format("return {};", shown)));
        } else {
            call = by_pointer;
            shown = pointed + ")";
        }
    }
    t_.replace(begin, n, fmt::format("::wt::launch({}, \"{}\", {}, ::wt::Config(", shown, names, line_of_launch(name)));
    t_.token(close).out = fmt::format("), [&](auto&&... wt_a) {{ {} }}{}", call, empty ? "" : ", ");
    t_.token(close + 1).out.clear();
}

/// cudaLaunchCooperativeKernel((void*)kernel, ...) -> ::wt::launch_kernel(line, true, (void*)::wt::kernel<kernel>, ...)
void File::launch_by_pointers(std::size_t n) {
    std::string name;
    for (std::size_t m = n + 2; m < t_.end_of(n + 2, {","}); ++m)
        if (shared_.functions.contains(t_[m])) name = t_[m];
    const bool cooperative = t_[n] == "cudaLaunchCooperativeKernel";
    t_.token(n).out = "::wt::launch_kernel";
    t_.token(n + 1).out = fmt::format("({}, {}, ", line_of_launch(name), cooperative);
}

/// Macros that device code uses, by others, too; not those that #if asks for.
Words File::macros_of_device() const {
    Words all;
    std::vector<std::string_view> open(shared_.device_words.begin(), shared_.device_words.end());
    while (!open.empty()) {
        const auto macro = shared_.macros.find(open.back());
        open.pop_back();
        if (macro != shared_.macros.end() && !has(shared_.tested, macro->first) && all.insert(macro->first).second)
            open.insert(open.end(), macro->second.begin(), macro->second.end());
    }
    return all;
}

/// Whether what is handed to a macro, in this file, binds more than a comparison does.
bool File::binds(std::string_view macro) const {
    static const Words kLess = {"<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||", "?", "++", "--"};
    bool used = false;
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (t_[n] != macro || t_[n + 1] != "(") continue;
        used = true;
        int depth = 0;
        for (std::size_t m = n + 2, end = t_.match(n + 1); m < end; ++m) {
            depth += t_.is(m, {"(", "["}) ? 1 : t_.is(m, {")", "]"}) ? -1 : 0;
            if (depth == 0 && (has(kLess, t_[m]) || has(kAssigns, t_[m]))) return false;
        }
    }
    return used;
}

/// A macro's body, with its conditionals, where device code uses it, and its launches.
std::string File::in_macro(const std::string& body, bool device, bool binds) const {
    File inner(body, shared_);
    inner.in_macro_ = true;
    inner.binds_ = binds;
    Region all;
    all.end = inner.t_.size();
    if (device) inner.divisors(all), inner.conditionals(all);
    if (body.find("<<") != body.npos) inner.host();
    return replaced(inner.t_.text(), R"(\\?\n)", "\\\n");
}

/// Types in macros that device code alone uses; conditionals in those that it uses; launches in any.
void File::macros() {
    Words device, outside;
    const Words of_device = macros_of_device();
    for (std::size_t n = 0; n < t_.size(); ++n)
        if (t_.is_word(n)) (inside(n) ? device : outside).emplace(t_[n]);
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (!t_.is_directive(n)) continue;
        std::smatch define;
        const std::string text = t_.token(n).out;
        static const std::regex kDefine(R"((\s*#\s*define\s+(\w+)(?:\([^)]*\))?)([\s\S]*))");
        if (!std::regex_match(text, define, kDefine)) continue;
        const std::string name = define[2];
        const bool records = has(device, name) && !has(outside, name) && !has(shared_.float_names, name) &&
                             !has(shared_.integer_names, name);
        std::string body;
        for (const Token& token : tokens_of(std::string_view(text).substr(define.position(3)))) {
            static const std::map<std::string_view, std::string_view> kIndices = {{"threadIdx", "::wt::tid()"},
                                                                                  {"blockIdx", "::wt::bid()"},
                                                                                  {"blockDim", "::wt::bdim()"},
                                                                                  {"gridDim", "::wt::gdim()"}};
            static const Words kRecorded = {"float4", "float2", "float", "double2", "double", "int4"};
            const auto index = kIndices.find(token.text);
            if (index != kIndices.end())
                body += index->second;
            else if (records && has(kRecorded, token.text))
                body += fmt::format("::wt::V<{}>", token.text);
            else
                body += token.text;
        }
        t_.token(n).out =
            define[1].str() + in_macro(body, has(of_device, name), body.find('?') != body.npos && binds(name));
    }
}

std::string File::launched() {
    host();
    macros();
    return t_.text();
}

void File::prepare() {
    if (std::exchange(prepared_, true)) return;
    for (const auto& [begin, end] : outside_) t_.replace(begin, end, "");
    for (Region& region : regions_) collect(region);
    for (Region& region : regions_) {
        region.twice = is_twice(region);
        if (region.twice) for_host_[region.begin] = t_.written(region.begin, region.end + 1) + " ";
    }
    doubled_ = !for_host_.empty();
    rewrite_structs();
    for (const auto& [begin, end] : variables_) device_variable(begin, end);
}

void File::infer_all() {
    prepare();
    for (const std::string& name : shared_.declared) {
        if (has(shared_.data_returns, name)) data_returns_.insert(name);
        if (const auto known = shared_.data_parameters.find(name); known != shared_.data_parameters.end())
            data_parameters_[name].insert(known->second.begin(), known->second.end());
    }
    for (Region& region : regions_)  // those without a body, too
        for (const std::size_t i : data_parameters_[region.name])
            if (i < region.parameters.size()) region.data.insert(region.parameters[i]);
    for (std::size_t before = ~std::size_t{0}; before != facts();) {
        before = facts();
        for (Region& region : regions_) infer(region);
    }
    for (const std::string& name : shared_.declared) {
        if (has(data_returns_, name)) shared_.data_returns.insert(name);
        if (const auto known = data_parameters_.find(name); known != data_parameters_.end())
            shared_.data_parameters[name].insert(known->second.begin(), known->second.end());
    }
}

std::string File::rewritten() {
    infer_all();
    for (Region& region : regions_) rewrite(region);
    for (const auto& [at, text] : for_host_) t_.token(at).before.insert(0, text);
    return launched();
}

}  // namespace warptree::foreign
