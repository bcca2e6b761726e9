// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns that become items.

#include "Reducer.h"

using namespace clinch::arrays;

/// The loop over the result alone.
static Loop resultOf(const Loop &Kept, int Inputs) {
  Loop Result = Kept;
  Result.Of = Kept.Of + Inputs;
  Result.Operands = 1;
  return Result;
}

ColumnReducer::ColumnReducer(const clinch_reduction &R, Loop &Kept,
                             const Loop &Reduced)
    : Reducer(R), Kept(Kept), Reduced(Reduced),
      Result(resultOf(Kept, Spec.inputs)), In(Kept, Most), To(Result),
      Plain(R, std::min(Tile, Kept.Items)),
      OfSums(R, std::min(Tile, Kept.Items)), WholeRows(readsWholeRows()) {
  for (int K = 0; K < Spec.inputs; ++K)
    Bases[K] = Kept.Of[K].Data;
}

/// Whether the rows are contiguous and aligned, so that several can be read at
/// once in place.
bool ColumnReducer::readsWholeRows() const {
  const Operand &X = Kept.Of[0];
  if (Spec.kernel || Spec.inputs != 1 || Kept.Dims != 1 ||
      X.Strides[0] != X.Size)
    return false;
  const int Align = std::min(X.Size, 8);
  bool Fits = reinterpret_cast<uintptr_t>(X.Data) % uintptr_t(Align) == 0;
  for (int D = 0; D < Reduced.Dims; ++D)
    Fits &= Reduced.Of[0].Strides[D] % Align == 0;
  return Fits;
}

Py_ssize_t ColumnReducer::tile(void *Self, char *const *P, Py_ssize_t Count) {
  auto &Me = *static_cast<ColumnReducer *>(Self);
  char *X = Me.items(P, Count);
  if (!X)
    return 0;
  char *Call[] = {Me.Sum + Me.InTile * Me.R.size, X};
  (Me.Begun ? Me.R.combine : Me.R.begin)(Call, Count);
  Me.InTile += Count;
  return -1;
}

void ColumnReducer::begin(Py_ssize_t Column) {
  First = Column;
  Width = std::min(Tile, Kept.Items - First);
}

/// Reduces one row, or four at once, of \p Left; returns how many.
Py_ssize_t ColumnReducer::takeRows(Py_ssize_t Left) {
  if (WholeRows && Begun && Left >= 4) {
    char *P[5] = {Sum};
    for (int Row = 1; Row <= 4; ++Row) {
      P[Row] = Bases[0] + At.offset(Reduced.Of[0], Reduced.Dims) +
               First * Reduced.Of[0].Size;
      At.advance(Reduced, 1);
    }
    R.combine_four(P, Width);
    return 4;
  }
  for (int K = 0; K < Spec.inputs; ++K)
    Kept.Of[K].Data = Bases[K] + At.offset(Reduced.Of[K], Reduced.Dims);
  InTile = 0;
  In.run(tile, this, First, First + Width);
  Begun = true;
  At.advance(Reduced, 1);
  return 1;
}

const char *ColumnReducer::reduceParts(Py_ssize_t FirstPart, Py_ssize_t Last) {
  const bool Several = parts() > 1;
  const Py_ssize_t End = std::min(Last * group(), Reduced.Items);
  Py_ssize_t I = FirstPart * group();
  At.set(Reduced, I);
  while (I < End) {
    if (I % group() == 0) {
      Sum = (Several ? OfSums : Plain).fresh();
      Begun = false;
    }
    if (!Sum)
      return nullptr;
    const Py_ssize_t Left = std::min(End - I, group() - I % group());
    const Py_ssize_t Taken = takeRows(Left);
    if (failed())
      return nullptr;
    I += Taken;
    if (Several && Taken == Left && !OfSums.push())
      return nullptr;
  }
  return Several ? OfSums.total() : Sum;
}

const char *ColumnReducer::join(const char *Rows, Py_ssize_t Count) {
  const size_t Bytes = size_t(Width * R.size);
  for (Py_ssize_t I = 0; I < Count; ++I) {
    char *Fresh = OfSums.fresh();
    if (!Fresh)
      return nullptr;
    memcpy(Fresh, Rows + size_t(I) * Bytes, Bytes);
    if (!OfSums.push())
      return nullptr;
  }
  return OfSums.total();
}

bool ColumnReducer::store(const char *Items) {
  if (!Items)
    return false;
  struct Source {
    const char *Next;
    size_t Size;
  } From{Items, size_t(R.size)};
  To.run(
      [](void *Of, char *const *P, Py_ssize_t Count) -> Py_ssize_t {
        auto &S = *static_cast<Source *>(Of);
        memcpy(P[0], S.Next, size_t(Count) * S.Size);
        S.Next += size_t(Count) * S.Size;
        return -1;
      },
      &From, First, First + Width);
  return true;
}
