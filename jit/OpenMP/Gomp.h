// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's OpenMP runtime.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clinch::openmp {

using Outlined = void (*)(void *);
using Number = unsigned long long;

/// A loop over the numbers from `Begin` to `End`; the first call of each thread
/// starts it, and the others go on.
#define CLINCH_GOMP_LOOP(F, Kind)                                              \
  F(bool, loop_ull_##Kind##_start, bool Up, Number Begin, Number End,          \
    Number Step, Number Chunk, Number *First, Number *Behind)                  \
  F(bool, loop_ull_##Kind##_next, Number *First, Number *Behind)

/// Each function of `libgomp.so.1` that is called, without its `GOMP_`.
#define CLINCH_GOMP_FUNCTIONS(F)                                               \
  F(void, parallel, Outlined, void *, unsigned Threads, unsigned Flags)        \
  F(void, parallel_start, Outlined, void *, unsigned Threads)                  \
  F(void, parallel_end)                                                        \
  F(void, barrier)                                                             \
  F(void, critical_name_start, void **)                                        \
  F(void, critical_name_end, void **)                                          \
  F(bool, single_start)                                                        \
  F(void *, single_copy_start)                                                 \
  F(void, single_copy_end, void *)                                             \
  F(void, ordered_start)                                                       \
  F(void, ordered_end)                                                         \
  CLINCH_GOMP_LOOP(F, static)                                                  \
  CLINCH_GOMP_LOOP(F, dynamic)                                                 \
  CLINCH_GOMP_LOOP(F, guided)                                                  \
  CLINCH_GOMP_LOOP(F, ordered_static)                                          \
  CLINCH_GOMP_LOOP(F, ordered_dynamic)                                         \
  CLINCH_GOMP_LOOP(F, ordered_guided)                                          \
  F(bool, loop_ull_runtime_start, bool, Number, Number, Number, Number *,      \
    Number *)                                                                  \
  F(bool, loop_ull_runtime_next, Number *, Number *)                           \
  F(bool, loop_ull_ordered_runtime_start, bool, Number, Number, Number,        \
    Number *, Number *)                                                        \
  F(bool, loop_ull_ordered_runtime_next, Number *, Number *)                   \
  F(void, loop_end_nowait)                                                     \
  F(void, task, Outlined, void *, void (*Copy)(void *, void *), long Size,     \
    long Alignment, bool Deferred, unsigned Flags, void **Depend,              \
    int Priority, void *Detach)                                                \
  F(void, taskwait)                                                            \
  F(void, taskwait_depend, void **)                                            \
  F(void, taskyield)                                                           \
  F(void, taskgroup_start)                                                     \
  F(void, taskgroup_end)

struct Gomp {
#define CLINCH_GOMP_MEMBER(Result, Name, ...) Result (*Name)(__VA_ARGS__);
  CLINCH_GOMP_FUNCTIONS(CLINCH_GOMP_MEMBER)
#undef CLINCH_GOMP_MEMBER
  int (*ThreadNumber)(); ///< omp_get_thread_num
  int (*Threads)();      ///< omp_get_num_threads
};

/// The runtime of this process, whose functions findOnGomp() has returned.
const Gomp &gomp();

/// Where Clang's code says which region calls.
struct Place;

/// Returns one of LLVM's functions `__kmpc_*` on GCC's runtime, or null: all of
/// them, of regions and what orders threads, of loops, of tasks.
void *findOnGomp(std::string_view Name);
void *findRegion(std::string_view Name);
void *findLoop(std::string_view Name);
void *findTask(std::string_view Name);

/// Returns what replaces a function of LLVM's runtimes before 19, where it is
/// at \p Own, or null: nothing does.
void *findForOldLlvm(std::string_view Name, void *Own);

struct Entry {
  std::string_view Name;
  void *Address;
};
/// An entry of a table; \p Function is `__kmpc_` and the name.
#define CLINCH_KMPC(Name)                                                      \
  Entry { "__kmpc_" #Name, reinterpret_cast<void *>(&(Name)) }

template <size_t Count>
void *findIn(const Entry (&Entries)[Count], std::string_view Name) {
  for (const Entry &E : Entries)
    if (E.Name == Name)
      return E.Address;
  return nullptr;
}

} // namespace clinch::openmp
