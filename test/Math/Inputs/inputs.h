// The same numbers on every machine.
#include <float.h>
#include <math.h>
#include <stdint.h>

static uint64_t State = 20261125;

static uint64_t anyBits(void) {
  State += 0x9e3779b97f4a7c15;
  uint64_t Z = State;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
  return Z ^ (Z >> 31);
}

static double uniform(double Low, double High) {
  return Low + (High - Low) * ((double)(anyBits() >> 11) * 0x1p-53);
}

// Zeros, infinities, NaN, the ends of ranges, and ones near special values.
static const double Specials[] = {0.0,
                                  INFINITY,
                                  NAN,
                                  DBL_MAX,
                                  DBL_MIN,
                                  0x1p-1074,
                                  0x3p-1074,
                                  0x1.8p-1030,
                                  1.0,
                                  1 - 0x1p-53,
                                  1 + 0x1p-52,
                                  2.0,
                                  0.5,
                                  3.0,
                                  10.0,
                                  1000.0,
                                  1e22,
                                  8.0,
                                  27.0,
                                  709.782712893384,
                                  709.7827128933841,
                                  745.1332191019411,
                                  745.1332191019412,
                                  708.3964185322641,
                                  1024.0,
                                  1023.9999999999999,
                                  1074.0,
                                  1075.0,
                                  1075.5,
                                  1022.0,
                                  1022.5,
                                  0x1p-30,
                                  0x1p-54,
                                  0x1.8p-54,
                                  18.5,
                                  19.0,
                                  19.5,
                                  20.0,
                                  36.7,
                                  40.0,
                                  750.0,
                                  0x1p52,
                                  0x1p53,
                                  0x1p60,
                                  0x1p61,
                                  0x1p500,
                                  0x1p-500,
                                  0x1p1023,
                                  FLT_MAX,
                                  FLT_MIN,
                                  0x1p-149,
                                  88.72284,
                                  103.97208,
                                  M_SQRT1_2,
                                  M_SQRT2,
                                  0.34657359,
                                  0x1p-1022 * 0.75,
                                  M_PI_2,
                                  M_PI,
                                  11.0,
                                  22.0,
                                  0x1.921fb6p0f,
                                  1e300,
                                  0x16ac5b262ca1ffp797,
                                  0x1p30,
                                  0x1.fffffffffffffp29,
                                  0x1.fffffep29,
                                  0x1p40};
enum { SpecialCount = 2 * sizeof Specials / sizeof *Specials };

static double special(int I) {
  return I % 2 ? -Specials[I / 2] : Specials[I / 2];
}

// The I-th number: all specials, then ones of several ranges in turn.
static double input(int I) {
  if (I < SpecialCount)
    return special(I);
  switch (I % 7) {
  case 0:
    return uniform(-1, 2.5);
  case 1:
    return uniform(-40, 40);
  case 2:
    return uniform(-1100, 1100);
  case 3: {
    const double Apart = uniform(I % 2 ? -2 : -1, I % 2 ? -1 : 2);
    return 1 + ldexp(Apart, -(int)(anyBits() % 52));
  }
  case 4: // Near multiples of a right angle.
    return rint(ldexp(uniform(-1, 1), (int)(anyBits() % 40))) * M_PI_2;
  default: {
    union {
      uint64_t Bits;
      double Number;
    } U = {anyBits()};
    return U.Number;
  }
  }
}

// Another number, to go with the I-th: any; or of its size; or one whose power
// it has.
static double other(int I, double X) {
  switch (I % 3) {
  case 0:
    return input(I + SpecialCount);
  case 1:
    return X * uniform(-2, 2);
  default:
    return uniform(-1100, 1100) / clinch_log2(fabs(X));
  }
}
