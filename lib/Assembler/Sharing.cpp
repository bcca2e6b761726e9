//===- Sharing.cpp - Texts that many thunks have in common ---------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"

#include "CommonText.h"
#include "Remembered.h"

#include "clinch/Support/Hash.h"
#include "clinch/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

Sharing::Sharing(const Blueprint &P, const Layout &L)
    : P(P), L(L), Calls(P.Blocks.size()) {
  readFacts();
  addCommon();
  for (const Block &B : P.Blocks)
    if (B.Var)
      shareVariable(B);
  findCode();
  addMath();
  findOpaque();
  findNeeds();
}

/// `* V3;`, and nothing else in the text declares a variable.
static bool isPointer(const Declarations &D, const std::string &Name) {
  Token Before, Last;
  Lexer In(D.Members);
  for (Token T = In.next(); T.What != Token::End; T = In.next()) {
    if (T.is(Name))
      Last = Before;
    Before = T;
  }
  return D.Names.size() == 1 && D.Names.front() == Name && Last.is('*');
}

void Sharing::readFacts() {
  Known.resize(P.Blocks.size());
  for (const Block &B : P.Blocks) {
    if (!B.Var) {
      if (B.Kind != BlockKind::Code)
        HasMore.insert(B.Node);
      continue;
    }
    Declarations D = readDeclarations(B.Declare.Text);
    Facts &F = Known[B.Number - 1];
    F.Plain = !D.Names.empty() && D.Plain && !D.Functions && !D.Initialised &&
              !B.Declare.Source;
    F.Pointer = F.Plain && isPointer(D, B.Name);
    F.Names = std::move(D.Names);
  }
  for (const StructPiece &S : P.StructSupport)
    HasMore.insert(S.Node);
}

/// The variables that an apply's text may name, each once.
std::vector<const Block *> Sharing::variablesOf(const Block &B) const {
  std::vector<const Block *> Result;
  auto Add = [&](unsigned Number) {
    const Block *V = Number ? &P.Blocks[Number - 1] : nullptr;
    if (V && std::find(Result.begin(), Result.end(), V) == Result.end())
      Result.push_back(V);
  };
  for (const Variable *V : B.Node->inputs())
    Add(P.Numbers[V->index()]);
  for (const Variable *V : B.Node->outputs())
    Add(P.outputNumber(V));
  if (const Variable *V = B.Node->params())
    Add(P.Numbers[V->index()]);
  return Result;
}

std::vector<std::string> Sharing::argumentsOf(const Block &B) const {
  std::vector<std::string> Result;
  auto Add = [&](const Block &V) {
    for (const std::string &Name : Known[V.Number - 1].Names)
      Result.push_back(Name);
  };
  if (B.Var)
    Add(B);
  else
    for (const Block *V : variablesOf(B))
      Add(*V);
  return Result;
}

static bool isUsed(const std::vector<const void *> &Users,
                   const std::vector<const void *> &Ours) {
  return std::any_of(Users.begin(), Users.end(), [&](const void *U) {
    return !U || std::find(Ours.begin(), Ours.end(), U) != Ours.end();
  });
}

/// What \p F needs at global scope: all that its Types and its Op say there.
bool Sharing::addGlobals(Function &F, const SharedNames &Names) const {
  std::string Code; // Python.h is among the precompiled headers.
  for (const Include &I : P.Includes)
    if (isUsed(I.Users, F.Users))
      Code += "#include " + I.Header + "\n";
  Code += "extern \"C\" void clinch_thrown(const char *, const char *) "
          "noexcept;\n";
  auto Add = [&](const GlobalPiece &G) {
    auto Text = Names.applyGlobally(G.Text.Text);
    if (Text)
      Code += *Text + "\n";
    return Text.has_value();
  };
  for (const GlobalPiece &G : P.Support)
    if (isUsed(G.Users, F.Users) && !Add(G))
      return false;
  F.Support = std::move(Code);
  return addInit(F, Names);
}

/// What its text needs to be run when it is loaded.
bool Sharing::addInit(Function &F, const SharedNames &Names) const {
  std::string Init;
  bool OnlyNumPy = true;
  for (const GlobalPiece &G : P.InitCode)
    if (isUsed(G.Users, F.Users)) {
      auto Text = Names.applyGlobally(G.Text.Text);
      if (!Text)
        return false;
      OnlyNumPy &= isNumPyImport(G);
      Init += "{\n" + *Text + "\n}\n";
    }
  if (Init.empty())
    return true;
  F.HasModuleInit = !OnlyNumPy;
  F.Support += OnlyNumPy
                   ? std::string(NumPyTable)
                   : "static void *clinch_init_code(void)\n{\n" + Init +
                         "return Py_None;\n}\nextern \"C\" int "
                         "clinch_module_init(void)\n{\n  return "
                         "clinch_init_code() && !PyErr_Occurred() ? 0 : -1;"
                         "\n}\n";
  return true;
}

std::string
Sharing::hashOf(std::initializer_list<std::string_view> Parts) const {
  KeyBuilder K;
  K.add(uint64_t(P.SyncMayFail));
  for (std::string_view Part : Parts)
    K.add(Part);
  return K.finish();
}

static const Piece &syncOf(const Block &B) {
  static const Piece None;
  return B.Syncs ? B.Syncs->Own : None;
}

std::optional<Sharing::Function>
Sharing::variableFunction(const Block &B) const {
  SharedNames Names(P.Order.size() < TooManyToRemember);
  Names.add(B.Name, "Vx0");
  auto Declare = Names.apply(B.Declare.Text, "");
  auto First =
      Names.apply(B.Behaviour.Text, failTo(B.Number, failLabel(B.Number)));
  auto Sync =
      Names.apply(syncOf(B).Text, failTo(B.Number, syncFailLabel(B.Number)));
  auto Last = Names.apply(B.Cleanup.Text, "");
  if (!Declare || !First || !Sync || !Last)
    return std::nullopt;
  Function F;
  F.Of = &B;
  F.Variables = {&B};
  F.Users = {B.Provider};
  F.Declares = {std::move(*Declare)};
  F.First = std::move(*First);
  F.Sync = std::move(*Sync);
  F.Last = std::move(*Last);
  if (!addGlobals(F, Names))
    return std::nullopt;
  F.Hash =
      hashOf({"variable", std::to_string(int(B.Kind)), B.Behaviour.Hook,
              B.Provider->className(), F.Declares[0], F.First, F.Sync, F.Last,
              F.Support, L.Places[B.Number - 1].NoPython ? "without" : "with"});
  return F;
}

void Sharing::shareVariable(const Block &B) {
  size_t Size =
      B.Behaviour.Text.size() + syncOf(B).Text.size() + B.Cleanup.Text.size();
  if (!Known[B.Number - 1].Plain || L.Places[B.Number - 1].Floating ||
      B.Behaviour.Source || syncOf(B).Source || B.Cleanup.Source ||
      (B.Cleanup.empty() && Size < ShortText))
    return;
  auto F = variableFunction(B);
  if (!F)
    return;
  SharedCalls &C = Calls[B.Number - 1];
  C.Open = "clinch_open_" + F->Hash;
  C.Close = "clinch_close_" + F->Hash;
  if (Written.insert(F->Hash).second)
    writeVariable(*F);
}

std::optional<Sharing::Function> Sharing::codeFunction(const Block &B) const {
  const std::string &Text = B.Behaviour.Text;
  if (HasMore.count(B.Node) || (B.Syncs && !B.Syncs->PythonFirst.empty()) ||
      !B.Cleanup.empty() || B.Behaviour.Source ||
      Text.find("py_V") != Text.npos || Text.find("storage_V") != Text.npos)
    return std::nullopt;
  Function F;
  F.Of = &B;
  F.Variables = variablesOf(B);
  F.Users = {B.Provider, B.Node};
  SharedNames Names(P.Order.size() < TooManyToRemember);
  Names.add(B.Name, "node_x");
  for (size_t I = 0; I < F.Variables.size(); ++I)
    Names.add(F.Variables[I]->Name, "Vx" + std::to_string(I));
  std::string Declares;
  for (const Block *V : F.Variables) {
    auto Declare = Names.apply(V->Declare.Text, "");
    if (!Known[V->Number - 1].Plain || !Declare)
      return std::nullopt;
    F.Users.push_back(V->Provider);
    Declares += *Declare + "\n";
    F.Declares.push_back(std::move(*Declare));
  }
  auto Code = Names.apply(Text, failTo(B.Number, failLabel(B.Number)));
  if (!Code || !addGlobals(F, Names))
    return std::nullopt;
  F.First = std::move(*Code);
  F.Hash =
      hashOf({"code", B.Provider->className(), Declares, F.First, F.Support});
  return F;
}

/// Of each variable; then they are found by pointers, each to one of a known
/// size, and nothing has to be said between the calls.
bool Sharing::variablesAreFunctions() const {
  return P.StructSupport.empty() && !P.CheckPending &&
         std::all_of(
             P.Blocks.begin(), P.Blocks.begin() + ptrdiff_t(P.Variables),
             [&](const Block &B) {
               return Known[B.Number - 1].Pointer && !calls(B).Open.empty();
             });
}

/// Those whose code is not shorter than \p Shortest.
std::vector<Sharing::Function> Sharing::findFunctions(size_t Shortest) const {
  std::vector<Function> Found;
  for (const Block &B : P.Blocks)
    if (B.Kind == BlockKind::Code && B.Behaviour.Text.size() >= Shortest)
      if (auto F = codeFunction(B))
        Found.push_back(std::move(*F));
  return Found;
}

/// A loop is most often what is new in a thunk. Where the thunk has a text for
/// other reasons, one more function for it alone would only cost; it is shared
/// where the thunk has it twice.
void Sharing::findCode() {
  bool Possible = variablesAreFunctions();
  std::vector<Function> Found = findFunctions(Possible ? 0 : ShortText);
  Complete = Possible && Found.size() == P.Blocks.size() - P.Variables;
  std::unordered_map<std::string, unsigned> Times;
  for (const Function &F : Found)
    ++Times[F.Hash];
  for (const Function &F : Found) {
    bool New = Times[F.Hash] < 2 && hasLoop(F.First);
    if (!Complete && (New || F.Of->Behaviour.Text.size() < ShortText))
      continue;
    Calls[F.Of->Number - 1].Code = "clinch_code_" + F.Hash;
    if (!Written.insert(F.Hash).second)
      continue;
    if (New)
      writeLoop(F);
    else
      writeCode(F);
  }
}

void Sharing::findOpaque() {
  for (const Block &B : P.Blocks)
    if (B.Var)
      Calls[B.Number - 1].Opaque =
          Known[B.Number - 1].Pointer && !Calls[B.Number - 1].Open.empty();
  for (const Block &B : P.Blocks) {
    if (B.Var || (B.Kind == BlockKind::Code && !calls(B).Code.empty()))
      continue;
    for (const Block *V : variablesOf(B))
      Calls[V->Number - 1].Opaque = false;
  }
}

void Sharing::findNeeds() {
  for (const Block &B : P.Blocks)
    if (B.Var ? !calls(B).Opaque : calls(B).Code.empty()) {
      Needed.insert(B.Provider);
      if (B.Node)
        Needed.insert(B.Node);
    }
  // A literal's Type has no block.
  for (const Apply *A : P.Order)
    for (const Variable *V : A->inputs())
      if (!P.Numbers[V->index()])
        Needed.insert(&V->type());
}

bool Sharing::needs(const std::vector<const void *> &Users) const {
  return std::any_of(Users.begin(), Users.end(),
                     [&](const void *U) { return !U || Needed.count(U); });
}
