//===- Declarations.h - What a c_declare declares --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that outlives its function is a member of a struct, and then its
// typedefs must stand outside of that. So the declarations of a text are told
// apart here, by their shape alone.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_DECLARATIONS_H
#define CLINCH_LIB_SUPPORT_DECLARATIONS_H

#include <string>
#include <string_view>
#include <vector>

namespace clinch {

struct Declarations {
  std::string Types;   ///< typedefs, using, tags; lines kept where they were.
  std::string Members; ///< The variables; lines kept where they were.
  std::vector<std::string> Names; ///< Of the variables.
  bool Plain = true;        ///< One number or pointer: worth a local copy.
  bool Functions = false;   ///< Some have a body.
  bool Initialised = false; ///< Some have a value.
};

Declarations readDeclarations(std::string_view Text);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_DECLARATIONS_H
