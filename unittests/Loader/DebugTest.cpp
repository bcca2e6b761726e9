// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What debuggers and profilers are told.

#include "LoadHelpers.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

using namespace clinch;
using namespace clinch::test;

// gdb's own view of it: a list of object files in this process.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {
/// Found as gdb finds it.
const jit_descriptor &descriptor() {
  static const auto *Found = static_cast<const jit_descriptor *>(
      dlsym(RTLD_DEFAULT, "__jit_debug_descriptor"));
  return *Found;
}

/// Where the section \p Wanted of a registered object is said to be.
uint64_t addressOfSection(const jit_code_entry &E, const char *Wanted) {
  Elf64_Ehdr Header;
  std::memcpy(&Header, E.symfile_addr, sizeof Header);
  std::vector<Elf64_Shdr> Sections(Header.e_shnum);
  std::memcpy(Sections.data(), E.symfile_addr + Header.e_shoff,
              Sections.size() * sizeof Sections[0]);
  const char *Names = E.symfile_addr + Sections[Header.e_shstrndx].sh_offset;
  for (const Elf64_Shdr &S : Sections)
    if (!strcmp(Names + S.sh_name, Wanted))
      return S.sh_addr;
  return 0;
}

size_t registered() {
  size_t Count = 0;
  const jit_code_entry *Previous = nullptr;
  for (auto *E = descriptor().first_entry; E; E = E->next_entry) {
    EXPECT_EQ(E->prev_entry, Previous);
    Previous = E;
    ++Count;
  }
  return Count;
}

std::shared_ptr<LoadedCode> loadDebug(const char *Text) {
  CompileOptions R;
  R.Debug = true;
  return load(makeObject(Text, "-xc -g"), R);
}

std::string perfMap() {
  return "/tmp/perf-" + std::to_string(getpid()) + ".map";
}
} // namespace

TEST(Debug, TheDebuggerSeesTheObjectWhereItIs) {
  auto Code = loadDebug("int f(int x) { return x + 1; }");
  ASSERT_EQ(registered(), 1U);
  const jit_code_entry *E = descriptor().first_entry;
  EXPECT_EQ(descriptor().version, 1U);
  uint64_t Text = addressOfSection(*E, ".text");
  EXPECT_EQ(Text, reinterpret_cast<uintptr_t>(Code->lookup("f")));
  Code.reset();
  EXPECT_EQ(registered(), 0U);
  unlink(perfMap().c_str());
}

TEST(Debug, TheListStaysWholeInAnyOrder) {
  auto A = loadDebug("int f(void) { return 1; }");
  auto B = loadDebug("int f(void) { return 2; }");
  auto C = loadDebug("int f(void) { return 3; }");
  EXPECT_EQ(registered(), 3U);
  B.reset();
  EXPECT_EQ(registered(), 2U);
  C.reset();
  EXPECT_EQ(registered(), 1U);
  EXPECT_EQ(find<int()>(A, "f")(), 1);
  A.reset();
  EXPECT_EQ(registered(), 0U);
  unlink(perfMap().c_str());
}

TEST(Debug, PerfFindsTheNamesOfFunctions) {
  unlink(perfMap().c_str());
  auto Code = loadDebug("int hot(int x) { return x * 3; }"
                        "static int v; int *cold(void) { return &v; }");
  char Line[100];
  snprintf(Line, sizeof Line, "%lx ",
           reinterpret_cast<unsigned long>(Code->lookup("hot")));
  std::string Map = readFile(perfMap());
  EXPECT_NE(Map.find(Line), std::string::npos);
  EXPECT_NE(Map.find(" hot\n"), std::string::npos);
  EXPECT_NE(Map.find(" cold\n"), std::string::npos);
  EXPECT_EQ(std::count(Map.begin(), Map.end(), '\n'), 2);
  unlink(perfMap().c_str());
}

/// Another function may stand there next.
TEST(Debug, PerfForgetsTheNamesOfWhatIsGone) {
  unlink(perfMap().c_str());
  auto Stays = loadDebug("int stays(void) { return 1; }");
  auto Goes = loadDebug("int goes(void) { return 2; }");
  EXPECT_NE(readFile(perfMap()).find(" goes\n"), std::string::npos);
  Goes.reset();
  const std::string Map = readFile(perfMap());
  EXPECT_NE(Map.find(" stays\n"), std::string::npos);
  EXPECT_EQ(std::count(Map.begin(), Map.end(), '\n'), 1);
  Stays.reset();
  EXPECT_EQ(readFile(perfMap()), "");
  unlink(perfMap().c_str());
}

TEST(Debug, NobodyIsToldWithoutBeingAsked) {
  auto Code = load(makeObject("int f(void) { return 1; }", "-xc -g"));
  EXPECT_EQ(registered(), 0U);
  EXPECT_NE(access(perfMap().c_str(), F_OK), 0);
}

/// A breakpoint is a write to the page by ptrace, which the kernel refuses in
/// a shared mapping.
TEST(Debug, CodeThatIsDebuggedIsInPrivatePages) {
  auto Code = loadDebug("int f(void) { return 1; }");
  std::ifstream Maps("/proc/self/maps");
  std::string Found;
  for (std::string Line; std::getline(Maps, Line);) {
    unsigned long Begin = 0, End = 0;
    char Rights[5] = "";
    sscanf(Line.c_str(), "%lx-%lx %4s", &Begin, &End, Rights);
    auto F = reinterpret_cast<unsigned long>(Code->lookup("f"));
    if (Begin <= F && F < End)
      Found = Rights;
  }
  EXPECT_EQ(Found, "r-xp");
  unlink(perfMap().c_str());
}
