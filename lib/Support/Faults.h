// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that count diagnostics.

#pragma once

#include "clinch/Support/Expected.h"
#include "lib/Support/Text.h"

namespace clinch {

/// Returns the message of an error of \p Kind with \p Count diagnostics; empty
/// for kinds whose message is not a count.
inline std::string faultCount(Error::Kind Kind, size_t Count) {
  if (Kind == Error::Kind::Compile)
    return "The text does not compile: " + counted(Count, "error") + ".";
  if (Kind == Error::Kind::Rule)
    return "The text breaks a rule in " + counted(Count, "place") + ".";
  return {};
}

} // namespace clinch
