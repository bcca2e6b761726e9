// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text that a debugger shows.

#include "DebugSource.h"

#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <mutex>
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

std::string fileName(const SourceText &Text, Language Lang) {
  std::string Name;
  for (char C : llvm::sys::path::stem(Text.Name))
    Name += llvm::isAlnum(C) || C == '-' || C == '_' ? C : '_';
  if (Name.size() > 64)
    Name.resize(64);
  // Keep the author's name, for `break NAME:LINE`.
  return Name + (Lang == Language::C ? ".c" : ".cpp");
}

/// Opens the user's folder below the temporary one. If another user made it
/// first, makes one that cannot be foreseen.
std::optional<PrivateFolder> openTemporary(std::string &Path) {
  llvm::SmallString<128> Folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
  Path = (Folder + "/clinch-debug-" + std::to_string(geteuid())).str();
  if (auto Known = PrivateFolder::open(Path, true))
    return Known;
  static std::mutex Lock;
  static std::string Own;
  std::lock_guard<std::mutex> Guard(Lock);
  if (auto Known = PrivateFolder::open(Own, false)) {
    Path = Own;
    return Known;
  }
  auto Made = PrivateFolder::createAt(Path += "-");
  Own = Path;
  return Made;
}

/// Opens the folder of debug sources: the cache's, if \p Path is one.
std::optional<PrivateFolder> openFolder(std::string &Path) {
  if (Path.empty())
    return openTemporary(Path);
  auto Cache = PrivateFolder::open(Path, true);
  Path += "/debug";
  return Cache ? Cache->below("debug") : std::nullopt;
}

} // namespace

std::string clinch::engine::withoutLineDirectives(const std::string &Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    if (isLineDirective(Line))
      Result.append(Line.size(), ' ');
    else
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
  const std::string Hash = contentHash(Result.Text).substr(0, 12);
  const std::string File = fileName(Text, Lang);
  auto Open = openFolder(Folder);
  auto Own = Open ? Open->below(Hash) : std::nullopt;
  Result.Name = Folder + "/" + Hash + "/" + File;
  if (!Own ||
      (Own->read(File) != Result.Text && !Own->write(File, Result.Text)))
    return Error(Error::Kind::IO, "The text for the debugger cannot be written "
                                  "to `" +
                                      Result.Name + "`.");
  return Result;
}
