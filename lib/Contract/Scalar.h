//===- Scalar.h - NumPy's item types ---------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_SCALAR_H
#define CLINCH_LIB_CONTRACT_SCALAR_H

#include "clinch/Support/Expected.h"

#include <span>
#include <string_view>

namespace clinch {

enum class ScalarKind { Bool, Int, UInt, Float, Complex };

/// One of NumPy's item types. There is one object of each, in the order bool,
/// int8 to int64, uint8 to uint64, float32, float64, complex64, complex128.
struct ScalarInfo {
  std::string_view Name;    ///< "float64".
  std::string_view CType;   ///< "npy_float64".
  std::string_view TypeNum; ///< "NPY_FLOAT64".
  std::string_view Class;   ///< "Float64", as NumPy's scalar macros say it.
  unsigned Size;            ///< Bytes of an item.
  ScalarKind Kind;
};

std::span<const ScalarInfo> allScalars();

/// Null when there is none of this name.
const ScalarInfo *findScalar(std::string_view Name);

/// The same, with an error that says which names there are, and for float16
/// why it is not among them.
Expected<const ScalarInfo *> scalarInfo(std::string_view Name);

/// The smallest type that holds both, as NumPy promotes arrays: int8 and uint8
/// make int16, int64 and float32 make float64.
const ScalarInfo &upcast(const ScalarInfo &A, const ScalarInfo &B);

/// \p A itself when it is a float or complex, else the smallest of float32 and
/// float64 that holds all its values, float64 when none does.
const ScalarInfo &upcastToFloat(const ScalarInfo &A);

/// The float type of the two parts of a complex type; else \p A.
const ScalarInfo &realPart(const ScalarInfo &A);

/// A constant of this type as C text, from its \p Size bytes: the same value
/// for every one, infinities and -0.0 included; a NaN keeps its sign. Empty for
/// a complex type, which has no constant that both C and C++ take.
std::string scalarLiteral(const ScalarInfo &S, const void *Bytes);

/// How lib/, which knows no Python, reads a constant: fills \p Bytes (16 of
/// them) with the item of \p Dtype that \p HostValue is; false when it cannot.
/// Set once, before the first graph; without one no constant is inlined.
using ScalarReader = bool (*)(void *HostValue, const ScalarInfo &Dtype,
                              void *Bytes);
void setScalarReader(ScalarReader Reader);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_SCALAR_H
