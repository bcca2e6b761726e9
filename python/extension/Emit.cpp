// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the stages before machine code.

#include "BuildArguments.h"
#include "Objects.h"

#include "../../jit/Runtime/Raise.h"

using namespace clinch;
using namespace clinch::python;

/// emit(stage, inputs, outputs, ...): a stage before machine code.
PyObject *python::emitText(PyObject *, PyObject *Args, PyObject *Keywords) {
  if (PyTuple_GET_SIZE(Args) < 1)
    return PyErr_Format(PyExc_TypeError, "emit() needs the name of a stage");
  std::string Stage = toString(PyTuple_GET_ITEM(Args, 0));
  PyRef Rest = PyRef::steal(PyTuple_GetSlice(Args, 1, PyTuple_GET_SIZE(Args)));
  BuildArguments B;
  if (!Rest)
    return nullptr;
  if (Status S = B.parse(Rest.get(), Keywords); !S)
    return raiseNull(S.error());
  Expected<std::unique_ptr<ImportedGraph>> I = B.import();
  if (!I)
    return raiseNull(I.error());
  Expected<std::string> Text = emit(Stage, (*I)->graph(), B.Options.Assemble);
  return Text ? fromString(*Text).release() : raiseNull(Text.error());
}

/// order(inputs, outputs): returns the applies in execution order.
PyObject *python::orderOf(PyObject *, PyObject *Args, PyObject *Keywords) {
  BuildArguments B;
  if (Status S = B.parse(Args, Keywords); !S)
    return raiseNull(S.error());
  Expected<std::unique_ptr<ImportedGraph>> I = B.import();
  if (!I)
    return raiseNull(I.error());
  auto Order = (*I)->graph().order();
  if (!Order)
    return raiseNull(Order.error());
  PyRef List = PyRef::steal(PyList_New(0));
  for (const Apply *A : *Order)
    if (!List || PyList_Append(List.get(),
                               static_cast<PyObject *>(A->info().HostNode)) < 0)
      return nullptr;
  return List.release();
}
