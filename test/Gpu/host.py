"""Texts of host code and kernels, each with a function that calls it and says what is
wrong: on a device, on the driver for tests, in the simulator."""

import gc

import numpy

import clinch
import clinch.cuda

ALL = r"""
#include <cstdio>
#include <vector>
struct Pair { float a; double b; };
__constant__ float factor = 1;
__device__ int calls;
template <class T> __global__ void saxpy(int n, Pair p, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = p.a * x[i] * factor + y[i];
  if (i == 0) atomicAdd(&calls, 1);
}
namespace {
__global__ void reversed(float *x) {
  extern __shared__ float part[];
  int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  x[t] = part[blockDim.x - 1 - t];
}
}
static __device__ double hidden = 2.5;
__global__ void scaled(double *x) { x[threadIdx.x] *= hidden; }

/// Memory of the device, with what a host gives it and takes back.
template <class T> struct OnDevice {
  T *begin = nullptr, *host;
  size_t bytes;
  OnDevice(T *host, int n) : host(host), bytes(n * sizeof(T)) {
    cudaMalloc(&begin, bytes);
    cudaMemcpy(begin, host, bytes, cudaMemcpyHostToDevice);
  }
  ~OnDevice() {
    cudaMemcpy(host, begin, bytes, cudaMemcpyDeviceToHost);
    cudaFree(begin);
  }
};

int run_saxpy(int n, float a, float *x, float *y, float by) {
  OnDevice<float> there(x, n), result(y, n);
  cudaMemcpyToSymbol(factor, &by, sizeof by);
  saxpy<<<(n + 127) / 128, 128>>>(n, Pair{a, 3}, there.begin, result.begin);
  int count;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  return count;
}
int run_reversed(float *x, int n) {
  OnDevice<float> there(x, n);
  reversed<<<1, n, n * sizeof(float)>>>(there.begin);
  return cudaDeviceSynchronize();
}
void run_scaled(double *x, int n) {
  OnDevice<double> there(x, n);
  scaled<<<1, n>>>(there.begin);
}
int set(unsigned char *x, int n, int byte) {
  OnDevice<unsigned char> there(x, n);
  if (cudaMemsetAsync(there.begin, byte, n)) return 1;
  return cudaStreamSynchronize(nullptr);
}
int in_a_stream(double *x, int n, float *ms) {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  if (cudaStreamCreate(&stream) || cudaEventCreate(&begin) || cudaEventCreate(&end))
    return -1;
  {
    OnDevice<double> there(x, n);
    cudaEventRecord(begin, stream);
    scaled<<<1, n, 0, stream>>>(there.begin);
    cudaEventRecord(end, stream);
    if (cudaEventSynchronize(end) || cudaEventElapsedTime(ms, begin, end))
      return -2;
    cudaStreamSynchronize(stream);
  }
  return cudaEventDestroy(begin) + cudaEventDestroy(end) + cudaStreamDestroy(stream);
}
// Two streams, each with copies and a kernel of its own; one event between them.
int in_two_streams(double *x, double *y, int n, float *ms) {
  cudaStream_t streams[2];
  cudaEvent_t events[2];
  double *there[2], *here[2] = {x, y};
  for (int i = 0; i < 2; ++i)
    if (cudaStreamCreate(&streams[i]) || cudaEventCreate(&events[i]) ||
        cudaMalloc(&there[i], n * sizeof *x))
      return -1;
  for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(there[i], here[i], n * sizeof *x, cudaMemcpyHostToDevice,
                    streams[i]);
    for (int k = 0; k <= i; ++k)
      scaled<<<1, n, 0, streams[i]>>>(there[i]);
    cudaMemcpyAsync(here[i], there[i], n * sizeof *x, cudaMemcpyDeviceToHost,
                    streams[i]);
    cudaEventRecord(events[i], streams[i]);
    cudaEventSynchronize(events[i]);
  }
  int failed = cudaEventElapsedTime(ms, events[0], events[1]);
  for (int i = 0; i < 2; ++i)
    failed += cudaFree(there[i]) + cudaEventDestroy(events[i]) +
              cudaStreamDestroy(streams[i]);
  return failed;
}
int ask() {
  reversed<<<1, 2000>>>(nullptr);
  return cudaPeekAtLastError() == cudaGetLastError() &&
         cudaGetLastError() == cudaSuccess;
}
void refused() { reversed<<<0, 1>>>(nullptr); }
const char *meaning(int n) { return cudaGetErrorString(cudaError_t(n)); }
"""
#: The line of `refused` in it.
REFUSED = next(n for n, line in enumerate(ALL.splitlines(), 1) if "<<<0, 1>>>" in line)
#: Of the kernels alone, which can stand for what a driver is given.
KERNELS = ALL.partition("/// Memory")[0] + (
    "template __global__ void saxpy(int, Pair, const float *, float *);\n")


def _saxpy(made):
    x, y = numpy.arange(1000, dtype="f"), numpy.ones(1000, "f")
    first = made.run_saxpy(1000, 0.5, x, y, 2.0)
    assert (y == numpy.arange(1000, dtype="f") + 1).all()
    assert made.run_saxpy(1000, 0.0, x, y, 1.0) == first + 1


def _reversed(made):
    x = numpy.arange(256, dtype="f")
    assert made.run_reversed(x, 256) == 0
    assert (x == numpy.arange(255, -1, -1, dtype="f")).all()


def _scaled(made):
    x = numpy.arange(32.0)
    made.run_scaled(x, 32)
    assert (x == 2.5 * numpy.arange(32)).all()


def _set(made):
    x = numpy.zeros(100, "u1")
    assert made.set(x, 100, 7) == 0 and (x == 7).all()


def _in_a_stream(made):
    x, passed = numpy.arange(32.0), numpy.full(1, -1, "f")
    assert made.in_a_stream(x, 32, passed) == 0
    assert (x == 2.5 * numpy.arange(32)).all() and passed[0] >= 0


def _in_two_streams(made):
    x, y, passed = numpy.arange(32.0), numpy.arange(32.0), numpy.full(1, -1, "f")
    assert made.in_two_streams(x, y, 32, passed) == 0
    assert (x == 2.5 * numpy.arange(32)).all() and (y == 6.25 * numpy.arange(32)).all()
    assert passed[0] >= 0


def _asked(made):
    assert made.ask() == 1


def _refused(made):
    try:
        made.refused()
    except clinch.cuda.LaunchError as error:
        found = error.diagnostics[0]
        assert (error.code, found["origin"], found["line"]) == (9, "all.cu", REFUSED)
    else:
        raise AssertionError("a grid of no blocks was launched")


def _meanings(made):
    assert [made.meaning(n) for n in (0, 2)] == [b"no error", b"out of memory"]


CHECKS = {"saxpy": _saxpy, "reversed": _reversed, "scaled": _scaled, "set": _set,
          "in a stream": _in_a_stream, "in two streams": _in_two_streams,
          "asked": _asked, "refused": _refused, "meanings": _meanings}


def compiled(**options):
    return clinch.compile(ALL, "all.cu", language="cuda", **options)


def check(name, made):
    """Raises what is wrong."""
    CHECKS[name](made)


class Scaled(clinch.Op):
    """Its input times 2.5, by a launch in its block."""

    __props__ = ()

    def make_node(self, x):
        return clinch.Apply(self, [x], [x.type()])

    def c_compiler(self):
        return "cuda"

    def c_support_code(self, **kwargs):
        return "__global__ void scaled(double *x) { x[threadIdx.x] *= 2.5; }"

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        return f"""
            Py_XDECREF({z});
            {z} = (PyArrayObject *)PyArray_NewLikeArray({x}, NPY_CORDER, NULL, 0);
            if (!{z}) {sub["fail"]}
            size_t bytes = PyArray_NBYTES({x});
            double *there;
            if (cudaMalloc(&there, bytes)) {sub["fail"]}
            cudaMemcpy(there, PyArray_DATA({x}), bytes, cudaMemcpyHostToDevice);
            scaled<<<1, PyArray_DIM({x}, 0)>>>(there);
            cudaMemcpy(PyArray_DATA({z}), there, bytes, cudaMemcpyDeviceToHost);
            cudaFree(there);"""


def check_block(**options):
    """An Op in a graph; a launch that fails is an exception of its block."""
    x = clinch.vector("x")
    f = clinch.function([x], Scaled()(Scaled()(x)), mode=clinch.Mode(**options))
    assert (f(numpy.arange(32.0)) == 6.25 * numpy.arange(32)).all()
    try:
        f(numpy.ones(2000))
    except clinch.cuda.LaunchError as error:
        assert "`Scaled.c_code`" in error.diagnostics[0]["origin"]
    else:
        raise AssertionError("2000 threads of a block were launched")
    assert (f(numpy.arange(4.0)) == 6.25 * numpy.arange(4)).all()


def host(report, there):
    """A part of device.py."""
    made = compiled(device=there.device, simulate=there.simulate)
    for name in CHECKS:
        report.attempt(name, lambda report, name: (
            check(name, made), report.check(True, name)), name)
    report.attempt("a block", lambda report: (
        check_block(device=there.device, simulate=there.simulate),
        report.check(True, "a block of a graph")))
    del made
    gc.collect()
    report.attempt("again", lambda report: (
        _saxpy(compiled(device=there.device, simulate=there.simulate)),
        report.check(True, "again, when its code was freed")))
