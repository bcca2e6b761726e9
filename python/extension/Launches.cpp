// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA and OpenMP are in this process.

#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/Raise.h"
#include "jit/Cuda/Driver.h"
#include "jit/Cuda/Runtime.h"
#include "jit/OpenMP/Runtime.h"

using namespace clinch;
using namespace clinch::python;

/// first_device(): the name of the first device, "" if there is none.
PyObject *python::firstDevice(PyObject *, PyObject *) {
  const std::string Name = [] {
    GilReleased Gil;
    return cuda::firstDevice();
  }();
  return fromString(Name).release();
}

/// openmp(): the file of the process's OpenMP, which is loaded if there is
/// none;
/// "" if none is installed.
PyObject *python::openmpFile(PyObject *, PyObject *) {
  const std::string File = [] {
    GilReleased Gil;
    return openmp::file();
  }();
  return fromString(File).release();
}

/// take_problem(): None, or (number, whether the kernel itself is wrong,
/// message, diagnostics) of what went wrong last in this thread.
PyObject *python::takeProblem(PyObject *, PyObject *) {
  const std::optional<cuda::Problem> P = cuda::takeProblem();
  if (!P)
    Py_RETURN_NONE;
  PyRef Places = diagnosticsToPython(P->What.diagnostics());
  return Places ? Py_BuildValue(
                      "iNNN", P->Number,
                      PyBool_FromLong(P->What.kind() == Error::Kind::Rule),
                      fromString(P->What.message()).release(), Places.release())
                : nullptr;
}

/// lend_memory(address, bytes, whether it is lent or taken back): what
/// simulated kernels may use too that this thread launches.
PyObject *python::lendMemory(PyObject *, PyObject *Args) {
  unsigned long long Address = 0, Bytes = 0;
  int IsLent = 0;
  if (!PyArg_ParseTuple(Args, "KKp", &Address, &Bytes, &IsLent))
    return nullptr;
  (IsLent ? cuda::lendMemory : cuda::takeBackMemory)(
      reinterpret_cast<char *>(Address), size_t(Bytes));
  Py_RETURN_NONE;
}
