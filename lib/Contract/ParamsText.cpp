// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of parameters as C text.

#include "ParamsText.h"

#include "lib/Contract/FillTemplate.h"
#include "lib/Support/Declarations.h"
#include "lib/Support/Hash.h"

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
