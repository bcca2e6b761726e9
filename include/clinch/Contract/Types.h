//===- Types.h - The types that come with Clinch ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_TYPES_H
#define CLINCH_CONTRACT_TYPES_H

#include "clinch/Contract/Scalar.h"
#include "clinch/Contract/Type.h"

#include <memory>

namespace clinch {

using TypePtr = std::shared_ptr<const Type>;

/// Python's float as a C double: the `Double` of the seeds.
TypePtr floatType();

/// NumPy's scalar of this dtype, such as numpy.float32(1), as a C number.
Expected<TypePtr> scalarType(std::string_view Dtype);

/// How lib/, which knows no Python, reads a constant: fills \p Bytes (16 of
/// them) with the item of \p Dtype that \p HostValue is; false when it cannot.
/// Set once, before the first graph; without one no constant is inlined.
using ScalarReader = bool (*)(void *HostValue, const ScalarInfo &Dtype,
                              void *Bytes);
void setScalarReader(ScalarReader Reader);

} // namespace clinch

#endif // CLINCH_CONTRACT_TYPES_H
