// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C functions for scalar Ops.

#pragma once

namespace clinch {

// Valid in C and C++; NumPy's names are used only with its types.

/// Complex numbers are computed in double precision, however they are stored.
/// NumPy's structs differ between its versions and between C and C++, but all
/// are two adjacent floats.
inline constexpr const char *ComplexSupport = R"c(
typedef double _Complex clinch_complex;
static inline clinch_complex clinch_make_complex(double re, double im) {
  clinch_complex z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}
static inline clinch_complex clinch_from_complex128(npy_complex128 v) {
  double parts[2];
  memcpy(parts, &v, sizeof parts);
  return clinch_make_complex(parts[0], parts[1]);
}
static inline clinch_complex clinch_from_complex64(npy_complex64 v) {
  float parts[2];
  memcpy(parts, &v, sizeof parts);
  return clinch_make_complex(parts[0], parts[1]);
}
static inline npy_complex128 clinch_to_complex128(clinch_complex z) {
  double parts[2] = {__real__ z, __imag__ z};
  npy_complex128 v;
  memcpy(&v, parts, sizeof parts);
  return v;
}
static inline npy_complex64 clinch_to_complex64(clinch_complex z) {
  float parts[2] = {(float)__real__ z, (float)__imag__ z};
  npy_complex64 v;
  memcpy(&v, parts, sizeof parts);
  return v;
}
static inline clinch_complex clinch_complex_mul(clinch_complex x,
                                                clinch_complex y) {
  return clinch_make_complex(__real__ x * __real__ y - __imag__ x * __imag__ y,
                             __real__ x * __imag__ y + __imag__ x * __real__ y);
}
/* Smith's algorithms, as in NumPy, in the precision of the operands. */
#define CLINCH_COMPLEX_DIVISIONS(REAL, F)                                      \
  static inline clinch_complex clinch_complex_div##F(clinch_complex x,         \
                                                     clinch_complex y) {       \
    REAL a = (REAL)__real__ x, b = (REAL)__imag__ x;                           \
    REAL re = (REAL)__real__ y, im = (REAL)__imag__ y, ratio, scale;           \
    if (fabs(re) >= fabs(im)) {                                                \
      if (re == 0 && im == 0)                                                  \
        return clinch_make_complex(a / fabs##F(re), b / fabs##F(re));          \
      ratio = im / re;                                                         \
      scale = 1 / (re + im * ratio);                                           \
      return clinch_make_complex((a + b * ratio) * scale,                      \
                                 (b - a * ratio) * scale);                     \
    }                                                                          \
    ratio = re / im;                                                           \
    scale = 1 / (im + re * ratio);                                             \
    return clinch_make_complex((a * ratio + b) * scale,                        \
                               (b * ratio - a) * scale);                       \
  }                                                                            \
  static inline clinch_complex clinch_complex_reciprocal##F(                   \
      clinch_complex x) {                                                      \
    REAL re = (REAL)__real__ x, im = (REAL)__imag__ x, ratio, whole;           \
    if (fabs(im) <= fabs(re)) {                                                \
      ratio = im / re;                                                         \
      whole = re + im * ratio;                                                 \
      return clinch_make_complex(1 / whole, -ratio / whole);                   \
    }                                                                          \
    ratio = re / im;                                                           \
    whole = re * ratio + im;                                                   \
    return clinch_make_complex(ratio / whole, -1 / whole);                     \
  }
CLINCH_COMPLEX_DIVISIONS(double, )
CLINCH_COMPLEX_DIVISIONS(float, f)
/* As NumPy: whole powers by multiplication, which keeps infinities. */
static inline clinch_complex clinch_complex_power(clinch_complex x, int n) {
  unsigned left = n < 0 ? -n : n;
  if (n == 1 || n == 2)
    return n == 1 ? x : clinch_complex_mul(x, x);
  if (n == 3)
    return clinch_complex_mul(x, clinch_complex_mul(x, x));
  clinch_complex result = clinch_make_complex(1, 0);
  for (;;) {
    if (left & 1)
      result = clinch_complex_mul(result, x);
    if (!(left >>= 1))
      break;
    x = clinch_complex_mul(x, x);
  }
  return n < 0 ? clinch_complex_div(clinch_make_complex(1, 0), result) : result;
}
static inline clinch_complex clinch_complex_pow(clinch_complex x,
                                                clinch_complex y) {
  if (__real__ y == 0 && __imag__ y == 0)
    return clinch_make_complex(1, 0);
  /* Without a branch on x, so that loops have vectors. */
  if (__real__ y == 2 && __imag__ y == 0) {
    int some = (__real__ x != 0) | (__imag__ x != 0);
    clinch_complex square = clinch_complex_mul(x, x);
    return clinch_make_complex(some ? __real__ square : 0,
                               some ? __imag__ square : 0);
  }
  if (__real__ x != 0 || __imag__ x != 0) {
    double n = __real__ y;
    if (__imag__ y == 0 && n > -100 && n < 100 && n == (int)n)
      return clinch_complex_power(x, (int)n);
    return __builtin_cpow(x, y);
  }
  if (__real__ y > 0)
    return clinch_make_complex(0, 0);
  return clinch_make_complex(__builtin_nan(""), __builtin_nan(""));
}
)c";

inline constexpr const char *FloorDivSupport = R"c(
static inline long long clinch_floor_div(long long a, long long b) {
  if (b == -1)
    return (long long)(0 - (unsigned long long)a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
/* In the precision of the operands, as in NumPy. */
#define CLINCH_FLOOR_DIVISION(REAL, F)                                         \
  static inline REAL clinch_floor_div_float##F(REAL a, REAL b) {               \
    REAL rest = fmod##F(a, b);                                                 \
    if (b == 0)                                                                \
      return a / b;                                                            \
    REAL whole = (a - rest) / b;                                               \
    if (rest != 0 && (b < 0) != (rest < 0))                                    \
      whole -= 1;                                                              \
    if (whole == 0)                                                            \
      return copysign##F((REAL)0, a / b);                                      \
    REAL down = floor##F(whole);                                               \
    return whole - down > (REAL)0.5 ? down + 1 : down;                         \
  }
CLINCH_FLOOR_DIVISION(double, )
CLINCH_FLOOR_DIVISION(float, f)
)c";

inline constexpr const char *ModSupport = R"c(
static inline long long clinch_mod(long long a, long long b) {
  if (b == -1)
    return 0;
  long long rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
static inline double clinch_mod_float(double a, double b) {
  double rest = fmod(a, b);
  if (b == 0)
    return rest;
  if (rest == 0)
    return copysign(0.0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}
)c";

inline constexpr const char *PowSupport = R"c(
static inline unsigned long long clinch_pow(unsigned long long base,
                                            unsigned long long exponent) {
  unsigned long long result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}
)c";

inline constexpr const char *OrderSupport = R"c(
static inline double clinch_minimum(double a, double b) {
  return a < b || a != a ? a : b;
}
static inline double clinch_maximum(double a, double b) {
  return a > b || a != a ? a : b;
}
)c";

inline constexpr const char *SignSupport = R"c(
static inline double clinch_sign(double a) {
  return a != a ? a : (double)((a > 0) - (a < 0));
}
)c";

inline constexpr const char *CastSupport = R"c(
static inline long long clinch_to_int(double a) {
  return a >= -9223372036854775808.0 && a < 9223372036854775808.0
             ? (long long)a
             : -9223372036854775807LL - 1;
}
static inline unsigned long long clinch_to_uint(double a) {
  return a >= 9223372036854775808.0 && a < 18446744073709551616.0
             ? (unsigned long long)a
             : (unsigned long long)clinch_to_int(a);
}
)c";

} // namespace clinch
