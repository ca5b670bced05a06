// Lessons and courses as text: the command `lesson`.
#pragma once

#include <string>
#include <vector>

namespace warptree::cli {

struct CheckedLessons {
    std::string text;  // what is wrong, a line each; of a lesson without, that nothing is
    bool good = true;
};
/// sources  names of those that come along, or files; throws where one cannot be read
CheckedLessons check_lessons(const std::vector<std::string>& sources);
/// A lesson as the window shows it, with the answers and the speaker's notes; throws likewise.
std::string lesson_text(const std::string& source);
/// Those that come along.
std::string lesson_list();

}  // namespace warptree::cli
