// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of errors and of functions.

#include "State.h"

#include <dlfcn.h>

using namespace gpu;

namespace {
struct Named {
  Result Number;
  const char *Name, *Text;
};
} // namespace

constexpr Named Known[] = {
    {Success, "CUDA_SUCCESS", "no error"},
    {InvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {InvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {InvalidImage, "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {InvalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {InvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {ContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED",
     "context is destroyed"},
    {Assertion, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NotSupported, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};

static Result nameOf(Result Number, const char *Named::*Part,
                     const char **Found) {
  for (const Named &Each : Known)
    if (Each.Number == Number) {
      *Found = Each.*Part;
      return Success;
    }
  *Found = nullptr;
  return InvalidValue;
}

extern "C" {

Result cuGetErrorName(Result Number, const char **Name) {
  return nameOf(Number, &Named::Name, Name);
}
Result cuGetErrorString(Result Number, const char **Text) {
  return nameOf(Number, &Named::Text, Text);
}

/// The newest form of a function stands for all: those who ask here know it.
Result cuGetProcAddress_v2(const char *Name, void **Found, int, uint64_t,
                           int *Status) {
  Dl_info Us;
  void *Self = nullptr;
  if (dladdr(reinterpret_cast<void *>(&cuGetErrorName), &Us))
    Self = dlopen(Us.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  *Found = nullptr;
  for (const char *Suffix : {"_v3", "_v2", ""})
    if (Self && !*Found)
      *Found = dlsym(Self, (std::string(Name) + Suffix).c_str());
  if (Status)
    *Status = *Found ? 0 : 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *Found ? Success : NotFound;
}

/// NVIDIA's own libraries ask for tables that are not public.
Result cuGetExportTable(const void **Table, const void *) {
  *Table = nullptr;
  return NotFound;
}

Result cuGetProcAddress(const char *Name, void **Found, int Version,
                        uint64_t Flags) {
  return cuGetProcAddress_v2(Name, Found, Version, Flags, nullptr);
}

} // extern "C"
