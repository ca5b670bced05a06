#!/usr/bin/env bash
# For anyone with an NVIDIA GPU: measures anew what comes along of the kernels that coarsen, with the factor that they
# have where nobody chooses one.
#
# usage: kernels/measure_coarsening.sh NAME [WARPTREE [FOLDER]]     default: build/release/warptree assets/results
#        kernels/measure_coarsening.sh h200
#
# Writes FOLDER/NAME_with_factor*.json: times over N, warm and cold, beside the kernel before them; counts; schedules;
# errors and repeated results. Files are read in the order of their names, so these stand in place of those rows
# of NAME.json, NAME-*.json and NAME_scans.json.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '5,6s/^# //p' "$0" >&2; exit 2; }
warptree=${2:-build/release/warptree}
to=${3:-assets/results}/${1}_with_factor

# measure FILE WORDS...: writes FILE only where all of it was measured
measure() {
    local file=$1
    shift
    "$warptree" "$@" --backend cuda --out "$file.part.json" >/dev/null
    mv "$file.part.json" "$file"
}

measure "$to.json" bench pmpp-segmented,pmpp-coarsened --n 2^17..2^30 --type float32,int32 --references none
measure "${to}_scans.json" bench scan-coarsened --n 2^10..2^30 --type float32,int32 --references none
measure "${to}_counted.json" bench pmpp-coarsened,scan-coarsened --n 2^17..2^28 --references none --count
measure "${to}_schedules.json" bench pmpp-coarsened --n 2^20 --references none --schedule
measure "${to}_accuracy.json" accuracy pmpp-coarsened --n 2^20 --seeds 20
measure "${to}_repeats.json" accuracy pmpp-coarsened --n 2^16 --repeat 1000
ls -l "$to"*.json
