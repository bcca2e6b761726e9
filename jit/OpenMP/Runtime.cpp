// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenMP that the process has.

#include "Runtime.h"

#include "Gomp.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <memory>

using namespace clinch;
using namespace clinch::openmp;

namespace {

struct Library {
  std::string File;
  void *Handle = nullptr; ///< From dlopen; kept for ever, like libc.
  bool IsGcc = false;
  bool IsOld = false; ///< LLVM's, of before 19.
  Gomp Table = {};    ///< If it is GCC's.
};

constinit std::atomic<const Library *> Found{nullptr};

std::string_view nameOf(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

/// Whether \p Path is named as an OpenMP is: `libgomp-a34b3233.so.1` too, and
/// not `libomptarget.so`.
bool isNamedSo(std::string_view Path) {
  const std::string_view Name = nameOf(Path);
  for (std::string_view Stem : {"libgomp", "libomp", "libiomp5"})
    if (Name.starts_with(Stem) && Name.find(".so") != Name.npos) {
      const char Next = Name[Stem.size()];
      return Next == '.' || Next == '-';
    }
  return false;
}

/// Returns the paths of the loaded ones, the first loaded first.
std::vector<std::string> loaded() {
  std::vector<std::string> Paths;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *To) {
        if (isNamedSo(Info->dlpi_name))
          static_cast<std::vector<std::string> *>(To)->emplace_back(
              Info->dlpi_name);
        return 0;
      },
      &Paths);
  return Paths;
}

/// The major version in `/usr/lib/llvm-14/lib`.
int versionOf(const std::filesystem::path &Folder) {
  const std::string Name = Folder.filename();
  constexpr std::string_view Begin = "llvm-";
  return Name.starts_with(Begin)
             ? int(strtol(Name.c_str() + Begin.size(), nullptr, 10))
             : 0;
}

/// Returns where an OpenMP may be installed, in the order in which it is tried.
std::vector<std::string> places() {
  namespace fs = std::filesystem;
  std::error_code Ignored;
  std::vector<fs::path> Versions;
  for (fs::directory_iterator E("/usr/lib", Ignored);
       E != fs::directory_iterator(); E.increment(Ignored))
    if (versionOf(E->path()))
      Versions.push_back(E->path());
  std::sort(Versions.begin(), Versions.end(), [](const auto &A, const auto &B) {
    return versionOf(A) > versionOf(B);
  });
  const fs::path Own = fs::read_symlink("/proc/self/exe", Ignored);
  std::vector<std::string> Paths = {Own.parent_path().parent_path() /
                                    "lib/libomp.so"};
  for (const fs::path &Folder : Versions)
    Paths.push_back(Folder / "lib/libomp.so");
  for (const char *Name : {"libomp.so", "libomp.so.5", "libgomp.so.1"})
    Paths.emplace_back(Name);
  return Paths;
}

template <typename Function>
bool findTo(Function *&To, void *Handle, const char *Name) {
  To = reinterpret_cast<Function *>(dlsym(Handle, Name));
  return To != nullptr;
}

/// Whether it has all that is called.
bool fill(Gomp &G, void *Handle) {
  bool IsWhole = findTo(G.ThreadNumber, Handle, "omp_get_thread_num") &&
                 findTo(G.Threads, Handle, "omp_get_num_threads");
#define CLINCH_GOMP_FIND(Result, Name, ...)                                    \
  IsWhole = IsWhole && findTo(G.Name, Handle, "GOMP_" #Name);
  CLINCH_GOMP_FUNCTIONS(CLINCH_GOMP_FIND)
#undef CLINCH_GOMP_FIND
  return IsWhole;
}

/// Returns the file that has the function at \p Address.
std::string fileOf(void *Address) {
  Dl_info Info = {};
  return dladdr(Address, &Info) && Info.dli_fname ? Info.dli_fname : "";
}

/// Returns null if code of Clang's cannot run on it.
std::unique_ptr<Library> read(void *Handle) {
  auto L = std::make_unique<Library>();
  L->Handle = Handle;
  void *Own = dlsym(Handle, "__kmpc_fork_call");
  L->IsOld = Own && !dlsym(Handle, "__kmpc_dispatch_deinit");
  if (!Own) {
    if (!fill(L->Table, Handle))
      return nullptr;
    L->IsGcc = true;
    Own = reinterpret_cast<void *>(L->Table.parallel);
  }
  L->File = fileOf(Own);
  return L;
}

std::unique_ptr<Library> open(const std::vector<std::string> &Paths) {
  for (const std::string &Path : Paths)
    if (void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL))
      if (auto Made = read(Handle))
        return Made;
  return nullptr;
}

const Library *library() {
  if (const Library *Known = Found)
    return Known;
  std::unique_ptr<Library> Made = open(loaded());
  if (!Made) // It may be a part of the program.
    Made = read(RTLD_DEFAULT);
  if (!Made)
    Made = open(places());
  const Library *Expected = nullptr;
  if (!Made || !Found.compare_exchange_strong(Expected, Made.get()))
    return Expected;
  return Made.release();
}

bool isOfOpenMP(std::string_view Name) {
  return Name.starts_with("__kmpc_") || Name.starts_with("GOMP_") ||
         Name.starts_with("omp_");
}

} // namespace

const Gomp &openmp::gomp() {
  return Found.load(std::memory_order_relaxed)->Table;
}

void *openmp::findOnGomp(std::string_view Name) {
  for (auto *FindIn : {findRegion, findLoop, findTask})
    if (void *Address = FindIn(Name))
      return Address;
  return nullptr;
}

void *openmp::find(std::string_view Name) {
  if (!isOfOpenMP(Name))
    return nullptr;
  const Library *L = library();
  if (!L)
    return nullptr;
  if (L->IsGcc && Name.starts_with("__kmpc_"))
    return findOnGomp(Name);
  void *Own = dlsym(L->Handle, std::string(Name).c_str());
  void *Other = L->IsOld ? findForOldLlvm(Name, Own) : nullptr;
  return Other ? Other : Own;
}

std::string openmp::file() {
  const Library *L = library();
  return L ? L->File : "";
}

std::string openmp::rivalOf(const std::string &Path) {
  if (!isNamedSo(Path))
    return "";
  if (void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    dlclose(Handle);
    return "";
  }
  const std::vector<std::string> Paths = loaded();
  return Paths.empty() ? "" : Paths.front();
}

std::string openmp::whyMissing(const std::vector<std::string> &Names) {
  if (std::none_of(Names.begin(), Names.end(), isOfOpenMP))
    return "";
  const Library *L = library();
  if (!L)
    return " No OpenMP is loaded in this process or installed: expected "
           "`libomp.so` (Debian: libomp-dev) or `libgomp.so.1`.";
  if (!L->IsGcc)
    return " The OpenMP of this process is `" + L->File + "`.";
  return " The OpenMP of this process is GCC's, `" + L->File +
         "`, on which Clinch has no `teams`, `cancel`, `ordered(n)`, task "
         "reductions and allocators.";
}
