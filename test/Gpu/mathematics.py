"""The functions of lib/Math: a device's bits against this processor's."""

import ctypes
import functools
import glob
import os
from concurrent.futures import ThreadPoolExecutor

import numpy

import clinch

LIBRARY = os.path.join(os.path.dirname(__file__), "..", "..", "lib", "Math")
FUNCTIONS = sorted(os.path.basename(path)[:-2]
                   for path in glob.glob(os.path.join(LIBRARY, "*.c")))
OF_TWO = ("atan2", "hypot", "pow", "fmod")
#: What has one right result, and is libm's on the processor.
INSTRUCTIONS = "sqrt fabs floor ceil trunc rint nearbyint round fmod".split()
TYPES = {"double": ("d", "u8", ""), "float": ("f", "u4", "f")}
CHUNK = 1 << 22


def device_text(name, kind):
    """A kernel `k` that computes the function for each number."""
    given, call = ("const T *x, const T *z", "x[i], z[i]") if name in OF_TWO else (
        "const T *x", "x[i]")
    return f"""typedef {kind} T;
extern "C" __global__ void k({given}, T *y, long n) {{
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = {name}{TYPES[kind][2]}({call});
}}
"""


def host_text(name, kind):
    """The same, in a loop."""
    called = name + TYPES[kind][2]
    given, call, takes = ("const T *x, const T *z", "x[i], z[i]", "T, T") \
        if name in OF_TWO else ("const T *x", "x[i]", "T")
    return f"""typedef {kind} T;
T {called}({takes});
void k({given}, T *y, long n) {{
  for (long i = 0; i < n; ++i) y[i] = {called}({call});
}}
"""


@functools.lru_cache(maxsize=2)
def inputs(kind, count, seed):
    """Numbers of every magnitude: any bits, what is near 0, near 1, large angles near
    multiples of pi/2, subnormal ones, whole ones and those where results overflow."""
    dtype, bits, _ = TYPES[kind]
    generator = numpy.random.default_rng(seed)
    each = count // 8
    limits = numpy.finfo(dtype)
    any_bits = generator.integers(0, 2 ** (8 * limits.dtype.itemsize), count - 7 * each,
                                  dtype=bits).view(dtype)
    sign = generator.choice([-1.0, 1.0], each)
    multiples = numpy.round(2 ** generator.uniform(0, 40, each)) * (numpy.pi / 2) * sign
    subnormal = generator.integers(1, 2 ** limits.nmant, each, dtype=bits).view(dtype)
    with numpy.errstate(over="ignore"):
        made = numpy.concatenate([part.astype(dtype) for part in (
            any_bits, generator.uniform(-20, 20, each),
            1 + sign * 2 ** generator.uniform(-limits.nmant, -1, each),
            multiples, subnormal * sign.astype(dtype),
            numpy.floor(generator.uniform(-1100, 1100, each)),
            generator.uniform(-1, 1, each) * (750 if kind == "double" else 105),
            generator.uniform(-1, 1, each))])
    special = numpy.array([0.0, -0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan,
                           limits.max, -limits.max, limits.tiny, -limits.tiny,
                           limits.smallest_subnormal, -limits.smallest_subnormal,
                           1 + limits.eps, 1 - limits.epsneg], dtype)
    made[:len(special)] = special
    return generator.permutation(made) if seed else made


class Processor:
    """The functions here, as clinch.compile makes them, on all cores."""

    def __init__(self):
        self.threads = os.cpu_count() or 1
        self._code = []

    def _function(self, text, count):
        code = clinch.compile(text)
        self._code.append(code)
        kinds = [ctypes.c_void_p] * (count - 1) + [ctypes.c_long]
        return ctypes.CFUNCTYPE(None, *kinds)(code.lookup("k"))

    def __call__(self, name, kind, arrays):
        count = len(arrays[0])
        result = numpy.empty_like(arrays[0])
        function = self._function(host_text(name, kind), len(arrays) + 2)
        step = -(-count // self.threads)

        def part(start):
            function(*(one[start:].ctypes.data for one in (*arrays, result)),
                     min(step, count - start))
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(part, range(0, count, step)))
        return result

    def sums(self, name, chunks):
        """Returns the sum of each chunk of all floats; see SUM."""
        called = name + "f"
        code = clinch.compile(f"float {called}(float);\n" + SUM % ("static", called) + """
unsigned long k(unsigned first, long count) {
  unsigned long sum = 0;
  for (long i = 0; i < count; ++i) sum += term(first + (unsigned)i);
  return sum;
}
""")
        self._code.append(code)
        function = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint32, ctypes.c_long)(
            code.lookup("k"))
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(lambda one: function(one * CHUNK, CHUNK), chunks))


#: What a result adds to its chunk's sum: any one bit that differs changes the sum.
SUM = """%s unsigned long term(unsigned bits) {
  union { unsigned u; float f; } x = {bits};
  x.f = %s(x.f);
  unsigned result = x.f != x.f ? 0x7fc00000u : x.u;
  return (unsigned long)result * (bits * 2654435761u | 1u);
}
"""
DEVICE_SUMS = """extern "C" __global__ void k(unsigned long long *sums, unsigned first) {
  unsigned start = (first + blockIdx.y) << 22;
  unsigned long long sum = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < 1u << 22; i += gridDim.x * 256)
    sum += term(start + i);
  atomicAdd(&sums[blockIdx.y], sum);
}
"""


def device_sums(run, name, chunks):
    """run: what runs a text's kernel `k`."""
    sums = numpy.zeros(len(chunks), "u8")
    run(SUM % ("__device__", name + "f") + DEVICE_SUMS, (16, len(chunks)), 256,
        [sums, numpy.uint32(chunks[0])])
    return [int(one) for one in sums]


def compare(kind, given, here, there):
    """Returns how many results differ in their bits, NaNs being alike, and the first."""
    dtype, bits, _ = TYPES[kind]
    a, b = here.view(bits), there.view(bits)
    differ = numpy.flatnonzero((a != b) & ~(numpy.isnan(here) & numpy.isnan(there)))
    digits = 2 * numpy.dtype(dtype).itemsize
    return {"numbers": len(here), "differ": len(differ),
            "nan_bits_differ": int((a != b).sum()) - len(differ),
            "nans": int(numpy.isnan(here).sum()),
            "first": [{"given": [float(one[i]).hex() for one in given],
                       "processor": f"{int(a[i]):0{digits}x}",
                       "device": f"{int(b[i]):0{digits}x}"} for i in differ[:3]]}


def check(run, processor, name, kind, count):
    """Compares a function for `count` numbers. run: what runs a text's kernel `k`."""
    arrays = [inputs(kind, count, seed) for seed in range(2 if name in OF_TWO else 1)]
    here = processor(name, kind, arrays)
    there = numpy.zeros_like(here)
    run(device_text(name, kind), -(-count // 256), 256,
        [*arrays, there, numpy.int64(count)])
    return compare(kind, arrays, here, there)
