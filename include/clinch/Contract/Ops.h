//===- Ops.h - The Ops that come with Clinch -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CONTRACT_OPS_H
#define CLINCH_CONTRACT_OPS_H

#include "clinch/Contract/Op.h"
#include "clinch/Contract/Types.h"

#include <string_view>
#include <vector>

namespace clinch {

/// Returns the scalar Op of this name, for Python floats and NumPy's scalars.
Expected<std::shared_ptr<const Op>> scalarOp(std::string_view Name);

/// Returns the Op that converts any scalar to \p Dtype, "cast_float32". A float
/// that an integer type cannot hold becomes the low bits of a 64-bit integer;
/// NaN and floats beyond 64 bits become the smallest int64 first.
Expected<std::shared_ptr<const Op>> castOp(std::string_view Dtype);

/// Returns the type of such an Op's result, or an error for wrong inputs.
Expected<TypePtr> resultType(const Op &Scalar,
                             const std::vector<TypePtr> &Inputs);

} // namespace clinch

#endif // CLINCH_CONTRACT_OPS_H
