#!/bin/sh
# Random walks through the whole app under sanitizers: keys, clicks, drags, sizes, files, undo (app/shell/random_walk_test.cpp).
#   cmake/walk.sh pack                              builds into build/walk/pack, with libraries and fonts
#   cmake/walk.sh STEPS [SECONDS [FOLDER [SEED]]]   on all cores, from build/walk/pack or a copy of it, which needs no
#                                                   compiler: cmake/walk.sh 1000000 28800 pack
# SECONDS end it sooner (default 86400); SEED is the first (default: of the date). A walk has 500 steps and a seed of its
# own; one that fails prints its seed and its steps, and leaves its log where it ran.
set -e
length=500
case ${1:-} in
pack)
    cd "$(dirname "$0")/.."
    cmake -S . -B build/walk -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_UNITY_BUILD=ON \
        -DWARPTREE_CUDA=OFF -DWARPTREE_BENCH=OFF -DWARPTREE_TESTS=app -DWARPTREE_SANITIZE=address,undefined >/dev/null
    cmake --build build/walk --target shell_test
    mkdir -p build/walk/pack/lib build/walk/pack/fonts
    cp build/walk/app/shell/shell_test build/walk/pack
    ldd build/walk/app/shell/shell_test | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | grep -v '/lib[cm]\.so\|libpthread\|libdl\|librt' |
        xargs -I{} cp -L {} build/walk/pack/lib
    for font in "Inter" "Inter:bold" "JetBrains Mono" "JetBrains Mono:bold"; do
        cp "$(fc-match -f '%{file}' "$font")" build/walk/pack/fonts
    done
    du -sh build/walk/pack
    ;;
[1-9]*)
    steps=$1 seconds=${2:-86400} pack=$(realpath -m "${3:-build/walk/pack}") seed=${4:-$(date +%s)}
    [ -x "$pack/shell_test" ] || { echo "There is nothing to run in '$pack'; cmake/walk.sh pack fills build/walk/pack." >&2 && exit 1; }
    export LD_LIBRARY_PATH="$pack/lib" ASAN_OPTIONS=detect_leaks=0:malloc_context_size=2:quarantine_size_mb=16
    export WARPTREE_WALK_SEEDS=1 WARPTREE_WALK_STEPS=$length
    logs=$(mktemp -d "$PWD/walk.XXXXXX") end=$(($(date +%s) + seconds))
    printf '<?xml version="1.0"?><fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>' "$pack/fonts" "$logs/cache" \
        >"$logs/fonts.conf"
    export FONTCONFIG_FILE="$logs/fonts.conf"
    export pack logs end
    seq "$seed" $((seed + (steps + length - 1) / length - 1)) | xargs -P "$(nproc)" -I{} sh -c '
        [ "$(date +%s)" -lt "$end" ] || exit 0
        if WARPTREE_WALK_SEED={} TMPDIR=$logs "$pack/shell_test" "--gtest_filter=RandomWalk.*" >"$logs/{}.log" 2>&1
        then rm "$logs/{}.log" && echo >>"$logs/walked"; else echo "walk {} failed: $logs/{}.log"; fi'
    walked=$(wc -l <"$logs/walked" 2>/dev/null || echo 0) failed=$(find "$logs" -name '*.log' | wc -l)
    echo "$((walked * length)) steps in $walked walks from seed $seed on, $failed failed"
    [ "$failed" = 0 ] && [ "$walked" != 0 ] && rm -r "$logs"
    ;;
*) sed -n 's/^# //p' "$0" && exit 2 ;;
esac
