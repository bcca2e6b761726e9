// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong on a device.

#include "Problems.h"

#include "Driver.h"

#include <memory>
#include <utility>

using namespace clinch;
using namespace clinch::cuda;

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
