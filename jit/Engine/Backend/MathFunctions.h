//===- MathFunctions.h - The functions that libmvec vectorises --*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_MATHFUNCTIONS_H
#define CLINCH_JIT_ENGINE_BACKEND_MATHFUNCTIONS_H

namespace clinch::engine {

/// A libm function on doubles. The name of its float version adds an `f`.
struct ScalarFunction {
  const char *Name;
  bool Intrinsic; ///< Clang emits `llvm.NAME` if errno is not wanted.
  unsigned Arguments = 1;
};

constexpr ScalarFunction VectorisedFunctions[] = {
    {"acos", true},      {"acosh", false},   {"asin", true},   {"asinh", false},
    {"atan", true},      {"atan2", true, 2}, {"atanh", false}, {"cbrt", false},
    {"cos", true},       {"cosh", true},     {"erf", false},   {"erfc", false},
    {"exp", true},       {"exp10", true},    {"exp2", true},   {"expm1", false},
    {"hypot", false, 2}, {"log", true},      {"log10", true},  {"log1p", false},
    {"log2", true},      {"pow", true, 2},   {"sin", true},    {"sinh", true},
    {"tan", true},       {"tanh", true}};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_MATHFUNCTIONS_H
