//===- FingerprintTest.cpp - What keys have of build and machine ---------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jit/Engine/Engine.h"

#include <gtest/gtest.h>
#include <sched.h>

using namespace clinch;

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
