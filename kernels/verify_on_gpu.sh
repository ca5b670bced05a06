#!/usr/bin/env bash
# For anyone with an NVIDIA GPU: shows that it leaves the very traces that the CPU leaves.
#
# usage: kernels/verify_on_gpu.sh [WARPTREE [FOLDER]]     default: build/release/warptree assets/traces
#
# Records the book's kernels on the GPU into FOLDER (the project keeps such traces, and its tests compare them with
# the CPU on machines that have no GPU), compares each with the CPU's, and runs plain and recorded kernels under
# compute-sanitizer where it is installed. Prints a table; stops with exit code 1 at the first difference.
set -u
cd "$(dirname "$0")/.." || exit 2
warptree=${1:-build/release/warptree}
folder=${2:-assets/traces}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

if [ ! -x "$warptree" ]; then
    echo "There is no program at $warptree: build Warptree first, or say where it is: $0 PATH_TO_WARPTREE" >&2
    exit 2
fi
mkdir -p "$folder" || exit 2

row() { printf '%-18s %6s  %-34s %s\n' "$@"; }

# fail KERNEL N CHECK: the log of the last command says why
fail() {
    row "$1" "$2" "$3" "FAILED"
    sed 's/^/    /' "$scratch/log" >&2
    exit 1
}

# on_gpu FILE: whether a trace was recorded on the GPU; where there is none, the program says so and takes the CPU
on_gpu() { grep -aq '"backend":"cuda"' "$1"; }

# compare KERNEL N: records on both, puts the GPU's trace into the folder once it is known to be right
compare() {
    local kernel=$1 n=$2
    "$warptree" record "$kernel" --n "$n" --backend cuda --out "$scratch/cuda.wtrace" >"$scratch/log" 2>&1 ||
        fail "$kernel" "$n" "record on the GPU"
    on_gpu "$scratch/cuda.wtrace" || fail "$kernel" "$n" "record on the GPU"
    "$warptree" record "$kernel" --n "$n" --backend cpu --out "$scratch/cpu.wtrace" >"$scratch/log" 2>&1 ||
        fail "$kernel" "$n" "record on the CPU"
    "$warptree" diff "$scratch/cuda.wtrace" "$scratch/cpu.wtrace" >"$scratch/log" 2>&1 ||
        fail "$kernel" "$n" "GPU's trace = CPU's"
    mv "$scratch/cuda.wtrace" "$folder/$kernel-$n.wtrace" || exit 2
    row "$kernel" "$n" "GPU's trace = CPU's" "equal"
}

# sanitize KERNEL N: every tool over the plain and the recorded kernel
sanitize() {
    local kernel=$1 n=$2 tool
    for tool in memcheck racecheck synccheck initcheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$warptree" run "$kernel" --n "$n" --backend cuda \
            >"$scratch/log" 2>&1 || fail "$kernel" "$n" "$tool, plain"
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$warptree" record "$kernel" --n "$n" --backend cuda \
            --out "$scratch/checked.wtrace" >"$scratch/log" 2>&1 || fail "$kernel" "$n" "$tool, recorded"
        on_gpu "$scratch/checked.wtrace" || fail "$kernel" "$n" "$tool, recorded"
        row "$kernel" "$n" "$tool, plain and recorded" "clean"
    done
}

row kernel N check result
for kernel in pmpp-simple pmpp-convergent pmpp-shared; do
    for n in 2 16 64 256 2048; do compare "$kernel" "$n"; done
done
compare pmpp-segmented 4096

if command -v compute-sanitizer >/dev/null; then
    for kernel in pmpp-simple pmpp-convergent pmpp-shared; do sanitize "$kernel" 256; done
    sanitize pmpp-segmented 4096
else
    echo "compute-sanitizer is not installed (it comes with the CUDA Toolkit): memory, races and barriers unchecked."
fi
echo "Every trace is equal; the GPU's are in $folder."
