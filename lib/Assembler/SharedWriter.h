//===- SharedWriter.h - Writes a text of shared functions ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   extern "C" int clinch_open_KEY(PyObject **cell, PyObject **object,
//                                  void *v0, const char *subject)
//   {
//     int failure = 0;
//     c_declare, for the types
//     { references to what the caller declares, by the same names
//       behaviour }
//   label_x:;
//     return failure;
//   }
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_SHAREDWRITER_H
#define CLINCH_LIB_ASSEMBLER_SHAREDWRITER_H

#include "Blueprint.h"
#include "Writer.h"

namespace clinch {

class SharedWriter {
public:
  explicit SharedWriter(const std::string &Support) : W("shared.cpp") {
    W.line(Support);
  }

  /// What an apply's function is given, and one of its variables.
  static constexpr const char *CodeParameters =
      "void *const *clinch_v, const char *clinch_subject";
  static std::string given(size_t I) {
    return "clinch_v[" + std::to_string(I) + "]";
  }

  /// Begins `int Name(Parameters)`, and adds its prototype.
  void open(const std::string &Name, const std::string &Parameters,
            std::string &Prototypes);
  void declare(const std::string &Text, const CodeProvider &Of);
  /// `Name` means what the caller's \p Address points to from here on, in a
  /// scope of its own.
  struct Reference {
    std::string Name, Address;
  };
  void refer(const std::vector<Reference> &To);
  void behaviour(const std::string &Text, const char *Hook,
                 const CodeProvider &Of, bool MayFail, unsigned Line = 1);
  void close(bool HasLabel);
  SharedText take(bool HasModuleInit);

  Writer W;

private:
  void region(std::string Name, Region::Role Role);
  std::vector<Region> Regions;
  std::vector<std::string> Symbols;
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_SHAREDWRITER_H
