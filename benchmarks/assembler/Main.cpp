// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the assembler.
//
//   bench-assembler assemble sum|scalar|object N ROUNDS   median, ms
//   bench-assembler compile scalar|object N FORM [CHUNK]  ms and peak kB
//   bench-assembler text scalar|object N                  the nested text
//
// One measurement is one process, so that its peak of memory is its own.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "Graphs.h"

#include "clinch/Compiler/Session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace bench;
using namespace clinch;

[[noreturn]] static void fail(const std::string &Message) {
  fprintf(stderr, "bench-assembler: %s\n", Message.c_str());
  exit(1);
}

static Graph graphOf(const std::string &Kind, unsigned N) {
  if (Kind == "sum")
    return sumTimes();
  return Kind == "scalar" ? scalarChain(N) : objectChain(N);
}

static double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

static ThunkSource assembled(const Graph &G, const AssembleOptions &O) {
  Expected<ThunkSource> S = assemble(G, O);
  if (!S)
    fail(S.error().render());
  return std::move(*S);
}

static void measureAssembling(const Graph &G, unsigned Rounds) {
  std::vector<double> Times;
  for (unsigned I = 0; I < Rounds; ++I) {
    double Begin = now();
    ThunkSource S = assembled(G, {});
    Times.push_back(now() - Begin);
  }
  std::nth_element(Times.begin(), Times.begin() + Times.size() / 2,
                   Times.end());
  printf("%.4f\n", Times[Times.size() / 2]);
}

/// From the graph to the address, with nothing cached and all of it loaded.
static void measureCompiling(const std::string &Kind, unsigned N,
                             const AssembleOptions &O) {
  Session::Options SO;
  SO.DiskCache = false;
  std::shared_ptr<Session> S = Session::create(SO);
  auto Build = [&](const Graph &G) {
    ThunkSource T = assembled(G, O);
    Expected<Module> M = S->compile(T.Source, T.Options);
    if (!M)
      fail(M.error().render());
    if (!M->lookup(O.Shape == Form::Struct ? "clinch_run" : "clinch_call"))
      fail("the thunk has no entry point");
    return std::move(*M);
  };
  Build(graphOf(Kind, 3)); // The first compile of a process loads Clang.
  Graph G = graphOf(Kind, N);
  double Begin = now();
  Module M = Build(G);
  double Took = now() - Begin;
  struct rusage Used;
  getrusage(RUSAGE_SELF, &Used);
  printf("%.3f %ld\n", Took, Used.ru_maxrss);
  for (const auto &[Name, Milliseconds] : M.stats().Stages)
    fprintf(stderr, "  %s %.2f\n", Name.c_str(), Milliseconds);
}

int main(int Argc, char **Argv) {
  if (Argc < 4)
    fail("expected a command, a graph and a number");
  std::string Command = Argv[1], Kind = Argv[2];
  unsigned N = unsigned(atoi(Argv[3]));
  Py_Initialize();
  AssembleOptions O;
  if (Command == "assemble") {
    measureAssembling(graphOf(Kind, N), Argc > 4 ? unsigned(atoi(Argv[4])) : 1);
  } else if (Command == "compile") {
    if (Argc > 4 && std::string(Argv[4]) == "function")
      O.Shape = Form::Function;
    if (Argc > 5)
      O.ChunkSize = unsigned(atoi(Argv[5]));
    measureCompiling(Kind, N, O);
  } else if (Command == "text") {
    O.Shape = Form::Function;
    O.SplitAbove = ~0u;
    fputs(assembled(graphOf(Kind, N), O).Source.Text.c_str(), stdout);
  } else {
    fail("no command `" + Command + "`");
  }
}
