// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Op whose hooks are sections.

#include "clinch/Contract/Op.h"
#include "clinch/Graph/Graph.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/COpFile.h"
#include "lib/Contract/Params.h"

using namespace clinch;

namespace {
class CFileOp final : public Op {
public:
  CFileOp(COpSpec Spec, COpFile File)
      : Spec(std::move(Spec)), File(std::move(File)) {}

  std::string className() const override { return Spec.ClassName; }
  AliasMap viewMap() const override { return Spec.ViewMap; }
  AliasMap destroyMap() const override { return Spec.DestroyMap; }
  bool checkInput() const override { return Spec.CheckInput; }
  Expected<std::string> c_code_cache_version() const override {
    return "('" + File.hash() + "',)";
  }
  Strings c_headers(std::string_view) const override {
    return Strings({"<numpy/arrayobject.h>"});
  }
  Strings c_support_code() const override {
    return global(Section::SupportCode);
  }
  Strings c_init_code() const override { return global(Section::InitCode); }

  Text c_code(const Op::Args &A) const override;
  Text c_code_cleanup(const Op::Args &A) const override {
    return File.text(Section::CodeCleanup, context(A));
  }
  Text c_init_code_struct(const Op::Args &A) const override {
    return File.text(Section::InitCodeStruct, context(A));
  }
  Text c_support_code_apply(const Apply &Node,
                            const std::string &Name) const override {
    return File.text(Section::SupportCodeApply, context(Node, Name));
  }
  Text c_support_code_struct(const Apply &Node,
                             const std::string &Name) const override {
    return File.text(Section::SupportCodeStruct, context(Node, Name));
  }
  Text c_init_code_apply(const Apply &Node,
                         const std::string &Name) const override {
    return File.text(Section::InitCodeApply, context(Node, Name));
  }
  Text c_cleanup_code_struct(const Apply &Node,
                             const std::string &Name) const override {
    return File.text(Section::CleanupCodeStruct, context(Node, Name));
  }

private:
  Strings global(Section S) const;
  COpContext context(const Apply &Node, const std::string &Name) const;
  COpContext context(const Op::Args &A) const;
  COpSpec Spec;
  COpFile File;
};
} // namespace

CodeProvider::Strings CFileOp::global(Section S) const {
  if (!File.has(S))
    return Strings({});
  return Strings({File.text(S, {}).Text});
}

COpContext CFileOp::context(const Apply &Node, const std::string &Name) const {
  COpContext C;
  C.ClassName = Spec.ClassName;
  C.Name = Name;
  if (Spec.CheckInput) {
    for (const Variable *V : Node.inputs())
      C.InputDtypes.push_back(V->type().dtype());
    for (const Variable *V : Node.outputs())
      C.OutputDtypes.push_back(V->type().dtype());
  }
  const auto *P =
      Node.info().Params
          ? dynamic_cast<const ParamsType *>(&Node.info().Params->type())
          : nullptr;
  if (!P)
    return C;
  C.ParamsType = P->structType();
  for (const ParamField &F : P->fields())
    if (Expected<std::string> Item = F.T->c_element_type())
      C.ParamDtypes.emplace_back(F.Name, *Item);
  return C;
}

COpContext CFileOp::context(const Op::Args &A) const {
  COpContext C = context(A.Node, A.Name);
  C.Inputs = A.Inputs;
  C.Outputs = A.Outputs;
  if (const std::string *Params = A.Sub.find("params"))
    C.Params = *Params;
  if (const std::string *Fail = A.Sub.find("fail"))
    C.Fail = *Fail;
  else if (const std::string *Id = A.Sub.find("id"))
    // Forbidden here, but refused later, when the author's line is known.
    C.Fail = failTo(*Id, failLabel(*Id));
  return C;
}

/// Asked only here: a subclass in Python may have a c_code of its own, and
/// files with what it needs.
Op::Text CFileOp::c_code(const Op::Args &A) const {
  if (Spec.Function.empty() && !File.has(Section::Code))
    return Error(Error::Kind::InvalidArgument,
                 "The C files of `" + Spec.ClassName +
                     "` have no `#section code`, and no function is named that "
                     "could be called instead.");
  if (Spec.Function.empty())
    return File.text(Section::Code, context(A));
  return COpFile::call(Spec.Function, Spec.NumInputs, Spec.NumOutputs,
                       context(A));
}

Expected<std::shared_ptr<const Op>> clinch::cFileOp(COpSpec Spec) {
  CLINCH_TRY_ASSIGN(COpFile File, COpFile::read(Spec.Files));
  if (!Spec.Function.empty() && File.has(Section::Code))
    return Error(Error::Kind::InvalidArgument,
                 "The C files of `" + Spec.ClassName +
                     "` have a `#section code`, and `" + Spec.Function +
                     "` is named to be called instead of it.");
  return std::shared_ptr<const Op>(
      std::make_shared<CFileOp>(std::move(Spec), std::move(File)));
}
