// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the hooks of a graph.

#include "Builder.h"
#include "lib/Contract/CNames.h"

#include <algorithm>

using namespace clinch;

Builder::Builder(const Graph &G, const AssembleOptions &O)
    : G(G), O(O), NoRecycling(O.NoRecycling.begin(), O.NoRecycling.end()) {
  P.G = &G;
  P.Shape = O.Shape;
  P.SyncMayFail = O.SyncMayFail;
  P.CheckPending = O.CheckPending;
  P.ReleaseEarly = O.ReleaseEarly;
}

Status Builder::take(Piece &Out, Expected<HookText> Text, const char *Hook,
                     const Substitutions &Sub, const CodeProvider &C,
                     const std::string &Subject) {
  Status S = fill(Out, std::move(Text), Hook, Sub, C, Subject);
  if (S)
    S = check(Out, C, Subject);
  if (S)
    return S;
  Error E = S.takeError();
  for (Diagnostic &D : E.diagnostics())
    Author{&C, Hook, Subject, 0, 0, fileOf(Out)}.name(D);
  return E;
}

/// Replaces the keys in what a hook returned by their values.
Status Builder::fill(Piece &Out, Expected<HookText> Text, const char *Hook,
                     const Substitutions &Sub, const CodeProvider &C,
                     const std::string &Subject) {
  Out.Hook = Hook;
  if (!Text)
    return Text.takeError();
  Out.Ours = Text->Ours;
  if (Text->empty())
    return Status::success();
  if (Text->Line > 1 || !Text->File.empty() || !Text->LineNames.empty())
    Out.Source = std::make_unique<PieceSource>(
        PieceSource{std::move(Text->File), std::max(Text->Line, 1u),
                    std::move(Text->LineNames), Text->MadeOf});
  if (Text->Filled) {
    Out.Text = std::move(Text->Text);
  } else {
    // Only an error needs the origin.
    Expected<std::string> Filled = fillTemplate(Text->Text, Sub, "");
    if (!Filled)
      return fillTemplate(Text->Text, Sub, hookOrigin(C, Hook, Subject))
          .takeError();
    Out.Text = std::move(*Filled);
  }
  ++P.Texts;
  P.TextBytes += Out.Text.size();
  return Status::success();
}

/// Adds the cells of a thunk: inputs, outputs and constants.
void Builder::addCells() {
  P.CellOf.assign(G.variables().size(), 0);
  auto Add = [&](const Variable *V) {
    if (P.CellOf[V->index()])
      return;
    P.Cells.push_back(V);
    P.CellOf[V->index()] = unsigned(P.Cells.size());
  };
  for (const Variable *V : G.inputs())
    Add(V);
  for (const Variable *V : G.outputs())
    Add(V);
  for (const Block &B : P.Blocks)
    if (B.Kind == BlockKind::Constant)
      Add(B.Var);
}

/// Drops the names of dtypes that our own Types declare, if no text can use
/// them.
void Builder::forgetDtypes() {
  if (P.NamesDtypes || !P.Options.Flags.empty() ||
      !std::all_of(P.Includes.begin(), P.Includes.end(),
                   [](const Include &I) { return isInPrefix(I.Header); }))
    return;
  for (Block &B : P.Blocks)
    if (B.Declare.Ours && B.Declare.Text.starts_with("typedef "))
      B.Declare.Text.erase(0, B.Declare.Text.find('\n') + 1);
}

Expected<Blueprint> Builder::run() {
  CLINCH_TRY_ASSIGN(P.Order, G.order());
  CLINCH_TRY(addVariables());
  addCells();
  CLINCH_TRY(callTypes());
  CLINCH_TRY(addApplies());
  CLINCH_TRY(addGlobals());
  CLINCH_TRY(addPythonNames());
  forgetDtypes();
  return std::move(P);
}

Expected<Blueprint> clinch::buildBlueprint(const Graph &G,
                                           const AssembleOptions &O) {
  return Builder(G, O).run();
}
