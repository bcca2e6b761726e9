// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that are not whole.

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

TEST(Damage, UnwindInformationThatCannotBeReadIsAnError) {
  std::string Object =
      makeObject("extern \"C\" void f() { throw 1; }", "-xc++");
  CompileOptions R;
  R.Lang = Language::CXX;
  EXPECT_EQ(errorOf(Object, R), "");
  const size_t Encoding = Object.find(std::string("\1zR\0\1\x78\x10\1", 8)) + 8;
  ASSERT_LT(Encoding, Object.size());
  Object[Encoding] = 0x2b; // Relative to the text, which ELF does not use.
  EXPECT_EQ(errorOf(Object, R), "The object file cannot be loaded: its unwind "
                                "information (.eh_frame) is damaged.");
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

/// An object with all that makes a linker's work hard, and no initialisers.
static std::string richObject(const char *Flags) {
  return makeObject(
      "#ifdef __cplusplus\n"
      "#include <string>\n"
      "template <typename T> struct A { virtual ~A() {} virtual T v(T x)"
      "  { return x; } }; struct B : A<int> { int v(int x) override"
      "  { if (x > 9) throw std::string(\"far\"); return x + 1; } };"
      "extern \"C\" int f(int x) { try { B b; A<int> *a = &b; return a->v(x); }"
      "  catch (const std::string &s) { return int(s.size()); } }\n"
      "#else\n"
      "int common; static int s = 1; const char *text = \"abc\"; int zero[99];"
      "double tanh(double); extern int __start_n[], __stop_n[];"
      "__attribute__((section(\"n\"), used)) static int three = 3;"
      "__attribute__((weak)) int w(int); _Thread_local int t;"
      "int f(int x) { switch (x) { case 0: return s; case 1: return zero[x];"
      "  case 2: return common; case 3: return __start_n[0];"
      "  case 4: return __stop_n - __start_n; case 5: return t++;"
      "  default: return w ? w(x) : (int)tanh(x); } }\n"
      "#endif\n",
      Flags);
}

/// JITLink trusts its input: whatever passes the reader must be safe for it.
TEST(Damage, NoneOfManyKillsTheLink) {
  static uint64_t State = 1; // With --gtest_repeat, others each time.
  auto Random = [&](size_t Below) {
    State = State * 6364136223846793005U + 1442695040888963407U;
    return size_t(State >> 33) % Below;
  };
  for (const char *Flags : {"-xc -femulated-tls -fcommon", "-xc++", "-xc -g",
                            "-xc++ -ffunction-sections -mcmodel=large"}) {
    const std::string Whole = richObject(Flags);
    CompileOptions R;
    R.Lang = Language::CXX;
    ASSERT_EQ(errorOf(Whole, R), "");
    for (int I = 0; I < 1000; ++I) {
      std::string Copy = Whole;
      for (size_t N = 1 + Random(4); N; --N)
        Copy[Random(Copy.size())] = char(Random(256));
      errorOf(Copy, R);
    }
  }
}
