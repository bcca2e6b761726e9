"""The functions of lib/Math: exact, vectorised, and the same bits however they
are compiled, for AArch64 too, under qemu-user if that is installed. With MPFR_COUNT=10000000 the errors are looked for in more numbers, with
ALL_FLOATS=1 in all floats, which takes a quarter of an hour.
"""
# RUN: rm -rf %t && mkdir %t && %python %s %source %t

import glob
import os
import re
import shutil
import subprocess
import sys

source, scratch = sys.argv[1:]
LIBRARY = os.path.join(source, "lib", "Math")
INPUTS = os.path.join(source, "test", "Math", "Inputs")
FLAGS = ["-std=gnu11", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra",
         "-Werror", "-I", LIBRARY]
COUNT = os.environ.get("MPFR_COUNT", "20000")
with open("/proc/cpuinfo", encoding="utf-8") as file:
    PROCESSOR = set(file.read().split())
problems = []

# A build, and what the processor needs to run it; without FMA libm's is called.
BUILDS = [(["-O0"], set()), (["-O3"], set()), (["-O2", "-march=x86-64-v2"], set())]
for width in ("128", "256"):
    BUILDS.append((["-O3", "-march=x86-64-v3", "-mprefer-vector-width=" + width],
                   {"avx2", "fma"}))
for cpu, needs in (("skylake-avx512", {"avx512f", "avx512vl", "avx512dq"}),
                   ("znver4 -mno-sse4a", {"avx512_bf16", "avx512_vbmi2", "gfni"}),
                  ("sapphirerapids", {"avx512_fp16", "amx_tile"})):
    for width in ("256", "512"):
        BUILDS.append((["-O3", *f"-march={cpu}".split(),
                        "-mprefer-vector-width=" + width], needs))
ARM = "--target=aarch64-linux-gnu"
if shutil.which("qemu-aarch64"):
    for more in (["-O0"], ["-O3", "-march=armv8-a+sve"]):
        BUILDS.append(([ARM, "-Qunused-arguments", "-fuse-ld=lld", "-static",
                        *more], set()))
else:
    print("skipped: AArch64, for which qemu-user is missing")


def build(name, flags, libraries=("-lm",)):
    program = os.path.join(scratch, name)
    subprocess.run(["clang", *FLAGS, *flags, os.path.join(INPUTS, name + ".c"),
                    "-o", program, *libraries], check=True)
    return program


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.stdout.splitlines()


def functions():
    """Returns each function that lib/Math defines, with the error that its comment admits."""
    names, bounds = set(), {}
    for path in glob.glob(os.path.join(LIBRARY, "*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names.update(re.findall(r"^double clinch_(\w+)\(", text, re.MULTILINE))
        for name, rest in re.findall(r"^// (\w+): ((?:.*\n//)*.*)", text, re.MULTILINE):
            bounds[name] = float(re.search(r"Errs by less than ([\d.]+) units", rest)[1])
    assert names == bounds.keys(), names ^ bounds.keys()
    return bounds


def check_bits():
    first = None
    for flags, needs in BUILDS:
        if not needs <= PROCESSOR:
            continue
        program = build("hashes", flags)
        found = run(*(["qemu-aarch64"] if ARM in flags else []), program)
        if found[-1:] != ["0 differ"]:
            problems.append(f"{flags}: a loop and one call: {found[-1:]}")
        first = first or found
        for ours, theirs in zip(first, found, strict=True):
            if ours != theirs:
                problems.append(f"{flags}: {theirs}, not {ours}")
    hashed = {line.split()[0] for line in first[:-1]}
    if hashed != {name + end for name in functions() for end in ("", "f")}:
        problems.append(f"these are compared: {sorted(hashed)}")


def check_errors():
    """No error is larger than the function's comment says."""
    bounds = functions()
    bounds |= {name + "f": 0.51 for name in bounds}
    for line in run(build("accuracy", ["-O1"], ("-lmpfr", "-lm")), COUNT):
        name, worst, *_ = line.split()
        if name not in bounds or float(worst) >= bounds.pop(name):
            problems.append(line)
    if bounds:
        problems.append(f"not measured: {sorted(bounds)}")


def check_rests():
    """What GPUs have in place of libm's exact function."""
    found = run(build("fmod", ["-O1", "-march=native"]), COUNT)
    if found != ["0 differ"]:
        problems.append(f"fmod: {found}")


def check_all_floats():
    for line in run(build("floats", ["-O3", "-march=native"])):
        name, worst, *_ = line.split()
        if not float(worst) < 0.51:
            problems.append(line)


def check_loops():
    """Each loop is vectorised, and calls nothing, for what Clinch compiles for."""
    for flags, _ in BUILDS[3:]:
        if ARM in flags:
            continue
        text = os.path.join(scratch, "hashes.ll")
        subprocess.run(["clang", *FLAGS, *flags, "-S", "-emit-llvm", "-o", text,
                        os.path.join(INPUTS, "hashes.c")], check=True)
        with open(text, encoding="utf-8") as file:
            bodies = {found[1]: found[0] for found in re.finditer(
                r"^define [^@]*@loop_(\w+)\(.*?^}", file.read(),
                re.MULTILINE | re.DOTALL)}
        if len(bodies) != 2 * len(functions()):
            problems.append(f"{flags}: {len(bodies)} loops")
        for name, body in bodies.items():
            calls = set(re.findall(r"call [^@]*@([\w.]+)", body))
            if not re.search(r"fmul <.*\d+ x double>", body) or any(
                    not call.startswith("llvm.") for call in calls):
                problems.append(f"{flags}: {name} is no vector loop: {calls}")


check_bits()
check_errors()
check_loops()
check_rests()
if os.environ.get("ALL_FLOATS"):
    check_all_floats()
sys.exit("\n".join(problems) or 0)
