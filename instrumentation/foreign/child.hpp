// A program of the system's, started, read and waited for. For program.cpp.
#pragma once

#include <string>
#include <vector>

namespace warptree::foreign {

struct Child {
    std::vector<std::string> command;
    bool clean = false;                 // with no environment of the user's
    std::vector<int> descriptors = {};  // that it has as 3, 4, ...
    int input = -1;                     // the descriptor that is its standard input; -1: nothing
    double seconds = 60;                // after which it is killed, with all that it started
};
struct Ended {
    bool started = false;
    int exit = 0;             // 128 and the signal of one that was killed
    std::string output;       // both streams, in order, up to kMostOutput
    bool overflowed = false;  // killed, since it wrote more than kEndlessOutput
    bool late = false;        // killed, since its time was over
    double seconds = 0;
};
inline constexpr std::size_t kMostOutput = std::size_t{1} << 20, kEndlessOutput = std::size_t{64} << 20;

Ended run_child(const Child&);

}  // namespace warptree::foreign
