// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs that are measured.

#include "Graphs.h"

#include "clinch/Contract/Op.h"
#include "clinch/Contract/Type.h"

using namespace bench;
using namespace clinch;

namespace {

/// Adds two objects, and holds one of them until its cleanup.
class ObjectAdd : public Op {
public:
  std::string className() const override { return "ObjectAdd"; }
  Expected<VarNames> c_var_names() const override {
    return VarNames{{"x", "y"}, {"z"}};
  }
  Text c_code(const Op::Args &) const override {
    return HookText("Py_INCREF(%(y)s);\n"
                    "Py_XDECREF(%(z)s);\n"
                    "%(z)s = PyNumber_Add(%(x)s, %(y)s);\n"
                    "if (!%(z)s)\n"
                    "  %(fail)s\n");
  }
  Text c_code_cleanup(const Op::Args &) const override {
    return HookText("Py_DECREF(%(y)s);");
  }
};

Graph chain(std::shared_ptr<const Op> Add, const TypePtr &T, unsigned Applies) {
  Graph G;
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y"), *Last = X;
  for (unsigned I = 0; I < Applies; ++I)
    Last = (*G.apply(Add, {Last, Y}, {T}))->outputs()[0];
  (void)G.setInterface({X, Y}, {Last});
  return G;
}

} // namespace

Graph bench::sumTimes() {
  Graph G;
  TypePtr T = floatType();
  Variable *X = G.addInput(T, "x"), *Y = G.addInput(T, "y"),
           *Z = G.addInput(T, "z");
  Variable *Sum = (*G.apply(*scalarOp("add"), {X, Y}, {T}))->outputs()[0];
  Variable *Out = (*G.apply(*scalarOp("mul"), {Sum, Z}, {T}))->outputs()[0];
  (void)G.setInterface({X, Y, Z}, {Out});
  return G;
}

Graph bench::scalarChain(unsigned Applies) {
  return chain(*scalarOp("add"), floatType(), Applies);
}

Graph bench::objectChain(unsigned Applies) {
  return chain(std::make_shared<ObjectAdd>(), genericType(), Applies);
}
