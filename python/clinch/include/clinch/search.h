/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* The kernel CLINCH_OF(search) of argmin and argmax: where the first item is
   that comes before all others, as what is no number does; see extreme.h. */
#include <clinch/extreme.h>
static Py_ssize_t CLINCH_OF(search)(char *const *p, Py_ssize_t n) {
  struct clinch_found *f = (struct clinch_found *)p[0];
  const CLINCH_ITEM *x = (const CLINCH_ITEM *)p[1];
  CLINCH_ITEM best;
  if (!f->seen) {
    best = x[0];
    f->index = 0;
  } else {
    memcpy(&best, f->item, sizeof best);
  }
  /* Most parts but the first hold nothing better. */
  for (Py_ssize_t begin = 0, end; begin < n && !CLINCH_ODD(best); begin = end) {
    const Py_ssize_t part = 8192 / sizeof *x;
    end = n - begin < part ? n : begin + part;
    int odd;
    if ((begin || f->seen) && !CLINCH_OF(any)(best, x + begin, end - begin))
      continue;
    CLINCH_ITEM item = CLINCH_OF(extreme)(x + begin, end - begin, &odd);
    if (!odd && !CLINCH_BEFORE(item, best))
      continue;
    Py_ssize_t i = begin;
    if (odd)
      while (!CLINCH_ODD(x[i]))
        ++i;
    else
      i += CLINCH_OF(place)(x + begin, end - begin, item);
    best = x[i];
    f->index = f->seen + i;
  }
  memcpy(f->item, &best, sizeof best);
  return -1;
}
#undef CLINCH_OF
#undef CLINCH_ITEM
#undef CLINCH_BEFORE
#undef CLINCH_CHANGES
#undef CLINCH_ODD
#undef CLINCH_HALF
