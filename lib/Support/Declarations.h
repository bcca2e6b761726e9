//===- Declarations.h - What a c_declare declares --------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that outlives its function becomes a member of a struct, and its
// typedefs must then be outside the struct. So the declarations of a text are
// separated here, by their shape alone.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_DECLARATIONS_H
#define CLINCH_LIB_SUPPORT_DECLARATIONS_H

#include <string>
#include <string_view>
#include <vector>

namespace clinch {

struct Declarations {
  std::string Types;   ///< typedefs, using, tags; line numbers are kept.
  std::string Members; ///< The variables; line numbers are kept.
  std::vector<std::string> Names; ///< Of the variables.
  bool Numbers = true;            ///< Each is a number or a pointer.
  bool Plain = true;        ///< One number or pointer: worth a local copy.
  bool Functions = false;   ///< Some function has a body.
  bool Initialised = false; ///< Some variable has an initialiser.
};

Declarations readDeclarations(std::string_view Text);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_DECLARATIONS_H
