// Launch options: a row each. The command line, --compare's KEY=VALUE, the settings file and the menus read and write
// requests by this table.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/request.hpp"
#include "instrumentation/result.hpp"

namespace warptree::kernels {

struct LaunchOption {
    std::string_view name;  // "warp-size": the command line's --warp-size
    std::string help;
    std::string (*text)(const Request&);  // what one would type for it
    /// errors  usage: what is wrong with the text, and what it takes
    Result<void> (*take)(const LaunchOption&, std::string_view text, Request&);
    std::uint64_t example = 0, most = 0;  // of numbers
    bool remembered = true;               // from one start of the window to the next
    bool flag = false;                    // yes or no: the command line names it alone

    std::vector<std::string> offers = {};             // texts: what a menu has a row for
    std::string (*label)(const Request&) = nullptr;   // how that row calls a request's value; null: text
    std::string (*remark)(const Request&) = nullptr;  // what stands beside it; null: nothing

    /// How sentences call it: "--block", "N".
    std::string called() const { return name == "n" ? "N" : "--" + std::string(name); }
};

std::span<const LaunchOption> launch_options();

/// Options as they were typed, by name; one that was left out is empty, or not there.
using OptionTexts = std::map<std::string, std::string, std::less<>>;

/// The request that they make of a kernel; what was left out is as usual for it, N follows from values that --input
/// has. errors  usage: not a number, unknown type, order or backend; see check() for all else
/// piped  what the input "-" is
Result<Request> request_from(std::string_view kernel, const OptionTexts&, const Numbers& piped = {});

/// "256" or "2^8" -> 256. what  names the number in the error: "N", "--block"
Result<std::uint64_t> parse_whole_number(std::string_view text, std::string_view what, std::uint64_t example);
/// The same, at most `most`.
Result<std::uint64_t> parse_number_to(std::string_view text, std::string_view what, std::uint64_t example,
                                      std::uint64_t most);

}  // namespace warptree::kernels
