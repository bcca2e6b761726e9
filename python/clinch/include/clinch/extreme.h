/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* What reductions and searches look for among items, with vectors in every
   tier. The text that includes this defines, and keeps:

   CLINCH_OF(name)        a name of its own
   CLINCH_ITEM            the type of an item
   CLINCH_CHANGES(a, x)   whether an item x changes a; of vectors, lane by lane
   CLINCH_BEFORE(x, y)    whether x comes before y, if there is an order
   CLINCH_ODD(x)          with it, whether x is no number
   CLINCH_HALF            if processors have no vectors of such items */
#ifndef CLINCH_HALF
typedef CLINCH_ITEM CLINCH_OF(vector)
    __attribute__((ext_vector_type(64 / sizeof(CLINCH_ITEM)),
                   aligned(sizeof(CLINCH_ITEM))));
#endif

/* Whether any of n items changes a. */
static inline __attribute__((always_inline)) int
CLINCH_OF(any)(CLINCH_ITEM a, const CLINCH_ITEM *x, Py_ssize_t n) {
  Py_ssize_t i = 0;
  (void)a;
#ifndef CLINCH_HALF
  enum { lanes = 64 / sizeof(CLINCH_ITEM) };
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const CLINCH_OF(vector) *v = (const CLINCH_OF(vector) *)(x + i);
    if (__builtin_reduce_or(CLINCH_CHANGES(a, v[0]) | CLINCH_CHANGES(a, v[1]) |
                            CLINCH_CHANGES(a, v[2]) | CLINCH_CHANGES(a, v[3])))
      return 1;
  }
#endif
  int changes = 0;
#pragma clang loop unroll(disable)
  for (; i < n; ++i)
    if (CLINCH_CHANGES(a, x[i]))
      changes = 1;
  return changes;
}

#ifdef CLINCH_BEFORE
/* The first of n items in the order. `odd` becomes 1 if an item is no number;
   then the result is any of the items. */
static inline __attribute__((always_inline)) CLINCH_ITEM
CLINCH_OF(extreme)(const CLINCH_ITEM *x, Py_ssize_t n, int *odd) {
  CLINCH_ITEM first = x[0];
  Py_ssize_t i = 0;
  *odd = 0;
#ifndef CLINCH_HALF
  enum { lanes = 64 / sizeof(CLINCH_ITEM) };
  if (n >= 4 * lanes) {
    const CLINCH_OF(vector) *v = (const CLINCH_OF(vector) *)x;
    CLINCH_OF(vector) a = v[0], b = v[1], c = v[2], d = v[3];
    __typeof__(CLINCH_ODD(a)) other =
        CLINCH_ODD(a) | CLINCH_ODD(b) | CLINCH_ODD(c) | CLINCH_ODD(d);
    for (i = 4 * lanes; i + 4 * lanes <= n; i += 4 * lanes) {
      v += 4;
      a = CLINCH_BEFORE(v[0], a) ? v[0] : a;
      b = CLINCH_BEFORE(v[1], b) ? v[1] : b;
      c = CLINCH_BEFORE(v[2], c) ? v[2] : c;
      d = CLINCH_BEFORE(v[3], d) ? v[3] : d;
      other |= CLINCH_ODD(v[0]) | CLINCH_ODD(v[1]) | CLINCH_ODD(v[2]) |
               CLINCH_ODD(v[3]);
    }
    a = CLINCH_BEFORE(b, a) ? b : a;
    c = CLINCH_BEFORE(d, c) ? d : c;
    a = CLINCH_BEFORE(c, a) ? c : a;
    *odd = __builtin_reduce_or(other) != 0;
    first = a[0];
    for (int k = 1; k < lanes; ++k)
      first = CLINCH_BEFORE(a[k], first) ? a[k] : first;
  }
#endif
  for (; i < n; ++i) {
    *odd |= CLINCH_ODD(x[i]);
    first = CLINCH_BEFORE(x[i], first) ? x[i] : first;
  }
  return first;
}

/* The first of n items that is x, which is among them. */
static inline __attribute__((always_inline)) Py_ssize_t
CLINCH_OF(place)(const CLINCH_ITEM *x, Py_ssize_t n, CLINCH_ITEM item) {
  Py_ssize_t i = 0;
#ifndef CLINCH_HALF
  enum { lanes = 64 / sizeof(CLINCH_ITEM) };
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const CLINCH_OF(vector) *v = (const CLINCH_OF(vector) *)(x + i);
    if (__builtin_reduce_or((v[0] == item) | (v[1] == item)))
      break;
  }
#endif
  while (!(x[i] == item))
    ++i;
  return i;
}
#endif
