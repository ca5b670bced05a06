// The table of views.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "instrumentation/value/type.hpp"

namespace warptree::scene {

/// What the middle of the window is about: the presets of the window's layout.
enum class View : std::uint8_t {
#define VIEW(id, ...) id,
#include "app/views/rooms.def"
    kCount
};
/// One row a view: menu, tabs, keys' help and the command line read them.
struct ViewRow {
    View view{};
    std::string_view name{}, title{};  // as on the command line; as on its tab
    std::string_view help{};           // one sentence: what it shows
    bool asks = false;                 // lessons can ask what comes there: it hides what a question is about
    bool wide = false;                 // neither listing nor counters stand beside it
};
std::span<const ViewRow> view_rows();
const ViewRow& view_row(View);
/// The one that a run opens in.
constexpr View home_view(value::Problem problem) {
    return problem == value::Problem::kReduction ? View::kTree : View::kNetwork;
}
/// returns  nullptr for an unknown name
const ViewRow* find_view(std::string_view name);

}  // namespace warptree::scene
