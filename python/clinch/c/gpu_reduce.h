/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef CLINCH_GPU_REDUCE
#define CLINCH_GPU_REDUCE

/* Items of `N` arrays in the order of C, with any strides. */
template <int N> struct clinch_gpu_walk {
  int ndim;
  Py_ssize_t shape[8], strides[8][N];

  /* Adds a dimension inside the others. */
  void add(Py_ssize_t length, const Py_ssize_t *own) {
    if (length == 1)
      return;
    bool joins = ndim;
    for (int k = 0; joins && k < N; ++k)
      joins = strides[ndim - 1][k] == length * own[k];
    if (!joins)
      shape[ndim++] = 1;
    shape[ndim - 1] *= length;
    for (int k = 0; k < N; ++k)
      strides[ndim - 1][k] = own[k];
  }

  /* Adds to `place` where item `n` of each array is, in bytes. */
  __host__ __device__ void move(Py_ssize_t n, Py_ssize_t *place) const {
    for (int i = ndim - 1; i > 0; n /= shape[i--])
      for (int k = 0; k < N; ++k)
        place[k] += n % shape[i] * strides[i][k];
    for (int k = 0; ndim && k < N; ++k)
      place[k] += n * strides[0][k];
  }
};

/* How a reduction is dealt to threads. That depends on the shape and the axes
   alone, and so does the order in which items are added.

   Blocks have 256 threads. `lanes` of them reduce `length` items, each every
   item that is `lanes` after the last; then lane i takes in lane i + lanes / 2,
   and so on with half of them. Where there are more items, another kernel
   reduces the `chunks`. */
template <int N> struct clinch_gpu_sums {
  clinch_gpu_walk<N> kept, along;
  Py_ssize_t size, count; /* Results, and items of each. */
  Py_ssize_t total;       /* What a mean is divided by. */
  Py_ssize_t length, chunks;
  int lanes;

  unsigned blocks() const {
    const int width = 256 / lanes;
    const Py_ssize_t wanted = (size + width - 1) / width * chunks;
    return (unsigned)(wanted < 65536 ? wanted : 65536);
  }

  /* Deals what arrays are broadcast to, and finds the shape of the result. */
  void find(const clinch_gpu_items &all, unsigned axes, bool keeps,
            Py_ssize_t *result) {
    kept.ndim = along.ndim = 0;
    size = count = 1;
    for (int i = 0; i < all.ndim; ++i) {
      const bool is_along = axes >> i & 1;
      Py_ssize_t own[N];
      for (int k = 0; k < N; ++k)
        own[k] = all.strides[k][i];
      (is_along ? along : kept).add(all.shape[i], own);
      (is_along ? count : size) *= all.shape[i];
      if (!is_along || keeps)
        *result++ = is_along ? 1 : all.shape[i];
    }
    total = count;
    /* Threads side by side read items side by side. */
    deal(all.ndim && axes >> (all.ndim - 1) & 1 ? 256 : 8);
    chunks = count ? (count + length - 1) / length : 1;
  }

  /* Finds how many threads reduce one result, at most so many. */
  void deal(int most) {
    for (lanes = 1; lanes < most && lanes < count;)
      lanes *= 2;
    length = 64 * lanes;
  }

  /* Returns what reduces the chunks, which stand one after another. */
  clinch_gpu_sums<1> rest(Py_ssize_t item) const {
    clinch_gpu_sums<1> rest;
    const Py_ssize_t result = chunks * item;
    rest.size = size;
    rest.total = total;
    rest.kept.ndim = rest.along.ndim = 0;
    rest.kept.add(size, &result);
    rest.along.add(chunks, &item);
    rest.count = chunks;
    rest.deal(256);
    rest.length = chunks;
    rest.chunks = 1;
    return rest;
  }
};

/* Reduces every item that is `lanes` after the last, of those that stand `step`
   bytes from each other. */
template <class Of, int N, class Item>
__device__ typename Of::Acc
clinch_gpu_line(const Py_ssize_t (&own)[N], const Py_ssize_t (&step)[N],
                Item item, Py_ssize_t first, Py_ssize_t end, int lanes) {
  const auto at = [&](Py_ssize_t i) {
    Py_ssize_t place[N];
    for (int k = 0; k < N; ++k)
      place[k] = own[k] + i * step[k];
    return item(place);
  };
  typename Of::Acc sum = at(first);
  Py_ssize_t i = first + lanes;
  /* Nine at once are on their way from memory: 63 follow in a whole chunk. */
  for (typename Of::Acc items[9]; i + 8 * lanes < end; i += 9 * lanes) {
#pragma unroll
    for (int k = 0; k < 9; ++k)
      items[k] = at(i + k * lanes);
#pragma unroll
    for (int k = 0; k < 9; ++k)
      sum = Of::step(sum, items[k]);
  }
  for (; i < end; i += lanes)
    sum = Of::step(sum, at(i));
  return sum;
}

/* The body of a kernel: reduces with Of::step what `item` makes of places. */
template <class Of, int N, class Item>
__device__ void clinch_gpu_reduce(const clinch_gpu_sums<N> &it, Item item,
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
      Py_ssize_t own[N] = {};
      it.kept.move(n, own);
      if (it.along.ndim < 2) {
        Py_ssize_t step[N];
        for (int k = 0; k < N; ++k)
          step[k] = it.along.ndim ? it.along.strides[0][k] : 0;
        sum = clinch_gpu_line<Of>(own, step, item, first, end, it.lanes);
      } else {
        const auto at = [&](Py_ssize_t i) {
          Py_ssize_t place[N];
          for (int k = 0; k < N; ++k)
            place[k] = own[k];
          it.along.move(i, place);
          return item(place);
        };
        sum = at(first);
        for (Py_ssize_t i = first + it.lanes; i < end; i += it.lanes)
          sum = Of::step(sum, at(i));
      }
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
