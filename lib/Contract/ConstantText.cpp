// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant as C text.

#include "ConstantText.h"

#include "clinch/Contract/Type.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/Scalar.h"

#include <atomic>

using namespace clinch;

static std::atomic<ScalarReader> Reader = nullptr;

void clinch::setScalarReader(ScalarReader R) { Reader = R; }

std::string clinch::constantText(const Variable &Constant,
                                 const ScalarInfo &Dtype) {
  ScalarReader Read = Reader;
  alignas(16) unsigned char Bytes[16] = {};
  if (!Read || !Constant.hostValue() ||
      !Read(Constant.hostValue(), Dtype, Bytes))
    return {};
  return scalarLiteral(Dtype, Bytes);
}
