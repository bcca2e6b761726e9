// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function a block is in.

#include "Layout.h"
#include "lib/Support/Lexer.h"

#include <algorithm>
#include <span>

using namespace clinch;

namespace {

class LayoutMaker {
public:
  LayoutMaker(const Blueprint &P, const AssembleOptions &O)
      : P(P), SplitAbove(O.SplitAbove), ChunkSize(std::max(O.ChunkSize, 1u)) {
    fitChunksToText();
  }
  Layout run();

private:
  void fitChunksToText();
  void readBlocks();
  void findNamed();
  bool needsNames(const Block &B) const;
  void readTemporary(const Block &B);
  void cut(std::span<const unsigned> From, std::vector<Chunk> &To);
  void findUses();
  void placeVariables();
  bool mayBeCopied(const Declarations &D) const;
  bool says(const Chunk &C, bool (*What)(std::string_view),
            bool InMacros) const;
  void chooseNames(Chunk &C) const;
  void reach(Chunk &C, unsigned Index, bool InRun);
  /// The numbers of all variables that block \p Number may touch.
  std::span<const unsigned> uses(unsigned Number) const {
    const Facts &F = Of[Number - 1];
    return {P.Uses.data() + F.FirstUse, P.Uses.data() + F.LastUse};
  }
  Placement &place(unsigned Number) { return L.Places[Number - 1]; }
  const Block &block(unsigned Number) const { return P.Blocks[Number - 1]; }
  unsigned numberOf(const Block *B) const {
    return unsigned(B - P.Blocks.data()) + 1;
  }

  /// What the steps need of a block repeatedly. The blocks of a large graph
  /// exceed the processor's caches, so each is read once.
  struct Facts {
    unsigned FirstUse, LastUse;
    bool IsVariable, InState, Validates, Releases;
  };

  const Blueprint &P;
  unsigned SplitAbove, ChunkSize; ///< In blocks.
  Layout L;
  std::vector<Facts> Of; ///< [number - 1]
};

/// Returns whether \p Text is only comments and white space.
bool saysNothing(const Piece &Text) {
  return Text.empty() || Lexer(Text.Text).next().What == Token::End;
}

bool names(const Piece &Text, const char *What) {
  return Text.Text.find(What) != std::string::npos;
}

/// Returns whether an apply's code names Python objects of its variables.
bool seesPython(const Block &B, const AuthorMacros &Macros) {
  return B.Syncs || namesPython(B.Behaviour.Text, "py_V", Macros) ||
         namesPython(B.Cleanup.Text, "py_V", Macros);
}

/// Returns whether some `[` of C++ may begin a lambda: no operand is before it.
bool mayCapture(std::string_view Text) {
  Lexer L(Text);
  Token Last;
  for (Token T = L.next(); T.What != Token::End; Last = T, T = L.next()) {
    bool Keyword = Last.is("return") || Last.is("else") || Last.is("do");
    bool Operand = (Last.What == Token::Identifier && !Keyword) ||
                   Last.is(')') || Last.is(']');
    if (T.is('[') && !Operand)
      return true;
  }
  return false;
}

/// Matches `name = constant;`, which cannot fail, call, or have side effects.
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

bool clinch::typeNamesPython(const Block &B, const AuthorMacros &Macros) {
  return namesPython(B.Declare.Text, "py_", Macros) ||
         namesPython(B.Behaviour.Text, "py_", Macros) ||
         namesPython(B.Cleanup.Text, "py_", Macros);
}

void LayoutMaker::readBlocks() {
  size_t InRun = 0;
  Of.reserve(P.Blocks.size());
  for (const Block &B : P.Blocks) {
    InRun += B.inRun();
    Of.push_back({B.FirstUse, B.LastUse, B.isVariable(), B.InState,
                  B.Kind == BlockKind::Validate,
                  B.isVariable() || !B.Cleanup.empty()});
    if (!B.isVariable() && seesPython(B, P.Macros))
      for (unsigned N : uses(B.Number))
        place(N).PythonSeen = true;
  }
  findNamed();
  L.Split = InRun > SplitAbove;
  for (unsigned Number = 1; Number <= P.Variables; ++Number)
    if (block(Number).Kind == BlockKind::Temporary)
      readTemporary(block(Number));
}

/// In C a member's name is a macro, which a macro with parameters expands
/// before another one pastes it. In C++ a lambda can capture no member.
bool LayoutMaker::needsNames(const Block &B) const {
  AuthorMacros Own;
  Own.add(B.Behaviour.Text);
  Own.add(B.Cleanup.Text);
  const bool InCXX = P.Options.Lang == Language::CXX;
  const bool Hides =
      InCXX ? P.Macros.Bracket || Own.Bracket : P.Macros.Paste || Own.Paste;
  auto Needs = [&](const Piece &Text) {
    if (InCXX && mayCapture(Text.Text))
      return true;
    return Hides &&
           (usesAny(Text.Text, InCXX ? P.Macros.All : P.Macros.Functions) ||
            usesAny(Text.Text, InCXX ? Own.All : Own.Functions));
  };
  return Needs(B.Behaviour) || Needs(B.Cleanup) ||
         (B.Syncs && Needs(B.Syncs->Own));
}

void LayoutMaker::findNamed() {
  for (const Block &B : P.Blocks)
    if (needsNames(B))
      for (unsigned N : uses(B.Number))
        place(N).Named = true;
}

/// A temporary whose Python object no text names needs no reference to `None`.
/// A plain number needs no nested block either; otherwise a chain of applies
/// would be two ladders, one of variables and one of applies.
void LayoutMaker::readTemporary(const Block &B) {
  Placement &Pl = place(B.Number);
  Pl.NoPython = !Pl.PythonSeen && !typeNamesPython(B, P.Macros);
  if (!L.Split || B.InState || !Pl.NoPython || !saysNothing(B.Cleanup))
    return;
  Declarations D = readDeclarations(B.Declare.Text);
  Pl.Floating =
      D.Plain && D.Names.front() == B.Name &&
      (saysNothing(B.Behaviour) || onlySetsName(B.Behaviour.Text, B.Name));
  // Only `number name;`, no pointer: its pointee type may be a macro.
  Pl.Harmless = Pl.Floating && isBlank(D.Types) && !names(B.Declare, "*");
  L.Harmless += Pl.Harmless;
}

/// Puts fewer blocks into a function if the hooks' texts are long.
void LayoutMaker::fitChunksToText() {
  constexpr size_t LongText = 65536, OneFunction = 32768;
  if (P.TextBytes <= LongText || P.Blocks.empty())
    return;
  size_t EachBlock = P.TextBytes / P.Blocks.size() + 1;
  size_t Fitting = std::max<size_t>(OneFunction / EachBlock, 4);
  if (Fitting >= ChunkSize)
    return;
  ChunkSize = unsigned(Fitting);
  SplitAbove = std::min(SplitAbove, 2 * ChunkSize);
}

void LayoutMaker::cut(std::span<const unsigned> From, std::vector<Chunk> &To) {
  size_t Size =
      From.size() > SplitAbove ? ChunkSize : std::max<size_t>(From.size(), 1);
  size_t At = 0;
  do {
    Chunk &C = To.emplace_back();
    size_t End = std::min(At + Size, From.size());
    // The code block must see what its validation declares.
    if (End < From.size() && Of[From[End - 1] - 1].Validates)
      ++End;
    C.Blocks.reserve(End - At);
    for (unsigned Number : From.subspan(At, End - At)) {
      C.Blocks.push_back(&block(Number));
      C.Releases |= Of[Number - 1].Releases;
    }
    At = End;
  } while (At < From.size());
}

void LayoutMaker::findUses() {
  for (unsigned I = 0; I < L.Run.size(); ++I)
    for (const Block *B : L.Run[I].Blocks) {
      unsigned Number = numberOf(B);
      if (Of[Number - 1].IsVariable)
        place(Number).Home = I;
      for (unsigned N : uses(Number)) {
        Placement &Pl = place(N);
        Pl.First = std::min(Pl.First, I);
        Pl.Last = std::max(Pl.Last, I);
      }
    }
}

void LayoutMaker::placeVariables() {
  for (unsigned Number = 1; Number <= P.Variables; ++Number) {
    Placement &Pl = place(Number);
    bool InState = Of[Number - 1].InState;
    if (Pl.Floating && Pl.First != ~0u) {
      Pl.Home = Pl.First;
      L.Run[Pl.First].Floating.push_back(Number);
    }
    Pl.Member = InState || (Pl.First != Pl.Last && Pl.First != ~0u);
    Pl.PythonMember = (InState && !Pl.NoPython) || (Pl.Member && Pl.PythonSeen);
    if (Pl.Member)
      Pl.Declared = std::make_unique<Declarations>(
          readDeclarations(block(Number).Declare.Text));
  }
}

/// An array cannot be copied, and an object of C++ should not be.
bool LayoutMaker::mayBeCopied(const Declarations &D) const {
  return P.Options.Lang == Language::CXX
             ? D.Numbers
             : D.Members.find('[') == D.Members.npos;
}

/// Whether \p What is true of a text of \p C; \p InMacros: of a macro of
/// theirs.
bool LayoutMaker::says(const Chunk &C, bool (*What)(std::string_view),
                       bool InMacros) const {
  auto Says = [&](const std::string &Text) {
    return What(Text) || (InMacros && usesAny(Text, P.Macros.All));
  };
  return std::any_of(C.Blocks.begin(), C.Blocks.end(), [&](const Block *B) {
    return Says(B->Behaviour.Text) || Says(B->Cleanup.Text) ||
           (B->Syncs && Says(B->Syncs->Own.Text));
  });
}

/// A member is a structured binding where lambdas may capture it. Clang's
/// regions of OpenMP take none: beside them it is a reference, unless a text
/// may see that by `decltype`.
void LayoutMaker::chooseNames(Chunk &C) const {
  if (C.Bound.empty() || !says(C, mayUseOpenMP, P.Macros.OpenMP))
    return;
  C.ByReference = true;
  if (says(C, asksForTypes, P.Macros.Types))
    C.Bound.clear();
}

/// Finds the members that the chunk needs, and whether it copies them.
void LayoutMaker::reach(Chunk &C, unsigned Index, bool InRun) {
  // If cleanups follow, a copy would have to be merged at every label.
  bool MayCopy = InRun && L.Split && !C.Releases;
  auto Reach = [&](unsigned N) {
    const Placement &Pl = place(N);
    if (!Pl.Member)
      return;
    bool Copy = MayCopy && Pl.Declared->Plain && !Pl.PythonSeen &&
                (Pl.Floating || Pl.Home != Index);
    Copy |= InRun && Pl.Named && mayBeCopied(*Pl.Declared);
    (Copy ? C.Copied : C.Members).push_back(N);
    if (InRun && Pl.Named && !Copy && P.Options.Lang == Language::CXX)
      C.Bound.push_back(N);
  };
  for (unsigned N : C.Floating)
    Reach(N);
  for (const Block *B : C.Blocks) {
    unsigned Number = numberOf(B);
    for (unsigned N : uses(Number))
      Reach(N);
    if (!P.StructSupport.empty() && !Of[Number - 1].IsVariable)
      C.Structs.push_back(B->Node->index());
  }
  chooseNames(C);
  for (auto *List : {&C.Copied, &C.Members, &C.Bound, &C.Structs}) {
    std::sort(List->begin(), List->end());
    List->erase(std::unique(List->begin(), List->end()), List->end());
  }
}

Layout LayoutMaker::run() {
  L.Places.resize(size_t(
      std::partition_point(P.Blocks.begin(), P.Blocks.end(),
                           [](const Block &B) { return B.isVariable(); }) -
      P.Blocks.begin()));
  readBlocks();
  std::vector<unsigned> Run, Keep;
  Run.reserve(P.Blocks.size());
  for (unsigned Number = 1; Number <= P.Blocks.size(); ++Number) {
    if (Of[Number - 1].InState)
      Keep.push_back(Number);
    if (block(Number).inRun() &&
        (!Of[Number - 1].IsVariable || !place(Number).Floating))
      Run.push_back(Number);
  }
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
  return LayoutMaker(P, O).run();
}

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
