#!/usr/bin/env bash
# Draws the pictures of README.md and app/manual.md anew: assets/pictures.sh [PROGRAM [FOLDER]]. Look at them before they are
# committed.
set -euo pipefail
program=$(realpath "${1:-build/release/warptree}")
cd "$(dirname "$0")"
out=$(realpath "${2:-pictures}")

draw() { # NAME ARGUMENTS: what `warptree render` is asked for
    "$program" render "${@:2}" --out "$out/$1.png" && echo "$out/$1.png"
}

draw main pmpp-simple --n 16 --warp-size 4 --step 2
draw grid harris-4 --n 32 --block 4 --warp-size 4 --step 4 --view grid
draw network brent-kung --n 16 --block 8 --step 5
draw tiles traces/look-back-2048.wtrace
draw tournament tournament --view tournament
draw ladder pmpp-simple --view ladder
draw accuracy kahan-tree --n 64 --block 16 --input uniform --view accuracy --picture bandwidth
draw lecture pmpp-simple --n 16 --warp-size 4 --step 2 --lecture --strip --text hall
draw lesson --lesson divergence --scene 3 --step 2 --question
draw speaker --lesson divergence --scene 2 --step 1 --question --speaker --size 1280x720
