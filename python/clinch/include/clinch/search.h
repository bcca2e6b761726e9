/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* The kernel CLINCH_NAME of argmin and argmax over items of CLINCH_ITEM, where
   CLINCH_BETTER(x, y) says whether x comes before y; NaN is before all. */
static Py_ssize_t CLINCH_NAME(char *const *p, Py_ssize_t n) {
  struct clinch_found *f = (struct clinch_found *)p[0];
  const CLINCH_ITEM *x = (const CLINCH_ITEM *)p[1];
  CLINCH_ITEM best;
  if (!f->seen) {
    best = x[0];
    f->index = 0;
  } else {
    memcpy(&best, f->item, sizeof best);
  }
  if (best == best) {
    for (Py_ssize_t i = 0; i < n; ++i) {
      if (CLINCH_BETTER(x[i], best) || x[i] != x[i]) {
        best = x[i];
        f->index = f->seen + i;
        if (best != best)
          break;
      }
    }
  }
  memcpy(f->item, &best, sizeof best);
  return -1;
}
#undef CLINCH_NAME
#undef CLINCH_ITEM
#undef CLINCH_BETTER
