//===- ScalarItem.h - What scalar Ops know of a type -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_SCALARITEM_H
#define CLINCH_LIB_CONTRACT_SCALARITEM_H

#include "clinch/Contract/Ops.h"
#include "lib/Contract/Scalar.h"
#include "lib/Contract/ScalarOpTable.h"

namespace clinch {

class ScalarOp : public Op {
public:
  virtual Expected<TypePtr>
  resultType(const std::vector<TypePtr> &Inputs) const = 0;
};

/// The item type of \p T; null for a type that says nothing of it, which is
/// taken for a C number of its own, computed with as it stands.
const ScalarInfo *itemOf(const Type &T);

/// Fails unless there are as many inputs as \p Info says, and no arrays.
Status checkInputs(const ScalarOpInfo &Info,
                   const std::vector<TypePtr> &Inputs);

Error notDefinedFor(const ScalarOpInfo &Info, const ScalarInfo &S);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_SCALARITEM_H
