// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The complement of the error function.
//
// Errs by less than 1.2 units in the last place wherever MPFR looked. The
// polynomials are in ErrorFunction.h.

#include "ErrorFunction.h"
#include "Single.h"

double clinch_erfc(double X) {
  const double Size = abs_(X);
  const struct Double Less = rounded((struct Double){1, -X});
  const double NearOne = Less.High + fma_(-X, errorFactor(X), Less.Low);
  const struct ScaledDouble C = complement(Size > 27.5 ? 27.5 : Size);
  const uint64_t Half = C.Rounded >> 1;
  const double First = powerOfTwo(Half), Second = powerOfTwo(C.Rounded - Half);
  const double Right = (C.High + C.Low) * First * Second;
  const struct Double Rest =
      rounded((struct Double){2, -C.High * First * Second});
  const double Left = Rest.High + (Rest.Low - C.Low * First * Second);
  return canonical(Size < 0.5 ? NearOne : (X < 0 ? Left : Right));
}

float clinch_erfcf(float X) {
  const double Size = abs_(X);
  const double Far = erfcSingle(Size > 10.2 ? 10.2 : Size);
  const double Result = X < 0 ? 2 - Far : Far;
  return (float)canonical(Size < 0.5 ? 1 - erfNearZero(X) : Result);
}
