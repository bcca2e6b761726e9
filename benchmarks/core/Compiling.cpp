// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From text to code: ours and libtcc.

#include "Commands.h"
#include "lib/Contract/PythonPrefix.h"

#include <dlfcn.h>
#include <libtcc.h>
#include <map>

#include <Python.h>

using namespace bench;
using namespace clinch;
using Clock = std::chrono::steady_clock;

clinch::CompileOptions bench::optionsOf(const Words &W, size_t First) {
  static const std::map<std::string, Tier> Tiers = {
      {"fast", Tier::Fast}, {"default", Tier::Default}, {"max", Tier::Max}};
  if (W.size() < First + 3 || !Tiers.count(W[First + 1]))
    fail("expected LANGUAGE TIER PREFIX");
  CompileOptions O;
  O.Lang = W[First] == "c" ? Language::C : Language::CXX;
  O.Level = Tiers.at(W[First + 1]);
  if (W[First + 2] == "python")
    O.Prefix = PythonPrefix;
  return O;
}

clinch::Session &bench::session() {
  static std::shared_ptr<Session> S = [] {
    Session::Options O;
    O.DiskCache = false;
    return Session::create(O);
  }();
  return *S;
}

clinch::Module bench::compile(Session &S, const std::string &Name,
                              const std::string &Text,
                              const CompileOptions &O) {
  auto M = S.compile({Name, Text}, O);
  if (!M)
    fail(M.error().render());
  return *M;
}

std::string bench::compileOnce(const Words &W) {
  CompileOptions O = optionsOf(W, 1);
  std::string Text = readFile(W.at(4));
  auto Begin = Clock::now();
  Module M = compile(session(), W[4], Text, O);
  if (!M.lookup("block") && !M.lookup("loop"))
    fail("no function in " + W[4]);
  return std::to_string(millisecondsSince(Begin));
}

static TCCState *makeTcc(const std::string &Text) {
  TCCState *S = tcc_new();
  tcc_set_options(S, "-nostdlib");
  tcc_set_output_type(S, TCC_OUTPUT_MEMORY);
  tcc_add_symbol(S, "PyFloat_Type", &PyFloat_Type);
  for (const char *Name :
       {"PyFloat_AsDouble", "PyFloat_FromDouble", "PyErr_SetString",
        "PyErr_Occurred", "PyType_IsSubtype"})
    tcc_add_symbol(S, Name, dlsym(RTLD_DEFAULT, Name));
  tcc_add_symbol(S, "PyExc_TypeError", &PyExc_TypeError);
  if (tcc_compile_string(S, Text.c_str()) != 0 ||
      tcc_relocate(S, TCC_RELOCATE_AUTO) != 0)
    fail("libtcc refuses the text");
  return S;
}

std::string bench::compileWithTcc(const Words &W) {
  std::string Text = readFile(W.at(1));
  auto Begin = Clock::now();
  TCCState *S = makeTcc(Text);
  if (!tcc_get_symbol(S, "block"))
    fail("no function in " + W[1]);
  double Took = millisecondsSince(Begin);
  tcc_delete(S);
  return std::to_string(Took);
}

namespace {
std::map<std::string, void *> Functions;
std::vector<Module> Modules; ///< Keeps what was loaded.
} // namespace

/// load NAME SYMBOL so FILE | tcc FILE | ours LANGUAGE TIER PREFIX FILE
std::string bench::load(const Words &W) {
  const std::string &Symbol = W.at(2), &Kind = W.at(3);
  void *Found = nullptr;
  if (Kind == "so") {
    void *Library = dlopen(W.at(4).c_str(), RTLD_NOW);
    Found = Library ? dlsym(Library, Symbol.c_str()) : nullptr;
  } else if (Kind == "tcc") {
    Found = tcc_get_symbol(makeTcc(readFile(W.at(4))), Symbol.c_str());
  } else {
    Modules.push_back(
        compile(session(), W.at(7), readFile(W.at(7)), optionsOf(W, 4)));
    Found = Modules.back().lookup(Symbol);
  }
  if (!Found)
    fail("no `" + Symbol + "` for `" + W[1] + "`");
  Functions[W[1]] = Found;
  return "loaded";
}

/// call-block NAME COUNT: nanoseconds for one call.
std::string bench::callBlock(const Words &W) {
  using Block = int (*)(PyObject *, PyObject *, PyObject **);
  auto F = reinterpret_cast<Block>(Functions.at(W.at(1)));
  long Count = std::stol(W.at(2));
  PyObject *X = PyFloat_FromDouble(1.5), *Y = PyFloat_FromDouble(2.25);
  PyObject *Z = nullptr;
  auto Begin = Clock::now();
  for (long I = 0; I < Count; ++I) {
    if (F(X, Y, &Z) != 0)
      fail("the block fails");
    Py_DECREF(Z);
  }
  double Took = millisecondsSince(Begin);
  if (F(X, Y, &Z) != 0 || PyFloat_AsDouble(Z) < 3.75)
    fail("the block is wrong");
  if (F(Py_None, Y, &Z) != 1 || !PyErr_Occurred())
    fail("the block does not check");
  PyErr_Clear();
  return std::to_string(Took * 1e6 / double(Count));
}

/// call-loop NAME LENGTH COUNT: microseconds for one call. The arguments of
/// tanh lie between -1 and 2, where it is no constant; those of exp between -2
/// and 0.
std::string bench::callLoop(const Words &W) {
  using Loop =
      void (*)(const double *, const double *, const double *, double *, long);
  auto F = reinterpret_cast<Loop>(Functions.at(W.at(1)));
  long Length = std::stol(W.at(2)), Count = std::stol(W.at(3));
  std::vector<double> X(Length), Y(Length), Z(Length), Out(Length);
  for (long I = 0; I < Length; ++I) {
    X[I] = double(I % 100) / 50 - 1;
    Y[I] = double(I % 77) / 40 - 1;
    Z[I] = double(I % 31) / 16;
  }
  F(X.data(), Y.data(), Z.data(), Out.data(), Length);
  auto Begin = Clock::now();
  for (long I = 0; I < Count; ++I)
    F(X.data(), Y.data(), Z.data(), Out.data(), Length);
  return std::to_string(millisecondsSince(Begin) * 1e3 / double(Count));
}
