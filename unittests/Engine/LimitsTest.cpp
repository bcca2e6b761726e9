//===- LimitsTest.cpp - Texts that would go on for ever ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of these once took minutes, or gigabytes, whatever the limits were.
//
//===----------------------------------------------------------------------===//

#include "HostileTexts.h"
#include "SurvivalTesting.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace clinch;
using namespace clinch::testing;

namespace {

CompileOptions limited(const HostileText &H) {
  CompileOptions O;
  O.Level = H.Level;
  O.Lang = H.Lang;
  O.Flags = H.Flags;
  O.TimeLimitMs = 1000;
  O.MemoryLimit = size_t(256) << 20;
  return O;
}

class Hostile : public ::testing::TestWithParam<HostileText> {};

TEST_P(Hostile, IsLeftInTime) {
  const CompileOptions O = limited(GetParam());
  const auto Begin = std::chrono::steady_clock::now();
  Expected<EngineResult> R = compile(GetParam().Text(), O);
  const std::chrono::duration<double> Took =
      std::chrono::steady_clock::now() - Begin;
  EXPECT_LT(Took.count(), 2.0);
  ASSERT_FALSE(R);
  const std::string &Message = R.error().message();
  if (GetParam().IsError)
    EXPECT_EQ(R.error().kind(), Error::Kind::Compile) << R.error().render();
  else
    EXPECT_TRUE(Message ==
                    "The compile took longer than its limit of 1000 ms." ||
                Message == "The compile took more memory than its limit of "
                           "268435456 bytes.")
        << R.error().render();
  expectWorks();
}

INSTANTIATE_TEST_SUITE_P(Texts, Hostile, ::testing::ValuesIn(hostileTexts()),
                         [](const auto &Info) { return Info.param.Name; });

/// The limit is that of the compile, not of the process.
TEST(Limits, WhatOthersAllocateDoesNotCount) {
  std::atomic<bool> Over{false};
  std::thread Other([&] {
    while (!Over) {
      std::vector<std::unique_ptr<std::string>> Much;
      for (int I = 0; I < 256; ++I)
        Much.push_back(std::make_unique<std::string>(size_t(1) << 20, 'x'));
    }
  });
  CompileOptions O = fast();
  O.MemoryLimit = size_t(64) << 20;
  for (int I = 0; I < 5; ++I) {
    Expected<EngineResult> R = compile(
        "int f(int a) {\n" + repeat("a = a * 3 + 1;\n", 2000) + "return a; }",
        O);
    EXPECT_TRUE(R) << R.error().render();
  }
  Over = true;
  Other.join();
}

} // namespace
