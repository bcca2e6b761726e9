// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that become items.

#include "Reducer.h"

using namespace clinch::arrays;

/// How many items a part has at most: memory is idle between parts.
static Py_ssize_t mostInPart(const clinch_reduction &R, Py_ssize_t InBuffer) {
  return R.loop->kernel ? InBuffer : R.pairwise ? 8 * InBuffer : 64 * InBuffer;
}

RowReducer::RowReducer(const clinch_reduction &R, const Loop &Kept, Loop &Row)
    : Reducer(R), Kept(Kept), Row(Row), W(Row, mostInPart(R, Most)),
      OfSums(R, 1) {
  if (!R.search && parts() > 1)
    Sums = &OfSums;
}

/// Starts a sum with its first item.
void RowReducer::beginSum(char *Into, char *&X, Py_ssize_t &Count) {
  char *P[] = {Into, X};
  R.begin(P, 1);
  X += Spec.operands[Spec.inputs].size;
  --Count;
}

Py_ssize_t RowReducer::part(void *Self, char *const *P, Py_ssize_t Count) {
  auto &Me = *static_cast<RowReducer *>(Self);
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
  Me.beginSum(Into, X, Count);
  char *Call[] = {Into, X};
  Me.R.fold(Call, Count);
  return !Me.Sums || Me.Sums->push() ? -1 : 0;
}

void RowReducer::point() {
  for (int K = 0; K < Spec.inputs; ++K)
    Row.Of[K].Data = Kept.Of[K].Data + At.offset(Kept.Of[K], Kept.Dims);
}

void RowReducer::begin(Py_ssize_t Number) {
  At.set(Kept, Number);
  point();
}

char *RowReducer::result() const {
  const Operand &O = Kept.Of[Spec.inputs];
  return O.Data + At.offset(O, Kept.Dims);
}

/// Reduces items of the row into an item, or into `Found`.
bool RowReducer::reduce(Py_ssize_t Begin, Py_ssize_t End, char *Into) {
  Sum = Into;
  Found = {};
  if (W.run(part, this, Begin, End) >= 0)
    return false;
  if (!Sums)
    return true;
  const char *Total = Sums->total();
  if (Total)
    memcpy(Into, Total, size_t(R.size));
  return Total;
}

/// The same for a whole row, where one call takes it.
bool RowReducer::reduceAtOnce(char *Into) {
  char *P[MostOperands];
  for (int K = 0; K < Row.Operands; ++K)
    P[K] = Row.Of[K].Data;
  Sum = Into;
  Found = {};
  return part(this, P, Row.Items) < 0;
}

bool RowReducer::reduceRows(Py_ssize_t First, Py_ssize_t Last) {
  begin(First);
  const bool OneCall = W.isOneCall();
  for (Py_ssize_t I = First; I < Last; ++I) {
    if (OneCall ? !reduceAtOnce(result()) : !reduce(0, Row.Items, result()))
      return false;
    if (R.search)
      memcpy(result(), &Found.index, sizeof Found.index);
    At.advance(Kept, 1);
    point();
  }
  return true;
}

bool RowReducer::reduceParts(Py_ssize_t First, Py_ssize_t Last,
                             clinch_found &Into) {
  if (!reduce(W.partBegin(First), W.partBegin(Last),
              reinterpret_cast<char *>(Into.item)))
    return false;
  if (R.search) {
    Into = Found;
    Into.index += W.partBegin(First);
  }
  return true;
}

bool RowReducer::join(clinch_found *Parts, Py_ssize_t Count) {
  if (R.search) {
    Found = Parts[0];
    for (Py_ssize_t I = 1; I < Count; ++I) {
      Found.seen = Parts[I].index;
      char *Call[] = {reinterpret_cast<char *>(&Found),
                      reinterpret_cast<char *>(Parts[I].item)};
      R.search(Call, 1);
    }
    memcpy(result(), &Found.index, sizeof Found.index);
    return true;
  }
  for (Py_ssize_t I = 0; I < Count; ++I) {
    char *Fresh = OfSums.fresh();
    if (!Fresh)
      return false;
    memcpy(Fresh, Parts[I].item, size_t(R.size));
    if (!OfSums.push())
      return false;
  }
  const char *Total = OfSums.total();
  if (Total)
    memcpy(result(), Total, size_t(R.size));
  return Total;
}
