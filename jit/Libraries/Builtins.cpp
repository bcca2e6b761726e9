// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that compilers call implicitly.

#include "Builtins.h"

#include <algorithm>
#include <iterator>

// The build generates BuiltinNames.inc, a sorted list of NAME(symbol).
// `__asm__` avoids the compiler's own declarations of these names.
#define NAME(Symbol) extern const char Of##Symbol[] __asm__(#Symbol);
extern "C" {
#include "BuiltinNames.inc"
}
#undef NAME

namespace {
struct Builtin {
  std::string_view Name;
  const char *Address;
};

constexpr Builtin Builtins[] = {
#define NAME(Symbol) {#Symbol, Of##Symbol},
#include "BuiltinNames.inc"
#undef NAME
};
} // namespace

void *clinch::findBuiltin(std::string_view Name) {
  auto Before = [](const Builtin &B, std::string_view N) { return B.Name < N; };
  const Builtin *Found =
      std::lower_bound(std::begin(Builtins), std::end(Builtins), Name, Before);
  if (Found == std::end(Builtins) || Found->Name != Name)
    return nullptr;
  return const_cast<char *>(Found->Address);
}
