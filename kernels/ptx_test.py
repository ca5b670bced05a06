#!/usr/bin/env python3
"""Free when off: the kernels without recording compile to the PTX of the same kernels written by hand. And a kernel with
every word that recording knows compiles.

usage: ptx_test.py NVCC [FLAG...]    exit code 0: all equal; 1: not, or one is not compared; 77: there is no nvcc
"""
import concurrent.futures
import difflib
import pathlib
import re
import subprocess
import sys

# By the architecture that has their instructions; None: the one of the flags.
KERNELS = {None: ["pmpp_simple", "pmpp_convergent", "pmpp_shared", "pmpp_segmented", "pmpp_coarsened",
                  "harris_1", "harris_2", "harris_3", "harris_4", "harris_5", "harris_6", "harris_7",
                  "global_halving", "shuffle_atomic", "two_stage_shuffle", "two_launch", "last_block", "vectorized",
                  "by_turns", "single_pass", "gather", "sequential", "ideal_tree", "tournament",
                   "pairwise", "kahan", "neumaier", "kahan_tree",
                   "scan_sequential", "hillis_steele", "kogge_stone", "blelloch", "blelloch_padded", "brent_kung",
                   "scan_coarsened", "add_sums", "look_back"],
           "compute_80": ["warp_reduce"],
           "compute_90": ["cluster", "harris_7"]}
IN_FLIGHT = {"harris_7": 8}  # loads that the compiler has to make of a loop of two: it can only where the index has a sign
ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77


def compiled(nvcc, flags, source):
    """The PTX of one file."""
    command = [nvcc, *flags, f"-I{ROOT}", "-ptx", "-o", "-", str(ROOT / "kernels" / "testdata" / source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def kernel_text(ptx, kernel):
    """One kernel's code; names that differ by C++ alone are made equal."""
    entries = [e for e in re.findall(r"\.visible \.entry .*?\n}\n", ptx, re.DOTALL)
               if re.match(rf"\.visible \.entry \w*\d{kernel}[A-Z]", e)]
    if len(entries) != 1:
        sys.exit(f"{len(entries)} kernels called {kernel} in the PTX, where there should be one.")
    text = re.sub(r"//.*", "", entries[0])
    mangled = re.match(r"\.visible \.entry (\w+)", entries[0]).group(1)
    text = text.replace(mangled, kernel)
    text = re.sub(r"\b_ZZ\w*?(\d+)(input_s|sum_s|c_s|sdata|warp_sums|before_s|section_s|buffers_s)\w*", r"\2", text)
    text = re.sub(r"\$L__BB\d+_", "$L__BB_", text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def main():
    files = [path for folder in ("reduce", "scan") for path in (ROOT / "kernels" / folder).glob("*.cuh")]
    of_catalog = {name for path in files for name in re.findall(r"^__global__ void (\w+)\(", path.read_text(), re.M)}
    compared = {kernel for kernels in KERNELS.values() for kernel in kernels}
    if of_catalog != compared:
        sys.exit(f"{', '.join(sorted(of_catalog ^ compared))}: kernels/reduce, kernels/scan and KERNELS should have the same kernels; "
                 "write a new one by hand into testdata/plain.cu, instantiate it in testdata/instantiated.cu, and name "
                 "it in KERNELS.")
    nvcc, flags = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if not pathlib.Path(nvcc).is_file():
        print("Skipped: comparing PTX needs nvcc, and this build has found none.")
        return SKIPPED
    compiled(nvcc, [f for f in flags if not f.startswith("-arch")] + ["-arch=compute_80"], "words.cu")
    failed = False
    for arch, kernels in KERNELS.items():
        if arch:
            flags = [f for f in flags if not f.startswith("-arch")] + [f"-arch={arch}"]
        with concurrent.futures.ThreadPoolExecutor() as both:
            plain, templates = both.map(lambda source: compiled(nvcc, flags, source), ["plain.cu", "instantiated.cu"])
        for kernel in kernels:
            by_hand, template = kernel_text(plain, kernel), kernel_text(templates, kernel)
            if kernel in IN_FLIGHT and sum("ld.global" in line for line in template) < IN_FLIGHT[kernel]:
                failed = True
                print(f"{kernel}: its loop is not unrolled: fewer than {IN_FLIGHT[kernel]} loads of global memory")
            if by_hand == template:
                print(f"{kernel}: {len(by_hand)} lines of PTX, equal")
                continue
            failed = True
            print(f"{kernel}: the template does not compile to what the plain kernel does:")
            print("\n".join(difflib.unified_diff(by_hand, template, "by hand", "template", lineterm="")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
