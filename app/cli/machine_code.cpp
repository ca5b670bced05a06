// Reading cuobjdump's text:
//   		Function : _ZN8warptree7kernels4cuda8harris_4IfEEv...
//           /*01f0*/              @!P1 STS [R7], R4 ;                    /* 0x0000000407007388 */
#include "app/cli/machine_code.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <ranges>

#include <fmt/format.h>

namespace warptree::cli {
namespace {

/// "   /*01f0*/     @!P1 STS [R7], R4 ;   /* 0x... */" -> "/*01f0*/ @!P1 STS [R7], R4"; "" for other lines.
std::string instruction(std::string_view line) {
    const std::size_t begin = line.find("/*"), end = line.find(';');
    if (begin == line.npos || end == line.npos || end < begin) return {};
    std::string text;
    for (const char c : line.substr(begin, end - begin)) {
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (space && (text.empty() || text.back() == ' ')) continue;
        text += space ? ' ' : c;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

}  // namespace

MachineCode MachineCode::parse(std::string_view dump) {
    constexpr std::string_view kFunction = "Function : ";
    MachineCode code;
    std::vector<std::string>* function = nullptr;
    for (const auto part : std::views::split(dump, '\n')) {
        const std::string line(part.begin(), part.end());
        if (const std::size_t at = line.find(kFunction); at != line.npos) {
            function = &code.functions_[std::string(line.substr(at + kFunction.size()))];
        } else if (function != nullptr) {
            if (std::string text = instruction(line); !text.empty()) function->push_back(std::move(text));
        }
    }
    return code;
}

std::string shell_word(std::string_view word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

std::optional<std::string> output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) return std::nullopt;
    std::string text;
    char buffer[65536];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, got);
    return text;
}

Result<MachineCode> MachineCode::of(const std::string& program) {
    MachineCode code =
        parse(output_of(fmt::format("cuobjdump --dump-sass {} 2>/dev/null", shell_word(program))).value_or(""));
    if (!code.functions_.empty()) return code;
    return failure(
        fmt::format("cuobjdump found no machine code in {}; it comes with the CUDA Toolkit, and the program "
                    "has to be built for this GPU (-DCMAKE_CUDA_ARCHITECTURES=native).",
                    program));
}

std::string MachineCode::find(std::string_view kernel, value::Type type, std::uint32_t block, std::string_view mnemonic,
                              bool guarded, std::string_view operand) const {
    std::string name(kernel);
    std::replace(name.begin(), name.end(), '-', '_');
    const char element = type == value::Type::kInt32 ? 'i' : 'f';
    const std::string any_block = fmt::format("{}{}I{}E", name.size(), name, element);
    const std::string other = fmt::format("{}{}I{}Lj", name.size(), name, element);  // the parameter is another number
    const std::string this_block = fmt::format("{}{}E", other, block);
    const auto has = [&](const std::string& part) {
        return std::ranges::any_of(functions_, [&](const auto& f) { return f.first.find(part) != part.npos; });
    };
    const std::string& wanted = has(any_block) ? any_block : has(this_block) ? this_block : other;
    for (const auto& [mangled, instructions] : functions_) {
        if (mangled.find(wanted) == mangled.npos) continue;
        for (const std::string& text : instructions) {
            const std::size_t first = text.find(' ') + 1;
            const bool has_guard = text.compare(first, 1, "@") == 0 && text.compare(first + 1, 1, "U") != 0;
            const std::size_t at = text.compare(first, 1, "@") == 0 ? text.find(' ', first) + 1 : first;
            if (text.compare(at, mnemonic.size(), mnemonic) == 0 && (has_guard || !guarded) &&
                text.find(operand, at) != text.npos)
                return text;
        }
    }
    return {};
}

}  // namespace warptree::cli
