// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mathematical functions of texts.

#include "Mathematics.h"

#include "SymbolNames.h"

using namespace clinch;

// lib/Math is compiled twice. Only addresses are taken here, so that the types
// of the functions do not matter.
#define FUNCTION(Name, Arguments)                                              \
  extern "C" const char clinchFused_##Name, clinchFused_##Name##f,             \
      clinchPlain_##Name, clinchPlain_##Name##f;
#include "MathFunctions.inc"
#undef FUNCTION

namespace {
struct Copies {
  std::string_view Name;
  const char *Fused, *Plain;
};

constexpr Copies Functions[] = {
#define FUNCTION(Name, Arguments)                                              \
  {#Name, &clinchFused_##Name, &clinchPlain_##Name},                           \
      {#Name "f", &clinchFused_##Name##f, &clinchPlain_##Name##f},
#include "MathFunctions.inc"
#undef FUNCTION
};
} // namespace

void *clinch::findMathematics(std::string_view Name) {
  if (!Name.starts_with(MathPrefix))
    return nullptr;
  Name.remove_prefix(std::string_view(MathPrefix).size());
  const bool HasFMA = __builtin_cpu_supports("fma") != 0;
  for (const Copies &F : Functions)
    if (F.Name == Name)
      return const_cast<char *>(HasFMA ? F.Fused : F.Plain);
  return nullptr;
}
