// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and signatures of a text, for a host.
//
// Writes the second part of FunctionsSection, from which a host learns how the
// data of a text lies in memory.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch::engine {

class TypeWriter {
public:
  explicit TypeWriter(const clang::ASTContext &C)
      : C(C), Policy(C.getPrintingPolicy()) {
    Policy.SuppressTagKeyword = true;
  }

  void addFunction(const clang::FunctionDecl &F, const std::string &Symbol);
  void addVariable(const clang::VarDecl &V, const std::string &Symbol);
  /// A struct, union or enum that the text itself defines.
  void addTag(const clang::TagDecl &D);

  /// Returns all lines, those of types after what uses them.
  std::string lines();

private:
  std::string typeOf(const clang::VarDecl &V);
  std::string type(clang::QualType T);
  std::string pointer(clang::QualType Pointee);
  std::string tag(const clang::TagDecl &D);
  std::string described(const clang::TagDecl &D);
  bool isDescribed(const clang::TagDecl &D) const;
  bool isShown(const clang::TagDecl &D) const;
  void record(const clang::RecordDecl &R);
  std::string bases(const clang::RecordDecl &R);
  void enumeration(const clang::EnumDecl &E);

  const clang::ASTContext &C;
  clang::PrintingPolicy Policy;
  std::vector<const clang::TagDecl *> Tags; ///< A type's number is its place.
  std::string Lines;
};

/// Returns a consumer that describes the functions which a text defines for
/// others in \p Lines: the contents of FunctionsSection.
std::unique_ptr<clang::ASTConsumer> createSignatureWriter(std::string &Lines);

} // namespace clinch::engine
