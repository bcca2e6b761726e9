//===- Prelude.cuh - What stands before texts in CUDA -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ as its programming guide describes it, over Clang's gpuintrin.h,
// which is the same for all GPUs; no header of NVIDIA's is needed. What that
// header lacks stands in one section below. Mathematical functions are those of
// lib/Math; one that is not declared here does not exist on the device.
//
//===----------------------------------------------------------------------===//

#pragma clang system_header
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define CLINCH_DEVICE static __inline__ __device__ __attribute__((always_inline))
#define CLINCH_BOTH                                                            \
  static __inline__ __host__ __device__ __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

#define CLINCH_VECTORS(__T, __N, __A2, __A4)                                   \
  struct __N##1 { __T x; };                                                    \
  struct __align__(__A2) __N##2 { __T x, y; };                                 \
  struct __N##3 { __T x, y, z; };                                              \
  struct __align__(__A4) __N##4 { __T x, y, z, w; };                           \
  CLINCH_BOTH __N##1 make_##__N##1(__T x) { return {x}; }                      \
  CLINCH_BOTH __N##2 make_##__N##2(__T x, __T y) { return {x, y}; }            \
  CLINCH_BOTH __N##3 make_##__N##3(__T x, __T y, __T z) { return {x, y, z}; }  \
  CLINCH_BOTH __N##4 make_##__N##4(__T x, __T y, __T z, __T w) { return {x, y, z, w}; }
CLINCH_VECTORS(signed char, char, 2, 4)
CLINCH_VECTORS(unsigned char, uchar, 2, 4)
CLINCH_VECTORS(short, short, 4, 8)
CLINCH_VECTORS(unsigned short, ushort, 4, 8)
CLINCH_VECTORS(int, int, 8, 16)
CLINCH_VECTORS(unsigned, uint, 8, 16)
CLINCH_VECTORS(long, long, 16, 16)
CLINCH_VECTORS(unsigned long, ulong, 16, 16)
CLINCH_VECTORS(long long, longlong, 16, 16)
CLINCH_VECTORS(unsigned long long, ulonglong, 16, 16)
CLINCH_VECTORS(float, float, 8, 16)
CLINCH_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned __X = 1, unsigned __Y = 1,
                                     unsigned __Z = 1)
      : x(__X), y(__Y), z(__Z) {}
  __host__ __device__ constexpr dim3(uint3 __V) : x(__V.x), y(__V.y), z(__V.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

//===----------------------------------------------------------------------===//
// Launches, in the blocks of a graph
//===----------------------------------------------------------------------===//

typedef struct CUstream_st *cudaStream_t;
typedef enum cudaError { cudaSuccess = 0, cudaErrorUnknown = 999 } cudaError_t;
extern "C" {
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
/// Gets the launch's place in the author's text.
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared = 0,
                                     cudaStream_t Stream = nullptr,
                                     const char *File = __builtin_FILE(),
                                     unsigned Line = __builtin_LINE());
/// Of an array's stream.
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
}

//===----------------------------------------------------------------------===//
// Who a thread is
//===----------------------------------------------------------------------===//

#if defined(__NVPTX__) || defined(__AMDGPU__) || defined(__SPIRV__)
// The author's names of whole numbers stay the author's.
#define __CLANG_STDINT_H
#define uint32_t __UINT32_TYPE__
#define uint64_t __UINT64_TYPE__
#include <gpuintrin.h>
#undef uint64_t
#undef uint32_t
#undef __CLANG_STDINT_H
#else // The host's pass reads kernels, and makes nothing of them.
#define CLINCH_GPU(Name)                                                       \
  __device__ unsigned __gpu_##Name##_x(), __gpu_##Name##_y(), __gpu_##Name##_z();
CLINCH_GPU(thread_id) CLINCH_GPU(block_id)
CLINCH_GPU(num_threads) CLINCH_GPU(num_blocks)
#undef CLINCH_GPU
__device__ __UINT64_TYPE__ __gpu_lane_mask();
__device__ __UINT64_TYPE__ __gpu_ballot(__UINT64_TYPE__, bool);
__device__ void __gpu_sync_lane(__UINT64_TYPE__);
#endif

#define CLINCH_INDEX(Name, Of)                                                 \
  struct __clinch_##Name {                                                     \
    __declspec(property(get = getX)) unsigned x;                               \
    __declspec(property(get = getY)) unsigned y;                               \
    __declspec(property(get = getZ)) unsigned z;                               \
    static __device__ __forceinline__ unsigned getX() {                        \
      return __gpu_##Of##_x();                                                 \
    }                                                                          \
    static __device__ __forceinline__ unsigned getY() {                        \
      return __gpu_##Of##_y();                                                 \
    }                                                                          \
    static __device__ __forceinline__ unsigned getZ() {                        \
      return __gpu_##Of##_z();                                                 \
    }                                                                          \
    __device__ operator uint3() const { return {x, y, z}; }                    \
    __device__ operator dim3() const { return {x, y, z}; }                     \
  };                                                                           \
  extern const __device__ __attribute__((weak)) __clinch_##Name Name;
CLINCH_INDEX(threadIdx, thread_id)
CLINCH_INDEX(blockIdx, block_id)
CLINCH_INDEX(blockDim, num_threads)
CLINCH_INDEX(gridDim, num_blocks)
#undef CLINCH_INDEX
constexpr int warpSize = 32;

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

CLINCH_DEVICE void __syncwarp(unsigned m = 0xffffffff) { __gpu_sync_lane(m); }
CLINCH_DEVICE unsigned __ballot_sync(unsigned m, int p) {
  return __gpu_ballot(m, p);
}
CLINCH_DEVICE unsigned __activemask() { return __gpu_lane_mask(); }

//===----------------------------------------------------------------------===//
// What Clang's header lacks: barriers that count, fences, votes, shuffles by
// segments and distances, clocks
//===----------------------------------------------------------------------===//

#if !defined(__AMDGPU__) && !defined(__SPIRV__)
CLINCH_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
CLINCH_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
CLINCH_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
CLINCH_DEVICE void __threadfence() { __nvvm_membar_gl(); }
CLINCH_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
CLINCH_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
CLINCH_DEVICE int __any_sync(unsigned m, int p) {
  return __nvvm_vote_any_sync(m, p);
}
CLINCH_DEVICE int __all_sync(unsigned m, int p) {
  return __nvvm_vote_all_sync(m, p);
}
CLINCH_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

/// A value is moved in words of 32 bits. The segment of `w` lanes that a lane
/// stays in is encoded as PTX wants it.
#define CLINCH_SHUFFLE(Name, By, Kind, Clamp)                                  \
  template <class __T>                                                         \
  CLINCH_DEVICE __T Name(unsigned m, __T v, By d, int w = 32) {                \
    int words[(sizeof(__T) + 3) / 4] = {};                                     \
    __builtin_memcpy(words, &v, sizeof(__T));                                  \
    for (int &x : words)                                                       \
      x = __nvvm_shfl_sync_##Kind##_i32(m, x, d, ((32 - w) << 8) | Clamp);     \
    __builtin_memcpy(&v, words, sizeof(__T));                                  \
    return v;                                                                  \
  }
CLINCH_SHUFFLE(__shfl_sync, int, idx, 31)
CLINCH_SHUFFLE(__shfl_up_sync, unsigned, up, 0)
CLINCH_SHUFFLE(__shfl_down_sync, unsigned, down, 31)
CLINCH_SHUFFLE(__shfl_xor_sync, int, bfly, 31)
#undef CLINCH_SHUFFLE
#else // Elsewhere Clang has no such builtin.
CLINCH_DEVICE void __syncthreads() { __gpu_sync_threads(); }
#endif

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

#define CLINCH_ATOMICS(Suffix, Scope)                                          \
  template <class __T> CLINCH_DEVICE __T atomicAdd##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicSub##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_sub(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicMin##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicMax##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicAnd##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_and(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicOr##Suffix(__T *p, __T v) {     \
    return __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, Scope);            \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicXor##Suffix(__T *p, __T v) {    \
    return __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, Scope);           \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicExch##Suffix(__T *p, __T v) {   \
    __T old;                                                                   \
    __scoped_atomic_exchange(p, &v, &old, __ATOMIC_RELAXED, Scope);            \
    return old;                                                                \
  }                                                                            \
  template <class __T> CLINCH_DEVICE __T atomicCAS##Suffix(__T *p, __T c, __T v) { \
    __scoped_atomic_compare_exchange(p, &c, &v, false, __ATOMIC_RELAXED,       \
                                     __ATOMIC_RELAXED, Scope);                 \
    return c;                                                                  \
  }
CLINCH_ATOMICS(, __MEMORY_SCOPE_DEVICE)
CLINCH_ATOMICS(_block, __MEMORY_SCOPE_WRKGRP)
CLINCH_ATOMICS(_system, __MEMORY_SCOPE_SYSTEM)
#undef CLINCH_ATOMICS

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

CLINCH_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
CLINCH_DEVICE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
CLINCH_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
CLINCH_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
CLINCH_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
CLINCH_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
CLINCH_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
CLINCH_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
CLINCH_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CLINCH_DEVICE unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}
CLINCH_DEVICE float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
CLINCH_DEVICE float __uint_as_float(unsigned x) {
  return __builtin_bit_cast(float, x);
}
CLINCH_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
CLINCH_DEVICE double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
template <class __T> CLINCH_DEVICE __T __ldg(const __T *p) { return *p; }
CLINCH_DEVICE void __trap() { __builtin_trap(); }

//===----------------------------------------------------------------------===//
// Mathematics
//===----------------------------------------------------------------------===//

#define CLINCH_OF_ONE(Name)                                                    \
  extern "C" __device__ double Name(double);                                   \
  extern "C" __device__ float Name##f(float);                                  \
  CLINCH_DEVICE float Name(float x) { return Name##f(x); }
#define CLINCH_OF_TWO(Name)                                                    \
  extern "C" __device__ double Name(double, double);                           \
  extern "C" __device__ float Name##f(float, float);                           \
  CLINCH_DEVICE float Name(float x, float y) { return Name##f(x, y); }
CLINCH_OF_ONE(acos) CLINCH_OF_ONE(acosh) CLINCH_OF_ONE(asin)
CLINCH_OF_ONE(asinh) CLINCH_OF_ONE(atan) CLINCH_OF_ONE(atanh)
CLINCH_OF_ONE(cbrt) CLINCH_OF_ONE(cos) CLINCH_OF_ONE(cosh)
CLINCH_OF_ONE(erf) CLINCH_OF_ONE(erfc) CLINCH_OF_ONE(exp)
CLINCH_OF_ONE(exp10) CLINCH_OF_ONE(exp2) CLINCH_OF_ONE(expm1)
CLINCH_OF_ONE(log) CLINCH_OF_ONE(log10) CLINCH_OF_ONE(log1p)
CLINCH_OF_ONE(log2) CLINCH_OF_ONE(sin) CLINCH_OF_ONE(sinh)
CLINCH_OF_ONE(tan) CLINCH_OF_ONE(tanh) CLINCH_OF_ONE(tgamma)
CLINCH_OF_TWO(atan2) CLINCH_OF_TWO(hypot) CLINCH_OF_TWO(pow)
#undef CLINCH_OF_ONE
#undef CLINCH_OF_TWO

// Each has one right result: instructions of the device, and the rest of a
// division, which is lib/Math's.
#define CLINCH_OF_ONE(Name)                                                    \
  CLINCH_DEVICE double Name(double x) { return __builtin_##Name(x); }          \
  CLINCH_DEVICE float Name##f(float x) { return __builtin_##Name##f(x); }      \
  CLINCH_DEVICE float Name(float x) { return __builtin_##Name##f(x); }
#define CLINCH_OF_TWO(Name)                                                    \
  CLINCH_DEVICE double Name(double x, double y) {                              \
    return __builtin_##Name(x, y);                                             \
  }                                                                            \
  CLINCH_DEVICE float Name##f(float x, float y) {                              \
    return __builtin_##Name##f(x, y);                                          \
  }                                                                            \
  CLINCH_DEVICE float Name(float x, float y) {                                 \
    return __builtin_##Name##f(x, y);                                          \
  }
CLINCH_OF_ONE(sqrt) CLINCH_OF_ONE(fabs) CLINCH_OF_ONE(floor)
CLINCH_OF_ONE(ceil) CLINCH_OF_ONE(trunc) CLINCH_OF_ONE(rint)
CLINCH_OF_ONE(nearbyint) CLINCH_OF_ONE(round)
CLINCH_OF_TWO(fmin) CLINCH_OF_TWO(fmax) CLINCH_OF_TWO(copysign)
CLINCH_OF_TWO(fmod)
#undef CLINCH_OF_ONE
#undef CLINCH_OF_TWO
CLINCH_DEVICE double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
CLINCH_DEVICE float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
CLINCH_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
CLINCH_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
CLINCH_DEVICE float rsqrtf(float x) { return 1 / sqrtf(x); }
CLINCH_DEVICE float rsqrt(float x) { return rsqrtf(x); }
CLINCH_DEVICE float __expf(float x) { return expf(x); }
CLINCH_DEVICE float __logf(float x) { return logf(x); }
CLINCH_DEVICE float __sinf(float x) { return sinf(x); }
CLINCH_DEVICE float __cosf(float x) { return cosf(x); }
CLINCH_DEVICE float __powf(float x, float y) { return powf(x, y); }
CLINCH_DEVICE float __fdividef(float x, float y) { return x / y; }
CLINCH_DEVICE int abs(int x) { return x < 0 ? -x : x; }
CLINCH_DEVICE long abs(long x) { return x < 0 ? -x : x; }
CLINCH_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
CLINCH_DEVICE float abs(float x) { return fabsf(x); }
CLINCH_DEVICE double abs(double x) { return fabs(x); }
#define CLINCH_EXTREMES(__T)                                                   \
  CLINCH_DEVICE __T min(__T x, __T y) { return y < x ? y : x; }                \
  CLINCH_DEVICE __T max(__T x, __T y) { return x < y ? y : x; }
CLINCH_EXTREMES(int) CLINCH_EXTREMES(unsigned) CLINCH_EXTREMES(long)
CLINCH_EXTREMES(unsigned long) CLINCH_EXTREMES(long long)
CLINCH_EXTREMES(unsigned long long)
#undef CLINCH_EXTREMES
CLINCH_DEVICE float min(float x, float y) { return fminf(x, y); }
CLINCH_DEVICE float max(float x, float y) { return fmaxf(x, y); }
CLINCH_DEVICE double min(double x, double y) { return fmin(x, y); }
CLINCH_DEVICE double max(double x, double y) { return fmax(x, y); }

//===----------------------------------------------------------------------===//
// What the driver has
//===----------------------------------------------------------------------===//

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ __attribute__((noreturn)) void
__assertfail(const char *, const char *, unsigned, const char *, size_t);
CLINCH_DEVICE void __assert_fail(const char *What, const char *File,
                                 unsigned Line, const char *Function) {
  __assertfail(What, File, Line, Function, 1);
}
// The host's is the C library's.
extern "C" __attribute__((noreturn)) void
__assert_fail(const char *, const char *, unsigned, const char *) noexcept(true);
#define assert(e)                                                              \
  ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
