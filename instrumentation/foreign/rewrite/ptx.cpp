// Inline PTX: single instructions that have a word in C++, such as mov.u32 %0, %laneid.
#include <map>

#include <fmt/format.h>

#include "instrumentation/foreign/rewrite/file.hpp"

namespace warptree::foreign {
namespace {

/// An asm statement's parts.
struct Assembly {
    std::string text;                   // all of its strings
    std::vector<std::string> operands;  // in order
};

/// Of instructions by their first word what they give; {1} and so on are the operands after the first.
const std::map<std::string_view, const char*> kGives = {{"ld", "*({1})"},
                                                        {"add", "({1}) + ({2})"},
                                                        {"sub", "({1}) - ({2})"},
                                                        {"mul", "({1}) * ({2})"},
                                                        {"and", "({1}) & ({2})"},
                                                        {"or", "({1}) | ({2})"},
                                                        {"xor", "({1}) ^ ({2})"},
                                                        {"min", "::wt::min({1}, {2})"},
                                                        {"max", "::wt::max({1}, {2})"},
                                                        {"fma", "({1}) * ({2}) + ({3})"},
                                                        {"mad", "({1}) * ({2}) + ({3})"},
                                                        {"popc", "__popc({1})"},
                                                        {"clz", "__clz({1})"},
                                                        {"brev", "__brev({1})"},
                                                        {"bfe", "(({1}) >> ({2}) & ((1u << ({3})) - 1))"},
                                                        {"rcp", "1 / ({1})"},
                                                        {"sqrt", "::wt::sqrtf({1})"},
                                                        {"ex2", "::wt::exp2f({1})"},
                                                        {"lg2", "::wt::log2f({1})"}};
const std::map<std::string_view, const char*> kRegisters = {{"laneid", "::wt::lane()"},
                                                            {"warpid", "::wt::warp()"},
                                                            {"lanemask_lt", "((1u << ::wt::lane()) - 1)"},
                                                            {"lanemask_le", "((2u << ::wt::lane()) - 1)"},
                                                            {"lanemask_eq", "(1u << ::wt::lane())"},
                                                            {"lanemask_ge", "~((1u << ::wt::lane()) - 1)"},
                                                            {"lanemask_gt", "~((2u << ::wt::lane()) - 1)"},
                                                            {"tid.x", "::wt::tid().x"},
                                                            {"ctaid.x", "::wt::bid().x"},
                                                            {"ntid.x", "::wt::bdim().x"},
                                                            {"nctaid.x", "::wt::gdim().x"},
                                                            {"smid", "0"},
                                                            {"nsmid", "4"},
                                                            {"clock", "clock64()"},
                                                            {"clock64", "clock64()"},
                                                            {"globaltimer", "clock64()"}};
const std::map<std::string_view, const char*> kDoes = {{"bar", "__syncthreads()"},
                                                       {"barrier", "__syncthreads()"},
                                                       {"membar", "__threadfence()"},
                                                       {"fence", "__threadfence()"},
                                                       {"prefetch", ""},
                                                       {"prefetchu", ""},
                                                       {"nanosleep", ""},
                                                       {"griddepcontrol", ""},
                                                       {"discard", ""}};

/// returns  "" where there is no word for it
std::string statement_of(const Assembly& assembly) {
    std::string text = assembly.text;
    for (const char* mark : {"\\n", "\\t", "{", "}"})
        for (std::size_t at; (at = text.find(mark)) != text.npos;) text.replace(at, std::string_view(mark).size(), " ");
    const std::size_t begin = text.find_first_not_of(' '), end = text.find(';');
    if (begin == text.npos) return ";";  // it keeps the compiler from moving things
    if (end != text.npos && text.find_first_not_of("; ", end) != text.npos) return {};  // several
    const std::string_view name = std::string_view(text).substr(begin, text.find_first_of(" .;", begin) - begin);
    const auto& operands = assembly.operands;
    const auto operand = [&](std::size_t i) { return i < operands.size() ? operands[i] : std::string(); };
    if (name == "mov" && operands.size() == 1) {
        const std::size_t at = text.find('%', text.find(','));
        const std::size_t from = at == text.npos ? at : text.find_first_not_of('%', at);
        if (from == text.npos) return {};
        const auto found = kRegisters.find(std::string_view(text).substr(from, text.find_first_of("; ", from) - from));
        return found == kRegisters.end() ? "" : fmt::format("{} = {};", operand(0), found->second);
    }
    // Registers side by side, or one; an address of shared memory may be a number
    const std::size_t width = text.find(".v4") != text.npos ? 4 : text.find(".v2") != text.npos ? 2 : 1;
    const bool shared = text.find(".shared") != text.npos;
    if ((name == "ld" || name == "st") && (shared || width > 1) && operands.size() == width + 1) {
        const std::size_t first = name == "ld" ? 0 : 1;
        std::string out = fmt::format("{{ auto* wt_at = ::wt::pointed<decltype({})>({}); ", operands[first],
                                      name == "ld" ? operands.back() : operands[0]);
        for (std::size_t i = 0; i < width; ++i)
            out += name == "ld" ? fmt::format("{} = wt_at[{}]; ", operands[i], i)
                                : fmt::format("wt_at[{}] = {}; ", i, operands[i + 1]);
        return out + "}";
    }
    if (name == "st" && operands.size() == 2) return fmt::format("*({}) = {};", operand(0), operand(1));
    if (name == "red" && operands.size() == 2 && text.find(".add") != text.npos)
        return fmt::format("atomicAdd({}, {});", operand(0), operand(1));
    if (const auto found = kDoes.find(name); found != kDoes.end())
        return text.find(".warp") != text.npos ? "__syncwarp();" : fmt::format("{};", found->second);
    const auto found = kGives.find(name);
    const std::size_t used = found == kGives.end()                                      ? 0
                             : std::string_view(found->second).find("{3}") != text.npos ? 4
                             : std::string_view(found->second).find("{2}") != text.npos ? 3
                                                                                        : 2;
    if (used == 0 || operands.size() != used || text.find(".v2") != text.npos || text.find(".v4") != text.npos)
        return {};
    return fmt::format("{} = ", operand(0)) +
           fmt::format(fmt::runtime(found->second), operand(0), operand(1), operand(2), operand(3)) + ";";
}

}  // namespace

/// What is no single instruction with a word in C++ ends the kernel, where it gets there.
/// n  at the asm
void File::inline_ptx(std::size_t n) {
    std::size_t open = n + 1;
    while (t_.is(open, {"volatile", "__volatile__", "goto"})) ++open;
    if (t_[open] != "(") return;
    const std::size_t close = t_.match(open);
    Assembly assembly;
    int part = 0;
    for (std::size_t m = open + 1; m < close; ++m) {
        if (t_[m] == "::" || t_[m] == ":") part += t_[m] == "::" ? 2 : 1;
        if (t_.kind(m) == TokenKind::kText && part == 0) assembly.text += t_[m].substr(1, t_[m].size() - 2);
        if (t_[m] == "(" && part > 0) {
            assembly.operands.push_back(t_.written(m + 1, t_.match(m)));
            m = t_.match(m);
        }
    }
    std::string statement = statement_of(assembly);
    if (statement.empty()) {
        std::erase_if(assembly.text, [](char c) { return c == '"' || c == '\\'; });
        statement = fmt::format("::wt::trap(\"inline PTX, which is not understood here: {}\");", assembly.text);
    }
    t_.replace(n, t_[close + 1] == ";" ? close + 1 : close, statement);
}

}  // namespace warptree::foreign
