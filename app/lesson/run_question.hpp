// Questions that are answered by a run: the reader of a lesson may change some options of the scene's run, until what
// is asked holds in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/lesson.hpp"

namespace warptree::lesson {

/// What can be changed: the kernel, and launch options that are no input.
std::vector<std::string_view> changeable();

/// A run with the options that a text names: "block 64, coarsen 2".
/// errors  usage: an option that there is not, a value that it does not take
Result<kernels::Request> with_options(kernels::Request, std::string_view options);
/// Those that a question lets be changed, where a run has them other than the scene's: a text as above; "": none.
std::string changed_options(const Question&, const kernels::Request& scene, const kernels::Request& run);

struct Held {
    bool all = true;
    std::string figures{};  // "bank conflicts is 0"
    std::string found{};    // "✓ bank conflicts == 0 (bank conflicts is 0)", each of them
};
/// Whether a run gives what is right, and fulfils what the question asks for.
Held held(const Question&, const study::RunFacts&);

}  // namespace warptree::lesson
