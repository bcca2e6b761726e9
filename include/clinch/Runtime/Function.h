//===- Function.h - A graph that can be called from C++ ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_RUNTIME_FUNCTION_H
#define CLINCH_RUNTIME_FUNCTION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "clinch/Compiler/Session.h"
#include "clinch/Graph/Graph.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace clinch {

class Thunk;

/// Owns one reference or none. Its members need the GIL.
class PyRef {
public:
  PyRef() = default;
  /// Takes over a new reference; null is fine.
  static PyRef steal(PyObject *O) {
    PyRef R;
    R.O = O;
    return R;
  }
  /// Adds a reference to a borrowed one; null is fine.
  static PyRef borrow(PyObject *O) { return steal(Py_XNewRef(O)); }
  PyRef(const PyRef &Other) : O(Py_XNewRef(Other.O)) {}
  PyRef(PyRef &&Other) noexcept : O(std::exchange(Other.O, nullptr)) {}
  PyRef &operator=(PyRef Other) noexcept {
    std::swap(O, Other.O);
    return *this;
  }
  ~PyRef() { Py_XDECREF(O); }

  PyObject *get() const { return O; }
  PyObject *release() { return std::exchange(O, nullptr); }
  explicit operator bool() const { return O != nullptr; }

private:
  PyObject *O = nullptr;
};

/// A compiled graph, for programs that embed Python. Every member needs an
/// initialised interpreter and the GIL.
class Function {
public:
  struct Options {
    clinch::Tier Level = Tier::Default;
    Form Shape = Form::Struct;
    Language Lang = Language::C;
    /// Outputs may share memory with arguments, constants and each other.
    bool Borrow = false;
    /// Ops may work in place on the arguments themselves.
    bool Mutable = false;
  };

  Function(Function &&) noexcept;
  Function &operator=(Function &&) noexcept;
  ~Function();

  /// Compiles \p G. What its Types and Ops borrow must outlive the function.
  static Expected<Function> create(Session &S, Graph G);
  static Expected<Function> create(Session &S, Graph G, Options O);

  /// Runs with one borrowed argument for each input; returns the outputs. Only
  /// the compiled code checks the arguments. An error says what Python's
  /// exception would; no exception is left pending. Unless the options allow
  /// it, no argument or constant is written to, and no output shares memory
  /// with one or with another output: by the Ops' view_map and destroy_map, an
  /// argument or output that would is copied, with Python's copy.deepcopy().
  Expected<std::vector<PyRef>> call(std::span<PyObject *const> Arguments);
  Expected<std::vector<PyRef>>
  call(std::initializer_list<PyObject *> Arguments) {
    return call(std::span(Arguments.begin(), Arguments.size()));
  }

private:
  explicit Function(std::unique_ptr<Thunk> T);
  size_t cellOf(const Variable *V) const;
  bool keepApart(const Graph &G, const Options &O);
  PyRef own(PyObject *Value, bool Copied) const;
  bool fill(std::span<PyObject *const> Arguments);
  bool takeOutputs(std::vector<PyRef> &Values);

  std::unique_ptr<Thunk> T;
  std::vector<size_t> InputCells, OutputCells; ///< Among the thunk's cells.
  std::vector<bool> Recycled;
  std::vector<bool> CopiedInputs, CopiedOutputs;
  PyRef DeepCopy; ///< Null if nothing is copied.
};

/// Clears the pending exception and returns it with its notes as an Error.
Error takePythonError();

} // namespace clinch

#endif // CLINCH_RUNTIME_FUNCTION_H
