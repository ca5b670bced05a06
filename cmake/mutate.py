#!/usr/bin/env python3
"""How many small faults do the tests notice? Draws faults at random over product code, puts in one at a time, runs the tests.

usage: mutate.py [--seed S] [--count N] [--folder FOLDER ...] [--list]
  --seed S         the same seed draws the same faults of the same sources (default: 1)
  --count N        how many faults (default: 50, under an hour on two cores)
  --folder FOLDER  only there, for example app/state (default: app instrumentation kernels)
  --list           draws, and prints what it would try

It works in build/mutate, on a copy of the tree in build/mutate/tree, so what is interrupted leaves no fault behind and the
tree may be edited meanwhile; the first build takes long, later ones what a changed file costs. Of ctest's tests those
are run whose program the fault made another, the file's own folder first, until one fails. A fault is

  killed        a test fails, or is late: it takes far longer than without it
  survived      no test fails: one is missing, or the fault changes nothing that anyone could see
  same          the compiler makes the same programs of it; not counted, as is what was
  not compiled

Tests that take longer than two minutes without a fault are left out; window_test is run where it alone looks. What is compiled
for a GPU, for the web or as a test is no product code here.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PLACE = ROOT / "build/mutate"
TREE, BUILD, HOME = PLACE / "tree", PLACE / "build", PLACE / "home"
LONGEST, MEMORY = 120, 48 << 30  # seconds of one test without a fault; bytes of address space
WINDOWS = re.compile(r"^app/(main|shell/(window|speaker|glfw_input|monitors))\.")
LEFT_OUT = re.compile(r"_test\.|_testing\.|/testing\.hpp|_bench\.|_fuzz\.|fuzz_|cuda\.|cuda_|\.cu$|wasm|/web/|/testdata/|/foreign/cuda/")
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*(?:#|static_assert)[^\n]*', re.S | re.M)

NAME = r"[A-Za-z_][\w.]*"
# kind, what is replaced, by what
RULES = [(kind, re.compile(pattern), new) for kind, pattern, new in [
    ("comparison", r" < ", " <= "), ("comparison", r" <= ", " < "), ("comparison", r" > ", " >= "),
    ("comparison", r" >= ", " > "), ("comparison", r" == ", " != "), ("comparison", r" != ", " == "),
    ("off by one", r"(?<=[\w)\]]) [-+] 1(?![\w.'])", ""), ("off by one", r"(?<![;(] )\+\+(?=[\w.]+;)", "--"),
    ("off by one", r" \+ 1(?![\w.'])", " + 2"), ("off by one", r" - 1(?![\w.'])", " - 2"),
    ("operator", r" \+ ", " - "), ("operator", r" - ", " + "), ("operator", r" \* ", " / "), ("operator", r" / ", " * "),
    ("operator", r" % ", " / "), ("operator", r" \+= ", " -= "), ("operator", r" \|= ", " = "),
    ("operator", r"std::min\b", "std::max"), ("operator", r"std::max\b", "std::min"),
    ("operator", r"\bfront\(\)", "back()"), ("operator", r"\bback\(\)", "front()"),
    ("operator", r"\bany_of\b", "all_of"), ("operator", r"\ball_of\b", "any_of"),
    ("and, or", r" && ", " || "), ("and, or", r" \|\| ", " && "),
    ("negation", r"\b(if|while) \(([^;\n{}]+)\)(?= [\w{*]| *$)", r"\1 (!(\2))"),
    ("negation", r"(?<=[ (])!(?=[\w(])", ""), ("negation", r"\breturn (?=[\w.:]+\(.*\);$|\w+;$)", "return !"),
    ("dropped", r"^( *)[a-z_][\w.:>\[\]-]*\([^\n]*\);$", r"\1;"),  # a call
    ("dropped", r"^( *)[a-z_][\w.>\[\]-]* [-+*|&]?= [^\n]*;$", r"\1;"),  # an option is ignored
    ("dropped", r"^( *)(?:else )?if \([^\n;{]*\) (?:return|continue|break)[^\n]*;$", r"\1;"),
    ("swapped", rf"([(,] ?)({NAME}), ({NAME})\)", r"\1\3, \2)"),
    ("swapped", r" \? ([^?:{}\n]+) : ([^?:;,(){}\n]+)", r" ? \2 : \1"), ("swapped", rf"({NAME}) (-|/|<<) ({NAME})(?![\w(.:])", r"\3 \2 \1"),
    ("constant", r"(?<![\w.'\x01#])\d+(?![\w.'])", lambda found: str(int(found[0]) + max(1, int(found[0]) // 2))),
    ("constant", r"\btrue\b", "false"), ("constant", r"\bfalse\b", "true"),
    ("constant", r"\bbreak;", "continue;"), ("constant", r"\bcontinue;", "break;"),
]]


def sources(folders):
    """What git knows of the tree, new files too: all, and of these the product code of the folders."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    files = sorted(file for file in set(listed.stdout.splitlines()) if (ROOT / file).is_file())
    product = [file for file in files if re.search(r"\.(cpp|hpp|cuh|cu)$", file) and not LEFT_OUT.search("/" + file)
               and any(file.startswith(folder.rstrip("/") + "/") or file == folder for folder in folders)]
    return files, product


def faults_in(file, text):
    """Yields (kind, file, line, old line, new line): each place where a rule applies outside comments and texts."""
    bare = LITERAL.sub(lambda found: re.sub(r"[^\n]", "\x01", found[0]), text)
    for number, (line, masked) in enumerate(zip(text.split("\n"), bare.split("\n")), 1):
        for kind, pattern, new in RULES:
            for found in pattern.finditer(masked):
                group = lambda named: line[found.start(int(named[1])):found.end(int(named[1]))]  # texts and all
                put = new(found) if callable(new) else re.sub(r"\\(\d)", group, new)
                changed = line[:found.start()] + put + line[found.end():]
                if changed != line:
                    yield kind, file, number, line, changed


def draw(texts, seed, count):
    """count faults of {file: text}: kinds in turns by chance, each place of a kind as likely as another."""
    places = collections.defaultdict(list)
    for file in sorted(texts):
        for fault in faults_in(file, texts[file]):
            places[fault[0]].append(fault)
    rng, drawn = random.Random(seed), []
    for kind in sorted(places):
        rng.shuffle(places[kind])
    while len(drawn) < count and any(places.values()):
        drawn.append(places[rng.choice([kind for kind in sorted(places) if places[kind]])].pop())
    return drawn


def copy(files):
    """Makes the copy what the tree is; what is the same keeps its time."""
    stay = set(files)
    for path in [path for path in TREE.rglob("*") if path.is_file()]:
        if path.relative_to(TREE).as_posix() not in stay:
            path.unlink()
    for file in files:
        to = TREE / file
        if not to.exists() or to.read_bytes() != (ROOT / file).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, to)
            os.utime(to)


def build():
    cached = dict(os.environ, CCACHE_SLOPPINESS="pch_defines,time_macros")  # else it keeps nothing where headers are precompiled
    done = subprocess.run(["ninja", "-C", BUILD, "-j", str(len(os.sched_getaffinity(0)))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=cached)
    return "" if done.returncode == 0 else done.stdout


class Test:
    """One of ctest's tests: what it runs, and which of the build's programs."""

    def __init__(self, described):
        properties = {one["name"]: one["value"] for one in described.get("properties", [])}
        self.name, self.command = described["name"], described["command"]
        self.programs = [word for word in self.command if word.startswith(f"{BUILD}/") and os.access(word, os.X_OK) and os.path.isfile(word)]
        self.folder = properties.get("WORKING_DIRECTORY", str(BUILD))
        self.environment = dict(os.environ, HOME=str(HOME), TMPDIR=str(HOME), XDG_CONFIG_HOME=str(HOME), XDG_CACHE_HOME=str(HOME),
                                **dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", [])))
        self.skipped = properties.get("SKIP_RETURN_CODE", 0)

    def start(self):
        command = self.command + ["--gtest_fail_fast"] * ("--gtest_brief=1" in self.command)
        limit = lambda: (resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)), resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        self.begun = time.monotonic()
        self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit)

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def run(tests, limit):
    """Runs tests in order, some at once, and yields (test, what is wrong with it) as each ends. limit(test): seconds."""
    waiting, running = list(tests), []
    try:
        while waiting or running:
            while waiting and len(running) < len(os.sched_getaffinity(0)):
                running.append(waiting.pop(0))
                running[-1].start()
            time.sleep(0.02)
            for test in list(running):
                code, test.took = test.process.poll(), time.monotonic() - test.begun
                if code is not None or test.took > limit(test):
                    test.end()
                    running.remove(test)
                    yield test, "" if code in (0, test.skipped) else "fails" if code is not None else "is late"
    finally:
        for test in running:
            test.end()


def hashes(programs):
    return {program: hashlib.sha1(pathlib.Path(program).read_bytes()).digest() for program in programs}


def prepare(files):
    """Builds the copy without a fault; returns its tests, which pass, and what their programs are."""
    copy(files)
    HOME.mkdir(exist_ok=True)
    if not (BUILD / "build.ninja").exists():
        options = ["-DCMAKE_BUILD_TYPE=Check", "-DCMAKE_CXX_FLAGS_CHECK=-O1 -DNDEBUG", "-DCMAKE_UNITY_BUILD=ON", "-DWARPTREE_TESTS=mutate",
                   "-DWARPTREE_BENCH=OFF", "-DWARPTREE_CUDA=OFF"] + ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] * bool(shutil.which("ccache"))
        subprocess.run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)
    if said := build():
        sys.exit(f"mutate.py: it does not build without a fault:\n{said[-3000:]}")
    shown = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
    tests = [test for test in map(Test, json.loads(shown)["tests"]) if test.programs]
    stay = []
    for test, wrong in run(tests, lambda test: 5 * LONGEST if test.name == "window_test" else LONGEST):
        test.seconds = test.took
        if wrong:
            print(f"left out: {test.name} {wrong} without a fault", flush=True)
        else:
            stay.append(test)
    return stay, hashes({program for test in stay for program in test.programs})


def judge(fault, tests, before):
    """killed, survived, same or not compiled; and by which test."""
    kind, file, number, _, changed = fault
    lines = (ROOT / file).read_text().split("\n")
    lines[number - 1] = changed
    (TREE / file).write_text("\n".join(lines))
    try:
        if build():
            return "not compiled", ""
        after = hashes(before)
        concerned = [test for test in tests if any(before[program] != after[program] for program in test.programs)
                     and (test.name != "window_test" or WINDOWS.search(file))]
        if not concerned:
            return "same", ""
        own = str(BUILD / pathlib.Path(file).parent)
        concerned.sort(key=lambda test: (not any(program.startswith(own) for program in test.programs), test.seconds))
        for test, wrong in run(concerned, lambda test: 5 * test.seconds + 20):
            if wrong:
                return "killed", f"{test.name} {wrong}"
        return "survived", ""
    finally:
        shutil.copy(ROOT / file, TREE / file)
        os.utime(TREE / file)


def main():
    if {"-h", "--help"} & set(sys.argv):
        sys.exit(__doc__)
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--folder", nargs="+", default=["app", "instrumentation", "kernels"])
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    files, product = sources(asked.folder)
    faults = draw({file: (ROOT / file).read_text() for file in product}, asked.seed, asked.count)
    show = lambda fate, fault: print(f"{fate:14}{fault[1]}:{fault[2]}  {fault[0]}\n    - {fault[3].strip()}\n    + {fault[4].strip()}", flush=True)
    if asked.list:
        for fault in faults:
            show("", fault)
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    tests, before = prepare(files)
    score = collections.defaultdict(collections.Counter)
    for fault in faults:
        fate, by = judge(fault, tests, before)
        show(f"{fate}{by and ': ' + by}  ", fault)
        for folder in ("/".join(fault[1].split("/")[:2]), "all"):
            score[folder][fate] += 1
    for folder, fates in sorted(score.items(), key=lambda one: (one[0] == "all", one[0])):
        counted = fates["killed"] + fates["survived"]
        rate = f"{100 * fates['killed'] / counted:.0f} %" if counted else "-"
        print(f"{folder:28}{rate:>6}   " + ", ".join(f"{fates[fate]} {fate}" for fate in ("killed", "survived", "same", "not compiled") if fates[fate]))


if __name__ == "__main__":
    main()
