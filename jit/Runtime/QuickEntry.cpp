//===- QuickEntry.cpp - A way in that needs no cells ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuickEntry.h"

#include "clinch/Contract/Ops.h"

using namespace clinch;

/// A call of a larger graph spends its time elsewhere, and twice the text is
/// twice the compiling.
static constexpr size_t MostApplies = 32;

/// An Op that may fail makes an exception, and whatever makes objects may start
/// the garbage collector.
static bool cannotFail(const Op &O) {
  const auto *Scalar = dynamic_cast<const ScalarOp *>(&O);
  return Scalar && !Scalar->info().IntGuard;
}

static bool fits(const Graph &G) {
  if (G.applies().size() > MostApplies || G.outputs().size() != 1 ||
      !G.outputs()[0]->owner())
    return false;
  for (const Variable *V : G.inputs())
    if (V->owner()) // An input that some apply could make, too.
      return false;
  for (const Variable &V : G.variables())
    if (V.sharedType() != floatType())
      return false;
  for (const Apply &A : G.applies())
    if (!cannotFail(A.op()))
      return false;
  return true;
}

static std::string nameOf(const Variable &V) {
  return "Q" + std::to_string(V.index());
}

/// The text of one apply; empty when its hook fails after all.
static std::string applyText(const Apply &A) {
  Substitutions Sub;
  std::string Name = "quick_" + std::to_string(A.index());
  std::vector<std::string> Inputs, Outputs;
  Inputs.reserve(A.inputs().size());
  Outputs.reserve(A.outputs().size());
  for (const Variable *V : A.inputs())
    Inputs.push_back(nameOf(*V));
  for (const Variable *V : A.outputs())
    Outputs.push_back(nameOf(*V));
  Op::Text Text = A.op().c_code({A, Name, Inputs, Outputs, Sub});
  return Text && Text->Filled ? "  { " + Text->Text + " }\n" : "";
}

/// The check of the arguments: one jump for their number, one for all classes.
static std::string opening(size_t Count) {
  const std::string Otherwise =
      ")\n    return ((vectorcallfunc *)(self + 1))[1](self, args, flags, "
      "names);\n";
  std::string Out =
      "PyObject *clinch_quick(PyObject *self, PyObject *const *args,\n"
      "                       size_t flags, PyObject *names)\n{\n"
      "  if (names || flags << 1 != " + // The topmost bit is no part of it.
      std::to_string(2 * Count) +
      Otherwise;
  std::string Classes;
  for (size_t I = 0; I < Count; ++I)
    Classes += (I ? " |\n      (args[" : "  if ((args[") + std::to_string(I) +
               "]->ob_type != &PyFloat_Type)";
  return Classes.empty() ? Out : Out + Classes + Otherwise;
}

bool clinch::addQuickEntry(const Graph &G, ThunkSource &Source) {
  if (!fits(G))
    return false;
  Expected<std::vector<const Apply *>> Order = G.order();
  if (!Order)
    return false;
  bool IsCXX = Source.Options.Lang == Language::CXX;
  std::string Out = std::string("\n") + (IsCXX ? "extern \"C\" " : "") +
                    opening(G.inputs().size());
  for (size_t I = 0; I < G.inputs().size(); ++I)
    Out += "  double " + nameOf(*G.inputs()[I]) + " = PyFloat_AS_DOUBLE(args[" +
           std::to_string(I) + "]);\n";
  for (const Variable &V : G.variables()) {
    if (V.isConstant()) {
      Expected<std::string> Literal = V.type().c_literal(V);
      if (!Literal || Literal->empty())
        return false;
      Out += "  double " + nameOf(V) + " = " + *Literal + ";\n";
    } else if (V.owner()) {
      Out += "  double " + nameOf(V) + ";\n";
    }
  }
  for (const Apply *A : *Order) {
    std::string Text = applyText(*A);
    if (Text.empty())
      return false;
    Out += Text;
  }
  Out += "  return PyFloat_FromDouble(" + nameOf(*G.outputs()[0]) + ");\n}\n";
  Source.Source.Text += Out;
  return true;
}
