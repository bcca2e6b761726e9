// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From CUDA's errors to one of Python.

#include "Launched.h"

#include "PyRef.h"
#include "jit/Cuda/Driver.h"

using namespace clinch;

/// Sets what the package makes of the problem, or without it a RuntimeError.
static void setProblem() {
  if (PyErr_Occurred()) {
    cuda::takeProblem();
    return;
  }
  PyRef Module = PyRef::steal(PyImport_ImportModule("clinch.device.launches"));
  PyRef Made =
      Module
          ? PyRef::steal(PyObject_CallMethod(Module.get(), "problem", nullptr))
          : PyRef();
  if (Made && PyExceptionInstance_Check(Made.get())) {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(Made.get())),
                    Made.get());
    return;
  }
  PyErr_Clear();
  const std::optional<cuda::Problem> P = cuda::takeProblem();
  PyErr_SetString(PyExc_RuntimeError,
                  P ? P->What.message().c_str() : "a kernel's launch failed");
}

int clinch::clinch_launch_failed() noexcept {
  if (!cuda::lastProblem())
    return 0;
  PyGILState_STATE State = PyGILState_Ensure(); // An Op may run without it.
  setProblem();
  PyGILState_Release(State);
  return 1;
}

void clinch::addLaunched(CompileOptions &Options, const ProgramOptions &O) {
  if (!Options.Launches)
    return;
  Options.Simulate = O.Simulate || O.Check;
  Options.Check = O.Check;
  // Else what the assembler says, which all later devices take.
  const std::string Device =
      O.Device.empty() && !Options.Simulate ? cuda::firstDevice() : O.Device;
  if (!Device.empty())
    Options.Device = Device;
  Options.Symbols.try_emplace("clinch_launch_failed",
                              reinterpret_cast<void *>(&clinch_launch_failed));
}
