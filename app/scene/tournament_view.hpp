// The tournament view: a run of the kernel `tournament` as a cup.
#pragma once

#include <string>
#include <vector>

#include "app/scene/kit.hpp"
#include "app/study/tournament.hpp"

namespace warptree::scene {

/// What the matches of a step came to, as the caption says it: "Spain beats Germany; 3 of 4 venues stand idle."; ""
/// where the run is no tournament or nothing is played.
std::string cup_caption(const Subject&, std::size_t step, int brief);

struct TournamentScene {
    Scene scene;
    Slider venues;  // its track has no width where there is none
};
TournamentScene tournament_view(const TournamentStudy&, Playhead, Box, const Measure&, const Target& hover = {});
/// A match in full: who met, score, city, stadium and day.
std::vector<std::string> match_story(const Subject&, Playhead, const Target&);

}  // namespace warptree::scene
