// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of Program().

#include "BuildArguments.h"

#include "../../jit/Runtime/Function.h"
#include "../../jit/Runtime/Raise.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::python;

namespace {
template <typename T> struct Choice {
  const char *Name;
  T Value;
};
} // namespace

static const Choice<Language> Languages[] = {{"c", Language::C},
                                             {"c++", Language::CXX},
                                             {"cxx", Language::CXX},
                                             {"cuda", Language::CXX}};
static const Choice<Tier> Tiers[] = {
    {"fast", Tier::Fast}, {"default", Tier::Default}, {"max", Tier::Max}};
static const Choice<Form> Forms[] = {{"struct", Form::Struct},
                                     {"function", Form::Function}};
/// The last three are for the package alone.
static const Choice<Stage> Stages[] = {{"llvm", Stage::LLVM},
                                       {"llvm-opt", Stage::LLVMOpt},
                                       {"asm", Stage::Asm},
                                       {"obj", Stage::Obj},
                                       {"declarations", Stage::Declarations},
                                       {"remarks", Stage::Remarks},
                                       {"trace", Stage::Trace}};

template <typename T, size_t N>
static Expected<T> choose(const Choice<T> (&Choices)[N], const char *What,
                          const std::string &Name) {
  std::string Known;
  for (const Choice<T> &C : Choices) {
    if (Name == C.Name)
      return C.Value;
    Known += std::string(Known.empty() ? "`" : ", `") + C.Name + "`";
  }
  return Error(Error::Kind::InvalidArgument,
               "There is no " + std::string(What) + " `" + Name +
                   "`; there are " + Known + ".");
}

template <typename T, size_t N>
static const char *nameIn(const Choice<T> (&Choices)[N], T Value) {
  for (const Choice<T> &C : Choices)
    if (C.Value == Value)
      return C.Name;
  return "";
}

Expected<Language> python::parseLanguage(const std::string &Name) {
  return choose(Languages, "language", Name);
}
Expected<Tier> python::parseTier(const std::string &Name) {
  return choose(Tiers, "tier", Name);
}
Expected<Form> python::parseForm(const std::string &Name) {
  return choose(Forms, "form", Name);
}
Expected<Stage> python::parseStage(const std::string &Name) {
  return choose(Stages, "stage", Name);
}
PyRef python::stageNames() {
  PyRef Names = PyRef::steal(PyTuple_New(Py_ssize_t(std::size(Stages)) - 3));
  for (Py_ssize_t I = 0; Names && I < PyTuple_GET_SIZE(Names.get()); ++I) {
    PyObject *Name = PyUnicode_FromString(Stages[I].Name);
    if (!Name)
      return {};
    PyTuple_SET_ITEM(Names.get(), I, Name);
  }
  return Names;
}
const char *python::nameOf(Language L) { return nameIn(Languages, L); }
const char *python::nameOf(Tier T) { return nameIn(Tiers, T); }
const char *python::nameOf(Form F) { return nameIn(Forms, F); }

/// Wraps a Python callable(done, all), whose exceptions stop nothing.
static std::function<void(size_t, size_t)> progressOf(PyObject *Callable) {
  if (!Callable || Callable == Py_None)
    return {};
  return [Callable](size_t Done, size_t All) {
    if (PyErr_Occurred())
      return;
    PyRef R = PyRef::steal(PyObject_CallFunction(
        Callable, "nn", Py_ssize_t(Done), Py_ssize_t(All)));
    if (!R)
      PyErr_WriteUnraisable(Callable);
  };
}

static Status parseKeep(PyObject *Names, std::vector<Stage> &Keep) {
  PyRef Items = PyRef::steal(PySequence_List(Names));
  if (!Items)
    return hostError();
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I) {
    CLINCH_TRY_ASSIGN(Stage S,
                      parseStage(toString(PyList_GET_ITEM(Items.get(), I))));
    Keep.push_back(S);
  }
  return Status::success();
}

/// Adds the items of a sequence of str, which may be null or None.
static Status parseTexts(PyObject *Given, std::vector<std::string> &Into) {
  if (!Given || Given == Py_None)
    return Status::success();
  PyRef Items = PyRef::steal(PySequence_List(Given));
  if (!Items)
    return hostError();
  for (Py_ssize_t I = 0; I < PyList_GET_SIZE(Items.get()); ++I)
    Into.push_back(toString(PyList_GET_ITEM(Items.get(), I)));
  return Status::success();
}

Status python::parseLimits(PyObject *Time, PyObject *Memory,
                           unsigned &TimeLimitMs, size_t &MemoryLimit) {
  if (Time && Time != Py_None) {
    constexpr double Most = 4e6; // Seconds; as milliseconds they fit.
    const double Seconds = PyFloat_AsDouble(Time);
    if (PyErr_Occurred())
      return hostError();
    TimeLimitMs = unsigned(std::clamp(Seconds, 0.001, Most) * 1000);
  }
  if (Memory && Memory != Py_None) {
    MemoryLimit = PyLong_AsSize_t(Memory);
    if (PyErr_Occurred())
      return hostError();
  }
  return Status::success();
}

Status BuildArguments::parse(PyObject *Args, PyObject *Keywords) {
  static const char *Names[] = {
      "inputs",        "outputs",       "order",         "form",
      "language",      "tier",          "no_recycling",  "anonymous",
      "progress",      "debug",         "disk_cache",    "keep",
      "split_above",   "chunk_size",    "flags",         "headers",
      "header_dirs",   "sync_may_fail", "check_pending", "first_tier",
      "release_early", "time_limit",    "memory_limit",  "isolation",
      "device",        "simulate",      "check",         nullptr};
  const char *FormName = "struct", *LanguageName = "c", *TierName = "default",
             *FirstTier = nullptr, *Isolation = nullptr, *Device = nullptr;
  int IsAnonymous = 0, Debug = 0, DiskCache = 1, SyncMayFail = 0,
      CheckPending = 0, ReleaseEarly = 0, Simulate = 0, Check = 0;
  unsigned SplitAbove = 0, ChunkSize = 0;
  PyObject *Keep = nullptr, *Flags = nullptr, *Headers = nullptr,
           *HeaderDirs = nullptr, *Time = nullptr, *Memory = nullptr;
  if (!PyArg_ParseTupleAndKeywords(
          Args, Keywords, "OO|$OsssOpOppOIIOOOppzpOOzzpp:Program",
          const_cast<char **>(Names), &Inputs, &Outputs, &Order, &FormName,
          &LanguageName, &TierName, &NoRecycling, &IsAnonymous, &Progress,
          &Debug, &DiskCache, &Keep, &SplitAbove, &ChunkSize, &Flags, &Headers,
          &HeaderDirs, &SyncMayFail, &CheckPending, &FirstTier, &ReleaseEarly,
          &Time, &Memory, &Isolation, &Device, &Simulate, &Check))
    return hostError();
  CLINCH_TRY_ASSIGN(Options.Assemble.Shape, parseForm(FormName));
  CLINCH_TRY_ASSIGN(Options.Assemble.Lang, parseLanguage(LanguageName));
  CLINCH_TRY_ASSIGN(Options.Level, parseTier(TierName));
  Anonymous = IsAnonymous;
  Options.Assemble.Progress = progressOf(Progress);
  Options.Assemble.SyncMayFail = SyncMayFail;
  Options.Assemble.CheckPending = CheckPending;
  Options.Assemble.ReleaseEarly = ReleaseEarly;
  if (SplitAbove)
    Options.Assemble.SplitAbove = SplitAbove;
  if (ChunkSize)
    Options.Assemble.ChunkSize = ChunkSize;
  if (FirstTier) {
    CLINCH_TRY_ASSIGN(Tier First, parseTier(FirstTier));
    if (First != Options.Level)
      Options.First = First;
  }
  Options.Debug = Debug;
  Options.Device = Device ? Device : "";
  Options.Simulate = Simulate;
  Options.Check = Check;
  Options.UseDiskCache = DiskCache;
  CLINCH_TRY(
      parseLimits(Time, Memory, Options.TimeLimitMs, Options.MemoryLimit));
  Isolated = Isolation != nullptr;
  for (auto [Given, Into] :
       {std::pair(Flags, &Options.Flags),
        std::pair(Headers, &Options.Assemble.ExtraHeaders),
        std::pair(HeaderDirs, &Options.Assemble.ExtraHeaderDirs)})
    CLINCH_TRY(parseTexts(Given, *Into));
  return Keep ? parseKeep(Keep, Options.Keep) : Status::success();
}

Expected<std::unique_ptr<ImportedGraph>> BuildArguments::import() {
  Expected<std::unique_ptr<ImportedGraph>> I =
      ImportedGraph::create(Inputs, Outputs, Order, Anonymous);
  if (!I)
    return I;
  if (!NoRecycling || NoRecycling == Py_None) {
    Options.Assemble.NoRecycling = aliasedVariables((*I)->graph());
    return I;
  }
  PyRef Items = PyRef::steal(PySequence_List(NoRecycling));
  if (!Items)
    return hostError();
  for (Py_ssize_t N = 0; N < PyList_GET_SIZE(Items.get()); ++N)
    if (const Variable *V = (*I)->find(PyList_GET_ITEM(Items.get(), N)))
      Options.Assemble.NoRecycling.push_back(V);
  return I;
}
