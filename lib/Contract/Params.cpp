// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of Ops, a struct in C.

#include "Params.h"
#include "CNames.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Version.h"
#include "lib/Support/Declarations.h"
#include "lib/Support/Hash.h"

#include <algorithm>
#include <map>

using namespace clinch;

static Expected<std::string> filled(Expected<HookText> H, const char *Hook,
                                    const ParamField &F,
                                    const Substitutions &Sub) {
  if (!H)
    return H.takeError();
  if (H->Filled)
    return std::move(H->Text);
  return fillTemplate(H->Text, Sub,
                      "`" + F.T->className() + "." + Hook +
                          "` for the parameter `" + F.Name + "`");
}

Expected<FieldText> clinch::fieldText(const ParamField &F) {
  Substitutions Sub;
  Sub.set("name", F.Name);
  Sub.set("py_ptr", "py_" + F.Name);
  const Substitutions NoFail = Sub;
  Sub.set("fail", "{clinch_failure = 1; goto clinch_label_" + F.Name + ";}");
  Type::Args May{F.Name, Sub}, MayNot{F.Name, NoFail};

  CLINCH_TRY_ASSIGN(auto Declare,
                    filled(F.T->c_declare(MayNot), "c_declare", F, NoFail));
  CLINCH_TRY_ASSIGN(auto Extract,
                    filled(F.T->c_extract(May), "c_extract", F, Sub));
  CLINCH_TRY_ASSIGN(auto Cleanup,
                    filled(F.T->c_cleanup(MayNot), "c_cleanup", F, NoFail));
  Declarations D = readDeclarations(Declare);
  return FieldText{F.Name,
                   std::move(Declare),
                   std::move(Extract),
                   std::move(Cleanup),
                   std::move(D.Types),
                   std::move(D.Members),
                   std::move(D.Names)};
}

std::string clinch::structName(const std::vector<FieldText> &Fields) {
  KeyBuilder Key;
  for (const FieldText &F : Fields)
    Key.add(F.Name).add(F.Declare).add(F.Extract).add(F.Cleanup);
  return "clinch_params_" + Key.finish().substr(0, 16);
}

/// Copies the hooks' variables and the struct's members, arrays included.
static std::string copies(const FieldText &F, const char *Template) {
  std::string Text;
  for (const std::string &V : F.Variables) {
    Substitutions Sub;
    Sub.set("v", V);
    Text += *fillTemplate(Template, Sub, "");
  }
  return Text;
}

static constexpr const char *FieldTemplate = R"c(
static int %(struct)s_read_%(name)s(struct %(struct)s *clinch_self,
                                    PyObject *clinch_values) {
  int clinch_failure = 0;
  PyObject *py_%(name)s = clinch_params_item(clinch_values, "%(name)s");
%(declare)s
  if (!py_%(name)s)
    return clinch_params_failed("%(name)s");
  {
%(extract)s
  }
  if (clinch_failure) {
  clinch_label_%(name)s:
  {
%(cleanup)s
  }
    Py_DECREF(py_%(name)s);
    return clinch_params_failed("%(name)s");
  }
%(save)s  clinch_self->py_%(name)s = py_%(name)s;
  return 0;
}
static void %(struct)s_release_%(name)s(struct %(struct)s *clinch_self) {
  PyObject *py_%(name)s = clinch_self->py_%(name)s;
%(declare)s
%(load)s  {
%(cleanup)s
  }
  Py_DECREF(py_%(name)s);
}
)c";

static constexpr const char *StructTemplate = R"c(
%(types)sstruct %(struct)s {
  int clinch_done;
%(members)s};
%(functions)sstatic int %(struct)s_read(struct %(struct)s *clinch_self,
                          PyObject *clinch_values) {
%(read)s  return 0;
}
static void %(struct)s_release(struct %(struct)s *clinch_self) {
%(release)s}
)c";

static std::string fieldFunctions(const std::string &Name, const FieldText &F) {
  Substitutions Sub;
  Sub.set("struct", Name);
  Sub.set("name", F.Name);
  Sub.set("declare", F.Declare);
  Sub.set("extract", F.Extract);
  Sub.set("cleanup", F.Cleanup);
  Sub.set("save",
          copies(F, "  memcpy(&clinch_self->%(v)s, &%(v)s, sizeof %(v)s);\n"));
  Sub.set("load",
          copies(F, "  memcpy(&%(v)s, &clinch_self->%(v)s, sizeof %(v)s);\n"));
  return *fillTemplate(FieldTemplate, Sub, "");
}

std::string clinch::structText(const std::string &Name,
                               const std::vector<FieldText> &Fields) {
  std::string Types, Members, Functions, Read, Release;
  size_t Done = 0;
  for (const FieldText &F : Fields) {
    Substitutions Sub;
    Sub.set("struct", Name);
    Sub.set("name", F.Name);
    Sub.set("done", std::to_string(Done++));
    Sub.set("members", F.Members);
    // C allows no typedef in a struct. Outside it could clash with those of
    // other parameters, so it is written only if a member needs it.
    if (F.Members.find("dtype_" + F.Name) != std::string::npos)
      Types += F.Types + "\n";
    Members +=
        *fillTemplate("%(members)s\n  PyObject *py_%(name)s;\n", Sub, "");
    Functions += fieldFunctions(Name, F);
    Read += *fillTemplate(
        "  if (%(struct)s_read_%(name)s(clinch_self, clinch_values) != 0)\n"
        "    return -1;\n"
        "  ++clinch_self->clinch_done;\n",
        Sub, "");
    Release.insert(
        0, *fillTemplate("  if (clinch_self->clinch_done > %(done)s)\n"
                         "    %(struct)s_release_%(name)s(clinch_self);\n",
                         Sub, ""));
  }
  Substitutions Sub;
  Sub.set("struct", Name);
  Sub.set("types", Types);
  Sub.set("members", Members);
  Sub.set("functions", Functions);
  Sub.set("read", Read);
  Sub.set("release", Release);
  return *fillTemplate(StructTemplate, Sub, "");
}

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
