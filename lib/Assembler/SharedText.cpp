//===- SharedText.cpp - Functions that many thunks call ------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonText.h"
#include "Emitter.h"
#include "SharedWriter.h"
#include "Sharing.h"

using namespace clinch;

/// What the declarations of \p B are called in functions that know it as \p To.
static std::string renamed(const Block &B, const std::string &Name,
                           std::string To) {
  SharedNames N;
  N.add(B.Name, std::move(To));
  return *N.applyGlobally(Name);
}

std::vector<std::string> Sharing::namesOf(const Function &F) const {
  std::vector<std::string> Names;
  for (size_t I = 0; I < F.Variables.size(); ++I) {
    const Block &B = *F.Variables[I];
    for (const std::string &Name : Known[B.Number - 1].Names)
      Names.push_back(renamed(B, Name, "Vx" + std::to_string(I)));
  }
  return Names;
}

void Sharing::writeVariable(const Function &F) {
  const Block &B = *F.Of;
  const CodeProvider &Of = *B.Provider;
  bool Python = !L.Places[B.Number - 1].NoPython;
  std::string Name = namesOf(F).front();
  SharedWriter S(F.Support);
  auto Begin = [&](const std::string &Function, const char *More) {
    S.open(Function,
           std::string("PyObject **clinch_cell, PyObject **clinch_object, ") +
               More + "void *clinch_value, const char *clinch_subject",
           Prototypes);
    S.declare(F.Declares[0], Of);
    S.refer({{Name, "clinch_value"}});
    if (hasCell(B))
      S.W.line("PyObject *&storage_Vx0 = *clinch_cell;");
    if (Python)
      S.W.line("PyObject *&py_Vx0 = *clinch_object;");
  };
  Begin(Calls[B.Number - 1].Open, "");
  if (readsCell(B))
    S.W.line({"if (PyList_GET_SIZE(storage_Vx0) != 1)\n  return ",
              std::to_string(Rung::Unopened), ";"});
  if (Python)
    S.W.line(readsCell(B) ? "py_Vx0 = PyList_GET_ITEM(storage_Vx0, 0);"
                          : "py_Vx0 = Py_None;");
  if (Python)
    S.W.line("Py_INCREF(py_Vx0);");
  S.behaviour(F.First, B.Behaviour.Hook, Of, true);
  S.close(true);

  Begin(Calls[B.Number - 1].Close, "int clinch_failed, ");
  if (B.Kind == BlockKind::Output) {
    S.W.line("if (!clinch_failed) {");
    S.behaviour(F.Sync, B.Syncs->Own.Hook, Of, P.SyncMayFail);
    S.W.line("if (PyList_GET_SIZE(storage_Vx0) == 1) {");
    S.W.line("PyObject *clinch_old = PyList_GET_ITEM(storage_Vx0, 0);");
    bool CleanupSeesIt = F.Last.find("py_") != F.Last.npos;
    S.W.line(CleanupSeesIt ? "Py_XINCREF(py_Vx0);" : "");
    S.W.line("PyList_SET_ITEM(storage_Vx0, 0, py_Vx0);");
    S.W.line(CleanupSeesIt ? "Py_XDECREF(clinch_old);\n}\n}"
                           : "py_Vx0 = clinch_old;\n}\n}");
    if (P.SyncMayFail)
      S.W.line("label_x:;");
  }
  S.behaviour(F.Last, B.Cleanup.Hook, Of, false);
  if (Python)
    S.W.line("Py_XDECREF(py_Vx0);");
  S.close(false);
  Texts.push_back(S.take(F.HasModuleInit));
}

void Sharing::writeCode(const Function &F) {
  SharedWriter S(F.Support);
  S.open(Calls[F.Of->Number - 1].Code, SharedWriter::CodeParameters,
         Prototypes);
  for (size_t I = 0; I < F.Variables.size(); ++I)
    S.declare(F.Declares[I], *F.Variables[I]->Provider);
  std::vector<SharedWriter::Reference> To;
  for (std::string &Name : namesOf(F))
    To.push_back({std::move(Name), SharedWriter::given(To.size())});
  S.refer(To);
  S.behaviour(F.First, F.Of->Behaviour.Hook, *F.Of->Provider, true);
  S.close(true);
  Texts.push_back(S.take(F.HasModuleInit));
}

/// Says on whose text an exception came out of, where NumPy's functions are,
/// and what a state of cells alone begins and ends with.
static constexpr std::string_view Includes = R"(#include <Python.h>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>
#include <numpy/arrayobject.h>

extern "C" void clinch_thrown(const char *Hook, const char *Subject) noexcept
)";

static constexpr std::string_view Common = R"(
extern "C" int clinch_import_array(void ***Table, int *Version)
{
  if (!PyArray_API && _import_array() < 0)
    return -1;
  *Table = PyArray_API;
#if NPY_ABI_VERSION >= 0x02000000
  if (Version)
    *Version = PyArray_RUNTIME_VERSION;
#endif
  return 0;
}

extern "C" const size_t clinch_state_size = sizeof(PyObject *const *);

extern "C" int clinch_init(void *Memory, PyObject *const *Cells)
{
  *static_cast<PyObject *const **>(Memory) = Cells;
  return 0;
}

extern "C" void clinch_cleanup(void *)
{
}
)";

void Sharing::addCommon() {
  SharedText T;
  T.Source.Name = "shared.cpp";
  for (std::string_view Part : {Includes, ThrownBody, Common})
    T.Source.Text += Part;
  T.Symbols = {"clinch_thrown"};
  Texts.push_back(std::move(T));
}

static constexpr const char *Math = R"(#include <math.h>
extern "C" double clinch_exp(double X) { return exp(X); }
extern "C" double clinch_tanh(double X) { return tanh(X); }
)";

static bool mayCallMath(const std::string &Text) {
  return Text.find("exp(") != Text.npos || Text.find("tanh(") != Text.npos;
}

/// What is computed by hundreds of instructions stands apart from its loops.
void Sharing::addMath() {
  bool Needed = false;
  for (SharedText &T : Texts) {
    if (!mayCallMath(T.Source.Text))
      continue;
    Needed = T.MathApart = true;
    T.Calls.insert(T.Calls.end(), {"clinch_exp", "clinch_tanh"});
  }
  if (!Needed)
    return;
  SharedText T;
  T.Source = {"shared.cpp", Math};
  T.Symbols = {"clinch_exp", "clinch_tanh"};
  Texts.insert(Texts.begin() + 1, std::move(T));
}
