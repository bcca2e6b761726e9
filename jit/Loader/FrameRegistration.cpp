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
// libgcc's __register_frame crashes if it gets no memory for its record. So the
// functions below are used, which take a record.
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
extern "C" void __register_frame_info(const void *, void *);
extern "C" void __register_frame_info_table(void *, void *);
extern "C" void *__deregister_frame_info(const void *);
// NOLINTEND(bugprone-reserved-identifier)

namespace {

/// Sections that are registered together.
struct Table {
  std::vector<void *> Sections = {nullptr}; ///< A null pointer ends them.
  FrameNote Note;

  void enter() {
    Note = {};
    __register_frame_info_table(static_cast<void *>(Sections.data()), &Note);
  }
  void leave() {
    __deregister_frame_info(static_cast<void *>(Sections.data()));
  }
};

/// The caller holds ProcessLock::Frames.
class FrameTables {
public:
  static FrameTables &process();

  void add(char *Section);
  void remove(char *Section) noexcept;

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
    New->enter();
  if (Old)
    Old->leave();
  Old = std::move(New);
}

void FrameTables::add(char *Section) {
  std::unique_ptr<Table> &Place = Tables[neighbourhood(Section)];
  auto New = std::make_unique<Table>();
  if (Place)
    New->Sections = Place->Sections;
  New->Sections.insert(New->Sections.begin(), Section);
  replace(Place, std::move(New));
}

/// Returns null if memory runs out.
static std::unique_ptr<Table> without(const Table &Old,
                                      char *Section) noexcept {
  try {
    auto New = std::make_unique<Table>();
    New->Sections = Old.Sections;
    std::erase(New->Sections, Section);
    return New;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void FrameTables::remove(char *Section) noexcept {
  auto Place = Tables.find(neighbourhood(Section));
  std::unique_ptr<Table> &Known = Place->second;
  if (Known->Sections.size() == 2) {
    replace(Known, nullptr);
    Tables.erase(Place);
  } else if (auto New = without(*Known, Section)) {
    replace(Known, std::move(New));
  } else { // The neighbours are unknown to the unwinder for a moment.
    Known->leave();
    std::erase(Known->Sections, Section);
    Known->enter();
  }
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
    __register_frame_info(Section, &Note);
  else
    FrameTables::process().add(Section);
}

FrameRegistration::~FrameRegistration() {
  const bool HasTree = hasTree(); // Outside the lock: it may wait for a dlopen.
  LockGuard Guard(lockOf(ProcessLock::Frames));
  if (HasTree)
    __deregister_frame_info(Section);
  else
    FrameTables::process().remove(Section);
}
