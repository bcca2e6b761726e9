//===- Variables.cpp - The blocks of variables ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "clinch/Support/HugePages.h"

using namespace clinch;

void Builder::addBlock(const Variable &V, BlockKind Kind) {
  Block &B = P.Blocks.emplace_back();
  B.Number = unsigned(P.Blocks.size());
  B.Kind = Kind;
  B.Var = &V;
  B.Provider = &V.type();
  // An apply may have to write an output that the caller gives as an input;
  // that block is the apply's, and the variable keeps its own.
  if (!P.Numbers[V.index()])
    P.Numbers[V.index()] = B.Number;
}

/// A constant with a literal is that text wherever it is used.
Status Builder::addConstant(const Variable &V) {
  if (P.Numbers[V.index()] || !P.Names[V.index()].empty())
    return Status::success();
  Expected<std::string> Literal = V.type().c_literal(V);
  if (!Literal)
    return Literal.takeError();
  if (Literal->empty())
    addBlock(V, BlockKind::Constant);
  else
    P.Names[V.index()] = std::move(*Literal);
  return Status::success();
}

/// Inputs, constants, temporaries, outputs: the order of design point 1.
Status Builder::addVariables() {
  size_t Count = G.variables().size();
  // An apply has one block, seldom three.
  reserveRoom(P.Blocks, Count + P.Order.size() + P.Order.size() / 8);
  P.Names.resize(Count);
  P.Numbers.assign(Count, 0);
  IsInput.assign(Count, false);
  IsOutput.assign(Count, false);
  for (const Variable *V : G.inputs())
    if (!IsInput[V->index()]) {
      IsInput[V->index()] = true;
      addBlock(*V, BlockKind::Input);
    }
  for (const Variable *V : G.outputs())
    IsOutput[V->index()] = true;
  for (const Apply *A : P.Order) {
    for (const Variable *V : A->inputs())
      if (V->isConstant())
        if (Status S = addConstant(*V); !S.ok())
          return S;
    if (A->params() && !P.Numbers[A->params()->index()])
      addBlock(*A->params(), BlockKind::Constant);
  }
  for (const Apply *A : P.Order)
    for (const Variable *V : A->outputs())
      if (IsInput[V->index()] || !IsOutput[V->index()])
        addBlock(*V, BlockKind::Temporary);
  for (const Variable *V : G.outputs())
    if (V->owner() && !P.Numbers[V->index()])
      addBlock(*V, BlockKind::Output);
  return Status::success();
}

/// A user's name that could be one of ours, as `V3` is.
static bool looksMangled(const std::string &Name) {
  return Name.front() == 'V' && Name.size() > 1 &&
         Name.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// All names have the same length, so that no name begins another.
void Builder::nameVariables() {
  size_t Width = std::to_string(P.Blocks.size()).size();
  std::unordered_map<std::string, unsigned> Uses;
  for (Block &B : P.Blocks) {
    std::string Digits = std::to_string(B.Number);
    B.Name = "V" + std::string(Width - Digits.size(), '0') + Digits;
    B.Subject = displayName(B.Var->name());
    if (B.Subject.empty())
      B.Subject = "`" + B.Name + "`";
    else
      ++Uses[B.Subject];
    if (P.Numbers[B.Var->index()] == B.Number)
      P.Names[B.Var->index()] = B.Name;
    else
      P.Shadows.emplace(B.Var, B.Number);
  }
  for (Block &B : P.Blocks) {
    if (B.Var->name().empty())
      continue;
    if (Uses[B.Subject] == 1 && !looksMangled(B.Subject))
      B.Subject = "`" + B.Subject + "`";
    else
      B.Subject = "`" + B.Subject + "` (" + B.Name + ")";
  }
}

/// A variable is checked when any Op that reads it wants that, or none reads.
void Builder::findChecks() {
  std::vector<bool> HasClient(G.variables().size(), false);
  Check.assign(G.variables().size(), false);
  MakerChecks.assign(G.variables().size(), false);
  for (const Apply *A : P.Order) {
    bool Wants = A->op().checkInput();
    for (const Variable *V : A->inputs()) {
      HasClient[V->index()] = true;
      if (Wants)
        Check[V->index()] = true;
    }
    for (const Variable *V : A->outputs())
      MakerChecks[V->index()] = Wants;
  }
  for (size_t I = 0; I < Check.size(); ++I)
    if (!HasClient[I])
      Check[I] = true;
}

void Builder::setVariableSub(const Block &B) {
  std::string Id = std::to_string(B.Number);
  for (Substitutions *Sub : {&Failing, &NoFail}) {
    Sub->set("name", B.Name);
    Sub->set("py_ptr", "py_" + B.Name);
    Sub->set("stor_ptr", "storage_" + B.Name);
    Sub->set("failure_var", "failure");
    Sub->set("id", Id);
  }
  Failing.set("fail", failTo(B.Number, failLabel(B.Number)));
}

/// What the block does when it is opened: it takes its value from the cell, or
/// gives it a safe one.
Status Builder::behave(Block &B, const Type &T, const VariableArgs &A) {
  switch (B.Kind) {
  case BlockKind::Input:
  case BlockKind::Constant:
    return take(B.Behaviour, T.c_extract(A), "c_extract", A.Sub, T, B.Subject);
  case BlockKind::Output: {
    Expected<bool> Simple = T.c_is_simple();
    if (!Simple)
      return Simple.takeError();
    if (!*Simple && !NoRecycling.count(B.Var))
      return take(B.Behaviour, T.c_extract_out(A), "c_extract_out", A.Sub, T,
                  B.Subject);
    break;
  }
  default:
    break;
  }
  return take(B.Behaviour, T.c_init(A), "c_init", A.Sub, T, B.Subject);
}

/// Struct form keeps constants, and temporaries that are worth keeping.
Status Builder::place(Block &B, const Type &T) {
  if (P.Shape != Form::Struct)
    return Status::success();
  if (B.Kind == BlockKind::Temporary && !NoRecycling.count(B.Var)) {
    Expected<bool> Simple = T.c_is_simple();
    if (!Simple)
      return Simple.takeError();
    B.InState = !*Simple;
  }
  if (B.Kind == BlockKind::Constant)
    B.InState = true;
  return Status::success();
}

Status Builder::callType(Block &B) {
  const Type &T = B.Var->type();
  setVariableSub(B);
  // The Op that makes a variable needs what c_declare adds for checks, and is
  // the one who asks how storage to reuse is looked at.
  size_t I = B.Var->index();
  bool Checked = B.Kind == BlockKind::Output ? MakerChecks[I] : Check[I];
  bool Declared = Check[I] || MakerChecks[I];
  VariableArgs May{B.Name, Failing, Checked, B.Subject},
      MayNot{B.Name, NoFail, Declared, B.Subject};
  if (Known.insert(&T).second)
    Providers.push_back(&T);
  if (Status S = place(B, T); !S.ok())
    return S;
  if (Status S = take(B.Declare, T.c_declare(MayNot), "c_declare", NoFail, T,
                      B.Subject);
      !S.ok())
    return S;
  if (Status S = checkDeclares(B); !S.ok())
    return S;
  if (Status S = behave(B, T, May); !S.ok())
    return S;
  if (B.Kind == BlockKind::Output) {
    Substitutions AtSync = O.SyncMayFail ? Failing : NoFail;
    if (O.SyncMayFail)
      AtSync.set("fail", failTo(B.Number, syncFailLabel(B.Number)));
    if (Status S = take(B.Sync, T.c_sync({B.Name, AtSync, Declared, B.Subject}),
                        "c_sync", AtSync, T, B.Subject);
        !S.ok())
      return S;
  }
  return take(B.Cleanup, T.c_cleanup(MayNot), "c_cleanup", NoFail, T,
              B.Subject);
}

Status Builder::callTypes() {
  for (Block &B : P.Blocks)
    if (Status S = callType(B); !S.ok())
      return S;
  // A literal needs its Type's headers too.
  for (const Apply *A : P.Order)
    for (const Variable *V : A->inputs())
      if (Known.insert(&V->type()).second)
        Providers.push_back(&V->type());
  return Status::success();
}
