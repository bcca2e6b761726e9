"""The C of a reduction: one step, and the loops around it."""

KERNELS = """
static inline __attribute__((always_inline)) {acc}
{name}_step({acc} a_{name}, {acc} x_{name}) {{
  struct {name}_step_end {{ int failed; }} clinch_end = {{0}};
  {declare}
{code}
  (void)clinch_end;
  return z_{name};
}}
static Py_ssize_t {name}_begin(char *const *p, Py_ssize_t n) {{
  {acc} *a = ({acc} *)p[0];
  const {item} *x = (const {item} *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {cast_i};
  return -1;
}}
static Py_ssize_t {name}_combine(char *const *p, Py_ssize_t n) {{
  {acc} *__restrict a = ({acc} *)p[0];
  const {item} *__restrict x = (const {item} *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {name}_step(a[i], {cast_i});
  return -1;
}}
static Py_ssize_t {name}_combine_four(char *const *p, Py_ssize_t n) {{
  {acc} *__restrict a = ({acc} *)p[0];
  for (Py_ssize_t i = 0; i < n; ++i) {{
    {acc} so_far = a[i];
    for (int row = 1; row <= 4; ++row) {{
      const {item} *__restrict x = (const {item} *)p[row];
      so_far = {name}_step(so_far, {cast_i});
    }}
    a[i] = so_far;
  }}
  return -1;
}}
static Py_ssize_t {name}_merge(char *const *p, Py_ssize_t n) {{
  {acc} *__restrict a = ({acc} *)p[0];
  const {acc} *__restrict x = (const {acc} *)p[1];
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {name}_step(a[i], x[i]);
  return -1;
}}
/* Each lane goes through the items on its own, 32 of them before it joins the
   others: as many lanes as the registers hold, one read of memory from front to
   back, and sums of sums. */
static inline __attribute__((always_inline)) {acc}
{name}_lanes(const {item} *x, Py_ssize_t n, const int count) {{
  {acc} lane[32], all[32];
  for (int begun = 0; n >= count; begun = 1) {{
    const Py_ssize_t rows = n / count < 32 ? n / count : 32;
    for (int i = 0; i < count; ++i)
      lane[i] = {cast_i};
    x += count;
    for (Py_ssize_t row = 1; row < rows; ++row, x += count)
      {unroll}for (int i = 0; i < count; ++i)
        lane[i] = {name}_step(lane[i], {cast_i});
    n -= rows * count;
    for (int i = 0; i < count; ++i)
      all[i] = begun ? {name}_step(all[i], lane[i]) : lane[i];
  }}
  for (int i = 0; i < n; ++i)
    all[i] = {name}_step(all[i], {cast_i});
  for (int half = count / 2; half >= 8; half /= 2)
    for (int i = 0; i < half; ++i)
      all[i] = {name}_step(all[i], all[i + half]);
  for (int i = 1; i < 8; ++i)
    all[0] = {name}_step(all[0], all[i]);
  return all[0];
}}
static Py_ssize_t {name}_fold(char *const *p, Py_ssize_t n) {{
  {acc} a = *({acc} *)p[0];
  const {item} *x = (const {item} *)p[1];
  if (n >= 128)
    a = {name}_step(a, {name}_lanes(x, n, 32));
  else if (n >= 32)
    a = {name}_step(a, {name}_lanes(x, n, 8));
  else
    for (Py_ssize_t i = 0; i < n; ++i)
      a = {name}_step(a, {cast_i});
  *({acc} *)p[0] = a;
  return -1;
}}
"""

MEAN = """
static void {name}_finish(char *result, Py_ssize_t n, Py_ssize_t count) {{
  {acc} *a = ({acc} *)result;
  for (Py_ssize_t i = 0; i < n; ++i)
    a[i] = {divided};
}}
"""
