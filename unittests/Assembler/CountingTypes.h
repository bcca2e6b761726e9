// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that say when they open.
//
// Types and Ops on long integers whose every hook tells the test what it does:
// clinch_test_event(kind, number) returns 1 where the block shall fail and, in
// C++, 2 where it shall throw.

#pragma once

#include "lib/Assembler/Assembler.h"

namespace clinch::testing {

enum EventKind { Opened, Synced, Closed };

inline std::string openText() {
  return "switch (clinch_test_event(0, %(id)s)) {\n"
         "case 1:\n"
         "  %(fail)s\n"
         "#ifdef __cplusplus\n"
         "case 2:\n"
         "  throw %(id)s;\n"
         "#endif\n"
         "}\n";
}

inline std::string closeText() { return "clinch_test_event(2, %(id)s);\n"; }

inline CodeProvider::Strings supportText() {
  return std::vector<std::string>{"#ifdef __cplusplus\n"
                                  "extern \"C\"\n"
                                  "#endif\n"
                                  "int clinch_test_event(int, int);\n",
                                  "#ifdef __cplusplus\n"
                                  "extern \"C\"\n"
                                  "#endif\n"
                                  "void *clinch_test_buffer(void *);\n"};
}

/// A long. What else it declares decides how it is handled when it is used in
/// another function than its own.
class CountedType : public Type {
public:
  enum Flavour {
    Kept,    ///< In the state, in struct form.
    OnStack, ///< Simple.
    Silent,  ///< Simple; says and releases nothing.
    Heap,    ///< Two variables, and memory that must be given back.
    Named,   ///< Its own typedef, and an array.
    KeptToo  ///< Kept, as an output too.
  };
  explicit CountedType(Flavour F, bool Literal = false)
      : F(F), Literal(Literal) {}

  std::string className() const override {
    static const char *Names[] = {"Kept", "OnStack", "Silent",
                                  "Heap", "Named",   "KeptToo"};
    return Names[F];
  }
  Strings c_support_code() const override { return supportText(); }
  Expected<bool> c_is_simple() const override {
    return F == OnStack || F == Silent;
  }
  Text c_declare(const Type::Args &) const override {
    switch (F) {
    case Heap:
      return HookText("long %(name)s; void *%(name)s_buffer;");
    case Named:
      return HookText("typedef long type_%(name)s[2];\n"
                      "type_%(name)s %(name)s_pair;\nlong %(name)s;\n");
    default:
      return HookText("long %(name)s;");
    }
  }
  Text c_init(const Type::Args &) const override {
    if (F == Silent)
      return HookText("%(name)s = 0;");
    return HookText(first() + openText());
  }
  Text c_extract(const Type::Args &) const override {
    std::string Read = "%(name)s = PyLong_AsLong(py_%(name)s);\n";
    return HookText(first() + (F == Silent ? Read : openText() + Read));
  }
  Text c_extract_out(const Type::Args &A) const override {
    return F == KeptToo ? HookText("") : Type::c_extract_out(A);
  }
  Text c_sync(const Type::Args &) const override {
    return HookText(std::string(F == Silent ? ""
                                            : "clinch_test_event(1, %(id)s);"
                                              "\n") +
                    "Py_XDECREF(py_%(name)s);\n"
                    "py_%(name)s = PyLong_FromLong(%(name)s);");
  }
  Text c_cleanup(const Type::Args &) const override {
    if (F == Silent)
      return HookText("");
    if (F == Heap)
      return HookText(closeText() + "if (%(name)s_buffer)\n"
                                    "  clinch_test_buffer(%(name)s_buffer);");
    if (F == Named) // What the block stored must still be there.
      return HookText("if (%(name)s_pair[1] == 7)\n  " + closeText());
    return HookText(closeText());
  }
  Expected<std::string> c_literal(const Variable &V) const override {
    if (!Literal)
      return std::string();
    return "(" + std::to_string(*static_cast<long *>(V.hostValue())) + "L)";
  }

private:
  std::string first() const {
    if (F == Heap)
      return "%(name)s = 0; %(name)s_buffer = NULL;\n"
             "%(name)s_buffer = clinch_test_buffer(NULL);\n";
    if (F == Named)
      return "%(name)s = 0; %(name)s_pair[1] = 7;\n";
    return "%(name)s = 0;\n";
  }

  Flavour F;
  bool Literal;
};

/// Every output is the sum of all inputs, and of its own position; with struct
/// code, of how often the Op has run too.
class CountedOp : public Op {
public:
  enum Hooks {
    Plain = 0,
    Validates = 1,
    HasStruct = 2,
    Quiet = 4 ///< Releases nothing, so says nothing when it is closed.
  };
  explicit CountedOp(unsigned H) : H(H) {}

  std::string className() const override {
    return H & Quiet ? "QuietSum" : "Sum";
  }
  Strings c_support_code() const override { return supportText(); }
  Text c_code(const Op::Args &A) const override {
    std::string Code = openText(), Sum = "0";
    for (const std::string &In : A.Inputs)
      Sum += " + " + In;
    if (H & HasStruct)
      Code += "runs_%(name)s++;\n";
    for (size_t I = 0; I < A.Outputs.size(); ++I) {
      Code += A.Outputs[I] + " = (" + Sum + ") %% " +
              (H & Validates ? "limit_%(name)s" : "1000003") + " + " +
              std::to_string(I);
      Code += H & HasStruct ? " + runs_%(name)s;\n" : ";\n";
    }
    return HookText(Code);
  }
  Text c_code_cleanup(const Op::Args &) const override {
    return HookText(H & Quiet ? "" : closeText());
  }
  Text c_validate_update(const Op::Args &) const override {
    // The code that follows sees what is declared here.
    return HookText(
        H & Validates ? openText() + "long limit_%(name)s = 1000003;\n" : "");
  }
  Text c_validate_update_cleanup(const Op::Args &) const override {
    return HookText(H & Validates ? closeText() : "");
  }
  Text c_support_code_struct(const Apply &,
                             const std::string &) const override {
    return HookText(H & HasStruct ? "long runs_%(name)s;" : "");
  }
  Text c_init_code_struct(const Op::Args &) const override {
    return HookText(H & HasStruct ? openText() : "");
  }
  Text c_cleanup_code_struct(const Apply &,
                             const std::string &) const override {
    return HookText(H & HasStruct ? closeText() : "");
  }

  bool countsRuns() const { return H & HasStruct; }

private:
  unsigned H;
};

} // namespace clinch::testing
