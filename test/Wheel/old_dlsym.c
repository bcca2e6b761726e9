// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imitates an older system, to be loaded before all else: the compile core
// finds no name that is newer, except in its own library for that.
//
// NEWER_NAMES is a file with these names, each quoted and followed by a comma.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

static const char *const names[] = {
#include NEWER_NAMES
};

static int is_newer(const char *name) {
  for (unsigned number = 0; number < sizeof names / sizeof *names; ++number)
    if (!strcmp(names[number], name))
      return 1;
  return 0;
}

void *dlsym(void *restrict handle, const char *restrict name) {
  static void *(*system)(void *, const char *);
  if (!system)
    system = (__typeof__(system))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  void *const address = system(handle, name);
  Dl_info caller, home;
  if (!dladdr(__builtin_return_address(0), &caller) ||
      !strstr(caller.dli_fname, "libclinch-compiler") || !is_newer(name))
    return address;
  return address && dladdr(address, &home) &&
                 strstr(home.dli_fname, "libclinch-newer")
             ? address
             : 0;
}
