//===- ScalarOpTable.cpp - One row for each scalar Op --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Contract/ScalarOpTable.h"
#include "ScalarSupport.h"
#include "clinch/Contract/Ops.h"

using namespace clinch;
using enum ResultRule;

static constexpr const char *DivisorGuard =
    "if ($b == 0) {\n"
    "  PyErr_SetString(PyExc_ZeroDivisionError,\n"
    "                  \"integer division or modulo by zero\");\n"
    "  $fail\n"
    "}\n";
static constexpr const char *ExponentGuard =
    "if ($b < 0) {\n"
    "  PyErr_SetString(PyExc_ValueError,\n"
    "                  \"Integers to negative integer powers are not "
    "allowed.\");\n"
    "  $fail\n"
    "}\n";

static constexpr const char *None = nullptr;

// Name, arity, rule; bool, int, uint, float, complex; guard, support, NumPy.
// clang-format off
static constexpr ScalarOpInfo Rows[] = {
    // Arithmetic. Integers wrap as NumPy's do.
    {"add", 2, Upcast, "$a | $b", "($T)(($U)$a + ($U)$b)",
     "($T)(($U)$a + ($U)$b)", "$a + $b", "$a + $b", None, None, "add"},
    {"sub", 2, Upcast, None, "($T)(($U)$a - ($U)$b)",
     "($T)(($U)$a - ($U)$b)", "$a - $b", "$a - $b", None, None,
     "subtract"},
    {"mul", 2, Upcast, "$a & $b", "($T)(($U)$a * ($U)$b)",
     "($T)(($U)$a * ($U)$b)", "$a * $b", "clinch_complex_mul($a, $b)",
     None, None, "multiply"},
    {"true_div", 2, Quotient, None, None, None, "$a / $b",
     "clinch_complex_div($a, $b)", None, None, "true_divide"},
    {"int_div", 2, UpcastInt8, None, "($T)clinch_floor_div($a, $b)",
     "$a / $b", "clinch_floor_div_float($a, $b)", None, DivisorGuard,
     FloorDivSupport, "floor_divide"},
    {"mod", 2, UpcastInt8, None, "($T)clinch_mod($a, $b)", "$a % $b",
     "clinch_mod_float($a, $b)", None, DivisorGuard, ModSupport, "mod"},
    {"pow", 2, UpcastInt8, None, "($T)clinch_pow($a, $b)",
     "($T)clinch_pow($a, $b)", "pow$f($a, $b)", "clinch_complex_pow($a, $b)",
     ExponentGuard, PowSupport, "power"},
    {"neg", 1, Upcast, None, "($T)(0 - ($U)$a)", "($T)(0 - ($U)$a)", "-$a",
     "-$a", None, None, "negative"},
    {"abs", 1, Real, "$a", "$a < 0 ? ($T)(0 - ($U)$a) : $a", "$a",
     "fabs$f($a)", "hypot(__real__ $a, __imag__ $a)", None, None,
     "absolute"},
    {"sign", 1, Upcast, None, "($a > 0) - ($a < 0)", "$a > 0",
     "clinch_sign($a)", None, None, SignSupport, "sign"},
    {"sqr", 1, UpcastInt8, None, "($T)(($U)$a * ($U)$a)",
     "($T)(($U)$a * ($U)$a)", "$a * $a", "clinch_complex_mul($a, $a)",
     None, None, "square"},
    {"reciprocal", 1, Quotient, None, None, None, "1 / $a",
     "clinch_complex_div(1, $a)", None, None, None},
    // Comparisons.
    {"eq", 2, Bool, "$a == $b", "$a == $b", "$a == $b", "$a == $b",
     "$a == $b", None, None, "equal"},
    {"neq", 2, Bool, "$a != $b", "$a != $b", "$a != $b", "$a != $b",
     "$a != $b", None, None, "not_equal"},
    {"lt", 2, Bool, "$a < $b", "$a < $b", "$a < $b", "$a < $b", None,
     None, None, "less"},
    {"le", 2, Bool, "$a <= $b", "$a <= $b", "$a <= $b", "$a <= $b", None,
     None, None, "less_equal"},
    {"gt", 2, Bool, "$a > $b", "$a > $b", "$a > $b", "$a > $b", None,
     None, None, "greater"},
    {"ge", 2, Bool, "$a >= $b", "$a >= $b", "$a >= $b", "$a >= $b", None,
     None, None, "greater_equal"},
    {"isnan", 1, Bool, "0", "0", "0", "$a != $a", "$a != $a", None,
     None, "isnan"},
    {"isinf", 1, Bool, "0", "0", "0", "__builtin_isinf($a) != 0",
     "__builtin_isinf(__real__ $a) || __builtin_isinf(__imag__ $a)", None,
     None, "isinf"},
    {"isfinite", 1, Bool, "1", "1", "1", "__builtin_isfinite($a) != 0",
     "__builtin_isfinite(__real__ $a) && __builtin_isfinite(__imag__ $a)",
     None, None, "isfinite"},
    // Bits and truth.
    {"and_", 2, Upcast, "$a & $b", "$a & $b", "$a & $b", None, None,
     None, None, "bitwise_and"},
    {"or_", 2, Upcast, "$a | $b", "$a | $b", "$a | $b", None, None,
     None, None, "bitwise_or"},
    {"xor", 2, Upcast, "$a ^ $b", "$a ^ $b", "$a ^ $b", None, None,
     None, None, "bitwise_xor"},
    {"invert", 1, Upcast, "!$a", "($T)~$a", "($T)~$a", None, None,
     None, None, "invert"},
    {"lshift", 2, UpcastInt8, None,
     "(npy_uint64)$b < 8 * sizeof($T) ? ($T)(($U)$a << $b) : 0",
     "(npy_uint64)$b < 8 * sizeof($T) ? ($T)(($U)$a << $b) : 0", None,
     None, None, None, "left_shift"},
    {"rshift", 2, UpcastInt8, None,
     "$a >> ((npy_uint64)$b < 8 * sizeof($T) ? $b : 8 * sizeof($T) - 1)",
     "(npy_uint64)$b < 8 * sizeof($T) ? $a >> $b : 0", None, None,
     None, None, "right_shift"},
    {"logical_and", 2, Bool, "$a != 0 && $b != 0", "$a != 0 && $b != 0",
     "$a != 0 && $b != 0", "$a != 0 && $b != 0", "$a != 0 && $b != 0",
     None, None, "logical_and"},
    {"logical_or", 2, Bool, "$a != 0 || $b != 0", "$a != 0 || $b != 0",
     "$a != 0 || $b != 0", "$a != 0 || $b != 0", "$a != 0 || $b != 0",
     None, None, "logical_or"},
    {"logical_xor", 2, Bool, "($a != 0) != ($b != 0)",
     "($a != 0) != ($b != 0)", "($a != 0) != ($b != 0)",
     "($a != 0) != ($b != 0)", "($a != 0) != ($b != 0)", None, None,
     "logical_xor"},
    {"logical_not", 1, Bool, "$a == 0", "$a == 0", "$a == 0", "$a == 0",
     "$a == 0", None, None, "logical_not"},
    // Choosing.
    {"minimum", 2, Upcast, "$a & $b", "$a < $b ? $a : $b",
     "$a < $b ? $a : $b", "clinch_minimum($a, $b)", None, None,
     OrderSupport, "minimum"},
    {"maximum", 2, Upcast, "$a | $b", "$a > $b ? $a : $b",
     "$a > $b ? $a : $b", "clinch_maximum($a, $b)", None, None,
     OrderSupport, "maximum"},
    {"clip", 3, Upcast, "($a | $b) & $c",
     "($a < $b ? $b : $a) > $c ? $c : ($a < $b ? $b : $a)",
     "($a < $b ? $b : $a) > $c ? $c : ($a < $b ? $b : $a)",
     "clinch_minimum(clinch_maximum($a, $b), $c)", None, None,
     OrderSupport, "clip"},
    {"switch", 3, Branches, "$a ? $b : $c", "$a ? $b : $c", "$a ? $b : $c",
     "$a ? $b : $c", "$a ? $b : $c", None, None, "where"},
    {"identity", 1, First, "$a", "$a", "$a", "$a", "$a", None, None,
     "asarray"},
    {"second", 2, Second, "$b", "$b", "$b", "$b", "$b", None, None,
     None},
    // Complex numbers, and reals as complex numbers.
    {"conj", 1, First, "$a", "$a", "$a", "$a",
     "clinch_make_complex(__real__ $a, -__imag__ $a)", None, None,
     "conjugate"},
    {"real", 1, Real, "$a", "$a", "$a", "$a", "__real__ $a", None, None,
     "real"},
    {"imag", 1, Real, "0", "0", "0", "0", "__imag__ $a", None, None,
     "imag"},
    {"angle", 1, RealFloat, None, None, None,
     "$a != $a ? $a : atan2$f(0, $a)", "atan2(__imag__ $a, __real__ $a)",
     None, None, "angle"},
    {"complex", 2, Complex, None, None, None,
     "clinch_make_complex($a, $b)", None, None, None, None},
    {"complex_from_polar", 2, Complex, None, None, None,
     "clinch_make_complex($a * cos$f($b), $a * sin$f($b))", None, None,
     None, None},
    // Mathematics: the functions of libm.
    {"exp", 1, Float, None, None, None, "exp$f($a)",
     "__builtin_cexp($a)", None, None, "exp"},
    {"exp2", 1, Float, None, None, None, "exp2$f($a)",
     "__builtin_cexp(0.6931471805599453 * $a)", None, None, "exp2"},
    {"expm1", 1, Float, None, None, None, "expm1$f($a)", None,
     None, None, "expm1"},
    {"log", 1, Float, None, None, None, "log$f($a)",
     "__builtin_clog($a)", None, None, "log"},
    {"log2", 1, Float, None, None, None, "log2$f($a)",
     "__builtin_clog($a) / 0.6931471805599453", None, None, "log2"},
    {"log10", 1, Float, None, None, None, "log10$f($a)",
     "__builtin_clog($a) / 2.302585092994046", None, None, "log10"},
    {"log1p", 1, Float, None, None, None, "log1p$f($a)", None,
     None, None, "log1p"},
    {"sqrt", 1, Float, None, None, None, "sqrt$f($a)",
     "__builtin_csqrt($a)", None, None, "sqrt"},
    {"cbrt", 1, Float, None, None, None, "cbrt$f($a)", None,
     None, None, "cbrt"},
    {"hypot", 2, Float, None, None, None, "hypot$f($a, $b)", None,
     None, None, "hypot"},
    {"sin", 1, Float, None, None, None, "sin$f($a)",
     "__builtin_csin($a)", None, None, "sin"},
    {"cos", 1, Float, None, None, None, "cos$f($a)",
     "__builtin_ccos($a)", None, None, "cos"},
    {"tan", 1, Float, None, None, None, "tan$f($a)",
     "__builtin_ctan($a)", None, None, "tan"},
    {"asin", 1, Float, None, None, None, "asin$f($a)",
     "__builtin_casin($a)", None, None, "arcsin"},
    {"acos", 1, Float, None, None, None, "acos$f($a)",
     "__builtin_cacos($a)", None, None, "arccos"},
    {"atan", 1, Float, None, None, None, "atan$f($a)",
     "__builtin_catan($a)", None, None, "arctan"},
    {"sinh", 1, Float, None, None, None, "sinh$f($a)",
     "__builtin_csinh($a)", None, None, "sinh"},
    {"cosh", 1, Float, None, None, None, "cosh$f($a)",
     "__builtin_ccosh($a)", None, None, "cosh"},
    {"tanh", 1, Float, None, None, None, "tanh$f($a)",
     "__builtin_ctanh($a)", None, None, "tanh"},
    {"asinh", 1, Float, None, None, None, "asinh$f($a)",
     "__builtin_casinh($a)", None, None, "arcsinh"},
    {"acosh", 1, Float, None, None, None, "acosh$f($a)",
     "__builtin_cacosh($a)", None, None, "arccosh"},
    {"atanh", 1, Float, None, None, None, "atanh$f($a)",
     "__builtin_catanh($a)", None, None, "arctanh"},
    {"atan2", 2, Float, None, None, None, "atan2$f($a, $b)", None,
     None, None, "arctan2"},
    {"copysign", 2, Float, None, None, None, "copysign$f($a, $b)",
     None, None, None, "copysign"},
    {"erf", 1, Float, None, None, None, "erf$f($a)", None,
     None, None, None},
    {"erfc", 1, Float, None, None, None, "erfc$f($a)", None,
     None, None, None},
    {"gamma", 1, Float, None, None, None, "tgamma$f($a)", None,
     None, None, None},
    {"lgamma", 1, Float, None, None, None, "lgamma$f($a)", None,
     None, None, None},
    {"deg2rad", 1, Float, None, None, None,
     "$a * ($T)0.017453292519943295", None, None, None, "deg2rad"},
    {"rad2deg", 1, Float, None, None, None,
     "$a * ($T)57.29577951308232", None, None, None, "rad2deg"},
    // Rounding. Integers stay as they are.
    {"floor", 1, Upcast, "$a", "$a", "$a", "floor$f($a)", None, None,
     None, "floor"},
    {"ceil", 1, Upcast, "$a", "$a", "$a", "ceil$f($a)", None, None,
     None, "ceil"},
    {"trunc", 1, Upcast, "$a", "$a", "$a", "trunc$f($a)", None, None,
     None, "trunc"},
    {"round", 1, Upcast, "$a", "$a", "$a", "rint$f($a)", None, None,
     None, "rint"},
    {"round_half_away", 1, Upcast, "$a", "$a", "$a", "round$f($a)", None,
     None, None, None},
};
// clang-format on

std::span<const ScalarOpInfo> clinch::scalarOpTable() { return Rows; }
