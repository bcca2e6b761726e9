"""What Clinch's kernels cost beside NVRTC's, in the same process."""

import statistics
import time

import numpy

import clinch
import mathematics
from nvrtc import Nvrtc, assembler, instructions

SAXPY = """extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
ELEMENTWISE = """extern "C" __global__ void elementwise(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = expf(x[i]) + tanhf(x[i]);
}
"""
MATMUL = """extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                              int n) {
  __shared__ float ta[16][16], tb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
"""
TEXTS = {"saxpy": SAXPY, "elementwise": ELEMENTWISE, "matmul": MATMUL}
#: Fills an array of numbers from 0 to 1, or from 1.
FILL = """extern "C" __global__ void fill(%s *x, long n, int from) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) x[i] = from + (i * 7919 %% 1000003) / (%s)1000003;
}
"""
#: The function alone: each thread computes it 128 times, and reads nothing.
BUSY = """
extern "C" __global__ void busy(T start, T step, T *y) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  T sum = 0, v = start + step * i;
  for (int j = 0; j < 128; ++j, v += step) sum += %s;
  y[i] = sum;
}
"""


def _nvrtc(report):
    found = Nvrtc()
    if not found.found:
        report.say("skipped: there is no NVRTC")
        return None
    report.say(f"NVRTC {found.version()}", nvrtc=found.version())
    return found


def compile_times(report, machine):
    """Text to PTX, each text a new one; the processor's time of this process."""
    rival = _nvrtc(report)
    clinch.config.cache = False
    compute = machine.device.replace("sm", "compute")
    ways = {"clinch": lambda text: clinch.cuda.compile(text, device=machine.device).ptx}
    if rival:
        ways["nvrtc"] = lambda text: rival.compile(text, compute)
    for name, text in TEXTS.items():
        spent = {way: [] for way in ways}
        walls = {way: [] for way in ways}
        for turn in range(machine.rounds + 3):
            for way, work in ways.items():
                new = text.replace(f" {name}(", f" {name}_{turn}(")
                wall, start = time.perf_counter(), time.process_time()
                work(new)
                if turn >= 3:
                    spent[way].append(1000 * (time.process_time() - start))
                    walls[way].append(1000 * (time.perf_counter() - wall))
        median = {way: statistics.median(found) for way, found in spent.items()}
        wall = {way: statistics.median(found) for way, found in walls.items()}
        _ratio(report, f"text to PTX, {name}: process ms", median)
        _ratio(report, f"text to PTX, {name}: wall ms", wall)


def _ratio(report, what, found):
    line = ", ".join(f"{way} {value:.4g}" for way, value in found.items())
    if len(found) == 2:
        ours, theirs = found.values()
        line += f", ratio {ours / theirs:.3f}"
        found = {**found, "ratio": ours / theirs}
    report.say(f"{what}: {line}", **{what: found})


def count_instructions(report, machine):
    """Machine instructions by ptxas, for sm_80 and for the device."""
    rival = _nvrtc(report)
    if not assembler():
        report.say("skipped: there is no ptxas")
        return
    for device in dict.fromkeys(("sm_80", machine.device)):
        for name, text in TEXTS.items():
            found = {"clinch": instructions(
                clinch.cuda.compile(text, device=device).ptx, device)[name]}
            if rival:
                found["nvrtc"] = instructions(
                    rival.compile(text, device.replace("sm", "compute")), device)[name]
            _ratio(report, f"instructions, {device}, {name}", found)


def libdevice(report, machine):
    """exp(x) + tanh(x) of NVIDIA's own functions, as both compilers call them."""
    rival = _nvrtc(report)
    options = {"device": machine.device, "math": "libdevice"}
    try:
        code = clinch.cuda.compile(ELEMENTWISE, **options)
    except FileNotFoundError as error:
        report.say(f"skipped: {error}")
        return
    theirs = rival and rival.compile(ELEMENTWISE, machine.device.replace("sm", "compute"))
    if assembler() and theirs:
        _ratio(report, f"instructions with libdevice, {machine.device}", {
            way: instructions(ptx, machine.device)["elementwise"]
            for way, ptx in (("clinch", code.ptx), ("nvrtc", theirs))})
    count = 10 ** 8
    x, y = (_filled(machine, "float", count, 0) for _ in range(2))
    loaded = Loaded(machine, rival, ELEMENTWISE, math="libdevice")
    _ratio(report, f"run with libdevice, {count:.0e} numbers: ms", loaded.times(
        "elementwise", -(-count // 256), 256, [numpy.int32(count), x, y]))
    loaded.unload()
    for address in (x, y):
        machine.driver.free(address)


class Loaded:
    """A text compiled by both, loaded."""

    def __init__(self, machine, rival, text, **options):
        self.ways = {"clinch": machine.driver.load(
            clinch.cuda.compile(text, device=machine.device, **options).ptx)}
        if rival:
            self.ways["nvrtc"] = machine.driver.load(
                rival.compile(text, machine.device.replace("sm", "compute")))
        self._driver = machine.driver

    def times(self, kernel, grid, block, arguments, rounds=5):
        """Returns the least milliseconds of each, in turns."""
        found = {way: [] for way in self.ways}
        for _ in range(2):
            for way, module in self.ways.items():
                found[way].append(self._driver.milliseconds(
                    lambda m=module: m.launch(kernel, grid, block, arguments), rounds))
        return {way: min(each) for way, each in found.items()}

    def unload(self):
        for module in self.ways.values():
            module.unload()


def _filled(machine, kind, count, start):
    module = machine.driver.load(clinch.cuda.compile(
        FILL % (kind, kind), device=machine.device).ptx)
    size = numpy.dtype(mathematics.TYPES[kind][0]).itemsize
    address = machine.driver.allocate(count * size)
    module.launch("fill", -(-count // 256), 256,
                  [address, numpy.int64(count), numpy.int32(start)])
    machine.driver.synchronize()
    module.unload()
    return address


def kernel_times(report, machine):
    rival, count, n = _nvrtc(report), 10 ** 8, 4096
    x, y = (_filled(machine, "float", count, 0) for _ in range(2))
    blocks = -(-count // 256)
    launches = {
        "saxpy": (blocks, 256, [numpy.int32(count), numpy.float32(2.5), x, y]),
        "elementwise": (blocks, 256, [numpy.int32(count), x, y]),
        "matmul": ((n // 16, n // 16), (16, 16), [x, x, y, numpy.int32(n)])}
    for name, (grid, block, arguments) in launches.items():
        loaded = Loaded(machine, rival, TEXTS[name])
        size = f"{n} x {n}" if name == "matmul" else f"{count:.0e} numbers"
        _ratio(report, f"run, {name}, {size}: ms",
               loaded.times(name, grid, block, arguments))
        loaded.unload()


def mathematics_times(report, machine):
    """Each function over 1e8 numbers in memory, and alone, 2^20 times 128."""
    rival, count = _nvrtc(report), 10 ** 8
    for kind in mathematics.TYPES:
        inputs = [_filled(machine, kind, count, start) for start in (0, 1)]
        result = _filled(machine, kind, count, 0)
        for name in mathematics.FUNCTIONS + mathematics.INSTRUCTIONS:
            report.attempt(f"{name} of {kind}", _one_function, machine, rival, kind, name,
                           inputs[name == "acosh"], result, count)
        for address in (*inputs, result):
            machine.driver.free(address)


def _one_function(report, machine, rival, kind, name, given, result, count):
    dtype, _, suffix = mathematics.TYPES[kind]
    of_two = name in mathematics.OF_TWO
    text = mathematics.device_text(name, kind) + BUSY % (
        f"{name}{suffix}({'v, v' if of_two else 'v'})")
    loaded = Loaded(machine, rival, text)
    _ratio(report, f"{name}, {kind}, in memory: ms", loaded.times(
        "k", -(-count // 256), 256,
        [given] * (1 + of_two) + [result, numpy.int64(count)], 3))
    start = 1 if name == "acosh" else 0
    _ratio(report, f"{name}, {kind}, alone: ms", loaded.times(
        "busy", 4096, 256, [numpy.dtype(dtype).type(start),
                            numpy.dtype(dtype).type(2.0 ** -21), result], 3))
    loaded.unload()
