// The last eight teams of the World Cup of 2010, their matches and where these were played: PMPP 4e, Fig. 10.4.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warptree::kernels {

/// A team, by its place in the final ranking: what an element is where the operator is "beats".
struct Team {
    std::int64_t place = 0;  // 1: the champion
    std::string_view name, code;
};
/// returns  null beyond the eighth place
const Team* team(std::int64_t place);

/// A match as it was played.
struct Match {
    std::int64_t winner = 0, loser = 0;  // places
    int goals = 0, against = 0;          // the winner's first
    std::string_view decided;            // "4-2 on penalties", "after extra time"; "": in ninety minutes
    std::string_view city, stadium, day;
};
std::span<const Match> matches();
/// The match of two teams in either order; null where they did not meet.
const Match* match_of(std::int64_t place, std::int64_t other);

/// The team at a place of the bracket, from 0; past the eight a team for every number.
std::int64_t team_at(std::uint64_t i);

/// "Quarter-finals", "Semi-finals" or "Final" for rounds of 4, 2 and 1 matches; "" for others.
std::string_view round_name(std::uint64_t matches);

}  // namespace warptree::kernels
