/* What the text of a loop over arrays and the library that runs it agree on.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_LOOPS_H
#define CLINCH_LOOPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Computes `n` items that lie one behind the other, the operand k from p[k] on.
   Returns the number of the item that failed, or -1. */
typedef Py_ssize_t clinch_kernel(char *const *p, Py_ssize_t n);

/* OpenMP's: calls f(data) once on each of so many threads. */
typedef void clinch_parallel(void (*f)(void *), void *data, unsigned threads,
                             unsigned flags);

/* Says which scalar Op is about to fail, for messages. */
void clinch_failing(const char *op);

struct clinch_operand {
  int number;      /* not an array: a C variable of this many bytes */
  int typenum;     /* NumPy's number of the dtype */
  int size;        /* bytes of an item */
  int single;      /* the kernel reads one item, whatever n is */
  int in_place_of; /* of an output: the input whose memory it takes, or -1 */
  unsigned long long shaped_by; /* of an output: the inputs that shape it */
};

struct clinch_loop {
  const char *name; /* of the Op, for messages */
  int inputs, outputs;
  const struct clinch_operand *operands; /* the inputs, then the outputs */
  clinch_kernel *kernel;
  clinch_parallel *parallel; /* null: one thread */
  unsigned threads;          /* 0: as many as there are, where they gain time */
  int any_order;             /* no item can fail, and none need be the first */
};

/* `in`: arrays, or addresses of numbers; `out`: addresses of the variables of
   the outputs, each NULL or an array to use again. Returns 0, or -1 with an
   exception. */
int clinch_run_loop(void **numpy, const struct clinch_loop *loop,
                    void *const *in, void *const *out);

/* Runs the kernel as a loop of a NumPy ufunc does: operands lie as `steps` say,
   and an output may be an input's memory, as in a reduction. */
int clinch_run_ufunc(const struct clinch_loop *loop, char **args,
                     const Py_ssize_t *count, const Py_ssize_t *steps);

/* What is reduced is the first output of `loop`, which is no array of its own:
   its kernel puts items into a buffer. Without a kernel it is the first input.
   `Accumulator`s are items of the result. */
struct clinch_reduction {
  const struct clinch_loop *loop;
  unsigned long long axes[2]; /* of the loop's dimensions, a bit for each */
  int keep_dims;
  int typenum, size; /* of the result */
  int pairwise;      /* sums of sums, for accuracy */
  /* Of the accumulator of nothing; null: an empty reduction is an error. */
  const void *identity;
  const char *numpy_name;      /* what NumPy calls it in that error */
  clinch_kernel *fold;         /* *p[0] = op(*p[0], each of the items p[1]) */
  clinch_kernel *combine;      /* p[0][i] = op(p[0][i], item p[1][i]) */
  clinch_kernel *combine_four; /* the same with items p[1][i] to p[4][i] */
  clinch_kernel *merge;        /* combine, of accumulators */
  clinch_kernel *begin;        /* p[0][i] = item p[1][i] */
  void (*finish)(char *result, Py_ssize_t n, Py_ssize_t count); /* or null */
  clinch_kernel *search; /* of argmin and argmax, else null */
};

/* What a search has found: its item, where, and how many it has seen. */
struct clinch_found {
  long long item[2];
  Py_ssize_t index, seen;
};

/* The loops that clinch/reduction.h makes of the step of this name. */
#define CLINCH_ROWS_OF(name)                                                   \
  .fold = name##_fold, .merge = name##_merge, .begin = name##_begin
#define CLINCH_LOOPS_OF(name)                                                  \
  .fold = name##_fold, .combine = name##_combine,                              \
  .combine_four = name##_combine_four, .merge = name##_merge,                  \
  .begin = name##_begin

int clinch_run_reduction(void **numpy, const struct clinch_reduction *r,
                         void *const *in, void *out);

#ifdef __cplusplus
}
#endif

#endif
