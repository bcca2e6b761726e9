// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLD in this process.

#include "LinkCommand.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using llvm::StringLiteral;
using llvm::StringRef;

LLD_HAS_DRIVER(elf)

extern "C" const char ClinchStartBegin[], ClinchStartEnd[];

/// LLD prepares every back end that LLVM's build had. Those that are not linked
/// in are this function: see clinch_link_lld in cmake/ClinchLLVM.cmake.
extern "C" void clinch_no_target() {}

/// Debian's LLVM asks Polly for its passes, which are left out too.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}};
}

namespace {

constexpr StringLiteral SystemFolders[] = {"/lib/x86_64-linux-gnu",
                                           "/usr/lib/x86_64-linux-gnu",
                                           "/lib64",
                                           "/usr/lib64",
                                           "/lib",
                                           "/usr/lib"};

/// A library that programs need, by the name that is there without a compiler.
struct Runtime {
  StringLiteral Option, File;
};
constexpr Runtime Runtimes[] = {{"-lc", "libc.so.6"},
                                {"-lm", "libm.so.6"},
                                {"-lpthread", "libpthread.so.0"},
                                {"-ldl", "libdl.so.2"},
                                {"-lrt", "librt.so.1"},
                                {"-lgcc_s", "libgcc_s.so.1"},
                                {"-lstdc++", "libstdc++.so.6"},
                                {"-lomp", "libomp.so.5"}};

/// Only packages of the C library have these files. The last two are of the old
/// functions _init and _fini.
constexpr StringLiteral OfTheCLibrary[] = {"crt1.o",  "Scrt1.o", "rcrt1.o",
                                           "gcrt1.o", "crti.o",  "crtn.o"};

class LinkLine {
public:
  explicit LinkLine(llvm::ArrayRef<const char *> Given);
  /// Returns false, with a message, where a file of the C library is missing.
  bool complete();
  std::vector<const char *> pointers() const;

private:
  bool isThere(StringRef Library) const;
  bool isNotNeeded(StringRef Word) const;
  std::string startObject();

  std::vector<std::string> Words;
  std::vector<std::string> Folders; ///< Those of -L.
  std::string Start;
};

LinkLine::LinkLine(llvm::ArrayRef<const char *> Given)
    : Words(Given.begin(), Given.end()) {
  // Its own files are the C library's alone. They are older than the others,
  // which name functions that it lacks.
  if (llvm::is_contained(Words,
                         "--sysroot=" + clinch::engine::carriedSysroot())) {
    Words.emplace_back("--allow-shlib-undefined");
    for (StringRef Folder : SystemFolders)
      Words.push_back("-L" + Folder.str());
  }
  for (size_t I = 0; I != Words.size(); ++I)
    if (Words[I] == "-L" && I + 1 != Words.size())
      Folders.push_back(Words[I + 1]);
    else if (StringRef(Words[I]).starts_with("-L"))
      Folders.push_back(Words[I].substr(2));
}

/// \p Library is `-lNAME`.
bool LinkLine::isThere(StringRef Library) const {
  const std::string Name = "/lib" + Library.substr(2).str();
  return llvm::any_of(Folders, [&](const std::string &Folder) {
    return llvm::sys::fs::exists(Folder + Name + ".so") ||
           llvm::sys::fs::exists(Folder + Name + ".a");
  });
}

/// Returns true for the files of the C library that a shared library can miss.
bool LinkLine::isNotNeeded(StringRef Word) const {
  return (Word == "crti.o" || Word == "crtn.o") &&
         llvm::is_contained(Words, "-shared");
}

/// Returns a path by which the object of Start.c can be read.
std::string LinkLine::startObject() {
  if (!Start.empty())
    return Start;
  const StringRef Bytes(ClinchStartBegin, ClinchStartEnd - ClinchStartBegin);
  const int File = memfd_create("clinch-start.o", MFD_CLOEXEC);
  llvm::raw_fd_ostream(File, /*shouldClose=*/false) << Bytes;
  Start = "/proc/self/fd/" + std::to_string(File);
  return Start;
}

bool LinkLine::complete() {
  std::vector<std::string> Found;
  for (const std::string &Word : Words) {
    const StringRef Known(Word);
    if (isNotNeeded(Known))
      continue;
    if (llvm::is_contained(OfTheCLibrary, Known)) {
      llvm::errs() << "ld: error: there is no `" << Word
                   << "`, which every program begins with: the files to link "
                      "with the C library are missing (Debian's package "
                      "libc6-dev, Fedora's glibc-devel)\n";
      return false;
    }
    if (Known.starts_with("crtbegin") && Known.ends_with(".o")) {
      Found.push_back(startObject());
      continue;
    }
    if (Known.starts_with("crtend") && Known.ends_with(".o"))
      continue;
    if (Known == "-lgcc" && !isThere(Known))
      continue; // libgcc_s.so.1 has most of it.
    std::string Path = Word;
    for (const Runtime &R : Runtimes)
      if (Known == R.Option && !isThere(Known))
        for (StringRef Folder : SystemFolders)
          if (const std::string File = (Folder + "/" + R.File).str();
              Path == Word && llvm::sys::fs::exists(File))
            Path = File;
    Found.push_back(std::move(Path));
  }
  Words = std::move(Found);
  return true;
}

std::vector<const char *> LinkLine::pointers() const {
  std::vector<const char *> Result;
  Result.reserve(Words.size());
  for (const std::string &Word : Words)
    Result.push_back(Word.c_str());
  return Result;
}

/// LLD maps the file that it writes: on a full disk, writing is a bus error.
void onBusError(int) {
  llvm::sys::RunInterruptHandlers(); // They remove files.
  constexpr StringLiteral Message =
      "ld: error: the output cannot be written: the disk is full\n";
  [[maybe_unused]] const ssize_t Written =
      write(STDERR_FILENO, Message.data(), Message.size());
  _exit(1);
}

} // namespace

std::string clinch::engine::carriedSysroot() {
  Dl_info Own;
  if (!dladdr(reinterpret_cast<void *>(&carriedSysroot), &Own))
    return {};
  return (llvm::sys::path::parent_path(Own.dli_fname) + "/sysroot").str();
}

int clinch::engine::link(llvm::ArrayRef<const char *> Arguments) {
  LinkLine Line(Arguments);
  if (!Line.complete())
    return 1;
  llvm::sys::SetInterruptFunction(nullptr); // Installs LLVM's handlers.
  signal(SIGBUS, onBusError);
  const bool Linked =
      lld::elf::link(Line.pointers(), llvm::outs(), llvm::errs(),
                     /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  return Linked ? 0 : 1;
}
