// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author calls a symbol.

#include "lib/Support/SymbolName.h"

#include "llvm/Demangle/Demangle.h"

#include <cstdlib>

using namespace clinch;

std::string clinch::symbolName(const std::string &Symbol) {
  llvm::ItaniumPartialDemangler D; // Refers to its text.
  if (!Symbol.starts_with("_Z") || D.partialDemangle(Symbol.c_str()))
    return Symbol;
  char *Text = D.isFunction() ? D.getFunctionName(nullptr, nullptr)
                              : D.finishDemangle(nullptr, nullptr);
  std::string Name = Text;
  std::free(Text);
  if (const size_t At = Name.rfind(")::"); At != std::string::npos)
    Name.erase(0, At + 3);
  return Name;
}
