// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of any object, and Ops whose code Types provide.

#include "lib/Contract/GenericOps.h"
#include "CNames.h"
#include "ShippedCode.h"
#include "clinch/Contract/Type.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Version.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <map>

using namespace clinch;

namespace {
using Entries = std::map<std::string, RegisteredCode>;

struct Registry {
  std::map<GenericOp, Entries> Ops = {
      {GenericOp::DeepCopy,
       {{"Double", {ValueCopy, "(1,)", ""}},
        {"Generic", {ObjectDeepCopy, "(1,)", ""}},
        {"Scalar", {ValueCopy, "(1,)", ""}},
        {"TensorType", {ArrayDeepCopy, "(1,)", ""}}}},
      {GenericOp::View,
       {{"Double", {ValueCopy, "(1,)", ""}},
        {"Generic", {ReferenceView, "(1,)", ""}},
        {"Scalar", {ValueCopy, "(1,)", ""}},
        {"TensorType", {ReferenceView, "(1,)", ""}}}},
      {GenericOp::Shape, {{"TensorType", {ArrayShape, "(1,)", ""}}}},
      {GenericOp::ShapeI,
       {{"TensorType", {ArrayShapeI, "(1,)", ArrayShapeICheck}}}},
  };
};

struct Names {
  const char *Class;
  const char *Register;
};
} // namespace

static Registry &registry() {
  static constinit ForProcess<Registry> Only;
  return Only.get([] { return new Registry; });
}

static Names namesOf(GenericOp Op) {
  switch (Op) {
  case GenericOp::DeepCopy:
    return {"DeepCopyOp", "register_deep_copy_op_c_code"};
  case GenericOp::View:
    return {"ViewOp", "register_view_op_c_code"};
  case GenericOp::Shape:
    return {"Shape", "register_shape_c_code"};
  case GenericOp::ShapeI:
    return {"Shape_i", "register_shape_i_c_code"};
  }
  return {"", ""};
}

void clinch::registerCode(GenericOp Op, std::string TypeKey, std::string Code,
                          std::string Version, std::string CheckInput) {
  Registry &R = registry();
  LockGuard Guard(lockOf(ProcessLock::RegisteredCode));
  R.Ops[Op][std::move(TypeKey)] = {std::move(Code), std::move(Version),
                                   std::move(CheckInput)};
}

std::optional<RegisteredCode>
clinch::registeredCode(GenericOp Op, const std::string &TypeKey) {
  Registry &R = registry();
  LockGuard Guard(lockOf(ProcessLock::RegisteredCode));
  const Entries &All = R.Ops[Op];
  auto Found = All.find(TypeKey);
  return Found == All.end() ? std::nullopt : std::optional(Found->second);
}

/// Joins all versions, so that a changed entry changes the result. Returns an
/// empty text if any of them is empty.
static std::string versionOf(GenericOp Op) {
  Registry &R = registry();
  LockGuard Guard(lockOf(ProcessLock::RegisteredCode));
  std::string Text = "(1";
  for (const auto &[Key, Entry] : R.Ops[Op]) {
    if (!isVersion(Entry.Version))
      return {};
    Text += ", '" + Key + "', " + Entry.Version;
  }
  return Text + ")";
}

namespace {
class RegisteredOp final : public Op {
public:
  RegisteredOp(GenericOp Kind, unsigned I) : Kind(Kind), I(I) {}

  std::string className() const override { return namesOf(Kind).Class; }
  Expected<std::string> c_code_cache_version() const override {
    return versionOf(Kind);
  }
  Strings c_headers(std::string_view) const override {
    if (Kind == GenericOp::Shape || Kind == GenericOp::ShapeI)
      return Strings({"<numpy/arrayobject.h>"});
    return Strings({});
  }
  AliasMap viewMap() const override {
    return Kind == GenericOp::View ? AliasMap{{0, {0}}} : AliasMap{};
  }
  Text c_code(const Op::Args &A) const override;
  bool leavesWhatItSays(const Apply &Node) const override;

private:
  GenericOp Kind;
  unsigned I;
};
} // namespace

Op::Text RegisteredOp::c_code(const Op::Args &A) const {
  const Names N = namesOf(Kind);
  const Type &T = A.Node.inputs()[0]->type();
  std::optional<RegisteredCode> Entry = registeredCode(Kind, T.registryKey());
  if (!Entry)
    return Error(Error::Kind::Hook,
                 "`" + std::string(N.Class) + "` has no C code for the type `" +
                     T.className() + "`: give it with `" + N.Register + "`.");
  Substitutions Sub = A.Sub;
  Sub.set("iname", A.Inputs[0]);
  Sub.set("oname", A.Outputs[0]);
  if (Kind == GenericOp::ShapeI)
    Sub.set("i", std::to_string(I));
  std::string Template = Entry->CheckInput;
  if (!Template.empty())
    Template += "\n";
  CLINCH_TRY_ASSIGN(std::string Text,
                    fillTemplate(Template + Entry->Code, Sub,
                                 "the code of `" + std::string(N.Class) +
                                     "` for `" + T.className() + "`"));
  return HookText::filled(std::move(Text));
}

/// What a user has registered may leave anything.
bool RegisteredOp::leavesWhatItSays(const Apply &Node) const {
  auto Entry = registeredCode(Kind, Node.inputs()[0]->type().registryKey());
  const auto Shipped = {ArrayDeepCopy, ObjectDeepCopy, ReferenceView,
                        ArrayShape, ArrayShapeI};
  return Entry && std::find(Shipped.begin(), Shipped.end(), Entry->Code) !=
                      Shipped.end();
}

std::shared_ptr<const Op> clinch::genericOp(GenericOp What,
                                            unsigned Dimension) {
  return std::make_shared<const RegisteredOp>(What, Dimension);
}

namespace {
class GenericType final : public Type {
public:
  std::string className() const override { return "Generic"; }
  Expected<std::string> c_code_cache_version() const override { return "(1,)"; }
  Text c_declare(const Type::Args &) const override {
    return ownText("PyObject *%(name)s;");
  }
  Text c_init(const Type::Args &) const override {
    return ownText(ReferenceInit);
  }
  Text c_extract(const Type::Args &) const override {
    return ownText("Py_INCREF(py_%(name)s);\n%(name)s = py_%(name)s;");
  }
  Text c_sync(const Type::Args &) const override {
    return ownText(ReferenceSync);
  }
  Text c_cleanup(const Type::Args &) const override {
    return ownText(ReferenceCleanup);
  }
  std::string outputCheck() const override {
    return "if (!%(name)s) {\n"
           "  clinch_wrong_output(NULL, %(left)s, \"an object\");\n"
           "  %(fail)s\n"
           "}";
  }
};
} // namespace

TypePtr clinch::genericType() {
  static constinit ForProcess<TypePtr> Only;
  return Only.get([] { return new TypePtr(std::make_shared<GenericType>()); });
}
