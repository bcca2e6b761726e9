// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as text.

#include "clinch/Support/Expected.h"

using namespace clinch;

std::string Error::render(bool Colour) const {
  std::string Out;
  if (Diags.size() != 1 || !Message.ends_with(Diags.front().Message))
    Out = Message;
  if (!Out.empty() && Out.back() != '\n')
    Out += '\n';
  for (const Diagnostic &D : Diags)
    Out += renderDiagnostic(D, Colour);
  return Out;
}
