//===- Reduction.cpp - Sums, extremes and searches along axes -------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducing.h"

#include "Cascade.h"
#include "Walk.h"

#include <algorithm>

using namespace clinch::arrays;

/// Returns the items to reduce, contiguous, or null if the kernel failed.
char *Reduction::items(char *const *P, Py_ssize_t Count) {
  if (!Spec.kernel)
    return P[0];
  char *Own[MostOperands];
  std::copy_n(P, Spec.inputs, Own);
  Own[Spec.inputs] = Buffer;
  if (Spec.kernel(Own, Count) < 0)
    return Buffer;
  Failed = true;
  return nullptr;
}

int Reduction::fail() {
  noteIndex(Spec.name, nullptr, -1);
  return -1;
}

/// Starts the sum of a row with its first item.
void Reduction::beginRow(char *Into, char *&X, Py_ssize_t &Count) {
  char *P[] = {Into, X};
  R.begin(P, 1);
  X += Spec.operands[Spec.inputs].size;
  --Count;
}

Py_ssize_t Reduction::row(void *Self, char *const *P, Py_ssize_t Count) {
  auto &Me = *static_cast<Reduction *>(Self);
  char *X = Me.items(P, Count);
  if (!X)
    return 0;
  if (Me.R.search) {
    char *Call[] = {reinterpret_cast<char *>(&Me.Found), X};
    Me.R.search(Call, Count);
    Me.Found.seen += Count;
    return -1;
  }
  char *Into = Me.Sums ? Me.Sums->fresh() : Me.Sum;
  if (!Into)
    return 0;
  if (Me.Sums || !Me.Begun)
    Me.beginRow(Into, X, Count);
  Me.Begun = true;
  char *Call[] = {Into, X};
  Me.R.fold(Call, Count);
  return !Me.Sums || Me.Sums->push() ? -1 : 0;
}

Py_ssize_t Reduction::tile(void *Self, char *const *P, Py_ssize_t Count) {
  auto &Me = *static_cast<Reduction *>(Self);
  char *X = Me.items(P, Count);
  if (!X)
    return 0;
  char *Call[] = {Me.Sum + Me.InTile * Me.R.size, X};
  (Me.Begun ? Me.R.combine : Me.R.begin)(Call, Count);
  Me.InTile += Count;
  return -1;
}

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

int Reduction::byRows() {
  // Only a kernel's buffer and pairwise sums need a row in parts; memory is
  // idle between parts.
  const Py_ssize_t Part = Spec.kernel  ? Most
                          : R.pairwise ? 8 * Most
                                       : PY_SSIZE_T_MAX;
  Walk W(Reduced, Part);
  Position At;
  At.set(Kept, 0);
  Cascade OfSums(R, 1);
  Sums = R.pairwise && Reduced.Items > Part ? &OfSums : nullptr;
  const Operand &Into = KeptOf[Spec.inputs];
  for (Py_ssize_t I = 0; I < Kept.Items; ++I) {
    for (int K = 0; K < Spec.inputs; ++K)
      ReducedOf[K].Data = KeptOf[K].Data + At.offset(KeptOf[K], Kept.Dims);
    Sum = Into.Data + At.offset(Into, Kept.Dims);
    Begun = false;
    Found = {};
    W.run(row, this, 0, Reduced.Items);
    if (Failed)
      return fail();
    if (R.search)
      memcpy(Sum, &Found.index, sizeof Found.index);
    if (Sums) {
      const char *Total = Sums->total();
      if (!Total)
        return PyErr_NoMemory(), -1;
      memcpy(Sum, Total, size_t(R.size));
    }
    At.advance(Kept, 1);
  }
  return 0;
}

/// Whether the rows are contiguous and aligned, so that several can be read at
/// once in place.
bool Reduction::readsWholeRows() const {
  const Operand &X = KeptOf[0];
  if (Spec.kernel || Spec.inputs != 1 || Kept.Dims != 1 ||
      X.Strides[0] != X.Size)
    return false;
  const int Align = std::min(X.Size, 8);
  bool Fits = reinterpret_cast<uintptr_t>(X.Data) % uintptr_t(Align) == 0;
  for (int D = 0; D < Reduced.Dims; ++D)
    Fits &= ReducedOf[0].Strides[D] % Align == 0;
  return Fits;
}

/// Reduces one row, or four at once, of \p Left; returns how many.
Py_ssize_t Reduction::takeRows(Walk &In, Position &At, Py_ssize_t First,
                               Py_ssize_t Width, Py_ssize_t Left) {
  if (WholeRows && Begun && Left >= 4) {
    char *P[5] = {Sum};
    for (int Row = 1; Row <= 4; ++Row) {
      P[Row] = Bases[0] + At.offset(ReducedOf[0], Reduced.Dims) +
               First * ReducedOf[0].Size;
      At.advance(Reduced, 1);
    }
    R.combine_four(P, Width);
    return 4;
  }
  for (int K = 0; K < Spec.inputs; ++K)
    KeptOf[K].Data = Bases[K] + At.offset(ReducedOf[K], Reduced.Dims);
  InTile = 0;
  In.run(tile, this, First, First + Width);
  Begun = true;
  At.advance(Reduced, 1);
  return 1;
}

/// Computes the results tile by tile; each tile takes all reduced rows.
int Reduction::byColumns() {
  constexpr Py_ssize_t Tile = 2048, Group = 64;
  Loop Result = Kept;
  Result.Of = KeptOf + Spec.inputs;
  Result.Operands = 1;
  Walk In(Kept, Most), To(Result);
  Cascade Rows(R, Tile), OfSums(R, Tile);
  char *Plain = Rows.fresh();
  for (int K = 0; K < Spec.inputs; ++K)
    Bases[K] = KeptOf[K].Data;
  if (!Plain)
    return PyErr_NoMemory(), -1;
  WholeRows = readsWholeRows();
  const bool Sums = R.pairwise && Reduced.Items > Group;
  for (Py_ssize_t First = 0; First < Kept.Items; First += Tile) {
    const Py_ssize_t Width = std::min(Tile, Kept.Items - First);
    Position At;
    At.set(Reduced, 0);
    Sum = Plain;
    Begun = false;
    for (Py_ssize_t I = 0; I < Reduced.Items;) {
      Py_ssize_t Left = Reduced.Items - I;
      if (Sums) {
        Left = std::min(Left, Group - I % Group);
        if (I % Group == 0) {
          Sum = OfSums.fresh();
          Begun = false;
        }
        if (!Sum)
          return PyErr_NoMemory(), -1;
      }
      const Py_ssize_t Taken = takeRows(In, At, First, Width, Left);
      if (Failed)
        return fail();
      I += Taken;
      if (Sums && Taken == Left && !OfSums.push())
        return PyErr_NoMemory(), -1;
    }
    if (Sums)
      Sum = OfSums.total();
    To.run(
        [](void *Self, char *const *P, Py_ssize_t Count) -> Py_ssize_t {
          auto &Me = *static_cast<Reduction *>(Self);
          memcpy(P[0], Me.Sum, size_t(Count * Me.R.size));
          Me.Sum += Count * Me.R.size;
          return -1;
        },
        this, First, First + Width);
  }
  return 0;
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
