// hashes: of each function over many numbers, in a loop and one at a time. The
// loop begins at each of the first numbers, so each stands in remainders too.
#include "functions.h"
#include "inputs.h"
#include <stdio.h>
#include <string.h>

enum { Count = 100003, Short = 37 };
static double X[Count], Y[Count], Z[Count];
static float XF[Count], YF[Count], ZF[Count];

static uint64_t hashOf(const void *Bytes, size_t Size) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (size_t I = 0; I < Size; ++I)
    Hash = (Hash ^ ((const unsigned char *)Bytes)[I]) * 0x100000001b3;
  return Hash;
}

static int Differ;
#define CHECK(Name, Type, IN1, IN2, OUT, ...)                                  \
  __attribute__((noinline, flatten)) void loop_##Name(                         \
      const Type *A, const Type *B, Type *restrict Out, long N) {              \
    (void)B;                                                                   \
    for (long I = 0; I < N; ++I)                                               \
      Out[I] = clinch_##Name(__VA_ARGS__);                                     \
  }                                                                            \
  __attribute__((noinline)) Type one_##Name(const Type *A, const Type *B,      \
                                            long I) {                          \
    (void)B;                                                                   \
    return clinch_##Name(__VA_ARGS__);                                         \
  }                                                                            \
  static void check_##Name(void) {                                             \
    loop_##Name(IN1, IN2, OUT, Count);                                         \
    printf("%s %016llx\n", #Name,                                              \
           (unsigned long long)hashOf(OUT, sizeof OUT));                       \
    for (long I = 0; I < Count; ++I) {                                         \
      const Type Alone = one_##Name(IN1, IN2, I);                              \
      Differ += memcmp(&Alone, &OUT[I], sizeof Alone) != 0;                    \
    }                                                                          \
    for (long I = 0; I < Short; ++I) {                                         \
      Type Part[Short];                                                        \
      loop_##Name(IN1 + I, IN2 + I, Part, Short - I);                          \
      Differ += memcmp(Part, OUT + I, (Short - I) * sizeof *Part) != 0;        \
    }                                                                          \
  }
#define ONE(Name)                                                              \
  CHECK(Name, double, X, Y, Z, A[I]) CHECK(Name##f, float, XF, YF, ZF, A[I])
#define TWO(Name)                                                              \
  CHECK(Name, double, X, Y, Z, A[I], B[I])                                     \
  CHECK(Name##f, float, XF, YF, ZF, A[I], B[I])
ONE_ARGUMENT(ONE)
TWO_ARGUMENTS(TWO)

#define RUN(Name) check_##Name(), check_##Name##f();
int main(void) {
  for (int I = 0; I < Count; ++I) {
    X[I] = input(I);
    Y[I] = other(I, X[I]);
    XF[I] = (float)input(I);
    YF[I] = (float)(other(I, XF[I]) * 0.14);
  }
  ONE_ARGUMENT(RUN)
  TWO_ARGUMENTS(RUN)
  printf("%d differ\n", Differ);
  return Differ != 0;
}
