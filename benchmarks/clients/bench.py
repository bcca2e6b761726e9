#!/usr/bin/env python3
"""Programs that wait for a C compiler, with Clinch's doors and with gcc: processor time,
that of the programs they start included. Each client runs in processes of its own; what
is in the cache is found by a new process, without what a process loads once."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from run import processor, row, table

COMMON = """
import os, resource, sys, time
OPEN = sys.argv[1] != "gcc"
if OPEN: import clinch.build_ext
def spent():
    uses = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)
def measured(make):
    make(0)  # Imports, and what a first compile loads.
    begin = spent()
    for n in range(1, ROUNDS + 1): make(n)
    print((spent() - begin) / ROUNDS)
def best(loop, rounds, *arguments):
    found = 1e9
    for _ in range(20):
        begin = time.thread_time_ns()
        loop(rounds, *arguments)
        found = min(found, (time.thread_time_ns() - begin) / rounds)
    return found
"""
CFFI = COMMON + """
ROUNDS = 10
import cffi
def make(n):
    ffi = cffi.FFI()
    ffi.cdef("double area(double);")
    ffi.set_source(f"_circle{n}", "static double area(double r) { return %d * r; }" % n)
    ffi.compile(tmpdir=".")
measured(make)
"""
# What cffi compiles, without FFCx's own Python; a second form of tens of thousands of lines;
# the kernels of both at full speed.
FFCX = COMMON + """
import basix.ufl, cffi, clinch, ctypes, numpy, ufl
from ffcx.codegeneration.jit import compile_forms
compiling, compile_it = 0, cffi.FFI.compile
def timed(*given, **named):
    global compiling
    begin = spent()
    made = compile_it(*given, **named)
    compiling += spent() - begin
    return made
cffi.FFI.compile = timed
def measured(make, rounds):
    global compiling
    make(0)
    begin, compiling = spent(), 0
    for n in range(1, rounds + 1): make(n)
    return (spent() - begin) / rounds, compiling / rounds
def forms(cell, size):
    element = basix.ufl.element("Lagrange", cell, 1, shape=(size,))
    return ufl.Mesh(element), basix.ufl.element("Lagrange", cell, 2)
def poisson(n):
    mesh, element = forms("triangle", 2)
    space = ufl.FunctionSpace(mesh, element)
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    return compile_forms([(n + 1.5) * ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx],
                         cache_dir="cache")
def elastic(n):
    mesh, _ = forms("tetrahedron", 3)
    space = ufl.FunctionSpace(mesh, basix.ufl.element("Lagrange", "tetrahedron", 2, shape=(3,)))
    u = ufl.Coefficient(space)
    F = ufl.Identity(3) + ufl.grad(u)
    J = ufl.det(F)
    energy = (n + 1.5) * (ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)) + 2.5 * ufl.ln(J)**2
    slope = ufl.derivative(energy * ufl.dx, u, ufl.TestFunction(space))
    return compile_forms([slope, ufl.derivative(slope, u, ufl.TrialFunction(space))],
                         cache_dir="cache")
loop = clinch.compile('''
    void loop(long n, void *f, double *A, double *w, double *x) {
      void (*call)(double *, double *, double *, double *, int *, char *, void *) = f;
      for (long i = 0; i < n; ++i) call(A, w, 0, x, 0, 0, 0);
    }''').loop
def kernel(made, rounds, corners):
    forms, module, _ = made
    function = forms[-1].form_integrals[0].tabulate_tensor_float64
    return best(loop, rounds, ctypes.c_void_p(int(module.ffi.cast("uintptr_t", function))),
                numpy.zeros(900), 0.01 * numpy.cos(numpy.arange(30.0)),
                numpy.array(corners, float))
whole, poisson_alone = measured(poisson, 3)
clinch.config.tier = "fast"
poisson_fast = measured(lambda n: poisson(n + 10), 3)[1]
elastic_alone = measured(elastic, 1)[1]
clinch.config.tier = "default"
print(whole, poisson_alone, poisson_fast, elastic_alone,
      kernel(poisson(3), 20000, [0, 0, 0, 1, 0, 0, 0, 1, 0]),
      kernel(elastic(2), 5, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]))
"""
TRITON = COMMON + """
ROUNDS = 10
import triton
from triton.runtime.build import compile_module_from_src
if OPEN:
    import clinch.triton
    triton.knobs.build.impl = clinch.triton.build
TEXT = '''
#include <Python.h>
static PyObject *number(PyObject *self, PyObject *x) { return PyLong_FromLong(NUMBER); }
static PyMethodDef methods[] = {{"number", number, METH_O, ""}, {0}};
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "stub", 0, -1, methods};
PyMODINIT_FUNC PyInit_stub(void) { return PyModule_Create(&def); }
'''
measured(lambda n: compile_module_from_src(TEXT.replace("NUMBER", str(n)), "stub"))
"""
# g++ gets the interface as an object, and what stanc prints, as BridgeStan has it.
STAN = COMMON + """
import ctypes, subprocess
import numpy, nutpie, clinch, clinch.stan as stan
PROGRAM = '''data { int N; vector[N] y; vector<lower=0>[N] sigma; }
    parameters { real mu; real<lower=0> tau; vector[N] eta; }
    transformed parameters { vector[N] theta = mu + tau * eta; }
    model { eta ~ std_normal(); y ~ normal(theta, sigma); }'''
DATA = {"N": 8, "y": [28., 8, -3, 7, -1, 1, 18, 12],
        "sigma": [15., 10, 16, 11, 9, 11, 10, 18]}
theta = numpy.linspace(-0.5, 0.5, 10)
folder = stan.folder()
library = os.path.join(folder, "lib")
def gcc(text, name):
    with open(name + ".cpp", "w") as file: file.write(stan._HEADERS + text)
    subprocess.run(["g++", "-std=gnu++17", "-O3", "-fPIC", "-w", "-c", name + ".cpp",
                    "-I" + os.path.join(folder, "include"),
                    *("-D" + one for one in stan._DEFINES)], check=True)
class Gcc(stan._Code):
    def __init__(self):
        whole = ctypes.CDLL("./model.so")
        self.functions = {name: ctypes.CFUNCTYPE(*kinds)((name, whole))
                          for name, kinds in stan._FUNCTIONS.items()}
        self.text = self
    def lookup(self, name): return ctypes.cast(self.functions[name], ctypes.c_void_p).value
def made():
    if OPEN: return stan.compile(PROGRAM, tier="fast")
    gcc(stan.translate(PROGRAM), "model")
    subprocess.run(["g++", "-shared", "-o", "model.so", "model.o", "interface.o",
                    "-L" + library, "-ltbb", "-Wl,-rpath," + library], check=True)
    program = stan.Program.__new__(stan.Program)
    program._code, program.wait = Gcc(), lambda: None
    return program
if OPEN:
    stan.compile("parameters { real x; } model { x ~ normal(0, 1); }", tier="fast")
else:
    gcc(stan.c_source("stan_model.h"), "interface")
begin = spent()
program = made()
model = program(DATA)
model.log_density_gradient(theta)
first = spent() - begin
if OPEN: program._code = stan._Code(program.cpp, "default")
loop = clinch.compile('''
    void loop(long n, void *f, void *m, void *t, void *v, void *g) {
      int (*call)(void *, _Bool, _Bool, void *, void *, void *, void *) = f;
      for (long i = 0; i < n; ++i) call(m, 1, 1, t, v, g, 0);
    }''').loop
value, gradient = ctypes.c_double(), numpy.empty(10)
arguments = (program.address("bs_log_density_gradient"), model._best().pointer,
             theta.ctypes.data, ctypes.addressof(value), gradient.ctypes.data)
gradients = best(loop, 5000, *map(ctypes.c_void_p, arguments))
def sampled(draws):
    begin = spent()
    found = nutpie.sample(model.for_nutpie(), draws=draws, tune=draws, chains=2, cores=1,
                          seed=1, progress_bar=False)
    steps = found.sample_stats.n_steps.sum() + found.warmup_sample_stats.n_steps.sum()
    return 1e9 * (spent() - begin) / int(steps)
sampled(10)
print(first, gradients, sampled(5000))
"""
R = """
import os, subprocess, sys
library = os.path.abspath("library")
os.mkdir(library)
package = os.path.join(os.environ["PYTHONPATH"].split(":")[0], "..", "r", "clinch")
subprocess.run(["R", "CMD", "INSTALL", "-l", library, package], check=True,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
SCRIPT = '''
suppressMessages(library(Rcpp))
if (commandArgs(TRUE) == "clinch") suppressMessages(library(clinch))
spent <- function(rounds, make) {
  before <- sum(proc.time()[c(1, 2, 4, 5)])
  for (n in 1:rounds) make(n)
  (sum(proc.time()[c(1, 2, 4, 5)]) - before) / rounds
}
make <- function(n)
  cppFunction(sprintf("NumericVector f(NumericVector x) { return x * %d; }", n))
for (n in 0:1) make(-n)  # Loads what a first compile loads, precompiles; R compiles its own.
default <- spent(5, make)
options(clinch.tier = "fast")
cat(default, if (commandArgs(TRUE) == "clinch") spent(5, make) else default)
'''
subprocess.run(["Rscript", "-e", SCRIPT, sys.argv[1]], check=True,
               env={**os.environ, "R_LIBS_USER": library})
"""
# A small model first: what a machine compiles once.
BRIAN2 = COMMON + """
from brian2 import (Network, NeuronGroup, SpikeMonitor, Synapses, mV, ms, prefs, run,
                    second, seed)
prefs.codegen.target = "cython"
if sys.argv[1] == "clinch":
    import clinch.brian2
    prefs.codegen.target = "clinch"
    Network(NeuronGroup(2, "dv/dt = -v / second : 1", method="exact")).run(0*ms)
begin = spent()
seed(1)
group = NeuronGroup(4000, '''dv/dt  = (ge + gi - (v + 49*mV)) / (20*ms) : volt (unless refractory)
                             dge/dt = -ge / (5*ms) : volt
                             dgi/dt = -gi / (10*ms) : volt''',
                    threshold="v > -50*mV", reset="v = -60*mV", refractory=5*ms, method="exact")
group.v = "-60*mV + rand() * 10*mV"
up, down = 1.62*mV, -9*mV
excite, inhibit = (Synapses(group, group, on_pre=how) for how in ("ge += up", "gi += down"))
excite.connect("i < 3200", p=0.02)
inhibit.connect("i >= 3200", p=0.02)
spikes = SpikeMonitor(group)
run(0.1*ms)
ready = spent()
run(1*second)
print(ready - begin, spent() - ready)
"""


class Line(NamedTuple):
    """A row: its name, unit, and target, a ratio or what it may take."""
    what: str
    unit: str
    least: float | None = None
    most: float | None = None

    def row(self, client, ours, theirs):
        factor = {"ms": 1e3}.get(self.unit, 1)
        target, met = "beside it", True
        if self.least is not None:
            target, met = f">= {self.least} x", theirs / ours >= self.least
        elif self.most is not None:
            target, met = f"<= {self.most} {self.unit}", factor * ours <= self.most
        return row(f"{client}: {self.what}", ours * factor, theirs * factor, "gcc",
                   self.unit, target, met)


CACHED = "from the cache"
#: Client: its package or program, the program, and for each way what it prints. "cached"
#: is the way before it in another process; None is no row.
CLIENTS = {
    "cffi": ("cffi", CFFI, {
        "clinch": [Line("a module", "ms", most=20)],
        "cached": [Line(CACHED, "ms", 15)]}),
    "FFCx": ("ffcx", FFCX, {
        "clinch": [Line("P2 Poisson, with its Python", "ms"), Line("its compile", "ms", 10),
                   Line("its compile in the tier fast", "ms", 10),
                   Line("hyperelasticity's, in the tier fast", "ms", 8),
                   Line("P2 Poisson's kernel", "ns", 1), Line("hyperelasticity's", "ns", 1)],
        "cached": [None, Line("P2 Poisson's compile " + CACHED, "ms", 30), None,
                   Line("hyperelasticity's " + CACHED, "ms", 30), None, None]}),
    "Triton": ("triton", TRITON, {
        "clinch": [Line("a stub", "ms", most=60)],
        "cached": [Line("from its own cache", "ms", most=1)]}),
    "Stan": ("httpstan", STAN, {
        "clinch": [Line("the first value", "s", 4), Line("a gradient, then", "ns", 0.95),
                   Line("a step of nutpie's", "ns", 0.95)]}),
    "R": ("Rscript", R, {
        "clinch": [Line("cppFunction", "ms", 8), Line("in the tier fast", "ms", 8)],
        "cached": [Line(CACHED, "ms", most=30), None]}),
    "Brian2": ("brian2", BRIAN2, {
        "clinch": [Line("what CUBA waits for", "s", 20), Line("a second of it", "s", 1)],
        "cython": [Line("the same with its target cython", "s", 4), Line("its second", "s")],
        "cached": [Line(CACHED, "s", 15), None]}),
}


def run(program, python, way, home, count):
    """In a new folder, with the caches in `home`."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CLINCH_CACHE_DIR": os.path.join(home, "clinch"),
                       "HOME": home, "CCACHE_DISABLE": "1"}
        ran = subprocess.run([python, "-c", program, way], cwd=folder, env=environment,
                             stdout=subprocess.PIPE, text=True, check=True)
    return [float(word) for word in ran.stdout.split()[-count:]]


def measure(client, python):
    """Returns the rows of a client, or None where it is not installed."""
    package, program, ways = CLIENTS[client]
    find = f"import importlib.util as u, sys; sys.exit(not u.find_spec({package!r}))"
    if not shutil.which(package) and subprocess.run([python, "-c", find]).returncode:
        return None
    rows, home = [], None
    with tempfile.TemporaryDirectory() as scratch:
        homes = {way: os.path.join(scratch, way) for way in ("gcc", *ways)}
        for folder in homes.values():
            os.mkdir(folder)
        rivals = run(program, python, "gcc", homes["gcc"], len(ways["clinch"]))
        for way, lines in ways.items():
            if way != "cached":
                argument, home = way, homes[way]
            ours = run(program, python, argument, home, len(lines))
            rows += [line.row(client, *times) for line, *times in zip(lines, ours, rivals)
                     if line]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", required=True)
    parser.add_argument("--python", action="append", default=[], metavar="CLIENT=PYTHON",
                        help="whose a client is that is not this one's")
    parser.add_argument("only", nargs="*", help=", ".join(CLIENTS))
    options = parser.parse_args()
    if unknown := set(options.only) - set(CLIENTS):
        parser.error(f"there is no client {', '.join(sorted(unknown))}")
    pythons = dict(pair.split("=", 1) for pair in options.python)
    print("processor:", processor(), end="\n\n")
    rows = []
    for client in options.only or CLIENTS:
        found = measure(client, pythons.get(client, sys.executable))
        if found is None:
            print(f"skipped: {client}, since {CLIENTS[client][0]} is not installed")
        rows += found or []
    print(table(rows))
    with open(options.output, "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
