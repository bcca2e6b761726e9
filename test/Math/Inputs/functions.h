// All functions of lib/Math, with those of MPFR.
#include "cbrt.c"
#include "cos.c"
#include "cosh.c"
#include "exp.c"
#include "exp10.c"
#include "exp2.c"
#include "expm1.c"
#include "hypot.c"
#include "log.c"
#include "log10.c"
#include "log1p.c"
#include "log2.c"
#include "pow.c"
#include "sin.c"
#include "sinh.c"
#include "tan.c"
#include "tanh.c"

// clang-format off
#define ONE_ARGUMENT(F) \
  F(cbrt) F(cos) F(cosh) F(exp) F(exp10) F(exp2) F(expm1) F(log) F(log10) \
  F(log1p) F(log2) F(sin) F(sinh) F(tan) F(tanh)
#define TWO_ARGUMENTS(F) \
  F(hypot) F(pow)
// clang-format on
