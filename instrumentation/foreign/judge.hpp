// What a program computed, found from how values met: whether its result is made of every element once, each result of
// those before it, or of something else. No shape of arrays is asked.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "instrumentation/trace/run.hpp"

namespace warptree::foreign {

struct Judgement {
    std::string unjudged = {};  // why the result cannot be held against a right one; "": it can
    std::string problem = {};   // "reduction", "inclusive scan", "exclusive scan", "segmented reduction"; "": not known
    bool by_value = false;      // it is right by its value alone: how it was made is not known, or undefined
    std::string remark = {};    // of a result that is not made of each element once: "3 of 64 elements are not in it"
    std::string unread = {};    // what of the input the kernel leaves out; "": nothing
    bool loses = false;         // with that the result would be another one
};
/// What the user says that it computes.
struct Told {
    std::string problem = {};  // one of kProblems; "": it is to be found
    std::string op = {};       // one of value::kOpNames; "": likewise
};
inline constexpr std::array<std::string_view, 5> kProblems = {"reduction", "inclusive-scan", "exclusive-scan", "dot",
                                                              "segmented"};
/// Why nothing is judged; of what is undefined only where it is wrong: it may be right by chance.
inline constexpr std::string_view kStopped = "it was stopped before it ended",
                                  kUndefined = "a kernel does what is undefined", kNoElement = "no element is in it";
/// Also gives the run's launches the problem and N that were found, where a result can be judged.
/// compares  whether the kernels looked at elements to decide what to do
/// broken     why what they did has no meaning; "": it has
Judgement judge(trace::Run&, bool compares, const std::string& broken, const Told& = {});
/// why  "": it can be judged
void leave_unjudged(trace::Run&, Judgement&, const std::string& why);

}  // namespace warptree::foreign
