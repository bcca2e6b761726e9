"""Random kernels in phases between barriers: the simulator beside loops over the threads.
What each thread does in a phase is one text in both. Right kernels compute the same
bits, plain and checked, in several schedules; `ptxas`, where it is found, accepts their
PTX; and of a kernel with one mistake the checks name the line.
"""

import ctypes
import math
import os
import random
import shutil
import subprocess
import tempfile
from collections import Counter

import clinch
import clinch.cuda
import numpy
from kernel_terms import SHARED, WARP_BARRIER, Pair, make_phases

LIMIT = 120
PTXAS = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
SHAPES = [[64, 1, 1], [32, 1, 1], [96, 1, 1], [8, 4, 2], [16, 8, 1], [7, 3, 2], [33, 1, 1],
          [5, 1, 1], [1, 1, 40]]
clinch.config.cache = False

HEAD = """#pragma clang fp contract(off)
struct Pair { int first; double second; };
__device__ int mixed(int v, unsigned w) { return v * 31 ^ (int)(w >> 3); }
__device__ Pair turned(Pair v, int by) { v.first ^= by; v.second += by; return v; }
template <class T, int N> __device__ T powers(T v) {
  T sum = 1;
  for (int i = 0; i < N; ++i) sum = sum * v + (T)i;
  return sum;
}
__device__ int whole(double v) { return (int)fmin(fmax(v, -1e6), 1e6); }
"""
PARAMETERS = ("const int *in, const double *fin, {pair}, int *mid, unsigned *total, "
              "int *extra, long long *oi, double *od")
#: What a thread knows of itself, and its variables.
START = """const int n = blockDim.x * blockDim.y * blockDim.z;
const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
const int group = blockIdx.x + gridDim.x * blockIdx.y, g = group * n + t, first = group * n;
const int lane = t % 32, lanes = n - t + lane < 32 ? n - t + lane : 32;
const unsigned warp = lanes == 32 ? ~0u : (1u << lanes) - 1;"""
SET = "int a = in[g]; unsigned b = g * 77; long long c = t; float x = t; double y = fin[g];"
END = "oi[g] = a + c * 3 + b;", "od[2 * g] = x;", "od[2 * g + 1] = y;"
BARRIER = "__syncthreads();"

#: Of the reference: the device's names, and the variables of all threads.
REFERENCE = """#include <math.h>
#define __device__ static
#define __popc __builtin_popcount
#define __brev __builtin_bitreverse32
struct Where {{ int x, y, z; }};
static Where threadIdx, blockIdx, blockDim, gridDim;
template <class T> static void atomicAdd(T *p, T v) {{ *p += v; }}
template <class T> static void atomicXor(T *p, T v) {{ *p ^= v; }}
template <class T> static void atomicMax(T *p, T v) {{ *p = *p < v ? v : *p; }}
{head}
struct State {{ int a; unsigned b; long long c; float x; double y; }};
static State states[512];
static long long gi[512];
static double gx[512];
static int si[512], sw[512];
static double sd[512];
static unsigned count[8];
static void step(int phase, {parameters}) {{
{start}
State &s = states[t];
if (phase < 0) {{ {set} s = {{a, b, c, x, y}}; return; }}
int &a = s.a; unsigned &b = s.b; long long &c = s.c; float &x = s.x; double &y = s.y;
switch (phase) {{
{phases}
}}
}}
extern "C" void reference({scalars}) {{
  gridDim = {{ {grid} }}; blockDim = {{ {block} }};
  Pair p = {{p_first, p_second}};
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
  for (int phase = -1; phase < {count}; ++phase)
  for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
  for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
  for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
    step(phase, in, fin, p, mid, total, extra, oi, od);
}}
"""
SCALARS = PARAMETERS.format(pair="int p_first, double p_second")
PARAMETERS = PARAMETERS.format(pair="Pair p")


def make(seed):
    draw = random.Random(seed)
    block = draw.choice(SHAPES)
    size = block[0] * block[1] * block[2]
    return dict(seed=seed, block=block, grid=draw.choice([[1, 1], [3, 1], [2, 2]]),
                phases=make_phases(draw, size), first=draw.randint(-9, 9),
                second=draw.random(), schedule=draw.randint(1, 1000))


def smaller(case):
    """Yields it with a phase or a line less."""
    for k, phase in enumerate(case["phases"]):
        yield {**case, "phases": case["phases"][:k] + case["phases"][k + 1:]}
        if len(phase["device"]) > 1 and "host" not in phase:
            for j in range(len(phase["device"])):
                one = {**phase, "device": phase["device"][:j] + phase["device"][j + 1:]}
                yield {**case, "phases": [*case["phases"][:k], one, *case["phases"][k + 1:]]}


def kernel_lines(case):
    """Returns the lines of the kernel's body, each with the number of its phase; a
    barrier stands before what it orders."""
    lines, seen = [], {}
    for number, phase in enumerate(case["phases"]):
        uses = phase["uses"]
        if any(name in seen and {how, seen[name]} not in ({"read"}, {"atomic"})
               for name, how in uses.items()):
            lines.append((BARRIER, number))
            seen = {}
        seen.update(uses)
        lines += [(line, number) for line in phase["device"]]
    return lines


def text_of(case, lines):
    """Returns the text of a kernel, from its body."""
    shared = SHARED.replace("SIZE", str(math.prod(case["block"])))
    body = "\n".join([START, SET, *(line for line, _ in lines), *END])
    return f"{HEAD}__global__ void k({PARAMETERS}) {{\n{shared}{body}\n}}\n"


def reference_of(case):
    steps = [lines for phase in case["phases"]
             for lines in phase.get("host", [phase["device"]])] + [END]
    return REFERENCE.format(
        head=HEAD, parameters=PARAMETERS, scalars=SCALARS, start=START, set=SET,
        phases="\n".join(f"case {k}: {{ {' '.join(lines)} }} break;"
                         for k, lines in enumerate(steps)),
        grid=", ".join(map(str, [*case["grid"], 1])), count=len(steps),
        block=", ".join(map(str, case["block"])))


def arrays_of(case):
    """Returns what both are given: two inputs, and five arrays to be written."""
    draw, size = numpy.random.default_rng(case["seed"]), math.prod(case["block"])
    items = size * case["grid"][0] * case["grid"][1]
    return [draw.integers(-2**31, 2**31, items).astype("i"), draw.standard_normal(items) * 9,
            numpy.zeros(items, "i"), numpy.zeros(8, "u4"), numpy.zeros(2, "i"),
            numpy.zeros(items, "i8"), numpy.zeros(2 * items)]


def expected(case):
    arrays = arrays_of(case)
    code = clinch.compile(reference_of(case), "reference", language="c++", flags=["-w"])
    code.reference(*arrays[:2], case["first"], case["second"], *arrays[2:])
    return arrays[2:]


class Structure(ctypes.Structure):
    _fields_ = Pair


def launch(case, text, schedule, check):
    """Returns the arrays that were written, and what was found."""
    arrays, block = arrays_of(case), case["block"]
    code = clinch.cuda.compile(text, "kernel.cu", simulate=True, check=check, flags=["-w"])
    start = code["k"](case["grid"], block, schedule=schedule,
                      shared=8 * block[0] * block[1] * block[2])
    try:
        start(*arrays[:2], Structure(case["first"], case["second"]), *arrays[2:])
    except clinch.RuleError as error:
        return arrays[2:], error.diagnostics
    return arrays[2:], []


def same(got, wanted):
    """All NaN are the same; zeros have their sign."""
    return all(numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f") and (
        a.dtype.kind != "f" or numpy.array_equal(numpy.signbit(a) & ~numpy.isnan(a),
                                                 numpy.signbit(b) & ~numpy.isnan(b)))
               for a, b in zip(got, wanted))


def refused_by_ptxas(text, device):
    """Returns what ptxas says of its PTX, if it does not accept it."""
    ptx = clinch.cuda.compile(text, "kernel.cu", device=device, flags=["-w"]).ptx
    if PTXAS is None:
        return ""
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        done = subprocess.run([PTXAS, f"-arch={device}", "-O1", "-o", os.devnull, file.name],
                              capture_output=True, text=True)
    said = done.stdout + done.stderr or f"status {done.returncode}"
    return said if done.returncode else ""


def mistakes(case):
    """Yields what is wrong, the lines of the body, the one that must be named, and what
    is said of it."""
    draw, lines = random.Random(case["seed"]), kernel_lines(case)
    phases, size = case["phases"], math.prod(case["block"])
    ordering = [k for k, (line, number) in enumerate(lines)
                if line == BARRIER and _must_order(phases, number, lines[:k], size)]
    if ordering:
        at = draw.choice(ordering)
        target = phases[lines[at][1]]["device"][0]
        yield "no barrier", lines[:at] + lines[at + 1:], target, "race|no thread has written"
    shifted = [k for k, (_, number) in enumerate(lines)
               if lines[k][0] != BARRIER and _counts(phases, number)]
    if shifted:
        at = draw.choice(shifted)
        by = size * math.prod(case["grid"]) if "mid[" in lines[at][0] else 1
        line = lines[at][0].replace("% n]", f"% n + {by}]")
        yield ("shifted", [*lines[:at], (line, 0), *lines[at + 1:]], line, "at offset")
    warps = [k for k, (line, _) in enumerate(lines) if line == WARP_BARRIER]
    if warps:
        at = draw.choice(warps)
        yield ("no warp barrier", lines[:at] + lines[at + 1:], lines[at + 1][0],
               "race|no thread has written")
    at = draw.randint(0, len(lines))
    if size > 1:
        line = "extra[0] = g;"
        yield "race", [*lines[:at], (line, 0), *lines[at:]], line, "race"
        if case["block"][0] > 1:
            line = "if (threadIdx.x & 1) __syncthreads();"
            yield ("branch", [*lines[:at], (line, 0), (BARRIER, 0), *lines[at:]], line,
                   "barrier")


def _counts(phases, number):
    """Whether it is of an array, and no compiler sees that nobody needs it."""
    phase = phases[number]
    array = phase.get("array")
    if array not in ("si", "sd") or phase["uses"][array] == "read":
        return array is not None
    later = [one["uses"][array] for one in phases[number + 1:] if array in one["uses"]]
    return later[:1] == ["read"]


def _must_order(phases, number, before, size):
    """Whether this phase reads what another thread wrote since the last barrier; a
    phase of warps between the two orders some threads, so it is not asked then."""
    phase = phases[number]
    for line, earlier in reversed(before):
        other = phases[earlier]
        if line == BARRIER or "host" in other:
            return False
        if phase.get("array") and phase["array"] == other.get("array") and \
                "write" in other["uses"].values() and "read" in phase["uses"].values():
            index = [(one["step"], one["from"]) for one in (other, phase)]
            written, read = ([(t * step + start) % size for t in range(size)]
                             for step, start in index)
            return written != read
    return False


def _names(text, line, found, said):
    """Whether a diagnostic is of this line, and says so."""
    numbers = {k for k, one in enumerate(text.splitlines(), 1) if one == line}
    return any(any(word in one["message"] for word in said.split("|")) and
               numbers & {one["line"], *(note["line"] for note in one["notes"])}
               for one in found)


def run(case):
    counts = Counter(kernels=1, ptxas=PTXAS is not None)
    wanted, text = expected(case), text_of(case, kernel_lines(case))
    for check, schedule in ((False, 0), (False, case["schedule"]), (True, 0), (True, 1),
                            (True, case["schedule"])):
        counts["launches"] += 1
        way = f"check={check}, schedule={schedule}"
        got, found = launch(case, text, schedule, check)
        if found:
            return _finding(counts, "false alarm", way, found[0]["message"])
        if not same(got, wanted):
            return _finding(counts, "other result", way, f"{got}, expected {wanted}")
    device = random.Random(case["seed"]).choice(["sm_75", "sm_80", "sm_90"])
    if said := refused_by_ptxas(text, device):
        return _finding(counts, "refused by ptxas", device, said)
    for what, lines, named, says in mistakes(case):
        counts[f"mistakes: {what}"] += 1
        wrong = text_of(case, lines)
        for schedule in (0, case["schedule"]):
            _, found = launch(case, wrong, schedule, True)
            if not _names(wrong, named, found, says):
                return _finding(counts, f"missed: {what}", f"schedule={schedule}",
                                f"{named}: {[one['message'] for one in found]}")
    return {"counts": counts}


def _finding(counts, kind, way, detail):
    return {"counts": counts, "finding": dict(kind=kind, way=way, detail=detail)}


def script(case, finding):
    return f'''"""{finding["kind"]}, {finding["way"]}"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import kernel_search as search
case = {case!r}
print(search.text_of(case, search.kernel_lines(case)))
for what, lines, *_ in search.mistakes(case):
    print("//", what, search.text_of(case, lines))
print(search.run(case))
'''
