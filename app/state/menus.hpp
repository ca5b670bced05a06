// The menus' rows: what can be chosen now, and, where something cannot, why. Pure functions of the state.
#pragma once

#include <string>
#include <vector>

#include "app/results/measuring.hpp"
#include "app/state/app_state.hpp"

namespace warptree::state {

struct MenuItem {
    std::string label;
    std::string remark = {};  // beside the label; of one that cannot be used: why
    Command command{};
    bool chosen = false;
    bool usable = true;
    bool group = false;     // the first of a group of rows
    std::string heading{};  // what the group is of, above its first row
};

std::vector<MenuItem> menu_items(Menu menu, const AppState& state);

/// Courses and lessons, of a course its own; and what there is to begin with: see lesson_menus.cpp.
std::vector<MenuItem> lesson_items(const AppState&);
std::vector<MenuItem> start_items();

/// Files that were opened, a row each; none is looked at before it is chosen.
std::vector<MenuItem> recent_items(const AppState&);
/// Of everything that has a name, what the typed words find: see find.cpp.
std::vector<MenuItem> found_items(const AppState&);

/// Whether an action chooses a launch option.
bool is_option(Action);
/// A request with the launch option that a command chooses, and with what goes with that: the usual block, the N of
/// values, the processor that has such warps.
/// errors  what the option cannot take
Result<kernels::Request> chosen(kernels::Request, const Command&);

/// Whether the present kernel has that choice at all.
bool menu_applies(Menu menu, const AppState& state);

/// The type that a request's kernel and operator take: its own, or, where they cannot take that, the usual one.
value::Type fitting_type(const kernels::Request& request);

/// Why a block of the grid cannot be shown that it does not have.
std::string no_such_block(std::uint64_t block, std::uint32_t grid);

/// "kernels"; "" of none.
std::string_view name(Menu menu);
/// What a menu's button says: "N 16", "warp 4", "CPU".
std::string menu_label(Menu menu, const AppState& state);
/// What stands before that where there is room: "input", "op"; "" where the label says it.
std::string_view menu_prefix(Menu menu);
/// What it is for, as a tooltip.
std::string menu_purpose(Menu menu);

// The ladder view's menus: which kernels and which N are on show, and measuring these here. See ladder_menus.cpp.
/// A row for each kernel and reference that the results on show have: shown or not.
std::vector<MenuItem> rung_items(const AppState&);
/// The least N and the largest that are shown.
std::vector<MenuItem> size_items(const AppState&);
/// Where these kernels can be measured at these N, and why not.
std::vector<MenuItem> measure_items(const AppState&);

/// The kernels on show at the powers of two that are chosen, or where none are, on show, at one at least; the executor
/// up to kMostMeasured.
study::MeasurePlan plan_of(const AppState&, kernels::Backend);
inline constexpr std::uint64_t kMostMeasured = std::uint64_t{1} << 20;

}  // namespace warptree::state
