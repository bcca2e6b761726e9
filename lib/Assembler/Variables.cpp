// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of variables.

#include "Builder.h"

using namespace clinch;

void Builder::plan(const Variable &V, BlockKind Kind) {
  About[V.index()].HasBlock = true;
  Planned.emplace_back(&V, Kind);
}

/// A constant with a literal gets no block; the literal replaces its name.
Status Builder::planConstant(const Variable &V) {
  if (About[V.index()].HasBlock || !P.Names[V.index()].empty())
    return Status::success();
  CLINCH_TRY_ASSIGN(std::string Literal, V.type().c_literal(V));
  if (Literal.empty()) {
    plan(V, BlockKind::Constant);
  } else {
    Piece Text;
    Text.Hook = "c_literal";
    Text.Text = Literal;
    CLINCH_TRY(check(Text, V.type(), displayName(V.name())));
    P.Names[V.index()] = std::move(Literal);
    LiteralTypes.push_back(&V.type());
  }
  return Status::success();
}

/// A variable is checked if any of its readers wants that, or if it has none.
Status Builder::planApply(const Apply &A,
                          std::vector<const Variable *> &Temporaries) {
  bool Wants = A.op().checkInput();
  for (const Variable *V : A.inputs()) {
    VariableFacts &F = About[V->index()];
    F.HasReader = true;
    F.ReaderChecks |= Wants;
    if (V->isConstant())
      CLINCH_TRY(planConstant(*V));
  }
  if (const Variable *V = A.info().Params; V && !About[V->index()].HasBlock)
    plan(*V, BlockKind::Constant);
  for (const Variable *V : A.outputs()) {
    VariableFacts &F = About[V->index()];
    F.MakerChecks = Wants;
    if (F.IsInput || !F.IsOutput)
      Temporaries.push_back(V);
  }
  return Status::success();
}

/// Plans inputs, constants, temporaries and outputs, in this order. The graph
/// may be large, so it is walked once.
Status Builder::planVariables() {
  About.resize(G.variables().size());
  P.Names.resize(G.variables().size());
  for (const Variable *V : G.inputs())
    if (!About[V->index()].IsInput) {
      About[V->index()].IsInput = true;
      plan(*V, BlockKind::Input);
    }
  for (const Variable *V : G.outputs())
    About[V->index()].IsOutput = true;
  std::vector<const Variable *> Temporaries;
  Temporaries.reserve(P.Order.size());
  Planned.reserve(G.variables().size());
  for (const Apply *A : P.Order)
    CLINCH_TRY(planApply(*A, Temporaries));
  for (const Variable *V : Temporaries)
    Planned.emplace_back(V, BlockKind::Temporary);
  for (const Variable *V : G.outputs())
    if (V->owner() && !About[V->index()].HasBlock)
      plan(*V, BlockKind::Output);
  return Status::success();
}

/// Returns whether a user's name could be one of ours, such as `V3`.
static bool looksMangled(const std::string &Name) {
  return Name.front() == 'V' && Name.size() > 1 &&
         Name.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// All names have \p Width digits, so that no name is a prefix of another.
void Builder::addBlock(const Variable &V, BlockKind Kind, size_t Width) {
  Block &B = P.Blocks.emplace_back();
  B.Number = unsigned(P.Blocks.size());
  B.Kind = Kind;
  B.Var = &V;
  B.Provider = &V.type();
  B.FirstUse = unsigned(P.Uses.size());
  P.Uses.push_back(B.Number);
  B.LastUse = unsigned(P.Uses.size());
  std::string Digits = std::to_string(B.Number);
  B.Name = "V" + std::string(Width - Digits.size(), '0') + Digits;
  B.Subject = displayName(V.name());
  if (B.Subject.empty())
    B.Subject = "`" + B.Name + "`";
  // An output may also be an input. Then the apply writes this second block,
  // and the variable keeps its own.
  if (P.Numbers[V.index()]) {
    P.Shadows.emplace(&V, B.Number);
    return;
  }
  P.Numbers[V.index()] = B.Number;
  P.Names[V.index()] = B.Name;
}

/// Adds our name to a user's name that several variables have.
void Builder::tellApart(const std::vector<Block *> &Named) {
  std::unordered_map<std::string, unsigned> Uses;
  for (const Block *B : Named)
    ++Uses[B->Subject];
  for (Block *B : Named) {
    bool Clear = Uses[B->Subject] == 1 && !looksMangled(B->Subject);
    B->Subject = "`" + B->Subject + (Clear ? "`" : "` (" + B->Name + ")");
  }
}

Status Builder::addVariables() {
  CLINCH_TRY(planVariables());
  // An apply mostly has one block, seldom three.
  P.Blocks.reserve(Planned.size() + P.Order.size() * 9 / 8 + 1);
  P.Uses.reserve(Planned.size() + 3 * P.Order.size());
  P.Numbers.assign(G.variables().size(), 0);
  P.Variables = Planned.size();
  size_t Width = std::to_string(Planned.size()).size();
  std::vector<Block *> Named;
  for (auto [V, Kind] : Planned) {
    addBlock(*V, Kind, Width);
    if (!V->name().empty())
      Named.push_back(&P.Blocks.back());
  }
  tellApart(Named);
  return Status::success();
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

/// Sets what the block does when it is opened: it reads the cell, or
/// initialises its variable. Struct form keeps an output that takes nothing
/// from its cell.
Status Builder::behave(Block &B, const Type &T, const Type::Args &A) {
  switch (B.Kind) {
  case BlockKind::Input:
  case BlockKind::Constant:
    return take(B.Behaviour, T.c_extract(A), "c_extract", A.Sub, T, B.Subject);
  case BlockKind::Output: {
    CLINCH_TRY_ASSIGN(bool Simple, T.c_is_simple());
    if (Simple || NoRecycling.count(B.Var))
      break;
    CLINCH_TRY(take(B.Behaviour, T.c_extract_out(A), "c_extract_out", A.Sub, T,
                    B.Subject));
    if (!B.Behaviour.empty())
      return Status::success();
    B.InState = P.Shape == Form::Struct;
    break;
  }
  default:
    break;
  }
  return take(B.Behaviour, T.c_init(A), "c_init", A.Sub, T, B.Subject);
}

/// Struct form keeps constants, and recycled temporaries that are not simple.
Status Builder::place(Block &B, const Type &T) {
  if (P.Shape != Form::Struct)
    return Status::success();
  if (B.Kind == BlockKind::Temporary && !NoRecycling.count(B.Var)) {
    CLINCH_TRY_ASSIGN(bool Simple, T.c_is_simple());
    B.InState = !Simple;
  }
  if (B.Kind == BlockKind::Constant)
    B.InState = true;
  return Status::success();
}

Status Builder::callType(Block &B) {
  const Type &T = B.Var->type();
  setVariableSub(B);
  // The Op that makes a variable also needs what c_declare adds for checks, and
  // it alone decides whether reused storage is checked.
  const VariableFacts &F = About[B.Var->index()];
  bool ForReaders = F.ReaderChecks || !F.HasReader;
  bool Checked = B.Kind == BlockKind::Output ? F.MakerChecks : ForReaders;
  bool Declared = ForReaders || F.MakerChecks;
  Type::Args May{B.Name, Failing, Checked, B.Subject},
      MayNot{B.Name, NoFail, Declared, B.Subject};
  if (Known.insert(&T).second)
    Providers.push_back(&T);
  CLINCH_TRY(place(B, T));
  CLINCH_TRY(
      take(B.Declare, T.c_declare(MayNot), "c_declare", NoFail, T, B.Subject));
  CLINCH_TRY(behave(B, T, May));
  if (B.Kind == BlockKind::Output) {
    Substitutions AtSync = O.SyncMayFail ? Failing : NoFail;
    if (O.SyncMayFail)
      AtSync.set("fail", failTo(B.Number, syncFailLabel(B.Number)));
    CLINCH_TRY(take(B.addSyncs().Own,
                    T.c_sync({B.Name, AtSync, Declared, B.Subject}), "c_sync",
                    AtSync, T, B.Subject));
  }
  CLINCH_TRY(
      take(B.Cleanup, T.c_cleanup(MayNot), "c_cleanup", NoFail, T, B.Subject));
  // What an author declares, our texts may not fit.
  for (Piece *Text :
       {&B.Behaviour, &B.Cleanup, B.Syncs ? &B.Syncs->Own : nullptr})
    if (Text)
      Text->Ours &= B.Declare.Ours;
  return Status::success();
}

Status Builder::callTypes() {
  for (Block &B : P.Blocks)
    CLINCH_TRY(callType(B));
  // A literal needs its Type's headers too.
  for (const Type *T : LiteralTypes)
    if (Known.insert(T).second)
      Providers.push_back(T);
  return Status::success();
}
