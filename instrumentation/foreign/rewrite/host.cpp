// Host code: launches become calls, and kernels' type arguments are recording types; macros that hold either.
#include <regex>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

std::string replaced(const std::string& text, const char* pattern, const char* by) {
    return std::regex_replace(text, std::regex(pattern), by);
}

}  // namespace

void File::host() {
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (t_[n] == "__noinline__" && t_[n - 1] != "(")
            t_.token(n).out.clear();  // the C++ library has it as an attribute
        if (inside(n)) continue;
        if (t_[n + 1] == "<" && shared_.functions.contains(t_[n])) record_arguments(t_[n], n + 1);
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
    std::size_t begin = n - 1;
    if (t_.is(begin, {">", ">>"}))
        if (const auto open = t_.angle_back(begin)) begin = *open - 1;
    while (t_.is(begin - 1, {"::", "."})) begin -= 2;
    if (t_[begin] == ")") begin = t_.match_back(begin);
    if (t_[begin] == "(" && t_.is_word(begin - 1)) --begin;  // a macro that names it
    std::size_t close = n + 1;
    while (close < t_.size() && t_[close] != ">>>")
        close = t_.is(close, {"(", "{", "["}) ? t_.match(close) + 1 : close + 1;
    if (t_[close + 1] != "(") return;
    const std::size_t end = t_.match(close + 1);
    std::string name = t_.is_word(begin) ? std::string(t_[begin]) : "kernel";
    for (std::size_t m = begin; m < n; ++m)
        if (shared_.functions.contains(t_[m])) name = t_[m];
    const bool empty = end == close + 2;
    std::string names = empty ? "" : t_.plain(close + 2, end);
    std::erase_if(names, [](char c) { return c == '"' || c == '\\'; });
    const std::string callee = t_.written(begin, n);
    t_.replace(begin, n,
               fmt::format("::wt::launch(\"{}\", \"{}\", {}, ::wt::Config(", name, names, line_of_launch(name)));
    t_.token(close).out = fmt::format("), [&](auto&&... wt_a) {{ {}(wt_a...); }}{}", callee, empty ? "" : ", ");
    t_.token(close + 1).out.clear();
}

/// cudaLaunchCooperativeKernel((void*)kernel, ...) -> ::wt::launch_kernel("kernel", line, true, kernel, ...)
void File::launch_by_pointers(std::size_t n) {
    std::size_t begin = n + 2;
    if (t_[begin] == "(" && t_.is(t_.match(begin) - 1, {"*"})) {  // a cast, which loses what it is
        const std::size_t close = t_.match(begin);
        t_.replace(begin, close, "");
        begin = close + 1;
    }
    std::string name = "kernel";
    for (std::size_t m = begin; m < t_.end_of(begin, {","}); ++m)
        if (shared_.functions.contains(t_[m])) name = t_[m];
    const bool cooperative = t_[n] == "cudaLaunchCooperativeKernel";
    t_.token(n).out = "::wt::launch_kernel";
    t_.token(n + 1).out = fmt::format("(\"{}\", {}, {}, ", name, line_of_launch(name), cooperative);
}

/// Types in macros that device code alone uses, and launches in any.
void File::macros() {
    Words device, outside;
    for (std::size_t n = 0; n < t_.size(); ++n)
        if (t_.is_word(n)) (inside(n) ? device : outside).emplace(t_[n]);
    for (std::size_t n = 0; n < t_.size(); ++n) {
        if (!t_.is_directive(n)) continue;
        std::smatch define;
        const std::string text = t_.token(n).out;
        static const std::regex kDefine(R"((\s*#\s*define\s+(\w+)(?:\([^)]*\))?)([\s\S]*))");
        if (!std::regex_match(text, define, kDefine)) continue;
        const std::string name = define[2];
        std::string body = define[3];
        body = replaced(body, R"(\bthreadIdx\b)", "::wt::tid()");
        body = replaced(body, R"(\bblockIdx\b)", "::wt::bid()");
        body = replaced(body, R"(\bblockDim\b)", "::wt::bdim()");
        body = replaced(body, R"(\bgridDim\b)", "::wt::gdim()");
        if (has(device, name) && !has(outside, name) && !has(shared_.float_names, name) &&
            !has(shared_.integer_names, name))
            body = replaced(body, R"(\b(float4|float2|float|double2|double|int4)\b)", "::wt::V<$1>");
        if (body.find("<<") != body.npos) {
            File inner(body, shared_);
            inner.host();
            body = inner.t_.text();
        }
        t_.token(n).out = define[1].str() + body;
    }
}

std::string File::launched() {
    host();
    macros();
    return t_.text();
}

std::string File::rewritten() {
    for (const auto& [begin, end] : outside_) t_.replace(begin, end, "");
    for (Region& region : regions_) collect(region);
    for (std::size_t before = ~std::size_t{0}; before != facts();) {
        before = facts();
        for (Region& region : regions_) infer(region);
    }
    for (Region& region : regions_) rewrite(region);
    return launched();
}

}  // namespace warptree::foreign
