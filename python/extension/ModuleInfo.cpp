// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics of a module for Python.

#include "Objects.h"

#include "../../jit/Runtime/Raise.h"

using namespace clinch;
using namespace clinch::python;

static PyRef stagesToPython(const Module::Stats &S, double Assembling) {
  PyRef List = PyRef::steal(PyList_New(0));
  auto Add = [&](const char *Name, double Milliseconds) {
    PyRef Item =
        PyRef::steal(Py_BuildValue("{sssd}", "name", Name, "ms", Milliseconds));
    return List && Item && PyList_Append(List.get(), Item.get()) == 0;
  };
  if (Assembling >= 0 && !Add("assemble", Assembling))
    return {};
  for (const auto &[Name, Milliseconds] : S.Stages)
    if (!Add(Name.c_str(), Milliseconds))
      return {};
  return List;
}

PyObject *python::statsToPython(const Module &M,
                                const std::vector<Diagnostic> &Warnings,
                                double Assembling) {
  const Module::Stats &S = M.stats();
  const char *From = S.Cache == Module::CacheResult::HitMemory ? "memory"
                     : S.Cache == Module::CacheResult::HitDisk ? "disk"
                                                               : nullptr;
  return Py_BuildValue("{s:s,s:z,s:n,s:n,s:n,s:N,s:N}", "cache",
                       From ? "hit" : "miss", "cache_from", From,
                       "source_bytes", Py_ssize_t(S.SourceBytes),
                       "object_bytes", Py_ssize_t(S.ObjectBytes), "code_bytes",
                       Py_ssize_t(S.CodeBytes), "stages",
                       stagesToPython(S, Assembling).release(), "warnings",
                       diagnosticsToPython(Warnings).release());
}

PyObject *python::stageToPython(const Module &M, Stage Which) {
  const std::string *Text = M.stage(Which);
  if (!Text || Text->empty())
    Py_RETURN_NONE;
  if (Which == Stage::Obj)
    return PyBytes_FromStringAndSize(Text->data(), Py_ssize_t(Text->size()));
  return fromString(*Text).release();
}
