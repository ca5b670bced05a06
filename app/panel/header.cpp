// The header. Menus take their room from the right, tabs what is left; kernels that find no room go into a menu.
#include "app/panel/header.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/scene/draw.hpp"
#include "app/shell/menus.hpp"

namespace warptree::panel {
namespace {

using scene::Face;
using scene::Ink;
using scene::Pen;
using scene::Role;

constexpr float kPill = 42, kGap = 8, kInside = 16, kText = 18, kName = 25;

class Builder {
public:
    Builder(const Look& look, int hot, Scene& scene, std::vector<Hotspot>& hotspots)
        : look_(look), hot_(hot), pen_(scene, look.measure), hotspots_(hotspots) {}

    void build() {
        const Box& box = look_.box;
        const float right = menus(box.right());
        float left = box.x;
        const float name = pen_.width("Warptree", Face::kSansBold, kName);
        // The name of the app makes room when there is little.
        if (right - left - name > 420) {
            pen_.line({left + 6, middle()}, "Warptree", {Face::kSansBold, kName, {Role::kText}}, name + 1);
            left += name + 34;
        }
        tabs(left, right - 14);
        std::ranges::sort(hotspots_, {}, [](const Hotspot& h) { return h.box.x; });
    }

private:
    float middle() const { return look_.box.centre().y; }

    /// A button with a little triangle: it opens a menu.
    void menu_button(Menu menu, float x, float width) {
        const bool open = look_.state.menu == menu;
        const Box box{x, middle() - kPill / 2, width, kPill};
        pen_.add(scene::Rect{.box = box,
                             .ink = {open ? Role::kRaisedHover : Role::kRaised},
                             .radius = kPill / 2,
                             .outline = {open ? Role::kAccent : Role::kLine},
                             .outline_width = open ? 2.0f : 1.0f});
        pen_.line({x + kInside, middle()}, shell::menu_label(menu, look_.state), {Face::kMono, kText, {Role::kText}},
                  width);
        const float cx = box.right() - kInside - 5, cy = middle() + 0.5f;
        pen_.add(scene::Triangle{{cx - 5, cy - 3}, {cx + 5, cy - 3}, {cx, cy + 4}, {Role::kTextDim}});
        hotspots_.push_back({box, {.action = Action::kMenu, .menu = menu}, shell::menu_purpose(menu), kPill / 2});
    }
    float menu_width(Menu menu) const {
        return pen_.width(shell::menu_label(menu, look_.state), Face::kMono, kText) + 2 * kInside + 22;
    }

    /// returns  where the room for tabs ends
    float menus(float right) {
        static constexpr Menu kOrder[] = {Menu::kView,    Menu::kBackend, Menu::kWarp,     Menu::kN,    Menu::kShown,
                                          Menu::kCoarsen, Menu::kBlock,   Menu::kOperator, Menu::kInput};
        float x = right;
        for (const Menu menu : kOrder) {
            if (!shell::menu_applies(menu, look_.state)) continue;
            const float width = menu_width(menu);
            if (x - width <
                look_.box.x +
                    (menu == Menu::kInput || menu == Menu::kOperator || menu == Menu::kBlock ? 360.0f : 230.0f))
                continue;  // tabs need some room
            x -= width;
            menu_button(menu, x, width);
            x -= kGap;
        }
        return x;
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
            tab.width = pen_.width(kernel.label, Face::kSansBold, kText) + 2 * kInside;
            if (!tab.number.empty()) tab.width += pen_.width(tab.number, Face::kMono, 15) + 9;
            tabs.push_back(std::move(tab));
        }
        return tabs;
    }

    void draw_tab(const Tab& tab, float x) {
        const bool chosen = tab.kernel->name == look_.state.request.kernel;
        const Box box{x, middle() - kPill / 2, tab.width, kPill};
        pen_.add(scene::Rect{.box = box,
                             .ink = {chosen ? Role::kAccent : Role::kRaised},
                             .radius = kPill / 2,
                             .outline = {Role::kLine},
                             .outline_width = chosen ? 0.0f : 1.0f});
        float at = x + kInside;
        if (!tab.number.empty()) {
            at += pen_.line({at, middle()}, tab.number,
                            {Face::kMono, 15, {chosen ? Role::kOnAccent : Role::kTextFaint}}, 40) +
                  9;
        }
        pen_.line({at, middle()}, tab.kernel->label,
                  {chosen ? Face::kSansBold : Face::kSans, kText, {chosen ? Role::kOnAccent : Role::kText}}, tab.width);
        hotspots_.push_back({box,
                             {.action = Action::kKernel, .text = std::string(tab.kernel->name)},
                             std::string(tab.kernel->name) + " · " + std::string(tab.kernel->source),
                             kPill / 2});
    }

    void tabs(float left, float right) {
        const std::vector<Tab> all = all_tabs();
        float needed = -kGap;
        for (const Tab& tab : all) needed += tab.width + kGap;
        const float more = needed > right - left ? menu_width(Menu::kKernels) + kGap : 0;

        // As many as fit, the chosen one always among them.
        const auto chosen =
            std::ranges::find_if(all, [&](const Tab& t) { return t.kernel->name == look_.state.request.kernel; });
        float room = right - left - more;
        if (chosen != all.end()) room -= chosen->width + kGap;
        std::vector<const Tab*> shown;
        bool open = true;
        for (auto tab = all.begin(); tab != all.end(); ++tab) {
            if (tab == chosen) {
                shown.push_back(&*tab);
            } else if (open && tab->width + (tab + 1 == all.end() ? 0 : kGap) <= room + 0.5f) {
                room -= tab->width + kGap;
                shown.push_back(&*tab);
            } else {
                open = false;
            }
        }
        for (const Tab* tab : shown) {
            draw_tab(*tab, left);
            left += tab->width + kGap;
        }
        if (more > 0) menu_button(Menu::kKernels, left, menu_width(Menu::kKernels));
    }

    const Look& look_;
    int hot_;
    Pen pen_;
    std::vector<Hotspot>& hotspots_;
};

}  // namespace

const Scene& HeaderPanel::scene(const Look& window, int hot) {
    const AppState state = shell::of_column(window.state);
    const Look look{state, window.measure, window.box, window.hover};
    const Key key{look.state.request, look.state.subject, look.state.menu, look.box, hot, &look.measure};
    return cache_.get(key, [&] {
        Scene scene;
        hotspots_.clear();
        Builder(look, hot, scene, hotspots_).build();
        if (hot >= 0 && hot < static_cast<int>(hotspots_.size())) {
            const Hotspot& spot = hotspots_[static_cast<std::size_t>(hot)];
            scene.add(scene::Rect{.box = spot.box,
                                  .fill = scene::Fill::kNone,
                                  .radius = spot.radius,
                                  .outline = {Role::kTextDim},
                                  .outline_width = 1.5f});
        }
        return scene;
    });
}

}  // namespace warptree::panel
