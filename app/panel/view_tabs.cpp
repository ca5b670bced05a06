// The tabs of the middle panel.
#include <tuple>

#include "app/panel/panel.hpp"

namespace warptree::panel {
namespace {

using scene::ViewRow;

constexpr float kHalf = 17, kAside = 4.5f;  // what can be clicked beside a tab's word

Command open_view(const ViewRow& row) {
    return {.action = Action::kView, .text = std::string(row.name)};
}

/// One tab; the one on show is underlined and is the panel's title.
Hotspot draw_tab(Pen& pen, const ViewRow& row, scene::Vec at, float size, bool chosen, bool hot) {
    const float width = pen.width(row.title, Face::kSansBold, size);
    pen.line(at, row.title,
             {chosen ? Face::kSansBold : Face::kSans, size, {chosen || hot ? Role::kText : Role::kTextDim}}, width + 1);
    const Box box{at.x - kAside, at.y - kHalf, width + 2 * kAside, 2 * kHalf};
    if (chosen) {
        pen.fill({at.x, at.y + 14, width, 3}, {Role::kAccent}, 1.5f);
    }
    // The one on show does nothing when clicked again: a second click must not lead away from it.
    return {box, chosen ? Command{} : open_view(row), std::string(row.help), 6};
}

using TabsKey = std::tuple<scene::View, scene::View, Menu, Box, int, const Measure*>;

class ViewTabs final : public KeyedPanel<TabsKey> {
    /// What the run is not about stands back, so that the others find room: the network of reductions, the cup of
    /// scans.
    static scene::View hidden(const AppState& s) {
        const scene::View scans = scene::View::kNetwork, reduces = scene::View::kTournament;
        return s.view == scans || (s.view != reduces && s.home() == scans) ? reduces : scans;
    }
    TabsKey key(const Look& look) override {
        return {look.state.view, hidden(look.state), look.state.menu, look.box, look.hot, &look.measure};
    }
    Scene build(const Look& look) override {
        Scene scene;
        Pen pen(scene, look.measure);
        scene::Vec at{look.box.x + scene::kPad, look.box.y + scene::kTitleY};
        const scene::TabRow set = scene::tab_row(look.measure, look.box.w);
        for (const ViewRow& row : scene::view_rows()) {
            const bool chosen = row.view == look.state.view;
            if (row.view == std::get<1>(kept()) || (!set.all && !chosen)) continue;
            spots_.push_back(draw_tab(pen, row, at, set.text, chosen, static_cast<int>(spots_.size()) == look.hot));
            at.x = spots_.back().box.right() - kAside + set.gap;
        }
        if (set.all) return scene;
        // One that opens a menu, where there is no room for all.
        const float x = at.x - set.gap + 14;
        pen.add(scene::Triangle{{x - 6, at.y - 3}, {x + 6, at.y - 3}, {x, at.y + 5}, {Role::kTextDim}});
        Hotspot& only = spots_.back();
        only.box.w += 26;
        only.command = {.action = Action::kMenu, .menu = Menu::kView};
        return scene;
    }
};

}  // namespace

std::unique_ptr<Panel> tabs_panel() {
    return std::make_unique<ViewTabs>();
}

}  // namespace warptree::panel
