// The tournament view.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/tournament/facts.hpp"

namespace warptree::scene {

/// A run of the kernel `tournament` as a cup, with a slider for its venues.
Scene tournament_view(const TournamentStudy&, Playhead, Box, const Measure&, const Target& hover = {});
/// What the matches of a step came to: "Spain beats Germany; 3 of 4 venues stand idle."; "" where none are played.
std::string cup_caption(const Subject&, std::size_t step, int brief);
/// A match in full: who met, score, city, stadium and day.
std::vector<std::string> match_story(const Subject&, Playhead, const Target&);

}  // namespace warptree::scene
