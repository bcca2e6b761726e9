//===- FrameRegistration.cpp - Registers unwind information --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before version 13, libgcc keeps registrations in a list and searches it to
// remove one: releasing 100,000 objects would take minutes. There, neighbours
// share one registration. Since version 13 it has a tree, and each object is
// registered on its own.
//
//===----------------------------------------------------------------------===//

#include "FrameRegistration.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <vector>

using namespace clinch;

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __register_frame(void *);
extern "C" void __register_frame_table(void *);
extern "C" void __deregister_frame(void *);
// NOLINTEND(bugprone-reserved-identifier)

namespace {

/// Sections that are registered together; a null pointer ends the table.
using Table = std::vector<void *>;

/// The caller holds ProcessLock::Frames.
class FrameTables {
public:
  static FrameTables &process();

  void add(char *Section);
  void remove(char *Section);

private:
  void replace(std::unique_ptr<Table> &Old, std::unique_ptr<Table> New);

  /// Sections in a range of this size share a table.
  static constexpr uintptr_t NeighbourhoodBytes = uintptr_t(64) << 10;
  static uintptr_t neighbourhood(char *Section) {
    return reinterpret_cast<uintptr_t>(Section) / NeighbourhoodBytes;
  }

  std::map<uintptr_t, std::unique_ptr<Table>> Tables;
};

FrameTables &FrameTables::process() {
  static constinit ForProcess<FrameTables> Tables;
  return Tables.get([] { return new FrameTables; });
}

/// Registers the new table before it unregisters the old one: another thread
/// may be throwing through one of its frames.
void FrameTables::replace(std::unique_ptr<Table> &Old,
                          std::unique_ptr<Table> New) {
  if (New)
    __register_frame_table(static_cast<void *>(New->data()));
  if (Old)
    __deregister_frame(static_cast<void *>(Old->data()));
  Old = std::move(New);
}

void FrameTables::add(char *Section) {
  std::unique_ptr<Table> &Place = Tables[neighbourhood(Section)];
  auto New = Place ? std::make_unique<Table>(*Place)
                   : std::make_unique<Table>(1, nullptr);
  New->insert(New->begin(), Section);
  replace(Place, std::move(New));
}

void FrameTables::remove(char *Section) {
  auto Place = Tables.find(neighbourhood(Section));
  auto New = std::make_unique<Table>(*Place->second);
  New->erase(std::find(New->begin(), New->end(), Section));
  const bool IsEmpty = New->size() == 1;
  if (IsEmpty)
    New.reset();
  replace(Place->second, std::move(New));
  if (IsEmpty)
    Tables.erase(Place);
}

/// Returns whether libgcc is version 13 or later, by a function added in it.
bool hasTree() {
  static constinit std::atomic<int> Known{-1};
  if (Known < 0) {
    void *Library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
    Known = Library && dlvsym(Library, "__truncsfbf2", "GCC_13.0.0");
  }
  return Known > 0;
}

} // namespace

FrameRegistration::FrameRegistration(char *Section) : Section(Section) {
  const bool HasTree = hasTree(); // Outside the lock: it may wait for a dlopen.
  LockGuard Guard(lockOf(ProcessLock::Frames));
  if (HasTree)
    __register_frame(Section);
  else
    FrameTables::process().add(Section);
}

FrameRegistration::~FrameRegistration() {
  const bool HasTree = hasTree(); // Outside the lock: it may wait for a dlopen.
  LockGuard Guard(lockOf(ProcessLock::Frames));
  if (HasTree)
    __deregister_frame(Section);
  else
    FrameTables::process().remove(Section);
}
