// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keys have of build and machine.

#include "clinch/Compiler/Session.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Options/Processor.h"
#include "lib/Contract/PythonPrefix.h"
#include "unittests/Loader/TestObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <gtest/gtest.h>
#include <map>
#include <sched.h>
#include <set>

using namespace clinch;
using clinch::test::TemporaryFolder;

TEST(Fingerprint, NamesVersionsAndAHashOfTheRest) {
  const std::string Text = buildFingerprint();
  EXPECT_EQ(Text.rfind("Clinch ", 0), 0U);
  EXPECT_NE(Text.find(" LLVM 22.1"), std::string::npos);
  EXPECT_NE(Text.find(" Python 3."), std::string::npos);
  EXPECT_NE(Text.find(" NumPy "), std::string::npos);
  EXPECT_EQ(Text.find_last_not_of("0123456789abcdef"), Text.size() - 65);
}

TEST(Fingerprint, OfTheMachineIsTheSameOnEveryCore) {
  cpu_set_t All;
  ASSERT_EQ(sched_getaffinity(0, sizeof All, &All), 0);
  const std::string Here = hostCPUFingerprint();
  EXPECT_GT(Here.size(), 20U);
  for (int Core = 0; Core < CPU_SETSIZE; ++Core) {
    if (!CPU_ISSET(Core, &All))
      continue;
    cpu_set_t One;
    CPU_ZERO(&One);
    CPU_SET(Core, &One);
    if (sched_setaffinity(0, sizeof One, &One) == 0) {
      EXPECT_EQ(hostCPUFingerprint(), Here) << Core;
    }
  }
  sched_setaffinity(0, sizeof All, &All);
}

/// Two processors that can run different code never have the same key, and the
/// order in which LLVM lists features does not matter.
TEST(Fingerprint, TellsEveryProcessorOfLLVMsFromTheOthers) {
  using engine::Processor;
  llvm::SmallVector<llvm::StringRef, 128> Names;
  llvm::X86::fillValidCPUArchList(Names, /*Only64Bit=*/true);
  std::map<std::string, std::set<std::set<std::string>>> SetsOf;
  for (llvm::StringRef Name : Names) {
    llvm::SmallVector<llvm::StringRef, 128> Features;
    llvm::X86::getFeaturesForCPU(Name, Features);
    Processor::FeatureMap Forwards, Backwards;
    for (llvm::StringRef F : Features)
      Forwards[F.ltrim('+')] = true;
    for (llvm::StringRef F : llvm::reverse(Features))
      Backwards[F.ltrim('+')] = true;
    const std::string Text = Processor("same", Forwards).text();
    EXPECT_EQ(Text, Processor("same", Backwards).text());
    EXPECT_NE(Text, Processor(Name, Forwards).text());
    SetsOf[Text].emplace(Features.begin(), Features.end());
    // One of the features that only sub-leaves 7.1 and 0xd.1 of cpuid tell.
    for (const char *F :
         {"avxvnni", "avxifma", "amx-fp16", "sha512", "xsavec"}) {
      Processor::FeatureMap Other = Forwards;
      Other[F] = !Other[F];
      EXPECT_NE(Text, Processor("same", Other).text()) << Name.str() << F;
    }
  }
  EXPECT_GT(SetsOf.size(), 40U);
  for (const auto &[Text, Sets] : SetsOf)
    EXPECT_EQ(Sets.size(), 1U) << Text;
}

/// The key has the target that the code is compiled for.
TEST(Fingerprint, IsThatOfTheCompiledTarget) {
  Session::Options SO;
  SO.DiskCache = false;
  CompileOptions O;
  O.CPU = "host";
  O.Keep = {Stage::LLVM};
  auto M = Session::create(SO)->compile({"t", "int f(void) { return 1; }"}, O);
  ASSERT_TRUE(M) << M.error().message();
  const std::string Here = hostCPUFingerprint();
  EXPECT_NE(
      M->stage(Stage::LLVM)
          ->find("\"target-cpu\"=\"" + Here.substr(0, Here.find(',')) + '"'),
      std::string::npos)
      << Here << *M->stage(Stage::LLVM);
  for (const char *F : {",+sse2", ",+cx16"})
    EXPECT_NE(Here.find(F), std::string::npos) << Here;
  EXPECT_EQ(Here.find(",+avx2,") != Here.npos,
            bool(__builtin_cpu_supports("avx2")));
}

TEST(Fingerprint, TheKeyKnowsTheEngineThatRuns) {
  TemporaryFolder Folder;
  auto Key = [&](const std::string &Engine) {
    Session::Options O;
    O.EnginePath = Engine;
    O.DiskCache = false;
    return Session::create(O)->key({"n", "t"}, {});
  };
  auto Library = [&](const char *Name, const char *Id) {
    const std::string Path = Folder / Name;
    EXPECT_EQ(
        system(("echo | " CLINCH_TEST_CLANG " -xc - -shared -Wl,--build-id=" +
                std::string(Id) + " -o " + Path)
                   .c_str()),
        0);
    return Path;
  };
  const std::string One = Library("one.so", "0x12345678"),
                    Same = Library("same.so", "0x12345678"),
                    Other = Library("other.so", "0x12345679"),
                    Unnamed = Library("unnamed.so", "none");
  EXPECT_EQ(Key(One), Key(Same));
  EXPECT_NE(Key(One), Key(Other));
  EXPECT_NE(Key(One), Key(Unnamed));
  EXPECT_NE(Key(Unnamed), Key(Folder / "absent.so"));
}

/// Precompiled headers of another Clang are made anew.
TEST(Fingerprint, HeadersOfAnotherClangAreNotRead) {
  TemporaryFolder Folder;
  std::string Bytes = test::readFile(CLINCH_TEST_REAL_ENGINE);
  const std::string Mark = "precompiled by ";
  unsigned Changed = 0;
  for (size_t At = Bytes.find(Mark); At != Bytes.npos;
       At = Bytes.find(Mark, At + 1))
    if (Bytes[At + Mark.size()] != 0) {
      Bytes[At] = 'P';
      ++Changed;
    }
  ASSERT_GT(Changed, 0U);
  Session::Options SO;
  SO.EnginePath = Folder / "libengine.so";
  SO.DiskCache = false;
  test::writeFile(SO.EnginePath, Bytes);
  auto S = Session::create(SO);
  for (Language Lang : {Language::C, Language::CXX}) {
    CompileOptions O;
    O.Lang = Lang;
    O.Prefix = PythonPrefix;
    auto M = S->compile({"text", "PyObject *f(void) { return 0; }"}, O);
    EXPECT_TRUE(M) << M.error().message();
  }
}
