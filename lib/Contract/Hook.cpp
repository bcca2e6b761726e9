// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks, and the defaults of Types and Ops.

#include "clinch/Contract/Hook.h"
#include "CNames.h"
#include "clinch/Contract/Op.h"
#include "clinch/Contract/Type.h"
#include "lib/Contract/CNames.h"

#include <algorithm>

using namespace clinch;

void Substitutions::set(std::string Key, std::string Value) {
  for (auto &[K, V] : Items)
    if (K == Key) {
      V = std::move(Value);
      return;
    }
  Items.emplace_back(std::move(Key), std::move(Value));
}

const std::string *Substitutions::find(std::string_view Key) const {
  for (const auto &[K, V] : Items)
    if (K == Key)
      return &V;
  return nullptr;
}

/// "`a`, `b` and `c`".
static std::string listOfKeys(const Substitutions &Sub) {
  std::string List;
  size_t Left = Sub.items().size();
  for (const auto &[K, V] : Sub.items()) {
    if (!List.empty())
      List += Left == 1 ? " and " : ", ";
    List += "`" + K + "`";
    --Left;
  }
  return List;
}

/// An error about the `%` at \p At of \p Template.
static Error templateError(std::string_view Template, size_t At,
                           std::string_view Hook, const std::string &Message) {
  size_t Begin = Template.rfind('\n', At);
  Begin = Begin == std::string_view::npos ? 0 : Begin + 1;
  size_t End = std::min(Template.find('\n', At), Template.size());
  Diagnostic D;
  D.Origin = Hook;
  D.Line = 1 + std::count(Template.begin(), Template.begin() + Begin, '\n');
  D.Column = At - Begin + 1;
  D.Message = Message;
  D.SourceLine = Template.substr(Begin, End - Begin);
  return {Error::Kind::Hook, "In " + std::string(Hook) + ", " + Message, {D}};
}

static std::string unknownKey(std::string_view Key, const Substitutions &Sub) {
  std::string Name(Key);
  if (Key == "fail")
    return "`%(fail)s` is not allowed: a sync or a cleanup may not fail.";
  if (Sub.items().empty())
    return "the key of `%(" + Name + ")s` is unknown: there are no keys here.";
  return "the key of `%(" + Name + ")s` is unknown: there are " +
         listOfKeys(Sub) + ".";
}

Expected<std::string> clinch::fillTemplate(std::string_view Template,
                                           const Substitutions &Sub,
                                           std::string_view Hook) {
  std::string Out;
  Out.reserve(Template.size() + 64);
  size_t At = 0;
  while (true) {
    size_t Percent = Template.find('%', At);
    Out += Template.substr(At, Percent - At);
    if (Percent == std::string_view::npos)
      return Out;
    std::string_view Rest = Template.substr(Percent + 1);
    if (Rest.starts_with('%')) {
      Out += '%';
      At = Percent + 2;
      continue;
    }
    size_t Close = Rest.starts_with('(') ? Rest.find(")s") : Rest.npos;
    if (Close == Rest.npos || Rest.substr(0, Close).find('\n') != Rest.npos)
      return templateError(Template, Percent, Hook,
                           "a `%` begins neither `%(key)s` nor `%%`: write "
                           "`%%` for a percent sign.");
    std::string_view Key = Rest.substr(1, Close - 1);
    const std::string *Value = Sub.find(Key);
    if (!Value)
      return templateError(Template, Percent, Hook, unknownKey(Key, Sub));
    Out += *Value;
    At = Percent + 1 + Close + 2;
  }
}

CodeProvider::~CodeProvider() = default;

#define LIST(Name)                                                             \
  CodeProvider::Strings CodeProvider::Name(std::string_view) const {           \
    return Strings({});                                                        \
  }
#include "lib/Contract/Hooks.def"

CodeProvider::Strings CodeProvider::c_support_code() const {
  return Strings({});
}
CodeProvider::Strings CodeProvider::c_init_code() const { return Strings({}); }

Expected<std::string> CodeProvider::c_compiler() const { return std::string(); }
Expected<std::string> CodeProvider::c_code_cache_version() const {
  return std::string();
}

#define OP_CODE(Name)                                                          \
  Op::Text Op::Name(const Op::Args &) const { return HookText(); }
#define OP_NODE(Name)                                                          \
  Op::Text Op::Name(const Apply &, const std::string &) const {                \
    return HookText();                                                         \
  }
#include "lib/Contract/Hooks.def"

Op::Text Op::c_init_code_struct(const Op::Args &) const { return HookText(); }

Expected<std::string> Op::c_code_cache_version_apply(const Apply &) const {
  return c_code_cache_version();
}

Expected<Op::VarNames> Op::c_var_names() const { return VarNames{}; }

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
