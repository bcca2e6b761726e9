// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a reduction.

#pragma once

#include "Reducer.h"

namespace clinch::arrays {

/// One call of clinch_run_reduction. The kept dimensions come first, then the
/// reduced ones; the result is an operand of the loop over the kept ones.
class Reduction {
public:
  Reduction(void **Table, const clinch_reduction &R, void *const *In,
            Array *&Out)
      : Api(Table), R(R), Spec(*R.loop), In(In), Out(Out) {
    L.Of = Operands;
    L.Operands = Spec.inputs;
  }
  int run();

private:
  bool isReduced(int D) const { return R.axes[D / 64] >> (D % 64) & 1; }
  int makeOut();
  int empty();
  void arrange();
  bool reducesRows() const;
  int byRows();
  int byColumns();
  bool rowsInTasks();
  bool rowInTasks(Py_ssize_t Row, RowReducer &Mine);
  bool tilesInTasks();
  bool tileInTasks(Py_ssize_t Column, ColumnReducer &Mine);
  int result(bool Done, bool Failed) const;

  NumPy Api;
  const clinch_reduction &R;
  const clinch_loop &Spec;
  void *const *In;
  Array *&Out;
  Loop L;
  Operand Operands[MostOperands];
  Loop Kept, Reduced;
  Operand KeptOf[MostOperands], ReducedOf[MostOperands];
  Py_ssize_t KeptItems = 1, ReducedItems = 1;
};

} // namespace clinch::arrays
