//===- Function.h - A graph that can be called from C++ ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_RUNTIME_FUNCTION_H
#define CLINCH_RUNTIME_FUNCTION_H

#include "clinch/Runtime/Thunk.h"

#include <span>

namespace clinch {

struct FunctionOptions {
  clinch::Tier Level = Tier::Default;
  Form Shape = Form::Struct;
  Language Lang = Language::C;
};

/// A graph with its code and its cells, for programs that embed Python. Every
/// member needs an initialised interpreter and the GIL.
class Function {
public:
  /// Compiles \p G; what its Types and Ops borrow must outlive the function.
  static Expected<Function> create(Session &S, Graph G, FunctionOptions O = {});

  /// Runs with one argument for each input, borrowed; returns the outputs. The
  /// code checks the arguments, as nothing else here does. After a failure the
  /// error says what Python would, and no exception is pending.
  Expected<std::vector<PyRef>> call(std::span<PyObject *const> Arguments);
  Expected<std::vector<PyRef>>
  call(std::initializer_list<PyObject *> Arguments) {
    return call(std::span(Arguments.begin(), Arguments.size()));
  }

  const Program &program() const { return T->program(); }
  /// For those who fill the cells themselves.
  Thunk &thunk() { return *T; }

private:
  explicit Function(std::unique_ptr<Thunk> T) : T(std::move(T)) {}
  size_t cellOf(const Variable *V) const;

  std::unique_ptr<Thunk> T;
  std::vector<size_t> InputCells, OutputCells; ///< Among the thunk's cells.
  std::vector<bool> Recycled;
};

/// The pending exception with its notes as an Error; none is pending then.
Error takePythonError();

} // namespace clinch

#endif // CLINCH_RUNTIME_FUNCTION_H
