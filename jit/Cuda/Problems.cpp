// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong on a device.

#include "Problems.h"

#include "Driver.h"

#include <memory>
#include <utility>

using namespace clinch;
using namespace clinch::cuda;

constinit std::atomic<uint64_t> cuda::ProblemsNoted{0};

static thread_local std::unique_ptr<Problem> Last;

Code cuda::note(Code Number, Error What) {
  Last = std::make_unique<Problem>(
      Problem{Number, std::move(What), ++ProblemsNoted});
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
  const char *Name, *Meaning;
};
/// Those that arise without a driver; it knows the others.
constexpr Known WithoutDriver[] = {
    {Success, "cudaSuccess", "no error"},
    {InvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {OutOfMemory, "cudaErrorMemoryAllocation", "out of memory"},
    {InvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {InvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {InsufficientDriver, "cudaErrorInsufficientDriver",
     "there is no driver of NVIDIA's here, or one that is too old"},
    {InvalidFunction, "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {NoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {LaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"}};

/// Asks the driver, if it is there.
const char *askDriver(Code Number, int (*Driver::*Ask)(int, const char **)) {
  const char *Text = nullptr;
  const Driver *D = knownDriver();
  return D && (D->*Ask)(Number, &Text) == Success && Text ? Text
                                                          : "unknown error";
}
} // namespace

const char *cuda::meaningOf(Code Number) {
  for (const Known &K : WithoutDriver)
    if (K.Number == Number)
      return K.Meaning;
  return askDriver(Number, &Driver::cuGetErrorString);
}

const char *cuda::nameOf(Code Number) {
  for (const Known &K : WithoutDriver)
    if (K.Number == Number)
      return K.Name;
  return askDriver(Number, &Driver::cuGetErrorName);
}
