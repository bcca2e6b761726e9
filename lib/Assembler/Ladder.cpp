// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested blocks, each with its label.
//
//   { // Block n
//     declarations           visible to the behaviour and to the cleanup
//     { behaviour }          `fail` jumps to label_n
//     { ... block n+1 ... }
//   label_n:;
//     { cleanup }
//   }
//
// The behaviour's own variables end at its braces, so a jump past them is legal
// in C++ too. There are two exceptions. Those of c_validate_update are visible
// to the blocks after it, c_code's first: its braces close just before label_n.
// And where an apply's cleanup sees them (SharedScope.h), its braces close
// after the cleanup.

#include "Emitter.h"

#include "lib/Support/Text.h"

#include <algorithm>

using namespace clinch;

void Emitter::region(std::string_view Text, const Piece &Of, std::string Origin,
                     Author Whose, Region::Role Role, const Block *B) {
  Writer::Span At = W.authored(Text, Origin, Of.line());
  Region R;
  R.Name = std::move(Origin);
  R.Kind = Role;
  R.Begin = At.Begin;
  R.End = At.End;
  if (Of.Source)
    R.Parts = Of.Source->LineNames;
  if (B) {
    R.Block = B->Number;
    R.Label = labelToFailTo(*B, Of);
  }
  if (Role == Region::Role::Declarations) {
    R.Required = B->Name;
    R.Reserved = {"py_" + B->Name, "storage_" + B->Name};
  }
  Out.Options.Regions.push_back(std::move(R));
  Out.Authors.push_back(std::move(Whose));
}

/// Returns whether the last token is certainly `;`, as the last character is,
/// after the last directive, and no line comment is there.
static bool endsInSemicolon(std::string_view Text) {
  if (isBlank(Text))
    return true;
  if (size_t Mark = Text.rfind('#'); Mark != Text.npos) {
    const size_t Line = Text.find('\n', Mark);
    if (Line == Text.npos || Text[Line - 1] == '\\')
      return false;
    Text.remove_prefix(Line + 1);
  }
  const size_t End = Text.find_last_not_of(" \t\r\n\f\v");
  return End != Text.npos && Text[End] == ';' && Text.find("//") == Text.npos;
}

/// A `static`, `typedef` or attribute at the end of a text would apply to the
/// text after it. Before an assertion it is an error.
void Emitter::close(std::string_view Text) {
  if (!endsInSemicolon(Text))
    assertNothing();
}

/// Nor does `-pedantic-errors` take a `_Static_assert` in C++ or before C11.
void Emitter::assertNothing() {
  W.line(cxx() ? "static_assert(1, \"\");"
               : "__extension__ _Static_assert(1, \"\");");
}

void Emitter::authored(const Block &B, const Piece &Text, Region::Role Role) {
  if (Text.Ours) {
    W.lines(Text.Text);
    if (Role == Region::Role::Declarations)
      Out.Options.Variables.push_back(B.Name);
    return;
  }
  region(Text.Text, Text, B.origin(Text), B.author(Text), Role, &B);
  if (Role == Region::Role::Declarations)
    close(Text.Text);
}

/// Writes an author's statements in braces of their own. If they throw in C++,
/// the block fails as with `%(fail)s`; if it may not fail, the Python exception
/// stays pending.
void Emitter::behaviour(const Block &B, const Piece &Text) {
  if (Text.empty())
    return;
  if (Text.Ours && !cxx())
    return W.lines(Text.Text);
  openBehaviour(B, Text);
  closeBehaviour(B, Text);
}

void Emitter::openBehaviour(const Block &B, const Piece &Text) {
  openTry(Text);
  const std::string Label = labelToFailTo(B, Text);
  const bool FailsByAssert = P.Asserts && !cxx() && !Label.empty();
  if (FailsByAssert)
    assertTo(failTo(B.Number, Label));
  authored(B, Text, Label.empty() ? Region::Role::NoFail : Region::Role::Code);
  if (FailsByAssert)
    assertTo("");
  // No brace of ours follows, so an unfinished statement ends here.
  if (&Text == &B.Behaviour && sharesScope(B))
    assertNothing();
}

/// Says what a false `assert` does in C: \p Fail in a block, and elsewhere, if
/// that is empty, the call of the thunk ends. In C++ it throws everywhere.
void Emitter::assertTo(const std::string &Fail) {
  W.line("#undef __assert_fail");
  if (Fail.empty())
    W.line("#define __assert_fail clinch_asserted");
  else
    W.line({"#define __assert_fail(...) __extension__ ({ "
            "clinch_assertion(__VA_ARGS__); ",
            Fail, " })"});
}

void Emitter::closeBehaviour(const Block &B, const Piece &Text) {
  const std::string Label = labelToFailTo(B, Text);
  closeTry(cxx() ? B.origin(Text) : "",
           Label.empty() ? "" : failTo(B.Number, Label));
}

/// Returns an empty label for a text that may not fail.
std::string Emitter::labelToFailTo(const Block &B, const Piece &Text) const {
  if (&Text == &B.Behaviour)
    return failLabel(B.Number);
  if (B.Syncs && &Text == &B.Syncs->Own && P.SyncMayFail)
    return syncFailLabel(B.Number);
  return "";
}

void Emitter::openTry(const Piece &Text) {
  W.line({cxx() ? "try { // " : "{ // ", Text.Hook});
  W.indent();
}

void Emitter::closeTry(const std::string &Origin, const std::string &Then) {
  if (!cxx())
    return W.close();
  W.dedent();
  W.line("} catch (...) {");
  W.indent();
  W.line({"clinch_thrown(\"", escaped(Origin), "\");"});
  if (!Then.empty())
    W.line(Then);
  W.close();
}

static const char *kindName(BlockKind K) {
  switch (K) {
  case BlockKind::Input:
    return "an input";
  case BlockKind::Constant:
    return "a constant";
  case BlockKind::Temporary:
    return "a temporary";
  case BlockKind::Output:
    return "an output";
  case BlockKind::InitStruct:
    return "its struct code";
  case BlockKind::Validate:
    return "its validation";
  case BlockKind::Code:
    break;
  }
  return "its code";
}

static std::string title(const Block &B) {
  std::string Out = "Block " + std::to_string(B.Number) + ": ";
  if (B.Var)
    return Out + B.Subject + ", " + kindName(B.Kind) + ".";
  return Out + "`" + escaped(B.Provider->className()) + "` as " + B.Subject +
         ", " + kindName(B.Kind) + ".";
}

bool clinch::readsCell(const Block &B) {
  return B.Kind == BlockKind::Input || B.Kind == BlockKind::Constant ||
         (B.Kind == BlockKind::Output &&
          std::string_view(B.Behaviour.Hook) == "c_extract_out");
}

bool clinch::hasCell(const Block &B) {
  return readsCell(B) || B.Kind == BlockKind::Output;
}

/// Returns the statement that fails before \p B has anything to clean up.
std::string Emitter::failUnopened(const Block &B) const {
  return Around ? failTo(B.Number, failLabel(Around->Number))
                : "return " + std::to_string(B.Number) + ";";
}

/// Declares an object of Python's. A failure in C++ may jump past no value, nor
/// may the ladder of init that is undone.
void Emitter::declare(const std::string &Name, const std::string &Value) {
  if (cxx()) {
    W.line({"PyObject *", Name, ";"});
    W.line({Name, " = ", Value, ";"});
  } else {
    W.line({"PyObject *", Name, " = ", Value, ";"});
  }
}

/// Gives py_<name> a reference of its own. Python code run by an earlier block
/// may have changed the list.
void Emitter::fetch(const Block &B, bool IsMember) {
  const bool Reads = readsCell(B);
  if (Reads && !Untouched)
    W.line(
        {"if (PyList_GET_SIZE(storage_", B.Name, ") != 1) ", failUnopened(B)});
  const std::string Name = "py_" + B.Name;
  const std::string Value =
      Reads ? "PyList_GET_ITEM(storage_" + B.Name + ", 0)" : "Py_None";
  if (IsMember)
    W.line({Name, " = ", Value, ";"});
  else
    declare(Name, Value);
  W.line({"Py_INCREF(", Name, ");"});
}

void Emitter::openVariable(const Block &B) {
  if (hasCell(B)) {
    std::string Cell = std::to_string(P.CellOf[B.Var->index()] - 1);
    declare("storage_" + B.Name, "clinch_cells[" + Cell + "]");
  }
  if (isKept(B))
    return;
  const Placement &Pl = L.Places[B.Number - 1];
  if (!Pl.NoPython)
    fetch(B, Pl.PythonMember);
  if (!Pl.Member && !B.Declare.empty())
    authored(B, B.Declare, Region::Role::Declarations);
}

static bool makesObjects(const Block &B) {
  return B.Syncs && !B.Syncs->PythonFirst.empty();
}

/// Makes the Python objects that the code of \p B names. If that fails, the
/// block was never entered: the jump goes past its cleanup.
void Emitter::pythonFirst(const Block &B) {
  Region::Role Role = P.SyncMayFail ? Region::Role::Code : Region::Role::NoFail;
  if (!makesObjects(B))
    return;
  const std::string Label = syncFailLabel(B.Number);
  for (const auto &[Of, Sync] : B.Syncs->PythonFirst) {
    openTry(Sync.Text);
    if (Sync.Text.Ours)
      W.lines(Sync.Text.Text);
    else
      region(Sync.Text.Text, Sync.Text, Sync.Origin, Sync.Whose, Role, &B);
    closeTry(Sync.Origin, failTo(B.Number, Label));
    W.line({"if (!py_", block(P.Numbers[Of->index()]).Name, ") ",
            failTo(B.Number, Label)});
  }
}

/// A floating block only gives its own variable a value, so it needs no label.
void Emitter::openFloating(const Chunk &C, const Block &B) {
  W.line({"// ", title(B)});
  auto Write = [&](const Piece &Text, Region::Role Role) {
    if (L.Places[B.Number - 1].Harmless && !Text.Ours)
      W.authored(Text.Text, B.origin(Text), Text.line());
    else
      authored(B, Text, Role);
  };
  if (L.Places[B.Number - 1].Harmless && !B.Declare.Ours)
    Out.Options.Variables.push_back(B.Name);
  if (!L.Places[B.Number - 1].Member)
    Write(B.Declare, Region::Role::Declarations);
  else if (std::binary_search(C.Copied.begin(), C.Copied.end(), B.Number))
    W.line({"__typeof__(", self(), B.Name, ") ", B.Name, ";"});
  if (!B.Behaviour.empty())
    Write(B.Behaviour, Region::Role::Code);
}

/// Closes the scope of code and cleanup. In C++ what the code declared is gone
/// in the handler, so this cleanup does not run if the code throws.
void Emitter::closeShared(const Block &B) {
  closeTry(B.origin(B.Behaviour),
           "failure = " + std::to_string(B.Number) + ";");
}

/// A validation's braces stay open, so that later blocks see its variables.
bool Emitter::staysOpen(const Block &B) const {
  return (B.Kind == BlockKind::Validate && !B.Behaviour.empty()) ||
         sharesScope(B);
}

void Emitter::openBlocks(const std::vector<const Block *> &Blocks, bool First) {
  Around = nullptr;
  Untouched = First;
  for (const Block *B : Blocks) {
    openBlock(*B);
    Around = B;
    Untouched = false;
  }
}

void Emitter::openBlock(const Block &B) {
  W.open(title(B));
  if (B.Var)
    openVariable(B);
  if (isKept(B))
    return;
  pythonFirst(B);
  if (staysOpen(B))
    openBehaviour(B, B.Behaviour);
  else
    behaviour(B, B.Behaviour);
  if (P.Options.Launches && !B.Behaviour.empty())
    W.line({"if (clinch_launch_failed()) ",
            failTo(B.Number, failLabel(B.Number))});
  if (P.CheckPending)
    W.line({"if (PyErr_Occurred()) ", failTo(B.Number, failLabel(B.Number))});
  outputCheck(B);
  releaseAfter(B);
}

/// Looks at what the Op has left, before other code uses it.
void Emitter::outputCheck(const Block &B) {
  if (!B.OutputCheck)
    return;
  W.lines(*B.OutputCheck);
}

/// A variable that is used again begins with None.
void Emitter::forgetObject(const Block &B) {
  W.line({"Py_XDECREF(py_", B.Name, ");"});
  W.line({"py_", B.Name, " = Py_None;"});
  W.line({"Py_INCREF(py_", B.Name, ");"});
}

/// Releases temporaries that no later block uses. Their own blocks may be in
/// another function, so a failure here jumps to the label of \p B.
void Emitter::releaseAfter(const Block &B) {
  auto At = Ending.find(B.Number);
  if (At == Ending.end())
    return;
  std::string Label = failLabel(B.Number);
  for (const Block *V : At->second) {
    W.line({"// ", V->Subject, " is not used again."});
    behaviour(*V, V->Cleanup);
    if (!L.Places[V->Number - 1].NoPython)
      forgetObject(*V);
    if (V->Behaviour.empty())
      continue;
    openTry(V->Behaviour);
    authored(*V, V->Behaviour, Region::Role::Code);
    closeTry(V->origin(V->Behaviour), failTo(V->Number, Label));
  }
}

/// Writes the cell: the only place that does, and only if nothing failed.
void Emitter::sync(const Block &B) {
  const bool IsMade = B.Syncs->Own.Ours;
  const std::string NoObject = B.origin(B.Syncs->Own) + " left `py_" + B.Name +
                               "` NULL without setting an exception";
  W.line("if (!failure) {");
  W.indent();
  behaviour(B, B.Syncs->Own);
  W.line({"if (clinch_put(storage_", B.Name, ", py_", B.Name, ", ",
          IsMade ? "NULL" : "\"" + escaped(NoObject) + "\"", ") < 0)"});
  W.line({"  failure = ", std::to_string(B.Number), ";"});
  W.close();
  if (P.SyncMayFail)
    W.line({syncFailLabel(B.Number), ":;"});
}

/// In C++ a variable may be an object, constructed anew with its block. If a
/// split ladder made it a member, it must be reconstructed explicitly.
bool Emitter::isRenewed(const Block &B) const {
  if (!cxx() || P.Shape != Form::Struct || !B.Var || B.InState)
    return false;
  const Placement &Pl = L.Places[B.Number - 1];
  return Pl.Member && !Pl.Declared->Plain;
}

void Emitter::closeBlock(const Block &B) {
  if (staysOpen(B) && !sharesScope(B))
    closeBehaviour(B, B.Behaviour);
  W.dedent();
  W.line({failLabel(B.Number), ":;"});
  W.indent();
  if (B.Kind == BlockKind::Output && !InInit)
    sync(B);
  if (isKept(B)) {
    forgetObject(B);
    return W.close();
  }
  behaviour(B, B.Cleanup);
  if (sharesScope(B))
    closeShared(B);
  if (makesObjects(B))
    W.line({syncFailLabel(B.Number), ":;"});
  if (B.Var && !L.Places[B.Number - 1].NoPython)
    W.line({"Py_XDECREF(py_", B.Name, ");"});
  if (isRenewed(B))
    for (const std::string &Name : L.Places[B.Number - 1].Declared->Names)
      W.line({"clinch_renew(", Name, ");"});
  W.close();
}
