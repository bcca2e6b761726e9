// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an Op has left is wrong.

#include "WrongOutput.h"

#include "Raise.h"
#include "lib/Support/OutOfMemory.h"

using namespace clinch;

/// Returns ", not aligned in memory" and the like, if \p Array says so.
static const char *flaw(PyObject *Array) {
  PyRef Flags = attributeOrNull(Array, "flags");
  auto Lacks = [&](const char *Flag) {
    PyRef Value = Flags ? attributeOrNull(Flags.get(), Flag) : PyRef();
    return Value && PyObject_Not(Value.get()) == 1;
  };
  const char *Found = "";
  if (Lacks("aligned"))
    Found = ", not aligned in memory";
  else if (Lacks("c_contiguous"))
    Found = ", not C-contiguous";
  PyErr_Clear();
  return Found;
}

/// Says \p Left as it is.
static std::string found(PyObject *Left) {
  if (!Left)
    return "NULL";
  PyRef Dtype = attributeOrNull(Left, "dtype");
  PyRef Shape = Dtype ? attributeOrNull(Left, "shape") : PyRef();
  PyErr_Clear();
  if (!Shape)
    return "a `" + std::string(Py_TYPE(Left)->tp_name) + "`";
  return "an array of " + describe(Dtype.get()) + " with shape " +
         describe(Shape.get()) + flaw(Left);
}

void clinch::clinch_wrong_output(PyObject *Left, const char *Hook,
                                 const char *Output,
                                 const char *Wanted) noexcept {
  if (PyErr_Occurred())
    return;
  prepareToThrow();
  try {
    PyErr_Format(PyExc_TypeError, "%s must set %s to %s; it left %s", Hook,
                 Output, Wanted, found(Left).c_str());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  }
}

void clinch::addWrongOutput(CompileOptions &O) {
  O.Symbols.try_emplace("clinch_wrong_output",
                        reinterpret_cast<void *>(&clinch_wrong_output));
}
