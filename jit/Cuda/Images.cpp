// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What objects have for a device.

#include "Images.h"

#include "lib/Support/Forks.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace clinch;
using namespace clinch::cuda;

namespace {
using Images = std::vector<std::shared_ptr<Image>>;
constinit ForProcess<Images> All;

Images &images() {
  return All.get([] { return new Images; });
}
} // namespace

static void **add(std::shared_ptr<Image> I) {
  Images &Known = images();
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  Known.push_back(std::move(I));
  return reinterpret_cast<void **>(Known.back().get());
}

void **cuda::registerImage(const void *Wrapper) {
  // A number, a version, the image, which is PTX that ends in a NUL.
  struct Wrapped {
    int Magic, Version;
    const char *PTX;
  };
  auto I = std::make_shared<Image>();
  I->PTX = static_cast<const Wrapped *>(Wrapper)->PTX;
  return add(std::move(I));
}

void **cuda::registerProgram(const simulate::Program *P) {
  auto I = std::make_shared<Image>();
  I->Simulated = P;
  return add(std::move(I));
}

void cuda::registerKernel(void **Handle, const void *Stub, char *,
                          const char *Symbol, int, void *, void *, void *,
                          void *, int *) {
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  reinterpret_cast<Image *>(Handle)->Kernels.emplace(Stub, Symbol);
}

void cuda::registerVariable(void **, const void *, char *, const char *, int,
                            size_t, int, int) {}

void cuda::registered(void **) {}

/// Makes the context of the module current while it is unloaded. With a context
/// that has died it went away.
static void unload(const Driver &D, const Image::Loaded &L) {
  Context Before = nullptr;
  if (!isAlive(D, L.Where) || D.cuCtxGetCurrent(&Before) != Success ||
      D.cuCtxSetCurrent(L.Where.Which) != Success)
    return;
  D.cuModuleUnload(L.Module);
  D.cuCtxSetCurrent(Before);
}

void cuda::unregister(void **Handle) {
  std::shared_ptr<Image> Gone;
  {
    Images &Known = images();
    LockGuard Guard(lockOf(ProcessLock::DeviceCode));
    auto At = std::find_if(Known.begin(), Known.end(), [&](const auto &I) {
      return I.get() == reinterpret_cast<Image *>(Handle);
    });
    if (At == Known.end())
      return;
    Gone = std::move(*At);
    Known.erase(At);
  }
  if (const Driver *D = knownDriver())
    for (const auto &[Id, L] : Gone->In)
      unload(*D, L);
}

Named cuda::findKernel(const void *Stub) {
  Images &Known = images();
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  for (const std::shared_ptr<Image> &I : Known)
    if (auto At = I->Kernels.find(Stub); At != I->Kernels.end())
      return {I, At->second};
  return {};
}

/// Returns null, with a problem, if the driver refuses the image.
static LoadedImage load(const Driver &D, const Image &I) {
  std::array<char, 4096> Log{};
  int Options[] = {5, 6}; // Where errors are written, and how long they may be.
  void *Values[] = {Log.data(), reinterpret_cast<void *>(Log.size())};
  LoadedImage M = nullptr;
  const Code Number =
      D.cuModuleLoadDataEx(&M, I.PTX, std::size(Options), Options, Values);
  if (!Number)
    return M;
  std::string Message = std::string("NVIDIA's driver refuses the kernels: ") +
                        meaningOf(Number) + " (" + std::to_string(Number) + ")";
  if (Number == UnsupportedPTX) {
    int Version = 0;
    D.cuDriverGetVersion(&Version);
    Message += "; it is of CUDA " + std::to_string(Version / 1000) + "." +
               std::to_string(Version % 1000 / 10) +
               ", and compiling for an older device may help";
  }
  if (Log.front())
    Message += std::string(": ") + Log.data();
  note(Number, Message + ".");
  return nullptr;
}

LoadedImage cuda::loadedIn(const Driver &D, Image &I, const CurrentContext &C) {
  {
    LockGuard Guard(lockOf(ProcessLock::DeviceCode));
    if (auto At = I.In.find(C.Id); At != I.In.end())
      return At->second.Module;
  }
  LoadedImage Mine = load(D, I);
  if (!Mine)
    return nullptr;
  LoadedImage Known = nullptr;
  {
    LockGuard Guard(lockOf(ProcessLock::DeviceCode));
    Known = I.In.try_emplace(C.Id, Image::Loaded{C, Mine}).first->second.Module;
  }
  if (Known != Mine) // Another thread was as fast.
    D.cuModuleUnload(Mine);
  return Known;
}
