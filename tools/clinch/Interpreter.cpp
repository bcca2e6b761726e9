// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python inside the driver.

#include <Python.h>

#include "Interpreter.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace fs = std::filesystem;
using namespace clinch;

namespace {

/// Owns one reference.
class Ref {
public:
  explicit Ref(PyObject *O) : O(O) {}
  ~Ref() { Py_XDECREF(O); }
  Ref(const Ref &) = delete;
  Ref &operator=(const Ref &) = delete;
  PyObject *get() const { return O; }
  explicit operator bool() const { return O; }

private:
  PyObject *O;
};

bool isThere(const fs::path &P) {
  std::error_code E;
  return fs::exists(P, E);
}

/// Returns the package's folder: beside bin/ in the build tree, or where
/// `make install` put it. If empty, Python searches for it.
fs::path packageFolder() {
  std::error_code E;
  fs::path Bin = fs::read_symlink("/proc/self/exe", E).parent_path();
  for (const char *Candidate : {"../python", CLINCH_PYTHON_FROM_BIN}) {
    fs::path Folder = (Bin / Candidate).lexically_normal();
    if (isThere(Folder / "clinch" / "__init__.py"))
      return Folder;
  }
  return {};
}

/// Returns the python whose modules to use: that of an active virtual
/// environment of our version, else the one of the build.
fs::path pythonProgram() {
  std::string Version = "python" + std::to_string(PY_MAJOR_VERSION) + "." +
                        std::to_string(PY_MINOR_VERSION);
  if (const char *Env = std::getenv("VIRTUAL_ENV"))
    if (fs::path P = fs::path(Env) / "bin" / Version; isThere(P))
      return P;
  return isThere(CLINCH_PYTHON) ? fs::path(CLINCH_PYTHON) : fs::path();
}

PyStatus startPython() {
  PyConfig Config;
  PyConfig_InitPythonConfig(&Config);
  Config.parse_argv = 0;
  PyStatus S = PyStatus_Ok();
  if (fs::path Program = pythonProgram(); !Program.empty())
    S = PyConfig_SetBytesString(&Config, &Config.program_name, Program.c_str());
  if (!PyStatus_Exception(S))
    S = Py_InitializeFromConfig(&Config);
  PyConfig_Clear(&Config);
  return S;
}

bool addToPath(const fs::path &Folder) {
  if (Folder.empty())
    return true;
  Ref Entry(PyUnicode_DecodeFSDefault(Folder.c_str()));
  PyObject *Path = PySys_GetObject("path");
  return Entry && Path && PyList_Insert(Path, 0, Entry.get()) == 0;
}

/// Calls `clinch.cli.main(Arguments)`. Returns a new reference, or null.
PyObject *callPrompt(const std::vector<std::string> &Arguments) {
  Ref List(PyList_New(0));
  for (const std::string &A : Arguments) {
    Ref Item(PyUnicode_DecodeFSDefault(A.c_str()));
    if (!Item || PyList_Append(List.get(), Item.get()) != 0)
      return nullptr;
  }
  // By this name the package knows that NumPy may wait.
  Ref Program(Py_BuildValue("[s]", "clinch"));
  if (!Program || PySys_SetObject("argv", Program.get()) != 0)
    return nullptr;
  Ref Prompt(PyImport_ImportModule("clinch.cli"));
  if (!Prompt)
    return nullptr;
  return PyObject_CallMethod(Prompt.get(), "main", "O", List.get());
}

} // namespace

int clinch::runDriver(const std::vector<std::string> &Arguments) {
  if (PyStatus S = startPython(); PyStatus_Exception(S)) {
    std::fprintf(stderr, "clinch: Python does not start: %s\n",
                 S.err_msg ? S.err_msg : "no reason given");
    return 1;
  }
  int ExitStatus = 1;
  if (addToPath(packageFolder())) {
    if (Ref Result(callPrompt(Arguments)); Result && PyLong_Check(Result.get()))
      ExitStatus = static_cast<int>(PyLong_AsLong(Result.get()));
  }
  if (PyErr_Occurred())
    PyErr_Print();
  if (Py_FinalizeEx() < 0 && ExitStatus == 0)
    ExitStatus = 1; // The script's output could not be flushed.
  return ExitStatus;
}
