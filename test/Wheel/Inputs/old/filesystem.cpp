// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <filesystem>
extern "C" double f(double x) { return std::filesystem::exists("/") + x; }
