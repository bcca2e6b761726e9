//===- Emitter.h - From blocks to text -------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_EMITTER_H
#define CLINCH_LIB_ASSEMBLER_EMITTER_H

#include "Declarations.h"
#include "Program.h"
#include "Writer.h"

namespace clinch {

/// Writes a Program as one text.
class Emitter {
public:
  explicit Emitter(Program P);
  Expected<ThunkSource> run(const AssembleOptions &O);

private:
  // Prelude.cpp: all that stands before the entry points.
  void prelude();
  void state();
  void stateMembers(const Block &B);
  void moduleInit();

  // Ladder.cpp: nested blocks, each with its label.
  void openBlock(const Block &B);
  void closeBlock(const Block &B);
  void openVariable(const Block &B);
  void fetch(const Block &B);
  void openKept(const Block &B);
  void releasePython(const Block &B);
  void sync(const Block &B);
  void pythonFirst(const Block &B);
  void behaviour(const Block &B, const Piece &Text);
  void aliases(bool Define);

  // Entries.cpp
  void runLadder();
  void keepLadder();
  void functionForm();
  void structForm();

  void authored(const Block &B, const Piece &Text, Region::Role Role);
  void global(const GlobalPiece &Text);
  void region(const std::string &Name, Region::Role Role,
              const std::string &Variable);
  bool cxx() const { return P.Options.Lang == Language::CXX; }
  const char *self() const { return cxx() ? "this->" : "clinch_self->"; }

  Program P;
  Writer W;
  ThunkSource Out;
  std::vector<const Block *> Run, Kept; ///< By number.
  std::vector<std::string> StateNames;  ///< Members that hooks name bare.
};

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_EMITTER_H
