// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a graph to C text.

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
  D.File = File ? *File : "";
}

/// Maps the name of a text, or of a part of it, to its author.
using Authors = std::unordered_map<std::string_view, const Author *>;

static void nameEach(std::vector<Diagnostic> &Diagnostics, const Authors &Texts,
                     const Authors &Parts) {
  for (Diagnostic &D : Diagnostics) {
    if (auto At = Texts.find(D.Origin); At != Texts.end()) {
      At->second->name(D);
    } else if (auto In = Parts.find(D.Origin); In != Parts.end()) {
      In->second->name(D);
      D.File = D.Origin;
    }
    nameEach(D.Notes, Texts, Parts);
  }
}

void clinch::nameAuthors(std::vector<Diagnostic> &Diagnostics,
                         const ThunkSource &Source) {
  Authors Texts, Parts;
  const std::vector<Region> &Regions = Source.Options.Regions;
  for (size_t I = 0; I < Source.Authors.size(); ++I) {
    Texts.emplace(Regions[I].Name, &Source.Authors[I]);
    for (const std::string &Part : Regions[I].Parts)
      Parts.emplace(Part, &Source.Authors[I]);
  }
  nameEach(Diagnostics, Texts, Parts);
}

Expected<ThunkSource> clinch::assemble(const Graph &G,
                                       const AssembleOptions &O) {
  CLINCH_TRY_ASSIGN(Blueprint P, buildBlueprint(G, O));
  return Emitter(P, O).run();
}
