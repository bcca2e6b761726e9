// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of applies.

#include "Builder.h"

#include "lib/Contract/CNames.h"
#include "lib/Support/Text.h"

using namespace clinch;

Block &Builder::newApplyBlock(const Apply &A, const std::string &Name,
                              BlockKind K) {
  Block &B = P.Blocks.emplace_back();
  B.Number = unsigned(P.Blocks.size());
  B.Kind = K;
  B.Apply = AppliesDone;
  B.Node = &A;
  B.Provider = &A.op();
  B.FirstUse = FirstUse;
  B.LastUse = unsigned(P.Uses.size());
  B.Name = Name;
  B.Subject = "`" + Name + "`";
  return B;
}

/// Sets the number that the next block will have.
static void setNext(Substitutions &Failing, Substitutions &NoFail,
                    size_t Blocks) {
  auto Number = unsigned(Blocks + 1);
  std::string Id = std::to_string(Number);
  Failing.set("id", Id);
  NoFail.set("id", Id);
  Failing.set("fail", failTo(Number, failLabel(Number)));
}

static Error wrongNames(const Apply &A, const char *What, size_t Names,
                        size_t Have) {
  return Error(Error::Kind::Hook,
               "`" + A.op().className() + ".c_var_names` gives " +
                   std::to_string(Names) + " names for " + What +
                   ", but the apply has " + std::to_string(Have));
}

/// Adds the names of c_var_names: `%(x)s` is the variable that the Op calls x.
Status Builder::nameOwnArguments(const Op::Args &A) {
  CLINCH_TRY_ASSIGN(Op::VarNames Names, A.Node.op().c_var_names());
  if (Names.Inputs.empty() && Names.Outputs.empty())
    return Status::success();
  if (Names.Inputs.size() != A.Inputs.size())
    return wrongNames(A.Node, "inputs", Names.Inputs.size(), A.Inputs.size());
  if (Names.Outputs.size() != A.Outputs.size())
    return wrongNames(A.Node, "outputs", Names.Outputs.size(),
                      A.Outputs.size());
  for (Substitutions *Sub : {&Failing, &NoFail}) {
    for (size_t I = 0; I < A.Inputs.size(); ++I)
      Sub->set(Names.Inputs[I], A.Inputs[I]);
    for (size_t I = 0; I < A.Outputs.size(); ++I)
      Sub->set(Names.Outputs[I], A.Outputs[I]);
  }
  return Status::success();
}

Status Builder::addStructCode(const Op::Args &May) {
  const Op &Of = May.Node.op();
  std::string Subject = "`" + May.Name + "`";
  Piece Init, Cleanup, Support;
  CLINCH_TRY(take(Support, Of.c_support_code_struct(May.Node, May.Name),
                  "c_support_code_struct", NoFail, Of, Subject));
  CLINCH_TRY(take(Init, Of.c_init_code_struct(May), "c_init_code_struct",
                  Failing, Of, Subject));
  CLINCH_TRY(take(Cleanup, Of.c_cleanup_code_struct(May.Node, May.Name),
                  "c_cleanup_code_struct", NoFail, Of, Subject));
  if (!Support.empty()) {
    std::string Origin = pieceOrigin(Of, Support, Subject);
    Author Whose{&Of, Support.Hook, Subject, 0, AppliesDone, fileOf(Support)};
    P.StructSupport.push_back(
        {{std::move(Support), std::move(Whose), std::move(Origin)}, &May.Node});
  }
  if (Init.empty() && Cleanup.empty())
    return Status::success();
  Block &B = newApplyBlock(May.Node, May.Name, BlockKind::InitStruct);
  B.InState = P.Shape == Form::Struct;
  B.Behaviour = std::move(Init);
  B.Cleanup = std::move(Cleanup);
  return Status::success();
}

Status Builder::addValidate(const Op::Args &May, const Op::Args &MayNot) {
  const Op &Of = May.Node.op();
  std::string Subject = "`" + May.Name + "`";
  Piece Validate, Cleanup;
  setNext(Failing, NoFail, P.Blocks.size());
  CLINCH_TRY(take(Validate, Of.c_validate_update(May), "c_validate_update",
                  Failing, Of, Subject));
  CLINCH_TRY(take(Cleanup, Of.c_validate_update_cleanup(MayNot),
                  "c_validate_update_cleanup", NoFail, Of, Subject));
  if (Validate.empty() && Cleanup.empty())
    return Status::success();
  Block &B = newApplyBlock(May.Node, May.Name, BlockKind::Validate);
  B.Behaviour = std::move(Validate);
  B.Cleanup = std::move(Cleanup);
  return Status::success();
}

Status Builder::addCode(const Op::Args &May, const Op::Args &MayNot) {
  const Op &Of = May.Node.op();
  setNext(Failing, NoFail, P.Blocks.size());
  Block &B = newApplyBlock(May.Node, May.Name, BlockKind::Code);
  CLINCH_TRY(
      take(B.Behaviour, Of.c_code(May), "c_code", Failing, Of, B.Subject));
  CLINCH_TRY(take(B.Cleanup, Of.c_code_cleanup(MayNot), "c_code_cleanup",
                  NoFail, Of, B.Subject));
  return addOutputChecks(B, May);
}

/// An Op whose code leaves another array than the Type of its output says would
/// have the code after it read beyond that, so the output is looked at first.
Status Builder::addOutputChecks(Block &B, const Op::Args &Of) {
  for (size_t I = 0; I < Of.Outputs.size(); ++I) {
    const Variable &V = *Of.Node.outputs()[I];
    const std::string Check = V.type().outputCheck();
    if (Check.empty())
      continue;
    if (Of.Node.op().leavesWhatItSays(Of.Node))
      return Status::success();
    const Block &Left = P.Blocks[P.outputNumber(&V) - 1];
    Substitutions Sub = Failing;
    Sub.set("name", Left.Name);
    Sub.set("left", "\"`" + escaped(Of.Node.op().className()) +
                        ".c_code`\", \"output " + std::to_string(I + 1) + " (" +
                        escaped(Left.Subject) + ")\"");
    CLINCH_TRY_ASSIGN(std::string Text, fillTemplate(Check, Sub, ""));
    if (!B.OutputCheck)
      B.OutputCheck = std::make_unique<std::string>();
    *B.OutputCheck += Text + "\n";
    P.ChecksOutputs = true;
  }
  return Status::success();
}

Status Builder::addApplyGlobals(const Op::Args &A) {
  const Op &Of = A.Node.op();
  std::string Subject = "`" + A.Name + "`";
  Piece Support, Init;
  CLINCH_TRY(take(Support, Of.c_support_code_apply(A.Node, A.Name),
                  "c_support_code_apply", NoFail, Of, Subject));
  CLINCH_TRY(take(Init, Of.c_init_code_apply(A.Node, A.Name),
                  "c_init_code_apply", NoFail, Of, Subject));
  addGlobal(ApplySupport, std::move(Support), Of, &A.Node, Subject);
  addGlobal(ApplyInit, std::move(Init), Of, &A.Node, Subject);
  return Status::success();
}

/// Notes the variables that the blocks of \p A may use.
void Builder::noteUses(const Apply &A) {
  auto Use = [&](unsigned Number) {
    if (Number)
      P.Uses.push_back(Number);
  };
  FirstUse = unsigned(P.Uses.size());
  for (const Variable *V : A.inputs())
    Use(P.Numbers[V->index()]);
  for (const Variable *V : A.outputs())
    Use(P.outputNumber(V));
  if (const Variable *V = A.info().Params)
    Use(P.Numbers[V->index()]);
}

Status Builder::addApply(const Apply &A) {
  ++AppliesDone;
  std::string Name = "node_" + std::to_string(P.Blocks.size() + 1);
  std::vector<std::string> Inputs, Outputs;
  Inputs.reserve(A.inputs().size());
  Outputs.reserve(A.outputs().size());
  for (const Variable *V : A.inputs())
    Inputs.push_back(P.Names[V->index()]);
  for (const Variable *V : A.outputs())
    Outputs.push_back(P.Blocks[P.outputNumber(V) - 1].Name);
  Failing = NoFail = {};
  for (Substitutions *Sub : {&Failing, &NoFail}) {
    Sub->set("name", Name);
    Sub->set("failure_var", "failure");
    if (A.info().Params)
      Sub->set("params", P.Names[A.info().Params->index()]);
  }
  setNext(Failing, NoFail, P.Blocks.size());
  Op::Args May{A, Name, Inputs, Outputs, Failing};
  Op::Args MayNot{A, Name, Inputs, Outputs, NoFail};
  noteUses(A);
  if (Known.insert(&A.op()).second)
    Providers.push_back(&A.op());
  CLINCH_TRY(nameOwnArguments(May));
  CLINCH_TRY(addApplyGlobals(MayNot));
  CLINCH_TRY(addStructCode(May));
  CLINCH_TRY(addValidate(May, MayNot));
  CLINCH_TRY(addCode(May, MayNot));
  return addVersion(A.op(), A.op().c_code_cache_version_apply(A));
}

Status Builder::addApplies() {
  size_t Done = 0;
  for (const Apply *A : P.Order) {
    if (!A->op().hasCode())
      return Error(Error::Kind::Hook,
                   "`" + A->op().className() +
                       "` has no C code, only `perform`; use linker=\"op\"");
    CLINCH_TRY(addApply(*A));
    if (O.Progress)
      O.Progress(++Done, P.Order.size());
  }
  return Status::success();
}
