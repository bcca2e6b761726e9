/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* The loops of one reduction around its step, CLINCH_OF(step). The text that
   includes this defines, and this undefines:

   CLINCH_OF(name)       a name of this reduction's own
   CLINCH_ACC            the type of the result
   CLINCH_ITEM           the type of what is reduced, if it is another
   CLINCH_CAST(x)        with it, an item as one of the result's
   CLINCH_UNROLL         if lanes stay in registers only where their loop is
                         unrolled
   CLINCH_ROWS           if there are no columns: all is reduced, to one item
   CLINCH_JOIN(a, x)     the step as an expression, for vectors too, if items
                         are of the result's type
   CLINCH_ANY_ORDER      if the same bits come of any order
   CLINCH_CHANGES(a, x)  whether an item changes what there is so far, if few
                         do; see extreme.h
   CLINCH_IS_LAST(a)     with it, whether no item changes that
   CLINCH_BEFORE(x, y)   if the result is an item, the first in an order, in
                         which what is no number is before all; else, with
                         CLINCH_CHANGES, it is one of two */
#ifndef CLINCH_ITEM
#define CLINCH_ITEM CLINCH_ACC
#define CLINCH_CAST(x) (x)
#endif

#ifdef CLINCH_ROWS
static Py_ssize_t CLINCH_OF(begin)(char *const *p, Py_ssize_t n) {
  (void)n;
  *(CLINCH_ACC *)p[0] = CLINCH_CAST(*(const CLINCH_ITEM *)p[1]);
  return -1;
}
static Py_ssize_t CLINCH_OF(merge)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC *a = (CLINCH_ACC *)p[0];
  (void)n;
  *a = CLINCH_OF(step)(*a, *(const CLINCH_ACC *)p[1]);
  return -1;
}
#else
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
  const CLINCH_ITEM *__restrict x1 = (const CLINCH_ITEM *)p[1];
  const CLINCH_ITEM *__restrict x2 = (const CLINCH_ITEM *)p[2];
  const CLINCH_ITEM *__restrict x3 = (const CLINCH_ITEM *)p[3];
  const CLINCH_ITEM *__restrict x4 = (const CLINCH_ITEM *)p[4];
  for (Py_ssize_t i = 0; i < n; ++i) {
    CLINCH_ACC so_far = CLINCH_OF(step)(a[i], CLINCH_CAST(x1[i]));
    so_far = CLINCH_OF(step)(so_far, CLINCH_CAST(x2[i]));
    so_far = CLINCH_OF(step)(so_far, CLINCH_CAST(x3[i]));
    a[i] = CLINCH_OF(step)(so_far, CLINCH_CAST(x4[i]));
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
#endif
#ifdef CLINCH_CHANGES
#include <clinch/extreme.h>
#endif
#ifdef CLINCH_BEFORE
static inline __attribute__((always_inline))
CLINCH_ACC CLINCH_OF(all)(CLINCH_ACC a, const CLINCH_ITEM *x, Py_ssize_t n) {
  int odd;
  const CLINCH_ITEM first = CLINCH_OF(extreme)(x, n, &odd);
  for (Py_ssize_t i = 0; odd; ++i)
    if (CLINCH_ODD(x[i]))
      return x[i];
  return CLINCH_OF(step)(a, first);
}
#elif defined(CLINCH_ANY_ORDER)
static inline __attribute__((always_inline))
CLINCH_ACC CLINCH_OF(all)(CLINCH_ACC a, const CLINCH_ITEM *x, Py_ssize_t n) {
  for (Py_ssize_t i = 0; i < n; ++i)
    a = CLINCH_OF(step)(a, CLINCH_CAST(x[i]));
  return a;
}
#else
/* Each lane goes through the items on its own, 32 of them before it joins the
   others: as many lanes as the registers hold, one read of memory from front to
   back, and sums of sums. */
#if defined(CLINCH_JOIN) && defined(__clang__)
typedef CLINCH_ACC CLINCH_OF(eight)
    __attribute__((ext_vector_type(8), aligned(sizeof(CLINCH_ACC))));
/* Written so that a compiler has little to do: one function for both counts,
   and loops that are not unrolled, as they wait for memory or are short. */
static __attribute__((noinline)) CLINCH_ACC
CLINCH_OF(lanes)(const CLINCH_ITEM *x, Py_ssize_t n, const int count) {
  CLINCH_OF(eight) all[4];
  CLINCH_ACC *lane = (CLINCH_ACC *)all;
  for (int begun = 0; n >= count; begun = 1) {
    const Py_ssize_t rows = n / count < 32 ? n / count : 32;
    const CLINCH_OF(eight) *v = (const CLINCH_OF(eight) *)x;
    CLINCH_OF(eight) part[4] = {v[0]};
    x += rows * count;
    n -= rows * count;
    if (count == 8) {
#pragma clang loop unroll(disable)
      for (Py_ssize_t row = 1; row < rows; ++row)
        part[0] = CLINCH_JOIN(part[0], v[row]);
      all[0] = part[0];
      break;
    }
    for (int k = 1; k < 4; ++k)
      part[k] = v[k];
#pragma clang loop unroll(disable)
    for (Py_ssize_t row = 1; row < rows; ++row) {
      v += 4;
      for (int k = 0; k < 4; ++k)
        part[k] = CLINCH_JOIN(part[k], v[k]);
    }
#pragma clang loop unroll(disable)
    for (int k = 0; k < 4; ++k)
      all[k] = begun ? CLINCH_JOIN(all[k], part[k]) : part[k];
  }
#pragma clang loop vectorize(disable) unroll(disable)
  for (int i = 0; i < n; ++i)
    lane[i] = CLINCH_JOIN(lane[i], x[i]);
  if (count == 32) {
    all[0] = CLINCH_JOIN(all[0], all[2]);
    all[1] = CLINCH_JOIN(all[1], all[3]);
    all[0] = CLINCH_JOIN(all[0], all[1]);
  }
  CLINCH_ACC sum = lane[0];
#pragma clang loop vectorize(disable) unroll(disable)
  for (int k = 1; k < 8; ++k)
    sum = CLINCH_JOIN(sum, lane[k]);
  return sum;
}
#else
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
#endif
static inline __attribute__((always_inline))
CLINCH_ACC CLINCH_OF(all)(CLINCH_ACC a, const CLINCH_ITEM *x, Py_ssize_t n) {
  if (n >= 128)
    return CLINCH_OF(step)(a, CLINCH_OF(lanes)(x, n, 32));
  if (n >= 32)
    return CLINCH_OF(step)(a, CLINCH_OF(lanes)(x, n, 8));
  for (Py_ssize_t i = 0; i < n; ++i)
    a = CLINCH_OF(step)(a, CLINCH_CAST(x[i]));
  return a;
}
#endif
static Py_ssize_t CLINCH_OF(fold)(char *const *p, Py_ssize_t n) {
  CLINCH_ACC a = *(CLINCH_ACC *)p[0];
  const CLINCH_ITEM *x = (const CLINCH_ITEM *)p[1];
#ifdef CLINCH_BEFORE
  /* Most parts but the first change nothing, and are seen to with one
     comparison an item. */
  for (Py_ssize_t i = 0, end; i < n && !CLINCH_IS_LAST(a); i = end) {
    const Py_ssize_t part = 8192 / sizeof *x;
    end = n - i < part ? n : i + part;
    if (!i || CLINCH_OF(any)(a, x + i, end - i))
      a = CLINCH_OF(all)(a, x + i, end - i);
  }
  *(CLINCH_ACC *)p[0] = a;
#elif defined(CLINCH_CHANGES)
  if (!CLINCH_IS_LAST(a) && CLINCH_OF(any)(0, x, n))
    *(CLINCH_ACC *)p[0] = !a;
#else
  *(CLINCH_ACC *)p[0] = CLINCH_OF(all)(a, x, n);
#endif
  return -1;
}

#undef CLINCH_OF
#undef CLINCH_ITEM
#undef CLINCH_ACC
#undef CLINCH_CAST
#undef CLINCH_ROWS
#undef CLINCH_UNROLL
#undef CLINCH_JOIN
#undef CLINCH_ANY_ORDER
#undef CLINCH_CHANGES
#undef CLINCH_IS_LAST
#undef CLINCH_BEFORE
#undef CLINCH_ODD
#undef CLINCH_HALF
