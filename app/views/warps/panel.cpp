// The warps' panel.
#include "app/chrome/middle.hpp"
#include "app/views/warps/view.hpp"

namespace warptree::chrome {
namespace {

class WarpsPanel final : public CachedPanel<bool> {
    /// A question hides the steps that are still to come.
    static bool shows_all(const AppState& s) { return s.all_steps && !s.lesson.gated(); }
    bool more(const Look& look) override { return shows_all(look.state); }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::warps_view(*s.subject, s.playhead(), of(), look.box, look.measure, look.hover);
    }
};

}  // namespace

std::unique_ptr<Panel> warps_panel() {
    return std::make_unique<WarpsPanel>();
}

}  // namespace warptree::chrome
