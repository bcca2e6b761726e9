// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The defaults of a Type.

#include "clinch/Contract/Type.h"
#include "lib/Contract/FillTemplate.h"

#include "LineDirective.h"

using namespace clinch;

namespace {
/// Joins two hooks' texts; each keeps its name and lines in messages.
class Merger {
public:
  Merger(const Type &T, const Type::Args &A) : T(T), A(A) {}
  void ours(const std::string &Line) { Out.Text += Line + "\n"; }
  Status add(const char *Hook, Type::Text Text);
  HookText Out = HookText::filled("");

private:
  const Type &T;
  const Type::Args &A;
};
} // namespace

Status Merger::add(const char *Hook, Type::Text Text) {
  if (!Text)
    return Text.takeError();
  std::string Name = "`" + T.className() + "." + Hook + "` for `" + A.Name +
                     "`" + (Text->File.empty() ? "" : " in " + Text->File);
  if (!Text->Filled) {
    CLINCH_TRY_ASSIGN(Text->Text, fillTemplate(Text->Text, A.Sub, Name));
  }
  Out.Text += lineDirective(Text->Line ? Text->Line : 1, Name);
  Out.Text += Text->Text + "\n";
  Out.LineNames.push_back(std::move(Name));
  return Status::success();
}

Type::Text Type::c_extract_out(const Type::Args &A) const {
  Merger M(*this, A);
  M.ours("if (py_" + A.Name + " == Py_None) {");
  CLINCH_TRY(M.add("c_init", c_init(A)));
  M.ours("} else {");
  CLINCH_TRY(M.add("c_extract", c_extract(A)));
  M.ours("}");
  M.Out.MadeOf = "c_extract"; // The hook that the author did write.
  return std::move(M.Out);
}

Type::Text Type::c_cleanup(const Type::Args &) const { return HookText(); }

Expected<bool> Type::c_is_simple() const { return false; }

Expected<std::string> Type::c_literal(const Variable &) const {
  return std::string();
}

Expected<std::string> Type::c_element_type() const { return std::string(); }

std::string Type::dtype() const { return {}; }
