//===- Params.h - Parameters of Ops ----------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_PARAMS_H
#define CLINCH_LIB_CONTRACT_PARAMS_H

#include "clinch/Contract/Type.h"

#include <string>
#include <vector>

namespace clinch {

/// A member of the struct: `%(params)s->Name`.
struct ParamField {
  std::string Name;
  TypePtr T;
};

/// What paramsType() returns.
class ParamsType : public Type {
public:
  virtual const std::vector<ParamField> &fields() const = 0; ///< By name.
  /// "struct clinch_params_...", the value of `PARAMS_TYPE`.
  virtual const std::string &structType() const = 0;
};

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_PARAMS_H
