// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures what it is told to, line by line.
//
// A process that the benchmarks keep: it reads a command from each line and
// answers with one line, so that ours and the rivals take turns.

#include "Commands.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

#include <Python.h>

using namespace bench;

void bench::fail(const std::string &Message) {
  fprintf(stderr, "bench-core: %s\n", Message.c_str());
  exit(1);
}

int main() {
  Py_Initialize();
  const std::map<std::string, std::string (*)(const Words &)> Commands = {
      {"compile", compileOnce},
      {"tcc", compileWithTcc},
      {"load", load},
      {"call-block", callBlock},
      {"call-loop", callLoop},
      {"hit-memory", hitMemory},
      {"hit-disk", hitDisk},
      {"dlopen", openLibrary},
      {"keep-alive", keepAlive},
      {"churn", compileAndRelease},
      {"load-and-release", loadAndRelease},
  };
  for (std::string Line; std::getline(std::cin, Line);) {
    std::istringstream In(Line);
    Words W{std::istream_iterator<std::string>(In), {}};
    auto Command = W.empty() ? Commands.end() : Commands.find(W[0]);
    if (Command == Commands.end())
      fail("no command `" + Line + "`");
    std::cout << Command->second(W) << std::endl;
  }
}
