/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GPU_REDUCE
#define CLINCH_GPU_REDUCE

/* Items in the order of C, with any strides. */
struct clinch_gpu_walk {
  int ndim;
  Py_ssize_t shape[8], strides[8];

  /* Adds a dimension inside the others. */
  void add(Py_ssize_t length, Py_ssize_t stride) {
    if (length == 1)
      return;
    if (!ndim || strides[ndim - 1] != length * stride)
      shape[ndim++] = 1;
    shape[ndim - 1] *= length;
    strides[ndim - 1] = stride;
  }

  /* Where item `n` is, in bytes. */
  __host__ __device__ Py_ssize_t at(Py_ssize_t n) const {
    Py_ssize_t place = 0;
    for (int i = ndim - 1; i > 0; n /= shape[i--])
      place += n % shape[i] * strides[i];
    return ndim ? place + n * strides[0] : 0;
  }
};

/* How a reduction is dealt to threads. That depends on the shape and the axes
   alone, and so does the order in which items are added.

   Blocks have 256 threads. `lanes` of them reduce `length` items, each every
   item that is `lanes` after the last; then lane i takes in lane i + lanes / 2,
   and so on with half of them. Where there are more items, another kernel
   reduces the `chunks`. */
struct clinch_gpu_sums {
  clinch_gpu_walk kept, along;
  Py_ssize_t size, count; /* Results, and items of each. */
  Py_ssize_t total;       /* What a mean is divided by. */
  Py_ssize_t length, chunks;
  int lanes;

  unsigned blocks() const {
    const int width = 256 / lanes;
    const Py_ssize_t wanted = (size + width - 1) / width * chunks;
    return (unsigned)(wanted < 65536 ? wanted : 65536);
  }

  /* Deals `a` and finds the shape of the result. What another stream does for
     the array is waited for. */
  void find(const clinch_gpu_array &a, unsigned axes, bool keeps,
            Py_ssize_t *result) {
    kept.ndim = along.ndim = 0;
    size = count = 1;
    for (int i = 0; i < a.ndim; ++i) {
      const bool is_along = axes >> i & 1;
      (is_along ? along : kept).add(a.shape[i], a.strides[i]);
      (is_along ? count : size) *= a.shape[i];
      if (!is_along || keeps)
        *result++ = is_along ? 1 : a.shape[i];
    }
    total = count;
    /* Threads side by side read items side by side. */
    deal(a.ndim && axes >> (a.ndim - 1) & 1 ? 256 : 8);
    chunks = count ? (count + length - 1) / length : 1;
    if ((size_t)a.stream > 2) /* Not one of those that wait for each other. */
      cudaStreamSynchronize((cudaStream_t)a.stream);
  }

  /* Returns what reduces the chunks, which stand one after another. */
  clinch_gpu_sums rest(Py_ssize_t item) const {
    clinch_gpu_sums rest = *this;
    rest.kept.ndim = rest.along.ndim = 0;
    rest.kept.add(size, chunks * item);
    rest.along.add(chunks, item);
    rest.count = chunks;
    rest.deal(256);
    rest.length = chunks;
    rest.chunks = 1;
    return rest;
  }

private:
  void deal(int most) {
    for (lanes = 1; lanes < most && lanes < count;)
      lanes *= 2;
    length = 64 * lanes;
  }
};

/* The body of a kernel: reduces items of a type with Of::step. */
template <class Of, class Item>
__device__ void clinch_gpu_reduce(const clinch_gpu_sums &it, const char *from,
                                  typename Of::Acc *to,
                                  typename Of::Acc empty) {
  __shared__ typename Of::Acc held[256];
  const int width = 256 / it.lanes, self = (int)threadIdx.x;
  const int lane = self / width;
  const Py_ssize_t tasks = (it.size + width - 1) / width * it.chunks;
  for (Py_ssize_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const Py_ssize_t n = task / it.chunks * width + self % width;
    const Py_ssize_t first = task % it.chunks * it.length + lane;
    const Py_ssize_t stop = first - lane + it.length;
    const Py_ssize_t end = stop < it.count ? stop : it.count;
    typename Of::Acc sum = empty;
    if (n < it.size && first < end) {
      const char *own = from + it.kept.at(n);
      sum = Of::cast(*(const Item *)(own + it.along.at(first)));
      for (Py_ssize_t i = first + it.lanes; i < end; i += it.lanes)
        sum = Of::step(sum, Of::cast(*(const Item *)(own + it.along.at(i))));
    }
    held[self] = sum;
    for (int half = it.lanes / 2; half; half /= 2) {
      __syncthreads();
      if (lane < half && first + half < end)
        held[self] = Of::step(held[self], held[self + half * width]);
    }
    if (!lane && n < it.size)
      to[n * it.chunks + task % it.chunks] =
          it.chunks == 1 ? Of::finish(held[self], it.total) : held[self];
    __syncthreads();
  }
}

#endif
