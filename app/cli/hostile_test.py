"""Files made to harm: each is refused in a sentence or shown, by every command, without a signal, soon and in memory bounded
by its size.

A few runs are recorded, taken apart, changed in one way each and put together again with true check sums.
usage: hostile_test.py WARPTREE COMMANDS [FOLDER]        COMMANDS: runs many in one process, see hostile_testing.cpp
                                                         FOLDER: where files stay that did harm
       hostile_test.py WARPTREE --random COUNT [SEED]    files changed at random
"""
import array
import copy
import io
import json
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

NO_DISPLAY = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
SECONDS, BYTES = 2.0, 200 << 20  # of processor time, of memory: what a command may take with a file of less than a MiB
CODES = {"|u1": "B", "<u2": "H", "<u4": "I", "<i4": "i", "<u8": "Q", "<f4": "f", "|i1": "b", "<i8": "q", "<f8": "d"}
BARRIER, COMBINE, READ, WRITE, SHUFFLE = 5, 2, 0, 1, 3
COLUMNS = "launch step site block thread kind space array line index value a b barrier warp_sync owner bits".split()


class Run:
    """The members of a file: columns as lists that can be changed, the manifest as what JSON makes of it."""

    def __init__(self, path):
        self.members = {}
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                if name == "manifest.json":
                    data = json.loads(data)
                elif name.endswith(".npy"):
                    at = 10 + struct.unpack("<H", data[8:10])[0]
                    dtype = data[10:at].decode().split("'descr': '")[1].split("'")[0]
                    data = (dtype, array.array(CODES[dtype], data[at:]))
                self.members[name] = data

    @property
    def manifest(self):
        return self.members["manifest.json"]

    def __getitem__(self, name):
        return self.members[name + ".npy"][1]

    def __contains__(self, name):
        return name + ".npy" in self.members

    def rows(self, kind):
        return [row for row, its in enumerate(self["kind"]) if its == kind]

    def delete(self, rows, to):
        """Takes rows out. to(row): what those that named one of them name now."""
        gone, left = set(rows), {}
        for row in range(len(self["kind"])):
            if row not in gone:
                left[row] = len(left)
        for name in ("a", "b"):
            for row, operand in enumerate(self[name]):
                while operand in gone:
                    operand = to(operand)
                self[name][row] = left.get(operand, -1)
        for name in COLUMNS:
            if name in self:
                column = self[name]
                column[:] = array.array(column.typecode, [column[row] for row in left])
        self.manifest["rows"] = len(left)

    def duplicate(self, row):
        for name in ("a", "b"):
            for at, operand in enumerate(self[name]):
                self[name][at] = operand + (operand > row)
        for name in COLUMNS:
            if name in self:
                self[name].insert(row, self[name][row])
        self.manifest["rows"] += 1

    def bytes(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in self.members.items():
                if isinstance(data, dict):
                    data = json.dumps(data).encode()
                elif isinstance(data, tuple):
                    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }\n" % (data[0], len(data[1]))
                    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data[1].tobytes()
                archive.writestr(zipfile.ZipInfo(name), data)
        return out.getvalue()


def changed(run, change, *of):
    other = copy.deepcopy(run)
    change(other, *of)
    return other.bytes()


def set_entry(run, name, row, value):
    run[name][row] = value


def set_field(run, path, value):
    at = run.manifest
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value


def lies_about_values(run):
    """What an operator makes, what a read sees, what is left at the end."""
    adds = run.rows(COMBINE)
    yield "adds deleted", lambda r: r.delete(adds, lambda row: -1)
    yield "adds replaced by their left operand", lambda r: r.delete(adds, lambda row: r["a"][row])
    yield "adds all 12345", lambda r: [set_entry(r, "value", row, 12345) for row in adds]
    for kind in (COMBINE, READ, WRITE, SHUFFLE):
        for row in run.rows(kind)[:6]:
            yield f"value of row {row}", lambda r, row=row: set_entry(r, "value", row, r["value"][row] + 1)
    for op in ("product", "min", "max", "subtract", "nonsense"):
        yield f"operator {op}", lambda r, op=op: set_field(r, ["launch", "op"], op)
    for name in [name[:-4] for name in run.members if name.startswith(("initial_", "final_", "after_"))]:
        for entry in sorted({0, len(run[name]) // 2, len(run[name]) - 1}):
            yield f"{name}[{entry}]", lambda r, n=name, e=entry: set_entry(r, n, e, r[n][e] + 1)


def lies_about_moments(run):
    """Barriers passed, rows that stand twice, what is read before it is written, lines and tables."""
    for row in run.rows(BARRIER)[:4]:
        yield f"barrier row {row} deleted", lambda r, row=row: r.delete([row], lambda _: -1)
    if run.rows(BARRIER):
        yield "all barrier rows deleted", lambda r: r.delete(r.rows(BARRIER), lambda _: -1)
        yield "no barrier passed", lambda r: r["barrier"].__setitem__(slice(None), array.array("H", [0] * len(r["barrier"])))
        for row in range(0, len(run["barrier"]), max(1, len(run["barrier"]) // 12)):
            yield f"barrier of row {row}", lambda r, row=row: set_entry(r, "barrier", row, r["barrier"][row] + 2)
    for row in range(0, len(run["kind"]), max(1, len(run["kind"]) // 12)):
        yield f"warp_sync of row {row}", lambda r, row=row: set_entry(r, "warp_sync", row, r["warp_sync"][row] + 1)
        if run["warp_sync"][row]:
            yield f"less warp_sync of row {row}", lambda r, row=row: set_entry(r, "warp_sync", row, r["warp_sync"][row] - 1)
        yield f"row {row} twice", lambda r, row=row: r.duplicate(row)
    for i in range(len(run.manifest["steps"])):
        yield f"line of step {i}", lambda r, i=i: set_field(r, ["steps", i, "line"], 9999)
        stride = run.manifest["steps"][i].get("stride", 0)
        for other in {stride - 1, stride + 1, stride + 5, 2 * stride, stride // 2} - {stride, -1}:
            yield f"stride {other} of step {i}", lambda r, i=i, s=other: set_field(r, ["steps", i, "stride"], s)
        yield f"step {i} twice", lambda r, i=i: r.manifest["steps"].append(r.manifest["steps"][i])
    for i in range(len(run.manifest["sites"])):
        for line in (0, 1, run.manifest["sites"][i]["line"] + 1, 65535):
            yield f"site {i} on line {line}", lambda r, i=i, at=line: move_site(r, i, at)
        yield f"site {i} twice", lambda r, i=i: r.manifest["sites"].append(r.manifest["sites"][i])
    for name, most in (("block", 0xffffffff), ("thread", 0xffff), ("step", 0xffff), ("site", 0xffff), ("index", 0xffffffff)):
        for row in (0, len(run[name]) // 2, len(run[name]) - 1):
            yield f"{name} of row {row}", lambda r, n=name, row=row, m=most: set_entry(r, n, row, m)
    for name in ("a", "b"):
        for value in (-2, 0x7fffffff, -0x80000000, len(run["a"])):
            yield f"{name} is {value}", lambda r, n=name, v=value: set_entry(r, n, len(r[n]) // 2, v)


def move_site(run, site, line):
    """In all that names the line; sites stand in order of lines."""
    run.manifest["sites"][site]["line"] = line
    order = sorted(range(len(run.manifest["sites"])), key=lambda i: (run.manifest["sites"][i]["line"], i))
    run.manifest["sites"] = [run.manifest["sites"][i] for i in order]
    run["site"][:] = array.array("H", [order.index(its) for its in run["site"]])


def lies_of_totals(run):
    if "total_operations" not in run:
        return
    for name in [name[:-4] for name in run.members if name.startswith("total_")]:
        for value in (0, 1, 1 << 20, 1 << 48, 1 << 63):
            yield f"{name} {value}", lambda r, n=name, v=value: set_entry(r, n, 0, v)
    yield "keys descend", lambda r: set_entry(r, "key", 1, 0)
    yield "other blocks", lambda r: set_field(r, ["launches", 0, "kept", "blocks"], [1, 2])
    yield "a larger grid", lambda r: set_field(r, ["launches", 0, "grid"], 1)


def lies_of_the_manifest(run):
    manifest = run.manifest
    for schema in (0, 1, 7, 9, 99, -1, "8", 8.5):
        if schema != manifest["schema"]:
            yield f"schema {schema}", lambda r, s=schema: set_field(r, ["schema"], s)
    for key in list(manifest) + ["extra"]:
        for value in (None, -1, 1 << 64, "x", [], {}, [[[[[[[[[]]]]]]]]], True, 1e300):
            if value is None and key == "extra" or value == manifest.get(key):
                continue
            yield f"{key} is {value}", lambda r, k=key, v=value: set_field(r, [k], v)
    yield "no arrays", lambda r: set_field(r, ["arrays"], [])
    yield "one array", lambda r: set_field(r, ["arrays"], r.manifest["arrays"][:1])
    for i in range(len(manifest["arrays"])):
        for extent in (0, 1 << 31, (1 << 32) - 1):
            yield f"extent {extent}", lambda r, i=i, e=extent: set_field(r, ["arrays", i, "extent"], e)
    for key, value in (("n", 0), ("n", 1 << 40), ("warp_size", 5), ("type", "float128"), ("kernel", ""), ("op", "")):
        yield f"{key} {value}", lambda r, k=key, v=value: set_field(r, ["launch", k], v)
    for key, value in (("grid", 0), ("grid", 0xffffffff), ("block", 0), ("block", 1 << 20), ("coarsen", 0), ("cluster", 3)):
        yield f"{key} {value}", lambda r, k=key, v=value: set_field(r, ["launches", 0, k], v)


def texts_of_the_manifest(run):
    """Manifests that a JSON library cannot write."""
    text = json.dumps(run.manifest)
    yield "nested arrays", "[" * 65000 + "]" * 65000
    yield "nested objects", '{"a":' * 65000 + "1" + "}" * 65000
    yield "nested schema", text.replace('"schema": ', '"schema": ' + "[" * 65000 + "]" * 65000 + ', "x": ', 1)
    yield "many keys", "{" + ",".join(f'"k{i}":{i}' for i in range(200000)) + "}"
    yield "not JSON", text[:-1]
    yield "nothing", ""
    yield "not UTF-8", text.replace("cpu", "c\udc80u")
    for key in ("format", "schema", "rows", "kernel", "n", "grid", "extent", "line", "phase", "kind", "device"):
        at = text.index(f'"{key}": ')
        yield f"{key} twice", text[:at] + f'"{key}": 1, ' + text[at:]


def archives(run):
    good = run.bytes()
    for end in (0, 1, 21, 22, 100, len(good) // 2, len(good) - 1):
        yield f"cut at {end}", good[:end]
    yield "something appended", good + b"x"
    yield "something before", b"x" + good
    for name in run.members:
        yield f"{name} missing", changed(run, lambda r: r.members.pop(name))
        yield f"{name} empty", changed(run, lambda r: r.members.__setitem__(name, b""))
        if isinstance(run.members[name], tuple):
            yield f"{name} longer", changed(run, lambda r: r.members[name][1].append(0))
            yield f"{name} of another type", changed(
                run, lambda r: r.members.__setitem__(name, ("<u8" if r.members[name][0] == "<f8" else "<f8", r.members[name][1])))
    yield "unknown member", changed(run, lambda r: r.members.__setitem__("more.npy", b""))


def hostile_files(run):
    for lies in (lies_about_values, lies_about_moments, lies_of_totals, lies_of_the_manifest):
        for name, change in lies(run):
            try:
                yield name, changed(run, change)
            except (KeyError, IndexError, OverflowError):
                continue  # this run has no such thing
    for name, text in texts_of_the_manifest(run):
        yield name, changed(run, lambda r: r.members.__setitem__("manifest.json", text.encode(errors="surrogateescape")))
    yield from archives(run)


RUNS = (["pmpp-simple", "--n", "16"], ["gather", "--n", "16"], ["harris-5", "--n", "128", "--block", "64"], ["pmpp-shared", "--n", "16"], ["pmpp-shared", "--n", "64", "--without-barrier", "19"],
        ["two-stage-shuffle", "--n", "64"], ["last-block", "--n", "64", "--block", "8"], ["two-launch", "--n", "64", "--block", "8"],
        ["pmpp-segmented", "--n", "4096", "--keep", "counters"], ["kogge-stone", "--n", "60", "--block", "8"],
        ["scan-coarsened", "--n", "64", "--block", "4", "--coarsen", "4", "--exclusive"],
        ["look-back", "--n", "512", "--block", "64"])


EDGES = (0, 1, 2, 3, 4, 7, 8, 31, 32, 33, 127, 128, 255, 256, 1023, 1024, 65535, 65536, 0x7fffffff, 0xffffffff, -1, -2)
VIEWS = "tree grid warps memory hazards order coarsening tournament ladder".split()


def leaves(value, path=()):
    """Paths to all that is in a manifest."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from leaves(inner, (*path, key))


def mutate(run, rng):
    """One change that leaves the archive whole."""
    name = rng.choice(list(run.members) + ["manifest.json"] * len(run.members))
    data = run.members[name]
    if isinstance(data, dict):
        path = rng.choice(list(leaves(data)))
        if rng.random() < 0.3:
            set_field(run, path, data_at(data, rng.choice(list(leaves(data)))))
        else:
            set_field(run, path, rng.choice(EDGES + (None, "", "sum", [], {}, True)))
    elif isinstance(data, tuple):
        column = data[1]
        for _ in range(rng.choice((1, 1, 2, 5))):
            try:
                at = rng.randrange(len(column))
                column[at] = rng.choice(EDGES + (column[at] + 1, column[rng.randrange(len(column))]))
            except (OverflowError, ValueError, TypeError):
                pass
    elif data:
        at = rng.randrange(len(data))
        run.members[name] = data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randrange(2):]


def data_at(data, path):
    for key in path:
        data = data[key]
    return copy.deepcopy(data)


def random_files(program, count, seed):
    rng, crashes = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as scratch:
        path, runs = os.path.join(scratch, "a.wtrace"), []
        for options in RUNS:
            subprocess.run([program, "record", *options, "--out", path], check=True, stdout=subprocess.DEVNULL)
            runs.append(Run(path))
        opened = 0
        for number in range(count):
            run = copy.deepcopy(rng.choice(runs))
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                try:
                    mutate(run, rng)
                except (KeyError, TypeError, IndexError, AttributeError):
                    pass  # the change before took away what this one changes
            with open(path, "wb") as file:
                file.write(run.bytes())
            show = ["render", path, "--view", rng.choice(VIEWS), "--step", str(rng.choice((0, 0.5, 1, 3, 99))), "--out", path + ".png"]
            for command in (["report", "--allow-wrong", path], show):
                done = subprocess.run([program, *command], capture_output=True)
                if done.returncode not in (0, 1, 2) or b"invariant" in done.stderr:
                    crashes += 1
                    kept = os.path.join(tempfile.gettempdir(), f"hostile-{seed}-{number}.wtrace")
                    os.link(path, kept) if not os.path.exists(kept) else None
                    print(f"{kept}: {' '.join(command)} ends with {done.returncode}: {done.stderr[:200]!r}")
                opened += done.returncode == 0
    print(f"{count} files, {opened} commands showed theirs, {crashes} crashed")
    return 1 if crashes else 0


class Commands:
    """A program that runs command after command, begun again where one has ended it."""

    def __init__(self, program):
        self.program, self.process = program, None

    def run(self, arguments):
        """Exit code, seconds, and what the command said."""
        if self.process is None:
            self.process = subprocess.Popen([self.program], env=NO_DISPLAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(("\t".join(arguments) + "\n").encode())
        self.process.stdin.flush()
        reply = self.process.stdout.readline().split()
        if len(reply) == 3:
            return int(reply[0]), float(reply[1]), self.process.stdout.read(int(reply[2]))
        code = self.end()
        return code, 0, b""

    def end(self):
        process, self.process = self.process, None
        return process and process.communicate() and process.returncode


def run_alone(program, arguments):
    """The same of a process of its own, as users run it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], env=NO_DISPLAY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def complaint(code, seconds, said):
    """What is wrong with how a command took a file; "" if it was shown, or refused in a sentence."""
    text = said.decode(errors="replace")
    if code not in (0, 1) or "invariant" in text:
        return f"exit code {code}: {text[:200]!r}"
    if code == 1 and "differ" not in text and (not text.rstrip().endswith(".") or text.count("\n") != 1):
        return f"says {text[:300]!r}"
    return f"{seconds:.1f} s" if seconds > SECONDS else ""


def main(program, commands, folder=None):
    count, wrong, together = 0, [], Commands(commands)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "a.wtrace")
        for options in RUNS:
            subprocess.run([program, "record", *options, "--out", path], check=True, stdout=subprocess.DEVNULL)
            run = Run(path)
            sound = subprocess.run([program, "diff", path, path], capture_output=True)
            assert sound.returncode == 0, (options, sound.stderr)
            for number, (name, data) in enumerate(hostile_files(run)):
                with open(path, "wb") as file:
                    file.write(data)
                # Which command opens a file makes no difference to how it is read: they take turns, now and then alone.
                command = ("diff", "report", "render", "window")[number % 4]
                arguments = {"report": ["report", "--allow-wrong", path], "render": ["render", path, "--size", "640x360", "--out", path + ".png"],
                             "diff": ["diff", path, path], "window": [path]}[command]
                found = complaint(*(run_alone(program, arguments) if number % 97 == 0 else together.run(arguments)))
                count += 1
                if found:
                    wrong.append(f"{' '.join(options)}: {name}: {command} {found}")
                    if folder:
                        with open(os.path.join(folder, f"{len(wrong)}.wtrace"), "wb") as file:
                            file.write(data)
        together.end()
        if (most := resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024) > BYTES:
            wrong.append(f"a command took {most >> 20} MiB")
    print("\n".join(wrong))
    print(f"{count} files, {len(wrong)} did harm")
    return 1 if wrong else 0


if __name__ == "__main__":
    if "--random" in sys.argv:
        sys.exit(random_files(sys.argv[1], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1))
    sys.exit(main(*sys.argv[1:]))
