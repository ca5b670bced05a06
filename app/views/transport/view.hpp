// The transport.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

inline constexpr double kSpeeds[] = {0.25, 0.5, 1, 2, 4};
/// Round and round.
double next_speed(double now);

struct TransportState {
    bool playing = false;
    float speed = 1;
    float text = 1;       // how much larger the caption is than on a desk
    bool venues = false;  // a tournament: the bars count its venues, not warp slots
    std::string after{};  // what follows the caption
};
/// Caption, buttons, and one bar a step with its efficiency.
Scene transport_view(const Subject&, Playhead, const TransportState&, Box, const Measure&, const Target& hover = {});

// What the transports of one run and of a comparison share

/// The buttons from `left`, on one line, at `position` of 0..last.
/// returns  the right end
float transport_buttons(Pen&, std::size_t position, std::size_t last, const TransportState&, float left, float y,
                        const Target& hover);

/// The captions, at the top, `text` times as large as on a desk.
/// low  of a transport of little height
/// returns  the y below them
float draw_captions(Pen&, Box, float text, std::size_t count, bool low,
                    const std::function<std::vector<std::string>(int brief)>& wordings,
                    std::span<const std::string> tags = {});

}  // namespace warptree::scene
