// A run that takes its time: what it is, how far it is, and a way to call it off. Above the transport, where messages
// stand too.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class ProgressPanel {
public:
    /// Draws nothing while there is nothing to wait for.
    /// above  the y that it ends at
    const Scene& scene(const AppState& state, const Measure& measure, Box window, float above);
    /// Of the scene shown last: no height where nothing was drawn.
    const Box& box() const { return box_; }

private:
    Box box_;
    Scene scene_;
};

}  // namespace warptree::panel
