"""Whatever a user can ask for is run, kept in part, or refused in a sentence, in 2 GB of memory: no signal, no silence.

What would not fit is refused before it runs: memory that runs out is wrong. What takes longer than two minutes is left,
counted and named.
usage: sweep_test.py WARPTREE [MINUTES]      MINUTES: how long to go on (default: the same small ones, for 8 s)
"""
import collections
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

MEMORY, SECONDS = 2 << 30, 120
ALWAYS = [["report", "last-block", "--n", "65536", "--block", "1"],
          ["render", "last-block", "--n", "65536", "--block", "1", "--view", "hazards"],
          ["report", "last-block", "--n", "16777216", "--block", "1"],
          ["record", "last-block", "--n", "8192", "--block", "1"],
          ["report", "pmpp-coarsened", "--n", "16777216", "--coarsen", "1024", "--block", "1024", "--keep", "all"],
          ["record", "pmpp-segmented", "--n", "16777216", "--keep", "all"]]
SIZES = [1, 2, 3, 7, 16, 64, 100, 256, 1000, 2048, 4096, 8192, 65536, 100000, 1 << 20, (1 << 24) - 1, 1 << 24, 1 << 25]
BLOCKS = [1, 2, 8, 31, 32, 64, 100, 128, 512, 1024, 2048]
WARPS = [4, 8, 16]
COARSEN = [1, 2, 8, 1000, 1024]
TYPES = ["int8", "int32", "int64", "float16", "bfloat16", "float64"]
OPS = ["max", "argmin", "matrix", "subtract"]
KEEP = ["all", "counters"]
COMMANDS = ["report", "report", "record", "render"]
VIEWS = "tree network grid warps memory hazards order coarsening tournament ladder lecture".split()


def commands(kernels, rng):
    """In turns over the kernels, all else by chance: an N, and of the other options few, since most go with few kernels."""
    options = (("--block", BLOCKS), ("--warp-size", WARPS), ("--coarsen", COARSEN), ("--type", TYPES), ("--op", OPS),
               ("--keep", KEEP))
    while True:
        for kernel in rng.sample(kernels, len(kernels)):
            words = [rng.choice(COMMANDS), kernel, "--n", str(rng.choice(SIZES))]
            for name, values in options:
                if rng.random() < 0.25:
                    words += [name, str(rng.choice(values))]
            if words[0] == "render":
                words += ["--view", rng.choice(VIEWS)]
            yield words


def outcome(program, words, scratch):
    """run, kept in part, refused, or what is wrong."""
    words = list(words)
    if words[0] == "report":
        words += ["--allow-wrong"]  # an operator that asks for an order finds another in many kernels
    else:
        words += ["--out", os.path.join(scratch, "a.png" if words[0] == "render" else "a.wtrace")]
    limit = lambda: (resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)), resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    try:
        done = subprocess.run([program, *words], capture_output=True, preexec_fn=limit, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "not done"
    said = done.stderr.decode(errors="replace")
    if done.returncode < 0 or b"invariant" in done.stderr:
        return f"signal {-done.returncode}: {said[:300]}"
    if done.returncode in (1, 2):
        sentence = said.startswith("warptree: ") and said.rstrip().endswith(".")
        return ("out of memory" if "not enough memory" in said else "refused") if sentence else f"says {said[:300]!r}"
    if done.returncode != 0:
        return f"exit code {done.returncode}: {said[:300]}"
    return "kept in part" if b"kept" in done.stdout + done.stderr else "run"


def main(program, minutes=0.0):
    begun, counts, wrong = time.monotonic(), collections.Counter(), []
    names = [kernel["name"] for kernel in json.loads(subprocess.check_output([program, "list", "--json"]))]
    seconds, short = (minutes * 60, False) if minutes else (8, True)
    rng = random.Random(int(minutes * 60))
    asked = itertools.chain(ALWAYS[:4] if short else ALWAYS, commands(names, rng))
    with tempfile.TemporaryDirectory() as scratch:
        for words in asked:
            if time.monotonic() - begun > seconds:
                break
            if short and words not in ALWAYS and any(int(n) > 5000 for n in words if n.isdigit()):
                continue
            found = outcome(program, words, scratch)
            fine = found in ("run", "kept in part", "refused", "not done")
            counts[found if fine else "wrong"] += 1
            if found == "not done":
                print(f"{' '.join(words)}: {found}", flush=True)
            if not fine:
                wrong.append(f"{' '.join(words)}: {found}")
                print(wrong[-1], flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())), f"of {sum(counts.values())} commands")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(float, sys.argv[2:3])))
