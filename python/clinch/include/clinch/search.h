/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* The kernel CLINCH_NAME of argmin and argmax over items of CLINCH_ITEM, where
   CLINCH_BETTER(x, y) says whether x comes before y, as NaN does before all
   numbers, and CLINCH_IS_LAST(x) whether nothing may come before x. */
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
  /* Most parts hold nothing better, and are seen to with one comparison an
     item; of the first ones many do. */
  for (Py_ssize_t begin = 0, end; begin < n && !CLINCH_IS_LAST(best);
       begin = end) {
    const Py_ssize_t part = (begin < 1024 ? 512 : 8192) / sizeof *x;
    end = n - begin < part ? n : begin + part;
    int better = 0;
    for (Py_ssize_t i = begin; i < end; ++i)
      if (CLINCH_BETTER(x[i], best))
        better = 1;
    for (Py_ssize_t i = begin; better && i < end; ++i) {
      if (CLINCH_BETTER(x[i], best)) {
        best = x[i];
        f->index = f->seen + i;
        if (CLINCH_IS_LAST(best))
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
#undef CLINCH_IS_LAST
