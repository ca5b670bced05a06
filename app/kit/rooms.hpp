// The views' table, and the further runs that they show.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warptree::study {

/// What can be recorded beside a subject.
enum class Study : std::uint8_t { kNone, kOrders, kCoarsening, kTournament, kRaces, kLadder, kRoundings };

}  // namespace warptree::study

namespace warptree::scene {

/// What the middle of the window is about: the presets of the window's layout.
enum class View : std::uint8_t {
    kTree,
    kNetwork,
    kGrid,
    kWarps,
    kMemory,
    kHazards,
    kOrder,
    kCoarsening,
    kTournament,
    kAccuracy,
    kLadder,
    kCompare,
    kCount
};
/// One row a view: menu, tabs, keys' help and the command line read them.
struct ViewRow {
    View view;
    std::string_view name, title;  // as on the command line; as on its tab
    std::string_view help;         // one sentence: what it shows
    study::Study study{};          // the further runs that it shows beside its subject
};
std::span<const ViewRow> view_rows();
const ViewRow& view_row(View);
/// returns  nullptr for an unknown name
const ViewRow* find_view(std::string_view name);

}  // namespace warptree::scene
