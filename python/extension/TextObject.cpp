// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _clinch.Text: C text without a graph.

#include "BuildArguments.h"
#include "Objects.h"

#include "../../jit/Runtime/Border.h"
#include "../../jit/Runtime/CriticalSection.h"
#include "../../jit/Runtime/ProcessSession.h"
#include "../../jit/Runtime/Raise.h"
#include "../../jit/Runtime/Upgrade.h"
#include "jit/Compiler/DiskEntries.h"
#include "jit/Compiler/EngineLibrary.h"
#include "jit/Compiler/Linkable.h"
#include "lib/Contract/PythonPrefix.h"

#include <new>
#include <optional>

using namespace clinch;
using namespace clinch::python;

namespace {
struct TextObject {
  PyObject_HEAD Module M;
};
} // namespace

static TextObject *self(PyObject *O) {
  return reinterpret_cast<TextObject *>(O);
}

static bool addStrings(PyObject *Options, const char *Name,
                       std::vector<std::string> &Out) {
  PyObject *Given = PyDict_GetItemString(Options, Name);
  if (!Given || Given == Py_None)
    return true;
  PyRef Items = PyRef::steal(PySequence_List(Given));
  if (!Items)
    return false;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    PyObject *Item = PyList_GET_ITEM(Items.get(), I);
    if (!PyUnicode_Check(Item)) {
      PyErr_Format(PyExc_TypeError, "%s must be a list of str, not of %s", Name,
                   Py_TYPE(Item)->tp_name);
      return false;
    }
    Out.push_back(toString(Item));
    if (Out.back().find('\0') != std::string::npos) {
      PyErr_Format(PyExc_ValueError, "%s may have no NUL character", Name);
      return false;
    }
  }
  return true;
}

/// Reads the option "symbols", {name: address}.
static bool addSymbols(PyObject *Options, std::map<std::string, void *> &Out) {
  PyObject *Given = PyDict_GetItemString(Options, "symbols");
  if (!Given || !PyDict_Check(Given))
    return true;
  CriticalSection Turn(Given);
  PyObject *Name = nullptr, *Address = nullptr;
  for (Py_ssize_t At = 0; PyDict_Next(Given, &At, &Name, &Address);) {
    Out[toString(Name)] = PyLong_AsVoidPtr(Address);
    if (PyErr_Occurred())
      return false;
  }
  return true;
}

/// Reads the option "objects", a list of bytes.
static bool addObjects(PyObject *Options, std::vector<std::string> &Out) {
  PyObject *Given = PyDict_GetItemString(Options, "objects");
  if (!Given)
    return true;
  PyRef Items = PyRef::steal(PySequence_List(Given));
  if (!Items)
    return false;
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    char *Bytes = nullptr;
    Py_ssize_t Size = 0;
    if (PyBytes_AsStringAndSize(PyList_GET_ITEM(Items.get(), I), &Bytes, &Size))
      return false;
    Out.emplace_back(Bytes, size_t(Size));
  }
  return true;
}

bool python::parseOptions(PyObject *Options, CompileOptions &O) {
  auto Flag = [&](const char *Name) {
    PyObject *Given = PyDict_GetItemString(Options, Name);
    return Given && PyObject_IsTrue(Given) > 0;
  };
  auto Text = [&](const char *Name) {
    return toString(PyDict_GetItemString(Options, Name));
  };
  Expected<Language> L = parseLanguage(Text("language"));
  Expected<Tier> T = parseTier(Text("tier"));
  if (!L || !T) {
    raise(L ? T.error() : L.error());
    return false;
  }
  O.Lang = *L;
  O.Level = *T;
  O.CPU = Text("cpu");
  if (PyObject *Given = PyDict_GetItemString(Options, "device"))
    O.Device = toString(Given);
  O.Simulate = Flag("simulate");
  O.Check = Flag("check");
  if (Flag("python"))
    O.Prefix = PythonPrefix;
  if (PyObject *Given = PyDict_GetItemString(Options, "prefix"))
    O.Prefix += toString(Given);
  if (PyObject *Given = PyDict_GetItemString(Options, "key"))
    O.Key = toString(Given);
  O.Saved = Flag("saved");
  O.Debug = Flag("debug");
  if (Status S = parseLimits(PyDict_GetItemString(Options, "time_limit"),
                             PyDict_GetItemString(Options, "memory_limit"),
                             O.TimeLimitMs, O.MemoryLimit);
      !S) {
    raise(S.error());
    return false;
  }
  O.UseDiskCache = Flag("disk_cache");
  O.OwnVariables = Flag("own_variables");
  std::vector<std::string> Keep;
  if (!addStrings(Options, "include_dirs", O.IncludeDirs) ||
      !addStrings(Options, "defines", O.Defines) ||
      !addStrings(Options, "flags", O.Flags) ||
      !addStrings(Options, "libraries", O.Libraries) ||
      !addStrings(Options, "library_dirs", O.LibraryDirs) ||
      !addStrings(Options, "keep", Keep) || !addObjects(Options, O.Objects) ||
      !addSymbols(Options, O.Symbols))
    return false;
  for (const std::string &Name : Keep) {
    Expected<Stage> S = parseStage(Name);
    if (!S) {
      raise(S.error());
      return false;
    }
    O.Keep.push_back(*S);
  }
  return true;
}

static Expected<Module> adoptWithoutGil(Session &S, const SourceText &Text,
                                        const CompileOptions &O,
                                        std::string Object) {
  GilReleased Gil;
  return S.adopt(Text, O, std::move(Object));
}

/// text_origin(options): returns (build, processor) of their code here.
PyObject *python::textOrigin(PyObject *, PyObject *Options) {
  CompileOptions O;
  if (!PyDict_Check(Options))
    return PyErr_Format(PyExc_TypeError, "options are a dict, not a %s",
                        Py_TYPE(Options)->tp_name);
  if (!parseOptions(Options, O))
    return nullptr;
  const CodeOrigin Origin = codeOrigin(O);
  return Py_BuildValue("NN", fromString(Origin.Build).release(),
                       fromString(Origin.Processor).release());
}

/// prepare(options): precompiles, in the background, the headers that compiles
/// with these options need.
PyObject *python::prepareHeaders(PyObject *, PyObject *Options) {
  CompileOptions O;
  if (!PyDict_Check(Options))
    return PyErr_Format(PyExc_TypeError, "options are a dict, not a %s",
                        Py_TYPE(Options)->tp_name);
  if (!parseOptions(Options, O))
    return nullptr;
  Session &S = processSession();
  UpgradeThread::process().prepare(S, std::move(O));
  Py_RETURN_NONE;
}

/// The session that the option "isolation" asks for.
static Session &sessionFor(PyObject *Options) {
  PyObject *Isolation = PyDict_GetItemString(Options, "isolation");
  return processSession(Isolation && Isolation != Py_None);
}

/// Compiles by the arguments (text, name, options). Returns nothing with an
/// exception.
static std::optional<Linkable> unlinked(PyObject *Args) {
  PyObject *Text = nullptr, *Name = nullptr, *Options = nullptr;
  CompileOptions O;
  if (!PyArg_ParseTuple(Args, "UUO!:compile_object", &Text, &Name, &PyDict_Type,
                        &Options) ||
      !parseOptions(Options, O))
    return std::nullopt;
  Session &S = sessionFor(Options);
  const SourceText Source{toString(Name), toString(Text)};
  Expected<Linkable> Made = [&] {
    GilReleased Gil;
    return S.linkable(Source, O);
  }();
  if (!Made) {
    raise(Made.error());
    return std::nullopt;
  }
  return std::move(*Made);
}

/// compile_device(text, name, options): returns (PTX, lines about kernels, IR
/// or None, warnings, whether the disk had it, time trace or None).
PyObject *python::compileDevice(PyObject *, PyObject *Args) {
  const std::optional<Linkable> Made = unlinked(Args);
  if (!Made)
    return nullptr;
  auto Kept = [&](Stage Wanted) {
    for (const auto &[Which, Text] : Made->Kept)
      if (Which == Wanted)
        return fromString(Text).release();
    return PyRef::borrow(Py_None).release();
  };
  const std::string &PTX = Made->Objects.front();
  return Py_BuildValue("y#NNNNN", PTX.data(), Py_ssize_t(PTX.size()),
                       Kept(Stage::Declarations), Kept(Stage::LLVMOpt),
                       diagnosticsToPython(Made->Warnings).release(),
                       PyBool_FromLong(Made->FromDisk), Kept(Stage::Trace));
}

/// compile_object(text, name, options): returns (machine code, not linked, the
/// last stage that was kept, warnings, where the text uses each symbol that
/// others define, unless the disk had all that).
PyObject *python::compileObject(PyObject *, PyObject *Args) {
  const std::optional<Linkable> Made = unlinked(Args);
  if (!Made)
    return nullptr;
  PyRef Lines = fromString(Made->Kept.empty() ? "" : Made->Kept.back().second);
  const std::string &Object = Made->Objects.front();
  return Py_BuildValue("y#NNN", Object.data(), Py_ssize_t(Object.size()),
                       Lines.release(),
                       diagnosticsToPython(Made->Warnings).release(),
                       diagnosticsToPython(Made->Uses).release());
}

/// engine(): returns the files of the program clinch-engine and of the library.
PyObject *python::engineFiles(PyObject *, PyObject *) {
  const std::string Library = engineLibraryFile("");
  const std::string Program =
      Library.substr(0, Library.rfind('/') + 1) + "clinch-engine";
  return Py_BuildValue("NN", fromString(Program).release(),
                       fromString(Library).release());
}

/// Text(text, name, options): compiles the text, or loads options["object"].
static PyObject *create(PyTypeObject *Class, PyObject *Args, PyObject *) {
  PyObject *Text = nullptr, *Name = nullptr, *Options = nullptr;
  CompileOptions O;
  if (!PyArg_ParseTuple(Args, "UUO!:Text", &Text, &Name, &PyDict_Type,
                        &Options) ||
      !parseOptions(Options, O))
    return nullptr;
  std::string Object;
  if (PyObject *Given = PyDict_GetItemString(Options, "object"))
    if (PyBytes_Check(Given))
      Object.assign(PyBytes_AS_STRING(Given), size_t(PyBytes_GET_SIZE(Given)));
  Session &S = sessionFor(Options);
  SourceText Source{toString(Name), toString(Text)};
  Expected<Module> M = Object.empty()
                           ? compileWithoutGil(S, Source, std::move(O))
                           : adoptWithoutGil(S, Source, O, std::move(Object));
  if (!M)
    return raiseNull(M.error());
  PyObject *Made = Class->tp_alloc(Class, 0);
  if (Made)
    new (&self(Made)->M) Module(std::move(*M));
  return Made;
}

static void destroy(PyObject *O) {
  PyTypeObject *Class = Py_TYPE(O);
  std::destroy_at(&self(O)->M);
  Class->tp_free(O);
  Py_DECREF(Class);
}

static PyObject *lookup(PyObject *O, PyObject *Name) {
  void *Address = self(O)->M.lookup(toString(Name));
  if (!Address)
    Py_RETURN_NONE;
  return PyLong_FromVoidPtr(Address);
}

static PyObject *stage(PyObject *O, PyObject *Name) {
  Expected<Stage> Which = parseStage(toString(Name));
  if (!Which)
    return raiseNull(Which.error());
  return stageToPython(self(O)->M, *Which);
}

static PyObject *getStats(PyObject *O, void *) {
  const Module &M = self(O)->M;
  return statsToPython(M, M.warnings(), -1);
}

[[nodiscard]] static PyRef typeToPython(const Module::CType &T) {
  return PyRef::steal(Py_BuildValue("NN", fromString(T.Canonical).release(),
                                    fromString(T.Written).release()));
}

/// A list of (symbol, name, is variadic, result, parameters); a type is
/// (canonical, written).
static PyObject *getFunctions(PyObject *O, void *) {
  PyRef All = PyRef::steal(PyList_New(0));
  for (const Module::Function &F : self(O)->M.functions()) {
    PyRef Types = PyRef::steal(PyList_New(0));
    if (!All || !Types)
      return nullptr;
    for (const Module::CType &T : F.Parameters) {
      PyRef Type = typeToPython(T);
      if (!Type || PyList_Append(Types.get(), Type.get()))
        return nullptr;
    }
    PyRef One = PyRef::steal(Py_BuildValue(
        "NNNNN", fromString(F.Symbol).release(), fromString(F.Name).release(),
        PyBool_FromLong(F.IsVariadic), typeToPython(F.Result).release(),
        Types.release()));
    if (!One || PyList_Append(All.get(), One.get()))
      return nullptr;
  }
  return All.release();
}

static PyObject *getTypes(PyObject *O, void *) {
  return fromString(self(O)->M.types()).release();
}

static PyObject *hasVariables(PyObject *O, void *) {
  return PyBool_FromLong(!self(O)->M.variables().empty());
}

static PyObject *getKey(PyObject *O, void *) {
  return fromString(self(O)->M.key()).release();
}

PyTypeObject *python::textClass() {
  static PyMethodDef Methods[] = {
      {"lookup", border<lookup>, METH_O, "The address of a symbol, or None."},
      {"stage", border<stage>, METH_O,
       "The text of a stage that was kept, or None."},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef GetSet[] = {
      {"stats", border<getStats>, nullptr, "Times, sizes, cache.", nullptr},
      {"functions", border<getFunctions>, nullptr,
       "Its functions and their types.", nullptr},
      {"types", border<getTypes>, nullptr,
       "Its data and types, in the lines of lib/Support/FunctionsSection.h.",
       nullptr},
      {"has_variables", border<hasVariables>, nullptr,
       "Whether its code can change globals or statics of its own.", nullptr},
      {"key", border<getKey>, nullptr, "The content's key.", nullptr},
      {}};
  static PyType_Slot Slots[] = {
      {Py_tp_doc, const_cast<char *>("Compiled C text.")},
      {Py_tp_new, slot<create>()},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_methods, Methods},
      {Py_tp_getset, GetSet},
      {0, nullptr}};
  static PyType_Spec Spec = {"clinch._clinch.Text", sizeof(TextObject), 0,
                             Py_TPFLAGS_DEFAULT, Slots};
  static auto *Class = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&Spec));
  return Class;
}
