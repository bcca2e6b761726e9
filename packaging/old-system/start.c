// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a program that is linked with crt1.o of glibc 2.34 or later,
// where glibc is older: there a program itself brings the function that runs
// its constructors.

typedef void constructor(int, char **, char **);
typedef int start(int (*)(int, char **, char **), int, char **, constructor *,
                  void (*)(void), void (*)(void), void *);

extern constructor *__init_array_start[], *__init_array_end[];

static void run_constructors(int count, char **words, char **environment) {
  for (constructor **next = __init_array_start; next < __init_array_end; ++next)
    (*next)(count, words, environment);
}

extern start start_of_glibc;
#ifdef __x86_64__
__asm__(".symver start_of_glibc, __libc_start_main@GLIBC_2.2.5");
#else
__asm__(".symver start_of_glibc, __libc_start_main@GLIBC_2.17");
#endif

__attribute__((visibility("hidden"))) int
__libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                  constructor *init, void (*fini)(void), void (*end)(void),
                  void *stack) {
  (void)init, (void)fini; /* Null, in such a crt1.o. */
  return start_of_glibc(main, count, words, run_constructors, 0, end, stack);
}
