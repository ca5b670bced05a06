"""The web edition's commands, in Node.js, print what the program prints: the report of every kernel, byte by byte.

Exit code 77, with a reason, where the web edition is not built of these sources.
usage: web_test.py WARPTREE
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

WEB = os.path.join("build", "web")  # from the source tree's root
SCRIPT = os.path.join(WEB, "warptree.js")

ABSENT = {
    "": "There is no window here",
    "render pmpp-simple --n 16 --out a.png": "draws pictures as .svg alone",
    "export pmpp-simple --n 16 --out a.mp4": "starts no other programs",
    "report assets/programs/block.cu": "CUDA files of one's own are not run here",
    "bench": "built without Google Benchmark",
}


def run(*words):
    """Exit code, what it printed, what it said."""
    done = subprocess.run(words, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(77)


def newest_source():
    """When a source of the program was written last."""
    return max(
        os.path.getmtime(os.path.join(folder, name))
        for top in ("app", "instrumentation", "kernels")
        for folder, _, names in os.walk(top)
        for name in names
        if name.endswith((".cpp", ".hpp", ".cuh")) and not name.endswith("_test.cpp")
    )


def main(program):
    if not os.path.exists(SCRIPT):
        skip("The web edition is not built; ./launch web builds it.")
    if os.path.getmtime(SCRIPT) < newest_source():
        skip("The web edition is of earlier sources; ./launch web builds it.")
    if shutil.which("node") is None:
        skip("node was not found; ./launch web installs it.")

    kernels = [row["name"] for row in json.loads(run(program, "list", "--json")[1])]
    commands = [["report", name, "--n", "256", "--json"] for name in kernels]
    commands += [
        ["list"],
        ["report", "harris-3", "--n", "4096", "--block", "128"],
        ["report", "vectorized", "--n", "1000", "--type", "int32", "--op", "max", "--input", "random"],
        ["report", "pmpp-simple", "--n", "65536", "--keep", "counters", "--json"],
        ["run", "hillis-steele", "--n", "512"],
        ["report", "pmpp-simple", "--backend", "cuda"],
        ["report", "no-such-kernel"],
        ["lesson", "list"],
    ]
    with tempfile.TemporaryDirectory() as folder:  # a file that the program wrote is read, and one of the web edition
        ours, theirs = os.path.join(folder, "a.wtrace"), os.path.join(folder, "b.wtrace")
        run(program, "record", "look-back", "--n", "4096", "--out", ours)
        run("node", SCRIPT, "record", "look-back", "--n", "4096", "--out", theirs)
        same = run(program, "diff", ours, theirs)
        assert same[:2] == (0, b"equal\n"), same
        assert run("node", SCRIPT, "diff", ours, theirs) == same
    for words, said in ABSENT.items():  # what is not there says so
        code, _, told = run("node", SCRIPT, *words.split())
        assert code != 0 and said in told, (words, code, told)
    expected = [run(program, *words) for words in commands]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        got = list(pool.map(lambda words: run("node", SCRIPT, *words), commands))
    differ = [" ".join(words) for words, one, other in zip(commands, expected, got) if one != other]
    assert not differ, f"{len(differ)} of {len(commands)} differ in Node.js: {differ[:5]}"
    print(f"{len(commands)} commands print the same in Node.js, {len(kernels)} kernels' reports among them.")


if __name__ == "__main__":
    main(*sys.argv[1:])
