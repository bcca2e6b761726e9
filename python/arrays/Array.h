// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's arrays without NumPy's headers.

#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../clinch/include/clinch/loops.h"

namespace clinch::arrays {

/// More than any NumPy allows: 32 before NumPy 2, then 64.
constexpr int MaxDims = 64;

/// The head of NumPy's PyArrayObject, the same from 1.7 to 2, so that one build
/// serves every NumPy.
struct Array {
  PyObject_HEAD char *Data;
  int Dims;
  Py_ssize_t *Shape;
  Py_ssize_t *Strides;
  PyObject *Base;
  PyObject *Dtype;
  int Flags;

  static constexpr int InC = 0x1, Aligned = 0x100, Writeable = 0x400;
};

/// The functions of NumPy's C API that are called here, by their numbers.
class NumPy {
public:
  explicit NumPy(void **Table) : Table(Table) {}
  /// Makes a new array, in C order if \p Strides is null.
  Array *make(int Dims, const Py_ssize_t *Shape, int TypeNum,
              const Py_ssize_t *Strides) const {
    using New = PyObject *(*)(PyTypeObject *, int, const Py_ssize_t *, int,
                              const Py_ssize_t *, void *, int, int, PyObject *);
    return reinterpret_cast<Array *>(reinterpret_cast<New>(Table[93])(
        static_cast<PyTypeObject *>(Table[2]), Dims, Shape, TypeNum, Strides,
        nullptr, 0, 0, nullptr));
  }
  Array *copy(Array *A) const {
    using NewCopy = PyObject *(*)(Array *, int);
    return reinterpret_cast<Array *>(
        reinterpret_cast<NewCopy>(Table[85])(A, /*NPY_KEEPORDER=*/2));
  }

private:
  void **Table;
};

/// An operand of a loop, with a stride for each of the loop's dimensions.
struct Operand {
  char *Data;
  int Size;
  bool Single;
  bool Output;
  Py_ssize_t Strides[MaxDims];
};

/// The dimensions of a loop, outermost first, and what it works on.
struct Loop {
  int Dims = 0;
  Py_ssize_t Shape[MaxDims];
  Py_ssize_t Items = 1;
  int Operands = 0;
  Operand *Of;
  bool AnyOrder = false; ///< Whether items need not be computed in theirs.

  /// Finds the best order to walk memory in, as NumPy does, for permute():
  /// \p Permutation[i] is the dimension that should come at place i.
  void order(int *Permutation);
  void permute(const int *Permutation);
  /// Merges adjacent dimensions from \p First up to, not including, \p Last
  /// if all strides allow it.
  void coalesce(int First, int Last);
  void coalesce() { coalesce(0, Dims); }
  void dropSingles();
};

/// Writes "(2, 3)", "(4,)" or "()", truncated if it is too long.
void shapeText(char *Text, size_t Size, const Py_ssize_t *Shape, int Dims,
               const char *Separator);

/// Adds a note to the current exception that says which Op failed and at which
/// index; \p Dims is negative if the index is unknown.
void noteIndex(const char *Name, const Py_ssize_t *Index, int Dims);

/// Broadcasts the inputs of \p L that \p Mask names; returns -1 with NumPy's
/// ValueError if their shapes do not match.
int broadcast(const clinch_loop &L, void *const *In, unsigned long long Mask,
              Py_ssize_t *Shape, int &Dims);

/// Sets the data and strides of \p O to those of \p A in a loop of these
/// dimensions.
void spread(Operand &O, const Array &A, int Dims);

/// Sets up all inputs; a number is one item that repeats.
void spreadInputs(const clinch_loop &L, void *const *In, Loop &Out);

/// Whether the memory of both has bytes in common, as far as bounds tell.
bool mayOverlap(const Array &A, int SizeA, const Array &B, int SizeB);

} // namespace clinch::arrays
