// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that are not whole.

#include "LoadHelpers.h"

#include <cstddef>
#include <elf.h>

using namespace clinch;
using namespace clinch::test;

namespace {
const std::string &object() {
  static const std::string Object =
      makeObject("int g; static int s = 1; int f(int x) { return g += s + x; }"
                 "int *p = &g;");
  return Object;
}

template <typename T> std::string altered(size_t Offset, T Value) {
  std::string Copy = object();
  Copy.replace(Offset, sizeof Value, reinterpret_cast<char *>(&Value),
               sizeof Value);
  return Copy;
}
} // namespace

TEST(Damage, EveryTruncationIsAnErrorOrTheSame) {
  for (size_t Size = 0; Size < object().size(); ++Size)
    EXPECT_NE(errorOf(object().substr(0, Size)), "") << Size;
}

TEST(Damage, AnotherKindOfFileIsNamed) {
  const char *Message = "The object file cannot be loaded: expected a "
                        "relocatable ELF file for x86-64.";
  EXPECT_EQ(errorOf(""), Message);
  EXPECT_EQ(errorOf(std::string(100, 'x')), Message);
  EXPECT_EQ(
      errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_machine), EM_AARCH64)),
      Message);
  EXPECT_EQ(errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_type), ET_DYN)),
            Message);
}
