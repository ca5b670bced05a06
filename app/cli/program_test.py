#!/usr/bin/env python3
"""CUDA files of one's own on the command line: new, run, diff, report --compare.

usage: program_test.py PROGRAM
Where such files are not run (see instrumentation/foreign) it says so and exits with 77 (skipped).
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib



def hold_against_the_hardware(program):
    """What a GPU counted of programs that lie here: assets/measured/programs.json (verify_on_gpu.sh writes it)."""
    root = pathlib.Path(__file__).resolve().parents[2]
    measured = json.loads((root / "assets/measured/programs.json").read_text())["programs"]
    for name in ("scan.cu", "segmented.cu", "ladder.cu pmpp-coarsened 16384 128", "ladder.cu shuffle-atomic 16384 128", "ladder.cu harris-3 16384 128"):
        file, *arguments = name.split()
        folder = root / ("instrumentation/foreign/testdata" if file == "ladder.cu" else "assets/programs")
        done = subprocess.run([program, "report", str(folder / file), "-I", str(root), "--json", "--", *arguments], capture_output=True, text=True)
        launches = json.loads(done.stdout)["launches"]
        figures = [figure for figure in measured[name] if figure["counter"] in launches[figure["launch"]]["totals"]]
        assert len(figures) >= 8, (name, figures)
        for figure in figures:
            ours = launches[figure["launch"]]["totals"][figure["counter"]]
            assert ours == figure["ours"] in (figure["hardware"], figure["without_optimisation"]), (name, figure, ours)


def grade(warptree, folder):
    """Exercises in which a student writes the kernel."""
    exercise = pathlib.Path(__file__).resolve().parents[2] / "assets/exercises/02-convergent"
    tests = tomllib.loads((exercise / "tests.toml").read_text())
    mistake = next(one for one in tests["mistake"] if one["name"] == "as-simple")
    text = (exercise / "start.cu").read_text()
    right, wrong = str(folder / "right.cu"), str(folder / "wrong.cu")
    for path, changes in ((right, tests["solution"]), (wrong, mistake["change"])):
        for was, now in changes:
            assert text.count(was) == 1, was
            text = text.replace(was, now)
        pathlib.Path(path).write_text(text)
    code, out, err = warptree("grade", "--list")
    assert code == 0 and len(out.splitlines()) == 12 and out.startswith("simple "), (code, out, err)
    code, out, err = warptree("grade", "convergent")
    assert code == 0 and "divergent_warps <= 6" in out and "main() gets 256 1" in out, (code, out, err)
    code, out, err = warptree("new", "start.cu", "--exercise", "convergent")
    assert code == 0 and "`warptree grade convergent start.cu`" in out, (code, out, err)
    code, out, err = warptree("new", "x.cu", "--exercise", "convergent", "--kind", "scan")
    assert code == 2 and "leave one of them out" in err, (code, out, err)
    code, out, err = warptree("grade", "convergent", right)
    assert (code, out) == (0, f"{right}: passes\n"), (code, out, err)
    code, out, err = warptree("grade", "convergent", wrong)
    assert code == 1 and "line 11, divergent_warps <= 6: divergent_warps is 24" in out and "neighbours: a warp" in out, (code, out, err)
    (folder / 'odd "name".cu').write_text("int main() { nothing; }\n")
    four = ["start.cu", wrong, 'odd "name".cu', right]
    code, out, err = warptree("grade", "convergent", *four, "--jobs", "3")
    lines = out.splitlines()
    assert code == 1 and lines[-1] == "1 of 4 pass" and [line.split(":")[0] for line in lines[:-1]] == four, (code, out, err)
    code, out, err = warptree("grade", "convergent", *four, "--csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 1 and [row["file"] for row in rows] == four, (code, out, err)
    assert [row["passes"] for row in rows] == ["no", "no", "no", "yes"] and "does not compile" in rows[2]["reasons"], rows
    code, out, err = warptree("grade", "convergent", *four, "--json")
    graded = json.loads(out)
    failed = [one for one in graded["submissions"][1]["conditions"] if not one["holds"]]
    assert graded["passed"] == 1 and failed[0]["line"] == 11 and failed[0]["arguments"] == ["256", "1"], (code, out, err)
    assert graded["submissions"][2]["refused"].startswith("it does not compile"), out
    code, out, err = warptree("report", wrong, "--exercise", "convergent", "--json")
    missed = [note for note in json.loads(out)["notes"] if note["kind"] == "exercise"]
    assert code == 1 and [note["line"] for note in missed] == [11, 11] and json.loads(out)["n"] == 256, (code, out, err)
    code, out, err = warptree("report", wrong, "--exercise", "convergent", "--json", "--", "512")
    assert code == 1 and json.loads(out)["n"] == 512 and "n / 2 + 20 is 276" in out, (code, out, err)
    code, out, err = warptree("report", right, "--exercise", "convergent")
    assert code == 0 and "N = 256, seed 1: all 5 conditions hold.\n  ✓ correct   ✓ " in out and "✗" not in out, (code, out, err)
    code, out, err = warptree("report", wrong, "--exercise", "convergent")
    assert code == 1 and "\n  ✗ line 11, divergent_warps <= 6: " in out and "exercise: " not in out, (code, out, err)
    code, out, err = warptree("render", wrong, "--exercise", "convergent", "--out", "c.png", "--size", "640x360")
    assert code == 0 and "N = 256, seed 1: 3 of 5 conditions hold.\n✓ " in err, (code, out, err)
    assert "\n✗ line 11, divergent_warps <= 6: divergent_warps is 24, 23 on line 11. Threads that work" in err and "neighbours: a warp" in err, (code, out, err)
    (folder / "bad.toml").write_text("title = 3\n")
    code, out, err = warptree("grade", "bad.toml", right)
    assert code == 2 and "line 1, column 9: title is 3" in err, (code, out, err)
    for words in (["nothing", right], [], ["simple", right, "--jobs", "0"], ["simple", right, "--json", "--csv"]):
        code, out, err = warptree("grade", *words)
        assert code == 2 and err and not out, (words, code, out, err)


def main():
    program = os.path.abspath(sys.argv[1])
    if not (pathlib.Path(program).parent / "foreign" / "runner").exists():
        print("skipped: CUDA files are not run here")
        sys.exit(77)

    def warptree(*words):
        done = subprocess.run([program, *words], capture_output=True, text=True, cwd=folder)
        return done.returncode, done.stdout, done.stderr

    def change(name, old, new):
        text = (folder / "a.cu").read_text()
        assert old in text, old
        (folder / name).write_text(text.replace(old, new))

    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, kind, result in ("a.cu", [], "136"), ("segmented.cu", ["--kind", "segmented"], "32896"), ("scan.cu", ["--kind", "scan"], "528"):
            code, out, err = warptree("new", name, *kind)
            assert code == 0 and f"`warptree {name}` shows" in out, (code, out, err)
            code, out, err = warptree("run", name)
            assert code == 0 and f"{result}, expected {result}: correct" in out, (code, out, err)
        (folder / "reads.cu").write_text((folder / "a.cu").read_text().replace("main() {", "main() {\n    int given = 0;\n    if (scanf(\"%d\", &given) == 1) printf(\"given %d\\n\", given);"))
        done = subprocess.run([program, "report", "reads.cu"], input="42\n", capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0 and "given 42" in done.stdout, (done.returncode, done.stdout, done.stderr)
        code, out, err = warptree("new", "a.cu")
        assert code == 2 and "is there already" in err, (code, out, err)
        code, out, err = warptree("new", "a.txt")
        assert code == 2 and "ends in .cu" in err, (code, out, err)
        code, out, err = warptree("new", "x.cu", "--kind", "sort")
        assert code == 2 and "block, segmented, scan" in err, (code, out, err)
        change("b.cu", "__global__ void sum", "\n\n#define sum added_up\n__global__ void sum")
        change("c.cu", "input[i] += input[i + stride]", "input[i] = input[i + stride] + input[i]")
        change("d.cu", "return result == right ? 0 : 1", "return 3")
        change("e.cu", "int main() {", "int main(int argc, char** argv) {\n    printf(\"%d: %s\\n\", argc, argv[1]);")

        code, out, err = warptree("run", "a.cu")
        assert code == 0 and ", 1 launch\n" in out and "the sum is 136, right is 136" in out and "result 136, expected 136: correct" in out, (code, out, err)
        assert "requests" not in out, "run is brief: no table of steps\n" + out
        code, out, err = warptree("run", "e.cu", "--", "two", "more")
        assert code == 0 and "3: two" in out, (code, out, err)
        code, out, err = warptree("run", "a.cu", "--json")
        assert code == 0 and json.loads(out)["program"]["output"] == "the sum is 136, right is 136\n", (code, out, err)
        for many, cut in ((30, False), (99, True)):
            change("talks.cu", "int main() {", f'int main() {{\n    for (int i = 0; i < {many}; ++i) printf("line %d\\n", i);')
            code, out, err = warptree("run", "talks.cu")
            ends = "  line 18\n  line 19\n  ... 70 lines more (--json has them all)\n  line 90\n" in out and "  the sum is 136" in out
            assert code == 0 and ends == cut and ("line 50" in out or "  line 25\n" in out) != cut, (code, out, err)
        code, out, err = warptree("run", "a.cu", "--smaller")
        assert code == 0 and "It ran as it is: all that it does is shown." in out, (code, out, err)
        (folder / "large.cu").write_text("""__global__ void pairs(const int* in, int* out) {
    __shared__ int s[256];
    int t = threadIdx.x, i = 256 * blockIdx.x + t;
    s[t] = in[i];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t % (2 * d) == 0) s[t] += s[t + d];
    }
    out[i] = s[t];
}
int main() {
    int n = 256 * ('a' * 42), *h = new int[n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = i % 5;
    cudaMalloc(&in, 4 * n), cudaMalloc(&out, 4 * n);
    cudaMemcpy(in, h, 4 * n, cudaMemcpyHostToDevice);
    pairs<<<n / 256, 256>>>(in, out);
    cudaMemcpy(h, out, 4 * n, cudaMemcpyDeviceToHost);
}
""")
        code, out, err = warptree("run", "large.cu", "--smaller")
        assert "It ran as it is: no smaller number is known with which all of it is shown." in out, (code, out, err)
        code, out, err = warptree("run", "d.cu")
        assert code == 1 and "ended with 3" in out, (code, out, err)

        (folder / "more").mkdir()
        text = (folder / "a.cu").read_text()
        cut = text.index("int main")
        (folder / "more" / "sum.cuh").write_text(text[:cut])
        (folder / "more" / "main.cu").write_text('#include "sum.cuh"\n#include <two.h>\n' + text[cut:].replace("? 0 : 1", "? 0 * TWO * ONE : 1"))
        (folder / "include").mkdir()
        (folder / "include" / "two.h").write_text("#define TWO 2\nint other();\n")
        (folder / "other.cpp").write_text("int other() { return 2; }\n")
        for sources in (["more"], ["more/main.cu", "other.cpp"], ["other.cpp", "more/main.cu"]):
            code, out, err = warptree("run", *sources, "-I", "include", "-D", "ONE=1", "--json", "--", "b.cu")
            assert code == 0 and json.loads(out)["result"] == 136, (sources, code, out, err)
        code, out, err = warptree("run", "more", "-I", "include")
        assert code == 2 and "ONE" in err, (code, out, err)
        code, out, err = warptree("run", "a.cu", "17")
        assert code == 2 and "`warptree run a.cu -- 17`" in err, (code, out, err)
        code, out, err = warptree("run", "a.cu", "d.cu")
        assert code == 2 and "a.cu, d.cu have a main() each" in err, (code, out, err)

        code, out, err = warptree("diff", "a.cu", "b.cu")
        assert (code, out) == (0, "equal\n"), ("names and lines are others, the work is not", code, out, err)
        code, out, err = warptree("diff", "a.cu", "c.cu")
        assert code == 1 and out.startswith("the first access that is another: row 0 (read on line 10: block 0, step 0, thread 0) at global[0] = 1 in the first"), (code, out, err)
        record = warptree("record", "pmpp-simple", "--input", ",".join(map(str, range(1, 17))), "--out", "own.wtrace")
        assert record[0] == 0, record
        code, out, err = warptree("diff", "a.cu", "own.wtrace")
        assert (code, out) == (0, "equal\n"), ("the catalog's own kernel", code, out, err)
        code, out, err = warptree("diff", "own.wtrace", "own.wtrace", "-D", "X")
        assert code == 2 and "neither is a CUDA file" in err, (code, out, err)

        code, out, err = warptree("report", "--compare", "a.cu,own.wtrace,pmpp-shared", "--n", "16", "--json")
        counters = {entry["name"]: entry["values"] for entry in json.loads(out)["counters"]}
        assert code == 0 and counters and all(mine == own for mine, own, _ in counters.values()), (code, counters, err)
        assert any(own != other for _, own, other in counters.values()), counters
        code, out, err = warptree("render", "d.cu", "--out", "d.png")
        assert code == 0 and "d.cu ended with 3" in err, ("said beside the picture, not over it", code, out, err)
        code, out, err = warptree("report", "--compare", "pmpp-simple,pmpp-convergent", "-D", "X")
        assert code == 2 and "names no CUDA file" in err, (code, out, err)
        (folder / "series.cu").write_text(
            "__global__ void k(int* out) { atomicAdd(out, 2 * threadIdx.x + 1); }\nint main() {\n    int *out, sum;\n"
            "    cudaMalloc(&out, 4), cudaMemset(out, 0, 4);\n    k<<<1, 32>>>(out);\n"
            "    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);\n    return sum != 1024;\n}\n")
        code, out, err = warptree("report", "series.cu")
        assert code == 0 and "series.cu  no input, one block" in out and "no array is the input" in out, (code, out, err)
        code, out, err = warptree("report", "series.cu", "--json")
        assert code == 0 and json.loads(out)["n"] is None, (code, out, err)
        (folder / "halves.cu").write_text(
            "__global__ void k(const float* in, float* out) { atomicAdd(out, in[threadIdx.x] * 0.5f); }\nint main() {\n"
            "    float in[32], sum, *a, *b;\n    for (int i = 0; i < 32; ++i) in[i] = i;\n    cudaMalloc(&a, sizeof in), cudaMalloc(&b, 4), cudaMemset(b, 0, 4);\n"
            "    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);\n    k<<<1, 32>>>(a, b);\n    cudaMemcpy(&sum, b, 4, cudaMemcpyDeviceToHost);\n    return sum != 248;\n}\n")
        code, out, err = warptree("report", "halves.cu", "--json")
        unjudged = json.loads(out)
        assert code == 0 and unjudged["correct"] is None and unjudged["result"] == 248, (code, out, err)
        assert not {"exact", "error", "bound"} & set(unjudged), "what it would be, were it a sum of the elements"
        grade(warptree, folder)
    hold_against_the_hardware(program)
    print("ok")


if __name__ == "__main__":
    main()
