// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as functions of C++.

#include "Function.h"
#include "ProcessSession.h"
#include "lib/Graph/ExprGraph.h"
#include "lib/Support/Text.h"

#include <cstring>

using namespace clinch;

/// Returns the number in \p Bytes as a value of \p T, or null with an
/// exception.
static PyRef numberObject(const Type &T, const void *Bytes) {
  const ScalarInfo &S = *numberOf(T);
  if (&T == floatType().get()) {
    double Value;
    std::memcpy(&Value, Bytes, sizeof Value);
    return PyRef::steal(PyFloat_FromDouble(Value));
  }
  PyRef NumPy = PyRef::steal(PyImport_ImportModule("numpy"));
  PyRef Item = NumPy ? PyRef::steal(PyObject_CallMethod(
                           NumPy.get(), "frombuffer", "y#s",
                           static_cast<const char *>(Bytes), Py_ssize_t(S.Size),
                           std::string(S.Name).c_str()))
                     : PyRef();
  return Item ? PyRef::steal(PySequence_GetItem(Item.get(), 0)) : PyRef();
}

/// Writes \p Value, which is of \p Of, to \p Number.
static Status readNumber(const Type &Of, PyObject *Value, void *Number) {
  if (&Of == floatType().get()) {
    const double Float = PyFloat_AsDouble(Value);
    std::memcpy(Number, &Float, sizeof Float);
    return PyErr_Occurred() ? Status(takePythonError()) : Status::success();
  }
  Py_buffer Bytes;
  if (PyObject_GetBuffer(Value, &Bytes, PyBUF_SIMPLE) != 0)
    return takePythonError();
  std::memcpy(Number, Bytes.buf, numberOf(Of)->Size);
  PyBuffer_Release(&Bytes);
  return Status::success();
}

static void *addressOf(const auto &Slot) {
  return std::visit([](auto *At) { return static_cast<void *>(At); }, Slot);
}

Status Function::run(const Slots &Inputs, const Slots &Outputs) {
  const Graph &G = I->graph();
  std::vector<PyRef> Owners;
  std::vector<PyObject *> Objects;
  for (size_t I = 0; I < Inputs.size(); ++I) {
    if (auto *Object = std::get_if<PyObject **>(&Inputs[I]))
      Owners.push_back(PyRef::borrow(**Object));
    else if (auto *Owner = std::get_if<PyRef *>(&Inputs[I]))
      Owners.push_back(**Owner);
    else
      Owners.push_back(
          numberObject(G.inputs()[I]->type(), addressOf(Inputs[I])));
    Objects.push_back(Owners.back().get());
    if (!Objects.back())
      return PyErr_Occurred() ? takePythonError()
                              : Error(Error::Kind::InvalidArgument,
                                      "Argument " + std::to_string(I + 1) +
                                          " is a null pointer.");
  }
  CLINCH_TRY_ASSIGN(std::vector<PyRef> Values, call(Objects));
  for (size_t I = 0; I < Outputs.size(); ++I)
    if (auto *Owner = std::get_if<PyRef *>(&Outputs[I]))
      **Owner = std::move(Values[I]);
    else
      CLINCH_TRY(readNumber(G.outputs()[I]->type(), Values[I].get(),
                            addressOf(Outputs[I])));
  return Status::success();
}

/// Says what was expected for argument or result \p Number.
static Error wrongType(const char *What, size_t Number, const Variable &V,
                       const std::string &Found, const std::string &Object) {
  const ScalarInfo *S = numberOf(V.type());
  const std::string Name = V.name().empty() ? "" : " (`" + V.name() + "`)";
  const std::string Wanted =
      S ? "a number of dtype `" + std::string(S->Name) + "` or " : "";
  return Error(Error::Kind::InvalidArgument,
               "The signature's " + std::string(What) + " " +
                   std::to_string(Number) + Name + " is a `" +
                   V.type().className() + "` in the graph: expected " + Wanted +
                   "`" + Object + "`, not " + Found + ".");
}

/// Fails unless each C++ type is that of its variable. \p Object is the type
/// that any value may have.
static Status checkTypes(const auto &Slots,
                         const std::vector<Variable *> &Variables,
                         const char *What, const std::string &Object) {
  if (Slots.size() != Variables.size())
    return Error(Error::Kind::InvalidArgument,
                 "The signature has " + counted(Slots.size(), What) +
                     ", and the graph has " + std::to_string(Variables.size()) +
                     ".");
  for (size_t I = 0; I < Slots.size(); ++I) {
    const Variable &V = *Variables[I];
    const ScalarInfo *S = numberOf(V.type());
    const size_t Kind = Slots[I].index();
    const bool IsNumber = !std::holds_alternative<PyObject **>(Slots[I]) &&
                          !std::holds_alternative<PyRef *>(Slots[I]);
    const std::string Found =
        IsNumber
            ? "a number of dtype `" + std::string(allScalars()[Kind].Name) + "`"
            : "`PyObject *`";
    if (IsNumber
            ? S && S == &allScalars()[Kind]
            : Object != "PyRef" || std::holds_alternative<PyRef *>(Slots[I]))
      continue;
    return wrongType(What, I + 1, V, Found, Object);
  }
  return Status::success();
}

Status Function::check(const Slots &Inputs, const Slots &Outputs) const {
  const Graph &G = I->graph();
  CLINCH_TRY(checkTypes(Inputs, G.inputs(), "argument", "PyObject *"));
  return checkTypes(Outputs, G.outputs(), "result", "PyRef");
}

Expr clinch::constant(TypePtr T, PyRef Value) {
  return constant(std::move(T), Value
                                    ? std::make_shared<PyRef>(std::move(Value))
                                    : std::shared_ptr<void>());
}

Expected<Function> clinch::function(const std::vector<Expr> &Inputs,
                                    const std::vector<Expr> &Outputs,
                                    Session *S) {
  CLINCH_TRY(pythonHasBegun());
  if (!S)
    S = &processSession();
  std::vector<PyRef> Constants;
  auto HostValue = [&](const Expr::Node &N) -> Expected<void *> {
    PyRef Value = N.Number ? numberObject(*N.Types[0], N.Number->data())
                           : *static_cast<PyRef *>(N.HostValue.get());
    if (!Value)
      return takePythonError();
    return Constants.emplace_back(std::move(Value)).get();
  };
  CLINCH_TRY_ASSIGN(Graph G, graphOf(Inputs, Outputs, HostValue));
  CLINCH_TRY_ASSIGN(Function F, Function::create(*S, std::move(G)));
  F.I->Constants = std::move(Constants);
  return F;
}
