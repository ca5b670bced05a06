// What the transports of one run and of a comparison share.
#pragma once

#include "app/scene/kit.hpp"

namespace warptree::scene {

/// The buttons from `left`, on one line, at `position` of 0..last.
/// returns  the right end
float transport_buttons(Pen&, std::size_t position, std::size_t last, const TransportState&, float left, float y,
                        const Target& hover);

}  // namespace warptree::scene
