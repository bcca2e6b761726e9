//===- VectorABI.cpp - This machine's vector functions --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorABI.h"

#include <dlfcn.h>

using namespace clinch::engine;

VectorABI VectorABI::of(const llvm::MCSubtargetInfo &Processor) {
  if (Processor.checkFeatures("+avx2"))
    return {'d', 256, "+avx"};
  if (Processor.checkFeatures("+avx"))
    return {'c', 256, "+avx"};
  if (Processor.checkFeatures("+sse2"))
    return {'b', 128, "+sse2"};
  return {'-', 128, "+sse2"}; // No function has such a name.
}

std::string VectorABI::find(const MathFunction &F) const {
  // Compiled code calls the library too, so it stays loaded.
  static void *const Library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
  std::string Name = std::string("_ZGV") + ISA + "N" +
                     std::to_string(lanes(F.Single)) +
                     std::string(F.Entry->Arguments, 'v') + "_" + F.name();
  return Library && dlsym(Library, Name.c_str()) ? Name : std::string();
}
