// Kernels, right and wrong. `//# name; grid; block; arguments; what is found`
// stands before each; nothing is found in those that are right.

//# tree right; 1; 256; zeros:int32:256 0;
__global__ void k(int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[0] = s[0];
}

//# tree no barrier; 1; 256; zeros:int32:256 0; race
__global__ void k(int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
  }
  if (t == 0)
    o[0] = s[0];
}

//# tree warp sync right; 1; 32; zeros:int32:256 0;
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 16; d; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncwarp();
  }
  if (t == 0)
    o[0] = s[0];
}

//# warp sync across warps; 1; 64; zeros:int32:256 0; race|no thread has written
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  o[t] = s[63 - t];
}

//# early return right; 1; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = t;
  __syncthreads();
  o[t] = s[n - 1 - t];
}

//# not written; 1; 64; zeros:int32:256 50; no thread has written
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32)
    s[t] = t;
  __syncthreads();
  o[t] = s[t];
}

//# out of bounds global; 5; 64; zeros:int32:256 50; writes 4 bytes at offset 1[0-9]* of argument 1, which has 1024
__global__ void k(int *o, int n) {
  o[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}

//# out of bounds shared; 1; 64; zeros:int32:256 50; reads 4 bytes at offset 256 of shared `s`
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  o[t] = s[t + 1];
}

//# out of bounds negative; 1; 64; zeros:int32:256 50; offset -4 of
__global__ void k(int *o, int n) { o[(int)threadIdx.x - 1] = 1; }

//# divergent loop; 1; 4; zeros:int32:256 50; different barriers
__global__ void k(int *o, int n) {
  for (int i = 0; i < (int)threadIdx.x; i++)
    __syncthreads();
  __syncthreads();
  o[threadIdx.x] = 1;
}

//# if else barrier; 1; 32; zeros:int32:256 50; different barriers|race
__global__ void k(int *o, int n) {
  if (threadIdx.x < 16) {
    o[0] = 1;
    __syncthreads();
  } else {
    __syncthreads();
    o[1] = n;
  }
}

//# shuffle half; 1; 32; zeros:int32:256 50; deadlock
__global__ void k(int *o, int n) {
  int v = threadIdx.x;
  if (v < 16)
    v = __shfl_xor_sync(0xffffffffu, v, 1);
  else
    __syncthreads();
  o[threadIdx.x] = v;
}

//# shuffle right half; 1; 32; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  int v = threadIdx.x;
  if (v < 16)
    v = __shfl_xor_sync(0xffffu, v, 1);
  o[threadIdx.x] = v;
}

//# shuffle wrong mask; 1; 32; zeros:int32:256 50; mask
__global__ void k(int *o, int n) {
  int v = threadIdx.x;
  if (v < 16)
    v = __shfl_xor_sync(0xff00u, v, 1);
  o[threadIdx.x] = v;
}

//# shuffle from absent; 1; 32; zeros:int32:256 50; lane 20
__global__ void k(int *o, int n) {
  int v = threadIdx.x;
  if (v < 16)
    v = __shfl_sync(0xffffu, v, 20);
  o[threadIdx.x] = v;
}

//# global race; 1; 32; zeros:int32:256 50; race
__global__ void k(int *o, int n) { o[0] = threadIdx.x; }

//# global race blocks; 2; 32; zeros:int32:256 50; race.*block
__global__ void k(int *o, int n) {
  if (threadIdx.x == 0)
    o[0] = blockIdx.x;
}

//# same value write; 1; 32; zeros:int32:256 50; race
__global__ void k(int *o, int n) { o[threadIdx.x / 2] = 1; }

//# atomics right; 4; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) { atomicAdd(&o[threadIdx.x % 3], 1); }

//# atomic vs plain; 1; 64; zeros:int32:256 50; race
__global__ void k(int *o, int n) {
  atomicAdd(&o[0], 1);
  if (threadIdx.x == 5)
    o[1] = o[0];
}

//# atomic then barrier right; 1; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  __shared__ int c;
  if (threadIdx.x == 0)
    c = 0;
  __syncthreads();
  atomicAdd(&c, 1);
  __syncthreads();
  if (threadIdx.x == 1)
    o[0] = c;
}

//# shared counter not written; 1; 64; zeros:int32:256 50; no thread has written
__global__ void k(int *o, int n) {
  __shared__ int c;
  atomicAdd(&c, 1);
  __syncthreads();
  if (threadIdx.x == 1)
    o[0] = c;
}

//# last block right; 4; 32; zeros:int32:256 50;
__device__ unsigned count;
__device__ unsigned atomicIncU(unsigned *p) { return atomicAdd(p, 1u); }
__global__ void k(int *o, int n) {
  __shared__ bool last;
  o[1 + blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicIncU(&count) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    int s = 0;
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
      s += o[1 + i];
    atomicAdd(&o[0], s);
  }
}

//# last block no fence; 4; 32; zeros:int32:256 50; race.*block
__device__ unsigned count;
__device__ unsigned atomicIncU(unsigned *p) { return atomicAdd(p, 1u); }
__global__ void k(int *o, int n) {
  __shared__ bool last;
  o[1 + blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;

  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicIncU(&count) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    int s = 0;
    for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
      s += o[1 + i];
    atomicAdd(&o[0], s);
  }
}

//# lock right; 3; 128; zeros:int32:256 50;
__device__ int lock;
__global__ void k(int *o, int n) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    o[0] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

//# lock no fence; 3; 128; zeros:int32:256 50; race
__device__ int lock;
__global__ void k(int *o, int n) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    o[0] += 1;
    atomicExch(&lock, 0);
  }
}

//# lock in one warp; 1; 32; zeros:int32:256 50;
__device__ int lock;
__global__ void k(int *o, int n) {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  __threadfence();
  o[0] += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

//# never unlocked; 1; 4; zeros:int32:256 50; deadlock
__device__ int lock;
__global__ void k(int *o, int n) {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  o[0] += 1;
}

//# char neighbours right; 1; 64; zeros:int8:64 1;
__global__ void k(char *o, int n) {
  __shared__ char s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  o[t] = s[63 - t];
}

//# char race; 1; 64; zeros:int8:64 1; race
__global__ void k(char *o, int n) {
  __shared__ char s[64];
  int t = threadIdx.x;
  s[t / 2] = t;
  __syncthreads();
  o[t] = s[t / 2];
}

//# transpose right; 1; (16,16); ones:float32:256 ones:float32:256;
__global__ void k(float *o, const float *x) {
  __shared__ float s[16][17];
  int x_ = threadIdx.x, y = threadIdx.y;
  s[y][x_] = x[y * 16 + x_];
  __syncthreads();
  o[y * 16 + x_] = s[x_][y];
}

//# stencil no second barrier; 1; 64; zeros:int32:256 50; race
__global__ void k(int *o, int n) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = t;
  if (t == 0) {
    s[0] = 0;
    s[65] = 0;
  }
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    int v = s[t] + s[t + 2];
    s[t + 1] = v;
    __syncthreads();
  }
  o[t] = s[t + 1];
}

//# stencil right; 1; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  __shared__ int s[66];
  int t = threadIdx.x;
  s[t + 1] = t;
  if (t == 0) {
    s[0] = 0;
    s[65] = 0;
  }
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    int v = s[t] + s[t + 2];
    __syncthreads();
    s[t + 1] = v;
    __syncthreads();
  }
  o[t] = s[t + 1];
}

//# conditional load right; 1; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    s[0] = 5;
  int v = 0;
  if (t == 0)
    v = s[0];
  o[t] = v;
}

//# scan right; 1; 64; zeros:int32:256 50;
__global__ void k(int *o, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x, p = 0;
  s[0][t] = 1;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    p = 1 - p;
    s[p][t] = s[1 - p][t] + (t >= d ? s[1 - p][t - d] : 0);
    __syncthreads();
  }
  o[t] = s[p][t];
}

//# local array right; 1; 64; zeros:int32:256 3;
__global__ void k(int *o, int n) {
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = i * threadIdx.x;
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += a[(i * n) & 7];
  o[threadIdx.x] = s;
}

//# volatile flag right; 1; 64; zeros:int32:256 3;
__global__ void k(int *o, int n) {
  __shared__ int d;
  __shared__ volatile int f;
  if (threadIdx.x == 0)
    f = 0;
  __syncthreads();
  if (threadIdx.x == 33) {
    d = 7;
    __threadfence();
    f = 1;
  }
  if (threadIdx.x == 0) {
    while (f == 0)
      ;
    __threadfence();
    o[0] = d;
  }
}

//# volatile flag no fence; 1; 64; zeros:int32:256 3; race
__global__ void k(int *o, int n) {
  __shared__ int d;
  __shared__ volatile int f;
  if (threadIdx.x == 0)
    f = 0;
  __syncthreads();
  if (threadIdx.x == 33) {
    d = 7;
    f = 1;
  }
  if (threadIdx.x == 0) {
    while (f == 0)
      ;
    o[0] = d;
  }
}

//# double atomics right; 2; 64; zeros:float64:4 3;
__global__ void k(double *o, int n) {
  atomicAdd(&o[0], 1.0);
  atomicMax((int *)&o[1], (int)threadIdx.x);
}

//# recursion deep; 1; 1; zeros:int32:256 100000; no stack left
__device__ __attribute__((noinline)) int r(int n, volatile int *p) {
  int a[64];
  for (int i = 0; i < 64; i++)
    a[i] = *p;
  return n ? r(n - 1, p) + a[n & 63] : 0;
}
__global__ void k(int *o, int n) { o[0] = r(n, o); }

//# local arrays of 512 KB right; 1; 4; zeros:int32:256 3;
__global__ void k(int *o, int n) {
  volatile char b[524000];
  b[n] = 1;
  b[523999] = 2;
  o[threadIdx.x] = b[n] + b[523999];
}

//# null function pointer; 1; 1; zeros:int32:256 50; thread \(0, 0, 0\) of block \(0, 0, 0\) calls a null function pointer
__device__ int (*f)(int);
__global__ void k(int *o, int n) { o[0] = f(n); }

//# wild function pointer; 1; 4; zeros:int32:256 50; calls what is no function of the program
__global__ void k(int *o, int n) { o[0] = ((int (*)(long))(long)n)(n); }

//# function pointer right; 1; 4; zeros:int32:256 1;
__device__ int a(int n) { return n; }
__device__ int b(int n) { return 2 * n; }
__device__ int (*const f[])(int) = {a, b};
__global__ void k(int *o, int n) { o[threadIdx.x] = f[n & o[threadIdx.x] + 1](n); }

//# misaligned; 1; 2; zeros:int32:256 1; writes 4 bytes at offset 1 of argument 1, which is misaligned: a device needs a multiple of 4
__global__ void k(int *o, int n) {
  char *c = (char *)o;
  *(int *)(c + n) = 5;
}

//# misaligned read; 1; 2; zeros:int8:256 8; reads 4 bytes at offset 8 of argument 1, which is misaligned: a device needs a multiple of 16
__global__ void k(char *o, int n) {
  float4 v = *(const float4 *)(o + n);
  o[100] = v.x + v.y + v.z + v.w;
}

//# packed right; 1; 1; zeros:int8:256 1;
struct __attribute__((packed)) packed { char c; int i; };
__global__ void k(char *o, int n) { ((packed *)o)[n].i = 5; }

//# write to constant; 1; 1; zeros:int32:256 1; writes 4 bytes of `c`, which is read-only
__constant__ int c[4] = {1, 2, 3, 4};
__global__ void k(int *o, int n) {
  ((int *)c)[n] = 9;
  o[0] = c[n];
}

//# write to const; 1; 1; zeros:int32:256 1; writes 4 bytes of `c`, which is read-only
__device__ const int c[4] = {1, 2, 3, 4};
__global__ void k(int *o, int n) {
  ((int *)c)[n] = 9;
  o[0] = c[n] + c[n + 1];
}

//# above its own stack; 1; 2; zeros:int32:256 600; writes 4 bytes where nothing is
__device__ __attribute__((noinline)) void w(int *p, int n) { p[n] = 1; }
__global__ void k(int *o, int n) {
  int b[4] = {};
  w(b, threadIdx.x ? 0 : n);
  o[threadIdx.x] = b[0];
}
