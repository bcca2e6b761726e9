// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The defaults of an Op.

#include "clinch/Contract/Op.h"

using namespace clinch;

#define OP_CODE(Name)                                                          \
  Op::Text Op::Name(const Op::Args &) const { return HookText(); }
#define OP_NODE(Name)                                                          \
  Op::Text Op::Name(const Apply &, const std::string &) const {                \
    return HookText();                                                         \
  }
#include "lib/Contract/Hooks.def"

Op::Text Op::c_init_code_struct(const Op::Args &) const { return HookText(); }

Expected<std::string> Op::c_code_cache_version_apply(const Apply &) const {
  return c_code_cache_version();
}

Expected<Op::VarNames> Op::c_var_names() const { return VarNames{}; }
