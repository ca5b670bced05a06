// What the parts of the devices' picture share: where rounds and devices stand, and the bars that say what these hold.
#pragma once

#include "app/views/devices/view.hpp"

namespace warptree::scene {

inline constexpr LegendItem kDeviceLegend[] = {{Word::kOwnElements, kIdle, kNone},
                                               {Word::kPartSums, kWritten, kHatched},
                                               {Word::kAllSums, kSegment},
                                               {Word::kMessage, kActive}};

struct DeviceContext : ViewContext {
    const Devices& all;
    std::size_t rounds = all.messages.size();
    std::size_t done = s.launch + (at.position >= s.steps() && at.progress >= 1 ? 1 : 0);  // rounds that have ended

    static constexpr std::size_t kMostLines = 128;  // of a round, to follow with the eye; of more those of one device
    bool few = std::ranges::max(all.messages, {}, &std::vector<counters::Message>::size).size() <= kMostLines;
    std::vector<counters::Message> now = counters::messages(s.trace, 0, state());  // of the round on show, so far
    std::uint32_t chosen = s.trace.launch.device_of_block(s.block);                // the one on show

    bool present(std::size_t round) const { return s.launch == round && has_step; }
    /// Of the round on show what went up to the step; of those to come nothing.
    const std::vector<counters::Message>& messages(std::size_t round) const {
        static const std::vector<counters::Message> none;
        return round < done ? all.messages[round] : round == s.launch ? now : none;
    }
    /// Whether a message is drawn as a line.
    bool draws(const counters::Message& one) const { return few || one.from == chosen || one.to == chosen; }
    std::string whose() const { return fmt::format("those of device {} alone", chosen); }
};

/// What a device holds after so many rounds. Its pieces are of its block in the last of them.
void draw_pieces(const DeviceContext&, Box, std::size_t rounds, std::uint32_t device);
/// Of each device its way out to the others, over time: rounds as bands, as wide as their busiest way has bytes.
void draw_links_over_time(const DeviceContext&, Box, const Target& hover);
/// Devices and the links that have been in use, as what they are: one or two trees, or a circle.
void draw_device_shape(const DeviceContext&, Box);

}  // namespace warptree::scene
