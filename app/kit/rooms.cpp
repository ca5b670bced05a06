// The table of views.
#include "app/kit/rooms.hpp"

#include <algorithm>

namespace warptree::scene {
namespace {

constexpr ViewRow kViews[] = {
    {View::kTree, "tree", "Tree", "How the partial results meet, step by step, and who adds them."},
    {View::kNetwork, "network", "Network",
     "A scan step by step: which cells each add joins, and which prefixes are finished."},
    {View::kGrid, "grid", "Grid", "The whole computation: every launch, its blocks, and how their results meet."},
    {View::kWarps, "warps", "Warps", "What each step's warps cost: area is slots, hatched area is slots spent idle."},
    {View::kMemory, "memory", "Memory", "What a warp asks of memory: segments and sectors, banks and conflicts."},
    {View::kHazards, "hazards", "Hazards",
     "What each barrier is for: leave one out and see which orders of threads go wrong.", study::Study::kRaces},
    {View::kOrder, "order", "Order",
     "In which order and with which parentheses the result is put together, and how parallel that is.",
     study::Study::kOrders},
    {View::kCoarsening, "coarsening", "Coarsening",
     "Blocks on the places they run at: what coarsening saves when they must queue for one.",
     study::Study::kCoarsening},
    {View::kTournament, "tournament", "Tournament",
     "A reduction as a cup: winners go on round by round, and with fewer venues the same matches take longer.",
     study::Study::kTournament},
    {View::kAccuracy, "accuracy", "Accuracy",
     "What the order of additions does to floats: error against N, what each addition lost, and other orders.",
     study::Study::kRoundings},
    {View::kLadder, "ladder", "Ladder",
     "What the plain kernels measured: a table of time and bandwidth, curves over N, and what was counted beside.",
     study::Study::kLadder},
    {View::kCompare, "compare", "Compare",
     "Kernels side by side on the same input: what each does, and what it costs."},
};

}  // namespace

std::span<const ViewRow> view_rows() {
    return kViews;
}

const ViewRow& view_row(View view) {
    return *std::ranges::find(kViews, view, &ViewRow::view);
}

const ViewRow* find_view(std::string_view name) {
    const auto row = std::ranges::find(kViews, name, &ViewRow::name);
    return row == std::end(kViews) ? nullptr : row;
}

}  // namespace warptree::scene
