// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of computed inputs, made before use.
//
// Ops assume that `py_<input>` holds every input. For one that is computed in
// this thunk it does not yet, so c_sync makes the object before their code, if
// that may need it: it names the object, or hands the input, a pointer to a
// Python object, to something that may release it while the code goes on using
// what it owns. What a macro or a function does is not asked: it may, except in
// the code of Ops that come with Clinch.

#include "Builder.h"

#include "lib/Support/Lexer.h"

using namespace clinch;

namespace {

/// Reads whether a text hands one variable to something that may release it.
class Handing {
public:
  Handing(std::string_view Text, std::string_view Name)
      : Text(Text), Names{Name} {}
  bool run();

private:
  bool define(const Token &T);
  void punct(const Token &T);
  bool isHanded(const Token &Next) const;

  std::string_view Text;
  NameSet Names;           ///< The variable's, and macros that are only that.
  std::vector<bool> Calls; ///< For each open parenthesis.
  Token Last;              ///< The token before the current one.
};

} // namespace

/// Whether a call of \p T only looks at its arguments, or is none.
static bool onlyLooks(const Token &T) {
  for (const char *Word : {"if", "while", "for", "switch", "return", "sizeof",
                           "Py_INCREF", "Py_XINCREF", "Py_TYPE", "Py_REFCNT"})
    if (T.is(Word))
      return true;
  return T.Text.substr(0, 8) == "PyArray_" &&
         T.Text.find("DECREF") == T.Text.npos;
}

/// Returns whether the macro hides a use of the variable.
bool Handing::define(const Token &T) {
  std::string_view Line = T.Text.substr(T.Text.find_first_of("#:") + 1);
  if (!usesAny(Line, Names))
    return false;
  Lexer L(Line);
  if (!L.next().is("define"))
    return false;
  Token Macro = L.next(), First = L.next();
  if (!Names.count(First.Text) || L.next().What != Token::End)
    return true;
  Names.insert(Macro.Text);
  return false;
}

void Handing::punct(const Token &T) {
  if (T.is(')') && !Calls.empty())
    Calls.pop_back();
  if (!T.is('('))
    return;
  bool Around = !Calls.empty() && Calls.back();
  bool Computed = Last.is(')') || Last.is(']'); // Or a cast: that costs little.
  Calls.push_back(Last.What == Token::Identifier ? !onlyLooks(Last)
                                                 : Computed || Around);
}

/// Whether the name before \p Next is an argument, or a value that is kept.
bool Handing::isHanded(const Token &Next) const {
  if (Next.is('[') || Next.is('.') || Next.is('-'))
    return false;
  if (!Calls.empty())
    return Calls.back();
  return Next.is(';') || Next.is(',') || Next.is('}') || Next.is(':');
}

bool Handing::run() {
  Lexer L(Text);
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.What == Token::Directive) {
      if (define(T))
        return true;
      continue;
    }
    if (Last.What == Token::Identifier && Names.count(Last.Text) && isHanded(T))
      return true;
    punct(T);
    Last = T;
  }
  return false;
}

/// Whether \p B declares a pointer to a Python object.
static bool isObject(const Block &B) {
  Lexer L(B.Declare.Text);
  Token Last;
  for (Token T = L.next(); T.What != Token::End; Last = T, T = L.next())
    if (T.is('*') && Last.Text.substr(0, 2) == "Py" &&
        Last.Text.find("Object") != Last.Text.npos)
      return true;
  return false;
}

/// \p Releases: Whether the text may release what it is handed.
static bool needsObject(const Piece &Text, const Block &Of,
                        const AuthorMacros &Support, bool Releases) {
  return namesPython(Text.Text, "py_" + Of.Name, Support) ||
         (Releases && isObject(Of) && Handing(Text.Text, Of.Name).run());
}

Status Builder::addPythonNames(Block &B) {
  std::unordered_set<const Variable *> Done;
  const bool Releases = !B.Node->op().leavesWhatItSays(*B.Node);
  for (const Variable *V : B.Node->inputs()) {
    if (!V->owner() || About[V->index()].IsInput || !Done.insert(V).second)
      continue;
    const Block &Of = P.Blocks[P.Numbers[V->index()] - 1];
    if (!needsObject(B.Behaviour, Of, P.Macros, Releases) &&
        !needsObject(B.Cleanup, Of, P.Macros, Releases))
      continue;
    Substitutions Sub;
    Sub.set("name", Of.Name);
    Sub.set("py_ptr", "py_" + Of.Name);
    Sub.set("stor_ptr", "storage_" + Of.Name);
    Sub.set("failure_var", "failure");
    Sub.set("id", std::to_string(B.Number));
    if (O.SyncMayFail)
      Sub.set("fail", failTo(B.Number, syncFailLabel(B.Number)));
    GlobalPiece Sync;
    CLINCH_TRY(take(Sync.Text,
                    V->type().c_sync({Of.Name, Sub, true, Of.Subject}),
                    "c_sync", Sub, V->type(), Of.Subject));
    Sync.Text.Ours &= Of.Declare.Ours;
    Sync.Whose = Of.author(Sync.Text);
    Sync.Origin = Of.origin(Sync.Text);
    B.addSyncs().PythonFirst.emplace_back(V, std::move(Sync));
  }
  return Status::success();
}

Status Builder::addPythonNames() {
  for (Block &B : P.Blocks)
    if (B.Kind == BlockKind::Code)
      CLINCH_TRY(addPythonNames(B));
  return Status::success();
}
