// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Item types of scalar Ops.

#pragma once

#include "clinch/Contract/Op.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"

namespace clinch {

class ScalarOp : public Op {
public:
  virtual Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const = 0;
};

/// Returns the Op that converts any scalar to \p Dtype, "cast_float32". A float
/// that an integer type cannot hold becomes the low bits of a 64-bit integer;
/// NaN and floats beyond 64 bits become the smallest int64 first.
Expected<std::shared_ptr<const Op>> castOp(std::string_view Dtype);

/// Returns the type of a scalar Op's result, or an error for wrong inputs.
Expected<TypePtr> resultType(const Op &Scalar,
                             const std::vector<TypePtr> &Inputs);

/// Returns the item type of \p T, or null for a type without a dtype, whose
/// values are computed with as the C numbers they are.
const ScalarInfo *itemOf(const Type &T);

/// Fails unless the number of inputs is that of \p Info and none is an array.
Status checkInputs(const ScalarOpInfo &Info,
                   const std::vector<TypePtr> &Inputs);

Error notDefinedFor(const ScalarOpInfo &Info, const ScalarInfo &S);

} // namespace clinch
