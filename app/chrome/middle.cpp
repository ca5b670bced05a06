// Which panel shows which view, and what stands there while its runs are recorded.
#include "app/chrome/middle.hpp"

namespace warptree::chrome {

const study::Studies& studies_of(const Look& look) {
    const AppState& s = look.state;
    return study::complete(s.studies, s.view, s.subject) ? s.studies : s.meanwhile;
}

bool complete(const Look& look) {
    return study::complete(studies_of(look), look.state.view, look.state.subject);
}

Scene unfinished(const Look& look) {
    return scene::on_panel(look.box, look.measure, [&](Pen& pen) {
        scene::instead_of_view(pen, look.box,
                               look.state.work ? "The runs that this view shows are being recorded."
                                               : "The runs that this view shows were called off; go to another view "
                                                 "and come back to record them.");
    });
}

std::unique_ptr<Panel> middle_panel(scene::View view) {
    static constexpr std::unique_ptr<Panel> (*kPanels[])() = {
#define VIEW(id, room, ...) room##_panel,
#include "app/views/rooms.def"
    };
    return kPanels[static_cast<std::size_t>(view)]();
}

}  // namespace warptree::chrome
