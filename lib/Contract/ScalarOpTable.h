// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of scalar Ops.

#pragma once

#include <span>

namespace clinch {

/// How the dtypes of the inputs determine that of the result.
enum class ResultRule {
  Upcast,     ///< The smallest that holds all of them.
  UpcastInt8, ///< The same, but int8 if all are bool.
  Float,      ///< Upcast, and integers become floats.
  Quotient,   ///< Upcast, and integers become float64.
  Bool,       ///< Always bool.
  Compare,    ///< Always bool; integers of any dtypes are compared exactly.
  Real,       ///< Upcast, and complex becomes the float of its parts.
  RealFloat,  ///< Float, and complex becomes the float of its parts.
  Complex,    ///< complex64 of float32s, else complex128.
  First,      ///< That of the first input.
  Second,     ///< That of the second.
  Branches,   ///< The smallest that holds the second and the third.
  Named       ///< The one in the name of a cast.
};

/// One row of the table of scalar Ops. A text is a C expression. `$a`, `$b`,
/// `$c` are the inputs, converted to the type to compute in; `$T` is that type,
/// `$U` an unsigned type of at least its width and 32 bits, which wraps; `$f`
/// is "f" for float32. The Op refuses kinds without a text.
struct ScalarOpInfo {
  const char *Name; ///< "add".
  unsigned Arity;
  ResultRule Rule;
  const char *Bool;
  const char *Int;
  const char *UInt;
  const char *Float;
  const char *Complex; ///< On `clinch_complex`; see ScalarSupport.h.
  /// Checked before an integer expression; may fail, and reads the last input.
  const char *IntGuard;
  const char *Support; ///< Functions that the texts call.
  const char *NumPy;   ///< NumPy's function that does the same, or null.
};

std::span<const ScalarOpInfo> scalarOpTable();

} // namespace clinch
