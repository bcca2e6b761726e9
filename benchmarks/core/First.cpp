// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first compile of a process.
//
// The engine is linked, as a program does that knows it will compile: then its
// libraries are there when `main` begins.

#include "clinch/Compiler/Session.h"
#include "lib/Contract/PythonPrefix.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace clinch;

/// First FILE TIER: milliseconds from the start of `main` to the function.
int main(int Count, char **Arguments) {
  auto Begin = std::chrono::steady_clock::now();
  if (Count != 3)
    return 2;
  std::ifstream In(Arguments[1], std::ios::binary);
  SourceText Text{Arguments[1], {std::istreambuf_iterator<char>(In), {}}};
  Session::Options Options;
  Options.DiskCache = false;
  auto S = Session::create(Options);
  CompileOptions O;
  O.Prefix = PythonPrefix;
  O.Level = std::string(Arguments[2]) == "fast" ? Tier::Fast : Tier::Default;
  // Python's symbols, which the text names and this program does not have.
  static char Nothing[64];
  for (const char *Name :
       {"PyFloat_Type", "PyFloat_AsDouble", "PyFloat_FromDouble",
        "PyErr_SetString", "PyErr_Occurred", "PyType_IsSubtype",
        "PyExc_TypeError"})
    O.Symbols[Name] = Nothing;
  auto M = S->compile(Text, O);
  void *F = M ? M->lookup("block") : nullptr;
  std::chrono::duration<double, std::milli> Took =
      std::chrono::steady_clock::now() - Begin;
  if (!F) {
    fputs(M ? "no function\n" : M.error().render().c_str(), stderr);
    return 1;
  }
  printf("%f\n", Took.count());
  return 0;
}
