// The comparison's panel: a click on a column makes it the one that the header changes; the wheel and dragging look
// closer at all trees at once.
#include "app/views/compare/view.hpp"

#include <algorithm>

#include "app/chrome/middle.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::chrome {
namespace {

using ComparisonPtr = std::shared_ptr<const study::Comparison>;
using CompareKey = std::pair<ComparisonPtr, scene::CompareLook>;

class ComparePanel final : public CachedPanel<CompareKey> {
    CompareKey more(const Look& look) override {
        ComparisonPtr shown = look.state.comparison;
        if (!shown) {
            if (!alone_ || alone_->columns().front() != look.state.subject)
                alone_ = std::make_shared<const study::Comparison>(study::Comparison::Columns{look.state.subject});
            shown = alone_;
        }
        layout_ = scene::compare_layout(shown->size(), look.box);
        const bool over = look.hover.kind != Target::Kind::kNone;
        const lesson::Scene* scene = look.state.lesson.on_show();
        return {shown,
                {look.state.column, over ? hovered_ : 0, look.state.camera, look.state.follow,
                 scene != nullptr ? scene->rows : std::vector<std::string>(), look.state.program_versions()}};
    }
    Scene build(const Look& look) override {
        const auto& [shown, columns] = of();
        return scene::compare_view(*shown, look.state.playhead(), columns, look.box, look.measure, look.hover);
    }
    Target target(Vec point) const override {
        for (std::size_t i = 0; i < layout_.cards.size(); ++i)
            if (layout_.cards[i].contains(point)) hovered_ = i;
        return CachedPanel::target(point);
    }

    /// Zoom and move the trees: all of them, as far as the one under the pointer can.
    std::vector<Command> look_at(const PointerEvent& event, const AppState& state) {
        const Vec held = drag_.value_or(event.at);
        for (std::size_t i = 0; state.comparing() && i < std::min(layout_.cards.size(), state.comparison->size());
             ++i) {
            const Box box = scene::tree_box(layout_, i);
            if (box.w <= 0 || !layout_.cards[i].contains(held)) continue;
            const auto [s, at] = state.comparison->shown(i, state.playhead());
            if (!drag_ && event.kind != PointerEvent::Kind::kWheel) return {};
            const scene::Camera camera = scene::tree_camera(s, at, state.camera, box, state.follow);
            return {move_camera(camera, s, at, box, event, drag_)};
        }
        return {};
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) drag_.reset();
        if (event.kind == Kind::kMove || event.kind == Kind::kWheel) return look_at(event, state);
        if (event.kind == Kind::kDoubleClick) return {{.action = Action::kCameraReset}};
        if (event.kind != Kind::kPress) return {};
        if (last().spot(event.at) != nullptr) return {};
        drag_ = event.at;
        for (std::size_t i = 0; i < layout_.cards.size(); ++i) {
            if (layout_.cards[i].contains(event.at) && i != state.column)
                return {{.action = Action::kColumn, .value = static_cast<double>(i)}};
        }
        return {};
    }
    bool dragging() const override { return drag_.has_value(); }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (!state.comparing() || target.kind == Target::Kind::kSpot) return {};
        const auto versions = state.program_versions();
        return scene::compare_story(*state.comparison, state.playhead(), target, hovered_,
                                    versions ? std::span(*versions) : std::span<const study::Tally>());
    }

    ComparisonPtr alone_;  // of a state that has none: its one run
    scene::CompareLayout layout_;
    std::optional<Vec> drag_;          // where the pointer holds the trees
    mutable std::size_t hovered_ = 0;  // the column under the pointer
};

}  // namespace

std::unique_ptr<Panel> compare_panel() {
    return std::make_unique<ComparePanel>();
}

}  // namespace warptree::chrome
