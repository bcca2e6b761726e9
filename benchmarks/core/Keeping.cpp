// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cached, live and released code.

#include "Commands.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <malloc.h>
#include <thread>
#include <unistd.h>

using namespace bench;
using namespace clinch;
using Clock = std::chrono::steady_clock;

static std::string median(std::vector<double> Times) {
  std::nth_element(Times.begin(), Times.begin() + long(Times.size() / 2),
                   Times.end());
  return std::to_string(Times[Times.size() / 2]);
}

/// hit-memory LANGUAGE TIER PREFIX FILE COUNT: from key to pointer, in ms.
std::string bench::hitMemory(const Words &W) {
  CompileOptions O = optionsOf(W, 1);
  SourceText Text{W.at(4), readFile(W.at(4))};
  Module Kept = compile(session(), Text.Name, Text.Text, O);
  std::vector<double> Times;
  for (long I = std::stol(W.at(5)); I; --I) {
    auto Begin = Clock::now();
    auto M = session().compile(Text, O);
    void *F = M->lookup("block");
    Times.push_back(millisecondsSince(Begin));
    if (!F || F != Kept.lookup("block"))
      fail("no hit in memory");
  }
  return median(std::move(Times));
}

/// hit-disk LANGUAGE TIER PREFIX FILE COUNT FOLDER: the same, from disk.
std::string bench::hitDisk(const Words &W) {
  CompileOptions O = optionsOf(W, 1);
  SourceText Text{W.at(4), readFile(W.at(4))};
  Session::Options Options;
  Options.CacheDir = W.at(6);
  auto S = Session::create(Options);
  compile(*S, Text.Name, Text.Text, O);
  std::vector<double> Times;
  for (long I = std::stol(W.at(5)); I; --I) {
    auto Begin = Clock::now();
    auto M = S->compile(Text, O);
    void *F = M->lookup("block");
    Times.push_back(millisecondsSince(Begin));
    if (!F || M->stats().Cache != Module::CacheResult::HitDisk)
      fail("no hit on disk");
  }
  return median(std::move(Times));
}

/// dlopen FILE COUNT: dlopen and dlsym, in ms.
std::string bench::openLibrary(const Words &W) {
  std::vector<double> Times;
  for (long I = std::stol(W.at(2)); I; --I) {
    auto Begin = Clock::now();
    void *Library = dlopen(W.at(1).c_str(), RTLD_NOW);
    void *F = Library ? dlsym(Library, "block") : nullptr;
    Times.push_back(millisecondsSince(Begin));
    if (!F)
      fail("no function in " + W[1]);
    dlclose(Library);
  }
  return median(std::move(Times));
}

static size_t residentBytes() {
  std::ifstream In("/proc/self/statm");
  size_t Total = 0, Resident = 0;
  In >> Total >> Resident;
  return Resident * size_t(sysconf(_SC_PAGESIZE));
}

static size_t mappings() {
  std::ifstream In("/proc/self/maps");
  return size_t(std::count(std::istreambuf_iterator<char>(In), {}, '\n'));
}

namespace {
/// One object, loaded as often as wanted: each time under a name of its own,
/// which makes it another function, with a key of its own.
struct Copies {
  /// LANGUAGE TIER PREFIX FILE, as \p W has them from the second word on.
  explicit Copies(const Words &W)
      : O(optionsOf(W, 1)), Name(W.at(4)), Text(readFile(Name)) {
    O.Keep = {Stage::Obj};
    Object = *compile(session(), Name, Text, O).stage(Stage::Obj);
    O.Keep.clear();
  }
  Module make(size_t I) const {
    auto M = session().adopt({Name + std::to_string(I), Text}, O, Object);
    if (!M || !M->lookup("block"))
      fail("function " + std::to_string(I) + " does not load");
    return *M;
  }

  CompileOptions O;
  std::string Name, Text, Object;
};
} // namespace

/// keep-alive LANGUAGE TIER PREFIX FILE COUNT: resident bytes for each of COUNT
/// live functions, the mappings they took, milliseconds to release one, and
/// resident bytes that stay when all are released, as they are and when malloc
/// was asked to give back what it keeps for the next who asks.
std::string bench::keepAlive(const Words &W) {
  const Copies Copy(W);
  const size_t Count = std::stoul(W.at(5));
  std::vector<Module> Live;
  Live.reserve(Count);
  for (size_t I = 0; I < 100; ++I)
    Live.push_back(Copy.make(I));
  malloc_trim(0);
  size_t Before = residentBytes(), MappingsBefore = mappings();
  for (size_t I = Live.size(); I < Count; ++I)
    Live.push_back(Copy.make(I));
  size_t Each = (residentBytes() - Before) / (Count - 100);
  size_t More = mappings() - MappingsBefore;
  auto Begin = Clock::now();
  Live.clear();
  double Release = millisecondsSince(Begin) / double(Count);
  auto Left = [&] {
    return " " + std::to_string(long(residentBytes()) - long(Before));
  };
  std::string Kept = Left();
  malloc_trim(0);
  return std::to_string(Each) + " " + std::to_string(More) + " " +
         std::to_string(Release) + Kept + Left();
}

/// load-and-release LANGUAGE TIER PREFIX FILE COUNT THREADS: each of THREADS
/// loads and releases COUNT functions, one after another. Microseconds from
/// begin to end for each function, and how many bytes more are resident than
/// after the first 1,000.
std::string bench::loadAndRelease(const Words &W) {
  const Copies Copy(W);
  const size_t Count = std::stoul(W.at(5)), Threads = std::stoul(W.at(6));
  auto Work = [&](size_t Begin, size_t N) {
    for (size_t I = Begin; I < Begin + N; ++I)
      Copy.make(I);
  };
  Work(0, 1000);
  size_t Before = residentBytes();
  std::vector<std::thread> Workers;
  Workers.reserve(Threads);
  auto Begin = Clock::now();
  for (size_t T = 0; T < Threads; ++T)
    Workers.emplace_back(Work, 1000 + T * Count, Count);
  for (std::thread &T : Workers)
    T.join();
  double Each = 1e3 * millisecondsSince(Begin) / double(Threads * Count);
  long Grown = long(residentBytes()) - long(Before);
  return std::to_string(Each) + " " + std::to_string(Grown);
}

/// churn LANGUAGE TIER PREFIX FILE COUNT: compiles COUNT texts and releases
/// each; how many bytes more are resident than after the first 1,000.
std::string bench::compileAndRelease(const Words &W) {
  CompileOptions O = optionsOf(W, 1);
  const std::string Text = readFile(W.at(4));
  const size_t Count = std::stoul(W.at(5));
  size_t Before = 0;
  for (size_t I = 0; I < Count; ++I) {
    if (I == 1000)
      Before = residentBytes();
    compile(session(), "churn",
            "#define UNIQUE " + std::to_string(I) + "\n" + Text, O);
  }
  size_t After = residentBytes();
  return std::to_string(long(After) - long(Before));
}
