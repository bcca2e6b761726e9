//===- ParamsText.cpp - A struct of parameters as C text -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParamsText.h"

#include "../Assembler/Declarations.h"
#include "clinch/Support/Hash.h"

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
  VariableArgs May{F.Name, Sub}, MayNot{F.Name, NoFail};

  auto Declare = filled(F.T->c_declare(MayNot), "c_declare", F, NoFail);
  if (!Declare)
    return Declare.takeError();
  auto Extract = filled(F.T->c_extract(May), "c_extract", F, Sub);
  if (!Extract)
    return Extract.takeError();
  auto Cleanup = filled(F.T->c_cleanup(MayNot), "c_cleanup", F, NoFail);
  if (!Cleanup)
    return Cleanup.takeError();
  Declarations D = readDeclarations(*Declare);
  return FieldText{F.Name,
                   std::move(*Declare),
                   std::move(*Extract),
                   std::move(*Cleanup),
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

/// Hooks name variables, the struct has members: `memcpy` takes arrays too.
static std::string copies(const FieldText &F, bool ToMembers) {
  std::string Text;
  for (const std::string &V : F.Variables) {
    std::string Member = "&clinch_self->" + V, Local = "&" + V;
    Text += "  memcpy(" +
            (ToMembers ? Member + ", " + Local : Local + ", " + Member) +
            ", sizeof " + V + ");\n";
  }
  return Text;
}

static std::string readText(const std::string &Name, const FieldText &F) {
  return "static int " + Name + "_read_" + F.Name + "(struct " + Name +
         " *clinch_self, PyObject *clinch_values) {\n"
         "  int clinch_failure = 0;\n"
         "  PyObject *py_" +
         F.Name + " = clinch_params_item(clinch_values, \"" + F.Name +
         "\");\n" + F.Declare + "\n  if (!py_" + F.Name +
         ")\n    return clinch_params_failed(\"" + F.Name + "\");\n  {\n" +
         F.Extract + "\n  }\n  if (clinch_failure) {\n  clinch_label_" +
         F.Name + ":\n  {\n" + F.Cleanup + "\n  }\n    Py_DECREF(py_" + F.Name +
         ");\n    return clinch_params_failed(\"" + F.Name + "\");\n  }\n" +
         copies(F, true) + "  clinch_self->py_" + F.Name + " = py_" + F.Name +
         ";\n  return 0;\n}\n";
}

static std::string releaseText(const std::string &Name, const FieldText &F) {
  return "static void " + Name + "_release_" + F.Name + "(struct " + Name +
         " *clinch_self) {\n"
         "  PyObject *py_" +
         F.Name + " = clinch_self->py_" + F.Name + ";\n" + F.Declare + "\n" +
         copies(F, false) + "  {\n" + F.Cleanup + "\n  }\n  Py_DECREF(py_" +
         F.Name + ");\n}\n";
}

std::string clinch::structText(const std::string &Name,
                               const std::vector<FieldText> &Fields) {
  std::string Types, Members, Functions, Read, Release;
  size_t Done = 0;
  for (const FieldText &F : Fields) {
    // A typedef in a struct is C++ only; outside, where all parameters meet,
    // it stands only if a member needs it.
    if (F.Members.find("dtype_" + F.Name) != std::string::npos)
      Types += F.Types + "\n";
    Members += F.Members + "\n  PyObject *py_" + F.Name + ";\n";
    Functions += readText(Name, F) + releaseText(Name, F);
    Read += "  if (" + Name + "_read_" + F.Name +
            "(clinch_self, clinch_values) != 0)\n    return -1;\n  "
            "++clinch_self->clinch_done;\n";
    Release = "  if (clinch_self->clinch_done > " + std::to_string(Done++) +
              ")\n    " + Name + "_release_" + F.Name + "(clinch_self);\n" +
              Release;
  }
  return Types + "struct " + Name + " {\n  int clinch_done;\n" + Members +
         "};\n" + Functions + "static int " + Name + "_read(struct " + Name +
         " *clinch_self, PyObject *clinch_values) {\n" + Read +
         "  return 0;\n}\nstatic void " + Name + "_release(struct " + Name +
         " *clinch_self) {\n" + Release + "}\n";
}
