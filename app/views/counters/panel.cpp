// The counters' panel.
#include "app/chrome/panel.hpp"
#include "app/views/counters/view.hpp"

namespace warptree::chrome {
namespace {

/// What the run has cost so far, beside the book.
class CountersPanel final : public CachedPanel<std::string> {
    std::string more(const Look& look) override { return look.state.edition; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::counters_view(*s.subject, s.playhead(), look.box, look.measure, look.hover, s.edition);
    }
};

}  // namespace

std::unique_ptr<Panel> counters_panel() {
    return std::make_unique<CountersPanel>();
}

}  // namespace warptree::chrome
