// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries and archives that a text names.

#include "LibraryFinder.h"
#include "jit/OpenMP/Runtime.h"
#include "lib/Support/Forks.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace clinch;
using llvm::object::Archive;
using llvm::support::endian::read16le;

namespace {

/// Where Debian's linker searches after the -L folders.
constexpr const char *SystemDirs[] = {"/usr/local/lib/x86_64-linux-gnu",
                                      "/usr/local/lib",
                                      "/lib/x86_64-linux-gnu",
                                      "/usr/lib/x86_64-linux-gnu",
                                      "/lib64",
                                      "/usr/lib64",
                                      "/lib",
                                      "/usr/lib"};

bool isLoaded(const std::string &Name) {
  void *Handle = dlopen(Name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return Handle && dlclose(Handle) == 0;
}

/// Returns a name by which dlopen() gives the file that is at \p Path now.
/// While a library is loaded, dlopen() gives it to whoever uses its name, even
/// if another file has replaced it.
std::string nameOf(const std::string &Path) {
  using File = std::pair<dev_t, ino_t>;
  using Files = std::map<std::string, File>;
  static constinit ForProcess<Files> Opened;
  Files &ByName = Opened.get([] { return new Files; });
  struct stat S = {};
  stat(Path.c_str(), &S);
  const File Now(S.st_dev, S.st_ino);
  for (std::string Name = Path;; Name.insert(Name.rfind('/') + 1, "./")) {
    const bool WasLoaded = isLoaded(Name); // It may wait for an initialiser.
    LockGuard Guard(lockOf(ProcessLock::Keys));
    File &Known = ByName.try_emplace(Name, Now).first->second;
    if (Known == Now || !WasLoaded) {
      Known = Now;
      return Name;
    }
  }
}

/// Returns the folders in which dlopen() looks for a name without a folder.
std::vector<std::string> foldersOfProcess() {
  std::vector<std::string> Result;
  Dl_serinfo Head;
  void *Program = dlopen(nullptr, RTLD_LAZY);
  if (!Program || dlinfo(Program, RTLD_DI_SERINFOSIZE, &Head) != 0)
    return Result;
  std::vector<Dl_serinfo> Memory(Head.dls_size / sizeof(Dl_serinfo) + 1, Head);
  if (dlinfo(Program, RTLD_DI_SERINFO, Memory.data()) == 0)
    for (unsigned I = 0; I != Head.dls_cnt; ++I)
      Result.emplace_back(Memory[0].dls_serpath[I].dls_name);
  dlclose(Program);
  return Result;
}

/// The search for one library, and why it failed.
struct Search {
  ManifestRecorder &Recorder;
  std::string Reason; ///< Why the first existing candidate did not load.
  std::string Rival;  ///< The OpenMP beside which none was loaded.
  Library Found;

  bool open(const std::string &Path) {
    Recorder.loads(Path);
    return Path.ends_with(".a") ? openArchive(Path) : openShared(nameOf(Path));
  }
  bool openIfThere(const std::string &Path) {
    Recorder.looks(Path);
    return access(Path.c_str(), F_OK) == 0 && open(Path);
  }
  /// Lets dlopen() search.
  bool openByName(const std::string &Name) {
    Recorder.loads("/etc/ld.so.cache");
    for (std::string Path : foldersOfProcess())
      Recorder.looks(Path.append("/").append(Name));
    link_map *Map = nullptr;
    if (!openShared(Name) || dlinfo(Found.Handle.get(), RTLD_DI_LINKMAP,
                                    static_cast<void *>(&Map)) != 0)
      return bool(Found.Handle);
    Recorder.loads(Map->l_name);
    return true;
  }

private:
  bool openShared(const std::string &Path) {
    if (std::string Other = openmp::rivalOf(Path); !Other.empty()) {
      Rival = std::move(Other);
      return false;
    }
    if (void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      Found.Handle = {Handle, [](void *H) { dlclose(H); }};
      return true;
    }
    const char *Why = dlerror();
    if (Reason.empty() && Path.find('/') != std::string::npos && Why)
      Reason = Why;
    return false;
  }
  bool openArchive(const std::string &Path) {
    auto Archive = StaticLibrary::open(Path);
    if (Archive)
      Found.Archive = std::move(*Archive);
    else if (Reason.empty())
      Reason = Archive.error().message();
    return bool(Archive);
  }
};

/// Returns the version after `libNAME.so.` as numbers, or empty.
std::vector<unsigned> versionOf(const std::string &File,
                                const std::string &Stem) {
  std::vector<unsigned> Numbers;
  if (File.compare(0, Stem.size() + 1, Stem + ".") != 0)
    return Numbers;
  Numbers.push_back(0);
  for (size_t I = Stem.size() + 1; I < File.size(); ++I) {
    if (File[I] == '.')
      Numbers.push_back(0);
    else if (isdigit(static_cast<unsigned char>(File[I])))
      Numbers.back() = Numbers.back() * 10 + unsigned(File[I] - '0');
    else
      return {};
  }
  return Numbers;
}

/// Returns the file of the highest version of \p Stem ("libm.so") in \p Dir, or
/// empty. A machine without development packages has only versioned files.
std::string newestVersion(const std::string &Dir, const std::string &Stem) {
  std::string Best;
  std::vector<unsigned> BestVersion;
  DIR *D = opendir(Dir.c_str());
  if (!D)
    return Best;
  while (const dirent *Entry = readdir(D)) {
    auto Version = versionOf(Entry->d_name, Stem);
    if (Version > BestVersion) {
      BestVersion = std::move(Version);
      Best = Entry->d_name;
    }
  }
  closedir(D);
  return Best.empty() ? Best : Dir + "/" + Best;
}

/// Returns the file name for `-lNAME`; \p Ending is ".so" or ".a".
std::string fileOf(const std::string &Name, const char *Ending) {
  return Name[0] == ':' ? Name.substr(1) : "lib" + Name + Ending;
}

bool openIn(Search &S, const std::string &Dir, const std::string &Name) {
  std::string File = fileOf(Name, ".so");
  if (S.openIfThere(Dir + "/" + File))
    return true;
  // `libm.so` may be missing or a linker script.
  S.Recorder.lists(Dir, File + ".");
  std::string Versioned = newestVersion(Dir, File);
  if (!Versioned.empty() && S.open(Versioned))
    return true;
  return S.openIfThere(Dir + "/" + fileOf(Name, ".a"));
}

bool findLibrary(Search &S, const std::string &Name,
                 const std::vector<std::string> &Dirs) {
  if (Name.empty())
    return false;
  if (Name.find('/') != std::string::npos)
    return S.open(Name);
  auto OpenIn = [&](const std::string &Dir) { return openIn(S, Dir, Name); };
  return std::any_of(Dirs.begin(), Dirs.end(), OpenIn) ||
         S.openByName(fileOf(Name, ".so")) ||
         std::any_of(std::begin(SystemDirs), std::end(SystemDirs), OpenIn);
}

std::string describeFailure(const Search &S, const std::string &Name,
                            const std::vector<std::string> &Dirs) {
  std::string Out = "`" + Name + "`: ";
  if (!S.Reason.empty())
    return Out + "found, but it does not load: " + S.Reason;
  Out += "expected `" + fileOf(Name, ".so") + "` in ";
  for (const std::string &Dir : Dirs)
    Out.append("`").append(Dir).append("`, ");
  Out += Dirs.empty() ? "" : "or ";
  return Out + "the folders of the system";
}

Error secondOpenMP(const std::string &Name, const std::string &Rival) {
  return Error(Error::Kind::Link,
               "The library `" + Name +
                   "` would be a second OpenMP in this process, which has `" +
                   Rival +
                   "`: the threads of two take the processors from one "
                   "another. Leave it out: code with OpenMP runs on the one "
                   "that is there.",
               {}, {Name});
}

} // namespace

Expected<std::vector<Library>>
clinch::openLibraries(const std::vector<std::string> &Names,
                      const std::vector<std::string> &Dirs,
                      Manifest &LookedAt) {
  std::vector<Library> Libraries;
  ManifestRecorder Recorder;
  std::vector<std::string> Missing, Absent;
  for (const std::string &Name : Names) {
    Search S{Recorder};
    if (findLibrary(S, Name, Dirs)) {
      Libraries.push_back(std::move(S.Found));
      continue;
    }
    if (!S.Rival.empty())
      return secondOpenMP(Name, S.Rival);
    Missing.push_back(describeFailure(S, Name, Dirs));
    Absent.push_back(Name);
  }
  LookedAt = Recorder.finish();
  if (Missing.empty())
    return Libraries;
  std::sort(Missing.begin(), Missing.end());
  std::string Text = Missing.size() == 1 ? "A library is missing: "
                                         : "Libraries are missing: ";
  for (size_t I = 0; I < Missing.size(); ++I)
    Text += (I ? ". " : "") + Missing[I];
  return Error(Error::Kind::Link, Text + ".", {}, std::move(Absent));
}

static std::string_view viewOf(llvm::StringRef S) {
  return {S.data(), S.size()};
}

static bool isForOtherProcessor(llvm::StringRef Object) {
  return llvm::identify_magic(Object) == llvm::file_magic::elf_relocatable &&
         Object.size() >= sizeof(Elf64_Ehdr) &&
         read16le(Object.data() + offsetof(Elf64_Ehdr, e_machine)) != EM_X86_64;
}

static llvm::Error
index(const Archive &A,
      std::unordered_map<std::string_view, std::string_view> &Objects) {
  if (A.isThin())
    return llvm::createStringError("it has names of files in it, no files");
  if (!A.hasSymbolTable())
    return llvm::createStringError("it has no index (see ranlib)");
  for (const Archive::Symbol &S : A.symbols()) {
    CLINCH_TRY_ASSIGN(auto Member, S.getMember());
    CLINCH_TRY_ASSIGN(auto Object, Member.getBuffer());
    // LLVM does not check the size in an object's header.
    if (Object.end() > A.getData().end())
      return llvm::createStringError("it is cut off in an object");
    if (isForOtherProcessor(Object))
      return llvm::createStringError("it has objects for another processor");
    Objects.try_emplace(viewOf(S.getName()), viewOf(Object));
  }
  return llvm::Error::success();
}

Expected<std::shared_ptr<const StaticLibrary>>
StaticLibrary::open(const std::string &Path) {
  auto Library = std::make_shared<StaticLibrary>();
  auto Read = [&]() -> llvm::Error {
    auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    if (!File)
      return llvm::errorCodeToError(File.getError());
    Library->Bytes = (*File)->getBuffer().str();
    auto A = Archive::create({Library->Bytes, Path});
    return A ? index(**A, Library->Objects) : A.takeError();
  };
  if (llvm::Error E = Read())
    return Error(Error::Kind::Link, "`" + Path +
                                        "` is no archive of object files: " +
                                        llvm::toString(std::move(E)));
  return std::shared_ptr<const StaticLibrary>(std::move(Library));
}

std::string_view StaticLibrary::objectDefining(std::string_view Name) const {
  auto Found = Objects.find(Name);
  return Found == Objects.end() ? std::string_view() : Found->second;
}
