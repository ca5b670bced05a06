#!/usr/bin/env bash
# For anyone with an NVIDIA GPU: holds the counters of CUDA programs against the hardware's (warptree verify FILE.cu).
#
# usage: instrumentation/foreign/verify_on_gpu.sh [WARPTREE [OUT.json [FILE.cu ...]]]
#        default: build/release/warptree assets/measured/programs.json
#
# The programs that `warptree new` writes, the catalog's kernels as a reader types them in, the exercises' solutions, and
# whatever files are named. Needs Python 3.11, nvcc and NVIDIA's profiler (ncu). Ends with 1 where a difference is not the compiler's.
set -u
cd "$(dirname "$0")/../.."
warptree=${1:-build/release/warptree}
out=${2:-assets/measured/programs.json}
failed=0

verify() {  # FILE [OPTION...] [-- ARGUMENT...]
    echo "== $*"
    "$warptree" verify --out "$out" "$@" || failed=1
}

for program in assets/programs/*.cu; do
    verify "$program"
done
for kernel in pmpp-simple pmpp-convergent pmpp-shared; do
    verify instrumentation/foreign/testdata/ladder.cu -I . -- "$kernel" 256 128
done
for kernel in pmpp-segmented pmpp-coarsened shuffle-atomic two-stage-shuffle harris-{1..7}; do
    verify instrumentation/foreign/testdata/ladder.cu -I . -- "$kernel" 16384 128
done
solutions=$(mktemp -d) || exit 2
trap 'rm -rf "$solutions"' EXIT
while read -r program n seed; do
    verify "$program" -- "$n" "$seed"
done < <(python3 - "$solutions" <<'END'
import pathlib, sys, tomllib
for folder in sorted(pathlib.Path("assets/exercises").iterdir()):
    text = (folder / "start.cu").read_text()
    for before, after in tomllib.loads((folder / "tests.toml").read_text())["solution"]:
        text = text.replace(before, after)
    test = tomllib.loads((folder / "exercise.toml").read_text())["test"][-1]
    program = pathlib.Path(sys.argv[1]) / f"{folder.name}.cu"
    program.write_text(text)
    print(program, test["n"], test.get("seed", 1))
END
)
for program in "${@:3}"; do
    verify "$program"
done
exit $failed
