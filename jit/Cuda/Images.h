// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What objects have for a device.

#pragma once

#include "Driver.h"
#include "jit/Simulate/SimulatedCode.h"

#include <map>
#include <memory>

namespace clinch::cuda {

/// What one object has for devices: PTX, or a simulated program.
struct Image {
  const char *PTX = nullptr;
  const simulate::Program *Simulated = nullptr;
  /// By the addresses of their stubs: the names in the PTX.
  std::map<const void *, std::string> Kernels;

  /// What it is in one context.
  struct Loaded {
    CurrentContext Where;
    LoadedImage Module;
  };
  std::map<uint64_t, Loaded> In; ///< By the context's number.
};

/// A kernel.
struct Named {
  std::shared_ptr<Image> Of;
  std::string Symbol;

  explicit operator bool() const { return Of != nullptr; }
};
Named findKernel(const void *Stub);

/// Returns the image in the current context, which the driver loads at the
/// first call; null, with a problem, if it cannot.
LoadedImage loadedIn(const Driver &D, Image &I, const CurrentContext &C);

/// \name What objects call when they are loaded and freed.
/// @{
void **registerImage(const void *Wrapper);
void **registerProgram(const simulate::Program *P);
void registerKernel(void **Handle, const void *Stub, char *, const char *Symbol,
                    int, void *, void *, void *, void *, int *);
void registerVariable(void **Handle, const void *Shadow, char *,
                      const char *Symbol, int, size_t, int, int);
void registered(void **Handle);
void unregister(void **Handle);
/// @}

} // namespace clinch::cuda
