#!/usr/bin/env python3
"""Programs that wait for a C compiler, with Clinch's doors and with gcc: processor time,
that of the programs they start included. Each client runs in processes of its own."""

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from run import processor, row, table

COMMON = """
import os, resource, sys, time
OPEN = sys.argv[1] == "clinch"
if OPEN: import clinch.build_ext
def spent():
    uses = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)
def measured(make):
    make(0)  # Imports, and what a first compile loads.
    begin = spent()
    for n in range(1, ROUNDS + 1): make(n)
    print((spent() - begin) / ROUNDS)
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
# What cffi compiles, without FFCx's own Python; a second form of tens of thousands of lines.
FFCX = COMMON + """
import basix.ufl, cffi, ufl
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
    compile_forms([(n + 1.5) * ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx],
                  cache_dir="cache")
def elastic(n):
    mesh, _ = forms("tetrahedron", 3)
    space = ufl.FunctionSpace(mesh, basix.ufl.element("Lagrange", "tetrahedron", 2, shape=(3,)))
    u = ufl.Coefficient(space)
    F = ufl.Identity(3) + ufl.grad(u)
    J = ufl.det(F)
    energy = (n + 1.5) * (ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)) + 2.5 * ufl.ln(J)**2
    slope = ufl.derivative(energy * ufl.dx, u, ufl.TestFunction(space))
    compile_forms([slope, ufl.derivative(slope, u, ufl.TrialFunction(space))],
                  cache_dir="cache")
whole, poisson_alone = measured(poisson, 3)
if OPEN:
    import clinch
    clinch.config.tier = "fast"
print(whole, poisson_alone, measured(elastic, 1)[1])
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
import numpy, clinch, clinch.stan as stan
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
if OPEN:
    stan.compile("parameters { real x; } model { x ~ normal(0, 1); }", tier="fast")
else:
    gcc(stan.c_source("stan_model.h"), "interface")
begin = spent()
if OPEN:
    program = stan.compile(PROGRAM, tier="fast")
    code = program._code
    find = code.functions.__getitem__
else:
    gcc(stan.translate(PROGRAM), "model")
    subprocess.run(["g++", "-shared", "-o", "model.so", "model.o", "interface.o",
                    "-L" + library, "-ltbb", "-Wl,-rpath," + library], check=True)
    whole = ctypes.CDLL("./model.so")
    find = lambda name: ctypes.CFUNCTYPE(*stan._FUNCTIONS[name])((name, whole))
value, gradient = ctypes.c_double(), numpy.empty(10)
def evaluator(find):
    function = find("bs_log_density_gradient")
    model = find("bs_model_construct")(stan._as_json(DATA), 0, None)
    return function, (model, True, True, theta.ctypes.data, ctypes.byref(value),
                      gradient.ctypes.data, None)
function, arguments = evaluator(find)
function(*arguments)
first = spent() - begin
if OPEN:
    full = stan._Code(program.cpp, "default")
    function, arguments = evaluator(full.functions.__getitem__)
loop = clinch.compile('''
    void loop(long n, void *f, void *m, void *t, void *v, void *g) {
      int (*call)(void *, _Bool, _Bool, void *, void *, void *, void *) = f;
      for (long i = 0; i < n; ++i) call(m, 1, 1, t, v, g, 0);
    }''').loop
best = 1e9
for _ in range(20):
    start = time.thread_time_ns()
    loop(5000, *map(ctypes.c_void_p, (
        ctypes.cast(function, ctypes.c_void_p).value, arguments[0], theta.ctypes.data,
        ctypes.addressof(value), gradient.ctypes.data)))
    best = min(best, (time.thread_time_ns() - start) / 5000)
print(first, best)
"""
R = """
import os, subprocess, sys
library = os.path.abspath("library")
os.mkdir(library)
package = os.path.join(os.environ["PYTHONPATH"].split(":")[0], "..", "r", "clinch")
subprocess.run(["R", "CMD", "INSTALL", "-l", library, package], check=True,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
SCRIPT = '''
library(Rcpp)
if (commandArgs(TRUE) == "clinch") library(clinch)
spent <- function(rounds, make) {
  before <- sum(proc.time()[c(1, 2, 4, 5)])
  for (n in 1:rounds) make(n)
  (sum(proc.time()[c(1, 2, 4, 5)]) - before) / rounds
}
make <- function(n)
  cppFunction(sprintf("NumericVector f(NumericVector x) { return x * %d; }", n))
make(0)  # Loads what a first compile loads, and precompiles.
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
if OPEN:
    import clinch.brian2
    prefs.codegen.target = "clinch"
    Network(NeuronGroup(2, "dv/dt = -v / second : 1", method="exact")).run(0*ms)
else:
    prefs.codegen.target = "cython"
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
#: Client: its package or program, the program, and each row: what, unit, factor, least ratio.
CLIENTS = {
    "cffi": ("cffi", CFFI, [("a module", "ms", 1e3, 5)]),
    "FFCx": ("ffcx", FFCX, [("P2 Poisson, with its Python", "ms", 1e3, 1.5),
                            ("its compile", "ms", 1e3, 10),
                            ("hyperelasticity's, in the tier fast", "ms", 1e3, 8)]),
    "Triton": ("triton", TRITON, [("a stub", "ms", 1e3, 5)]),
    "Stan": ("httpstan", STAN, [("the first value", "s", 1, 4),
                                ("a gradient, then", "ns", 1, 0.95)]),
    "R": ("Rscript", R, [("cppFunction", "ms", 1e3, 8),
                          ("the same in the tier fast", "ms", 1e3, 8)]),
    "Brian2": ("brian2", BRIAN2, [("what CUBA waits for", "s", 1, 20),
                                  ("a second of it", "s", 1, 1)]),
}


def run(program, which, cache, count):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CLINCH_CACHE_DIR": cache, "HOME": folder,
                       "CCACHE_DISABLE": "1"}
        ran = subprocess.run([sys.executable, "-c", program, which], cwd=folder,
                             env=environment, stdout=subprocess.PIPE, text=True,
                             check=True)
    return [float(word) for word in ran.stdout.split()[-count:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", required=True)
    parser.add_argument("only", nargs="*", help=", ".join(CLIENTS))
    options = parser.parse_args()
    print("processor:", processor(), end="\n\n")
    rows = []
    for name, (package, program, lines) in CLIENTS.items():
        if options.only and name not in options.only:
            continue
        if not (shutil.which(package) or importlib.util.find_spec(package)):
            print(f"skipped: {name}, since {package} is not installed")
            continue
        with tempfile.TemporaryDirectory() as cache:
            ours, rivals = (run(program, which, cache, len(lines))
                            for which in ("clinch", "gcc"))
        for (what, unit, factor, least), mine, theirs in zip(lines, ours, rivals):
            rows.append(row(f"{name}: {what}", mine * factor, theirs * factor, "gcc", unit,
                            f">= {least} x", theirs / mine >= least))
    print(table(rows))
    with open(options.output, "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
