// Messages: what the user should know, above the transport; each can be closed.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class MessagesPanel {
public:
    /// above  the y that the lowest message ends at
    const Scene& scene(const AppState& state, const Measure& measure, Box window, float above);
    /// What a click there does; nothing where no message is.
    std::optional<Command> click(Vec point) const;
    bool covers(Vec point) const;

private:
    struct Place {
        Box box, close;
    };
    std::vector<Place> places_;  // (messages,)
    Scene scene_;
};

}  // namespace warptree::panel
