// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, extremes and searches along axes.

#include "Reducing.h"

#include "Threads.h"

using namespace clinch::arrays;

/// So many rows or tiles keep all threads busy, without being cut.
static constexpr Py_ssize_t ManyTasks = 64;

/// Puts the kept dimensions before the reduced ones and merges what it can.
void Reduction::arrange() {
  int Order[MaxDims], Permutation[MaxDims], Count = 0;
  if (R.search) // The index counts in C's order.
    for (int D = 0; D < L.Dims; ++D)
      Order[D] = D;
  else
    L.order(Order);
  for (bool Want : {false, true})
    for (int D = 0; D < L.Dims; ++D)
      if (isReduced(Order[D]) == Want)
        Permutation[Count++] = Order[D];
  int KeptDims = 0;
  for (int D = 0; D < L.Dims; ++D)
    KeptDims += !isReduced(D);
  L.Operands = Spec.inputs + 1;
  L.permute(Permutation);
  auto Take = [&](Loop &Into, Operand *Of, int First, int Last) {
    Into.Of = Of;
    Into.Operands = Spec.inputs + 1;
    Into.Dims = Last - First;
    std::copy(L.Shape + First, L.Shape + Last, Into.Shape);
    for (int K = 0; K < Into.Operands; ++K) {
      Of[K] = Operands[K];
      std::copy(Operands[K].Strides + First, Operands[K].Strides + Last,
                Of[K].Strides);
    }
    Into.dropSingles();
    Into.coalesce();
    Into.Items = 1;
    for (int D = 0; D < Into.Dims; ++D)
      Into.Items *= Into.Shape[D];
  };
  Take(Kept, KeptOf, 0, KeptDims);
  Take(Reduced, ReducedOf, KeptDims, L.Dims);
  Reduced.Operands = Kept.Operands = Spec.inputs;
}

/// Whether to reduce row by row: the innermost dimension in memory is reduced,
/// or the kept ones are too short for an inner loop.
bool Reduction::reducesRows() const {
  if (R.search || Kept.Dims == 0)
    return true;
  if (Kept.Shape[Kept.Dims - 1] < 16)
    return true;
  if (Reduced.Items < 16)
    return false;
  Py_ssize_t Across = 0, Along = 0;
  for (int K = 0; K < Spec.inputs; ++K) {
    Across += std::abs(KeptOf[K].Strides[Kept.Dims - 1]);
    Along += std::abs(ReducedOf[K].Strides[Reduced.Dims - 1]);
  }
  return Along <= Across;
}

int Reduction::result(bool Done, bool Failed) const {
  if (Done)
    return 0;
  if (Failed)
    noteIndex(Spec.name, nullptr, -1);
  else
    PyErr_NoMemory();
  return -1;
}

int Reduction::byRows() {
  RowReducer Mine(R, Kept, Reduced);
  if (!hasThreads(Spec, KeptItems * ReducedItems))
    return result(Mine.reduceRows(0, Kept.Items), Mine.failed());
  if (ReducedItems < 8 * TaskItems || Kept.Items >= ManyTasks)
    return result(rowsInTasks(), false);
  bool Done = true;
  for (Py_ssize_t I = 0; I < Kept.Items && Done; ++I)
    Done = rowInTasks(I, Mine);
  return result(Done, false);
}

int Reduction::byColumns() {
  ColumnReducer Mine(R, Kept, Reduced);
  const bool Threads = hasThreads(Spec, KeptItems * ReducedItems);
  if (Threads && Kept.Items >= ManyTasks * ColumnReducer::Tile)
    return result(tilesInTasks(), false);
  bool Done = true;
  for (Py_ssize_t I = 0; I < Kept.Items && Done; I += ColumnReducer::Tile) {
    Mine.begin(I);
    Done = Threads ? tileInTasks(I, Mine) : Mine.reduce();
  }
  return result(Done, Mine.failed());
}

/// Makes or reuses the result's array and sets up its operand.
int Reduction::makeOut() {
  Py_ssize_t Shape[MaxDims];
  int Dims = 0;
  for (int D = 0; D < L.Dims; ++D)
    if (!isReduced(D))
      Shape[Dims++] = L.Shape[D];
    else if (R.keep_dims)
      Shape[Dims++] = 1;
  bool Again = Out && Out->Dims == Dims && (Out->Flags & Array::InC) &&
               (Out->Flags & Array::Writeable) &&
               (Out->Flags & Array::Aligned) &&
               std::equal(Shape, Shape + Dims, Out->Shape);
  for (int I = 0; Again && I < Spec.inputs; ++I)
    if (!Spec.operands[I].number)
      Again = !mayOverlap(*Out, R.size, *static_cast<Array *>(In[I]),
                          Spec.operands[I].size);
  if (!Again) {
    Py_CLEAR(Out);
    Out = Api.make(Dims, Shape, R.typenum, nullptr);
  }
  if (!Out)
    return -1;
  Operand &O = Operands[Spec.inputs];
  O = {Out->Data, R.size, false, true, {}};
  for (int D = 0, To = 0; D < L.Dims; ++D) {
    O.Strides[D] = isReduced(D) ? 0 : Out->Strides[To];
    To += !isReduced(D) || R.keep_dims;
  }
  return 0;
}

/// Fills the results with the identity, since there are no items. Without an
/// identity it raises as NumPy does, even if there are no results.
int Reduction::empty() {
  Py_ssize_t Count = 1;
  for (int D = 0; D < Out->Dims; ++D)
    Count *= Out->Shape[D];
  if (R.search && !ReducedItems) {
    PyErr_Format(PyExc_ValueError, "attempt to get %s of an empty sequence",
                 R.numpy_name);
    return -1;
  }
  if (!R.identity && !ReducedItems) {
    PyErr_Format(PyExc_ValueError,
                 "zero-size array to reduction operation %s which has no "
                 "identity",
                 R.numpy_name);
    return -1;
  }
  for (Py_ssize_t I = 0; I < Count; ++I)
    memcpy(Out->Data + I * R.size, R.identity, size_t(R.size));
  return 0;
}

int Reduction::run() {
  if (broadcast(Spec, In, ~0ull, L.Shape, L.Dims) < 0)
    return -1;
  spreadInputs(Spec, In, L);
  if (makeOut() < 0)
    return -1;
  for (int D = 0; D < L.Dims; ++D)
    (isReduced(D) ? ReducedItems : KeptItems) *= L.Shape[D];
  int Result = 0;
  if (!KeptItems || !ReducedItems) {
    Result = empty();
  } else {
    arrange();
    Result = reducesRows() ? byRows() : byColumns();
  }
  if (Result == 0 && R.finish)
    R.finish(Out->Data, KeptItems, ReducedItems);
  return Result;
}

extern "C" int clinch_run_reduction(void **Table, const clinch_reduction *R,
                                    void *const *In, void *Out) {
  return Reduction(Table, *R, In, *static_cast<Array **>(Out)).run();
}
