// Which access the memory view shows: alone, since the state holds it.
#pragma once

#include <cstdint>
#include <string>

namespace warptree::scene {

/// Which access is on show: the same place in the kernel and warp in each step, else the one that wastes most.
struct MemoryChoice {
    bool made = false;
    std::uint16_t site = 0;
    std::uint32_t warp = 0;
    bool operator==(const MemoryChoice&) const = default;
};

/// "site/warp"; "": none was chosen.
std::string text_of(const MemoryChoice&);
MemoryChoice access_of(const std::string& text);

}  // namespace warptree::scene
