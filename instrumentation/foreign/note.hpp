// A fault of a user's program, as a sentence.
#pragma once

#include <cstdint>
#include <string>

namespace warptree::foreign {

struct Note {
    int line = 0;                                     // 0: not known
    int launch = -1;                                  // -1: not of one, or of one that is not shown
    std::int64_t block = -1, thread = -1;             // likewise
    std::string kind = {}, text = {}, function = {};  // function: the kernel of its launch; "": of none
    std::string file = {};                            // that has the line, where there are several; "": there are not
    /// Whether it was stopped as its time was over: where it hangs, or is only slow here.
    bool stopped() const { return kind == "hang" || kind == "too-long"; }
};

}  // namespace warptree::foreign
