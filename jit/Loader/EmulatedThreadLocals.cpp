// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emulated thread-local variables.

#include "EmulatedThreadLocals.h"

#include "lib/Support/Forks.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <map>
#include <new>
#include <pthread.h>
#include <set>
#include <utility>

using namespace clinch;

// NOLINTNEXTLINE(bugprone-reserved-identifier): of the C library
extern "C" void *__tls_get_addr(void *Place);

namespace {

/// What one thread has. Only the thread itself adds copies, under the lock.
struct Copies {
  std::vector<void *> ByIndex;
  bool IsEnding = false;
};

struct Table {
  Table();
  static Table &process();
  size_t takeIndex();

  pthread_key_t Key = 0;
  size_t Indices = 0;
  std::vector<size_t> Free;
  std::set<Copies *> Threads;
  std::map<std::pair<size_t, size_t>, EmulatedVariable> OfLibraries;
};

std::mutex &lock() { return lockOf(ProcessLock::ThreadLocals); }

Table &Table::process() {
  static constinit ForProcess<Table> Only;
  return Only.get([] { return new Table; });
}

/// A thread's key destructors run after those of its C++ objects. Others of
/// them may use variables, so that the copies are freed in the second round.
void endThread(void *Given) {
  auto *Own = static_cast<Copies *>(Given);
  Table &T = Table::process();
  if (!std::exchange(Own->IsEnding, true)) {
    pthread_setspecific(T.Key, Own);
    return;
  }
  LockGuard Guard(lock());
  T.Threads.erase(Own);
  for (void *Copy : Own->ByIndex)
    std::free(Copy);
  delete Own;
}

Table::Table() {
  if (pthread_key_create(&Key, endThread))
    throw std::bad_alloc();
}

size_t Table::takeIndex() {
  if (Free.empty())
    return ++Indices;
  const size_t Index = Free.back();
  Free.pop_back();
  return Index;
}

std::atomic_ref<size_t> indexOf(EmulatedVariable &V) {
  return std::atomic_ref<size_t>(V.Index);
}

void *copyOf(const EmulatedVariable &V) {
  const size_t Alignment = std::max(V.Alignment, alignof(std::max_align_t));
  void *Copy =
      std::aligned_alloc(Alignment, llvm::alignTo(V.Size + 1, Alignment));
  if (!Copy)
    throw std::bad_alloc();
  if (V.Initial)
    std::memcpy(Copy, V.Initial, V.Size);
  else
    std::memset(Copy, 0, V.Size);
  return Copy;
}

void *addCopy(Table &T, EmulatedVariable &V) {
  void *Copy = copyOf(V);
  LockGuard Guard(lock());
  size_t Index = indexOf(V).load();
  if (!Index)
    indexOf(V).store(Index = T.takeIndex());
  auto *Own = static_cast<Copies *>(pthread_getspecific(T.Key));
  if (!Own) {
    Own = *T.Threads.insert(new Copies).first;
    pthread_setspecific(T.Key, Own);
  }
  if (Own->ByIndex.size() <= Index)
    Own->ByIndex.resize(std::max(Index + 1, 2 * Own->ByIndex.size()));
  return Own->ByIndex[Index] = Copy;
}

/// Where the thread that searches has a variable.
struct Place {
  const char *Address;
  size_t Library = 0, Offset = 0;
};

int findPlace(dl_phdr_info *Info, size_t, void *Given) {
  auto &P = *static_cast<Place *>(Given);
  const auto *Begin = static_cast<const char *>(Info->dlpi_tls_data);
  for (size_t I = 0; Begin && I < Info->dlpi_phnum; ++I)
    if (Info->dlpi_phdr[I].p_type == PT_TLS && P.Address >= Begin &&
        P.Address < Begin + Info->dlpi_phdr[I].p_memsz) {
      P.Library = Info->dlpi_tls_modid;
      P.Offset = size_t(P.Address - Begin);
      return 1;
    }
  return 0;
}

void *emulatedAddress(EmulatedVariable *V) noexcept {
  if (!V->Alignment)
    return __tls_get_addr(&V->Index);
  Table &T = Table::process();
  const auto *Own = static_cast<Copies *>(pthread_getspecific(T.Key));
  const size_t Index = indexOf(*V).load(std::memory_order_acquire);
  if (Own && Index && Index < Own->ByIndex.size() && Own->ByIndex[Index])
    return Own->ByIndex[Index];
  return addCopy(T, *V);
}

} // namespace

void *clinch::findEmulatedAccess(std::string_view Name) {
  return Name == "__emutls_get_address"
             ? reinterpret_cast<void *>(&emulatedAddress)
             : nullptr;
}

void clinch::freeThreadLocals(
    const std::vector<EmulatedVariable *> &Variables) {
  if (Variables.empty())
    return;
  Table &T = Table::process();
  LockGuard Guard(lock());
  for (EmulatedVariable *V : Variables) {
    const size_t Index = indexOf(*V).exchange(0);
    if (!Index)
      continue;
    for (Copies *Each : T.Threads)
      if (Index < Each->ByIndex.size())
        std::free(std::exchange(Each->ByIndex[Index], nullptr));
    T.Free.push_back(Index);
  }
}

EmulatedVariable *clinch::variableOfLibrary(const void *Address) {
  Place P{static_cast<const char *>(Address)};
  if (!Address || !dl_iterate_phdr(findPlace, &P))
    return nullptr;
  Table &T = Table::process();
  LockGuard Guard(lock());
  return &T.OfLibraries
              .try_emplace({P.Library, P.Offset},
                           EmulatedVariable{0, 0, P.Library,
                                            reinterpret_cast<char *>(P.Offset)})
              .first->second;
}
