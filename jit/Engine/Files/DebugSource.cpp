//===- DebugSource.cpp - The text that a debugger shows ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugSource.h"

#include "AtomicFile.h"
#include "lib/Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <unistd.h>

using namespace clinch;
using namespace clinch::engine;

namespace {

bool isLineDirective(llvm::StringRef Line) {
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("#"))
    return false;
  Line = Line.ltrim(" \t");
  return Line.starts_with("line ") || Line.starts_with("line\t") ||
         (!Line.empty() && llvm::isDigit(Line[0]));
}

std::string fileName(const SourceText &Text, Language Lang,
                     const std::string &Blanked) {
  std::string Name;
  for (char C : llvm::sys::path::stem(Text.Name))
    Name += llvm::isAlnum(C) || C == '-' || C == '_' ? C : '_';
  if (Name.size() > 64)
    Name.resize(64);
  // Keep the author's name, for `break NAME:LINE`.
  return contentHash(Blanked).substr(0, 12) + "/" + Name +
         (Lang == Language::C ? ".c" : ".cpp");
}

std::string temporaryFolder() {
  llvm::SmallString<128> Folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
  return (Folder + "/clinch-debug-" + std::to_string(geteuid())).str();
}

} // namespace

std::string clinch::engine::withoutLineDirectives(const std::string &Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    if (!isLineDirective(Line))
      Result += Line;
    if (Line.size() != Rest.size())
      Result += '\n';
    Rest = After;
  }
  return Result;
}

Expected<SourceText> clinch::engine::writeDebugSource(const SourceText &Text,
                                                      Language Lang,
                                                      std::string Folder) {
  SourceText Result;
  Result.Text = withoutLineDirectives(Text.Text);
  Folder = Folder.empty() ? temporaryFolder() : Folder + "/debug";
  Result.Name = Folder + "/" + fileName(Text, Lang, Result.Text);
  if (!llvm::sys::fs::exists(Result.Name) &&
      !writeAtomically(Result.Name, Result.Text))
    return Error(Error::Kind::IO, "The text for the debugger cannot be written "
                                  "to `" +
                                      Result.Name + "`.");
  return Result;
}
