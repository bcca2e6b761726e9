//===- Initializers.cpp - What runs before the code is used --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one file here that is compiled with exceptions: what a text's global
// objects throw must not pass through the rest.
//
//===----------------------------------------------------------------------===//

#include "Initializers.h"

#include <exception>

using namespace clinch;

static Error thrown(const std::string &What) {
  return Error(ErrorKind::Host,
               "The initialiser of a global object threw " + What + ".");
}

Status clinch::runInitializer(void (*Function)()) {
  try {
    Function();
  } catch (const std::exception &E) {
    return thrown(std::string("`") + E.what() + "`");
  } catch (...) {
    return thrown("something that is no std::exception");
  }
  return {};
}
