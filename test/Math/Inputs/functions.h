// All functions of lib/Math, with those of MPFR.
#include "acos.c"
#include "acosh.c"
#include "asin.c"
#include "asinh.c"
#include "atan.c"
#include "atan2.c"
#include "atanh.c"
#include "cbrt.c"
#include "cos.c"
#include "cosh.c"
#include "erf.c"
#include "erfc.c"
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
#include "tgamma.c"

// clang-format off
#define ONE_ARGUMENT(F) \
  F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(cos) \
  F(cosh) F(erf) F(erfc) F(exp) F(exp10) F(exp2) F(expm1) F(log) F(log10) \
  F(log1p) F(log2) F(sin) F(sinh) F(tan) F(tanh) F(tgamma)
#define TWO_ARGUMENTS(F) \
  F(atan2) F(hypot) F(pow)
// clang-format on
