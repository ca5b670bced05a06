// The stage: an app in its frame, painted. What the desktop's window and a browser's page do alike.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/paint/fonts.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/input.hpp"
#include "app/shell/renderer.hpp"
#include "app/state/app.hpp"

namespace warptree::shell {

class Stage {
public:
    /// clipboard  the text that is there to be pasted
    Stage(state::App& app, const paint::Fonts& fonts, Renderer& renderer, std::function<std::string()> clipboard)
        : app_(app), fonts_(fonts), renderer_(renderer), frame_(fonts), clipboard_(std::move(clipboard)) {}

    /// returns  whether there may be something new to draw
    bool take(const InputEvent& event);
    /// Tells the app what time it is, while that is on show. returns  whether that is new
    /// seconds  since some moment
    bool tell_time(double seconds);
    /// Paints what there is into the current context.
    /// width, height  pixels; content_scale  the system's, of a screen with many pixels an inch
    void draw(int width, int height, float content_scale);
    /// Whether the pointer has moved onto something else since draw().
    bool stale() const { return frame_.stale(); }
    /// Says what has changed, as announce.hpp has it; "": nothing has.
    std::string announcement(double longest = 0);

    enum class Cursor : std::uint8_t { kArrow, kHand, kHorizontal, kVertical, kHidden };
    Cursor cursor() const;
    /// Of the window, in units.
    scene::Vec size() const { return size_; }

private:
    bool take_key(const KeyEvent& key);
    bool take_pointer(const PointerMoved& moved);

    state::App& app_;
    const paint::Fonts& fonts_;
    Renderer& renderer_;
    Frame frame_;
    std::function<std::string()> clipboard_;
    double began_ = 0;  // the lecture
    int width_ = 0, height_ = 0;
    float scale_ = 1;
    scene::Vec size_{1, 1};
    std::uint64_t frames_ = 0;
    std::string said_;
};

}  // namespace warptree::shell
