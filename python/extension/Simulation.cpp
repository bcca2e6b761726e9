// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run without a device.

#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/Raise.h"
#include "jit/Simulate/Launch.h"

using namespace clinch;
using namespace clinch::python;

static bool readMemory(PyObject *Given,
                       std::vector<simulate::Allocation> &Memory) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Given); ++I) {
    const char *Name = nullptr;
    unsigned long long Address = 0, Bytes = 0;
    int IsWritable = 0;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(Given, I), "sKKp", &Name, &Address,
                          &Bytes, &IsWritable))
      return false;
    Memory.push_back({Name, reinterpret_cast<char *>(Address), size_t(Bytes),
                      IsWritable != 0});
  }
  return true;
}

/// Reads a list of the bytes of each argument, which stay the caller's.
static bool readArguments(PyObject *Given, std::vector<void *> &Arguments) {
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Given); ++I) {
    char *Bytes = PyBytes_AsString(PyList_GET_ITEM(Given, I));
    if (!Bytes)
      return false;
    Arguments.push_back(Bytes);
  }
  return true;
}

/// launch(program, kernel, grid, block, shared, schedule, arguments, memory):
/// returns what the kernel printed, and None or the error that it ended with.
PyObject *python::launchSimulated(PyObject *, PyObject *Args) {
  unsigned long long Program = 0, Shared = 0, Schedule = 0;
  const char *Kernel = nullptr;
  simulate::LaunchOptions O;
  PyObject *Given = nullptr, *Memory = nullptr;
  if (!PyArg_ParseTuple(Args, "Ks(III)(III)KKO!O!", &Program, &Kernel,
                        &O.Grid[0], &O.Grid[1], &O.Grid[2], &O.Block[0],
                        &O.Block[1], &O.Block[2], &Shared, &Schedule,
                        &PyList_Type, &Given, &PyList_Type, &Memory))
    return nullptr;
  std::string Printed;
  O.SharedBytes = Shared;
  O.Schedule = Schedule;
  O.Printed = &Printed;
  std::vector<void *> Arguments;
  if (!readMemory(Memory, O.Memory) || !readArguments(Given, Arguments))
    return nullptr;
  const Status Ended = [&] {
    GilReleased Gil;
    O.Interrupted = [&Gil] { return Gil.signalRaised(); };
    return simulate::launch(
        *reinterpret_cast<const simulate::Program *>(Program), Kernel, O,
        Arguments);
  }();
  if (PyErr_Occurred()) // A signal's.
    return nullptr;
  PyRef Text = PyRef::steal(PyUnicode_DecodeUTF8(
      Printed.data(), Py_ssize_t(Printed.size()), "replace"));
  if (!Text)
    return nullptr;
  if (Ended)
    return Py_BuildValue("NO", Text.release(), Py_None);
  raise(Ended.error());
  PyObject *Class = nullptr, *Error = nullptr, *Trace = nullptr;
  PyErr_Fetch(&Class, &Error, &Trace);
  PyErr_NormalizeException(&Class, &Error, &Trace);
  Py_XDECREF(Class);
  Py_XDECREF(Trace);
  return Py_BuildValue("NN", Text.release(), Error);
}
