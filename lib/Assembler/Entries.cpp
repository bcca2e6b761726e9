//===- Entries.cpp - The functions that a thunk offers -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include <algorithm>

using namespace clinch;

/// In C a member is named through the state; in C++ the ladder is a member
/// function and names it bare.
void Emitter::aliases(bool Define) {
  if (cxx())
    return;
  for (const std::string &Name : StateNames) {
    if (Define)
      W.line({"#define ", Name, " (clinch_self->", Name, ")"});
    else
      W.line({"#undef ", Name});
  }
}

void Emitter::runLadder() {
  W.line("int failure = 0;");
  for (const Block *B : Run)
    openBlock(*B);
  for (auto B = Run.rbegin(); B != Run.rend(); ++B)
    closeBlock(**B);
  W.line("return failure;");
}

/// One ladder for both ends of a state's life. On the way in every block is
/// opened and stays so; with `undo` only the cleanups run, all of them.
void Emitter::keepLadder() {
  W.line("int failure = 0;");
  if (cxx())
    W.line("PyObject *const *clinch_cells = this->clinch_cells;");
  else
    W.line("PyObject *const *clinch_cells = clinch_self->clinch_cells;");
  W.line("(void)clinch_cells;");
  W.line("if (undo)");
  W.line("  goto clinch_undo;");
  for (const Block *B : Kept)
    openBlock(*B);
  W.line("return 0; // All is kept until the cleanup.");
  W.dedent();
  W.line("clinch_undo:;");
  W.indent();
  for (auto B = Kept.rbegin(); B != Kept.rend(); ++B)
    closeBlock(**B);
  W.line("return failure;");
}

void Emitter::functionForm() {
  if (StateNames.empty()) {
    W.line({cxx() ? "extern \"C\" " : "",
            "int clinch_call(PyObject *const *clinch_cells)"});
    W.open();
    runLadder();
    W.close();
    return;
  }
}

void Emitter::structForm() {
  const char *Extern = cxx() ? "extern \"C\" " : "";
  if (!cxx()) {
    aliases(true);
    W.line("static int clinch_keep(struct clinch_state *clinch_self, "
           "int undo)");
    W.open();
    keepLadder();
    W.close();
    W.blank();
    W.line("int clinch_run(void *clinch_memory)");
    W.open();
    W.line("struct clinch_state *clinch_self = clinch_memory;");
    W.line("PyObject *const *clinch_cells = clinch_self->clinch_cells;");
    runLadder();
    W.close();
    aliases(false);
    W.blank();
    W.line("const size_t clinch_state_size = sizeof(struct clinch_state);");
    W.blank();
    W.line("int clinch_init(void *clinch_memory, "
           "PyObject *const *clinch_cells)");
    W.open();
    W.line("struct clinch_state *clinch_self = clinch_memory;");
    W.line("clinch_self->clinch_cells = clinch_cells;");
    W.line("return clinch_keep(clinch_self, 0);");
    W.close();
    W.blank();
    W.line("void clinch_cleanup(void *clinch_memory)");
    W.open();
    W.line("clinch_keep(clinch_memory, 1);");
    W.close();
    return;
  }
  W.line("int clinch_state::keep(int undo)");
  W.open();
  keepLadder();
  W.close();
  W.blank();
  W.line("int clinch_state::run()");
  W.open();
  runLadder();
  W.close();
  W.blank();
  W.line("extern \"C\" const size_t clinch_state_size = "
         "sizeof(clinch_state);");
  W.blank();
  W.line({Extern, "int clinch_init(void *clinch_memory, "
                  "PyObject *const *clinch_cells)"});
  W.open();
  W.line("clinch_state *clinch_self = "
         "new (clinch_memory, clinch_place()) clinch_state();");
  W.line("clinch_self->clinch_cells = clinch_cells;");
  W.line("int failure = clinch_self->keep(0);");
  W.line("if (failure)");
  W.line("  clinch_self->~clinch_state();");
  W.line("return failure;");
  W.close();
  W.blank();
  W.line({Extern, "int clinch_run(void *clinch_memory)"});
  W.open();
  W.line("return static_cast<clinch_state *>(clinch_memory)->run();");
  W.close();
  W.blank();
  W.line({Extern, "void clinch_cleanup(void *clinch_memory)"});
  W.open();
  W.line("clinch_state *clinch_self = "
         "static_cast<clinch_state *>(clinch_memory);");
  W.line("clinch_self->keep(1);");
  W.line("clinch_self->~clinch_state();");
  W.close();
}
