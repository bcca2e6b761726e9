// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiles the prefix of a build.

#include "Bake.h"

#include "../Files/HeaderArchive.h"
#include "../Files/PrefixPaths.h"
#include "../Options/Flags.h"
#include "PrefixBuilder.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// The headers that a text may include on a machine without any.
constexpr const char *CHeaders[] = {
    "assert.h",    "complex.h",  "ctype.h",    "dlfcn.h",       "errno.h",
    "fcntl.h",     "fenv.h",     "float.h",    "immintrin.h",   "inttypes.h",
    "iso646.h",    "limits.h",   "locale.h",   "math.h",        "memory.h",
    "pthread.h",   "setjmp.h",   "signal.h",   "stdalign.h",    "stdarg.h",
    "stdatomic.h", "stdbit.h",   "stdbool.h",  "stdckdint.h",   "stddef.h",
    "stdint.h",    "stdio.h",    "stdlib.h",   "stdnoreturn.h", "string.h",
    "strings.h",   "sys/stat.h", "sys/time.h", "sys/types.h",   "tgmath.h",
    "threads.h",   "time.h",     "uchar.h",    "unistd.h",      "wchar.h",
    "wctype.h",    "x86intrin.h"};
constexpr const char *CXXHeaders[] = {"algorithm",
                                      "any",
                                      "array",
                                      "atomic",
                                      "bit",
                                      "bitset",
                                      "cassert",
                                      "cctype",
                                      "cerrno",
                                      "cfenv",
                                      "cfloat",
                                      "charconv",
                                      "chrono",
                                      "cinttypes",
                                      "climits",
                                      "clocale",
                                      "cmath",
                                      "codecvt",
                                      "compare",
                                      "complex",
                                      "concepts",
                                      "condition_variable",
                                      "coroutine",
                                      "csetjmp",
                                      "csignal",
                                      "cstdarg",
                                      "cstddef",
                                      "cstdint",
                                      "cstdio",
                                      "cstdlib",
                                      "cstring",
                                      "ctime",
                                      "cuchar",
                                      "cwchar",
                                      "cwctype",
                                      "deque",
                                      "exception",
                                      "filesystem",
                                      "forward_list",
                                      "fstream",
                                      "functional",
                                      "future",
                                      "initializer_list",
                                      "iomanip",
                                      "ios",
                                      "iosfwd",
                                      "iostream",
                                      "istream",
                                      "iterator",
                                      "limits",
                                      "list",
                                      "locale",
                                      "map",
                                      "memory",
                                      "memory_resource",
                                      "mutex",
                                      "new",
                                      "numbers",
                                      "numeric",
                                      "optional",
                                      "ostream",
                                      "queue",
                                      "random",
                                      "ranges",
                                      "ratio",
                                      "regex",
                                      "semaphore",
                                      "set",
                                      "shared_mutex",
                                      "span",
                                      "sstream",
                                      "stack",
                                      "stdexcept",
                                      "streambuf",
                                      "string",
                                      "string_view",
                                      "system_error",
                                      "thread",
                                      "tuple",
                                      "type_traits",
                                      "typeindex",
                                      "typeinfo",
                                      "unordered_map",
                                      "unordered_set",
                                      "utility",
                                      "valarray",
                                      "variant",
                                      "vector",
                                      "version",
                                      "ext/alloc_traits.h"};

std::string including(const char *Header) {
  std::string Name = std::string("<") + Header + ">";
  return "#if __has_include(" + Name + ")\n#include " + Name + "\n#endif\n";
}

/// Adds the header that lies at \p Path, at \p As.
Status addHeader(ArchiveBuilder &Archive, const std::string &Path,
                 const std::string &As) {
  if (Archive.contains(As))
    return Status::success();
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return Error(Error::Kind::IO, "The header `" + Path + "` cannot be read: " +
                                      Buffer.getError().message() + ".");
  Archive.add(As, (*Buffer)->getBuffer().str());
  return Status::success();
}

/// Adds our own headers beside Clang's, where no machine has them, and returns
/// what shows them there to the prefix.
Expected<llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>>
ownHeaders(ArchiveBuilder &Archive, const BakeRequest &R,
           const clang::CompilerInvocation &I) {
  auto Shown = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const char *Name : R.Own) {
    const std::string Path = R.OwnFolder + "/" + Name;
    const std::string As =
        I.getHeaderSearchOpts().ResourceDir + "/include/" + Name;
    CLINCH_TRY(addHeader(Archive, Path, As));
    if (auto Buffer = llvm::MemoryBuffer::getFile(Path))
      Shown->addFile(As, 0, std::move(*Buffer));
  }
  return llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(std::move(Shown));
}

/// Returns every file that the usual headers include. Each is read alone, and
/// those of C also for a CPU with many features, so that no condition hides an
/// include.
std::vector<std::string> usualHeaders(const BakeRequest &R, Language Lang,
                                      const clang::CompilerInvocation &I) {
  std::vector<std::string> Files;
  auto Collect = [&](const std::string &Text, bool Host) {
    auto Copy = std::make_shared<clang::CompilerInvocation>(I);
    if (Host)
      Copy->getTargetOpts().CPU = "sapphirerapids";
    for (std::string &F : headersOf(Copy, llvm::vfs::getRealFileSystem(), Text))
      Files.push_back(std::move(F));
  };
  for (const char *H : CHeaders) {
    Collect(including(H), false);
    Collect(including(H), true);
  }
  for (const char *H : R.Headers)
    Collect(R.Prefix + including(H), false);
  if (Lang == Language::CXX)
    for (const char *H : CXXHeaders)
      Collect(including(H), false);
  return Files;
}

/// Simplifies paths such as `/usr/bin/../include`, which messages show. Drops
/// folders that do not exist, and the compilation folder.
std::vector<std::string> cleaned(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Result;
  for (const std::string &A : Arguments) {
    if (llvm::StringRef(A).contains("-compilation-dir="))
      continue;
    llvm::SmallString<256> Path(A);
    if (A[0] == '/')
      llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    bool IsSearched = !Result.empty() && (Result.back().ends_with("isystem") ||
                                          Result.back() == "-idirafter");
    if (IsSearched && !llvm::sys::fs::is_directory(Path))
      Result.pop_back();
    else
      Result.push_back(Path.str().str());
  }
  return Result;
}

/// What the prelude of texts in CUDA includes, which is for GPUs alone.
constexpr const char *ForGPUs[] = {"gpuintrin.h", "nvptxintrin.h"};

Status bake(ArchiveBuilder &Archive, const BakeRequest &R, Language Lang) {
  std::vector<std::string> Flags;
  Flags.reserve(R.Folders.size());
  for (const std::string &F : R.Folders)
    Flags.push_back("-idirafter" + F);
  std::vector<Diagnostic> Warnings;
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::getRealFileSystem());
  CLINCH_TRY_ASSIGN(std::vector<std::string> Arguments,
                    driverArguments(R.Clang, Lang, Flags, FS, Warnings));
  Arguments = cleaned(Arguments);
  CLINCH_TRY_ASSIGN(clang::CompilerInvocation I, parseArguments(Arguments));
  CLINCH_TRY_ASSIGN(auto Own, ownHeaders(Archive, R, I));
  FS->pushOverlay(std::move(Own));
  ManifestRecorder Recorder; // Each build has its own key.
  CLINCH_TRY_ASSIGN(BuiltPrefix Prefix,
                    buildPrefix(std::make_shared<clang::CompilerInvocation>(I),
                                FS, Recorder, R.Prefix));
  for (const auto &Files : {Prefix.Headers, usualHeaders(R, Lang, I)})
    for (const std::string &Path : Files)
      CLINCH_TRY(addHeader(Archive, Path, Path));
  const std::string ClangsOwn =
      I.getHeaderSearchOpts().ResourceDir + "/include/";
  for (const char *Name : ForGPUs)
    CLINCH_TRY(addHeader(Archive, ClangsOwn + Name, ClangsOwn + Name));
  Archive.add(prefixPaths(Lang).Precompiled, std::move(Prefix.Precompiled));
  Archive.add(prefixPaths(Lang).Names, std::move(Prefix.Names));
  Archive.add(prefixPaths(Lang).Arguments, llvm::join(Arguments, "\n"));
  return Status::success();
}

} // namespace

Expected<std::string> clinch::engine::bakeArchive(const BakeRequest &R) {
  ArchiveBuilder Archive;
  Archive.add(PrefixTextPath, R.Prefix);
  Archive.add(PrefixVersionPath, prefixVersion(R.Prefix, R.Folders));
  Archive.add(ClangVersionPath, clangVersionText());
  for (Language Lang : {Language::C, Language::CXX})
    CLINCH_TRY(bake(Archive, R, Lang));
  return Archive.finish();
}
