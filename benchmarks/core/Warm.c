/*===- Warm.c - What cached code costs a new process ----------------------===*\
|*
|* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*/

#include "clinch-c/clinch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec * 1e3 + T.tv_nsec / 1e6;
}

static double residentMegabytes(void) {
  long Total = 0, Resident = 0;
  FILE *In = fopen("/proc/self/statm", "r");
  if (!In || fscanf(In, "%ld %ld", &Total, &Resident) != 2)
    exit(1);
  fclose(In);
  return Resident * sysconf(_SC_PAGESIZE) / 1e6;
}

static void *Library;

static void *find(const char *Name) {
  void *F = dlsym(Library, Name);
  if (!F) {
    fprintf(stderr, "bench-warm: no %s\n", Name);
    exit(1);
  }
  return F;
}
#define CALL(Name) ((__typeof__(&Name))find(#Name))

/* One text, from the cache on disk once it is there; what it is called. */
static void *first(clinch_session *Session, const char *Text) {
  clinch_unit *Unit = CALL(clinch_unit_new)(Session);
  CALL(clinch_unit_set_text)(Unit, "text", Text);
  clinch_module *M = CALL(clinch_compile)(Unit);
  void *F = M ? CALL(clinch_module_symbol)(M, "f") : NULL;
  if (!F) {
    fputs(CALL(clinch_unit_error_text)(Unit, 0), stderr);
    exit(1);
  }
  return F;
}

static double load(const char *Name) {
  double Begin = now();
  Library = dlopen(Name, RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    fputs(dlerror(), stderr);
    exit(1);
  }
  return now() - Begin;
}

/* Warm LIBRARY FOLDER: in a process that did nothing else, milliseconds to load
   libstdc++, which the compile core needs and a process may have, to load that
   with its linker, to the first function, to the second one, and the megabytes
   that all but the first took. */
int main(int Count, char **Arguments) {
  if (Count != 3)
    return 2;
  double Runtime = load("libstdc++.so.6"), Megabytes = residentMegabytes();
  double Loading = load(Arguments[1]), Loaded = now();
  clinch_session *Session = CALL(clinch_session_new)();
  CALL(clinch_session_set_cache_dir)(Session, Arguments[2]);
  int (*F)(int) = (int (*)(int))first(
      Session, "#include <math.h>\nint f(int x) { return 1 + (int)cbrt(x); }");
  double First = now();
  int (*G)(int) = (int (*)(int))first(
      Session, "#include <math.h>\nint f(int x) { return 2 + (int)cbrt(x); }");
  double Second = now();
  if (F(8) != 3 || G(8) != 4)
    return 1;
  printf("%f %f %f %f %f\n", Runtime, Loading, First - Loaded, Second - First,
         residentMegabytes() - Megabytes);
  return 0;
}
