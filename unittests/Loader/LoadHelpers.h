// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads that tests make.

#pragma once

#include "TestObjects.h"
#include "jit/Loader/Linker.h"

#include <gtest/gtest.h>

namespace clinch::test {

inline std::shared_ptr<LoadedCode> load(const std::string &Object,
                                        const CompileOptions &R = {}) {
  auto Code = linkObject(Object, R);
  EXPECT_TRUE(Code) << Code.error().message();
  return Code ? *Code : nullptr;
}

/// The message of a load that fails; empty when it does not.
inline std::string errorOf(const std::string &Object,
                           const CompileOptions &R = {}) {
  auto Code = linkObject(Object, R);
  return Code ? "" : Code.error().message();
}

template <typename Fn>
Fn *find(const std::shared_ptr<LoadedCode> &Code, const char *Name) {
  return reinterpret_cast<Fn *>(Code->lookup(Name));
}

} // namespace clinch::test
