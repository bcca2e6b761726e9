// accuracy COUNT: the worst error of each function that MPFR sees, in units in
// the last place; and each value that is of another kind or sign than MPFR's.
#include "functions.h"
#include "inputs.h"
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#define mpfr_tgamma mpfr_gamma

static mpfr_t Exact, A, B;

// Zeros, infinities and NaN must be those of the correctly rounded value, or
// next to it.
static double unitsOff(double Found, int Digits, int Least, int Most) {
  if (mpfr_nan_p(Exact) || Found != Found)
    return mpfr_nan_p(Exact) && Found != Found ? 0 : INFINITY;
  if (mpfr_inf_p(Exact))
    return isinf(Found) && signbit(Found) == !!mpfr_signbit(Exact) ? 0
                                                                   : INFINITY;
  if (mpfr_zero_p(Exact))
    return Found == 0 && signbit(Found) == !!mpfr_signbit(Exact) ? 0 : INFINITY;
  if (signbit(Found) != !!mpfr_signbit(Exact))
    return INFINITY;
  long Exponent = mpfr_get_exp(Exact);
  Exponent = Exponent < Least ? Least : Exponent > Most ? Most : Exponent;
  if (isinf(Found)) // Overflow counts as the number that is next to the end.
    mpfr_set_si_2exp(A, Found > 0 ? 1 : -1, Most, MPFR_RNDN);
  else
    mpfr_set_d(A, Found, MPFR_RNDN);
  if (isinf(Found) && mpfr_cmpabs(Exact, A) > 0)
    return 0;
  mpfr_sub(A, A, Exact, MPFR_RNDN);
  mpfr_div_2si(A, A, Exponent - Digits, MPFR_RNDN);
  return fabs(mpfr_get_d(A, MPFR_RNDU));
}

static double Worst, WorstX, WorstY;
static void note(const char *Name, double Off, double X, double Y,
                 double Found) {
  if (Off == INFINITY)
    printf("%s(%a, %a) is %a\n", Name, X, Y, Found);
  if (Off > Worst)
    Worst = Off, WorstX = X, WorstY = Y;
}
static void report(const char *Name) {
  printf("%s %.3f at %a, %a\n", Name, Worst, WorstX, WorstY);
  Worst = 0;
}

#define ONE(Name)                                                              \
  for (int I = 0; I < Count; ++I) {                                            \
    const double X = input(I), Found = clinch_##Name(X);                       \
    mpfr_set_d(A, X, MPFR_RNDN);                                               \
    mpfr_##Name(Exact, A, MPFR_RNDN);                                          \
    note(#Name, unitsOff(Found, 53, -1021, 1024), X, 0, Found);                \
  }                                                                            \
  report(#Name);                                                               \
  for (int I = 0; I < Count; ++I) {                                            \
    const float X = (float)input(I), Found = clinch_##Name##f(X);              \
    mpfr_set_d(A, X, MPFR_RNDN);                                               \
    mpfr_##Name(Exact, A, MPFR_RNDN);                                          \
    note(#Name "f", unitsOff(Found, 24, -125, 128), X, 0, Found);              \
  }                                                                            \
  report(#Name "f");

#define TWO(Name)                                                              \
  for (int I = 0; I < Count; ++I) {                                            \
    const double X = I < Pairs ? special(I / SpecialCount) : input(I);         \
    const double Y = I < Pairs ? special(I % SpecialCount) : other(I, X);      \
    const double Found = clinch_##Name(X, Y);                                  \
    mpfr_set_d(A, X, MPFR_RNDN);                                               \
    mpfr_set_d(B, Y, MPFR_RNDN);                                               \
    mpfr_##Name(Exact, A, B, MPFR_RNDN);                                       \
    note(#Name, unitsOff(Found, 53, -1021, 1024), X, Y, Found);                \
  }                                                                            \
  report(#Name);                                                               \
  for (int I = 0; I < Count; ++I) {                                            \
    const float X = (float)(I < Pairs ? special(I / SpecialCount) : input(I)); \
    const float Y =                                                            \
        (float)(I < Pairs ? special(I % SpecialCount) : other(I, X) * 0.14);   \
    const float Found = clinch_##Name##f(X, Y);                                \
    mpfr_set_d(A, X, MPFR_RNDN);                                               \
    mpfr_set_d(B, Y, MPFR_RNDN);                                               \
    mpfr_##Name(Exact, A, B, MPFR_RNDN);                                       \
    note(#Name "f", unitsOff(Found, 24, -125, 128), X, Y, Found);              \
  }                                                                            \
  report(#Name "f");

int main(int ArgumentCount, char **Arguments) {
  const int Count = ArgumentCount > 1 ? atoi(Arguments[1]) : 0;
  const int Pairs = SpecialCount * SpecialCount;
  mpfr_inits2(200, Exact, A, B, (mpfr_ptr)0);
  ONE_ARGUMENT(ONE)
  TWO_ARGUMENTS(TWO)
  mpfr_clears(Exact, A, B, (mpfr_ptr)0);
  return 0;
}
