//===- Layout.cpp - Which function a block stands in ---------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "clinch/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

namespace {

class Planner {
public:
  Planner(const Blueprint &P, const AssembleOptions &O) : P(P), O(O) {}
  Layout run();

private:
  void cut(const std::vector<const Block *> &From, std::vector<Chunk> &To);
  void findPythonless();
  void findFloating();
  void findUses();
  void use(unsigned Number, unsigned ChunkIndex);
  void placeVariables();
  void reach(Chunk &C, unsigned Index, bool InRun);
  void gatherUses();
  template <typename Fn> void forEachUse(const Block &B, Fn Do) const;
  Placement &place(unsigned Number) { return L.Places[Number - 1]; }
  const Block &block(unsigned Number) const { return P.Blocks[Number - 1]; }

  const Blueprint &P;
  const AssembleOptions &O;
  Layout L;
  /// The variables that the blocks may touch, one block after another, and
  /// where those of each begin: applies and variables lie far apart.
  std::vector<unsigned> Uses, Begin;
};

/// Only comments and white space.
bool saysNothing(const Piece &Text) {
  return Text.empty() || Lexer(Text.Text).next().What == Token::End;
}

bool names(const Piece &Text, const char *What) {
  return Text.Text.find(What) != std::string::npos;
}

/// `name = constant;`, which cannot fail, call, or be seen from elsewhere.
bool onlySetsName(const std::string &Text, const std::string &Name) {
  Lexer L(Text);
  if (!L.next().is(Name) || !L.next().is('='))
    return false;
  unsigned Words = 0;
  for (Token T = L.next(); !T.is(';'); T = L.next()) {
    bool Constant = T.What == Token::Number || T.is("NULL") ||
                    T.is("nullptr") || T.is("true") || T.is("false");
    if (!Constant && !T.is('-'))
      return false;
    Words += Constant;
  }
  return Words == 1 && L.next().What == Token::End;
}

} // namespace

void Planner::gatherUses() {
  Begin.reserve(P.Blocks.size() + 1);
  Uses.reserve(2 * P.Blocks.size());
  auto Add = [&](unsigned Number) {
    if (Number)
      Uses.push_back(Number);
  };
  for (const Block &B : P.Blocks) {
    Begin.push_back(unsigned(Uses.size()));
    if (B.Var) {
      Uses.push_back(B.Number);
      continue;
    }
    for (const Variable *V : B.Node->inputs())
      Add(P.Numbers[V->index()]);
    for (const Variable *V : B.Node->outputs())
      Add(P.outputNumber(V));
    if (const Variable *V = B.Node->params())
      Add(P.Numbers[V->index()]);
  }
  Begin.push_back(unsigned(Uses.size()));
}

/// Calls \p Do with the number of every variable that \p B may touch.
template <typename Fn> void Planner::forEachUse(const Block &B, Fn Do) const {
  for (unsigned I = Begin[B.Number - 1]; I < Begin[B.Number]; ++I)
    Do(Uses[I]);
}

/// None that nobody looks at need not be held.
void Planner::findPythonless() {
  for (const Block &B : P.Blocks) {
    if (!B.PythonFirst.empty())
      forEachUse(B, [&](unsigned N) { place(N).PythonSeen = true; });
    if (B.Node)
      for (const Piece *Text : {&B.Behaviour, &B.Cleanup})
        if (Text->Text.find("py_V") != std::string::npos)
          forEachUse(B, [&](unsigned N) { place(N).PythonSeen = true; });
  }
  for (const Block &B : P.Blocks)
    if (B.Kind == BlockKind::Temporary)
      place(B.Number).NoPython =
          !place(B.Number).PythonSeen && !names(B.Declare, "py_") &&
          !names(B.Behaviour, "py_") && !names(B.Cleanup, "py_");
}

/// Temporaries of numbers, mostly: without them a chain would be two ladders,
/// one of variables and one of applies, with everything crossing between.
void Planner::findFloating() {
  for (const Block &B : P.Blocks) {
    if (B.Kind != BlockKind::Temporary || B.InState ||
        !place(B.Number).NoPython || !saysNothing(B.Cleanup))
      continue;
    const Declarations &D = place(B.Number).Declared;
    place(B.Number).Floating =
        D.Plain && D.Names.front() == B.Name &&
        (saysNothing(B.Behaviour) || onlySetsName(B.Behaviour.Text, B.Name));
  }
}

void Planner::cut(const std::vector<const Block *> &From,
                  std::vector<Chunk> &To) {
  size_t Size = From.size() > O.SplitAbove ? std::max(O.ChunkSize, 1u)
                                           : std::max<size_t>(From.size(), 1);
  size_t At = 0;
  do {
    Chunk &C = To.emplace_back();
    size_t End = std::min(At + Size, From.size());
    // Its code sees what a validation declares.
    if (End < From.size() && From[End - 1]->Kind == BlockKind::Validate)
      ++End;
    C.Blocks.assign(&From.data()[At], &From.data()[End]);
    for (const Block *B : C.Blocks)
      C.Releases |= B->Var || !B->Cleanup.empty();
    At = End;
  } while (At < From.size());
}

void Planner::use(unsigned Number, unsigned ChunkIndex) {
  Placement &Pl = place(Number);
  Pl.First = std::min(Pl.First, ChunkIndex);
  Pl.Last = std::max(Pl.Last, ChunkIndex);
}

void Planner::findUses() {
  for (unsigned I = 0; I < L.Run.size(); ++I)
    for (const Block *B : L.Run[I].Blocks) {
      if (B->Var)
        place(B->Number).Home = I;
      forEachUse(*B, [&](unsigned N) { use(N, I); });
    }
}

void Planner::placeVariables() {
  for (const Block &B : P.Blocks) {
    if (!B.Var)
      continue;
    Placement &Pl = place(B.Number);
    if (Pl.Floating && Pl.First != ~0u) {
      Pl.Home = Pl.First;
      L.Run[Pl.First].Floating.push_back(B.Number);
    }
    Pl.Member = B.InState || (Pl.First != Pl.Last && Pl.First != ~0u);
    Pl.PythonMember =
        (B.InState && !Pl.NoPython) || (Pl.Member && Pl.PythonSeen);
    if (Pl.Member && !Pl.Known) {
      Pl.Declared = readDeclarations(B.Declare.Text);
      Pl.Known = true;
    }
  }
}

/// Which members the chunk needs, and how.
void Planner::reach(Chunk &C, unsigned Index, bool InRun) {
  auto Add = [](std::vector<unsigned> &List, unsigned N) { List.push_back(N); };
  // Where cleanups follow, a copy would have to be merged at every label.
  bool MayCopy = InRun && L.Split && !C.Releases;
  auto Reach = [&](unsigned N) {
    const Placement &Pl = place(N);
    if (!Pl.Member)
      return;
    bool Copy = MayCopy && Pl.Declared.Plain && !Pl.PythonSeen &&
                (Pl.Floating || Pl.Home != Index);
    Add(Copy ? C.Copied : C.Members, N);
  };
  for (unsigned N : C.Floating)
    Reach(N);
  for (const Block *B : C.Blocks) {
    forEachUse(*B, Reach);
    if (B->Node)
      Add(C.Structs, B->Node->index());
  }
  for (std::vector<unsigned> *List : {&C.Copied, &C.Members, &C.Structs}) {
    std::sort(List->begin(), List->end());
    List->erase(std::unique(List->begin(), List->end()), List->end());
  }
}

Layout Planner::run() {
  L.Places.resize(P.Blocks.size());
  gatherUses();
  std::vector<const Block *> Run, Keep;
  size_t InRun = 0;
  for (const Block &B : P.Blocks)
    InRun += !B.InState;
  L.Split = InRun > O.SplitAbove;
  findPythonless();
  if (L.Split) {
    for (const Block &B : P.Blocks)
      if (B.Var) {
        place(B.Number).Declared = readDeclarations(B.Declare.Text);
        place(B.Number).Known = true;
      }
    findFloating();
  }
  for (const Block &B : P.Blocks)
    if (B.InState)
      Keep.push_back(&B);
    else if (!place(B.Number).Floating)
      Run.push_back(&B);
  cut(Run, L.Run);
  cut(Keep, L.Keep);
  findUses();
  placeVariables();
  for (unsigned I = 0; I < L.Run.size(); ++I)
    reach(L.Run[I], I, true);
  for (unsigned I = 0; I < L.Keep.size(); ++I)
    reach(L.Keep[I], I, false);
  return std::move(L);
}

Layout clinch::makeLayout(const Blueprint &P, const AssembleOptions &O) {
  return Planner(P, O).run();
}
