//===- DamageTest.cpp - Objects that are not whole -----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadHelpers.h"

#include "jit/Loader/ObjectReader.h"

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
  EXPECT_EQ(errorOf(""), "The object file cannot be loaded: expected an ELF "
                         "header of 64 bytes, found 0.");
}

TEST(Damage, AnotherKindOfFileIsNamed) {
  const char *Message = "The object file cannot be loaded: expected a "
                        "relocatable ELF file for x86-64.";
  EXPECT_EQ(errorOf(std::string(100, 'x')), Message);
  EXPECT_EQ(
      errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_machine), EM_AARCH64)),
      Message);
  EXPECT_EQ(errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_type), ET_DYN)),
            Message);
}

TEST(Damage, TablesThatCannotBeAreErrors) {
  EXPECT_EQ(errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_shnum), 9999)),
            "The object file cannot be loaded: its section table is "
            "incomplete.");
  EXPECT_EQ(errorOf(altered<uint16_t>(offsetof(Elf64_Ehdr, e_shstrndx), 9999)),
            "The object file cannot be loaded: its section names are missing.");
  EXPECT_EQ(errorOf(altered<uint64_t>(offsetof(Elf64_Ehdr, e_shoff), ~0ULL)),
            "The object file cannot be loaded: its section table is "
            "incomplete.");
}

/// Whatever a byte of the object becomes, the reader reads nothing that is not
/// there. AddressSanitizer watches in the build that has it.
TEST(Damage, NoAlteredByteMisleadsTheReader) {
  for (size_t Byte = 0; Byte < object().size(); ++Byte)
    for (unsigned char Flip : {0x01, 0x80, 0xff}) {
      std::string Copy = object();
      Copy[Byte] = char(Copy[Byte] ^ Flip);
      auto Read = readObject(Copy);
      if (!Read)
        continue;
      for (const Import &I : Read->Imports)
        EXPECT_LE(I.Name.size(), Copy.size());
    }
}
