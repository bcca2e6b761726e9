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

/// The Op of this name, on scalars: Python floats and NumPy's item types.
Expected<std::shared_ptr<const Op>> scalarOp(std::string_view Name);

/// The Op that makes \p Dtype of any scalar, "cast_float32". A float without a
/// place in an integer type gives what its low bits are as a 64-bit integer,
/// and the least of those when it is none at all; never undefined behaviour.
Expected<std::shared_ptr<const Op>> castOp(std::string_view Dtype);

/// The type of what such an Op gives, or why it cannot have these inputs.
Expected<TypePtr> resultType(const Op &Scalar,
                             const std::vector<TypePtr> &Inputs);

} // namespace clinch

#endif // CLINCH_CONTRACT_OPS_H
