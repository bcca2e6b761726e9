//===- SharedText.cpp - Functions that many thunks call ------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   extern "C" int clinch_open_KEY(PyObject **cell, PyObject **object,
//                                  void *v0, const char *subject)
//   {
//     int failure = 0;
//     c_declare, for the types
//     { references to what the caller declares, by the same names
//       behaviour }
//   label_x:;
//     return failure;
//   }
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Sharing.h"
#include "Writer.h"

using namespace clinch;

namespace {

/// Writes one text of shared functions.
class SharedWriter {
public:
  explicit SharedWriter(const std::string &Support) : W("shared.cpp") {
    W.line(Support);
  }

  /// \p Parameters: what stands before the variables.
  void open(const std::string &Name, const char *Parameters, size_t Variables,
            std::string &Prototypes);
  void declare(const std::string &Text, const CodeProvider &Of);
  void refer(const std::vector<std::string> &Names);
  void behaviour(const std::string &Text, const char *Hook,
                 const CodeProvider &Of, bool MayFail);
  void close(bool HasLabel);
  SharedText take(std::string Name, bool HasModuleInit);

  Writer W;

private:
  void region(std::string Name, Region::Role Role);
  std::vector<Region> Regions;
  std::vector<std::string> Symbols;
};

} // namespace

void SharedWriter::region(std::string Name, Region::Role Role) {
  Region R;
  R.Name = std::move(Name);
  R.Kind = Role;
  if (Role == Region::Role::Declarations)
    R.Required = "Vx";
  Regions.push_back(std::move(R));
}

void SharedWriter::open(const std::string &Name, const char *Parameters,
                        size_t Variables, std::string &Prototypes) {
  std::string Named = Parameters;
  for (size_t I = 0; I < Variables; ++I)
    Named += "void *clinch_" + std::to_string(I) + ", ";
  Named += "const char *clinch_subject";
  std::string Head = "extern \"C\" int " + Name + "(" + Named + ")";
  Prototypes += Head + ";\n";
  Symbols.push_back(Name);
  W.line(Head);
  W.open();
  W.line("int failure = 0;");
}

void SharedWriter::declare(const std::string &Text, const CodeProvider &Of) {
  std::string Origin = "`" + Of.className() + ".c_declare`";
  W.authored(Text, Origin, 1);
  region(std::move(Origin), Region::Role::Declarations);
}

/// In a scope of its own, so that the names may be those of the declarations.
void SharedWriter::refer(const std::vector<std::string> &Names) {
  for (size_t I = 0; I < Names.size(); ++I)
    W.line({"typedef decltype(", Names[I], ") clinch_type_", std::to_string(I),
            ";"});
  W.open();
  for (size_t I = 0; I < Names.size(); ++I) {
    std::string Number = std::to_string(I);
    W.line({"clinch_type_", Number, " &", Names[I], " = *static_cast<",
            "clinch_type_", Number, " *>(clinch_", Number, ");"});
  }
}

void SharedWriter::behaviour(const std::string &Text, const char *Hook,
                             const CodeProvider &Of, bool MayFail) {
  if (Text.find_first_not_of(" \t\r\n\f\v") == Text.npos)
    return;
  std::string Origin = "`" + Of.className() + "." + Hook + "`";
  W.line({"try { // ", Hook});
  W.authored(Text, Origin, 1);
  W.line({"} catch (...) {\n  clinch_thrown(\"", escaped(Origin),
          " for \", clinch_subject);"});
  if (MayFail)
    W.line({"  ", SharedFail});
  W.line("}");
  region(std::move(Origin),
         MayFail ? Region::Role::Code : Region::Role::NoFail);
}

void SharedWriter::close(bool HasLabel) {
  W.close();
  if (HasLabel)
    W.line("label_x:;");
  W.line("return failure;");
  W.close();
}

SharedText SharedWriter::take(std::string Name, bool HasModuleInit) {
  SharedText T;
  T.Source = {std::move(Name), W.take()};
  T.Regions = std::move(Regions);
  T.Symbols = std::move(Symbols);
  T.HasModuleInit = HasModuleInit;
  return T;
}

static std::vector<std::string> renamed(const std::vector<std::string> &Names,
                                        const std::string &From,
                                        const std::string &To) {
  SharedNames N;
  N.add(From, To);
  std::vector<std::string> Result;
  Result.reserve(Names.size());
  for (const std::string &Name : Names)
    Result.push_back(*N.applyGlobally(Name));
  return Result;
}

static bool hasInit(const std::string &Support) {
  return Support.find("clinch_module_init") != Support.npos;
}

void Sharing::writeVariable(const Function &F) {
  const Block &B = *F.Of;
  const CodeProvider &Of = *B.Provider;
  bool Python = !L.Places[B.Number - 1].NoPython;
  std::vector<std::string> Names =
      renamed(Known[B.Number - 1].Names, B.Name, "Vx0");
  SharedWriter S(F.Support);
  auto Begin = [&](const std::string &Name, const char *Parameters) {
    S.open(Name, Parameters, Names.size(), Prototypes);
    S.declare(F.Declares[0], Of);
    S.refer(Names);
    if (hasCell(B))
      S.W.line("PyObject *&storage_Vx0 = *clinch_cell;");
    if (Python)
      S.W.line("PyObject *&py_Vx0 = *clinch_object;");
  };
  Begin(Calls[B.Number - 1].Open,
        "PyObject **clinch_cell, PyObject **clinch_object, ");
  if (Python)
    S.W.line(readsCell(B) ? "py_Vx0 = PyList_GET_ITEM(storage_Vx0, 0);"
                          : "py_Vx0 = Py_None;");
  if (Python)
    S.W.line("Py_INCREF(py_Vx0);");
  S.behaviour(F.First, B.Behaviour.Hook, Of, true);
  S.close(true);

  Begin(
      Calls[B.Number - 1].Close,
      "PyObject **clinch_cell, PyObject **clinch_object, int clinch_failed, ");
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
  Texts.push_back(S.take("shared.cpp", hasInit(F.Support)));
}

void Sharing::writeCode(const Function &F) {
  std::vector<std::string> Names;
  for (size_t I = 0; I < F.Variables.size(); ++I)
    for (std::string &Name :
         renamed(Known[F.Variables[I]->Number - 1].Names, F.Variables[I]->Name,
                 "Vx" + std::to_string(I)))
      Names.push_back(std::move(Name));
  SharedWriter S(F.Support);
  S.open(Calls[F.Of->Number - 1].Code, "", Names.size(), Prototypes);
  for (size_t I = 0; I < F.Variables.size(); ++I)
    S.declare(F.Declares[I], *F.Variables[I]->Provider);
  S.refer(Names);
  S.behaviour(F.First, F.Of->Behaviour.Hook, *F.Of->Provider, true);
  S.close(true);
  Texts.push_back(S.take("shared.cpp", hasInit(F.Support)));
}

/// Says on whose text an exception came out of, where NumPy's functions are,
/// and what a state of cells alone begins and ends with.
static constexpr const char *Common = R"(#include <Python.h>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>
#include <numpy/arrayobject.h>

extern "C" void clinch_thrown(const char *Hook, const char *Subject) noexcept
{
  if (PyErr_Occurred())
    return;
  std::type_info *Type = abi::__cxa_current_exception_type();
  char *Name = Type ? abi::__cxa_demangle(Type->name(), 0, 0, 0) : 0;
  const char *Shown = Name ? Name : "an unknown exception";
  try {
    throw;
  } catch (const std::exception &E) {
    PyErr_Format(PyExc_RuntimeError, "%s%s threw `%s`: %s", Hook, Subject,
                 Shown, E.what());
  } catch (...) {
    PyErr_Format(PyExc_RuntimeError, "%s%s threw `%s`", Hook, Subject, Shown);
  }
  free(Name);
}

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
  T.Source = {"shared.cpp", Common};
  T.Symbols = {"clinch_thrown"};
  Texts.push_back(std::move(T));
}
