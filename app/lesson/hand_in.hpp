// What was answered to an exercise, as a page to print and to hand in: one file, which a program can read, too.
#pragma once

#include <string>
#include <vector>

namespace warptree::lesson {

struct HandIn {
    std::string name, date, title;  // whose, of the day, of which exercise
    std::string checksum;           // of its text: see checksum_of()
    std::string points;
    struct Answered {
        std::string ask, first, given, answer, called;  // first: of two tries; "": there was one
        bool right = false;
    };
    std::vector<Answered> answers;  // to each question
};

/// 16 hexadecimal digits that tell one text from another: FNV-1a.
std::string checksum_of(std::string_view text);
/// HTML, with no script and nothing from elsewhere; the same as JSON is in the element `warptree`.
std::string page_of(const HandIn&);

}  // namespace warptree::lesson
