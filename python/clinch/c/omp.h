/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifdef __cplusplus
extern "C"
#endif
    void GOMP_parallel(void (*f)(void *), void *data, unsigned threads,
                       unsigned flags);
