// The last eight teams of the World Cup of 2010, their matches and where these were played: PMPP 4e, Fig. 10.4. Results
// as FIFA has them. Two quarter-finals in one city, days apart: its scarce resource is the venue.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warptree::value {

/// A team, by its place in the final ranking: what an element is where the operator is "beats".
struct Team {
    std::int64_t place = 0;  // 1: the champion
    std::string_view name, code;
};
inline constexpr std::array<Team, 8> kTeams = {{{1, "Spain", "ESP"},
                                                {2, "Netherlands", "NED"},
                                                {3, "Germany", "GER"},
                                                {4, "Uruguay", "URU"},
                                                {5, "Argentina", "ARG"},
                                                {6, "Brazil", "BRA"},
                                                {7, "Ghana", "GHA"},
                                                {8, "Paraguay", "PAR"}}};
/// returns  null beyond the eighth place
constexpr const Team* team(std::int64_t place) {
    return place < 1 || place > std::ssize(kTeams) ? nullptr : &kTeams[static_cast<std::size_t>(place - 1)];
}

/// A match as it was played.
struct Match {
    std::int64_t winner = 0, loser = 0;  // places
    int goals = 0, against = 0;          // the winner's first
    std::string_view decided;            // "4-2 on penalties", "after extra time"; "": in ninety minutes
    std::string_view city, stadium, day;
};
inline constexpr std::array<Match, 7> kMatches = {
    {{2, 6, 2, 1, "", "Port Elizabeth", "Nelson Mandela Bay Stadium", "2 July 2010"},
     {4, 7, 1, 1, "4–2 on penalties", "Johannesburg", "Soccer City", "2 July 2010"},
     {3, 5, 4, 0, "", "Cape Town", "Green Point Stadium", "3 July 2010"},
     {1, 8, 1, 0, "", "Johannesburg", "Ellis Park", "3 July 2010"},
     {2, 4, 3, 2, "", "Cape Town", "Green Point Stadium", "6 July 2010"},
     {1, 3, 1, 0, "", "Durban", "Moses Mabhida Stadium", "7 July 2010"},
     {1, 2, 1, 0, "after extra time", "Johannesburg", "Soccer City", "11 July 2010"}}};
/// The match of two teams in either order; null where they did not meet.
constexpr const Match* match_of(std::int64_t place, std::int64_t other) {
    for (const Match& match : kMatches) {
        const bool same = match.winner == place && match.loser == other;
        if (same || (match.winner == other && match.loser == place)) return &match;
    }
    return nullptr;
}

/// The team at a place of the bracket, from 0; past the eight a team for every number.
constexpr std::int64_t team_at(std::uint64_t i) {
    constexpr std::array<std::int64_t, 8> kBracket = {2, 6, 4, 7, 3, 5, 1, 8};
    return i < kBracket.size() ? kBracket[i] : static_cast<std::int64_t>(i) + 1;
}

/// "Quarter-finals", "Semi-finals" or "Final" for rounds of 4, 2 and 1 matches; "" for others.
constexpr std::string_view round_name(std::uint64_t matches) {
    return matches == 4 ? "Quarter-finals" : matches == 2 ? "Semi-finals" : matches == 1 ? "Final" : "";
}

}  // namespace warptree::value
