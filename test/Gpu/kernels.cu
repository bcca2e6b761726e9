// Kernels that are right, for a device and the simulator to agree on.

struct Pair {
  float a;
  double b;
};

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void elementwise(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = exp(x[i]) + tanh(x[i]);
}

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void reduce(const double *x, double *y, int n) {
  __shared__ double part[8];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += x[i];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i)
      sum += part[i];
    y[blockIdx.x] = sum;
  }
}

__global__ void histogram(const unsigned *x, unsigned *bins, int n) {
  __shared__ unsigned mine[64];
  if (threadIdx.x < 64)
    mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&mine[x[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

extern __shared__ float scratch[];
__global__ void dynamic(const float *x, float *y) {
  int t = threadIdx.x;
  scratch[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = scratch[blockDim.x - 1 - t] * 3.0f + 1.0f;
}

__global__ void by_value(Pair p, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * p.b + p.a;
}

__constant__ int weights[4] = {3, -5, 7, 11};
__global__ void constants(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * weights[i % 4] + weights[x[i] & 3];
}

__global__ void votes(const int *x, unsigned *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned odd = __ballot_sync(~0u, x[i] & 1);
  int any = __any_sync(~0u, x[i] > 900), all = __all_sync(~0u, x[i] < 1000);
  int count = __syncthreads_count(x[i] % 3 == 0);
  int both = __syncthreads_and(x[i] >= 0) + 2 * __syncthreads_or(x[i] == 5);
  y[i] = odd ^ (any << 8) ^ (all << 9) ^ (count << 12) ^ both;
}

__global__ void shuffles(const unsigned long long *x, unsigned long long *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v = x[i];
  v += __shfl_up_sync(~0u, v, 3);
  v ^= __shfl_xor_sync(~0u, v, 5, 16);
  v += __shfl_sync(~0u, v, 7, 8);
  y[i] = v - __shfl_down_sync(~0u, v, 2, 4);
}

__global__ void integers(const int *x, const int *y, long long *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = x[i], b = y[i] ? y[i] : 1;
  long long wide = (long long)a * b;
  unsigned u = a;
  z[i] = a / b + a % b + __popc(u) * 3 + __clz(a) * 5 + __ffs(a) * 7 +
         __brev(u) + __popcll(wide) + __clzll(wide) + __ffsll(wide) +
         (long long)(__brevll(wide) >> 3) + wide / (b | 1) + (a >> (b & 31)) +
         (u >> (b & 31)) + min(a, b) * 2 + max(u, (unsigned)b) + abs(a);
}

__global__ void conversions(const float *x, const double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = x[i];
  double d = y[i];
  z[i] = (float)d + (double)(int)f + (double)(long long)d +
         (unsigned)(f < 0 ? -f : f) + (float)(i * 16777217LL) + rint(d) +
         floor(f) + ceil(d) + trunc(f) + round(d) + fma(d, d, (double)f) +
         sqrt(d < 0 ? -d : d) + sqrtf(f < 0 ? -f : f) + f / 3.0f + d / 7.0 +
         rsqrt(d * d + 1) + fmin(d, 2.5) + fmaxf(f, -1.5f) + copysign(d, -1.0);
}

__global__ void atomics(const int *x, int *y, unsigned long long *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[0], x[i]);
  atomicSub(&y[1], x[i]);
  atomicMin(&y[2], x[i]);
  atomicMax(&y[3], x[i]);
  atomicAnd(&y[4], ~(1 << (x[i] & 15)));
  atomicOr(&y[5], 1 << (x[i] & 15));
  atomicXor(&y[6], x[i]);
  atomicAdd(z, (unsigned long long)x[i] << 20);
}

__global__ void vectors(const float4 *x, float4 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];
  y[i] = make_float4(v.w + v.x, v.y * v.z, v.x - v.y, v.w / (v.z * v.z + 1));
}

__global__ void says(int n) {
  if (threadIdx.x == 3)
    printf("thread %d of %d, %.3f %s\n", (int)threadIdx.x, n, 1.5, "text");
}
