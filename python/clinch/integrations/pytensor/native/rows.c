/* Blocks of items that lie one behind another, of arrays whose items do not, so
   that a loop over a block can be vectorized.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */

enum { ClinchBlock = 128, ClinchShort = 16, ClinchMostDims = 8 };

/* Where a loop over arrays of one shape is: the axes of that shape which are
   not as one with others, each array's bytes from item to item along them, and
   the block of items that begins at a place in a row. */
typedef struct {
  int dims, count;
  npy_intp total, across, row, column, length;
  npy_intp sizes[ClinchMostDims];
  npy_intp (*strides)[ClinchMostDims];
} ClinchRows;

/* Whether the axis `d` and the one before are as one for an array. */
static inline int clinchIsOne(const ClinchRows *r, int i, int d) {
  return r->strides[i][d - 1] == r->strides[i][d] * r->sizes[d];
}

/* The axes are in the order of the memory of `whole`. Others may have one item
   along an axis where it has more. */
static inline void clinchBeginRows(ClinchRows *r, PyArrayObject *whole,
                                   PyArrayObject **arrays) {
  int dims = PyArray_NDIM(whole), turned = PyArray_ISFORTRAN(whole);
  r->total = PyArray_SIZE(whole);
  for (int k = 0; k < dims; ++k) {
    int axis = turned ? dims - 1 - k : k, d = r->dims;
    if (PyArray_DIM(whole, axis) == 1 && (d || k != dims - 1))
      continue;
    r->sizes[d] = PyArray_DIM(whole, axis);
    for (int i = 0; i < r->count; ++i)
      r->strides[i][d] = PyArray_DIM(arrays[i], axis) == 1
                             ? 0
                             : PyArray_STRIDE(arrays[i], axis);
    int isOne = r->dims++ > 0;
    for (int i = 0; i < r->count; ++i)
      isOne = isOne && clinchIsOne(r, i, d);
    if (isOne) {
      for (int i = 0; i < r->count; ++i)
        r->strides[i][d - 1] = r->strides[i][d];
      r->sizes[d - 1] *= r->sizes[d];
      --r->dims;
    }
  }
  r->across = r->sizes[r->dims - 1];
}

/* Whether there is one more block: a part of a row, or, if rows are short, of
   more than one. */
static inline int clinchNextBlock(ClinchRows *r, npy_intp *first) {
  *first += r->length;
  npy_intp left = r->total - *first;
  if (!left)
    return 0;
  r->row = *first / r->across;
  r->column = *first - r->row * r->across;
  if (r->across >= ClinchShort)
    left = r->across - r->column;
  r->length = left < ClinchBlock ? left : ClinchBlock;
  return 1;
}

static inline char *clinchRow(const ClinchRows *r, int i, char *data,
                              npy_intp row) {
  for (int d = r->dims - 2; d > 0; row /= r->sizes[d--])
    data += row % r->sizes[d] * r->strides[i][d];
  return r->dims > 1 ? data + row * r->strides[i][0] : data;
}

/* The items of the block where they lie one behind another; else `packed`. */
static inline void *clinchRoom(const ClinchRows *r, int i, void *data,
                               npy_intp size, void *packed) {
  int last = r->dims - 1, fits = r->strides[i][last] == size;
  if (r->column + r->length > r->across)
    for (int d = last; d > 0; --d)
      fits = fits && clinchIsOne(r, i, d);
  char *row = fits ? clinchRow(r, i, (char *)data, r->row) : NULL;
  return fits ? row + r->column * size : packed;
}

#define CLINCH_PACK(size)                                                      \
  for (npy_intp k = 0; k < run; ++k, to += size, item += along)                \
  memcpy(isBack ? item : to, isBack ? to : item, size)

/* Copies the items of the block to `packed`, or back from there. */
static inline void clinchPack(const ClinchRows *r, int i, void *data,
                              npy_intp size, void *packed, int isBack) {
  npy_intp along = r->strides[i][r->dims - 1], column = r->column, run;
  npy_intp row = r->row;
  char *to = (char *)packed;
  for (npy_intp left = r->length; left; left -= run) {
    run = r->across - column < left ? r->across - column : left;
    char *item = clinchRow(r, i, (char *)data, row++) + column * along;
    CLINCH_BY_SIZE(size, CLINCH_PACK)
    column = 0;
  }
}
