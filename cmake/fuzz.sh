#!/bin/sh
# Fuzzes for as long as is wanted: cmake/fuzz.sh load|manifest|values|settings [OPTIONS OF LIBFUZZER], for example
#   cmake/fuzz.sh load -max_total_time=3600 -fork=2
# Executions a second on one core of a shared machine, as of 2026-11: load 500, manifest 900, values 16,000.
# build/fuzz/TARGET holds what has been tried; what goes wrong is left in build/fuzz, to be mended and then kept among the
# seeds that cmake/fuzz.cmake names.
set -e
cd "$(dirname "$0")/.."
case ${1:-} in load | manifest | values | settings) ;; *) sed -n 's/^# //p' "$0" && exit 2 ;; esac
target=$1 && shift
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPTREE_CUDA=OFF -DWARPTREE_FUZZ_LEVEL=-O2 >/dev/null
cmake --build build/fuzz --target "fuzz_$target"
seeds=$(ctest --test-dir build/fuzz -R "^fuzz_$target\$" -N -V | sed -n 's/.*-seed_inputs=\([^" ]*\).*/\1/p')
mkdir -p "build/fuzz/$target"
cd build/fuzz
# Where memory was asked for is not told, and inputs are taken as they come: both took half of the time.
export ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=4
exec "./fuzz/$target" -timeout=20 -entropic=0 "-seed_inputs=$seeds" "$@" "$target"
