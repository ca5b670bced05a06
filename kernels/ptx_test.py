#!/usr/bin/env python3
"""Free when off: the kernels without recording compile to the PTX of the same kernels written by hand. And a kernel with
every word that recording knows compiles.

usage: ptx_test.py NVCC [FLAG...]    exit code 0: equal; 1: not; 77: there is no nvcc to ask
"""
import difflib
import pathlib
import re
import subprocess
import sys

# By the architecture that has their instructions; None: the one of the flags.
KERNELS = {None: ["pmpp_simple", "pmpp_convergent", "pmpp_shared", "pmpp_segmented", "last_block", "tournament",
                  "vectorized"],
           "compute_80": ["warp_reduce"],
           "compute_90": ["cluster"]}
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
    text = re.sub(r"\b_ZZ\w*?(\d+)(input_s|sdata|warp_sums)\w*", r"\2", text)
    text = re.sub(r"\$L__BB\d+_", "$L__BB_", text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def main():
    nvcc, flags = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if not pathlib.Path(nvcc).is_file():
        print("Skipped: comparing PTX needs nvcc, and this build has found none.")
        return SKIPPED
    compiled(nvcc, [f for f in flags if not f.startswith("-arch")] + ["-arch=compute_80"], "words.cu")
    failed = False
    for arch, kernels in KERNELS.items():
        if arch:
            flags = [f for f in flags if not f.startswith("-arch")] + [f"-arch={arch}"]
        plain = compiled(nvcc, flags, "plain.cu")
        templates = compiled(nvcc, flags, "instantiated.cu")
        for kernel in kernels:
            by_hand, template = kernel_text(plain, kernel), kernel_text(templates, kernel)
            if by_hand == template:
                print(f"{kernel}: {len(by_hand)} lines of PTX, equal")
                continue
            failed = True
            print(f"{kernel}: the template does not compile to what the plain kernel does:")
            print("\n".join(difflib.unified_diff(by_hand, template, "by hand", "template", lineterm="")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
