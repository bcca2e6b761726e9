// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel over all items of a loop.

#include "Walk.h"

#include <algorithm>
#include <cstring>

using namespace clinch::arrays;

/// How many rows are computed at once where inputs lie across them.
static constexpr Py_ssize_t TileRows = 32;
/// Items between their rows in a buffer, so that a cache has room for all.
static constexpr Py_ssize_t Gap = 8;

template <typename Item>
static void copyAs(char *To, Py_ssize_t ToStride, const char *From,
                   Py_ssize_t FromStride, Py_ssize_t Count) {
  Item Value;
  if (FromStride == 0) {
    memcpy(&Value, From, sizeof Value);
    for (Py_ssize_t I = 0; I < Count; ++I)
      memcpy(To + I * ToStride, &Value, sizeof Value);
    return;
  }
  for (Py_ssize_t I = 0; I < Count; ++I) {
    memcpy(&Value, From + I * FromStride, sizeof Value);
    memcpy(To + I * ToStride, &Value, sizeof Value);
  }
}

namespace {
struct TwoWords {
  unsigned long long A, B;
};
} // namespace

void clinch::arrays::copyItems(char *To, Py_ssize_t ToStride, const char *From,
                               Py_ssize_t FromStride, Py_ssize_t Count,
                               int Size) {
  if (ToStride == Size && FromStride == Size) {
    memcpy(To, From, size_t(Count) * size_t(Size));
    return;
  }
  switch (Size) {
  case 1:
    return copyAs<unsigned char>(To, ToStride, From, FromStride, Count);
  case 2:
    return copyAs<unsigned short>(To, ToStride, From, FromStride, Count);
  case 4:
    return copyAs<unsigned>(To, ToStride, From, FromStride, Count);
  case 8:
    return copyAs<unsigned long long>(To, ToStride, From, FromStride, Count);
  default:
    return copyAs<TwoWords>(To, ToStride, From, FromStride, Count);
  }
}

/// Copies columns of TileRows items into rows, two columns at once.
template <typename Item>
static void copyTile(char *To, Py_ssize_t Pitch, const char *From,
                     Py_ssize_t Across, Py_ssize_t Down, Py_ssize_t Columns) {
  struct Pair {
    Item A, B;
  };
  Py_ssize_t J = 0;
  for (; J + 1 < Columns; J += 2)
    for (Py_ssize_t R = 0; R < TileRows; ++R) {
      Pair Both;
      memcpy(&Both.A, From + J * Across + R * Down, sizeof(Item));
      memcpy(&Both.B, From + (J + 1) * Across + R * Down, sizeof(Item));
      memcpy(To + R * Pitch + J * Py_ssize_t(sizeof(Item)), &Both, sizeof Both);
    }
  for (Py_ssize_t R = 0; J < Columns && R < TileRows; ++R)
    memcpy(To + R * Pitch + J * Py_ssize_t(sizeof(Item)),
           From + J * Across + R * Down, sizeof(Item));
}

/// The function that copies rows and columns of items of so many bytes.
static decltype(&copyTile<char>) tileCopier(int Size) {
  switch (Size) {
  case 1:
    return copyTile<unsigned char>;
  case 2:
    return copyTile<unsigned short>;
  case 4:
    return copyTile<unsigned>;
  case 8:
    return copyTile<unsigned long long>;
  default:
    return copyTile<TwoWords>;
  }
}

void Position::set(const Loop &L, Py_ssize_t Item) {
  for (int D = L.Dims - 1; D >= 0; --D) {
    Count[D] = Item ? Item % L.Shape[D] : 0;
    Item = Item ? Item / L.Shape[D] : 0;
  }
}

void Position::advance(const Loop &L, Py_ssize_t Items) {
  for (int D = L.Dims - 1; D >= 0 && Items; --D) {
    Py_ssize_t Next = Count[D] + Items;
    if (Next < L.Shape[D]) {
      Count[D] = Next;
      return;
    }
    if (Next == L.Shape[D]) { // As mostly; divisions are slow.
      Count[D] = 0;
      Items = 1;
      continue;
    }
    Count[D] = Next % L.Shape[D];
    Items = Next / L.Shape[D];
  }
}

Py_ssize_t Position::offset(const Operand &O, int Dims) const {
  Py_ssize_t Offset = 0;
  for (int D = 0; D < Dims; ++D)
    Offset += Count[D] * O.Strides[D];
  return Offset;
}

/// Whether the items are contiguous in the loop's order.
bool Walk::isFlat(const Operand &O) const {
  Py_ssize_t Want = O.Size;
  for (int D = L.Dims - 1; D >= 0; --D) {
    if (O.Strides[D] != Want)
      return false;
    Want *= L.Shape[D];
  }
  return true;
}

Walk::Walk(const Loop &L, Py_ssize_t Most) : L(L) { choose(Most); }

Py_ssize_t Walk::callKernel(void *Kernel, char *const *P, Py_ssize_t Count) {
  return reinterpret_cast<clinch_kernel *>(Kernel)(P, Count);
}

void Walk::choose(Py_ssize_t Most) {
  // Rows with fewer items than this are gathered into longer calls.
  constexpr Py_ssize_t Short = 128;
  Inner = L.Dims ? L.Shape[L.Dims - 1] : 1;
  ByRows = L.Dims <= 1 || Inner >= Short;
  int Gathered = 0, Bytes = 0;
  for (int K = 0; K < L.Operands; ++K) {
    const Operand &O = L.Of[K];
    bool Straight =
        ByRows ? L.Dims == 0 || O.Strides[L.Dims - 1] == O.Size : isFlat(O);
    Straight |= O.Output && L.Items == 1;
    // Kernels need aligned operands.
    Straight &=
        reinterpret_cast<uintptr_t>(O.Data) % uintptr_t(std::min(O.Size, 8)) ==
        0;
    for (int D = 0; D < L.Dims; ++D)
      Straight &= O.Strides[D] % std::min(O.Size, 8) == 0;
    Ways[K] = O.Single ? Way::Single : Straight ? Way::Direct : Way::Gathered;
    if (Ways[K] != Way::Gathered)
      continue;
    ++Gathered;
    Bytes += O.Size;
  }
  Block = Most;
  if (Gathered)
    Block = std::clamp<Py_ssize_t>((BufferSize - 64 * Gathered) / Bytes, 1,
                                   std::min<Py_ssize_t>(Most, 1024));
  if (Gathered && L.AnyOrder)
    chooseTiles(Gathered, Bytes);
  const Py_ssize_t Items =
      TileColumns ? std::max(Block, TileRows * (TileColumns + Gap)) : Block;
  char *Free = Memory;
  for (int K = 0; K < L.Operands; ++K) {
    Buffers[K] = Free;
    if (Ways[K] == Way::Gathered)
      Free += (Items * L.Of[K].Size + 63) / 64 * 64;
  }
}

/// Decides whether rows are computed together: where an input's next item in
/// memory is in the next row.
void Walk::chooseTiles(int Gathered, int Bytes) {
  constexpr Py_ssize_t Fewest = 48;
  if (!ByRows || L.Dims < 2)
    return;
  bool Across = false;
  for (int K = 0; K < L.Operands; ++K) {
    const Operand &O = L.Of[K];
    if (Ways[K] == Way::Gathered && O.Output)
      return;
    Across |= Ways[K] == Way::Gathered &&
              std::abs(O.Strides[L.Dims - 2]) < std::abs(O.Strides[L.Dims - 1]);
  }
  const Py_ssize_t Columns =
      (BufferSize - 64 * Gathered) / TileRows / Bytes - Gap;
  if (Across && Columns >= Fewest)
    TileColumns = Columns;
}

/// \p Items / \p Each, rounded up; \p Each may be the greatest number.
static Py_ssize_t quotient(Py_ssize_t Items, Py_ssize_t Each) {
  return Items / Each + (Items % Each != 0);
}

bool Walk::isOneCall() const {
  return parts() == 1 &&
         std::count(Ways, Ways + L.Operands, Way::Gathered) == 0;
}

Py_ssize_t Walk::parts() const {
  return ByRows ? L.Items / Inner * quotient(Inner, Block)
                : quotient(L.Items, Block);
}

Py_ssize_t Walk::partBegin(Py_ssize_t Part) const {
  if (Part >= parts())
    return L.Items;
  if (!ByRows)
    return Part * Block;
  const Py_ssize_t InRow = quotient(Inner, Block);
  return Part / InRow * Inner + Part % InRow * Block;
}

Py_ssize_t Walk::run(Body F, void *Context, Py_ssize_t Begin, Py_ssize_t End) {
  Position At;
  At.set(L, Begin);
  return ByRows ? runRows({F, Context}, At, Begin, End)
                : runFlat({F, Context}, At, Begin, End);
}

Py_ssize_t Walk::runRows(Call F, Position &At, Py_ssize_t Begin,
                         Py_ssize_t End) {
  char *Row[MostOperands];
  while (Begin < End) {
    const Py_ssize_t Done = L.Dims ? At.Count[L.Dims - 1] : 0;
    if (TileColumns && Done == 0 && (End - Begin) / Inner >= TileRows &&
        L.Shape[L.Dims - 2] - At.Count[L.Dims - 2] >= TileRows) {
      runTile(F, At);
      Begin += TileRows * Inner;
      At.advance(L, TileRows * Inner);
      continue;
    }
    const Py_ssize_t Count = std::min(Inner - Done, End - Begin);
    for (int K = 0; K < L.Operands; ++K)
      Row[K] = L.Of[K].Data + At.offset(L.Of[K], L.Dims);
    Py_ssize_t Failed = runRow(F, Row, Count);
    if (Failed >= 0)
      return Begin + Failed;
    Begin += Count;
    At.advance(L, Count);
  }
  return -1;
}

Py_ssize_t Walk::runRow(Call F, char *const *Row, Py_ssize_t Count) {
  char *P[MostOperands];
  const int D = L.Dims - 1;
  for (Py_ssize_t I = 0, Now; I < Count; I += Now) {
    Now = std::min(Block, Count - I);
    for (int K = 0; K < L.Operands; ++K) {
      const Operand &O = L.Of[K];
      const Py_ssize_t Stride = L.Dims ? O.Strides[D] : 0;
      P[K] = Ways[K] == Way::Direct   ? Row[K] + I * O.Size
             : Ways[K] == Way::Single ? Row[K]
                                      : Buffers[K];
      // A repeated item is still there from the block before.
      if (Ways[K] == Way::Gathered && !O.Output && (Stride || I == 0))
        copyItems(Buffers[K], O.Size, Row[K] + I * Stride, Stride, Now, O.Size);
    }
    Py_ssize_t Failed = F(P, Now);
    if (Failed >= 0)
      return I + Failed;
    for (int K = 0; K < L.Operands; ++K) {
      const Operand &O = L.Of[K];
      const Py_ssize_t Stride = L.Dims ? O.Strides[D] : 0;
      if (Ways[K] == Way::Gathered && O.Output)
        copyItems(Row[K] + I * Stride, Stride, Buffers[K], O.Size, Now, O.Size);
    }
  }
  return -1;
}

/// Runs the next rows, a few columns after the other.
void Walk::runTile(Call F, const Position &At) {
  char *P[MostOperands], *Start[MostOperands];
  const int D = L.Dims - 1;
  for (int K = 0; K < L.Operands; ++K)
    Start[K] = L.Of[K].Data + At.offset(L.Of[K], L.Dims);
  for (Py_ssize_t I = 0, Now; I < Inner; I += Now) {
    Now = std::min(TileColumns, Inner - I);
    for (int K = 0; K < L.Operands; ++K)
      if (const Operand &O = L.Of[K]; Ways[K] == Way::Gathered)
        tileCopier(O.Size)(Buffers[K], (TileColumns + Gap) * O.Size,
                           Start[K] + I * O.Strides[D], O.Strides[D],
                           O.Strides[D - 1], Now);
    for (Py_ssize_t R = 0; R < TileRows; ++R) {
      for (int K = 0; K < L.Operands; ++K) {
        const Operand &O = L.Of[K];
        char *const InRow = Start[K] + R * O.Strides[D - 1];
        P[K] = Ways[K] == Way::Direct ? InRow + I * O.Size
               : Ways[K] == Way::Single
                   ? InRow
                   : Buffers[K] + R * (TileColumns + Gap) * O.Size;
      }
      F(P, Now);
    }
  }
}

/// Gathers, or scatters, the next \p Count items of operand \p K.
void Walk::moveFlat(int K, const Position &Start, Py_ssize_t Count) {
  const Operand &O = L.Of[K];
  const int D = L.Dims - 1;
  Position At = Start;
  char *Buffer = Buffers[K];
  while (Count > 0) {
    const Py_ssize_t Now = std::min(Inner - At.Count[D], Count);
    char *There = O.Data + At.offset(O, L.Dims);
    if (O.Output)
      copyItems(There, O.Strides[D], Buffer, O.Size, Now, O.Size);
    else
      copyItems(Buffer, O.Size, There, O.Strides[D], Now, O.Size);
    Buffer += Now * O.Size;
    Count -= Now;
    At.advance(L, Now);
  }
}

Py_ssize_t Walk::runFlat(Call F, Position &At, Py_ssize_t Begin,
                         Py_ssize_t End) {
  char *P[MostOperands];
  while (Begin < End) {
    const Py_ssize_t Now = std::min(Block, End - Begin);
    for (int K = 0; K < L.Operands; ++K) {
      const Operand &O = L.Of[K];
      P[K] = Ways[K] == Way::Direct   ? O.Data + Begin * O.Size
             : Ways[K] == Way::Single ? O.Data
                                      : Buffers[K];
      if (Ways[K] == Way::Gathered && !O.Output)
        moveFlat(K, At, Now);
    }
    Py_ssize_t Failed = F(P, Now);
    if (Failed >= 0)
      return Begin + Failed;
    for (int K = 0; K < L.Operands; ++K)
      if (Ways[K] == Way::Gathered && L.Of[K].Output)
        moveFlat(K, At, Now);
    Begin += Now;
    At.advance(L, Now);
  }
  return -1;
}
