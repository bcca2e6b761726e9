// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where temporaries are used last.

#include "LastUses.h"

using namespace clinch;

/// Whether \p B has something to release, and a `c_init` that cannot fail.
static bool canBeReleased(const Block &B, const Placement &Pl,
                          const AuthorMacros &Macros) {
  return B.Kind == BlockKind::Temporary && !B.InState && !Pl.Floating &&
         !typeNamesPython(B, Macros) && !B.Cleanup.empty() &&
         B.Behaviour.Text.find("goto") == std::string::npos;
}

LastUses clinch::findLastUses(const Blueprint &P, const Layout &L) {
  LastUses Result;
  if (!P.ReleaseEarly)
    return Result;
  constexpr unsigned Never = ~0u;
  std::vector<unsigned> Last(P.Variables, Never);
  for (size_t I = 0; I < P.Variables; ++I)
    if (canBeReleased(P.Blocks[I], L.Places[I], P.Macros))
      Last[I] = 0;
  for (size_t At = P.Variables; At < P.Blocks.size(); ++At) {
    const Block &B = P.Blocks[At];
    for (unsigned I = B.FirstUse; I < B.LastUse; ++I) {
      unsigned &Use = Last[P.Uses[I] - 1];
      // A block that is not just code may use it until it is closed.
      if (B.Kind != BlockKind::Code || !B.Cleanup.empty())
        Use = Never;
      else if (Use != Never)
        Use = B.Number;
    }
  }
  for (size_t I = 0; I < P.Variables; ++I)
    if (Last[I] && Last[I] != Never)
      Result[Last[I]].push_back(&P.Blocks[I]);
  return Result;
}
