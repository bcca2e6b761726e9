// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's driver, and what goes wrong in it.

#include "Driver.h"

#include <atomic>
#include <dlfcn.h>
#include <memory>
#include <utility>

using namespace clinch;
using namespace clinch::cuda;

static constinit std::atomic<const Driver *> Found{nullptr};

const Driver *cuda::knownDriver() { return Found; }

/// Fills the table. Returns the name of a function that the library lacks, or
/// null.
static const char *fill(Driver &D, void *Library) {
#define CLINCH_CUDA_FIND(Symbol, Name, ...)                                    \
  D.Name = reinterpret_cast<decltype(D.Name)>(dlsym(Library, #Symbol));        \
  if (!D.Name)                                                                 \
    return #Symbol;
  CLINCH_CUDA_FUNCTIONS(CLINCH_CUDA_FIND)
#undef CLINCH_CUDA_FIND
  D.cuCtxGetId =
      reinterpret_cast<decltype(D.cuCtxGetId)>(dlsym(Library, "cuCtxGetId"));
  return nullptr;
}

/// What the driver says of an error.
static std::string said(const Driver &D, Code Number) {
  const char *Text = nullptr;
  D.cuGetErrorString(Number, &Text);
  return (Text ? Text : "unknown error") + std::string(" (") +
         std::to_string(Number) + ")";
}

const Driver *cuda::driver() {
  if (const Driver *Known = Found)
    return Known;
  // Kept for ever, like libc.
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    note(InsufficientDriver,
         std::string("There is no driver of NVIDIA's here: ") +
             (Why ? Why : "libcuda.so.1 cannot be loaded") + ".");
    return nullptr;
  }
  auto Made = std::make_unique<Driver>();
  if (const char *Missing = fill(*Made, Library)) {
    note(InsufficientDriver,
         std::string("NVIDIA's driver is too old: it has no `") + Missing +
             "`.");
    return nullptr;
  }
  if (const Code Number = Made->cuInit(0)) {
    note(Number,
         "NVIDIA's driver does not start: " + said(*Made, Number) + ".");
    return nullptr;
  }
  const Driver *Expected = nullptr;
  if (Found.compare_exchange_strong(Expected, Made.get()))
    return Made.release();
  return Expected;
}

static uint64_t idOf(const Driver &D, Context C) {
  unsigned long long Id = 0;
  if (D.cuCtxGetId && D.cuCtxGetId(C, &Id) == Success)
    return Id;
  return D.cuCtxGetId ? 0 : reinterpret_cast<uintptr_t>(C);
}

std::optional<CurrentContext> cuda::currentContext(const Driver &D) {
  Context C = nullptr;
  DeviceNumber First = 0;
  Code Number = D.cuCtxGetCurrent(&C);
  if (!Number && !C) {
    Number = D.cuDeviceGet(&First, 0);
    if (!Number)
      Number = D.cuDevicePrimaryCtxRetain(&C, First);
    if (!Number)
      Number = D.cuCtxSetCurrent(C);
  }
  if (!Number)
    return CurrentContext{C, idOf(D, C)};
  note(Number, "The first device cannot be used: " + said(D, Number) + ".");
  return std::nullopt;
}

bool cuda::isAlive(const Driver &D, const CurrentContext &C) {
  return idOf(D, C.Which) == C.Id;
}

std::string cuda::firstDevice() {
  const Driver *D = driver();
  DeviceNumber First = 0;
  int Major = 0, Minor = 0;
  constexpr int MajorOf = 75, MinorOf = 76;
  const bool IsKnown = D && !D->cuDeviceGet(&First, 0) &&
                       !D->cuDeviceGetAttribute(&Major, MajorOf, First) &&
                       !D->cuDeviceGetAttribute(&Minor, MinorOf, First);
  if (!D)
    takeProblem(); // That there is none is the answer.
  return IsKnown ? "sm_" + std::to_string(Major) + std::to_string(Minor) : "";
}

static thread_local std::unique_ptr<Problem> Last;

Code cuda::note(Code Number, Error What) {
  Last = std::make_unique<Problem>(Problem{Number, std::move(What)});
  return Number;
}

Code cuda::note(Code Number, const std::string &Message,
                const std::string &Origin, unsigned Line) {
  Diagnostic D;
  D.Origin = Origin;
  D.Line = Line;
  D.Level = Diagnostic::Severity::Note;
  D.Message = "it is launched here";
  Error What(Error::Kind::Host, Message);
  if (Line)
    What.diagnostics().push_back(std::move(D));
  return note(Number, std::move(What));
}

Code cuda::lastProblem() { return Last ? Last->Number : Success; }

std::optional<Problem> cuda::takeProblem() {
  if (!Last)
    return std::nullopt;
  Problem Taken = std::move(*Last);
  Last.reset();
  return Taken;
}

namespace {
struct Known {
  Code Number;
  const char *Meaning;
};
/// Those that arise without a driver; it knows the others.
constexpr Known WithoutDriver[] = {
    {Success, "no error"},
    {InvalidConfiguration, "invalid configuration argument"},
    {InsufficientDriver,
     "there is no driver of NVIDIA's here, or one that is too old"},
    {InvalidFunction, "invalid device function"},
    {NoDevice, "no CUDA-capable device is detected"},
    {LaunchFailure, "unspecified launch failure"}};
} // namespace

const char *cuda::meaningOf(Code Number) {
  for (const Known &K : WithoutDriver)
    if (K.Number == Number)
      return K.Meaning;
  const char *Text = nullptr;
  const Driver *D = knownDriver();
  return D && D->cuGetErrorString(Number, &Text) == Success && Text
             ? Text
             : "unknown error";
}
