// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's item types and their order.

#include "lib/Contract/Scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>

using namespace clinch;

static constexpr ScalarInfo Scalars[] = {
    {"bool", "npy_bool", "NPY_BOOL", "Bool", 1, ScalarKind::Bool},
    {"int8", "npy_int8", "NPY_INT8", "Int8", 1, ScalarKind::Int},
    {"int16", "npy_int16", "NPY_INT16", "Int16", 2, ScalarKind::Int},
    {"int32", "npy_int32", "NPY_INT32", "Int32", 4, ScalarKind::Int},
    {"int64", "npy_int64", "NPY_INT64", "Int64", 8, ScalarKind::Int},
    {"uint8", "npy_uint8", "NPY_UINT8", "UInt8", 1, ScalarKind::UInt},
    {"uint16", "npy_uint16", "NPY_UINT16", "UInt16", 2, ScalarKind::UInt},
    {"uint32", "npy_uint32", "NPY_UINT32", "UInt32", 4, ScalarKind::UInt},
    {"uint64", "npy_uint64", "NPY_UINT64", "UInt64", 8, ScalarKind::UInt},
    {"float32", "npy_float32", "NPY_FLOAT32", "Float32", 4, ScalarKind::Float},
    {"float64", "npy_float64", "NPY_FLOAT64", "Float64", 8, ScalarKind::Float},
    {"complex64", "npy_complex64", "NPY_COMPLEX64", "Complex64", 8,
     ScalarKind::Complex},
    {"complex128", "npy_complex128", "NPY_COMPLEX128", "Complex128", 16,
     ScalarKind::Complex},
    {"float16", "_Float16", "NPY_HALF", "Half", 2, ScalarKind::Float},
};

std::span<const ScalarInfo> clinch::allScalars() { return Scalars; }

const ScalarInfo *clinch::findScalar(std::string_view Name) {
  for (const ScalarInfo &S : Scalars)
    if (S.Name == Name)
      return &S;
  return nullptr;
}

Expected<const ScalarInfo *> clinch::scalarInfo(std::string_view Name) {
  if (const ScalarInfo *S = findScalar(Name))
    return S;
  std::string Names;
  for (const ScalarInfo &S : Scalars)
    Names += (Names.empty() ? "" : ", ") + std::string(S.Name);
  return Error(Error::Kind::InvalidArgument, "There is no dtype `" +
                                                 std::string(Name) +
                                                 "`: there are " + Names + ".");
}

/// Returns the smallest type of \p Kind with at least \p Size bytes, else the
/// widest.
static const ScalarInfo &smallest(ScalarKind Kind, unsigned Size) {
  const ScalarInfo *Best = nullptr;
  for (const ScalarInfo &S : Scalars)
    if (S.Kind == Kind &&
        (!Best || (Best->Size < Size ? S.Size > Best->Size
                                     : S.Size >= Size && S.Size < Best->Size)))
      Best = &S;
  return *Best;
}

/// Returns the entry of Scalars that \p S is.
static const ScalarInfo &itself(const ScalarInfo &S) {
  return Scalars[&S - Scalars];
}

const ScalarInfo &clinch::realPart(const ScalarInfo &A) {
  return A.Kind == ScalarKind::Complex ? smallest(ScalarKind::Float, A.Size / 2)
                                       : itself(A);
}

const ScalarInfo &clinch::upcastToFloat(const ScalarInfo &A) {
  if (A.Kind == ScalarKind::Float || A.Kind == ScalarKind::Complex)
    return itself(A);
  return smallest(ScalarKind::Float, 2 * A.Size);
}

/// Returns a signed type that holds both, or float64 if there is none.
static const ScalarInfo &mixedIntegers(const ScalarInfo &Signed,
                                       const ScalarInfo &Unsigned) {
  if (Unsigned.Size >= 8)
    return smallest(ScalarKind::Float, 8);
  return smallest(ScalarKind::Int, std::max(Signed.Size, Unsigned.Size * 2));
}

const ScalarInfo &clinch::upcast(const ScalarInfo &A, const ScalarInfo &B) {
  if (A.Kind == B.Kind)
    return itself(A.Size >= B.Size ? A : B);
  if (A.Kind > B.Kind)
    return upcast(B, A);
  if (A.Kind == ScalarKind::Bool)
    return itself(B);
  if (B.Kind == ScalarKind::UInt)
    return mixedIntegers(A, B);
  const ScalarInfo &F = upcastToFloat(A);
  if (B.Kind == ScalarKind::Complex)
    return smallest(ScalarKind::Complex, std::max(2 * F.Size, B.Size));
  return smallest(ScalarKind::Float, std::max(F.Size, B.Size));
}

template <typename T> static T load(const void *Bytes) {
  T Value;
  std::memcpy(&Value, Bytes, sizeof(T));
  return Value;
}

static std::string floatLiteral(double Value, bool Single) {
  const char *Suffix = Single ? "f" : "";
  if (std::isnan(Value))
    return std::string(std::signbit(Value) ? "(-__builtin_nan"
                                           : "(__builtin_nan") +
           Suffix + "(\"\"))";
  if (std::isinf(Value))
    return std::string(Value < 0 ? "(-__builtin_inf" : "(__builtin_inf") +
           Suffix + "())";
  char Buffer[40];
  auto [End, Errc] = Single ? std::to_chars(Buffer, std::end(Buffer),
                                            static_cast<float>(Value))
                            : std::to_chars(Buffer, std::end(Buffer), Value);
  std::string Digits(Buffer, End);
  if (Digits.find_first_of(".e") == std::string::npos)
    Digits += ".0";
  return "(" + Digits + Suffix + ")";
}

static double fromHalf(uint16_t Bits) {
  const int Exponent = Bits >> 10 & 31, Digits = Bits & 1023;
  const double Size = Exponent < 31 ? std::ldexp(Digits + (Exponent ? 1024 : 0),
                                                 std::max(Exponent, 1) - 25)
                      : Digits      ? std::numeric_limits<double>::quiet_NaN()
                                    : std::numeric_limits<double>::infinity();
  return Bits >> 15 ? -Size : Size;
}

uint16_t clinch::halfBits(double Value) {
  const uint16_t Sign = std::signbit(Value) ? 0x8000 : 0;
  if (std::isnan(Value))
    return Sign | 0x7e00;
  const double Size = std::fabs(Value);
  if (Size >= 65520) // The first that is rounded to infinity.
    return Sign | 0x7c00;
  if (Size == 0)
    return Sign;
  int Exponent;
  std::frexp(Size, &Exponent);
  const int Last = std::max(Exponent - 11, -24); // Of the last digit.
  // A digit more than 11 goes to the exponent, which stands before the digits.
  return Sign | uint16_t(((Last + 24) << 10) +
                         int(std::nearbyint(std::ldexp(Size, -Last))));
}

static std::string intLiteral(const ScalarInfo &S, int64_t Value) {
  // The smallest integer has no literal: `-9223372036854775808` negates a
  // constant that does not fit.
  if (Value == INT64_MIN)
    return "((npy_int64)(-9223372036854775807LL - 1))";
  return "((" + std::string(S.CType) + ")" + std::to_string(Value) + "LL)";
}

static std::string uintLiteral(const ScalarInfo &S, uint64_t Value) {
  return "((" + std::string(S.CType) + ")" + std::to_string(Value) + "ULL)";
}

std::string clinch::scalarLiteral(const ScalarInfo &S, const void *Bytes) {
  switch (S.Kind) {
  case ScalarKind::Bool:
    return uintLiteral(S, load<uint8_t>(Bytes) != 0);
  case ScalarKind::Int:
    return intLiteral(S, S.Size == 1   ? load<int8_t>(Bytes)
                         : S.Size == 2 ? load<int16_t>(Bytes)
                         : S.Size == 4 ? load<int32_t>(Bytes)
                                       : load<int64_t>(Bytes));
  case ScalarKind::UInt:
    return uintLiteral(S, S.Size == 1   ? load<uint8_t>(Bytes)
                          : S.Size == 2 ? load<uint16_t>(Bytes)
                          : S.Size == 4 ? load<uint32_t>(Bytes)
                                        : load<uint64_t>(Bytes));
  case ScalarKind::Float:
    return S.Size == 2
               ? "((_Float16)" +
                     floatLiteral(fromHalf(load<uint16_t>(Bytes)), true) + ")"
           : S.Size == 4 ? floatLiteral(load<float>(Bytes), true)
                         : floatLiteral(load<double>(Bytes), false);
  case ScalarKind::Complex:
    return {};
  }
  return {};
}
