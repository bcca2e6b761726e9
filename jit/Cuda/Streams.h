// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of host code.

#pragma once

#include "Problems.h"

namespace clinch::cuda {

/// The functions of CUDA's runtime for streams and events. Each returns 0, or
/// the number of a problem that it has noted.
struct Streams {
  Code (*Create)(void **Made);
  Code (*Destroy)(void *Stream);
  Code (*Synchronize)(void *Stream);
  Code (*CreateEvent)(void **Made);
  Code (*DestroyEvent)(void *Event);
  Code (*Record)(void *Event, void *Stream);
  Code (*SynchronizeEvent)(void *Event);
  Code (*Elapsed)(float *Milliseconds, void *From, void *To);
};
/// Simulated streams run all at once.
extern const Streams StreamsOnDevice, SimulatedStreams;

} // namespace clinch::cuda
