/* What gcc's crtbeginS.o and crtendS.o do for a shared library: the address by which
   the C library knows it, and its last act. */
extern void __cxa_finalize(void *) __attribute__((weak));
extern int __cxa_atexit(void (*)(void *), void *, void *);

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *__dso_handle = &__dso_handle;

__attribute__((destructor)) static void finish(void) {
  if (__cxa_finalize)
    __cxa_finalize(__dso_handle);
}

/* The C library has it in an archive for those who link. */
HIDDEN __attribute__((weak)) int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, 0, __dso_handle);
}
