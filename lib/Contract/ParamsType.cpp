// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of parameters.

#include "CNames.h"
#include "ParamsSupport.h"
#include "ParamsText.h"
#include "lib/Contract/Version.h"

#include <algorithm>
#include <map>

using namespace clinch;

namespace {
class StructParams final : public ParamsType {
public:
  StructParams(std::vector<ParamField> Fields, std::string Name,
               std::string Support)
      : Fields(std::move(Fields)), Name(std::move(Name)),
        Struct("struct " + this->Name), Support(std::move(Support)) {}

  std::string className() const override { return "ParamsType"; }
  const std::vector<ParamField> &fields() const override { return Fields; }
  const std::string &structType() const override { return Struct; }

  Strings c_headers(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_headers(C); });
  }
  Strings c_header_dirs(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_header_dirs(C); });
  }
  Strings c_libraries(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_libraries(C); });
  }
  Strings c_lib_dirs(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_lib_dirs(C); });
  }
  Strings c_compile_args(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_compile_args(C); });
  }
  Strings c_no_compile_args(std::string_view C) const override {
    return merged([&](const Type &T) { return T.c_no_compile_args(C); });
  }
  Strings c_init_code() const override {
    return merged([](const Type &T) { return T.c_init_code(); });
  }
  Strings c_support_code() const override;
  Expected<std::string> c_compiler() const override;
  Expected<std::string> c_code_cache_version() const override;

  Text c_declare(const Type::Args &) const override {
    return HookText(Struct + " *%(name)s;");
  }
  Text c_init(const Type::Args &) const override {
    return HookText("%(name)s = NULL;");
  }
  Text c_extract(const Type::Args &) const override;
  Text c_sync(const Type::Args &) const override {
    return Error(Error::Kind::Graph, "Parameters cannot be an output.");
  }
  Text c_cleanup(const Type::Args &) const override;
  bool equals(const Type &Other) const override;

private:
  template <typename Hook> Strings merged(Hook Ask) const;
  std::vector<ParamField> Fields;
  std::string Name, Struct, Support;
};
} // namespace

/// Returns every text of every field once, in order.
template <typename Hook>
CodeProvider::Strings StructParams::merged(Hook Ask) const {
  std::vector<std::string> All;
  for (const ParamField &F : Fields) {
    CLINCH_TRY_ASSIGN(std::vector<std::string> Some, Ask(*F.T));
    for (std::string &S : Some)
      if (std::find(All.begin(), All.end(), S) == All.end())
        All.push_back(std::move(S));
  }
  return All;
}

CodeProvider::Strings StructParams::c_support_code() const {
  Strings All = merged([](const Type &T) { return T.c_support_code(); });
  if (!All)
    return All;
  All->push_back(ParamsSupport);
  All->push_back(Support);
  return All;
}

Expected<std::string> StructParams::c_compiler() const {
  for (const ParamField &F : Fields) {
    Expected<std::string> C = F.T->c_compiler();
    if (!C || !C->empty())
      return C;
  }
  return std::string();
}

Expected<std::string> StructParams::c_code_cache_version() const {
  std::string Text = "(1";
  for (const ParamField &F : Fields) {
    Expected<std::string> V = F.T->c_code_cache_version();
    if (!V || !isVersion(*V))
      return V;
    Text += ", '" + F.Name + "', " + *V;
  }
  return Text + ")";
}

Type::Text StructParams::c_extract(const Type::Args &) const {
  return HookText("%(name)s = (" + Struct +
                  " *)PyMem_Calloc(1, sizeof *%(name)s);\n"
                  "if (!%(name)s) {\n"
                  "  PyErr_NoMemory();\n"
                  "  %(fail)s\n"
                  "}\n"
                  "if (" +
                  Name +
                  "_read(%(name)s, py_%(name)s) != 0) {\n"
                  "  %(fail)s\n"
                  "}");
}

Type::Text StructParams::c_cleanup(const Type::Args &) const {
  return HookText("if (%(name)s) {\n  " + Name +
                  "_release(%(name)s);\n"
                  "  PyMem_Free(%(name)s);\n"
                  "}");
}

bool StructParams::equals(const Type &Other) const {
  const auto *P = dynamic_cast<const StructParams *>(&Other);
  return P && std::equal(Fields.begin(), Fields.end(), P->Fields.begin(),
                         P->Fields.end(),
                         [](const ParamField &A, const ParamField &B) {
                           return A.Name == B.Name && A.T->equals(*B.T);
                         });
}

static Status checkName(const std::string &Name) {
  const char *Wrong = !isIdentifier(Name)           ? "is no name in C"
                      : isKeyword(Name)             ? "is a word of C or C++"
                      : Name.starts_with("clinch_") ? "belongs to Clinch"
                                                    : nullptr;
  if (!Wrong)
    return Status::success();
  return Error(Error::Kind::InvalidArgument,
               "The parameter `" + Name + "` " + Wrong + "; rename it.");
}

/// Fails if two fields would declare the same member.
static Status checkMembers(const std::vector<FieldText> &Fields) {
  std::map<std::string, std::string> Owners;
  for (const FieldText &F : Fields) {
    std::vector<std::string> Names = F.Variables;
    Names.push_back("py_" + F.Name);
    for (const std::string &N : Names)
      if (auto [It, New] = Owners.emplace(N, F.Name); !New)
        return Error(Error::Kind::InvalidArgument,
                     "The parameters `" + It->second + "` and `" + F.Name +
                         "` both need the name `" + N + "`; rename one.");
  }
  return Status::success();
}

Expected<TypePtr>
clinch::paramsType(std::vector<std::pair<std::string, TypePtr>> Given) {
  if (Given.empty())
    return Error(Error::Kind::InvalidArgument,
                 "A ParamsType needs at least one parameter.");
  std::vector<ParamField> Fields;
  Fields.reserve(Given.size());
  for (auto &[Name, T] : Given)
    Fields.push_back({std::move(Name), std::move(T)});
  std::sort(
      Fields.begin(), Fields.end(),
      [](const ParamField &A, const ParamField &B) { return A.Name < B.Name; });
  std::vector<FieldText> Texts;
  for (const ParamField &F : Fields) {
    CLINCH_TRY(checkName(F.Name));
    CLINCH_TRY_ASSIGN(FieldText Text, fieldText(F));
    Texts.push_back(std::move(Text));
  }
  CLINCH_TRY(checkMembers(Texts));
  std::string Name = structName(Texts), Support = structText(Name, Texts);
  return std::make_shared<StructParams>(std::move(Fields), std::move(Name),
                                        std::move(Support));
}
