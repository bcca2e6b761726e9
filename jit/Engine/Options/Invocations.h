// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Invocations of Clang, for the host and for devices.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clinch::engine {

/// Sets what holds for every compile, whatever its flags.
void setCommonOptions(clang::CompilerInvocation &I, const CompileOptions &O);

/// Returns the lowest version of PTX that knows the device, as a feature of
/// LLVM's: the older a driver may then be. An unknown device is an error that
/// names one like it.
Expected<std::string> deviceFeature(const std::string &Device);

/// Returns how many bytes of shared memory a block of a known device may have.
uint64_t sharedLimit(std::string_view Device);

/// Makes of cc1 arguments for C++ on the host those for CUDA on \p Device.
std::vector<std::string> deviceArguments(const std::vector<std::string> &OfHost,
                                         const std::string &Device,
                                         const std::string &Feature);

/// Makes of them those for the second pass over a text in CUDA: that for the
/// host, which finds what the first has made at ImagePath.
std::vector<std::string>
launchingArguments(const std::vector<std::string> &OfHost);
constexpr const char *ImagePath = "/clinch/device/image";

} // namespace clinch::engine
