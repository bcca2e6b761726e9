// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of OpenMP.

#include "Gomp.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

using namespace clinch;
using namespace clinch::openmp;

namespace {

/// What Clang's code knows of a task; its own variables follow, and what it
/// shares with others.
struct Task {
  using Function = int32_t (*)(int32_t Thread, Task *);
  void *Shared;
  Function Run;
  int32_t Part;
  union {
    Function Destroy;
    int32_t Number;
  } First, Second;
};

/// Clang's flags of a task.
enum : int32_t { Tied = 1, Final = 2, HasDestructors = 8, HasPriority = 32 };
/// GCC's.
enum : unsigned {
  GccUntied = 1,
  GccFinal = 2,
  GccDepends = 8,
  GccPriority = 16
};

/// Before a task.
struct alignas(16) Header {
  size_t Bytes;
  int32_t Flags;
  std::atomic<int32_t> Uses{0}; ///< An untied task begins once for each part.

  Task *task() { return reinterpret_cast<Task *>(this + 1); }
};
Header &headerOf(Task *T) { return reinterpret_cast<Header *>(T)[-1]; }

Task *allocate(size_t Bytes, int32_t Flags) {
  void *Memory = std::malloc(sizeof(Header) + Bytes);
  if (!Memory)
    std::abort(); // As both runtimes.
  return (new (Memory) Header{Bytes, Flags})->task();
}

void release(Task *T) {
  const Header &H = headerOf(T);
  if ((H.Flags & HasDestructors) && T->First.Destroy)
    T->First.Destroy(gomp().ThreadNumber(), T);
  std::free(&headerOf(T));
}

constexpr size_t Alignment = alignof(std::max_align_t);
size_t aligned(size_t Bytes) {
  return (Bytes + Alignment - 1) / Alignment * Alignment;
}

Task *omp_task_alloc(Place *, int32_t, int32_t Flags, size_t Bytes,
                     size_t SharedBytes, Task::Function Run) {
  Task *T = allocate(aligned(Bytes) + SharedBytes, Flags);
  *T = {};
  T->Shared =
      SharedBytes ? reinterpret_cast<char *>(T) + aligned(Bytes) : nullptr;
  T->Run = Run;
  return T;
}

void runTask(void *Given) {
  Task *T = static_cast<Task *>(*static_cast<void **>(Given));
  T->Run(gomp().ThreadNumber(), T);
  std::atomic<int32_t> &Uses = headerOf(T).Uses;
  if (Uses > 1) // Its other parts are tasks of this one.
    gomp().taskwait();
  if (--Uses == 0)
    release(T);
}

void submit(Task *T, void **Depend) {
  Header &H = headerOf(T);
  ++H.Uses;
  const int Priority = H.Flags & HasPriority ? T->Second.Number : 0;
  void *Given = T;
  gomp().task(runTask, static_cast<void *>(&Given), nullptr, sizeof(Given),
              alignof(void *), true,
              (H.Flags & Tied ? 0 : GccUntied) |
                  (H.Flags & Final ? GccFinal : 0) | (Depend ? GccDepends : 0) |
                  (Priority ? GccPriority : 0),
              Depend, Priority, nullptr);
}

int32_t omp_task(Place *, int32_t, Task *T) {
  submit(T, nullptr);
  return 0;
}

/// A memory that a task reads or writes.
struct Dependence {
  void *Address;
  size_t Bytes;
  uint8_t Flags; ///< 1 if it only reads.
};

/// GCC's list: how many, how many of them are written, these, the others.
std::vector<void *> dependences(const Dependence *D, int32_t Count) {
  auto IsRead = [](const Dependence &One) { return One.Flags == 1; };
  std::vector<void *> List = {nullptr, nullptr};
  for (const bool Read : {false, true})
    for (int32_t I = 0; I != Count; ++I)
      if (IsRead(D[I]) == Read)
        List.push_back(D[I].Address);
  List[0] = reinterpret_cast<void *>(intptr_t(Count));
  List[1] = reinterpret_cast<void *>(
      intptr_t(Count - std::count_if(D, D + Count, IsRead)));
  return List;
}

int32_t omp_task_with_deps(Place *, int32_t, Task *T, int32_t Count,
                           const Dependence *D, int32_t, const Dependence *) {
  submit(T, dependences(D, Count).data());
  return 0;
}

void omp_wait_deps(Place *, int32_t, int32_t Count, const Dependence *D,
                   int32_t, const Dependence *) {
  gomp().taskwait_depend(dependences(D, Count).data());
}
void omp_taskwait_deps_51(Place *P, int32_t Thread, int32_t Count,
                          const Dependence *D, int32_t, const Dependence *,
                          int32_t) {
  omp_wait_deps(P, Thread, Count, D, 0, nullptr);
}

/// Around a task that the thread runs itself.
void omp_task_begin_if0(Place *, int32_t, Task *) {}
void omp_task_complete_if0(Place *, int32_t, Task *T) { release(T); }

int32_t omp_taskwait(Place *, int32_t) {
  gomp().taskwait();
  return 0;
}
int32_t omp_taskyield(Place *, int32_t, int32_t) {
  gomp().taskyield();
  return 0;
}
void taskgroup(Place *, int32_t) { gomp().taskgroup_start(); }
void end_taskgroup(Place *, int32_t) { gomp().taskgroup_end(); }

using Duplicate = void (*)(Task *To, Task *From, int32_t IsLast);

/// A loop that is made of tasks; the bounds are members of the first.
struct TaskLoop {
  Task *Pattern;
  uint64_t *Lower, *Upper;
  int64_t Step;
  Duplicate Copy;

  /// The same member of another task.
  uint64_t &in(Task *T, uint64_t *Member) const {
    return *reinterpret_cast<uint64_t *>(
        reinterpret_cast<char *>(T) +
        (reinterpret_cast<char *>(Member) - reinterpret_cast<char *>(Pattern)));
  }

  Task *part(uint64_t Begin, uint64_t Count, bool IsLast) const {
    const Header &H = headerOf(Pattern);
    Task *T = allocate(H.Bytes, H.Flags);
    std::memcpy(static_cast<void *>(T), Pattern, H.Bytes);
    if (Pattern->Shared)
      T->Shared =
          reinterpret_cast<char *>(T) + (static_cast<char *>(Pattern->Shared) -
                                         reinterpret_cast<char *>(Pattern));
    in(T, Lower) = *Lower + Begin * uint64_t(Step);
    in(T, Upper) = *Lower + (Begin + Count - 1) * uint64_t(Step);
    if (Copy)
      Copy(T, Pattern, IsLast);
    return T;
  }
};

enum : int32_t { Grains = 1, Tasks = 2 };

/// How many tasks a loop of \p Count numbers has.
uint64_t partsOf(uint64_t Count, int32_t Kind, uint64_t Wanted) {
  uint64_t Parts = 10 * uint64_t(gomp().Threads());
  if (Kind == Grains)
    Parts = std::max<uint64_t>(Count / std::max<uint64_t>(Wanted, 1), 1);
  else if (Kind == Tasks)
    Parts = std::max<uint64_t>(Wanted, 1);
  return std::min(Parts, Count);
}

void taskloop(Place *, int32_t, Task *T, int32_t Condition, uint64_t *Lower,
              uint64_t *Upper, int64_t Step, int32_t WithoutGroup, int32_t Kind,
              uint64_t Wanted, Duplicate Copy) {
  const TaskLoop L{T, Lower, Upper, Step, Copy};
  // The bounds may be of a signed or an unsigned type; of an empty loop they
  // differ by -1 at most, as Clang calls this for no other.
  const uint64_t Count = Step > 0
                             ? (*Upper - *Lower) / uint64_t(Step) + 1
                             : (*Lower - *Upper) / (0 - uint64_t(Step)) + 1;
  const uint64_t Parts = Count ? partsOf(Count, Kind, Wanted) : 0;
  if (!WithoutGroup)
    gomp().taskgroup_start();
  for (uint64_t I = 0, Begin = 0; I != Parts; ++I) {
    const uint64_t Own = Count / Parts + (I < Count % Parts);
    Task *Part = L.part(Begin, Own, Begin + Own == Count);
    Begin += Own;
    if (Condition) {
      submit(Part, nullptr);
      continue;
    }
    Part->Run(gomp().ThreadNumber(), Part);
    release(Part);
  }
  if (!WithoutGroup)
    gomp().taskgroup_end();
  release(T);
}

} // namespace

void *openmp::findTask(std::string_view Name) {
  const Entry Entries[] = {
      CLINCH_KMPC(omp_task_alloc),        CLINCH_KMPC(omp_task),
      CLINCH_KMPC(omp_task_with_deps),    CLINCH_KMPC(omp_wait_deps),
      CLINCH_KMPC(omp_taskwait_deps_51),  CLINCH_KMPC(omp_task_begin_if0),
      CLINCH_KMPC(omp_task_complete_if0), CLINCH_KMPC(omp_taskwait),
      CLINCH_KMPC(omp_taskyield),         CLINCH_KMPC(taskgroup),
      CLINCH_KMPC(end_taskgroup),         CLINCH_KMPC(taskloop),
  };
  return findIn(Entries, Name);
}
