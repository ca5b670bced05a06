"""Where the system gives few threads or none, commands write what they write with all of them, and say nothing else.

usage: faults_test.py WARPTREE FAULTS_LIBRARY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

COMMANDS = [  # {}: a folder
    "report harris-7 --n 2^17",
    "report shuffle-atomic --n 2^18 --keep counters",
    "run vectorized --n 2^22",
    "run neumaier --n 2^21 --input random",
    "record pmpp-segmented --n 2^15 --out {}/a.wtrace",
    "render pmpp-simple --n 64 --step 3 --out {}/a.png",
    "render shuffle-atomic --n 256 --view order --out {}/a.png",
    "export pmpp-simple --n 8 --out {}/a.csv",
]


def done(program, command, **more):
    """Exit code, what was printed, and the file that was written."""
    with tempfile.TemporaryDirectory() as folder:
        words = command.format(folder).split()
        ran = subprocess.run([program, *words], env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", **more), stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=120)
        files = [path.read_bytes() for path in pathlib.Path(folder).iterdir()]
        said = [line for line in ran.stderr.splitlines() if not line.startswith(words[0] + ": ")]
        return ran.returncode, ran.stdout.replace(folder, ""), files, said


def main(program, faults):
    failed = 0
    for command in COMMANDS:
        usual = done(program, command)
        assert usual[0] == 0, usual
        for threads in (0, 1, 3):
            under = done(program, command, LD_PRELOAD=faults, FAULT_THREADS=str(threads))
            if under != usual:
                failed += 1
                what = [name for name, one, other in zip(("exit code", "output", "file", "errors"), usual, under) if one != other]
                print(f"FAILED  {command} with {threads} threads: another {', '.join(what)}: {under[0]}, {under[3]}")
    bench = done(program, "bench vectorized --n 2^10 --out {}/a.json", LD_PRELOAD=faults, FAULT_THREADS="0")
    if bench[0] != 1 or not bench[2] or "no more threads now" not in bench[3][-1]:
        failed += 1
        print(f"FAILED  what was measured before cpu-parallel is kept: {bench[0]}, {len(bench[2])} files, {bench[3][-1:]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
