//===- Ops.h - The Ops that come with Clinch -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_OPS_H
#define CLINCH_CONTRACT_OPS_H

#include "clinch/Contract/Op.h"
#include "clinch/Contract/Types.h"

#include <span>
#include <string_view>
#include <vector>

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

/// An Op on scalars: Python floats and NumPy's item types.
class ScalarOp : public Op {
public:
  virtual const ScalarOpInfo &info() const = 0;
  /// The type of the output, or why these inputs cannot be.
  virtual Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const = 0;
};

/// The Op of this name.
Expected<std::shared_ptr<const ScalarOp>> scalarOp(std::string_view Name);

/// The Op that makes \p Dtype of any scalar, "cast_float32". A float without a
/// place in an integer type gives what its low bits are as a 64-bit integer,
/// and the least of those when it is none at all; never undefined behaviour.
Expected<std::shared_ptr<const ScalarOp>> castOp(std::string_view Dtype);

} // namespace clinch

#endif // CLINCH_CONTRACT_OPS_H
