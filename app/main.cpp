// Warptree: parse, choose, run; all of it is in app/cli.
#include "app/cli/commands.hpp"

int main(int argc, char** argv) {
    return warptree::cli::run(argc, argv);
}
