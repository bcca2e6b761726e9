// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values go to a function.

#pragma once

#include "CData.h"

#include <atomic>
#include <memory>

namespace clinch::python {

constexpr size_t MostIntegers = 6, MostFloats = 8;

/// Where a value goes: each half (eight bytes) to a register for integers `i`,
/// or for floating numbers `f`, or the value to the stack.
struct CPlacement {
  char Kinds[2] = {0, 0};
  uint8_t At[2] = {0, 0};
  long Stack = -1;
};

struct CSignature {
  PyRef Parameters; ///< A tuple of CTypes.
  std::vector<CPlacement> Places;
  CPlacement Returned;
  /// `v` nothing, `r` registers, `m` memory that the caller passes, `x` and `X`
  /// one and two registers of the x87.
  char How = 'v';
  size_t Stack = 0, Align = 0; ///< Bytes.
  bool CallsBack = false, HasObjects = false;

  size_t count() const { return Places.size(); }
  const CType &parameter(size_t I) const {
    return *cType(PyTuple_GET_ITEM(Parameters.get(), Py_ssize_t(I)));
  }
};

/// The registers that System V's convention for x86-64 passes values in.
struct CRegisters {
  long I[MostIntegers] = {};
  double F[MostFloats] = {};

  /// Copies a value between its registers and memory of 16 bytes.
  void set(const CPlacement &P, const void *Value);
  void get(const CPlacement &P, void *Value) const;
};

/// Fills the eight bytes of an integer that has a sign and is shorter.
void extendSign(const CType &T, char *At);

/// Returns the plan for a function type whose parameters are CTypes.
std::unique_ptr<CSignature> makeSignature(const CType &T, PyObject *Parameters);

/// A scope in which what Python functions raise that C calls is collected.
class CActiveCall {
public:
  CActiveCall();
  ~CActiveCall();
  CActiveCall(const CActiveCall &) = delete;
  CActiveCall &operator=(const CActiveCall &) = delete;

  void add(PyRef Error);
  /// Raises the first of what was collected, if there is one.
  bool raised();

  static CActiveCall *&innermost();

private:
  CActiveCall *const Outer;
  std::vector<PyRef> Errors;
};

/// How many C functions there are that call a Python function.
inline std::atomic<size_t> LiveCallbacks{0};

} // namespace clinch::python
