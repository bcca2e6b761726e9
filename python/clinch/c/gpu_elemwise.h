/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GPU_ELEMWISE
#define CLINCH_GPU_ELEMWISE

/* How the arrays of an elementwise kernel stand, broadcast to one shape. */
struct clinch_gpu_items {
  Py_ssize_t size, shape[8];
  int ndim;
  bool is_plain; /* Items stand one after another, or there is one. */
  Py_ssize_t steps[16];
  Py_ssize_t strides[16][8];

  /* Where item `n` of an input is, in bytes. */
  __host__ __device__ Py_ssize_t at(int input, Py_ssize_t n) const {
    if (is_plain)
      return n * steps[input];
    Py_ssize_t place = 0;
    for (int i = ndim - 1; i >= 0; n /= shape[i--])
      place += n % shape[i] * strides[input][i];
    return place;
  }

  unsigned blocks() const {
    const Py_ssize_t wanted = (size + 255) / 256;
    return (unsigned)(wanted < 65536 ? wanted : 65536);
  }

  /* Returns -1 with an exception if the shapes do not fit. What other streams
     do for the arrays is waited for. */
  int find(const clinch_gpu_array **given, int count, int most) {
    ndim = most;
    for (int i = 0; i < ndim; ++i)
      shape[i] = 1;
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < given[k]->ndim; ++i) {
        Py_ssize_t &wanted = shape[ndim - given[k]->ndim + i];
        const Py_ssize_t length = given[k]->shape[i];
        if (wanted != 1 && length != 1 && wanted != length) {
          PyErr_Format(PyExc_ValueError,
                       "arrays of lengths %zd and %zd cannot be broadcast "
                       "in dimension %d",
                       wanted, length, ndim - given[k]->ndim + i);
          return -1;
        }
        if (length != 1)
          wanted = length;
      }
    size = 1;
    for (int i = 0; i < ndim; ++i)
      size *= shape[i];
    is_plain = true;
    for (int k = 0; k < count; ++k)
      take(*given[k], k);
    return 0;
  }

private:
  void take(const clinch_gpu_array &a, int k) {
    const Py_ssize_t own = clinch_gpu_size(&a);
    steps[k] = own == 1 ? 0 : atoi(a.typestr + 2);
    is_plain &= own == 1 || (own == size && clinch_gpu_is_contiguous(&a));
    for (int i = 0; i < ndim; ++i) {
      const int mine = i - (ndim - a.ndim);
      strides[k][i] = mine < 0 || a.shape[mine] == 1 ? 0 : a.strides[mine];
    }
    if ((size_t)a.stream > 2) /* Not one of those that wait for each other. */
      cudaStreamSynchronize((cudaStream_t)a.stream);
  }
};

__device__ static inline Py_ssize_t clinch_gpu_first() {
  return blockIdx.x * (Py_ssize_t)blockDim.x + threadIdx.x;
}
__device__ static inline Py_ssize_t clinch_gpu_step() {
  return gridDim.x * (Py_ssize_t)blockDim.x;
}

#endif
