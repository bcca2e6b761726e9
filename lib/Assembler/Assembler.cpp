//===- Assembler.cpp - From a graph to C text ----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Assembler/Assembler.h"

#include "Blueprint.h"
#include "Emitter.h"

#include <unordered_map>

using namespace clinch;

void Author::name(Diagnostic &D) const {
  D.Class = Provider ? Provider->className() : "";
  D.Hook = Hook;
  D.Subject = Subject;
  D.Block = Block;
  D.Apply = Apply;
}

/// What a text or a part of it is called, and whose it is.
using Authors = std::unordered_map<std::string_view, const Author *>;

static void nameEach(std::vector<Diagnostic> &Diagnostics, const Authors &Of) {
  for (Diagnostic &D : Diagnostics) {
    if (auto At = Of.find(D.Origin); At != Of.end() && D.Class.empty())
      At->second->name(D);
    nameEach(D.Notes, Of);
  }
}

Error clinch::nameAuthors(Error E, const ThunkSource &Source) {
  Authors Of;
  const std::vector<Region> &Regions = Source.Options.Regions;
  for (size_t I = 0; I < Source.Authors.size(); ++I) {
    Of.emplace(Regions[I].Name, &Source.Authors[I]);
    for (const std::string &Part : Regions[I].Parts)
      Of.emplace(Part, &Source.Authors[I]);
  }
  nameEach(E.diagnostics(), Of);
  return E;
}

Expected<ThunkSource> clinch::assemble(const Graph &G,
                                       const AssembleOptions &O) {
  Expected<Blueprint> P = buildBlueprint(G, O);
  if (!P)
    return P.takeError();
  return Emitter(*P, O).run();
}
