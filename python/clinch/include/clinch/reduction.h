/* The loops of one reduction around its step, CLINCH_OF(step). The text that
   includes this defines, and this undefines: CLINCH_OF(name)   a name of this
   reduction's own CLINCH_ITEM       the type of what is reduced CLINCH_ACC the
   type of the result CLINCH_CAST(x)    an item as one of the result's
     CLINCH_UNROLL     if lanes stay in registers only where their loop is
   unrolled Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
 */

static Py_ssize_t CLINCH_OF(begin)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC *a = (CLINCH_ACC *)p[0];
  const CLINCH_ITEM *x = (const CLINCH_ITEM *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = CLINCH_CAST(x[i]);
  return -1;
}
static Py_ssize_t CLINCH_OF(combine)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC *__restrict a = (CLINCH_ACC *)p[0];
  const CLINCH_ITEM *__restrict x = (const CLINCH_ITEM *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = CLINCH_OF(step)(a[i], CLINCH_CAST(x[i]));
  return -1;
}
static Py_ssize_t CLINCH_OF(combine_four)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC *__restrict a = (CLINCH_ACC *)p[0];
  for (Py_ssize_t i = 0; i < n; ++i) {
    CLINCH_ACC so_far = a[i];
    for (int row = 1; row <= 4; ++row) {
      const CLINCH_ITEM *__restrict x = (const CLINCH_ITEM *)p[row];
      so_far = CLINCH_OF(step)(so_far, CLINCH_CAST(x[i]));
    }
    a[i] = so_far;
  }
  return -1;
}
static Py_ssize_t CLINCH_OF(merge)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC *__restrict a = (CLINCH_ACC *)p[0];
  const CLINCH_ACC *__restrict x = (const CLINCH_ACC *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = CLINCH_OF(step)(a[i], x[i]);
  return -1;
}
/* Each lane goes through the items on its own, 32 of them before it joins the
   others: as many lanes as the registers hold, one read of memory from front to
   back, and sums of sums. */
static inline __attribute__((always_inline)) CLINCH_ACC
CLINCH_OF(lanes)(const CLINCH_ITEM *x, Py_ssize_t n, const int count) {
  CLINCH_ACC lane[32], all[32];
  for (int begun = 0; n >= count; begun = 1) {
    const Py_ssize_t rows = n / count < 32 ? n / count : 32;
    for (int i = 0; i < count; ++i)
      lane[i] = CLINCH_CAST(x[i]);
    x += count;
    for (Py_ssize_t row = 1; row < rows; ++row, x += count)
#ifdef CLINCH_UNROLL
#pragma GCC unroll 32
#endif
      for (int i = 0; i < count; ++i)
        lane[i] = CLINCH_OF(step)(lane[i], CLINCH_CAST(x[i]));
    n -= rows * count;
    for (int i = 0; i < count; ++i)
      all[i] = begun ? CLINCH_OF(step)(all[i], lane[i]) : lane[i];
  }
  for (int i = 0; i < n; ++i)
    all[i] = CLINCH_OF(step)(all[i], CLINCH_CAST(x[i]));
  for (int half = count / 2; half >= 8; half /= 2)
    for (int i = 0; i < half; ++i)
      all[i] = CLINCH_OF(step)(all[i], all[i + half]);
  for (int i = 1; i < 8; ++i)
    all[0] = CLINCH_OF(step)(all[0], all[i]);
  return all[0];
}
static Py_ssize_t CLINCH_OF(fold)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC a = *(CLINCH_ACC *)p[0];
  const CLINCH_ITEM *x = (const CLINCH_ITEM *)p[1];
  if (n >= 128)
    a = CLINCH_OF(step)(a, CLINCH_OF(lanes)(x, n, 32));
  else if (n >= 32)
    a = CLINCH_OF(step)(a, CLINCH_OF(lanes)(x, n, 8));
  else
    for (Py_ssize_t i = 0; i < n; ++i)
      a = CLINCH_OF(step)(a, CLINCH_CAST(x[i]));
  *(CLINCH_ACC *)p[0] = a;
  return -1;
}

#undef CLINCH_OF
#undef CLINCH_ITEM
#undef CLINCH_ACC
#undef CLINCH_CAST
#undef CLINCH_UNROLL
