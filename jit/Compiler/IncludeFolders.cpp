// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of headers by their contents.

#include "IncludeFolders.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace clinch;

namespace {

constexpr std::string_view FolderFlags[] = {"-I", "-iquote", "-isystem",
                                            "-idirafter"};

/// With these a text or a header can say where it is.
constexpr std::string_view Telling[] = {
    "__FILE__",      "__BASE_FILE__",       "__builtin_FILE", "source_location",
    "__TIMESTAMP__", "__PRETTY_FUNCTION__", ".incbin"};

/// Stands before a number; no path begins so.
constexpr char Mark = '\1';

bool isBelow(std::string_view Path, std::string_view Folder) {
  return Path.starts_with(Folder) &&
         (Path.size() == Folder.size() || Path[Folder.size()] == '/');
}

/// As the compiler's lookups name what is in it.
std::string normal(const std::string &Folder) {
  std::string Path = std::filesystem::path(Folder).lexically_normal();
  if (Path.size() > 1 && Path.ends_with('/'))
    Path.pop_back();
  return Path;
}

bool canMove(const std::string &Folder) {
  return Folder.starts_with('/') && Folder != "/" && !isBelow(Folder, "/usr");
}

/// Calls \p Fn with each folder that options name, which it may change.
template <typename Fn> void forEachFolder(CompileOptions &O, Fn Each) {
  for (std::string &Folder : O.IncludeDirs)
    Each(Folder);
  for (size_t I = 0; I != O.Flags.size(); ++I)
    for (std::string_view Flag : FolderFlags) {
      if (!O.Flags[I].starts_with(Flag))
        continue;
      if (O.Flags[I] == Flag) {
        if (I + 1 != O.Flags.size())
          Each(O.Flags[++I]);
      } else {
        std::string Folder = O.Flags[I].substr(Flag.size());
        Each(Folder);
        O.Flags[I] = std::string(Flag) + Folder;
      }
      break;
    }
}

bool tells(std::string_view Text) {
  return std::any_of(
      std::begin(Telling), std::end(Telling),
      [&](std::string_view Word) { return Text.find(Word) != Text.npos; });
}

bool fileTells(const FileDependency &F) {
  if (F.Hash.empty())
    return false;
  std::ifstream In(F.Path, std::ios::binary);
  std::ostringstream Text;
  Text << In.rdbuf();
  return !In || tells(Text.view());
}

// NOLINTNEXTLINE(misc-no-recursion)
bool names(const Diagnostic &D, const std::string &Folder) {
  return D.Origin.find(Folder) != D.Origin.npos ||
         D.Message.find(Folder) != D.Message.npos ||
         // NOLINTNEXTLINE(misc-no-recursion)
         std::any_of(D.Notes.begin(), D.Notes.end(),
                     [&](const Diagnostic &N) { return names(N, Folder); });
}

} // namespace

IncludeFolders::IncludeFolders(const CompileOptions &O) {
  std::vector<std::string> All;
  CompileOptions Copy;
  Copy.IncludeDirs = O.IncludeDirs;
  Copy.Flags = O.Flags;
  forEachFolder(Copy, [&](const std::string &Folder) {
    std::string Path = normal(Folder);
    if (canMove(Path))
      All.push_back(std::move(Path));
  });
  for (size_t I = 0; I != All.size(); ++I) {
    bool IsRoot = true;
    for (size_t J = 0; J != All.size(); ++J)
      IsRoot &= All[J] == All[I] ? J >= I : !isBelow(All[I], All[J]);
    if (IsRoot)
      Roots.push_back(All[I]);
  }
}

std::string IncludeFolders::numbered(const std::string &Path) const {
  for (size_t I = 0; I != Roots.size(); ++I)
    if (isBelow(Path, Roots[I]))
      return Mark + std::to_string(I) + Path.substr(Roots[I].size());
  return Path;
}

CompileOptions IncludeFolders::numbered(CompileOptions O) const {
  forEachFolder(O, [&](std::string &Folder) {
    if (std::string Path = normal(Folder); canMove(Path))
      Folder = numbered(Path);
  });
  O.LibraryDirs.clear();
  return O;
}

std::optional<std::vector<FileDependency>>
IncludeFolders::numbered(const std::vector<FileDependency> &Files) const {
  std::vector<FileDependency> Result;
  Result.reserve(Files.size());
  for (const FileDependency &F : Files) {
    Result.push_back({numbered(F.Path), F.Hash});
    if (Result.back().Path[0] == '/' && !isBelow(F.Path, "/usr"))
      return std::nullopt;
  }
  return Result;
}

std::vector<FileDependency>
IncludeFolders::placed(std::vector<FileDependency> Files) const {
  for (FileDependency &F : Files) {
    if (!F.Path.starts_with(Mark))
      continue;
    const size_t End = std::min(F.Path.find('/'), F.Path.size());
    size_t Number = Roots.size();
    std::from_chars(F.Path.data() + 1, F.Path.data() + End, Number);
    if (Number < Roots.size())
      F.Path.replace(0, End, Roots[Number]);
  }
  return Files;
}

bool IncludeFolders::areToldBy(const SourceText &Text,
                               const EngineResult &R) const {
  for (const std::string &Folder : Roots) {
    auto Names = [&](const auto &D) { return names(D, Folder); };
    if (R.Object.find(Folder) != R.Object.npos ||
        std::any_of(R.Warnings.begin(), R.Warnings.end(), Names))
      return true;
    for (const auto &[Stage, Kept] : R.Kept)
      if (Kept.find(Folder) != Kept.npos)
        return true;
  }
  return tells(Text.Text) ||
         std::any_of(R.Files.begin(), R.Files.end(), fileTells);
}
