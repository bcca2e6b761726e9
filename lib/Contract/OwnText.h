// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of Types that come with Clinch.

#pragma once

#include "clinch/Contract/Hook.h"

namespace clinch {

/// See HookText::Ours.
inline HookText ownText(std::string Template) {
  HookText H(std::move(Template));
  H.Ours = true;
  return H;
}

} // namespace clinch
