#!/usr/bin/env python3
"""Compilers leave compensated sums as they are written: no operation is contracted, reassociated or left out.

usage: compensation_test.py PROGRAM NVCC [FLAG...]    exit code 0: none is; 1: one is; 77: nothing here can take code apart

PROGRAM has the plain kernels for the CPU, with its symbols (-: none is looked at); its machine code is taken apart by
objdump, the GPU's by cuobjdump.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Additions and subtractions of an element's turn, with both ways of a branch in the code, or what they share once, and of what
# follows the loop. Compilers may unroll the turns.
KERNELS = {"kahan": ((4,), 0), "neumaier": ((7, 6, 4), 1)}
ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return done.stdout


def wrong(where, kernel, code, operation):
    """Says what a kernel's code has; returns whether that is wrong."""
    found = len(re.findall(operation, code))
    turns, after = KERNELS[kernel]
    fused = re.findall(r"\bv?fn?m(?:add|sub)\w*|\bFFMA\b|\bfma\S*", code)
    right = found > after and any((found - after) % turn == 0 for turn in turns) and not fused
    print(f"{kernel}, {where}: {found} additions and subtractions"
          + ("" if right else f", where {turns[0]} an element and {after} at the end would be right")
          + (f", contracted: {', '.join(fused)}" if fused else ""))
    return not right


def host_code(program, kernel):
    """The plain kernel over float of a program, and of its parts that the compiler moved away."""
    symbols = re.findall(rf"^\w+ \w (\S*\d{kernel}If\S*)$", output_of(["nm", program]), re.M)
    if not symbols:
        sys.exit(f"{program} has no plain {kernel}.")
    return "".join(output_of(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={symbol}", program])
                   for symbol in symbols)


def gpu_codes(nvcc, flags):
    """What the compiler, and what the assembler made of all kernels: (name, regular expression, {kernel: code})."""
    source = [f"-I{ROOT}", ROOT / "kernels/testdata/instantiated.cu"]
    ptx = output_of([nvcc, *flags, "-ptx", "-o", "-", *source])
    yield ("PTX", r"\b(?:add|sub)(?:\.rn)?\.f32",
           dict(re.findall(r"\.visible \.entry \w*?\d([a-z_]+)If\w*\((.*?\n}\n)", ptx, re.DOTALL)))
    cuobjdump = pathlib.Path(nvcc).parent / "cuobjdump"
    if not cuobjdump.is_file():
        return print("Skipped: the GPU's machine code needs cuobjdump, which this toolkit has not.")
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder) / "kernels.cubin"
        output_of([nvcc, *[flag.replace("compute_", "sm_") for flag in flags], "-cubin", "-o", cubin, *source])
        sass = output_of([cuobjdump, "-sass", cubin])
    yield "GPU", r"\bFADD\b", dict(re.findall(r"Function : \w*?\d([a-z_]+)If\w*\n(.*?)(?=Function : |\Z)", sass, re.DOTALL))


def main():
    program, nvcc, flags = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "", sys.argv[3:]
    failed, looked = [], 0
    if program != "-" and shutil.which("objdump") and shutil.which("nm"):
        looked += 1
        failed += [wrong("CPU", kernel, host_code(program, kernel), r"\b(?:v?(?:add|sub)ss|fadd|fsub)\b")
                   for kernel in KERNELS]
    if pathlib.Path(nvcc).is_file():
        looked += 1
        failed += [wrong(where, kernel, codes[kernel], operation)
                   for where, operation, codes in gpu_codes(nvcc, flags) for kernel in KERNELS]
    else:
        print("Skipped: the GPU's code needs nvcc, and this build has found none.")
    return int(any(failed)) if looked else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
