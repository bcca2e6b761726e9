//===- OwnText.h - Texts of Types that come with Clinch --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_OWNTEXT_H
#define CLINCH_LIB_CONTRACT_OWNTEXT_H

#include "clinch/Contract/Hook.h"

namespace clinch {

/// See HookText::Ours.
inline HookText ownText(std::string Template) {
  HookText H(std::move(Template));
  H.Ours = true;
  return H;
}

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_OWNTEXT_H
