// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seeds' own Types and Ops in C++.

#pragma once

#include "lib/Assembler/Assembler.h"

namespace clinch {

/// A float as a double; kept in the struct, since it does not say it is simple.
class SeedDouble : public Type {
public:
  std::string className() const override { return "Double"; }
  Text c_declare(const Type::Args &A) const override {
    return HookText("double %(name)s;");
  }
  Text c_init(const Type::Args &A) const override {
    return HookText("%(name)s = 0.0;");
  }
  Text c_extract(const Type::Args &A) const override {
    return HookText("if (!PyFloat_Check(py_%(name)s)) {\n"
                    "  PyErr_SetString(PyExc_TypeError, \"not a float\");\n"
                    "  %(fail)s\n"
                    "}\n"
                    "%(name)s = PyFloat_AsDouble(py_%(name)s);\n");
  }
  Text c_sync(const Type::Args &A) const override {
    return HookText("Py_XDECREF(py_%(name)s);\n"
                    "py_%(name)s = PyFloat_FromDouble(%(name)s);");
  }
};

/// One expression of `x` and `y` that gives `z`.
class SeedBinary : public Op {
public:
  SeedBinary(std::string Class, std::string Code)
      : Class(std::move(Class)), Code(std::move(Code)) {}
  std::string className() const override { return Class; }
  Expected<VarNames> c_var_names() const override {
    return VarNames{{"x", "y"}, {"z"}};
  }
  Text c_code(const Op::Args &A) const override { return HookText(Code); }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }

private:
  std::string Class, Code;
};

/// (x + y) * z, with the seeds' names.
inline Graph makeSumTimes() {
  Graph G;
  auto T = std::make_shared<SeedDouble>();
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y"),
           *Z = G.addInput(T, "z");
  auto Add = std::make_shared<SeedBinary>("Add", "%(z)s = %(x)s + %(y)s;");
  auto Mul = std::make_shared<SeedBinary>("Mul", "%(z)s = %(x)s * %(y)s;");
  Apply::Info A, B;
  A.OutputNames = {"a"};
  B.OutputNames = {"b"};
  Variable *Sum = (*G.apply(Add, {X, Y}, {T}, A))->outputs()[0];
  Variable *Product = (*G.apply(Mul, {Sum, Z}, {T}, B))->outputs()[0];
  (void)G.setInterface({X, Y, Z}, {Product});
  return G;
}

} // namespace clinch
