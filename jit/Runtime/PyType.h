// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Type whose hooks are Python.

#pragma once

#include "PyProvided.h"
#include "clinch/Contract/Type.h"

namespace clinch {

/// A Type whose hooks are those of a Python object.
class PyType : public PyProvided<Type> {
public:
  using PyProvided::PyProvided;

#define TYPE_TEXT(Hook, TellsCheckInput, Optional)                             \
  Text Hook(const Type::Args &A) const override;
#include "lib/Contract/Hooks.def"
  Text c_extract_out(const Type::Args &A) const override;
  Expected<bool> c_is_simple() const override;
  Expected<std::string> c_literal(const Variable &Constant) const override;
  Expected<std::string> c_element_type() const override;
  std::string dtype() const override;
  int ndim() const override;
  std::string outputCheck() const override;
  std::string registryKey() const override;
  bool equals(const Type &Other) const override;

private:
  Text text(const char *Hook, const Type::Args &A, bool TellsCheckInput,
            bool Optional) const;
};

} // namespace clinch
