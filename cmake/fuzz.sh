#!/bin/sh
# Fuzzes what is read: files of runs, their manifests, values, CUDA files, lessons, exercises,
# settings, results.
#   cmake/fuzz.sh load|manifest|values|rewrite|lesson|exercise|settings|results [OPTIONS OF LIBFUZZER]     one target, for as long as is wanted
#   cmake/fuzz.sh pack                                  builds all into build/fuzz/pack, with libraries and seeds
#   cmake/fuzz.sh EXECUTIONS [SECONDS [FOLDER]]         all targets on all cores, from build/fuzz/pack or a copy of it,
#                                                       which needs no clang: cmake/fuzz.sh 100000000 460 pack
# EXECUTIONS are split over the targets by their speeds; SECONDS end it sooner (default 86400). What goes wrong is left
# where it ran, to be mended and then kept among the seeds that cmake/fuzz.cmake names.
set -e
targets="load manifest values rewrite lesson exercise settings results"
# Where memory was asked for is not told, and inputs are taken as they come: both took half of the time.
export ASAN_OPTIONS=malloc_context_size=0:max_malloc_fill_size=0:quarantine_size_mb=4:detect_leaks=0
options="-timeout=20 -entropic=0"
build() {
    compiler=$(command -v clang++-14 || command -v clang++) || { echo "clang++ was not found; Debian's package is clang." >&2 && exit 1; }
    cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 \
        -DWARPTREE_SANITIZE=address,undefined,fuzzer-no-link -DWARPTREE_APP=OFF -DWARPTREE_CUDA=OFF -DWARPTREE_BENCH=OFF >/dev/null
    for target; do cmake --build build/fuzz --target "fuzz_$target"; done
}
seeds() { ctest --test-dir build/fuzz -R "^fuzz_$1\$" -N -V | sed -n 's/.*-seed_inputs=\([^" ]*\).*/\1/p'; }

# Executions a second on a core, as of 2026-11: load 1,750, manifest 3,600, values 31,000, settings 7,700.
workers() { # TARGET CORES
    case $1 in values) n=$(($2 * 7 / 16)) ;; *) n=$(($2 * 9 / 64)) ;; esac
    echo $((n > 0 ? n : 1))
}
share() { case $1 in load) echo 2 ;; manifest) echo 4 ;; settings) echo 9 ;; results) echo 5 ;; lesson | exercise) echo 1 ;; rewrite) echo 1 ;; values) echo 77 ;; esac; } # per cent

all() {
    executions=$1 seconds=${2:-86400} pack=$(realpath -m "${3:-build/fuzz/pack}") cores=$(nproc)
    [ -x "$pack/load" ] || { echo "There is nothing to run in '$pack'; cmake/fuzz.sh pack fills build/fuzz/pack." >&2 && exit 1; }
    found=$(mktemp -d "$PWD/fuzz.XXXXXX") && cd "$found"
    for target in $targets; do
        workers=$(workers "$target" "$cores")
        runs=$((executions / 100 * $(share "$target") / workers + 1)) list=$(find "$pack/seeds/$target" -type f | paste -sd,)
        for i in $(seq "$workers"); do
            LD_LIBRARY_PATH=$pack/lib "$pack/$target" $options "-seed=$i" "-runs=$runs" "-max_total_time=$seconds" \
                -print_final_stats=1 "-artifact_prefix=$target-" "-seed_inputs=$list" >"$target.$i.log" 2>&1 &
        done
    done
    wait
    for target in $targets; do
        count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target".*.log | awk '{ n += $1 } END { print n + 0 }')
        crashes=$(find . -maxdepth 1 -name "$target-*" | wc -l)
        echo "$target: $count executions, $crashes crashes"
    done | tee summary.txt
    awk '{ n += $2; c += $4 } END { printf "all: %d executions, %d crashes\n", n, c; exit c > 0 || n == 0 }' summary.txt
}

case ${1:-} in
load | manifest | values | rewrite | lesson | exercise | settings | results)
    cd "$(dirname "$0")/.." && build "$1"
    target=$1 list=$(seeds "$1") && shift
    mkdir -p "build/fuzz/$target" && cd build/fuzz
    exec "./fuzz_$target" $options "-seed_inputs=$list" "$@" "$target"
    ;;
pack)
    cd "$(dirname "$0")/.." && build $targets
    for target in $targets; do
        mkdir -p "build/fuzz/pack/lib" "build/fuzz/pack/seeds/$target"
        cp "build/fuzz/fuzz_$target" "build/fuzz/pack/$target"
        cp $(seeds "$target" | tr , ' ') "build/fuzz/pack/seeds/$target"
        ldd "build/fuzz/fuzz_$target" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | grep -v '/lib[cm]\.so\|libpthread\|libdl\|librt' |
            xargs -I{} cp -L {} build/fuzz/pack/lib
    done
    du -sh build/fuzz/pack
    ;;
[1-9]*) all "$@" ;;
*) sed -n 's/^# //p' "$0" && exit 2 ;;
esac
