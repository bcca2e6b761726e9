// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of _clinch.

#pragma once

#include "../../jit/Runtime/GraphImport.h"
#include "jit/Runtime/Program.h"
#include "jit/Runtime/Thunk.h"

namespace clinch::simulate {
struct Allocation;
} // namespace clinch::simulate

namespace clinch::python {

/// Reads a list of (name, address, bytes, writable). Returns false with an
/// exception.

/// _clinch.Program: the code of a graph and the graph's Python objects.
struct ProgramObject {
  PyObject_HEAD std::unique_ptr<ImportedGraph> Imported;
  std::shared_ptr<const Program> P;
  std::vector<bool> Recycled; ///< For each output of the graph.
};

/// The part of a ThunkObject that CPython reads; offsetof needs such a type.
struct ThunkHead {
  PyObject_HEAD vectorcallfunc Vectorcall;
};

/// _clinch.Thunk: a program with cells. Called without arguments.
struct ThunkObject : ThunkHead {
  PyObject *Program; ///< Owned.
  std::unique_ptr<Thunk> T;
};

/// Makes a class whose base, in `clinch.base.class_methods`, has its methods in
/// Python.
PyTypeObject *classWithMethods(PyType_Spec &Spec, const char *Base);

PyTypeObject *programClass();
PyTypeObject *thunkClass();
PyTypeObject *functionClass();
PyTypeObject *dispatcherClass();
PyTypeObject *textClass();
PyTypeObject *nativeFunctionClass();

/// Casts a function with keywords for a method table. The cast via `void (*)()`
/// silences GCC's warning.
inline PyCFunction withKeywords(PyCFunctionWithKeywords F) noexcept {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(F));
}

/// Reads the options of a text. Returns false with an exception.
bool parseOptions(PyObject *Options, CompileOptions &O);

/// Creates a ProgramObject. \p Imported is null if the graph is not known.
PyRef makeProgram(std::unique_ptr<ImportedGraph> Imported,
                  std::shared_ptr<const Program> P, std::vector<bool> Recycled);
/// Creates a ThunkObject, which takes a new reference to \p Program.
PyRef makeThunk(ProgramObject *Program, std::vector<PyRef> Cells);

/// Returns a new dict {cache, cache_from, source_bytes, ..., stages, warnings}.
/// \p Assembling is in milliseconds, or negative if not known.
PyObject *statsToPython(const Module &M,
                        const std::vector<Diagnostic> &Warnings,
                        double Assembling);
/// Returns a new str of a kept stage, new bytes of an object, or None.
PyObject *stageToPython(const Module &M, Stage Which);

/// The functions of the module. They return new references.
PyObject *emitText(PyObject *, PyObject *Args, PyObject *Keywords);
PyObject *checkGraph(PyObject *, PyObject *Args, PyObject *Keywords);
PyObject *fixedText(PyObject *, PyObject *Args);
PyObject *completeText(PyObject *, PyObject *Args);
PyObject *startChecker(PyObject *, PyObject *Args);
PyObject *renderError(PyObject *, PyObject *Args);
PyObject *faultCountOf(PyObject *, PyObject *Args);
PyObject *describeProgram(PyObject *, PyObject *Args, PyObject *Keywords);
PyObject *loadProgram(PyObject *, PyObject *Args);
PyObject *originOf(PyObject *, PyObject *Description);
PyObject *prepareHeaders(PyObject *, PyObject *Options);
PyObject *compileObject(PyObject *, PyObject *Args);
PyObject *engineFiles(PyObject *, PyObject *);
PyObject *compileDevice(PyObject *, PyObject *Args);
PyObject *launchSimulated(PyObject *, PyObject *Args);
PyObject *firstDevice(PyObject *, PyObject *);
PyObject *openmpFile(PyObject *, PyObject *);
PyObject *takeProblem(PyObject *, PyObject *);
PyObject *lendMemory(PyObject *, PyObject *Args);
PyObject *guardCalls(PyObject *, PyObject *);
PyObject *callGuarded(PyObject *, PyObject *Args);
PyObject *deferInitializers(PyObject *, PyObject *Whether);
PyObject *runInitializers(PyObject *, PyObject *Addresses);
PyObject *textOrigin(PyObject *, PyObject *Options);
PyObject *readEntry(PyObject *, PyObject *Args);
PyObject *isEntry(PyObject *, PyObject *Args);
PyObject *addEntry(PyObject *, PyObject *Args);
PyObject *orderOf(PyObject *, PyObject *Args, PyObject *Keywords);
PyObject *nativeFloat(PyObject *, PyObject *);
PyObject *nativeGeneric(PyObject *, PyObject *);
PyObject *nativeScalar(PyObject *, PyObject *Dtype);
PyObject *nativeTensor(PyObject *, PyObject *Args);
PyObject *nativeCData(PyObject *, PyObject *Args);
PyObject *nativeScalarOp(PyObject *, PyObject *Name);
PyObject *scalarOps(PyObject *, PyObject *);
PyObject *nativeCastOp(PyObject *, PyObject *Dtype);
PyObject *nativeGenericOp(PyObject *, PyObject *Args);
PyObject *nativeFileOp(PyObject *, PyObject *Args);
PyObject *onInterrupt(PyObject *, PyObject *Args);
PyObject *takeInterrupts(PyObject *, PyObject *Whether);
PyObject *readKeysInterruptibly(PyObject *, PyObject *Path);
PyObject *registerGenericCode(PyObject *, PyObject *Args);
PyObject *isRegistered(PyObject *, PyObject *Args);
PyObject *nativeParams(PyObject *, PyObject *Fields);
PyObject *nativeEnum(PyObject *, PyObject *Args);

} // namespace clinch::python
