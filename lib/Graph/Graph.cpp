// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables and applies.

#include "clinch/Graph/Graph.h"
#include "lib/Support/Text.h"

using namespace clinch;

static Error graphError(std::string Message) {
  return Error(Error::Kind::Graph, std::move(Message));
}

Variable *Graph::addInput(TypePtr T, std::string Name) {
  Variable &V = Variables.emplace_back();
  V.T = std::move(T);
  V.Name = std::move(Name);
  V.Index = unsigned(Variables.size() - 1);
  return &V;
}

Variable *Graph::addConstant(TypePtr T, void *HostValue, std::string Name) {
  Variable *V = addInput(std::move(T), std::move(Name));
  V->Constant = true;
  V->HostValue = HostValue;
  return V;
}

/// Of what a graph is given.
struct Graph::Checks {
  const Graph &G;

  bool owns(const Variable *V) const {
    return V && V->Index < G.Variables.size() && &G.Variables[V->Index] == V;
  }
  Status variable(const Variable *V, const std::string &User,
                  size_t Position) const;
  Status apply(const Op &O, const std::vector<Variable *> &Ins,
               const std::vector<TypePtr> &Outs, const Apply::Info &Info) const;
};

/// Fails unless the \p Position-th variable given to \p User is valid.
Status Graph::Checks::variable(const Variable *V, const std::string &User,
                               size_t Position) const {
  std::string Which =
      "variable " + std::to_string(Position) + " given to " + User;
  if (!V)
    return graphError(Which + " is null; a variable of this graph was "
                              "expected");
  if (!owns(V))
    return graphError(Which +
                      " belongs to another graph; add it to this one first");
  if (!V->T)
    return graphError(Which + " has no type");
  return Status::success();
}

/// An alias map may name only outputs and inputs that exist.
static Status checkAliases(const AliasMap &Map, const char *What,
                           const std::string &OpName, size_t Inputs,
                           size_t Outputs) {
  for (const auto &[Output, Sources] : Map) {
    if (Output >= Outputs)
      return graphError("`" + OpName + "." + What + "` names output " +
                        std::to_string(Output) + ", but the apply has " +
                        counted(Outputs, "output"));
    for (unsigned Input : Sources)
      if (Input >= Inputs)
        return graphError("`" + OpName + "." + What + "` names input " +
                          std::to_string(Input) + ", but the apply has " +
                          counted(Inputs, "input"));
  }
  return Status::success();
}

Status Graph::Checks::apply(const Op &O, const std::vector<Variable *> &Ins,
                            const std::vector<TypePtr> &Outs,
                            const Apply::Info &Info) const {
  std::string Name = O.className();
  for (size_t I = 0; I < Ins.size(); ++I)
    CLINCH_TRY(variable(Ins[I], "`" + Name + "`", I));
  for (size_t I = 0; I < Outs.size(); ++I)
    if (!Outs[I])
      return graphError("output " + std::to_string(I) + " of `" + Name +
                        "` has no type");
  if (Info.Params) {
    if (!owns(Info.Params) || !Info.Params->Constant)
      return graphError("the params of `" + Name +
                        "` must be a constant of this graph");
  }
  if (!Info.OutputNames.empty() && Info.OutputNames.size() != Outs.size())
    return graphError("`" + Name + "` has " + counted(Outs.size(), "output") +
                      ", but " + counted(Info.OutputNames.size(), "name") +
                      " for them");
  CLINCH_TRY(
      checkAliases(O.viewMap(), "view_map", Name, Ins.size(), Outs.size()));
  return checkAliases(O.destroyMap(), "destroy_map", Name, Ins.size(),
                      Outs.size());
}

Expected<Apply *> Graph::apply(std::shared_ptr<const Op> O,
                               std::vector<Variable *> Ins,
                               std::vector<TypePtr> OutputTypes,
                               Apply::Info Info) {
  if (!O)
    return graphError("an apply needs an Op, and none was given");
  CLINCH_TRY(Checks{*this}.apply(*O, Ins, OutputTypes, Info));
  Apply &A = Applies.emplace_back();
  A.O = std::move(O);
  A.Inputs = std::move(Ins);
  A.Index = unsigned(Applies.size() - 1);
  A.About = std::move(Info);
  const std::vector<std::string> &Names = A.About.OutputNames;
  for (size_t I = 0; I < OutputTypes.size(); ++I) {
    Variable *V = addInput(std::move(OutputTypes[I]),
                           Names.empty() ? std::string() : Names[I]);
    V->Owner = &A;
    V->OwnerOutput = unsigned(I);
    A.Outputs.push_back(V);
  }
  return &A;
}

Status Graph::setInterface(std::vector<Variable *> Ins,
                           std::vector<Variable *> Outs) {
  for (size_t I = 0; I < Ins.size(); ++I) {
    CLINCH_TRY(Checks{*this}.variable(Ins[I], "the graph as an input", I));
    if (Ins[I]->Constant)
      return graphError("input " + std::to_string(I) +
                        " of the graph is a constant; a constant cannot be "
                        "given by the caller");
  }
  for (size_t I = 0; I < Outs.size(); ++I)
    CLINCH_TRY(Checks{*this}.variable(Outs[I], "the graph as an output", I));
  Inputs = std::move(Ins);
  Outputs = std::move(Outs);
  return Status::success();
}
