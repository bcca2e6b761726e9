// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that must be errors.

#pragma once

#include "EngineTesting.h"

#include <gtest/gtest.h>

namespace clinch::testing {

inline std::string repeat(const std::string &S, size_t Times) {
  std::string Result;
  Result.reserve(S.size() * Times);
  for (size_t I = 0; I != Times; ++I)
    Result += S;
  return Result;
}

inline CompileOptions fast() {
  CompileOptions O;
  O.Level = Tier::Fast;
  return O;
}

inline void expectWorks() {
  Expected<EngineResult> R = compile("int f(int a) { return a; }", fast());
  EXPECT_TRUE(R) << R.error().render();
}

/// The kind and message of the error that \p Text must give.
inline void expectError(const std::string &Text, Error::Kind Kind,
                        const std::string &Message,
                        const CompileOptions &O = fast()) {
  Expected<EngineResult> R = compile(Text, O);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().kind(), Kind) << R.error().render();
  EXPECT_EQ(R.error().message(), Message);
  expectWorks();
}

} // namespace clinch::testing
