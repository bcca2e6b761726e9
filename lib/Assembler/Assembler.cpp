//===- Assembler.cpp - From a graph to C text ----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clinch/Assembler/Assembler.h"

#include "Blueprint.h"
#include "Emitter.h"

using namespace clinch;

Expected<ThunkSource> clinch::assemble(const Graph &G,
                                       const AssembleOptions &O) {
  Expected<Blueprint> P = buildBlueprint(G, O);
  if (!P)
    return P.takeError();
  Expected<ThunkSource> Whole = Emitter(*P, O).run();
  if (!Whole || !O.Short || P->Options.Lang != Language::CXX ||
      P->Shape != Form::Struct)
    return Whole;
  Expected<ThunkSource> Short = Emitter(*P, O, true).run();
  if (!Short)
    return Short.takeError();
  Whole->Short = std::make_shared<const ThunkSource>(std::move(*Short));
  return Whole;
}
