// Results as FIFA has them. Two quarter-finals in one city, days apart: its scarce resource is the venue.
#include "kernels/world_cup.hpp"

#include <array>

namespace warptree::kernels {
namespace {

constexpr std::array<Team, 8> kTeams = {{{1, "Spain", "ESP"},
                                         {2, "Netherlands", "NED"},
                                         {3, "Germany", "GER"},
                                         {4, "Uruguay", "URU"},
                                         {5, "Argentina", "ARG"},
                                         {6, "Brazil", "BRA"},
                                         {7, "Ghana", "GHA"},
                                         {8, "Paraguay", "PAR"}}};

constexpr std::array<std::int64_t, 8> kBracket = {2, 6, 4, 7, 3, 5, 1, 8};

constexpr std::array<Match, 7> kMatches = {
    {{2, 6, 2, 1, "", "Port Elizabeth", "Nelson Mandela Bay Stadium", "2 July 2010"},
     {4, 7, 1, 1, "4–2 on penalties", "Johannesburg", "Soccer City", "2 July 2010"},
     {3, 5, 4, 0, "", "Cape Town", "Green Point Stadium", "3 July 2010"},
     {1, 8, 1, 0, "", "Johannesburg", "Ellis Park", "3 July 2010"},
     {2, 4, 3, 2, "", "Cape Town", "Green Point Stadium", "6 July 2010"},
     {1, 3, 1, 0, "", "Durban", "Moses Mabhida Stadium", "7 July 2010"},
     {1, 2, 1, 0, "after extra time", "Johannesburg", "Soccer City", "11 July 2010"}}};

}  // namespace

const Team* team(std::int64_t place) {
    if (place < 1 || place > static_cast<std::int64_t>(kTeams.size())) return nullptr;
    return &kTeams[static_cast<std::size_t>(place - 1)];
}

std::span<const Match> matches() {
    return kMatches;
}

const Match* match_of(std::int64_t place, std::int64_t other) {
    for (const Match& match : kMatches) {
        const bool same = match.winner == place && match.loser == other;
        if (same || (match.winner == other && match.loser == place)) return &match;
    }
    return nullptr;
}

std::int64_t team_at(std::uint64_t i) {
    return i < kBracket.size() ? kBracket[i] : static_cast<std::int64_t>(i) + 1;
}

std::string_view round_name(std::uint64_t matches) {
    return matches == 4 ? "Quarter-finals" : matches == 2 ? "Semi-finals" : matches == 1 ? "Final" : "";
}

}  // namespace warptree::kernels
