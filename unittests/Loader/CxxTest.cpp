// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++ needs of the loader.

#include "LoadHelpers.h"
#include "jit/Loader/CodeMemory.h"

#include <atomic>
#include <future>
#include <thread>

using namespace clinch;
using namespace clinch::test;

namespace {
std::shared_ptr<LoadedCode> loadCxx(const std::string &Text,
                                    CompileOptions R = {}) {
  R.Lang = Language::CXX;
  return load(makeObject(Text, "-xc++ -std=gnu++20"), R);
}

std::string Log;
extern "C" void clinchTestLog(const char *Text) { Log += Text; }

CompileOptions withLog() {
  CompileOptions R;
  R.Symbols = {{"note", reinterpret_cast<void *>(&clinchTestLog)}};
  return R;
}
} // namespace

TEST(Cxx, ThrowsAndCatchesInOneObject) {
  auto Code = loadCxx("#include <stdexcept>\n#include <string>\n"
                      "__attribute__((noinline)) void g(int x) {"
                      "  if (x > 1) throw std::out_of_range(\"far\"); }"
                      "extern \"C\" int f(int x) { try { g(x); return 0; }"
                      "  catch (const std::exception &e) {"
                      "    return std::string(e.what()).size(); } }");
  EXPECT_EQ(find<int(int)>(Code, "f")(1), 0);
  EXPECT_EQ(find<int(int)>(Code, "f")(2), 3);
}

TEST(Cxx, ThrowsThroughAnotherObject) {
  auto Thrower = loadCxx("extern \"C\" void t() { throw 5; }");
  CompileOptions R;
  R.Symbols = {{"t", Thrower->lookup("t")}};
  auto Middle = loadCxx("extern \"C\" void t(); struct S { int *p; ~S()"
                        "  { *p += 1; } };"
                        "extern \"C\" int m(int *p) { S s{p}; t(); return 0; }",
                        R);
  R.Symbols = {{"m", Middle->lookup("m")}};
  auto Catcher = loadCxx("extern \"C\" int m(int *);"
                         "extern \"C\" int f(int *p) { try { return m(p); }"
                         "  catch (int i) { return i; } }",
                         R);
  int Destroyed = 0;
  EXPECT_EQ(find<int(int *)>(Catcher, "f")(&Destroyed), 5);
  EXPECT_EQ(Destroyed, 1);
}

TEST(Cxx, RunsConstructorsInOrderAndDestructorsAtRelease) {
  Log.clear();
  auto Code = loadCxx("extern \"C\" void note(const char *);"
                      "struct S { const char *b, *e; S(const char *b,"
                      "  const char *e) : b(b), e(e) { note(b); }"
                      "  ~S() { note(e); } };"
                      "S late(\"b\", \"B\");"
                      "__attribute__((init_priority(200))) S early(\"a\", "
                      "\"A\");"
                      "__attribute__((constructor)) void c() { note(\"c\"); }"
                      "__attribute__((destructor)) void d() { note(\"d\"); }",
                      withLog());
  EXPECT_EQ(Log, "acb");
  Code.reset();
  EXPECT_EQ(Log, "acbBAd");
}

extern "C" int clinchTestLoad(int X) {
  auto Code = load(makeObject("int f(int x) { return x + 1; }"));
  return find<int(int)>(Code, "f")(X);
}

TEST(Cxx, InitialisersAndFinalizersMayLoadCode) {
  CompileOptions R = withLog();
  R.Symbols.try_emplace("load", reinterpret_cast<void *>(&clinchTestLoad));
  Log.clear();
  auto Code = loadCxx("extern \"C\" void note(const char *);"
                      "extern \"C\" int load(int);"
                      "static int early = load(4);"
                      "__attribute__((destructor)) void d()"
                      "  { note(load(1) == 2 ? \"late\" : \"wrong\"); }"
                      "extern \"C\" int f() { return early; }",
                      R);
  EXPECT_EQ(find<int()>(Code, "f")(), 5);
  Code.reset();
  EXPECT_EQ(Log, "late");
}

TEST(Cxx, ThreadsEndAsTheProcessSaysWhereNoModuleIsNamed) {
  Log.clear();
  auto Code = load(makeObject("void note(const char *);"
                              "int __cxa_thread_atexit(void (*)(void *),"
                              "                        void *, void *);"
                              "static void end(void *text) { note(text); }"
                              "int f(void *handle) { return"
                              "  __cxa_thread_atexit(end, \"end\", handle); }"),
                   withLog());
  static const void *const Handles[] = {&Handles, nullptr};
  for (const void *Handle : {static_cast<const void *>(Handles), Handles[1]}) {
    int Failed = -1;
    std::thread([&] {
      Failed = find<int(const void *)>(Code, "f")(Handle);
    }).join();
    EXPECT_EQ(Failed, 0);
  }
  EXPECT_EQ(Log, "endend");
}

/// A thread-local object that notes its end, and what else does.
static const char *const WithThreadLocal =
    "extern \"C\" void note(const char *);"
    "struct S { int n = 1; ~S() { note(\"~\"); } };"
    "struct G { ~G() { note(\"G\"); } } global;"
    "thread_local S local;"
    "extern \"C\" int f() { return local.n++; }";

TEST(Cxx, ThreadLocalObjectsAreDestroyedWithTheirThread) {
  Log.clear();
  auto Code =
      load(makeObject(WithThreadLocal, "-xc++ -femulated-tls"), withLog());
  auto *F = find<int()>(Code, "f");
  int Here[2] = {};
  std::thread([&] {
    Here[0] = F();
    Here[1] = F();
  }).join();
  EXPECT_EQ(Here[0], 1);
  EXPECT_EQ(Here[1], 2);
  EXPECT_EQ(Log, "~");
  std::thread([&] { F(); }).join();
  EXPECT_EQ(Log, "~~");
  Code.reset();
  EXPECT_EQ(Log, "~~G");
}

TEST(Cxx, CodeStaysUntilTheLastThreadHasDestroyedItsObjects) {
  Log.clear();
  const size_t Before = CodeMemory::process().bytesInUse();
  auto Code =
      load(makeObject(WithThreadLocal, "-xc++ -femulated-tls"), withLog());
  std::promise<void> Used, Released;
  std::thread Thread([&] {
    find<int()>(Code, "f")();
    Used.set_value();
    Released.get_future().wait();
  });
  Used.get_future().wait();
  Code.reset();
  EXPECT_EQ(Log, "");
  EXPECT_GT(CodeMemory::process().bytesInUse(), Before);
  Released.set_value();
  Thread.join();
  EXPECT_EQ(Log, "~G");
  EXPECT_EQ(CodeMemory::process().bytesInUse(), Before);
}

TEST(Cxx, AConstructorThatThrowsIsAnError) {
  CompileOptions R;
  R.Lang = Language::CXX;
  EXPECT_EQ(errorOf(makeObject("#include <stdexcept>\n"
                               "int f() { throw std::runtime_error(\"no\"); }"
                               "int x = f();",
                               "-xc++"),
                    R),
            "The initialiser of a global object threw `no`.");
  EXPECT_EQ(
      errorOf(makeObject("int f() { throw 1; } int x = f();", "-xc++"), R),
      "The initialiser of a global object threw something that is no "
      "std::exception.");
}

TEST(Cxx, HasTemplatesVirtualsAndStatics) {
  auto Code = loadCxx("#include <map>\n#include <string>\n"
                      "struct A { virtual ~A() {} virtual int v() = 0; };"
                      "struct B : A { int v() override { return 4; } };"
                      "inline std::map<std::string, int> &table() {"
                      "  static std::map<std::string, int> t; return t; }"
                      "extern \"C\" int f(const char *k) { A *a = new B;"
                      "  int n = a->v() + dynamic_cast<B *>(a)->v(); delete a;"
                      "  return table()[k] += n; }");
  EXPECT_EQ(find<int(const char *)>(Code, "f")("k"), 8);
  EXPECT_EQ(find<int(const char *)>(Code, "f")("k"), 16);
}

TEST(Cxx, FramesAreForgottenWithTheCode) {
  const std::string Object =
      makeObject("extern \"C\" int f() { try { throw 1; }"
                 "  catch (int i) { return i; } }",
                 "-xc++");
  CompileOptions R;
  R.Lang = Language::CXX;
  // The same place is used again and again, with other frames each time.
  for (int I = 0; I < 50; ++I) {
    auto First = load(Object, R);
    auto Second = load(Object, R);
    First.reset();
    auto Third = load(Object, R);
    EXPECT_EQ(find<int()>(Second, "f")(), 1);
    EXPECT_EQ(find<int()>(Third, "f")(), 1);
  }
}

TEST(Cxx, ThrowsWhileOtherCodeComesAndGoes) {
  const std::string Object = makeThrowingObject();
  CompileOptions R;
  R.Lang = Language::CXX;
  auto Code = load(Object, R);
  std::atomic<bool> Stop{false};
  std::thread Loading([&] {
    std::vector<std::shared_ptr<LoadedCode>> Live;
    while (!Stop) {
      Live.push_back(load(Object, R));
      if (Live.size() > 20)
        Live.erase(Live.begin());
    }
  });
  int Wrong = 0;
  for (int I = 0; I < 2000; ++I)
    Wrong += find<int(int)>(Code, "f")(I) != I + 1;
  Stop = true;
  Loading.join();
  EXPECT_EQ(Wrong, 0);
}
