// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From blocks to text.

#include "Emitter.h"
#include "Layout.h"
#include "Writer.h"
#include "lib/Assembler/Assembler.h"
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

namespace {

/// Returns the user's name, or `%3` in order of creation.
std::string variableName(const Variable &V) {
  return V.name().empty() ? "%" + std::to_string(V.index())
                          : displayName(V.name());
}

std::string typedName(const Variable &V) {
  return variableName(V) + ": " + V.type().className();
}

template <typename List, typename Fn>
std::string join(const List &Items, Fn Show) {
  std::string Out;
  for (const auto &Item : Items) {
    if (!Out.empty())
      Out += ", ";
    Out += Show(*Item);
  }
  return Out;
}

std::string aliasText(const char *Name, const AliasMap &Map) {
  std::string Out;
  for (const auto &[Output, Inputs] : Map)
    for (unsigned I : Inputs)
      Out += std::string(" ") + Name + "(" + std::to_string(Output) + " <- " +
             std::to_string(I) + ")";
  return Out;
}

} // namespace

static Expected<std::string> emitGraph(const Graph &G,
                                       const AssembleOptions &) {
  CLINCH_TRY_ASSIGN(auto Order, G.order());
  std::string Out = "inputs: " + join(G.inputs(), typedName) + "\n";
  std::vector<bool> Shown(G.variables().size(), false);
  auto Constant = [&](const Variable *V) {
    if (!V || !V->isConstant() || Shown[V->index()])
      return;
    Shown[V->index()] = true;
    Expected<std::string> Literal = V->type().c_literal(*V);
    Out += "constant: " + typedName(*V);
    Out += Literal && !Literal->empty() ? " = " + *Literal + "\n" : "\n";
  };
  for (const Apply *A : Order) {
    for (const Variable *V : A->inputs())
      Constant(V);
    Constant(A->info().Params);
  }
  for (const Variable *V : G.outputs())
    Constant(V);
  for (const Apply *A : Order) {
    Out += join(A->outputs(), typedName) + " = " + A->op().className() + "(" +
           join(A->inputs(), variableName);
    if (A->info().Params)
      Out += "; " + variableName(*A->info().Params);
    Out += ")" + aliasText("views", A->op().viewMap()) +
           aliasText("destroys", A->op().destroyMap());
    Out +=
        A->info().Creation.empty() ? "\n" : "  // " + A->info().Creation + "\n";
  }
  return Out + "outputs: " + join(G.outputs(), variableName) + "\n";
}

static const char *roleName(BlockKind K) {
  switch (K) {
  case BlockKind::Input:
    return "input";
  case BlockKind::Constant:
    return "constant";
  case BlockKind::Temporary:
    return "temporary";
  case BlockKind::Output:
    return "output";
  case BlockKind::InitStruct:
    return "struct";
  case BlockKind::Validate:
    return "validate";
  case BlockKind::Code:
    break;
  }
  return "code";
}

/// Adds the text under a heading, a bar before each line.
static void addPiece(std::string &Out, const char *Role, const Piece &Text) {
  if (Text.empty())
    return;
  Out += std::string("  ") + Role + " " + Text.Hook + "\n";
  std::string_view Left = Text.Text;
  while (!Left.empty()) {
    size_t End = Left.find('\n');
    std::string_view Line = Left.substr(0, End);
    Left.remove_prefix(End == Left.npos ? Left.size() : End + 1);
    if (!Line.empty() || !Left.empty())
      Out += "    | " + std::string(Line) + "\n";
  }
}

static Expected<std::string> emitBlocks(const Graph &G,
                                        const AssembleOptions &O) {
  CLINCH_TRY_ASSIGN(Blueprint P, buildBlueprint(G, O));
  std::string Out;
  for (const Block &B : P.Blocks) {
    Out += "block " + std::to_string(B.Number) + ": " + roleName(B.Kind) + " " +
           B.Subject + ", `" + B.Provider->className() + "`";
    if (B.Var && B.Subject != "`" + B.Name + "`")
      Out += ", " + B.Name;
    Out += !B.InState ? "\n" : B.inRun() ? ", kept\n" : ", in init\n";
    addPiece(Out, "declare", B.Declare);
    addPiece(Out, "behaviour", B.Behaviour);
    if (B.Syncs)
      addPiece(Out, "sync", B.Syncs->Own);
    addPiece(Out, "cleanup", B.Cleanup);
  }
  return Out;
}

/// Lists what is released when the block closes, in init or in a run.
static std::string releases(const Block &B, const Layout &L, bool Init) {
  std::string Out;
  auto Add = [&](const std::string &What) {
    Out += (Out.empty() ? "" : ", ") + What;
  };
  if (B.Syncs && !B.Syncs->Own.empty() && !Init)
    Add(std::string(B.Syncs->Own.Hook) + " if nothing failed");
  if (!B.Cleanup.empty() && B.InState == Init)
    Add(B.Cleanup.Hook);
  if (B.Var && !L.Places[B.Number - 1].NoPython)
    Add("py_" + B.Name);
  return Out.empty() ? "nothing" : Out;
}

static Expected<std::string> emitLabels(const Graph &G,
                                        const AssembleOptions &O) {
  CLINCH_TRY_ASSIGN(Blueprint P, buildBlueprint(G, O));
  Layout L = makeLayout(P, O);
  Table T({"in", "number", "label", "what fails there", "its cleanup releases",
           "then"});
  for (bool Init : {true, false}) {
    const char *In = P.Shape == Form::Function ? "call" : Init ? "init" : "run";
    std::string Then = "return";
    for (const Block &B : P.Blocks) {
      if (Init ? !B.InState : !B.inRun())
        continue;
      bool Opens = B.InState == Init && !B.Behaviour.empty();
      std::string Label = failLabel(B.Number);
      T.add({In, std::to_string(B.Number), Label,
             Opens ? B.failing() : "nothing", releases(B, L, Init), Then});
      Then = Label;
    }
  }
  return T.render();
}

static Expected<std::string> emitC(const Graph &G, const AssembleOptions &O) {
  CLINCH_TRY_ASSIGN(ThunkSource Source, assemble(G, O));
  return std::move(Source.Source.Text);
}

namespace {
struct EmittedStage {
  std::string_view Name;
  Expected<std::string> (*Emit)(const Graph &, const AssembleOptions &);
};
} // namespace

static constexpr EmittedStage Stages[] = {{"graph", emitGraph},
                                          {"blocks", emitBlocks},
                                          {"labels", emitLabels},
                                          {"c", emitC}};

Expected<std::string> clinch::emit(std::string_view Stage, const Graph &G,
                                   const AssembleOptions &O) {
  for (const EmittedStage &S : Stages)
    if (S.Name == Stage)
      return S.Emit(G, O);
  return Error(Error::Kind::InvalidArgument,
               "There is no stage `" + std::string(Stage) + "`.");
}
