// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile core in C.

#include "clinch-c/clinch.h"
#include "unittests/Loader/TestObjects.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

using clinch::test::TemporaryFolder;

namespace {
struct CInterface : testing::Test {
  CInterface() {
    clinch_session_set_engine(Session, CLINCH_TEST_ENGINE);
    clinch_session_set_cache_dir(Session, (Folder / "cache").c_str());
    Unit = clinch_unit_new(Session);
  }
  ~CInterface() override {
    clinch_unit_release(Unit);
    clinch_session_release(Session);
  }
  TemporaryFolder Folder;
  clinch_session *Session = clinch_session_new();
  clinch_unit *Unit;
};
} // namespace

TEST_F(CInterface, CompilesAndCounts) {
  EXPECT_EQ(clinch_unit_set_text(Unit, "t.c", "int f(void) {"), 0);
  EXPECT_EQ(clinch_unit_add_text(Unit, " return 21; }"), 0);
  EXPECT_EQ(clinch_unit_keep(Unit, CLINCH_OBJ), 0);
  clinch_module *M = clinch_compile(Unit);
  ASSERT_TRUE(M) << clinch_unit_error_message(Unit);
  auto *F = reinterpret_cast<int (*)()>(clinch_module_symbol(M, "f"));
  EXPECT_EQ(F(), 21);
  EXPECT_EQ(clinch_module_symbol(M, "g"), nullptr);
  EXPECT_EQ(clinch_module_source_bytes(M), 26U);
  size_t Size = 0;
  EXPECT_EQ(
      std::memcmp(clinch_module_stage(M, CLINCH_OBJ, &Size), "\177ELF", 4), 0);
  EXPECT_EQ(Size, clinch_module_object_bytes(M));
  EXPECT_EQ(clinch_module_stage(M, CLINCH_LLVM, &Size), nullptr);
  EXPECT_EQ(Size, 0U);
  EXPECT_EQ(strlen(clinch_module_key(M)), 32U);
  EXPECT_EQ(clinch_module_cache_result(M), CLINCH_MISS);
  clinch_module *Again = clinch_compile(Unit);
  EXPECT_EQ(clinch_module_cache_result(Again), CLINCH_HIT_MEMORY);
  double Milliseconds = -1;
  ASSERT_EQ(clinch_module_step_count(Again), 1U);
  EXPECT_STREQ(clinch_module_step(Again, 0, &Milliseconds), "find");
  EXPECT_GE(Milliseconds, 0);
  EXPECT_EQ(clinch_module_step(Again, 1, &Milliseconds), nullptr);
  clinch_module_release(Again);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_COMPILES), 1U);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_MEMORY_HITS), 1U);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_LIVE_MODULES), 1U);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_LIVE_BYTES),
            clinch_module_code_bytes(M));
  EXPECT_EQ(clinch_module_retain(M), M);
  clinch_module_release(M);
  EXPECT_EQ(F(), 21);
  clinch_module_release(M);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_LIVE_MODULES), 0U);
  EXPECT_STREQ(clinch_session_cache_dir(Session), (Folder / "cache").c_str());
  EXPECT_GT(clinch_session_clear_disk_cache(Session), 500U);
  EXPECT_EQ(clinch_session_set_cache_limit(Session, 1), -1);
}

TEST_F(CInterface, DiagnosticsAreData) {
  clinch_unit_set_text(Unit, "t.c", "int f(void) { return 22; }");
  clinch_module *M = clinch_compile(Unit);
  ASSERT_EQ(clinch_module_warning_count(M), 1U);
  const clinch_diagnostic *W = clinch_module_warning(M, 0);
  EXPECT_EQ(clinch_diagnostic_severity(W), CLINCH_WARNING);
  EXPECT_STREQ(clinch_diagnostic_message(W), "it was compiled");
  EXPECT_EQ(clinch_diagnostic_note_count(W), 1U);
  EXPECT_STREQ(clinch_diagnostic_message(clinch_diagnostic_note(W, 0)), "");
  EXPECT_EQ(clinch_diagnostic_note(W, 1), nullptr);
  unsigned Begin = 0, End = 0;
  EXPECT_EQ(clinch_diagnostic_fixit_count(W), 1U);
  EXPECT_STREQ(clinch_diagnostic_fixit(W, 0, &Begin, &End), "x");
  EXPECT_EQ(Begin, 1U);
  EXPECT_EQ(End, 2U);
  EXPECT_EQ(clinch_diagnostic_fixit(W, 1, &Begin, &End), nullptr);
  EXPECT_EQ(clinch_module_warning(M, 1), nullptr);
  clinch_module_release(M);
}

TEST_F(CInterface, WhatFailsSaysWhyAndLeavesTheUnitUsable) {
  clinch_unit_set_text(Unit, "t.c", "int g(void); int f(void) { return g(); }");
  clinch_unit_add_define(Unit, "USE=g");
  EXPECT_EQ(clinch_compile(Unit), nullptr);
  EXPECT_EQ(clinch_unit_error(Unit), CLINCH_ERROR_LINK);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "A symbol is missing: expected the host, a named library or "
               "the process to define `g`.");
  EXPECT_STREQ(clinch_unit_error_text(Unit, 0),
               "A symbol is missing: expected the host, a named library or "
               "the process to define `g`.\n"
               "text:3:5: error: `g` is used, and nothing defines it.\n");
  EXPECT_EQ(clinch_unit_diagnostic_count(Unit), 1U);
  EXPECT_EQ(clinch_unit_diagnostic(Unit, 1), nullptr);
  int (*Zero)() = [] { return 0; };
  clinch_unit_add_symbol(Unit, "g", reinterpret_cast<void *>(Zero));
  EXPECT_EQ(clinch_unit_error(Unit), CLINCH_OK);
  EXPECT_STREQ(clinch_unit_error_message(Unit), "");
  clinch_module *M = clinch_compile(Unit);
  EXPECT_TRUE(M);
  clinch_module_release(M);
}

TEST_F(CInterface, ValuesThatCannotBeAreRefused) {
  auto Message = [&](int Result) {
    EXPECT_EQ(Result, -1);
    EXPECT_EQ(clinch_unit_error(Unit), CLINCH_ERROR_ARGUMENT);
    return std::string(clinch_unit_error_message(Unit));
  };
  EXPECT_EQ(Message(clinch_unit_set_tier(Unit, clinch_tier(3))),
            "Expected a tier from 0 to 2, found 3.");
  EXPECT_EQ(Message(clinch_unit_set_language(Unit, clinch_language(2))),
            "Expected a language from 0 to 1, found 2.");
  EXPECT_EQ(Message(clinch_unit_keep(Unit, clinch_stage(4))),
            "Expected a stage from 0 to 3, found 4.");
  EXPECT_EQ(Message(clinch_unit_set_text(Unit, "n", nullptr)),
            "Expected a text, found NULL.");
  EXPECT_EQ(Message(clinch_unit_add_flag(Unit, nullptr)),
            "Expected a flag, found NULL.");
  EXPECT_EQ(Message(clinch_unit_add_symbol(Unit, nullptr, nullptr)),
            "Expected the name of a symbol, found NULL.");
}

TEST_F(CInterface, AUnitNeedsAText) {
  EXPECT_EQ(clinch_compile(Unit), nullptr);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "The unit has no text: call clinch_unit_set_text first.");
  EXPECT_EQ(clinch_unit_set_text(Unit, "t.c", ""), 0);
  clinch_module *M = clinch_compile(Unit);
  EXPECT_TRUE(M) << clinch_unit_error_message(Unit);
  clinch_module_release(M);
}

TEST_F(CInterface, AnObjectIsAdopted) {
  clinch_unit_set_text(Unit, "t.c", "int f(void) { return 23; }");
  clinch_unit_keep(Unit, CLINCH_OBJ);
  clinch_module *M = clinch_compile(Unit);
  size_t Size = 0;
  const char *Bytes = clinch_module_stage(M, CLINCH_OBJ, &Size);
  std::string Object(Bytes, Size);
  std::string Key = clinch_module_key(M);
  EXPECT_EQ(clinch_unit_key(Unit), Key);
  clinch_module_release(M);
  clinch_session_clear_disk_cache(Session);
  M = clinch_adopt(Unit, Object.data(), Object.size());
  ASSERT_TRUE(M) << clinch_unit_error_message(Unit);
  EXPECT_EQ(reinterpret_cast<int (*)()>(clinch_module_symbol(M, "f"))(), 23);
  EXPECT_EQ(clinch_module_key(M), Key);
  EXPECT_EQ(clinch_session_count(Session, CLINCH_COMPILES), 1U);
  clinch_module_release(M);
  EXPECT_EQ(clinch_adopt(Unit, nullptr, 9), nullptr);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "The object file cannot be loaded: expected a relocatable ELF "
               "file for x86-64.");
}

TEST_F(CInterface, RegionsChangeTheKeyAndAreChecked) {
  std::string Before = clinch_unit_key(Unit);
  EXPECT_EQ(clinch_unit_reserve_name(Unit, "py_x"), -1);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "Expected a region, then a name that it may not declare.");
  EXPECT_EQ(clinch_unit_add_region(Unit, "a", CLINCH_DECLARATIONS, 0, 9, "x"),
            0);
  std::string Region = clinch_unit_key(Unit);
  EXPECT_NE(Region, Before);
  EXPECT_EQ(clinch_unit_reserve_name(Unit, "py_x"), 0);
  std::string Reserved = clinch_unit_key(Unit);
  EXPECT_NE(Reserved, Region);
  EXPECT_EQ(clinch_unit_set_failure_variable(Unit, "failure"), 0);
  EXPECT_NE(clinch_unit_key(Unit), Reserved);
  EXPECT_EQ(
      clinch_unit_add_region(Unit, "b", clinch_region_role(4), 0, 9, nullptr),
      -1);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "Expected a role from 0 to 3, found 4.");
}

TEST_F(CInterface, WhatHasASayInTheCodeIsPartOfTheKey) {
  std::set<std::string> Keys = {clinch_unit_key(Unit)};
  auto IsNew = [&](int Result) {
    EXPECT_EQ(Result, 0) << clinch_unit_error_message(Unit);
    return Keys.insert(clinch_unit_key(Unit)).second;
  };
  EXPECT_TRUE(IsNew(clinch_unit_set_cpu(Unit, "x86-64-v3")));
  EXPECT_TRUE(IsNew(clinch_unit_add_flag(Unit, "-g")));
  EXPECT_TRUE(IsNew(clinch_unit_forbid_flag(Unit, "-g")));
  EXPECT_TRUE(IsNew(clinch_unit_add_library(Unit, "m")));
  EXPECT_TRUE(IsNew(clinch_unit_add_library_dir(Unit, "/nowhere")));
  EXPECT_FALSE(IsNew(clinch_unit_set_disk_cache(Unit, 0)));
  EXPECT_FALSE(IsNew(clinch_unit_set_time_limit(Unit, 5)));
  EXPECT_FALSE(IsNew(clinch_unit_set_memory_limit(Unit, 7)));
  EXPECT_FALSE(IsNew(clinch_unit_set_cpu(Unit, "x86-64-v3")));
  EXPECT_TRUE(IsNew(clinch_unit_set_cpu(Unit, nullptr)));
  EXPECT_EQ(clinch_unit_add_library_dir(Unit, nullptr), -1);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "Expected a folder, found NULL.");
}

TEST_F(CInterface, LimitsReachTheEngineAndGoAgain) {
  clinch_unit_set_text(Unit, "t.c", "int f(void) { return 24; }");
  clinch_unit_set_time_limit(Unit, 60000);
  clinch_unit_set_memory_limit(Unit, 7);
  EXPECT_EQ(clinch_compile(Unit), nullptr);
  EXPECT_EQ(clinch_unit_error(Unit), CLINCH_ERROR_LIMIT);
  EXPECT_STREQ(clinch_unit_error_message(Unit),
               "The limits are 60000 ms and 7 bytes.");
  clinch_unit_set_time_limit(Unit, 0);
  clinch_unit_set_memory_limit(Unit, 0);
  clinch_module *M = clinch_compile(Unit);
  EXPECT_TRUE(M) << clinch_unit_error_message(Unit);
  clinch_module_release(M);
}

TEST_F(CInterface, ADiskCacheThatIsNotWantedStaysEmpty) {
  clinch_unit_set_text(Unit, "t.c", "int f(void) { return 25; }");
  for (int On : {0, 1}) {
    EXPECT_EQ(clinch_unit_set_disk_cache(Unit, On), 0);
    clinch_module *M = clinch_compile(Unit);
    ASSERT_TRUE(M) << clinch_unit_error_message(Unit);
    clinch_module_release(M);
    EXPECT_EQ(clinch_session_clear_disk_cache(Session) > 0, bool(On));
  }
}

TEST_F(CInterface, APrefixStandsBeforeTheText) {
  clinch_unit_set_prefix(Unit, "#include <limits.h>\nstatic int own = 7;\n");
  clinch_unit_set_text(Unit, "t.c", "int f(void) { return own + CHAR_BIT; }");
  clinch_module *M = clinch_compile(Unit);
  ASSERT_TRUE(M) << clinch_unit_error_message(Unit);
  auto *F = reinterpret_cast<int (*)()>(clinch_module_symbol(M, "f"));
  EXPECT_EQ(F(), 15);
  clinch_module_release(M);
}

TEST_F(CInterface, OtherHeadersOfThePrefixMakeOtherCode) {
  const char *Prefix = "#include <math.h>\n";
  clinch_unit_set_prefix(Unit, Prefix);
  std::string Before = clinch_unit_key(Unit);
  clinch_session *Other = clinch_session_new();
  clinch_session_set_engine(Other, CLINCH_TEST_ENGINE);
  EXPECT_EQ(clinch_session_add_prefix_dir(Other, nullptr), -1);
  EXPECT_EQ(clinch_session_add_prefix_dir(Other, "/nowhere"), 0);
  clinch_unit *OfOther = clinch_unit_new(Other);
  const std::string Without = clinch_unit_key(OfOther);
  clinch_unit_set_prefix(OfOther, Prefix);
  EXPECT_NE(clinch_unit_key(OfOther), Before);
  // Without the headers it does not matter where these are.
  clinch_unit_set_prefix(Unit, nullptr);
  EXPECT_EQ(clinch_unit_key(Unit), Without);
  clinch_unit_release(OfOther);
  clinch_session_release(Other);
}

TEST(CInterfaceNull, IsNoTrap) {
  EXPECT_EQ(clinch_unit_new(nullptr), nullptr);
  EXPECT_EQ(clinch_compile(nullptr), nullptr);
  EXPECT_EQ(clinch_adopt(nullptr, "", 0), nullptr);
  EXPECT_STREQ(clinch_unit_key(nullptr), "");
  EXPECT_EQ(clinch_unit_set_text(nullptr, "a", "b"), -1);
  EXPECT_EQ(clinch_session_set_cache_dir(nullptr, "a"), -1);
  EXPECT_EQ(clinch_session_count(nullptr, CLINCH_COMPILES), 0U);
  EXPECT_EQ(clinch_unit_error(nullptr), CLINCH_OK);
  EXPECT_STREQ(clinch_unit_error_text(nullptr, 0), "");
  EXPECT_EQ(clinch_module_symbol(nullptr, "f"), nullptr);
  EXPECT_EQ(clinch_module_retain(nullptr), nullptr);
  EXPECT_STREQ(clinch_diagnostic_message(nullptr), "");
  EXPECT_EQ(clinch_diagnostic_line(nullptr), 0U);
  clinch_module_release(nullptr);
  clinch_unit_release(nullptr);
  clinch_session_release(nullptr);
}
