#include <cstdio>
__global__ void k(int *x, int n) {
  x[n] = 7;
}
int main(int argc, char **) {
  int *x, y;
  cudaMalloc(&x, sizeof *x);
  k<<<1, 1>>>(x, argc - 1);
  cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost);
  std::printf("%d\n", y);
}
