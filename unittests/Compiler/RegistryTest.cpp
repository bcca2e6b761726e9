// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live code of the process.

#include "jit/Compiler/CodeRegistry.h"

#include <gtest/gtest.h>

using namespace clinch;

static std::shared_ptr<LoadedCode> code(const char *Key, const char *Text) {
  auto Code = std::make_shared<LoadedCode>();
  Code->Key = Key;
  Code->Text = Text;
  Code->SharedThreadLocals = {"registry::depth"};
  return Code;
}

/// The last user of a copy may be releasing it while the next one is loaded.
TEST(Registry, ACopyOfTheSameKeyTakesItsThreadLocalVariables) {
  CodeRegistry &R = CodeRegistry::process();
  auto First = R.publish(code("registry.a", "one"));
  ASSERT_TRUE(First) << First.error().message();
  auto Second = R.publish(code("registry.a", "one"));
  ASSERT_TRUE(Second) << Second.error().message();
  *First = nullptr;
  auto Other = R.publish(code("registry.b", "two"));
  ASSERT_FALSE(Other);
  EXPECT_EQ(Other.error().message(),
            "The texts `one` and `two` both define the thread-local variable "
            "`registry::depth`, which C++ has once for a program, and are "
            "compiled apart: each would have its own. Expected one text, one "
            "that is linked with the objects of others, or a `static` variable "
            "in each.");
  *Second = nullptr;
  Other = R.publish(code("registry.b", "two"));
  EXPECT_TRUE(Other) << Other.error().message();
}
