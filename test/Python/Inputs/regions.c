/* What OpenMP has, each function with one right answer on three threads. */
#include <omp.h>

int threads(void) {
  int n = 0;
#pragma omp parallel
#pragma omp atomic
  n += 1;
  return n;
}

int asked_for(void) {
  int n = 0, alone = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    n = omp_get_num_threads();
  }
#pragma omp parallel if (n == 0)
  alone = omp_get_num_threads();
  return 10 * n + alone;
}

double sums(void) {
  double sum = 0;
  int most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < 1000; i++) {
    sum += i;
    most = i > most ? i : most;
  }
  return sum + most;
}

/* How many of a loop's numbers came once, and which PLACE the last one had. */
#define LOOP(NAME, TYPE, FIRST, TEST, STEP, PLACE, SCHEDULE)                             \
  int NAME(void) {                                                                       \
    int seen[100] = {0}, once = 0;                                                       \
    TYPE i, last = 0;                                                                    \
    _Pragma(SCHEDULE) for (i = FIRST; TEST; STEP) {                                      \
      _Pragma("omp atomic") seen[PLACE(i)] += 1;                                         \
      last = i;                                                                          \
    }                                                                                    \
    for (int k = 0; k < 100; k++)                                                        \
      once += seen[k] == 1;                                                              \
    return 1000 * once + (int)PLACE(last);                                               \
  }
#define ITSELF(i) (i)
#define FROM_BELOW(i) (i + 50)
#define FROM_4E9(i) (i - 4294967190u)
#define FROM_2E19(i) (i - 18446744073709551515ul)
LOOP(plain, int, 0, i < 100, i++, ITSELF, "omp parallel for lastprivate(last)")
LOOP(chunks, long, 99, i >= 0, i--, ITSELF,
     "omp parallel for schedule(static, 7) lastprivate(last)")
LOOP(dynamic, int, -50, i < 50, i += 1, FROM_BELOW,
     "omp parallel for schedule(dynamic, 3) lastprivate(last)")
LOOP(guided, unsigned, 4294967190u, i < 4294967289u, i += 2, FROM_4E9,
     "omp parallel for schedule(guided) lastprivate(last)")
LOOP(runtime, unsigned long, 18446744073709551515ul, i != 18446744073709551614ul, i++, FROM_2E19,
     "omp parallel for schedule(runtime) lastprivate(last)")
LOOP(automatic, long, 99, i > 0, i -= 4, ITSELF,
     "omp parallel for schedule(auto) lastprivate(last)")
LOOP(vectors, int, 0, i < 100, i++, ITSELF,
     "omp parallel for simd lastprivate(last)")

int nothing(void) {
  int ran = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 0; i++)
      ran = 1;
#pragma omp for schedule(dynamic)
    for (int i = 5; i < 5; i++)
      ran = 1;
  }
  return ran;
}

int nested(void) {
  int n = 0, deepest = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel for schedule(dynamic) num_threads(2) reduction(+ : n)
    for (int i = 0; i < 10; i++) {
      n += i;
      if (omp_get_level() == 2 && omp_get_num_threads() == 2)
#pragma omp atomic write
        deepest = 2;
    }
  }
  omp_set_max_active_levels(1);
  return 10 * n + deepest;
}

int loop_in_loop(void) {
  int n = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
  for (int i = 0; i < 6; i++) {
    int inner = 0;
#pragma omp parallel for schedule(guided) reduction(+ : inner)
    for (int k = 0; k < 7; k++)
      inner += k;
    n += inner;
  }
  return n;
}

int critical(void) {
  volatile int n = 0, k = 0;
#pragma omp parallel
  for (int i = 0; i < 500; i++) {
#pragma omp critical(one)
    n = n + 1;
#pragma omp critical
    k = k + 1;
  }
  return n + k;
}

int locked(void) {
  volatile int n = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel
  for (int i = 0; i < 500; i++) {
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    n = n + 1;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_lock(&lock);
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return n;
}

int one_of_them(void) {
  int singles = 0, masters = 0, copied = 0, sections = 0;
#pragma omp parallel
  {
    int mine = 0;
#pragma omp single copyprivate(mine)
    mine = 7;
#pragma omp atomic
    copied += mine;
#pragma omp single nowait
#pragma omp atomic
    singles += 1;
#pragma omp master
    masters += 1 + omp_get_thread_num();
#pragma omp barrier
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      sections += 1;
#pragma omp section
#pragma omp atomic
      sections += 2;
    }
  }
  return 10000 * copied / 7 + 100 * sections + 10 * singles + masters;
}

int in_order(void) {
  int next = 0, right = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < 50; i++) {
#pragma omp ordered
    right += next++ == i;
  }
  next = 0;
#pragma omp parallel for ordered schedule(static, 3)
  for (int i = 0; i < 50; i++) {
#pragma omp ordered
    right += next++ == i;
  }
  return right;
}

static int fibonacci(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) firstprivate(n) if (n > 3)
  a = fibonacci(n - 1);
#pragma omp task shared(b) firstprivate(n) untied
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int tasks(void) {
  int f = 0, after = 0, loop = 0;
#pragma omp parallel
#pragma omp single
  {
    f = fibonacci(12);
#pragma omp taskgroup
    {
#pragma omp task depend(out : after)
      after = 1;
#pragma omp task depend(inout : after) priority(1)
      after = 2 * after + 1;
#pragma omp task depend(in : after) final(1)
      after = after == 3 ? 9 : -1;
    }
#pragma omp taskloop grainsize(7) shared(loop)
    for (int i = 0; i < 40; i++)
#pragma omp atomic
      loop += i;
#pragma omp taskloop num_tasks(4) if (0)
    for (int i = 0; i < 40; i++)
      loop += 1;
  }
  return 10000 * f + 100 * after + (loop == 780 + 40);
}

static int own = 5;
#pragma omp threadprivate(own)

int threadprivate(void) {
  int sum = 0;
  own = 4;
#pragma omp parallel copyin(own) reduction(+ : sum)
  {
    own += omp_get_thread_num();
    sum += own;
  }
  own = 5;
  return sum;
}

/* More variables than fit registers. */
int many(int a, double b, long c, char d, float e, int f, int g, int h, int i, int j) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp critical
  sum += a + (int)b + (int)c + d + (int)e + f + g + h + i + j;
  return sum;
}
