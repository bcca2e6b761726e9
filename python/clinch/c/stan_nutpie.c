/* The functions that nutpie calls for its steps and draws, over BridgeStan's.
   Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int bs_log_density_gradient(const void *model, bool propto, bool jacobian,
                            const double *theta, double *value, double *to,
                            char **error);
int bs_param_constrain(const void *model, bool transformed, bool generated,
                       const double *from, double *to, void *rng, char **error);
void *bs_rng_construct(unsigned int seed, char **error);
void bs_rng_destruct(void *rng);
void bs_free_error_msg(char *message);

typedef struct {
  const void *model;
  const int64_t *order; /* of what bs_param_constrain gives: where it goes */
} Sampled;

/* Above zero, a step is tried again: where Stan rejects a point, too. */
enum { Fine = 0, Rejected = 1, GradientNotFinite = 3, NotFinite = 4 };

int64_t clinch_logp(uint64_t size, const double *x, double *gradient,
                    double *logp, const Sampled *s) {
  char *error = NULL;
  if (bs_log_density_gradient(s->model, true, true, x, logp, gradient,
                              &error)) {
    bs_free_error_msg(error);
    return Rejected;
  }
  for (uint64_t i = 0; i != size; ++i)
    if (!isfinite(gradient[i]))
      return GradientNotFinite;
  return isfinite(*logp) ? Fine : NotFinite;
}

/* Generated quantities are drawn by a seed that the point gives: the same in
   any order of threads. */
static unsigned int seedOf(uint64_t size, const double *x) {
  uint64_t hash = 14695981039346656037u;
  const unsigned char *bytes = (const unsigned char *)x;
  for (uint64_t i = 0; i != size * sizeof *x; ++i)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  return (unsigned int)(hash ^ hash >> 32);
}

int64_t clinch_expand(uint64_t size, uint64_t expanded, const double *x,
                      double *out, const Sampled *s) {
  char *error = NULL;
  double *made = (double *)malloc(expanded * sizeof *made + 1);
  void *rng = bs_rng_construct(seedOf(size, x), &error);
  const bool failed =
      !made || !rng ||
      bs_param_constrain(s->model, true, true, x, made, rng, &error);
  for (uint64_t i = 0; !failed && i != expanded; ++i)
    out[s->order[i]] = made[i];
  bs_rng_destruct(rng);
  bs_free_error_msg(error);
  free(made);
  return failed ? Rejected : Fine;
}
