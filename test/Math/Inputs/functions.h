// All functions of lib/Math, with those of MPFR.
#include "Exponentials.c"
#include "Hyperbolic.c"
#include "Logarithms.c"
#include "Powers.c"
#include "Special.c"
#include "Trigonometric.c"

// clang-format off
#define ONE_ARGUMENT(F) \
  F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(cos) \
  F(cosh) F(erf) F(erfc) F(exp) F(exp10) F(exp2) F(expm1) F(log) F(log10) \
  F(log1p) F(log2) F(sin) F(sinh) F(tan) F(tanh) F(tgamma)
#define TWO_ARGUMENTS(F) \
  F(atan2) F(hypot) F(pow)
// clang-format on
