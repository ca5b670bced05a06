// The picture is the lecture's own frame, moved into its box.
#include "app/shell/speaker_frame.hpp"

#include "app/state/announce.hpp"

namespace warptree::shell {

std::span<const scene::Scene* const> SpeakerFrame::compose(const AppState& state, scene::Vec size, scene::Vec lecture) {
    next_.follow(state);
    const AppState* next = next_.state();
    chrome::NextWords words{next_.ended()     ? "This is the end."
                            : next == nullptr ? "…"
                                              : state::words_of(*next, state),
                            lecture.x / lecture.y};
    scene::Box box;
    panel_ = chrome::speaker_scene(state, words, *measure_, size, box);
    picture_ = {};
    if (next == nullptr || next_.ended()) return scenes_;
    const scene::Box whole{0, 0, lecture.x, lecture.y};
    picture_.add(scene::ClipBegin{box});
    picture_.add(scene::Rect{.box = box, .ink = {scene::Role::kBackground}});
    for (const scene::Scene* one : frame_.compose(*next, lecture)) scene::add_moved(picture_, *one, whole, box);
    picture_.add(scene::ClipEnd{});
    return scenes_;
}

}  // namespace warptree::shell
