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

struct ScalarOpInfo;

/// An Op on scalars: Python floats and NumPy's item types.
class ScalarOp : public Op {
public:
  /// Its row in the table; for Clinch itself.
  virtual const ScalarOpInfo &info() const = 0;
  /// The type of the output, or why these inputs cannot be.
  virtual Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const = 0;
};

/// The Op of this name.
Expected<std::shared_ptr<const ScalarOp>> scalarOp(std::string_view Name);

/// The Op that makes \p Dtype of any scalar, "cast_float32". A float without a
/// place in an integer type gives what its low bits are as a 64-bit integer,
/// and the least of those when it is none at all; never undefined behaviour.
Expected<std::shared_ptr<const ScalarOp>> castOp(std::string_view Dtype);

} // namespace clinch

#endif // CLINCH_CONTRACT_OPS_H
