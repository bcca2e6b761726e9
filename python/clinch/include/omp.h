/* OpenMP's functions, as both GCC's and LLVM's runtime have them. A lock has
   the room that the larger of the two wants. Part of Clinch, under the Apache
   License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_OMP_H
#define CLINCH_OMP_H

#ifdef __cplusplus
extern "C" {
#define CLINCH_OMP_THROWS noexcept
#else
#define CLINCH_OMP_THROWS
#endif

typedef struct {
  void *clinch_room[1];
} omp_lock_t;
typedef struct {
  void *clinch_room[2];
} omp_nest_lock_t;

typedef enum {
  omp_lock_hint_none = 0,
  omp_lock_hint_uncontended = 1,
  omp_lock_hint_contended = 2,
  omp_lock_hint_nonspeculative = 4,
  omp_lock_hint_speculative = 8,
  omp_sync_hint_none = omp_lock_hint_none,
  omp_sync_hint_uncontended = omp_lock_hint_uncontended,
  omp_sync_hint_contended = omp_lock_hint_contended,
  omp_sync_hint_nonspeculative = omp_lock_hint_nonspeculative,
  omp_sync_hint_speculative = omp_lock_hint_speculative
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = (int)0x80000000U
} omp_sched_t;

typedef enum {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_master = 2,
  omp_proc_bind_primary = 2,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;

int omp_get_num_threads(void) CLINCH_OMP_THROWS;
int omp_get_max_threads(void) CLINCH_OMP_THROWS;
int omp_get_thread_num(void) CLINCH_OMP_THROWS;
int omp_get_num_procs(void) CLINCH_OMP_THROWS;
int omp_get_thread_limit(void) CLINCH_OMP_THROWS;
int omp_in_parallel(void) CLINCH_OMP_THROWS;
int omp_in_final(void) CLINCH_OMP_THROWS;
void omp_set_num_threads(int) CLINCH_OMP_THROWS;

int omp_get_dynamic(void) CLINCH_OMP_THROWS;
void omp_set_dynamic(int) CLINCH_OMP_THROWS;
int omp_get_nested(void) CLINCH_OMP_THROWS;
void omp_set_nested(int) CLINCH_OMP_THROWS;
int omp_get_cancellation(void) CLINCH_OMP_THROWS;
void omp_get_schedule(omp_sched_t *, int *) CLINCH_OMP_THROWS;
void omp_set_schedule(omp_sched_t, int) CLINCH_OMP_THROWS;
int omp_get_max_active_levels(void) CLINCH_OMP_THROWS;
void omp_set_max_active_levels(int) CLINCH_OMP_THROWS;
int omp_get_supported_active_levels(void) CLINCH_OMP_THROWS;
int omp_get_level(void) CLINCH_OMP_THROWS;
int omp_get_active_level(void) CLINCH_OMP_THROWS;
int omp_get_ancestor_thread_num(int) CLINCH_OMP_THROWS;
int omp_get_team_size(int) CLINCH_OMP_THROWS;
int omp_get_max_task_priority(void) CLINCH_OMP_THROWS;

omp_proc_bind_t omp_get_proc_bind(void) CLINCH_OMP_THROWS;
int omp_get_num_places(void) CLINCH_OMP_THROWS;
int omp_get_place_num_procs(int) CLINCH_OMP_THROWS;
void omp_get_place_proc_ids(int, int *) CLINCH_OMP_THROWS;
int omp_get_place_num(void) CLINCH_OMP_THROWS;
int omp_get_partition_num_places(void) CLINCH_OMP_THROWS;
void omp_get_partition_place_nums(int *) CLINCH_OMP_THROWS;

int omp_get_num_devices(void) CLINCH_OMP_THROWS;
int omp_get_default_device(void) CLINCH_OMP_THROWS;
void omp_set_default_device(int) CLINCH_OMP_THROWS;
int omp_get_initial_device(void) CLINCH_OMP_THROWS;
int omp_is_initial_device(void) CLINCH_OMP_THROWS;
int omp_get_num_teams(void) CLINCH_OMP_THROWS;
int omp_get_team_num(void) CLINCH_OMP_THROWS;

void omp_init_lock(omp_lock_t *) CLINCH_OMP_THROWS;
void omp_init_lock_with_hint(omp_lock_t *, omp_sync_hint_t) CLINCH_OMP_THROWS;
void omp_destroy_lock(omp_lock_t *) CLINCH_OMP_THROWS;
void omp_set_lock(omp_lock_t *) CLINCH_OMP_THROWS;
void omp_unset_lock(omp_lock_t *) CLINCH_OMP_THROWS;
int omp_test_lock(omp_lock_t *) CLINCH_OMP_THROWS;
void omp_init_nest_lock(omp_nest_lock_t *) CLINCH_OMP_THROWS;
void omp_init_nest_lock_with_hint(omp_nest_lock_t *,
                                  omp_sync_hint_t) CLINCH_OMP_THROWS;
void omp_destroy_nest_lock(omp_nest_lock_t *) CLINCH_OMP_THROWS;
void omp_set_nest_lock(omp_nest_lock_t *) CLINCH_OMP_THROWS;
void omp_unset_nest_lock(omp_nest_lock_t *) CLINCH_OMP_THROWS;
int omp_test_nest_lock(omp_nest_lock_t *) CLINCH_OMP_THROWS;

double omp_get_wtime(void) CLINCH_OMP_THROWS;
double omp_get_wtick(void) CLINCH_OMP_THROWS;

#undef CLINCH_OMP_THROWS
#ifdef __cplusplus
}
#endif

#endif
