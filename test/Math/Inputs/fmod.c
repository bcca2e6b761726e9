/* Compares fmod.c with libm: numbers of any bits, of near exponents, subnormal
   ones and special ones; as floats too. argv[1]: how many, in twenties. */
#include "Device/fmod.c"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t State = 88172645463325252;

static uint64_t next(void) {
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}

static long differs(double X, double Y) {
  const double Wanted = fmod(X, Y), Found = clinch_fmod(X, Y);
  const int IsSame =
      Wanted == Wanted ? bitsOf(Wanted) == bitsOf(Found) : Found != Found;
  if (!IsSame)
    printf("%a %a: %a, not %a\n", X, Y, Found, Wanted);
  return !IsSame;
}

static long differsInFloats(float X, float Y) {
  const float Wanted = fmodf(X, Y), Found = clinch_fmodf(X, Y);
  const int IsSame =
      Wanted == Wanted ? Wanted == Found && !signbit(Wanted) == !signbit(Found)
                       : Found != Found;
  if (!IsSame)
    printf("%a %a of floats: %a, not %a\n", X, Y, Found, Wanted);
  return !IsSame;
}

int main(int Count, char **Arguments) {
  const double Special[] = {0.0,
                            -0.0,
                            1,
                            -1,
                            3,
                            0.1,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            0x1p-1074,
                            -0x1p-1074,
                            0x1p-1022,
                            0x1.fffffffffffffp1023};
  const int Specials = sizeof Special / sizeof *Special;
  long Differ = 0;
  for (int I = 0; I < Specials * Specials; ++I) {
    const double X = Special[I / Specials], Y = Special[I % Specials];
    Differ += differs(X, Y) + differsInFloats((float)X, (float)Y);
  }
  for (long I = 0; I < 20 * atol(Arguments[Count - 1]) && Differ < 9; ++I) {
    uint64_t A = next(), B = next();
    if (I % 3 == 0)
      B = ((A & 0xfff0000000000000) - (next() % 70 << 52)) | B >> 12;
    if (I % 7 == 0)
      B &= 0xffffffffff;
    if (I % 11 == 0)
      A &= 0x800fffffffffffff;
    const double X = ofBits(A), Y = ofBits(B);
    Differ += differs(X, Y);
    const float XF = (float)ldexp((double)(int32_t)A, (int)(B % 200) - 150);
    const float YF = (float)ldexp((double)(int32_t)B, (int)(A % 200) - 150);
    Differ += differsInFloats(XF, YF);
  }
  printf("%ld differ\n", Differ);
  return 0;
}
