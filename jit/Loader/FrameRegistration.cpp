// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers unwind information.
//
// Before version 13, libgcc keeps its records in a list, sorted by address,
// which it searches at each throw and to remove one: with 100,000 records that
// takes minutes. There, neighbours share a record.
//
// Such a record must stay while one of them lives: libgcc, when it has found a
// frame and released its lock, reads the record once more. So none takes
// another's place. What changes is its array of frames, which libgcc reads
// under its lock.
//
// Since version 13 it has a tree, and each object has a record of its own.
//
// libgcc's __register_frame crashes if it gets no memory for its record. So the
// functions below are used, which take a record.

#include "FrameRegistration.h"
#include "FrameReader.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <new>

using namespace clinch;

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __register_frame_info(const void *, void *);
extern "C" void *__deregister_frame_info(const void *);
extern "C" const void *_Unwind_Find_FDE(const void *, void *);
// NOLINTEND(bugprone-reserved-identifier)

namespace {

/// `struct fde_vector` of libgcc.
struct SortedFrames {
  const void *Key; ///< What it is removed by.
  size_t Count;
  Frame *begin() { return reinterpret_cast<Frame *>(this + 1); }
  Frame *end() { return begin() + Count; }
};

/// `struct object` of libgcc before version 13, which sorts the frames when it
/// first searches for one.
struct Record {
  uintptr_t Begin; ///< Of the first function.
  const void *Bases[2];
  SortedFrames *Frames;
  size_t State; ///< Some bits.
  Record *Next;

  static constexpr size_t Sorted = 1, ManyEncodings = 4;
};

/// Sections of one neighbourhood, with one record.
class Neighbours {
public:
  explicit Neighbours(std::string_view Section);
  ~Neighbours() { __deregister_frame_info(key()); }
  Neighbours(const Neighbours &) = delete;
  Neighbours &operator=(const Neighbours &) = delete;

  void add(const std::vector<Frame> &Frames);
  /// Returns whether there are others.
  bool remove(std::string_view Section) noexcept;

private:
  const void *key() const { return &IsRegistered; }
  static void waitForSearches();
  static bool isLower(Frame A, Frame B) {
    return functionOf(A) < functionOf(B);
  }

  /// Not zero: libgcc removes nothing whose key points to a zero.
  uint32_t IsRegistered = 1;
  Record Known = {};
};

/// Returns when no thread uses an array of frames that was replaced before:
/// libgcc holds its lock while it searches. It sorts new frames, too.
void Neighbours::waitForSearches() {
  const void *Bases[3];
  constexpr uintptr_t Nowhere = ~uintptr_t(0);
  _Unwind_Find_FDE(reinterpret_cast<const void *>(Nowhere),
                   static_cast<void *>(Bases));
}

Neighbours::Neighbours(std::string_view Section) {
  __register_frame_info(Section.data(), &Known);
  waitForSearches();
  if (!(Known.State & Record::Sorted)) {
    __deregister_frame_info(Section.data());
    throw std::bad_alloc();
  }
  Known.Frames->Key = key();
  Known.State |= Record::ManyEncodings; // Neighbours may have others.
}

void Neighbours::add(const std::vector<Frame> &Frames) {
  SortedFrames *Old = Known.Frames;
  const size_t Most = Old->Count + Frames.size();
  void *Memory = std::malloc(sizeof(SortedFrames) + Most * sizeof(Frame));
  if (!Memory)
    throw std::bad_alloc();
  auto *New = new (Memory) SortedFrames{key(), 0};
  // What was removed is there as another's double.
  Frame *End = std::unique_copy(Old->begin(), Old->end(), New->begin());
  for (Frame F : Frames) {
    Frame *Place = std::upper_bound(New->begin(), End, F, isLower);
    std::move_backward(Place, End, End + 1);
    *Place = F;
    ++End;
  }
  New->Count = size_t(End - New->begin());
  std::atomic_ref(Known.Begin).store(functionOf(*New->begin()));
  std::atomic_ref(Known.Frames).store(New);
  waitForSearches();
  std::free(Old);
}

bool Neighbours::remove(std::string_view Section) noexcept {
  auto IsOther = [&](Frame F) {
    return F < Section.data() || F >= Section.data() + Section.size();
  };
  SortedFrames &Frames = *Known.Frames;
  Frame *Before = std::find_if(Frames.begin(), Frames.end(), IsOther);
  if (Before == Frames.end())
    return false;
  const uintptr_t First = functionOf(*Before);
  // Each is replaced by a neighbour: so the array is sorted at any time.
  for (Frame &F : Frames)
    if (IsOther(F))
      Before = &F;
    else
      std::atomic_ref(F).store(*Before);
  std::atomic_ref(Known.Begin).store(First);
  waitForSearches();
  return true;
}

/// The caller holds ProcessLock::Frames.
class FrameTables {
public:
  static FrameTables &process();

  void add(std::string_view Section);
  void remove(std::string_view Section) noexcept;

private:
  /// Sections in a range of this size are neighbours. Functions are in the
  /// order of their sections, so those of two neighbourhoods do not mix.
  static constexpr uintptr_t NeighbourhoodBytes = uintptr_t(64) << 10;
  static uintptr_t neighbourhood(std::string_view Section) {
    return reinterpret_cast<uintptr_t>(Section.data()) / NeighbourhoodBytes;
  }

  std::map<uintptr_t, std::unique_ptr<Neighbours>> Known;
};

FrameTables &FrameTables::process() {
  static constinit ForProcess<FrameTables> Tables;
  return Tables.get([] { return new FrameTables; });
}

void FrameTables::add(std::string_view Section) {
  const std::vector<Frame> Frames = framesIn(Section);
  if (Frames.empty())
    return;
  auto Place = Known.find(neighbourhood(Section));
  if (Place != Known.end())
    Place->second->add(Frames);
  else
    Known.emplace(neighbourhood(Section),
                  std::make_unique<Neighbours>(Section));
}

void FrameTables::remove(std::string_view Section) noexcept {
  auto Place = Known.find(neighbourhood(Section));
  if (Place != Known.end() && !Place->second->remove(Section))
    Known.erase(Place);
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

FrameRegistration::FrameRegistration(std::string_view Section)
    : Section(Section) {
  const bool HasTree = hasTree(); // Outside the lock: it may wait for a dlopen.
  LockGuard Guard(lockOf(ProcessLock::Frames));
  if (HasTree)
    __register_frame_info(Section.data(), &Note);
  else
    FrameTables::process().add(Section);
}

FrameRegistration::~FrameRegistration() {
  const bool HasTree = hasTree(); // Outside the lock: it may wait for a dlopen.
  LockGuard Guard(lockOf(ProcessLock::Frames));
  if (HasTree)
    __deregister_frame_info(Section.data());
  else
    FrameTables::process().remove(Section);
}
