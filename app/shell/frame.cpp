// Composing the window; what the pointer does is in frame_pointer.cpp.
#include "app/shell/frame.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "app/chrome/overlays.hpp"
#include "app/kit/draw.hpp"
#include "app/state/key_file.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/story/story.hpp"

namespace warptree::shell {
using scene::Box;
using scene::Role;
using scene::Spot;
using scene::Vec;

float pixels_per_unit(int width, int height, float scale, float content_scale) {
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float fitting = std::min(w / 1920, h / 1080);
    const float most = std::max(0.1f, std::min(w / 960, h / 540));  // larger, it would leave a tree no room
    return std::min(most, std::max(0.8f * content_scale, fitting) * scale);
}

std::span<const scene::Scene* const> Frame::compose(const AppState& state, Vec size) {
    window_ = {0, 0, size.x, size.y};
    constexpr float kWithWords = 432;  // height in units of the contents that leaves panels room below a lesson's words
    text_ = scene::text_scale(state.text, size);
    if (state.lesson.lesson) text_ = std::max(1.0f, std::min(text_, size.y / kWithWords));
    words_ = chrome::lesson_words(state, *measure_, {inner(window_).w - 40, inner(window_).h});
    layout_ = layout_of(state.view, state);
    middle_ = &middle(state.view);
    stale_ = false;
    scenes_.clear();
    own_.clear();
    if (state.menu != open_menu_) {
        open_menu_ = state.menu;
        menu_hot_ = -1;
        menu_.reset();
    }
    middle_at_ = middle_end_ = 0;
    if (state.blank) {
        controls_.clear();
        return scenes_;
    }
    forget_hover(state);
    compose_window(state);
    if (const int hot = control_at(at_); hot_ >= 0 && hot_ != hot) {  // the controls have moved under the pointer
        hot_ = hot;
        scenes_.clear();
        compose_window(state);
    }
    compose_overlays(state);
    return scenes_;
}

scene::Layout Frame::layout_of(scene::View view, const AppState& state) const {
    const Vec size{window_.w, window_.h};
    scene::Layout layout =
        state.lecture ? scene::lecture_layout(size, view, text_) : scene::layout(size, view, state.split, text_);
    scene::add_words(layout, words_.height * text_);
    if (state.lecture && state.code_lines && state.of_one_run()) scene::add_code(layout, size, text_);
    return layout;
}

/// A scene in units of the contents in those of the window.
const scene::Scene& Frame::magnified(const scene::Scene& contents) {
    if (text_ == 1) return contents;
    scene::add_magnified(own_.emplace_back(), contents, text_);
    return own_.back();
}

/// A scene in units of the window, and what can be clicked in it.
void Frame::show(const scene::Scene& contents) {
    scenes_.push_back(&contents);
    controls_.insert(controls_.end(), contents.spots.begin(), contents.spots.end());
}

void Frame::add_header(const AppState& state) {
    show(header_->scene(look(state, layout_.header, Area::kNone, hot_)));
}

void Frame::add_tabs(const AppState& state, Box middle, std::size_t first) {
    add(tabs_->scene(look(state, inner(middle), Area::kNone, hot_ - static_cast<int>(first))));
}

void Frame::add_middle(const AppState& state) {
    middle_at_ = controls_.size();
    picture_ = &middle_->scene(look(state, inner(layout_.middle), Area::kMiddle));
    add(*picture_);
    middle_end_ = controls_.size();
    add(chrome::marks_scene(state, *measure_, *picture_, inner(layout_.middle), stroke_));
}

void Frame::add_transport(const AppState& state) {
    show(transport_->scene(look(state, layout_.transport, Area::kTransport)));
}

/// Another step or run has other things where the pointer rests; what it lay on before is no more, until it moves.
void Frame::forget_hover(const AppState& state) {
    Shown now{state.subject, state.comparison, state.view, state.playhead().position};
    if (!state.controls()) hover_ = {}, area_ = Area::kNone, hot_ = -1;  // the pointer is hidden
    if (now == shown_) return;
    shown_ = std::move(now);
    if (area_ != Area::kTransport || hover_.kind != scene::Target::Kind::kSpot) hover_ = {}, area_ = Area::kNone;
}

int Frame::control_at(Vec at) const {
    int found = -1;
    for (std::size_t i = 0; i < controls_.size(); ++i) {
        if (controls_[i].box.contains(at)) found = static_cast<int>(i);
    }
    return found;
}

chrome::Panel& Frame::middle(scene::View view) {
    auto& panel = middles_[static_cast<std::size_t>(view)];
    if (!panel) panel = chrome::middle_panel(view);
    return *panel;
}

/// The panels, and what a lesson puts above and over them.
void Frame::compose_window(const AppState& state) {
    if (words_.height > 0) add(chrome::words_scene(words_, *measure_, inner(layout_.words)));
    compose_panels(state);
    question_at_ = controls_.size();
    question_ = chrome::question_overlay(state, *measure_, inner(layout_.middle), inner(layout_.foot));
    add(question_.scene);
}

void Frame::compose_panels(const AppState& state) {
    controls_.clear();
    picture_ = nullptr;
    if (state.lecture && state.subject) return compose_lecture(state);
    add_header(state);
    if (!state.subject) return;
    if (state.is_between()) return compose_zoom(state);
    if (layout_.listing.w > 0) add(listing_->scene(look(state, inner(layout_.listing), Area::kListing)));
    add_middle(state);
    add_tabs(state, layout_.middle, middle_at_);
    const auto middle = controls_.begin() + static_cast<std::ptrdiff_t>(middle_at_);
    const std::size_t tabs = controls_.size() - middle_end_;
    std::rotate(middle, controls_.end() - static_cast<std::ptrdiff_t>(tabs), controls_.end());  // they come first
    middle_at_ += tabs, middle_end_ += tabs;
    if (layout_.counters.w > 0) add(counters_->scene(look(state, inner(layout_.counters), Area::kCounters)));
    add_transport(state);
}

/// The picture and its caption; over them, while the mouse is used, what else the window has.
void Frame::compose_lecture(const AppState& state) {
    if (state.is_between()) {
        compose_zoom(state);
    } else {
        add_middle(state);
    }
    scene::Layout words = layout_;
    words.middle = inner(layout_.middle), words.foot = inner(layout_.foot);
    add(chrome::lecture_scene(state, *measure_, words));
    if (layout_.code.h > 0) add(chrome::code_scene(state, *measure_, inner(layout_.code)));
    if (state.controls()) compose_controls(state);
}

void Frame::compose_controls(const AppState& state) {
    constexpr float kTabs = 46;
    const float below = layout_.header.bottom();
    scenes_.push_back(&own_.emplace_back());
    scene::Pen pen(own_.back(), *measure_);
    pen.fill({0, 0, window_.w, below + kTabs * text_}, {Role::kBackground});
    if (const float above = layout_.transport.y - 8; layout_.transport.h > 0)  // the ladder has none
        pen.fill({0, above, window_.w, window_.h - above}, {Role::kBackground});
    add_header(state);
    add_tabs(state, {layout_.middle.x, below - 8 * text_, layout_.middle.w, kTabs * text_}, controls_.size());
    add_transport(state);
}

/// On the way from one level to the next, or back: what stands for it, a block's card or a device's bar, grows to its
/// panel, and the panels beside one of them come in from the sides, or leave.
void Frame::compose_zoom(const AppState& state) {
    const auto inside = [&](scene::View view) {
        scene::Layout l = layout_of(view, state);
        for (Box* box : {&l.listing, &l.middle, &l.counters}) *box = inner(*box);
        return l;
    };
    const scene::View above = state.depth < 0 ? scene::View::kNetwork : scene::View::kGrid,
                      below = state.depth < 0 ? scene::View::kGrid : scene::View::kTree;
    const scene::Layout outer = inside(above), within = inside(below);
    const float share = scene::eased(static_cast<float>(state.depth < 0 ? state.depth + 1 : state.depth));
    chrome::Panel& whole = middle(above);
    const scene::Scene& cards = whole.scene(look(state, outer.middle));
    const Box card = whole.shown(), now = scene::between(card, within.middle, share);
    scene::Scene zoom;
    scene::Pen pen(zoom, *measure_);
    const Box ground = scene::between(outer.middle, within.middle, share);
    panel_ground(pen, ground);
    Box picture = ground;  // below the tabs
    picture.y += scene::kTitleHeight - 4, picture.h -= scene::kTitleHeight - 4;
    pen.add(scene::ClipBegin{picture});
    scene::add_moved(zoom, cards, card, now, 1 - share);
    pen.add(scene::ClipBegin{now});
    scene::add_moved(zoom, middle(below).scene(look(state, within.middle)), within.middle, now,
                     std::min(1.0f, 2 * share));
    pen.add(scene::ClipEnd{});
    pen.add(scene::ClipEnd{});
    const auto slide = [&](chrome::Panel& panel, Box scene::Layout::*place, float hidden_x) {
        const bool comes = (within.*place).w > 0;
        const Box box = comes ? within.*place : outer.*place;
        if (box.w <= 0) return;
        Box at = box;
        at.x += (hidden_x - box.x) * (comes ? 1 - share : share);
        scene::add_moved(zoom, panel.scene(look(state, box)), box, at);
    };
    slide(*listing_, &scene::Layout::listing, -std::max(within.listing.w, outer.listing.w));
    slide(*counters_, &scene::Layout::counters, inner(window_).w);
    add(std::move(zoom));
    if (state.lecture) return;
    add(tabs_->scene(look(state, ground)));
    add_transport(state);
}

void Frame::compose_overlays(const AppState& state) {
    draw_focus(state);
    const Box window = inner(window_);
    if (state.card) add(chrome::card_scene(state, *measure_, inner(layout_.middle)));
    const Box& caption = state.controls() ? layout_.transport : layout_.foot;
    float above = ((caption.h > 0 ? caption.y : window_.bottom()) - 14) / text_;
    if (!state.greeted) {
        constexpr float kRow = 46;  // in place of the picture's help
        const Box& picture = inner(layout_.middle);
        add(chrome::hint_scene(state, *measure_, {picture.x, picture.bottom() - kRow, picture.w, kRow}));
    }
    progress_ = chrome::progress_overlay(state, *measure_, window, above);
    scenes_.push_back(&magnified(progress_.scene));  // what lies over the panels has clicks of its own
    if (!progress_.boxes.empty()) above = progress_.boxes.front().y - 8;
    messages_ = chrome::messages_overlay(state, *measure_, window, above);
    scenes_.push_back(&magnified(messages_.scene));
    if (state.menu == Menu::kNone)
        menu_asked_at_ = {-1, -1};
    else
        scenes_.push_back(&menu_.scene(state, *measure_, button_of_menu(state), window_, menu_hot_));
    std::vector<std::string> told = tooltip(state);
    for (std::string& line : told) line = state::with_keys(line, state);
    add(chrome::tooltip_scene(told, *measure_, inner(at_), window));
    if (state.laser) {
        scene::Scene laser;
        scene::Pen pen(laser, *measure_);
        pen.disc(inner(at_), 24, {Role::kWrong, 0.25f});
        pen.ring(inner(at_), 9, {Role::kWrong}, {Role::kPanel}, 2);
        add(std::move(laser));
    }
    if (state.saving) add(chrome::saving_scene(state, *measure_, window));
    if (state.help) scenes_.push_back(&own_.emplace_back(chrome::help_scene(state, *measure_, window_)));
}

/// The one that was pressed, else the first that opens the menu; where none does: the one of the menu View, in which it
/// is a row.
Box Frame::button_of_menu(const AppState& state) const {
    Box button = layout_.header;
    for (const Menu opened : {Menu::kView, state.menu}) {
        bool first = true;
        for (const Spot& control : controls_) {
            const Command& opens = control.command;
            const bool mine = opens.value == 0 || opens.value == static_cast<double>(state.column) + 1;
            if (opens.action != Action::kMenu || opens.menu != opened || !mine) continue;
            if (std::exchange(first, false) || control.box.contains(menu_asked_at_)) button = control.box;
        }
    }
    return button;
}

void Frame::draw_focus(const AppState& state) {
    if (state.focus < 0 || state.focus >= static_cast<int>(controls_.size())) return;
    const Spot& control = controls_[static_cast<std::size_t>(state.focus)];
    scenes_.push_back(&own_.emplace_back());
    scene::Pen(own_.back(), *measure_).frame(control.box.inset(-4), {Role::kText}, 3, control.radius + 4);
}

std::string Frame::focused(const AppState& state) const {
    if (state.focus < 0 || state.focus >= static_cast<int>(controls_.size())) return "";
    const Spot& control = controls_[static_cast<std::size_t>(state.focus)];
    if (!control.tooltip.empty() || !state.subject) return control.tooltip;
    const auto story = middle_->story(state, middle_->target(inner(control.box.centre())));  // it tells itself
    return story.empty() ? "" : story.front();
}

std::vector<std::string> Frame::tooltip(const AppState& state) const {
    if (state.help || state.saving || state.menu != Menu::kNone || middle_->dragging() || transport_->dragging())
        return {};
    if (hot_ >= 0 && hot_ < static_cast<int>(controls_.size())) {
        std::vector<std::string> lines;
        for (const auto line : std::views::split(controls_[static_cast<std::size_t>(hot_)].tooltip, '\n'))
            lines.emplace_back(line.begin(), line.end());
        if (!lines.empty()) return lines;
    }
    if (area_ == Area::kNone || !state.subject) return {};
    if (hover_.kind == scene::Target::Kind::kWord) return scene::word_story(hover_);
    return area_ == Area::kMiddle ? middle_->story(state, hover_)
           : state.comparing()    ? scene::compare_story(*state.comparison, state.playhead(), hover_, 0)
                                  : scene::story(*state.subject, state.playhead(), hover_);
}

}  // namespace warptree::shell
