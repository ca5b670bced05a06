// The kernels' machine code (SASS), as cuobjdump prints it: the evidence for what the compiler made of a listing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/result.hpp"
#include "instrumentation/value/type.hpp"

namespace warptree::cli {

/// What a command of the shell prints; words from outside it gets from shell_word(). returns  none where it cannot be
/// started
std::optional<std::string> output_of(const std::string& command);
/// A word as a shell reads it, whatever is in it.
std::string shell_word(std::string_view word);

/// Instructions of every plain kernel in a program.
class MachineCode {
public:
    /// Reads what `cuobjdump --dump-sass` prints.
    static MachineCode parse(std::string_view dump);
    /// Runs it on a program. errors  it is not installed, or finds no machine code there
    static Result<MachineCode> of(const std::string& program);

    /// The first instruction of a kernel that begins with `mnemonic`, with its address: "/*01f0*/ @!P1 STS [R7], R4".
    /// block    of a kernel that is compiled for each block size, which one; others have one code for all
    /// guarded  only one that a predicate switches off lane by lane
    /// operand  a part of its operands
    /// returns  "" where there is none
    std::string find(std::string_view kernel, value::Type type, std::uint32_t block, std::string_view mnemonic,
                     bool guarded, std::string_view operand = {}) const;

private:
    std::map<std::string, std::vector<std::string>, std::less<>> functions_;  // by mangled name
};

}  // namespace warptree::cli
