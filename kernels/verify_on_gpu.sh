#!/usr/bin/env bash
# For anyone with an NVIDIA GPU: holds the CPU executor and the counters against it.
#
# usage: kernels/verify_on_gpu.sh [WARPTREE [FOLDER]]     default: build/release/warptree assets/traces
#
# 1. Every kernel at sizes with tails, every operator and element type: the GPU's trace equals the CPU's, apart from
#    the header. The launches that the project keeps are left in FOLDER; its tests compare them with the CPU.
# 2. Plain runs of every kernel up to N = 2^26, of random numbers, on both: the whole output is right.
# 3. compute-sanitizer (memcheck, racecheck, synccheck, initcheck) over every kernel, plain and recorded.
# 4. The counters against NVIDIA's profiler (warptree verify), written to FOLDER/../measured/verify.json.
# 5. Kernels of several devices, on two GPUs and more where these reach each other's memory: traces, plain runs and
#    compute-sanitizer as above, and NCCL beside them, written to FOLDER/../results/devices.json.
# 6. Plain runs of these of 2^0 to 2^28 elements on each, of every type and operator, and of all-reduce, which NCCL does.
# 7. The schedule of every kernel that has one (warptree bench --schedule); the others say why not.
# 8. A first start: where the build has no code of this GPU's, it is said that the driver translates; a second one has it.
# What is not installed is said. WARPTREE_ONLY=traces, plain, sanitizer, profiler, devices, large, schedules or starts does one of the eight.
# Prints every difference and a line of totals for each; exit code 1 if there was any.
set -u
cd "$(dirname "$0")/.." || exit 2
warptree=${1:-build/release/warptree}
folder=${2:-assets/traces}
only=${WARPTREE_ONLY:-traces plain sanitizer profiler devices large schedules starts}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failures=0

if [ ! -x "$warptree" ]; then
    echo "There is no program at $warptree: build Warptree first, or say where it is: $0 PATH_TO_WARPTREE" >&2
    exit 2
fi
mkdir -p "$folder" "$folder/../measured" "$folder/../results" || exit 2
kernels= collectives=
for kernel in $("$warptree" list --json | sed -n 's/.*"name": "\(.*\)",/\1/p'); do
    if "$warptree" report "$kernel" --n 8 --devices 2 >/dev/null 2>&1; then collectives+=" $kernel"; else kernels+=" $kernel"; fi
done

# on_gpu FILE: whether a trace was recorded on the GPU; where there is none, the program says so and takes the CPU
on_gpu() { grep -aq '"backend":"cuda"' "$1"; }

# compare OPTIONS...: records on both and prints "equal", or what differs; "refused" where the kernel takes no such launch
compare() {
    local name="$*"
    name=${name//[ \/]/_}
    local cpu=$scratch/$name-cpu.wtrace cuda=$scratch/$name.wtrace log=$scratch/$name.log
    if ! "$warptree" record "$@" --warp-size 32 --backend cpu --out "$cpu" >"$log" 2>&1; then
        echo refused
    elif "$warptree" record "$@" --backend cuda --out "$cuda" >"$log" 2>&1 && on_gpu "$cuda" &&
        "$warptree" diff "$cuda" "$cpu" >"$log" 2>&1; then
        echo equal
    else
        printf 'FAILED %s\n' "GPU's trace = CPU's: $*"
        head -n 8 "$log" | sed 's/^/    /'
        rm -f "$cuda"
    fi
    rm -f "$cpu" "$log"
}

# Launches that the project keeps
kept_launches() {
    local kernel n
    for kernel in pmpp-simple pmpp-convergent pmpp-shared; do
        for n in 2 16 64 256 2048; do echo "$kernel --n $n"; done
    done
    echo "pmpp-segmented --n 4096"
    echo "look-back --n 2048 --block 32"
    echo "gather --n 256"
}

all_launches() {
    local kernel n op type
    for kernel in $kernels; do
        for n in 1 2 31 32 33 255 256 1000 2048 4097 100003; do
            echo "$kernel --n $n --type int32 --input random"
            echo "$kernel --n $n --type float32"
        done
        echo "$kernel --n 100003 --type int32 --keep counters"
    done
    for type in int8 int64 float16 bfloat16 float64; do
        for kernel in pmpp-simple pmpp-shared harris-7 shuffle-atomic two-stage-shuffle; do
            echo "$kernel --n 256 --type $type --input random"
        done
    done
    for type in float16 bfloat16 float32 float64; do
        for kernel in sequential pairwise kahan neumaier kahan-tree pmpp-shared last-block; do
            echo "$kernel --n 2048 --type $type --input mixed"
        done
    done
    for op in product min max and or xor any all argmin argmax subtract matrix; do
        for kernel in pmpp-simple pmpp-convergent pmpp-shared harris-3; do
            echo "$kernel --n 256 --op $op --type int32 --input random"
        done
    done
}

# compare_all: each line of input is the options of one
compare_all() {
    xargs -P 8 -L 1 bash -c 'compare "$@"' compare >"$scratch/compared"
    grep -vE '^(equal|refused)$' "$scratch/compared"
    local unequal
    unequal=$(grep -c '^FAILED' "$scratch/compared")
    echo "traces: $(grep -c '^equal$' "$scratch/compared") equal, $unequal not," \
        "$(grep -c '^refused$' "$scratch/compared") that a kernel does not take ($("$warptree" list | tail -n 1))"
    failures=$((failures + unequal))
}

traces() {
    { kept_launches; all_launches; } | compare_all
    local kernel n
    kept_launches | while read -r kernel _ n more; do
        mv "$scratch/${kernel}_--n_$n${more:+_${more// /_}}.wtrace" "$folder/$kernel-$n.wtrace" 2>/dev/null
    done
}

# right OPTIONS...: runs plainly and prints "right", or what it said; "refused" where the kernel takes no such launch
right() {
    local said
    said=$("$warptree" run "$@" 2>&1)
    case $? in
        0) if [[ $* == *cuda* && $said != *", cuda:"* ]]; then echo "FAILED no GPU ran $*"; else echo right; fi ;;
        2) echo refused ;;
        *) printf 'FAILED %s\n' "$*: $said" ;;
    esac
}

# run_all: each line of input is the options of one
run_all() {
    xargs -P 8 -L 1 bash -c 'right "$@"' right >"$scratch/ran"
    grep -vE '^(right|refused)$' "$scratch/ran"
    local wrong
    wrong=$(grep -c '^FAILED' "$scratch/ran")
    echo "plain runs: $(grep -c '^right$' "$scratch/ran") right, $wrong not," \
        "$(grep -c '^refused$' "$scratch/ran") that a kernel does not take"
    failures=$((failures + wrong))
}

plain() {
    local kernel n backend type
    for kernel in $kernels; do
        for backend in cuda cpu; do
            for n in 1 1000 100003 1048579 67108864; do
                for type in int32 float32; do echo "$kernel --n $n --type $type --input random --backend $backend"; done
            done
        done
    done | run_all
}

# sanitize TOOL KERNEL N: prints what it found; nothing where it is clean
sanitize() {
    local log=$scratch/$1-$2.log
    if ! compute-sanitizer --tool "$1" --error-exitcode 9 "$warptree" run "$2" --n "$3" --backend cuda >"$log" 2>&1 ||
        ! compute-sanitizer --tool "$1" --error-exitcode 9 "$warptree" record "$2" --n "$3" --backend cuda \
            --out "$scratch/$1-$2.wtrace" >>"$log" 2>&1 || ! on_gpu "$scratch/$1-$2.wtrace"; then
        printf 'FAILED %s %s\n' "$1" "$2"
        grep -m 5 '=========' "$log" | sed 's/^/    /'
    fi
}

# sanitize_all KERNELS N
sanitize_all() {
    if ! command -v compute-sanitizer >/dev/null; then
        echo "compute-sanitizer is not installed (it comes with the CUDA Toolkit): memory, races and barriers unchecked."
        return
    fi
    local found
    found=$(for kernel in $1; do
        for tool in memcheck racecheck synccheck initcheck; do printf '%s %s %s\n' "$tool" "$kernel" "$2"; done
    done | xargs -P 8 -L 1 bash -c 'sanitize "$@"' sanitize)
    [ -z "$found" ] || { printf '%s\n' "$found"; failures=$((failures + 1)); }
    echo "sanitizer: $(wc -w <<<"$1") kernels, four tools, plain and recorded: $([ -z "$found" ] && echo clean || echo NOT clean)"
}

sanitizer() { sanitize_all "$kernels" 256; }

devices() {
    local gpus kernel p n type op
    gpus=$(nvidia-smi -L 2>/dev/null | wc -l)
    if [ "$gpus" -lt 2 ]; then
        echo "devices:$collectives need two GPUs that reach each other's memory, and here is $gpus; unchecked."
        return
    fi
    for kernel in $collectives; do
        for ((p = 2; p <= gpus; ++p)); do
            for n in 1 2 33 1000 4096; do
                for type in int32 float32 float64 bfloat16 int8; do
                    echo "$kernel --devices $p --n $((n * p)) --type $type --input random"
                done
            done
            for op in product min max and or xor any all argmin argmax; do
                echo "$kernel --devices $p --n $((100 * p)) --op $op --type int32 --input random"
            done
        done
    done | compare_all
    for kernel in $collectives; do
        for ((p = 2; p <= gpus; ++p)); do
            for n in 1 2 1000 65537; do echo "$kernel --devices $p --n $((n * p)) --input random --backend cuda"; done
        done
    done | run_all
    sanitize_all "$collectives" 256
    "$warptree" record all-reduce-ring --n 64 --devices 2 --backend cuda --out "$folder/all-reduce-ring-64.wtrace" || failures=$((failures + 1))
    # shellcheck disable=SC2086  # a list
    "$warptree" bench $collectives --devices 2 --n 2^1..2^29 --backend cuda --out "$folder/../results/devices.json" ||
        failures=$((failures + 1))
}

large() {
    local gpus kernel bits type op
    gpus=$(nvidia-smi -L 2>/dev/null | wc -l)
    [ "$gpus" -ge 2 ] || { echo "large:$collectives need two GPUs, and here is $gpus; unchecked."; return; }
    for kernel in $collectives all-reduce; do
        for bits in {0..28}; do
            for type in int32 float32; do
                echo "$kernel --devices $gpus --n $((gpus << bits)) --type $type --input random --backend cuda"
            done
        done
        for type in int8 int32 int64 float16 bfloat16 float32 float64; do
            for op in sum product min max and or xor any all argmin argmax; do
                echo "$kernel --devices $gpus --n $((gpus << 23)) --type $type --op $op --input random --backend cuda"
            done
        done
    done | run_all
}

profiler() {
    if ! command -v ncu >/dev/null; then
        echo "ncu is not installed (it comes with the CUDA Toolkit): the counters are not held against the hardware."
        return
    fi
    "$warptree" verify --out "$folder/../measured/verify.json" || failures=$((failures + 1))
}

schedules() {
    local kernel said noted=0 refused=0
    for kernel in $kernels; do
        said=$("$warptree" bench "$kernel" --n 2^16 --schedule --references none --backend cuda --json 2>&1)
        case $said in
            *'"begin_ns"'*) noted=$((noted + 1)) ;;
            *'gave error'* | *'CUDA failed'*)
                echo "FAILED schedule of $kernel: $(grep -m 1 -E 'gave error|CUDA failed' <<<"$said")"
                failures=$((failures + 1))
                ;;
            *)
                echo "    no schedule: $(grep -m 1 -E 'Left out|^warptree:' <<<"$said")"
                refused=$((refused + 1))
                ;;
        esac
    done
    echo "schedules: $noted noted, $refused that have none"
}

# A start with what the driver kept in a folder: prints its seconds, and whether it said that the driver translates
start() {
    local begun=$SECONDS said
    said=$(CUDA_CACHE_PATH=$scratch/translated WARPTREE_SAYS_OFTEN=1 "$warptree" "$@" --backend cuda 2>&1 >/dev/null)
    echo "$((SECONDS - begun)) $(grep -c "driver translates" <<<"$said")"
}
starts() {
    local command first second
    for command in "report pmpp-simple --n 64" "run vectorized --n 2^20" "bench vectorized --n 2^20 --references none"; do
        rm -rf "$scratch/translated"
        read -r -a first <<<"$(start $command)"
        read -r -a second <<<"$(start $command)"
        echo "    first start, ${command%% *}: ${first[0]} s, ${first[1]} lines that the driver translates; second: ${second[0]} s, ${second[1]}"
        if { [ "${first[0]}" -gt 3 ] && [ "${first[1]}" -eq 0 ]; } || [ "${second[1]}" -gt 3 ]; then
            echo "FAILED start: ${command%% *}"
            failures=$((failures + 1))
        fi
    done
}

export -f compare on_gpu right sanitize
export scratch warptree
for part in $only; do "$part"; done
exit $((failures > 0))
