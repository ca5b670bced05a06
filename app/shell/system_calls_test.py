#!/usr/bin/env python3
"""What SECURITY.md says of the system's calls: no network, and nothing is changed outside of config, cache, temporary files, chosen paths.

usage: system_calls_test.py WARPTREE
Needs strace, for the window Xvfb and xdotool, for a CUDA file the runner: what is missing is named, its runs counted; without
strace it exits with 77 (skipped).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from window_test import Display, Window

CHANGE = "creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat"
STRACE = ["strace", "-f", "-qq", "-y", "-s", "4096", "--seccomp-bpf", "-e", f"trace=socket,connect,bind,open,openat,openat2,{CHANGE}", "-e", "signal=none", "-o"]
NOWHERE = ("/dev/null", "/dev/tty", "/dev/dri/", "/dev/nvidia", "/dev/pts/", "/dev/shm/", "/proc/self/", "/memfd:")  # no file that stays


def faults(log, places):
    """The calls in a log of strace that reach for a network, or change what is in none of the places."""
    out = []
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +(\w+)\((.*)\) += +(-?\d+)(?:<(.*?)>)?", line)
        if not call or int(call[3]) < 0 and call[1] not in ("socket", "connect"):  # what was refused changed nothing
            continue
        name, words, made = call[1], call[2], call[4]
        if name in ("socket", "connect", "bind"):
            fine = re.search(r"AF_(UNIX|LOCAL|NETLINK)\b|^AF_UNSPEC", words) or "UNIX" in words
        elif name.startswith("open"):
            fine = not re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)|O_TMPFILE", words) or made.startswith((*places, *NOWHERE))
        else:
            named = [os.path.join(folder or places[0], path) for folder, path in re.findall(r'(?:<([^<>]*)>, )?"(.*?)"', words)]
            named = named[1:] if name.startswith(("link", "symlink")) else named  # what it points to stays as it is
            fine = named and all(os.path.normpath(path).startswith(places) for path in named)
        if not fine:
            out.append(line)
    return out


def main():
    program, missing = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as place:
        names = ("work", "config", "cache", "temp")
        places = tuple(f"{os.path.realpath(place)}/{name}" for name in names)
        work = pathlib.Path(places[0])
        for path in (*places, f"{place}/home"):
            os.mkdir(path)
        os.environ.update(HOME=f"{place}/home", XDG_CONFIG_HOME=places[1], XDG_CACHE_HOME=places[2], TMPDIR=places[3])
        runs = [["report", "pmpp-simple", "--n", "256"], ["record", "pmpp-simple", "--out", "a.wtrace"], ["report", "a.wtrace"],
                ["render", "a.wtrace", "--step", "1", "--out", "a.png"], ["render", "pmpp-shared", "--out", "a.pdf"],
                ["lesson", "check", str(pathlib.Path(__file__).resolve().parents[2] / "assets/lessons/01-reduction.toml")], ["new", "a.cu"], ["report", "a.cu"]]
        if not shutil.which("strace"):
            print(f"skipped: strace is missing; {len(runs) + 1} runs were not traced")
            sys.exit(77)
        if not (pathlib.Path(program).parent / "foreign" / "runner").exists():
            missing.append("CUDA files are not run here: 1 run was not traced")
            runs.pop()

        wrong, log, seen = [], pathlib.Path(place) / "log", 0
        reach = f"import socket; socket.socket(); open('{place}/home/a', 'w')"  # it sees what it looks for
        subprocess.run([*STRACE, log, sys.executable, "-c", reach], check=True)
        assert len(faults(log, places)) == 2, log.read_text()
        for words in runs:
            done = subprocess.run([*STRACE, log, program, *words], cwd=work, capture_output=True, text=True)
            assert done.returncode == 0, (words, done.stdout, done.stderr)
            wrong += [f"{' '.join(words)}: {line}" for line in faults(log, places)]
            seen += log.read_text(errors="replace").count("\n")
        if all(map(shutil.which, ("Xvfb", "xdotool"))):
            display = Display()
            try:
                window = Window([*STRACE, str(log), program], display, places[1])
                try:
                    window.key("Right")
                    window.expect("a step", position=1)
                    window.quit()  # settings are written
                finally:
                    window.kill()
            finally:
                display.close()
            wrong += [f"the window: {line}" for line in faults(log, places)]
        else:
            missing.append("Xvfb or xdotool is missing: 1 run was not traced")
        assert seen > 100, "strace saw nothing"
        assert (pathlib.Path(places[1]) / "warptree/settings.toml").exists() or missing
        print("\n".join(wrong + missing + [f"{len(runs) + 1 - len(missing)} runs, {len(wrong)} calls that should not be"]))
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
