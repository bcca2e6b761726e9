// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the keys of a hook's text.

#pragma once

#include "clinch/Contract/Hook.h"

namespace clinch {

/// Replaces `%(key)s` and `%%` in \p Template. An unknown key, or a `%` that is
/// neither, is an error that names \p Hook ("`Double.c_extract` for `x`"), the
/// line, the key and the keys there are.
Expected<std::string> fillTemplate(std::string_view Template,
                                   const Substitutions &Sub,
                                   std::string_view Hook);

} // namespace clinch
