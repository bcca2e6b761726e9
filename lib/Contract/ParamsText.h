// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of parameters as C text.

#pragma once

#include "lib/Contract/Params.h"

namespace clinch {

/// The filled texts of one field's hooks; the variable has the field's name.
struct FieldText {
  std::string Name;
  std::string Declare, Extract, Cleanup;
  std::string Types, Members;         ///< The parts of Declare.
  std::vector<std::string> Variables; ///< Declared by Declare.
};

Expected<FieldText> fieldText(const ParamField &F);

/// "clinch_params_..."; equal texts get equal names.
std::string structName(const std::vector<FieldText> &Fields);

/// The struct \p Name, `NAME_read(params, values)` and `NAME_release(params)`.
std::string structText(const std::string &Name,
                       const std::vector<FieldText> &Fields);

} // namespace clinch
