// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on several threads.

#include "Reducing.h"
#include "Threads.h"

#include <memory>

using namespace clinch::arrays;

namespace {

struct RawFree {
  void operator()(void *Memory) const { PyMem_RawFree(Memory); }
};
template <typename T> using Raw = std::unique_ptr<T, RawFree>;

template <typename T> Raw<T> allocate(Py_ssize_t Count, Py_ssize_t Each = 1) {
  return Raw<T>(static_cast<T *>(
      PyMem_RawMalloc(size_t(Count) * size_t(Each) * sizeof(T))));
}

/// How many of the smaller things of so many items make a task; a power of two,
/// so that their sums are those of one thread.
Py_ssize_t perTask(Py_ssize_t Items) {
  Py_ssize_t Count = 1;
  while (Count * Items < TaskItems)
    Count *= 2;
  return Count;
}

/// What the tasks of a reduction share. Kernels that may fail have no threads,
/// so that only memory can run out.
struct Tasks {
  const clinch_reduction &R;
  const Loop &Kept, &Reduced;
  Py_ssize_t Number; ///< Of the row or column that is reduced in parts.
  Py_ssize_t Each, All;
  char *Results;
  bool OutOfMemory;

  Py_ssize_t count() const { return (All + Each - 1) / Each; }
  void note(bool Done) {
    if (!Done)
      __atomic_store_n(&OutOfMemory, true, __ATOMIC_RELAXED);
  }
  bool run(void (*Task)(void *, Py_ssize_t)) {
    runTasks(*R.loop, count(), Task, this);
    return !OutOfMemory;
  }
};

void rowsTask(void *Context, Py_ssize_t Number) {
  auto &T = *static_cast<Tasks *>(Context);
  OwnLoop Row(T.Reduced, T.R.loop->inputs);
  RowReducer Mine(T.R, T.Kept, Row.L);
  const Py_ssize_t First = Number * T.Each;
  T.note(Mine.reduceRows(First, std::min(First + T.Each, T.All)));
}

void rowPartsTask(void *Context, Py_ssize_t Number) {
  auto &T = *static_cast<Tasks *>(Context);
  OwnLoop Row(T.Reduced, T.R.loop->inputs);
  RowReducer Mine(T.R, T.Kept, Row.L);
  Mine.begin(T.Number);
  const Py_ssize_t First = Number * T.Each;
  T.note(Mine.reduceParts(First, std::min(First + T.Each, T.All),
                          reinterpret_cast<clinch_found *>(T.Results)[Number]));
}

void tilesTask(void *Context, Py_ssize_t Number) {
  auto &T = *static_cast<Tasks *>(Context);
  OwnLoop Columns(T.Kept, T.R.loop->inputs + 1);
  ColumnReducer Mine(T.R, Columns.L, T.Reduced);
  Mine.begin(Number * T.Each);
  T.note(Mine.reduce());
}

void tilePartsTask(void *Context, Py_ssize_t Number) {
  auto &T = *static_cast<Tasks *>(Context);
  OwnLoop Columns(T.Kept, T.R.loop->inputs + 1);
  ColumnReducer Mine(T.R, Columns.L, T.Reduced);
  Mine.begin(T.Number);
  const Py_ssize_t First = Number * T.Each;
  const char *Items = Mine.reduceParts(First, std::min(First + T.Each, T.All));
  T.note(Items);
  const size_t Bytes = size_t(Mine.width() * T.R.size);
  if (Items)
    memcpy(T.Results + size_t(Number) * Bytes, Items, Bytes);
}

} // namespace

bool Reduction::rowsInTasks() {
  Tasks T{R,          Kept,    Reduced, 0, perTask(ReducedItems),
          Kept.Items, nullptr, false};
  return T.run(rowsTask);
}

bool Reduction::rowInTasks(Py_ssize_t Row, RowReducer &Mine) {
  Tasks T{R,
          Kept,
          Reduced,
          Row,
          perTask(ReducedItems / Mine.parts()),
          Mine.parts(),
          nullptr,
          false};
  const Raw<clinch_found> Found = allocate<clinch_found>(T.count());
  T.Results = reinterpret_cast<char *>(Found.get());
  Mine.begin(Row);
  return Found && T.run(rowPartsTask) && Mine.join(Found.get(), T.count());
}

bool Reduction::tilesInTasks() {
  Tasks T{R, Kept, Reduced, 0, ColumnReducer::Tile, Kept.Items, nullptr, false};
  return T.run(tilesTask);
}

bool Reduction::tileInTasks(Py_ssize_t Column, ColumnReducer &Mine) {
  Mine.begin(Column);
  Tasks T{R,
          Kept,
          Reduced,
          Column,
          perTask(Mine.group() * Mine.width()),
          Mine.parts(),
          nullptr,
          false};
  const Raw<char> Rows = allocate<char>(T.count(), Mine.width() * R.size);
  T.Results = Rows.get();
  return Rows && T.run(tilePartsTask) &&
         Mine.store(Mine.join(Rows.get(), T.count()));
}
