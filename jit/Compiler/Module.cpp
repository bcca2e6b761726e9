//===- Module.cpp - Machine code that can be called ----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleInfo.h"
#include "clinch/Compiler/Session.h"

using namespace clinch;

void *Module::lookup(std::string_view Name) const {
  return Data ? Data->Live->Code->lookup(Name) : nullptr;
}

const std::vector<std::string> &Module::variables() const {
  static const std::vector<std::string> None;
  return Data ? Data->Live->Code->variables() : None;
}

const std::string &Module::key() const {
  static const std::string None;
  return Data ? Data->Key : None;
}

const Module::Stats &Module::stats() const {
  static const Module::Stats None;
  return Data ? Data->Stats : None;
}

const std::vector<Diagnostic> &Module::warnings() const {
  static const std::vector<Diagnostic> None;
  return Data ? Data->Record->Warnings : None;
}

const std::string &Module::object() const {
  static const std::string None;
  const std::string *Kept = stage(Stage::Obj);
  return Kept ? *Kept : None;
}

const std::string *Module::stage(Stage S) const {
  return Data ? Data->Record->stage(S) : nullptr;
}
