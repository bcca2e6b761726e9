//===- SharedWriter.cpp - Writes a text of shared functions --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedWriter.h"

#include "SharedNames.h"

using namespace clinch;

void SharedWriter::region(std::string Name, Region::Role Role) {
  Region R;
  R.Name = std::move(Name);
  R.Kind = Role;
  if (Role == Region::Role::Declarations)
    R.Required = "Vx";
  Regions.push_back(std::move(R));
}

void SharedWriter::open(const std::string &Name, const std::string &Parameters,
                        std::string &Prototypes) {
  std::string Head = "extern \"C\" int " + Name + "(" + Parameters + ")";
  Prototypes += Head + ";\n";
  Symbols.push_back(Name);
  W.line(Head);
  W.open();
  W.line("int failure = 0;");
}

void SharedWriter::declare(const std::string &Text, const CodeProvider &Of) {
  std::string Origin = "`" + Of.className() + ".c_declare`";
  W.authored(Text, Origin, 1);
  region(std::move(Origin), Region::Role::Declarations);
}

void SharedWriter::refer(const std::vector<Reference> &To) {
  for (size_t I = 0; I < To.size(); ++I)
    W.line({"typedef decltype(", To[I].Name, ") clinch_type_",
            std::to_string(I), ";"});
  W.open();
  for (size_t I = 0; I < To.size(); ++I) {
    std::string Type = "clinch_type_" + std::to_string(I);
    W.line({Type, " &", To[I].Name, " = *static_cast<", Type, " *>(",
            To[I].Address, ");"});
  }
}

void SharedWriter::behaviour(const std::string &Text, const char *Hook,
                             const CodeProvider &Of, bool MayFail,
                             unsigned Line) {
  if (isBlank(Text))
    return;
  std::string Origin = "`" + Of.className() + "." + Hook + "`";
  W.line({"try { // ", Hook});
  W.authored(Text, Origin, Line);
  W.line({"} catch (...) {\n  clinch_thrown(\"", escaped(Origin),
          " for \", clinch_subject);"});
  if (MayFail)
    W.line({"  ", SharedFail});
  W.line("}");
  region(std::move(Origin),
         MayFail ? Region::Role::Code : Region::Role::NoFail);
}

void SharedWriter::close(bool HasLabel) {
  W.close();
  if (HasLabel)
    W.line("label_x:;");
  W.line("return failure;");
  W.close();
}

SharedText SharedWriter::take(bool HasModuleInit) {
  SharedText T;
  T.Source = {"shared.cpp", W.take()};
  T.Regions = std::move(Regions);
  T.Symbols = std::move(Symbols);
  T.HasModuleInit = HasModuleInit;
  return T;
}
