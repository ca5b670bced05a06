// The header, and the tabs of the middle panel. In the header menus take their room from the right, tabs what is left;
// kernels that find no room go into a menu.
#include "app/chrome/panel.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "app/state/menus.hpp"

namespace warptree::chrome {
namespace {

constexpr float kPill = 42, kGap = 8, kInside = 16, kText = 18, kName = 25;
constexpr float kArrow = 22;          // the triangle of a button with a menu
constexpr float kLeastForTabs = 560;  // with what menus say in full
constexpr float kApart = 14;          // more than a gap, between kernels and menus, where there is room

class Builder {
public:
    Builder(const Look& look, Scene& scene) : look_(look), pen_(scene, look.measure) {}

    void build() {
        const Box& box = look_.box;
        full_ = true;  // where that leaves room for some kernels
        float menus_width = 0;
        for (const Menu menu : kOrder)
            if (state::menu_applies(menu, look_.state)) menus_width += menu_width(menu) + kGap;
        full_ = box.w - menus_width >= kLeastForTabs;
        const float right = menus(box.right());
        float left = box.x;
        const float name = pen_.width("Warptree", Face::kSansBold, kName) + 34;
        // The name of the app makes room when there is little.
        if (right - left - name >= std::max(386.0f, least_tabs() + kApart)) {
            pen_.line({left + 6, middle()}, "Warptree", {Face::kSansBold, kName, {Role::kText}}, name - 33);
            left += name;
        }
        if (right - left < least_tabs()) {
            kernel_button(left, right - left);
        } else {
            tabs(left, right);
        }
        std::ranges::sort(pen_.scene().spots, {}, [](const Spot& spot) { return spot.box.x; });
    }

private:
    float middle() const { return look_.box.centre().y; }

    /// A button with a little triangle: it opens a menu.
    void menu_button(Menu menu, std::string_view label, float x, float width, bool chosen = false) {
        const bool open = look_.state.menu == menu;
        const Box box{x, middle() - kPill / 2, width, kPill};
        const Role ground = chosen ? Role::kAccent : open ? Role::kRaisedHover : Role::kRaised;
        const Role rim = !open ? Role::kLine : chosen ? Role::kText : Role::kAccent;
        pen_.framed(box, {ground}, {rim}, open ? 2.0f : chosen ? 0.0f : 1.0f, kPill / 2);
        const scene::Style style{
            chosen ? Face::kSansBold : Face::kMono, kText, {chosen ? Role::kOnAccent : Role::kText}};
        pen_.line({x + kInside, middle()}, label, style, width - 2 * kInside - kArrow + 1);
        const float cx = box.right() - kInside - 5, cy = middle() + 0.5f;
        const Ink arrow{chosen ? Role::kOnAccent : Role::kTextDim};
        pen_.add(scene::Triangle{{cx - 5, cy - 3}, {cx + 5, cy - 3}, {cx, cy + 4}, arrow});
        pen_.button(box, {.action = Action::kMenu, .menu = menu}, state::menu_purpose(menu), kPill / 2);
    }
    float menu_width(Menu menu) const { return pen_.width(label(menu), Face::kMono, kText) + 2 * kInside + kArrow; }
    /// What a menu's button says: what it is, too, where there is room.
    std::string label(Menu menu) const {
        const std::string_view prefix = full_ ? state::menu_prefix(menu) : "";
        return fmt::format("{}{}{}", prefix, prefix.empty() ? "" : " ", state::menu_label(menu, look_.state));
    }

    /// What the kernels take at least: the first one's tab and the menu of the others.
    float least_tabs() const {
        return kernels::catalog().empty() ? kernel_width() : all_tabs().front().width + kGap + others_width();
    }
    float button_width(std::string_view label) const {
        return pen_.width(label, Face::kSansBold, kText) + 2 * kInside + kArrow;
    }
    float kernel_width() const { return button_width(look_.state.request.kernel); }
    /// The menu of the kernels that have no tab, whichever of them it is named by: tabs keep their places.
    float others_width() const {
        float widest = 0;
        for (const kernels::Kernel& kernel : kernels::catalog()) widest = std::max(widest, button_width(kernel.name));
        return widest;
    }
    /// Where there is no room for two: the menu of kernels, named by the chosen one.
    void kernel_button(float x, float room) {
        menu_button(Menu::kKernels, look_.state.request.kernel, x, std::min(room, kernel_width()), true);
    }

    /// Which menus there is room for beside the kernels, the least needed left out.
    std::vector<Menu> roomy_menus() const {
        static constexpr Menu kByNeed[] = {Menu::kResults, Menu::kN,       Menu::kView,     Menu::kWarp,
                                           Menu::kShown,   Menu::kCoarsen, Menu::kDevices,  Menu::kScan,
                                           Menu::kBackend, Menu::kBlock,   Menu::kOperator, Menu::kInput};
        std::vector<Menu> shown;
        float room = look_.box.w;
        for (const Menu menu : kByNeed) {
            if (!state::menu_applies(menu, look_.state)) continue;
            const bool more =
                menu == Menu::kScan || menu == Menu::kBlock || menu == Menu::kOperator || menu == Menu::kInput;
            const float least = more ? std::max(360.0f, least_tabs() + kApart) : kernel_width();
            const float width = menu_width(menu) + kGap;
            if (room - width < least) continue;
            room -= width;
            shown.push_back(menu);
        }
        return shown;
    }

    /// returns  where the room for tabs ends
    float menus(float right) {
        const std::vector<Menu> shown = roomy_menus();
        for (const Menu menu : kOrder) {
            if (std::ranges::find(shown, menu) == shown.end()) continue;
            const float width = menu_width(menu);
            right -= width;
            menu_button(menu, label(menu), right, width);
            right -= kGap;
        }
        return right;
    }

    struct Tab {
        const kernels::Kernel* kernel;
        std::string number;
        float width;
    };

    std::vector<Tab> all_tabs() const {
        std::vector<Tab> tabs;
        for (const kernels::Kernel& kernel : kernels::catalog()) {
            const std::size_t number = tabs.size() + 1;
            Tab tab{&kernel, number <= 9 ? fmt::format("{}", number) : "", 0};
            tab.width = pen_.width(kernel.name, Face::kSansBold, kText) + 2 * kInside;
            if (!tab.number.empty()) tab.width += pen_.width(tab.number, Face::kMono, 15) + 9;
            tabs.push_back(std::move(tab));
        }
        return tabs;
    }

    void draw_tab(const Tab& tab, float x) {
        const bool chosen = tab.kernel->name == look_.state.request.kernel;
        const Box box{x, middle() - kPill / 2, tab.width, kPill};
        pen_.framed(box, {chosen ? Role::kAccent : Role::kRaised}, {Role::kLine}, chosen ? 0.0f : 1.0f, kPill / 2);
        float at = x + kInside;
        if (!tab.number.empty()) {
            at += pen_.line({at, middle()}, tab.number,
                            {Face::kMono, 15, {chosen ? Role::kOnAccent : Role::kTextFaint}}, 40) +
                  9;
        }
        pen_.line({at, middle()}, tab.kernel->name,
                  {chosen ? Face::kSansBold : Face::kSans, kText, {chosen ? Role::kOnAccent : Role::kText}}, tab.width);
        pen_.button(
            box,
            {.action = Action::kKernelNumber, .value = static_cast<double>(tab.kernel - kernels::catalog().data())},
            fmt::format("{} · {}\nremoves {}\nremains: {}", tab.kernel->name, tab.kernel->source, tab.kernel->removes,
                        tab.kernel->remains),
            kPill / 2);
    }

    /// right  where the tabs and the menu of the others must end; the rest keeps apart from it
    void tabs(float left, float right) {
        right -= kApart;
        const std::vector<Tab> all = all_tabs();
        const std::string& name = look_.state.request.kernel;
        if (all.empty())  // of a program that has no kernels
            pen_.line({left + kInside, middle()}, name, {Face::kSansBold, kText, {Role::kText}},
                      right - left - kInside);
        float needed = -kGap;
        for (const Tab& tab : all) needed += tab.width + kGap;
        if (needed > right - left) right -= others_width() + kGap;
        std::size_t shown = 0;
        bool chosen = false;
        for (; shown < all.size() && left + all[shown].width <= right + 0.5f; ++shown) {
            draw_tab(all[shown], left);
            left += all[shown].width + kGap;
            chosen = chosen || all[shown].kernel->name == name;
        }
        if (shown == all.size()) return;
        const std::string label = chosen ? state::menu_label(Menu::kKernels, look_.state) : name;
        menu_button(Menu::kKernels, label, left, chosen ? menu_width(Menu::kKernels) : others_width(), !chosen);
    }

    static constexpr Menu kOrder[] = {Menu::kResults, Menu::kView,  Menu::kBackend,  Menu::kWarp,
                                      Menu::kN,       Menu::kShown, Menu::kCoarsen,  Menu::kDevices,
                                      Menu::kScan,    Menu::kBlock, Menu::kOperator, Menu::kInput};
    const Look& look_;
    Pen pen_;
    bool full_ = false;  // menus say what they are
};

using HeaderKey = std::tuple<kernels::Request, std::shared_ptr<const study::Subject>, Menu, Box, int, const Measure*>;

class HeaderPanel final : public KeyedPanel<HeaderKey> {
    HeaderKey key(const Look& look) override {
        const AppState state = state::of_column(look.state);
        return {state.request, state.subject, state.menu, look.box, look.hot, &look.measure};
    }
    Scene build(const Look& window) override {
        const AppState state = state::of_column(window.state);
        const Look look{state, window.measure, window.box};
        Scene scene;
        Builder(look, scene).build();  // from left to right
        if (window.hot >= 0 && window.hot < static_cast<int>(scene.spots.size())) {
            const Spot& spot = scene.spots[static_cast<std::size_t>(window.hot)];
            Pen(scene, look.measure).frame(spot.box, {Role::kTextDim}, 1.5f, spot.radius);
        }
        return scene;
    }
};

using scene::ViewRow;

constexpr float kHalf = 17, kAside = 4.5f;  // what can be clicked beside a tab's word

Command open_view(const ViewRow& row) {
    return {.action = Action::kView, .text = std::string(row.name)};
}

/// One tab; the one on show is underlined and is the panel's title.
Spot draw_tab(Pen& pen, const ViewRow& row, scene::Vec at, float size, bool chosen, bool hot) {
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
            auto& spots = scene.spots;
            spots.push_back(draw_tab(pen, row, at, set.text, chosen, static_cast<int>(spots.size()) == look.hot));
            at.x = spots.back().box.right() - kAside + set.gap;
        }
        if (set.all) return scene;
        // One that opens a menu, where there is no room for all.
        const float x = at.x - set.gap + 14;
        pen.add(scene::Triangle{{x - 6, at.y - 3}, {x + 6, at.y - 3}, {x, at.y + 5}, {Role::kTextDim}});
        Spot& only = scene.spots.back();
        only.box.w += 26;
        only.command = {.action = Action::kMenu, .menu = Menu::kView};
        return scene;
    }
};

}  // namespace

std::unique_ptr<Panel> header_panel() {
    return std::make_unique<HeaderPanel>();
}

std::unique_ptr<Panel> tabs_panel() {
    return std::make_unique<ViewTabs>();
}

}  // namespace warptree::chrome
