// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From blocks to text.

#include "Emitter.h"

#include "Tasks.h"

#include "lib/Support/Hash.h"

#include <algorithm>

using namespace clinch;

static const char *fileName(const CompileOptions &O) {
  if (O.Launches)
    return "thunk.cu";
  return O.Lang == Language::CXX ? "thunk.cpp" : "thunk.c";
}

Emitter::Emitter(const Blueprint &P, const AssembleOptions &O)
    : P(P), L(makeLayout(P, O)), Ending(findLastUses(P, L)),
      Shared(findSharedScopes(P)), W(fileName(P.Options)) {
  Out.Shape = P.Shape;
  Out.KeepCode = P.KeepCode;
  Out.Options = P.Options;
  Out.Source.Name = fileName(Out.Options);
  // Indentation hundreds of blocks deep helps nobody.
  if (L.Split)
    W.limitMargin(6);
  HasObjects = cxx() && (!P.StructSupport.empty() ||
                         std::any_of(L.Places.begin(), L.Places.end(),
                                     [](const Placement &Pl) {
                                       return Pl.Member && !Pl.Declared->Plain;
                                     }));
  HasState =
      P.Shape == Form::Struct || L.Run.size() > 1 || !P.StructSupport.empty();
}

/// Hashes what determines the thunk's meaning and how it must be compiled. The
/// session adds the rest.
static std::string keyOf(const ThunkSource &S, const std::string &Versions) {
  KeyBuilder K;
  K.add(S.Source.Text).add(uint64_t(S.Options.Lang)).add(Versions);
  K.add(uint64_t(S.Options.Launches));
  for (const auto *List :
       {&S.Options.IncludeDirs, &S.Options.Flags, &S.Options.ForbiddenFlags,
        &S.Options.Libraries, &S.Options.LibraryDirs}) {
    K.add(uint64_t(List->size()));
    for (const std::string &Item : *List)
      K.add(Item);
  }
  return K.finish();
}

/// Reserves memory, as long texts would be copied several times as they grow.
void Emitter::makeRoom() {
  constexpr size_t AroundBlock = 320, AroundPiece = 110;
  W.reserve(P.TextBytes + P.Texts * AroundPiece +
            P.Blocks.size() * AroundBlock);
  size_t Asked = P.Texts - L.Harmless;
  Out.Options.Regions.reserve(Asked + Asked / 8);
  Out.Authors.reserve(Asked + Asked / 8);
}

Expected<ThunkSource> Emitter::run() {
  makeRoom();
  prelude();
  if (hasState())
    state();
  if (P.Shape == Form::Struct)
    structForm();
  else
    functionForm();
  moduleInit();
  Out.Source.Text = W.take();
  Out.Cells = P.Cells;
  Out.Tasks = makeTasks(P);
  Out.Key = keyOf(Out, P.Versions);
  return std::move(Out);
}
