// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of Ops.

#pragma once

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
