// The table of views.
#include "app/kit/rooms.hpp"

#include <algorithm>

namespace warptree::scene {
namespace {

constexpr ViewRow kViews[] = {
#define VIEW(id, room, called, ...) {.view = View::id, .name = #room, .title = called, .help = __VA_ARGS__},
#include "app/views/rooms.def"
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
