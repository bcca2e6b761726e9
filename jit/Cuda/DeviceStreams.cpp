// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams by NVIDIA's driver.

#include "Calls.h"
#include "Streams.h"

using namespace clinch;
using namespace clinch::cuda;

namespace {
Code create(void **Made) {
  *Made = nullptr;
  return call("cudaStreamCreate", &Driver::cuStreamCreate,
              reinterpret_cast<Stream *>(Made), 0U);
}

Code destroy(void *Handle) {
  return call("cudaStreamDestroy", &Driver::cuStreamDestroy,
              static_cast<Stream>(Handle));
}

Code synchronize(void *Handle) {
  return call("cudaStreamSynchronize", &Driver::cuStreamSynchronize,
              static_cast<Stream>(Handle));
}

Code createEvent(void **Made) {
  *Made = nullptr;
  return call("cudaEventCreate", &Driver::cuEventCreate,
              reinterpret_cast<Event *>(Made), 0U);
}

Code destroyEvent(void *Handle) {
  return call("cudaEventDestroy", &Driver::cuEventDestroy,
              static_cast<Event>(Handle));
}

Code record(void *Handle, void *Of) {
  return call("cudaEventRecord", &Driver::cuEventRecord,
              static_cast<Event>(Handle), static_cast<Stream>(Of));
}

Code synchronizeEvent(void *Handle) {
  return call("cudaEventSynchronize", &Driver::cuEventSynchronize,
              static_cast<Event>(Handle));
}

Code elapsed(float *Milliseconds, void *From, void *To) {
  return call("cudaEventElapsedTime", &Driver::cuEventElapsedTime, Milliseconds,
              static_cast<Event>(From), static_cast<Event>(To));
}
} // namespace

const Streams cuda::StreamsOnDevice = {
    create,       destroy, synchronize,      createEvent,
    destroyEvent, record,  synchronizeEvent, elapsed};
