//===- FillTemplate.h - Fills the keys of a hook's text ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_FILLTEMPLATE_H
#define CLINCH_LIB_CONTRACT_FILLTEMPLATE_H

#include "clinch/Contract/Hook.h"

namespace clinch {

/// Replaces `%(key)s` and `%%` in \p Template. An unknown key, or a `%` that is
/// neither, is an error that names \p Hook ("`Double.c_extract` for `x`"), the
/// line, the key and the keys there are.
Expected<std::string> fillTemplate(std::string_view Template,
                                   const Substitutions &Sub,
                                   std::string_view Hook);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_FILLTEMPLATE_H
