//===- Prelude.cpp - What stands before the entry points -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace clinch;

void Emitter::global(const GlobalPiece &G) {
  W.authored(G.Text.Text, G.Origin, G.Text.Line);
}

void Emitter::prelude() {
  W.line("#include <Python.h>");
  for (const std::string &Header : P.Includes)
    W.line({"#include ", Header});
  if (cxx())
    W.line("#include <exception>");
  W.blank();
  for (const GlobalPiece &G : P.Support)
    global(G);
}

void Emitter::stateMembers(const Block &B) {
  if (!B.Var)
    return;
  W.line({"PyObject *py_", B.Name, ";"});
  StateNames.push_back("py_" + B.Name);
  std::string Origin = B.origin(B.Declare);
  Declarations D = readDeclarations(B.Declare.Text);
  W.authored(cxx() ? B.Declare.Text : D.Members, Origin, B.Declare.Line);
  for (std::string &Name : D.Names)
    StateNames.push_back(std::move(Name));
}

void Emitter::state() {
  if (!cxx())
    for (const Block *B : Kept)
      if (B->Var) {
        Declarations D = readDeclarations(B->Declare.Text);
        if (D.Types.find_first_not_of(" \n\t\r") != std::string::npos)
          W.authored(D.Types, B->origin(B->Declare), B->Declare.Line);
      }
  W.line("struct clinch_state {");
  W.indent();
  W.line("PyObject *const *clinch_cells;");
  for (const Block *B : Kept) {
    if (B->Var)
      region(B->origin(B->Declare), Region::Role::Declarations, B->Name);
    stateMembers(*B);
  }
  for (const StructPiece &S : P.StructSupport) {
    if (cxx()) {
      global(S.Text);
      continue;
    }
    Declarations D = readDeclarations(S.Text.Text.Text);
    W.authored(D.Members, S.Text.Origin, S.Text.Text.Line);
    for (std::string &Name : D.Names)
      StateNames.push_back(std::move(Name));
  }
  if (cxx()) {
    W.line("int keep(int undo);");
    W.line("int run();");
  }
  W.dedent();
  W.line("};");
  W.blank();
  if (cxx()) {
    W.line("struct clinch_place {};");
    W.line("inline void *operator new(size_t, void *Where, clinch_place) "
           "noexcept { return Where; }");
    W.blank();
  }
}

void Emitter::moduleInit() {
  if (P.InitCode.empty())
    return;
  Out.HasModuleInit = true;
  W.blank();
  W.line({cxx() ? "extern \"C\" " : "", "int clinch_module_init(void)"});
  W.open();
  for (const GlobalPiece &G : P.InitCode)
    global(G);
  W.line("return 0;");
  W.close();
}
