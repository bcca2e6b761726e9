/* Stands before the C library's allocators (LD_PRELOAD), and fails where it is
   told to: `clinch_test_fail(n, m)`: the m allocations after n more; m < 0: all
   of them; n < 0: none any more. Returns how many were made since it was last
   told.

   What the system's loader allocates never fails: where it has no memory for
   what is a thread's own, it ends the process, and nobody is asked. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long first = -1, many, made;

long clinch_test_fail(long after, long count) {
  first = -1;
  const long before = atomic_exchange(&made, 0);
  many = count;
  first = after;
  return before;
}

static uintptr_t loader_begin, loader_end;

static int find_loader(struct dl_phdr_info *info, size_t size, void *given) {
  if (!strstr(info->dlpi_name, "/ld-linux"))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD &&
        (info->dlpi_phdr[i].p_flags & PF_X)) {
      loader_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      loader_end = loader_begin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  dl_iterate_phdr(find_loader, NULL);
}

static int fails_for(const void *caller) {
  if ((uintptr_t)caller >= loader_begin && (uintptr_t)caller < loader_end)
    return 0;
  const long from = first, number = atomic_fetch_add(&made, 1);
  if (from < 0 || number < from || (many >= 0 && number - from >= many))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  return fails_for(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return fails_for(__builtin_return_address(0)) ? NULL
                                                : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  return size && fails_for(__builtin_return_address(0))
             ? NULL
             : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails_for(__builtin_return_address(0))
             ? NULL
             : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  return fails_for(__builtin_return_address(0))
             ? NULL
             : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made_block = fails_for(__builtin_return_address(0))
                         ? NULL
                         : __libc_memalign(alignment, size);
  if (made_block)
    *block = made_block;
  return made_block ? 0 : ENOMEM;
}
