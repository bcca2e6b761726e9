// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a c_declare declares.
//
// A variable that outlives its function becomes a member of a struct, and its
// typedefs must then be outside the struct. So the declarations of a text are
// separated here, by their shape alone.

#pragma once

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
