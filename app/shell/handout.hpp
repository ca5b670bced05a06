// A page to print: pictures of a lesson, each with what is asked below it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/kit/scene.hpp"

namespace warptree::shell {

struct HandoutEntry {
    scene::Scene picture;
    scene::Vec size;                     // of the picture, in its units
    std::string lesson, theme;           // its title, and the picture's colours
    std::string place;                   // "4 of 13"
    std::string question, answer;        // "": nothing is asked; it is left to be written
    std::vector<std::string> choices{};  // of the question
};
inline constexpr scene::Vec kPaper{595, 842};  // A4, in points
inline constexpr float kMargin = 40;           // points
/// Units of a page to a point, so that the pictures' letters keep their size in units, and none gets too small to draw.
inline float units_a_point(scene::Vec picture) {
    return picture.x / (kPaper.x - 2 * kMargin);
}
inline constexpr std::size_t kEntriesOfPage = 2;

/// Up to kEntriesOfPage of pictures of one size, on paper, in units_a_point().
scene::Scene handout_page(std::span<const HandoutEntry>, const std::string& title, const std::string& foot,
                          const scene::Measure&);

}  // namespace warptree::shell
