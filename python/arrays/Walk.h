// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel over all items of a loop.

#pragma once

#include "Array.h"

namespace clinch::arrays {

/// Copies \p Count items of \p Size bytes; a stride of zero repeats one.
void copyItems(char *To, Py_ssize_t ToStride, const char *From,
               Py_ssize_t FromStride, Py_ssize_t Count, int Size);

/// Where a loop is: one count for each dimension.
struct Position {
  Py_ssize_t Count[MaxDims];
  void set(const Loop &L, Py_ssize_t Item);
  /// Goes on by \p Items.
  void advance(const Loop &L, Py_ssize_t Items);
  Py_ssize_t offset(const Operand &O, int Dims) const;
};

/// Calls kernels with contiguous items. Inputs that are not contiguous are
/// gathered into a buffer that fits the L1 cache; such outputs are scattered
/// from there. An input that lies across the rows, as a transposed one does, is
/// gathered for several rows at once.
class Walk {
public:
  /// A function that is called with contiguous items, as a kernel is.
  using Body = Py_ssize_t (*)(void *Context, char *const *P, Py_ssize_t Count);

  /// \p Most: the most items in one call.
  explicit Walk(const Loop &L, Py_ssize_t Most = PY_SSIZE_T_MAX);
  /// Runs the body over the items from \p Begin to \p End in the loop's order;
  /// returns the item that failed, or -1.
  Py_ssize_t run(Body F, void *Context, Py_ssize_t Begin, Py_ssize_t End);
  Py_ssize_t run(clinch_kernel *Kernel, Py_ssize_t Begin, Py_ssize_t End) {
    return run(callKernel, reinterpret_cast<void *>(Kernel), Begin, End);
  }

  /// Whether a run over the whole loop is one call with the operands' own
  /// memory.
  bool isOneCall() const;
  /// How many calls of the body a run over the whole loop takes.
  Py_ssize_t parts() const;
  /// The first item of a call; behind the last one, the end of the loop.
  Py_ssize_t partBegin(Py_ssize_t Part) const;

private:
  enum class Way : unsigned char { Direct, Single, Gathered };
  struct Call {
    Body F;
    void *Context;
    Py_ssize_t operator()(char *const *P, Py_ssize_t Count) const {
      return F(Context, P, Count);
    }
  };
  static Py_ssize_t callKernel(void *Kernel, char *const *P, Py_ssize_t Count);
  void choose(Py_ssize_t Most);
  void chooseTiles(int Gathered, int Bytes);
  Py_ssize_t runRows(Call F, Position &At, Py_ssize_t Begin, Py_ssize_t End);
  Py_ssize_t runRow(Call F, char *const *Row, Py_ssize_t Count);
  void runTile(Call F, const Position &At);
  Py_ssize_t runFlat(Call F, Position &At, Py_ssize_t Begin, Py_ssize_t End);
  void moveFlat(int K, const Position &At, Py_ssize_t Count);
  bool isFlat(const Operand &O) const;

  static constexpr int MostOperands = 80, BufferSize = 32768;
  const Loop &L;
  bool ByRows;
  Py_ssize_t Block;
  Py_ssize_t Inner;           ///< The length of the innermost dimension.
  Py_ssize_t TileColumns = 0; ///< Of rows that are computed at once; 0: none.
  Way Ways[MostOperands];
  char *Buffers[MostOperands];
  alignas(64) char Memory[BufferSize];
};

} // namespace clinch::arrays
