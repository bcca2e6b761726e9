// floats: the worst error of each function of one float, over all floats, in
// units in the last place; the function of doubles stands for the exact one.
#include "functions.h"
#include <math.h>
#include <stdio.h>

enum { Count = 4096 };
static float X[Count], Found[Count];
static double Wide[Count], Exact[Count];

// A unit in the last place of a float that is about Value.
static double unit(double Value) {
  const double Least = fmax(fabs(Value), 0x1p-126);
  return ofBits(bitsOf(fmin(Least, 0x1p127)) >> 52 << 52) * 0x1p-23;
}

static double errorOf(float Value, double Wanted) {
  if (Wanted != Wanted || Value != Value)
    return Wanted != Wanted && Value != Value ? 0 : INFINITY;
  if (signbit(Value) != signbit(Wanted))
    return INFINITY;
  if (isinf(Value) && fabs(Wanted) > 0x1p128)
    return 0;
  const double Finite = isinf(Value) ? copysign(0x1p128, Value) : Value;
  return fabs(Finite - Wanted) / unit(Wanted);
}

#define ONE(Name)                                                              \
  __attribute__((noinline, flatten)) void float_##Name(void) {                 \
    for (int I = 0; I < Count; ++I)                                            \
      Found[I] = clinch_##Name##f(X[I]);                                       \
  }                                                                            \
  __attribute__((noinline, flatten)) void double_##Name(void) {                \
    for (int I = 0; I < Count; ++I)                                            \
      Exact[I] = clinch_##Name(Wide[I]);                                       \
  }                                                                            \
  static void check_##Name(void) {                                             \
    double Worst = 0, At = 0;                                                  \
    for (uint64_t First = 0; First < (uint64_t)1 << 32; First += Count) {      \
      for (int I = 0; I < Count; ++I) {                                        \
        const uint32_t Bits = (uint32_t)First + (uint32_t)I;                   \
        __builtin_memcpy(&X[I], &Bits, sizeof Bits);                           \
        Wide[I] = X[I];                                                        \
      }                                                                        \
      float_##Name();                                                          \
      double_##Name();                                                         \
      for (int I = 0; I < Count; ++I)                                          \
        if (errorOf(Found[I], Exact[I]) > Worst)                               \
          Worst = errorOf(Found[I], Exact[I]), At = Wide[I];                   \
    }                                                                          \
    printf("%sf %.3f at %a\n", #Name, Worst, At);                              \
    fflush(stdout);                                                            \
  }
ONE_ARGUMENT(ONE)

#define RUN(Name) check_##Name();
int main(void) {
  ONE_ARGUMENT(RUN)
  return 0;
}
