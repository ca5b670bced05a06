// The command line: warptree [list | record | report | render | diff]; without one of them, the window.
#pragma once

namespace warptree::cli {

/// Runs what the arguments say.
/// returns  the exit code: 0 done, 1 failed, 2 bad usage
int run(int argc, char** argv);

}  // namespace warptree::cli
