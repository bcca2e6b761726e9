// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graph, Session, Function.
//
// For programs that embed Python and run graphs. To compile text only, include
// clinch/Compiler/Session.h instead.

#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "clinch/Compiler/Session.h"
#include "clinch/Graph/Expr.h"
#include "clinch/Graph/Graph.h"

#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace clinch {

template <typename Signature> class TypedFunction;

/// Owns one reference or none. Its members need the GIL.
class PyRef {
public:
  PyRef() = default;
  /// Takes over a new reference; null is fine.
  static PyRef steal(PyObject *O) { return PyRef(O); }
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
  explicit PyRef(PyObject *O) : O(O) {}
  PyObject *O = nullptr;
};

/// A constant of any type in an expression.
Expr constant(TypePtr T, PyRef Value);

/// Clears the pending exception and returns it with its notes as an Error.
Error takePythonError();

/// A compiled graph, for programs that embed Python. Copies are one function.
/// Every member needs an initialised interpreter and the GIL.
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
  friend Expected<Function> function(const std::vector<Expr> &Inputs,
                                     const std::vector<Expr> &Outputs,
                                     Session *S);
  template <typename Signature> friend class TypedFunction;
  /// A C++ value of a call; the numbers in the order of NumPy's dtypes.
  using Slot = std::variant<bool *, int8_t *, int16_t *, int32_t *, int64_t *,
                            uint8_t *, uint16_t *, uint32_t *, uint64_t *,
                            float *, double *, std::complex<float> *,
                            std::complex<double> *, PyObject **, PyRef *>;
  using Slots = std::vector<Slot>;
  /// Fails unless the slots have the types of the graph's values.
  Status check(const Slots &Inputs, const Slots &Outputs) const;
  Status run(const Slots &Inputs, const Slots &Outputs);

  struct Impl;
  explicit Function(std::shared_ptr<Impl> I) : I(std::move(I)) {}
  std::shared_ptr<Impl> I;
};

/// A function of C++ numbers, each of exactly the type of the graph's value, of
/// `PyObject *`, borrowed, and PyRef. A `std::tuple` is several results.
template <typename R, typename... A> class TypedFunction<R(A...)> {
public:
  static Expected<TypedFunction> create(Function F) {
    std::tuple<A...> Arguments{};
    R Result{};
    CLINCH_TRY(F.check(of(Arguments), of(Result)));
    return TypedFunction(std::move(F));
  }
  Expected<R> operator()(A... Arguments) {
    R Result{};
    CLINCH_TRY(F.run({&Arguments...}, of(Result)));
    return Result;
  }

private:
  explicit TypedFunction(Function F) : F(std::move(F)) {}
  template <typename T> static Function::Slots of(T &Value) { return {&Value}; }
  template <typename... T> static Function::Slots of(std::tuple<T...> &All) {
    return std::apply([](T &...V) { return Function::Slots{&V...}; }, All);
  }

  Function F;
};

/// Compiles expressions in \p S, or in the session that the package of Python
/// in this process has: `function<double(double)>({X}, {X * 2})`.
Expected<Function> function(const std::vector<Expr> &Inputs,
                            const std::vector<Expr> &Outputs,
                            Session *S = nullptr);
template <typename Signature>
Expected<TypedFunction<Signature>> function(const std::vector<Expr> &Inputs,
                                            const std::vector<Expr> &Outputs,
                                            Session *S = nullptr) {
  CLINCH_TRY_ASSIGN(Function F, function(Inputs, Outputs, S));
  return TypedFunction<Signature>::create(std::move(F));
}

} // namespace clinch
