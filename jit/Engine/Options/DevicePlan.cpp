// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling for a GPU.

#include "DevicePlan.h"

#include "lib/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch;

namespace {

/// Each device, and the version of PTX that first had it.
constexpr std::pair<std::string_view, const char *> Devices[] = {
    {"sm_75", "+ptx63"},   {"sm_80", "+ptx70"},   {"sm_86", "+ptx71"},
    {"sm_87", "+ptx74"},   {"sm_89", "+ptx78"},   {"sm_90", "+ptx78"},
    {"sm_90a", "+ptx80"},  {"sm_100", "+ptx86"},  {"sm_100a", "+ptx86"},
    {"sm_103", "+ptx88"},  {"sm_103a", "+ptx88"}, {"sm_110", "+ptx90"},
    {"sm_110a", "+ptx90"}, {"sm_120", "+ptx87"},  {"sm_120a", "+ptx87"},
    {"sm_121", "+ptx88"},  {"sm_121a", "+ptx88"}};

/// What a driver says of the host's processor and of its frames, each with a
/// value behind it.
constexpr llvm::StringLiteral OfHost[] = {"-triple",
                                          "-target-cpu",
                                          "-tune-cpu",
                                          "-target-feature",
                                          "-mrelocation-model",
                                          "-pic-level",
                                          "-x"};

} // namespace

Expected<std::string> clinch::engine::deviceFeature(const std::string &Device) {
  std::vector<std::string_view> Names;
  for (const auto &[Name, Feature] : Devices) {
    if (Name == Device)
      return std::string(Feature);
    Names.push_back(Name);
  }
  std::string Message = "There is no device `" + Device + "` here";
  const std::string_view Close = closestName(Device, Names);
  if (!Close.empty())
    Message += "; did you mean `" + std::string(Close) + "`?";
  else
    Message += ": devices are named as `sm_90` is.";
  return Error(Error::Kind::InvalidArgument, Message, {}, {Device});
}

uint64_t clinch::engine::sharedLimit(std::string_view Device) {
  constexpr std::pair<std::string_view, uint64_t> Limits[] = {
      {"sm_75", 65536},  {"sm_80", 166912}, {"sm_86", 101376},
      {"sm_87", 166912}, {"sm_89", 101376}, {"sm_120", 101376},
      {"sm_121", 101376}};
  for (const auto &[Name, Bytes] : Limits)
    if (Device == Name || Device == std::string(Name) + "a")
      return Bytes;
  return 232448; // Of sm_90, sm_100 and their kin.
}

/// What both passes over a text in CUDA have; before the text, which is last.
static void addCommon(std::vector<std::string> &Arguments) {
  const std::vector<std::string> Common = {
      // From 10.1 on launches are those of today.
      "-target-sdk-version=12.8",
      // What only one file may see has the same name in both, which no file's
      // identity is part of: a text is no file.
      "-cuid=clinch", "-x", "cuda"};
  Arguments.insert(Arguments.end() - 1, Common.begin(), Common.end());
}

std::vector<std::string>
clinch::engine::deviceArguments(const std::vector<std::string> &Given,
                                const std::string &Device,
                                const std::string &Feature) {
  std::vector<std::string> Result;
  std::string Host;
  for (size_t I = 0; I != Given.size(); ++I) {
    const llvm::StringRef A = Given[I];
    if (A == "-triple" && I + 1 != Given.size())
      Host = Given[I + 1];
    if (llvm::is_contained(OfHost, A))
      ++I;
    else if (A != "-fmath-errno" && A != "-mconstructor-aliases" &&
             !A.starts_with("-funwind-tables"))
      Result.push_back(Given[I]);
  }
  // The text is the last argument.
  const std::vector<std::string> Own = {
      "-triple",          "nvptx64-nvidia-cuda",
      "-aux-triple",      Host,
      "-target-cpu",      Device,
      "-target-feature",  Feature,
      "-fcuda-is-device", "-fcuda-allow-variadic-functions"};
  Result.insert(Result.end() - 1, Own.begin(), Own.end());
  addCommon(Result);
  return Result;
}

std::vector<std::string>
clinch::engine::launchingArguments(const std::vector<std::string> &Given) {
  std::vector<std::string> Result;
  for (size_t I = 0; I != Given.size(); ++I)
    if (Given[I] == "-x")
      ++I;
    else
      Result.push_back(Given[I]);
  const std::vector<std::string> Own = {"-aux-triple", "nvptx64-nvidia-cuda",
                                        "-fcuda-include-gpubinary", ImagePath};
  Result.insert(Result.end() - 1, Own.begin(), Own.end());
  addCommon(Result);
  return Result;
}
