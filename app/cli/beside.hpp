// This program once more, beside the window.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "instrumentation/result.hpp"

namespace warptree::cli {

/// Runs `warptree export WORDS` and waits for it.
/// says     called with what it says of how far it is
/// stop     asked a few times a second; then it ends, and leaves nothing half written
/// errors   what it says; kCancelled where it was stopped
/// returns  what it has written, a sentence
Result<std::string> export_beside(const std::vector<std::string>& words,
                                  const std::function<void(const std::string&)>& says,
                                  const std::function<bool()>& stop);

}  // namespace warptree::cli
