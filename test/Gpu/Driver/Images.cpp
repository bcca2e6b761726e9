// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which program stands for which PTX.

#include "State.h"

#include <algorithm>
#include <cstring>
#include <string_view>

using namespace gpu;

/// Returns the number after \p Word at the head of PTX, such as 78 for
/// `.version 7.8`, or 0.
static long numberAfter(const std::string &Image, const std::string &Word) {
  const size_t At = Image.find(Word);
  if (At == std::string::npos)
    return 0;
  long Number = 0;
  for (size_t I = At + Word.size(); I < Image.size(); ++I)
    if (Image[I] >= '0' && Image[I] <= '9')
      Number = 10 * Number + (Image[I] - '0');
    else if (Image[I] != '.')
      break;
  return Number;
}

/// The newest PTX that the driver of a version of CUDA knows.
static long newestPtx(long Cuda) {
  if (Cuda >= 13000)
    return 90;
  if (Cuda >= 12000)
    return 80 + Cuda % 1000 / 10;
  return 70 + Cuda % 1000 / 10;
}

static std::set<std::string> kernelsOf(const std::string &Image) {
  const std::string Word = ".visible .entry ";
  std::set<std::string> Names;
  for (size_t At = Image.find(Word); At != std::string::npos;
       At = Image.find(Word, At + 1)) {
    const size_t Begin = At + Word.size();
    Names.insert(Image.substr(Begin, Image.find('(', Begin) - Begin));
  }
  return Names;
}

static bool standsFor(const StandIn &S, const std::string &Image) {
  if (!S.Image.empty())
    return S.Image == Image;
  std::set<std::string> Names;
  for (uint32_t I = 0; I < S.Code->NumKernels; ++I)
    Names.insert(S.Code->Kernels[I].Symbol);
  return Names == kernelsOf(Image);
}

/// The variables that a module's text initialises anew whenever it is loaded.
template <class Action> static void forVariables(StandIn &S, Action Do) {
  for (uint32_t I = 0; I < S.Code->NumVariables; ++I)
    if (!S.Code->Variables[I].IsShared)
      Do(S.Code->Variables[I]);
}

static void restore(StandIn &S) {
  auto Next = S.Variables.begin();
  forVariables(S, [&](const clinch::simulate::Variable &V) {
    std::memcpy(V.Address, (Next++)->data(), V.Bytes);
  });
}

Result gpu::findProgram(const char *Text, const Program *&Found,
                        std::string &Log) {
  const std::string Image(Text);
  const long Version = numberAfter(Image, ".version ");
  const long Newest = newestPtx(setting("CUDA", 13000));
  if (!Version) {
    Log = "error   : Binary format for key='0', ident='' is not recognized";
    return InvalidImage;
  }
  if (Version > Newest) {
    auto Dotted = [](long N) {
      return std::to_string(N / 10) + "." + std::to_string(N % 10);
    };
    const auto Line =
        1 + std::count(Image.begin(), Image.begin() + Image.find(".version "),
                       '\n');
    Log = "ptxas application ptx input, line " + std::to_string(Line) +
          "; fatal   : Unsupported .version " + Dotted(Version) +
          "; current version is '" + Dotted(Newest) + "'";
    return UnsupportedPtxVersion;
  }
  if (numberAfter(Image, ".target sm_") > setting("CAPABILITY", 90)) {
    Log = "ptxas fatal   : SM version specified by .target is higher than "
          "default SM version assumed";
    return InvalidPtx;
  }
  for (StandIn &S : driver().StandIns)
    if (standsFor(S, Image)) {
      restore(S);
      Found = S.Code;
      return Success;
    }
  Log = "ptxas fatal   : the test gave no program that stands for this text";
  return InvalidPtx;
}

extern "C" {

/// For tests: \p Code is what the kernels of \p Image do, or those of any text
/// with kernels of the same names if \p Image is null.
void clinch_test_driver_stand_in(const Program *Code, const char *Image) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  StandIn S{Code, Image ? Image : "", {}};
  forVariables(S, [&](const clinch::simulate::Variable &V) {
    S.Variables.emplace_back(V.Address, V.Bytes);
  });
  driver().StandIns.insert(driver().StandIns.begin(), std::move(S));
}

/// For tests: takes back what stands for anything.
void clinch_test_driver_forget() {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  driver().StandIns.clear();
}

/// For tests: what was done since the last call, a line each.
const char *clinch_test_driver_record() {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  driver().Text.clear();
  for (const std::string &Line : driver().Record)
    driver().Text += Line + "\n";
  driver().Record.clear();
  return driver().Text.c_str();
}

/// For tests: what the simulator said of the kernel that failed last.
const char *clinch_test_driver_said() { return driver().Said.c_str(); }

} // extern "C"
