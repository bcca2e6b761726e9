//===- ScalarOpTable.h - What there is of scalar Ops ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_SCALAROPTABLE_H
#define CLINCH_LIB_CONTRACT_SCALAROPTABLE_H

#include <span>

namespace clinch {

/// How the dtype of a result follows from those of the inputs.
enum class ResultRule {
  Upcast,     ///< The smallest that holds all of them.
  UpcastInt8, ///< The same, but int8 for nothing but bools.
  Float,      ///< Upcast, and integers become floats.
  Quotient,   ///< Upcast, and integers become float64.
  Bool,       ///< Always bool.
  Real,       ///< Upcast, and complex becomes the float of its parts.
  RealFloat,  ///< Float, and complex becomes the float of its parts.
  Complex,    ///< complex64 of float32s, else complex128.
  First,      ///< That of the first input.
  Second,     ///< That of the second.
  Branches,   ///< The smallest that holds the second and the third.
  Named       ///< That which the Op is named after: a cast.
};

/// One row of the table of scalar Ops. A text is a C expression with `$a`,
/// `$b`, `$c` for the inputs in the type that is computed in, `$T` for that
/// type, `$U` for an unsigned one of its width that wraps, and `$f` for "f"
/// where that type is float32. No text for a kind: the Op refuses it.
struct ScalarOpInfo {
  const char *Name; ///< "add".
  unsigned Arity;
  ResultRule Rule;
  const char *Bool;
  const char *Int;
  const char *UInt;
  const char *Float;
  const char *Complex;  ///< On `clinch_complex`; see ScalarSupport.h.
  const char *IntGuard; ///< Stands before an integer expression; may fail.
  const char *Support;  ///< Functions that the texts call.
  const char *NumPy;    ///< A function of NumPy that does the same, or null.
};

std::span<const ScalarOpInfo> scalarOpTable();

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_SCALAROPTABLE_H
