// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sine, cosine and tangent share.

#pragma once

#include "Numbers.h"

/// 2 / pi in four parts, less what makes multiples of 4 of a number whose upper
/// six bits of the exponent are 33 (nothing), 34, and so on. From 2^513 on the
/// parts are multiplied by 2^512. Made by polynomials.sollya.
static const double CLINCH_TWO_OVER_PI[31][4] = {
    {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, -0x1.6447e493ad4cep-109,
     0x1.e21c820ff28b2p-163},
    {-0x1.9f246c6efab58p-14, -0x1.ec54170565912p-71, 0x1.b6c52b3278872p-129,
     0x1.07f9458eaf7afp-186},
    {0x1.054a7f09d5f48p-46, -0x1.596447e493ad5p-101, 0x1.93c439041fe51p-156,
     0x1.8eaf7aef1586ep-210},
    {0x1.d5f47d4d37703p-78, 0x1.b6295993c439p-132, 0x1.07f9458eaf7afp-186,
     -0x1.d4f246dc8e2dfp-243},
    {-0x1.6447e493ad4cep-109, 0x1.e21c820ff28b2p-163, -0x1.508510ea79237p-218,
     0x1.b8e909374b802p-274},
    {0x1.4acc9e21c821p-143, -0x1.ae9c5421443aap-200, 0x1.b7246e3a424ddp-256,
     0x1.700324977504fp-311},
    {0x1.c820ff28b1d5fp-175, -0x1.443a9e48db91cp-232, -0x1.6f6c8b47fe6dbp-286,
     -0x1.115f62e6de302p-340},
    {-0x1.d38a84288753dp-205, 0x1.b92371d2126e9p-259, 0x1.c00c925dd413ap-313,
     0x1.921cfe1deb1cbp-368},
    {-0x1.0ea79236e4717p-238, 0x1.26e9700324977p-295, 0x1.413a32439fc3cp-349,
     -0x1.4e34ed658c117p-404},
    {0x1.1b8e909374b8p-270, 0x1.924bba8274648p-326, 0x1.cfe1deb1cb12ap-380,
     -0x1.63045df7282b4p-434},
    {0x1.ba5c00c925dd4p-301, 0x1.3a32439fc3bd6p-357, 0x1.cb129a73ee882p-412,
     0x1.afa975da24275p-467},
    {0x1.25dd413a3243ap-333, -0x1.e214e34ed658cp-392, -0x1.177dca0ad144cp-448,
     0x1.213a671c09ad1p-502},
    {-0x1.cdbc603c429c7p-365, 0x1.894d39f74411bp-419, -0x1.5a28976f62cc7p-477,
     -0x1.fb29741037d8dp-533},
    {-0x1.0a71a76b2c609p-399, 0x1.1046bea5d7689p-453, 0x1.3a671c09ad17ep-510,
     -0x1.bec66e29c67cbp-568},
    {0x1.34e7dd1046beap-429, 0x1.75da24274ce38p-483, 0x1.35a2fbf209cc9p-539,
     -0x1.4e33e566305b2p-595},
    {0x1.1afa975da2427p49, 0x1.338e04d68befdp-5, -0x1.f633714e33e56p-59,
     -0x1.8c16c6f740e88p-113},
    {-0x1.2edec598e3f65p18, -0x1.741037d8cdc54p-37, 0x1.cc1a99cfa4e42p-91,
     0x1.7e2ef7e4a0ec8p-146},
    {-0x1.c7eca5d040df6p-15, -0x1.9b8a719f2b318p-70, -0x1.6c6f740e8840ep-125,
     0x1.41d8ffc4bffefp-179},
    {-0x1.037d8cdc538dp-49, 0x1.a99cfa4e422fcp-103, 0x1.77bf250763ff1p-157,
     0x1.7ffde05980fefp-212},
    {-0x1.c538cf9598c17p-77, 0x1.c845f8bbdf928p-132, 0x1.d8ffc4bffef03p-187,
     -0x1.9fc04343b9d29p-242},
    {-0x1.98c16c6f740e9p-109, 0x1.efc941d8ffc4cp-163, -0x1.0fd33f8086877p-227,
     -0x1.d297d64b824b2p-282},
    {0x1.17e2ef7e4a0ecp-142, 0x1.ff897ffde0598p-196, 0x1.fde5e2316b415p-253,
     -0x1.2e092c98130d8p-308},
    {-0x1.b5f13801da001p-174, 0x1.e05980fef2f12p-228, -0x1.d297d64b824b2p-282,
     -0x1.8130d834f648bp-336},
    {-0x1.da00087e99fcp-206, -0x1.0d0ee74a5f593p-260, 0x1.f6d367ecf27cbp-316,
     0x1.36e9e8c7ecd3dp-373},
    {0x1.6603fbcbc462dp-238, 0x1.a0a6d1f6d367fp-292, -0x1.86c1a7b24585dp-347,
     0x1.fb34f2ff516bbp-403},
    {0x1.e2316b414da3fp-269, -0x1.2c98130d834f6p-324, -0x1.22c2e70265868p-378,
     -0x1.5d28ad8453814p-436},
    {0x1.4da3eda6cfd9ep-301, 0x1.3e584dba7a32p-355, -0x1.32c3402ba515bp-409,
     -0x1.14e050683a131p-466},
    {-0x1.30261b069ec91p-333, -0x1.85ce04cb0d00bp-387, 0x1.6ba93dd63f5f3p-443,
     -0x1.d0985f18c10ebp-501},
    {0x1.6136e9e8c7ecdp-365, 0x1.e5fea2d7527bbp-420, -0x1.c0a0d0742617cp-475,
     -0x1.8c10eb5ada2b3p-529},
    {0x1.8fd9a797fa8b6p-398, -0x1.5b08a7028341dp-453, -0x1.30be31821d6b6p-510,
     0x1.2ea6bfb5fb12p-564},
    {-0x1.5d28ad8453814p-436, -0x1.a0e84c2f8c608p-492, -0x1.d6b5b45650128p-546,
     -0x1.3b81ca8bdea7fp-602},
};

/// x = (N + 4 i) pi / 2 + R + Low, for some integer i.
struct Angle {
  uint64_t N; ///< In the lowest two bits.
  double R, Low;
};

/// Numbers from here on are huge.
#define CLINCH_HUGE_ANGLE 0x1p30

/// Errs by less than 2^-60 of R for any finite \p X from 2^-900 on (Payne and
/// Hanek's way): each part of 2 / pi is a few numbers gathered from the table.
static inline struct Angle angleOfHuge(double X) {
  const uint64_t Upper = bitsOf(X) >> 57 & 63;
  const uint64_t Row = Upper > 33 ? Upper - 33 : 0;
  const double Scaled = Upper >= 48 ? X * 0x1p-512 : X;
  const double *Parts = CLINCH_TWO_OVER_PI[Row];
  const double A = Scaled * Parts[0], ALow = fma_(Scaled, Parts[0], -A);
  const double B = Scaled * Parts[1], BLow = fma_(Scaled, Parts[1], -B);
  const double C = Scaled * Parts[2], CLow = fma_(Scaled, Parts[2], -C);
  const double Last = fma_(Scaled, Parts[3], CLow);
  // A multiple of 4 is taken off, then N; both exactly.
  const double Rest = A - ((A + 0x1.8p55) - 0x1.8p55);
  const struct Double Middle = twoSum(ALow, B);
  const double Sum = (Rest + Middle.High) + CLINCH_ROUNDER;
  const struct Double Upmost =
      twoSum(Rest - (Sum - CLINCH_ROUNDER), Middle.High);
  // What is left may be as small as 2^-61, when the first parts cancel.
  const struct Double Lower = twoSum(BLow, C);
  const struct Double Both = twoSum(Middle.Low, Lower.High);
  const struct Double F = twoSum(Upmost.High, Both.High);
  const double FLow = F.Low + (Upmost.Low + (Both.Low + (Lower.Low + Last)));
  const double R = F.High * 0x1.921fb54442d18p0;
  const double RLow = fma_(F.High, 0x1.921fb54442d18p0, -R);
  const double Rough = fma_(F.High, 0x1.1a62633145c07p-54, RLow);
  return (struct Angle){bitsOf(Sum), R, fma_(FLow, 0x1.921fb54442d18p0, Rough)};
}

/// Errs by less than 2^-60 of R for any \p X that is not huge (Cody and Waite's
/// way): N is below 2^30, and the first difference is exact.
static inline struct Angle angleOfSmall(double X) {
  const double Sum = fma_(X, 0x1.45f306dc9c883p-1, CLINCH_ROUNDER);
  const double N = Sum - CLINCH_ROUNDER;
  const double First = fma_(-N, 0x1.921fb54442d18p0, X);
  const double Part = N * 0x1.1a62633145c07p-54;
  const double PartLow = fma_(N, 0x1.1a62633145c07p-54, -Part);
  const struct Double R = twoSum(First, -Part);
  const double Low = fma_(-N, -0x1.f1976b7ed8fbcp-110, R.Low - PartLow);
  return (struct Angle){bitsOf(Sum), R.High, Low};
}

/// Returns the angle of any number. Loops compute that of huge ones only where
/// there are some.
static inline struct Angle angle(double X) {
  const struct Angle Small = angleOfSmall(X), Huge = angleOfHuge(X);
  const int IsSmall = abs_(X) < CLINCH_HUGE_ANGLE;
  return (struct Angle){IsSmall ? Small.N : Huge.N, IsSmall ? Small.R : Huge.R,
                        IsSmall ? Small.Low : Huge.Low};
}

/// Returns the sine of \p R + \p Low, |R| < 0.7854: r + r^3 S(r^2). S is
/// fpminimax's, in polynomials.sollya; r^3 S(r^2) errs by less than 2^-60.
static inline struct Double sine(double R, double Low) {
  const double Z = R * R;
  double S = -0x1.8d49faa225791p-41;
  S = fma_(S, Z, 0x1.60e5c00b040ddp-33);
  S = fma_(S, Z, -0x1.ae63f7f22ae3p-26);
  S = fma_(S, Z, 0x1.71de3a103129fp-19);
  S = fma_(S, Z, -0x1.a01a019fe8844p-13);
  S = fma_(S, Z, 0x1.111111111101ep-7);
  S = fma_(S, Z, -0x1.5555555555555p-3);
  return (struct Double){R, fma_(R * Z, S, fma_(-0.5 * Z, Low, Low))};
}

/// Returns the cosine of \p R + \p Low, |R| < 0.7854: 1 - r^2 / 2 + r^4 C(r^2).
/// C is fpminimax's, in polynomials.sollya; r^4 C(r^2) errs by less than 2^-60.
static inline struct Double cosine(double R, double Low) {
  const double Z = R * R, Half = 0.5 * Z;
  double C = -0x1.9073ed6bdc195p-37;
  C = fma_(C, Z, 0x1.1eeb586ee19b9p-29);
  C = fma_(C, Z, -0x1.27e4fa03840bbp-22);
  C = fma_(C, Z, 0x1.a01a019f38ba3p-16);
  C = fma_(C, Z, -0x1.6c16c16c168ccp-10);
  C = fma_(C, Z, 0x1.5555555555555p-5);
  const double Sum = 1 - Half, HalfLow = (1 - Sum) - Half;
  return (struct Double){Sum, fma_(Z * Z, C, fma_(-R, Low, HalfLow))};
}

/// Returns the sine of the angle, and a quarter turn more for each of \p More.
static inline double sineOf(struct Angle A, uint64_t More) {
  const uint64_t N = A.N + More;
  const struct Double Sine = sine(A.R, A.Low), Cosine = cosine(A.R, A.Low);
  const double Size = N & 1 ? Cosine.High + Cosine.Low : Sine.High + Sine.Low;
  return ofBits(bitsOf(Size) ^ (N >> 1 << 63));
}
