// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, constants and other texts in C.

#include "CNames.h"
#include "clinch/Contract/Type.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Scalar.h"

#include <algorithm>
#include <atomic>
#include <iterator>

using namespace clinch;

// Sorted as bytes.
static constexpr std::string_view Keywords[] = {"_Alignas",
                                                "_Alignof",
                                                "_Atomic",
                                                "_BitInt",
                                                "_Bool",
                                                "_Complex",
                                                "_Decimal128",
                                                "_Decimal32",
                                                "_Decimal64",
                                                "_Generic",
                                                "_Imaginary",
                                                "_Noreturn",
                                                "_Static_assert",
                                                "_Thread_local",
                                                "alignas",
                                                "alignof",
                                                "and",
                                                "and_eq",
                                                "asm",
                                                "auto",
                                                "bitand",
                                                "bitor",
                                                "bool",
                                                "break",
                                                "case",
                                                "catch",
                                                "char",
                                                "char16_t",
                                                "char32_t",
                                                "char8_t",
                                                "class",
                                                "co_await",
                                                "co_return",
                                                "co_yield",
                                                "compl",
                                                "concept",
                                                "const",
                                                "const_cast",
                                                "consteval",
                                                "constexpr",
                                                "constinit",
                                                "continue",
                                                "decltype",
                                                "default",
                                                "delete",
                                                "do",
                                                "double",
                                                "dynamic_cast",
                                                "else",
                                                "enum",
                                                "explicit",
                                                "export",
                                                "extern",
                                                "false",
                                                "float",
                                                "for",
                                                "friend",
                                                "goto",
                                                "if",
                                                "inline",
                                                "int",
                                                "long",
                                                "mutable",
                                                "namespace",
                                                "new",
                                                "noexcept",
                                                "not",
                                                "not_eq",
                                                "nullptr",
                                                "operator",
                                                "or",
                                                "or_eq",
                                                "private",
                                                "protected",
                                                "public",
                                                "register",
                                                "reinterpret_cast",
                                                "requires",
                                                "restrict",
                                                "return",
                                                "short",
                                                "signed",
                                                "sizeof",
                                                "static",
                                                "static_assert",
                                                "static_cast",
                                                "struct",
                                                "switch",
                                                "template",
                                                "this",
                                                "thread_local",
                                                "throw",
                                                "true",
                                                "try",
                                                "typedef",
                                                "typeid",
                                                "typename",
                                                "typeof",
                                                "typeof_unqual",
                                                "union",
                                                "unsigned",
                                                "using",
                                                "virtual",
                                                "void",
                                                "volatile",
                                                "wchar_t",
                                                "while",
                                                "xor",
                                                "xor_eq"};
static_assert(std::is_sorted(std::begin(Keywords), std::end(Keywords)));

bool clinch::isIdentifier(std::string_view Name) {
  auto IsDigit = [](char C) { return C >= '0' && C <= '9'; };
  auto IsLetter = [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
  };
  return !Name.empty() && IsLetter(Name[0]) &&
         std::all_of(Name.begin(), Name.end(),
                     [&](char C) { return IsLetter(C) || IsDigit(C); });
}

bool clinch::isKeyword(std::string_view Name) {
  return std::binary_search(std::begin(Keywords), std::end(Keywords), Name);
}

static std::atomic<ScalarReader> Reader = nullptr;

void clinch::setScalarReader(ScalarReader R) { Reader = R; }

std::string clinch::constantText(const Variable &Constant,
                                 const ScalarInfo &Dtype) {
  ScalarReader Read = Reader;
  alignas(16) unsigned char Bytes[16] = {};
  if (!Read || !Constant.hostValue() ||
      !Read(Constant.hostValue(), Dtype, Bytes))
    return {};
  return scalarLiteral(Dtype, Bytes);
}
