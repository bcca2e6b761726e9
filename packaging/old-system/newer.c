// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of newer C libraries, by functions of older ones.
//
// Hidden in Clinch's libraries, for their own calls, and shown by
// libclinch-newer.so, for the sources that Clinch compiles.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The version of `struct stat` that glibc before 2.33 is called with. */
#ifdef __x86_64__
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif

int __xstat(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);

int stat(const char *path, struct stat *result) {
  return __xstat(STAT_VERSION, path, result);
}
int lstat(const char *path, struct stat *result) {
  return __lxstat(STAT_VERSION, path, result);
}
int fstat(int file, struct stat *result) {
  return __fxstat(STAT_VERSION, file, result);
}
int fstatat(int folder, const char *path, struct stat *result, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, result, flags);
}
int stat64(const char *path, struct stat64 *result) {
  return __xstat(STAT_VERSION, path, (struct stat *)result);
}
int lstat64(const char *path, struct stat64 *result) {
  return __lxstat(STAT_VERSION, path, (struct stat *)result);
}
int fstat64(int file, struct stat64 *result) {
  return __fxstat(STAT_VERSION, file, (struct stat *)result);
}
int fstatat64(int folder, const char *path, struct stat64 *result, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, (struct stat *)result, flags);
}

/* Zero: libstdc++ counts references with atomic operations. */
char __libc_single_threaded = 0;

void arc4random_buf(void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = getrandom((char *)bytes + done, size - done, 0);
    if (count < 0 && errno != EINTR)
      abort(); /* As glibc does. */
    done += count > 0 ? (size_t)count : 0;
  }
}
uint32_t arc4random(void) {
  uint32_t result;
  arc4random_buf(&result, sizeof result);
  return result;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct mallinfo2 mallinfo2(void) {
  const struct mallinfo old = mallinfo();
  return (struct mallinfo2){.arena = (unsigned)old.arena,
                            .ordblks = (unsigned)old.ordblks,
                            .smblks = (unsigned)old.smblks,
                            .hblks = (unsigned)old.hblks,
                            .hblkhd = (unsigned)old.hblkhd,
                            .fsmblks = (unsigned)old.fsmblks,
                            .uordblks = (unsigned)old.uordblks,
                            .fordblks = (unsigned)old.fordblks,
                            .keepcost = (unsigned)old.keepcost};
}

pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

/* Without the system's own function, a change of the wall clock moves the
   deadline, as it did in libstdc++ before GCC 10. */
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           clockid_t clock, const struct timespec *deadline) {
  __typeof__(&pthread_cond_clockwait) system =
      (__typeof__(system))dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  if (system)
    return system(condition, mutex, clock, deadline);
  enum { second = 1000000000 };
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  int64_t left = (int64_t)(deadline->tv_sec - now.tv_sec) * second +
                 (deadline->tv_nsec - now.tv_nsec);
  left = (left < 0 ? 0 : left) + wall.tv_nsec;
  const struct timespec end = {wall.tv_sec + left / second, left % second};
  return pthread_cond_timedwait(condition, mutex, &end);
}

int posix_spawn_file_actions_addclosefrom_np(
    posix_spawn_file_actions_t *actions, int first) {
  __typeof__(&posix_spawn_file_actions_addclosefrom_np) system =
      (__typeof__(system))dlsym(RTLD_DEFAULT,
                                "posix_spawn_file_actions_addclosefrom_np");
  if (system)
    return system(actions, first);
  DIR *files = opendir("/proc/self/fd");
  if (!files)
    return errno;
  int problem = 0;
  for (struct dirent *entry; !problem && (entry = readdir(files));) {
    const int file = atoi(entry->d_name); /* 0 for `.` and `..`. */
    if (file >= first && file > 0 && file != dirfd(files))
      problem = posix_spawn_file_actions_addclose(actions, file);
  }
  closedir(files);
  return problem;
}
