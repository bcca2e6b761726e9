// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code that can be called.

#include "CodeRegistry.h"
#include "clinch/Compiler/Session.h"
#include "lib/Support/Forks.h"

using namespace clinch;

namespace {
/// What a module without code consists of.
struct Nothing {
  std::vector<std::string> Variables;
  std::vector<Module::Function> Functions;
  std::string Types;
  std::vector<Diagnostic> Warnings;
};

const Nothing &nothing() {
  static constinit ForProcess<Nothing> Only;
  return Only.get([] { return new Nothing; });
}
} // namespace

void *Module::lookup(std::string_view Name) const {
  return Code ? Code->lookup(Name) : nullptr;
}

const std::vector<std::string> &Module::variables() const {
  return Code ? Code->Variables : nothing().Variables;
}

const std::vector<Module::Function> &Module::functions() const {
  return Code ? Code->Functions : nothing().Functions;
}

const std::string &Module::types() const {
  return Code ? Code->Types : nothing().Types;
}

const std::vector<Diagnostic> &Module::warnings() const {
  return Record ? Record->Warnings : nothing().Warnings;
}

const std::string *Module::stage(Stage S) const {
  return Record ? stageIn(*Record, S) : nullptr;
}
