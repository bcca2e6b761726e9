//===- Assembler.cpp - From a graph to C text ----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Assembler/Assembler.h"

#include "Blueprint.h"
#include "Emitter.h"

using namespace clinch;

Expected<ThunkSource> clinch::assemble(const Graph &G,
                                       const AssembleOptions &O) {
  Expected<Blueprint> P = buildBlueprint(G, O);
  if (!P)
    return P.takeError();
  return Emitter(*P, O).run();
}
