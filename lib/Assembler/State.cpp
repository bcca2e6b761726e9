// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes all before the functions.

#include "Emitter.h"

#include "lib/Support/Lexer.h"

#include <algorithm>

using namespace clinch;

/// Defined by the runtime.
static constexpr std::string_view Thrown =
    "extern \"C\" __attribute__((cold))\n"
    "void clinch_thrown(const char *hook) noexcept;";

/// Defined by the runtime. Says what is wrong with what an Op has left.
static constexpr std::string_view WrongOutput =
    "__attribute__((cold)) void clinch_wrong_output(\n"
    "    PyObject *left, const char *hook, const char *output,\n"
    "    const char *wanted);";

/// Defined by the runtime. glibc's `assert` calls `__assert_fail`.
static constexpr std::string_view Asserted =
    "void clinch_assertion(const char *what, const char *file,\n"
    "                      unsigned line, const char *function);\n"
    "__attribute__((cold, noreturn))\n"
    "void clinch_asserted(const char *what, const char *file,\n"
    "                     unsigned line, const char *function);";

/// Defined by the runtime, for code in CUDA.
static constexpr std::string_view Launched =
    "extern \"C\" int clinch_launch_failed() noexcept;";

/// Placement new, for objects that are reconstructed in place.
static constexpr std::string_view Placing = R"(
struct clinch_place {};
inline void *operator new(size_t, void *Where, clinch_place) noexcept
{
  return Where;
}
)";

static constexpr std::string_view Renewing = R"(
template <typename T> inline void clinch_renew(T &Old)
{
  Old.~T();
  new (&Old, clinch_place()) T();
}
template <typename T, size_t N> inline void clinch_renew(T (&Old)[N])
{
  for (T &Each : Old)
    clinch_renew(Each);
}
)";

/// What a structured binding takes apart: an object alone.
static constexpr std::string_view Only =
    "template <typename T> struct __attribute__((may_alias)) clinch_only {\n"
    "  T is;\n"
    "};";

/// Writes \p Text, which is that of \p G or derived from it.
void Emitter::global(const GlobalPiece &G, std::string_view Text) {
  if (includesOurs(Text))
    return W.line(Text);
  region(Text, G.Text, G.Origin, G.Whose, Region::Role::Free, nullptr);
}

/// Turns `assert` on, which Python's headers have off. In C a false one in a
/// function unwinds it, and the blocks, whose memory is lost.
void Emitter::assertions() {
  W.line("#include <assert.h>");
  if (cxx())
    W.line("extern \"C\" {");
  W.line(Asserted);
  if (cxx())
    W.line("}");
  else
    Out.Options.Flags.insert(Out.Options.Flags.begin(), "-fexceptions");
  assertTo("");
}

void Emitter::prelude() {
  W.line("#include <Python.h>");
  W.line("#include <clinch/thunk.h>");
  if (P.Asserts)
    assertions();
  for (const Include &I : P.Includes) {
    if (I.Origin.empty() || isInPrefix(I.Header))
      W.line({"#include ", I.Header});
    else
      region("#include " + I.Header, {}, I.Origin, I.Whose, Region::Role::Free,
             nullptr);
  }
  W.blank();
  for (const GlobalPiece &G : P.Support) {
    global(G, G.Text.Text);
    if (!includesOurs(G.Text.Text))
      close(G.Text.Text);
  }
  if (cxx())
    W.line(Thrown);
  if (Out.Options.Launches)
    W.line(Launched);
  if (std::any_of(L.Run.begin(), L.Run.end(),
                  [](const Chunk &C) { return !C.Bound.empty(); }))
    W.line(Only);
  if (P.ChecksOutputs)
    W.line({cxx() ? "extern \"C\" " : "", WrongOutput});
  if (P.Shape != Form::Struct || !HasObjects)
    return;
  W.line(Placing);
  for (const Block &B : P.Blocks)
    if (isRenewed(B))
      return W.line(Renewing);
}

/// Writes typedefs before the struct, as C does not allow them inside, and with
/// them directives.
void Emitter::stateTypes() {
  for (size_t I = 0; I < L.Places.size(); ++I) {
    if (!L.Places[I].Member)
      continue;
    const std::string &Types = L.Places[I].Declared->Types;
    const Piece &Declare = P.Blocks[I].Declare;
    if (isBlank(Types))
      continue;
    if (Declare.Ours)
      W.lines(Types);
    else
      region(Types, Declare, P.Blocks[I].origin(Declare),
             P.Blocks[I].author(Declare), Region::Role::Declarations,
             &P.Blocks[I]);
  }
  for (const StructPiece &S : P.StructSupport)
    if (std::string Types = readDeclarations(S.Global.Text.Text).Types;
        !isBlank(Types))
      global(S.Global, Types);
}

void Emitter::members(const Block &B) {
  const Placement &Pl = L.Places[B.Number - 1];
  if (Pl.PythonMember)
    W.line({"PyObject *py_", B.Name, ";"});
  const std::string &Text = cxx() ? B.Declare.Text : Pl.Declared->Members;
  if (B.Declare.Ours) {
    W.lines(Text);
    Out.Options.Variables.push_back(B.Name);
    return;
  }
  region(Text, B.Declare, B.origin(B.Declare), B.author(B.Declare),
         Region::Role::Declarations, &B);
  close(Text);
}

void Emitter::structMembers(const StructPiece &S) {
  Declarations D;
  if (!cxx())
    D = readDeclarations(S.Global.Text.Text);
  const std::string &Text = cxx() ? S.Global.Text.Text : D.Members;
  global(S.Global, Text);
  close(Text);
  if (!cxx())
    StructNames[S.Node->index()] = std::move(D.Names);
}

/// Writes the struct of all that outlives one function.
void Emitter::state() {
  if (!cxx())
    stateTypes();
  W.line("struct clinch_state {");
  W.indent();
  W.line("PyObject *const *clinch_cells;");
  for (size_t I = 0; I < L.Places.size(); ++I)
    if (L.Places[I].Member)
      members(P.Blocks[I]);
  for (const StructPiece &S : P.StructSupport)
    structMembers(S);
  if (cxx())
    prototypes();
  W.dedent();
  W.line("};");
  // One function is defined before it is called.
  if (!cxx() && L.Run.size() + L.Keep.size() > 2)
    prototypes();
  W.blank();
}

void Emitter::prototypes() {
  if (keeps())
    for (size_t I = 0; I < L.Keep.size(); ++I)
      W.line({signature("clinch_keep", I, "int undo", true), ";"});
  for (size_t I = 0; I < L.Run.size(); ++I)
    W.line({signature("clinch_ladder", I, "", true), ";"});
}

/// Returns whether \p G is only `import_array();`.
static bool importsArray(const GlobalPiece &G) {
  Lexer L(G.Text.Text);
  return L.next().is("import_array") && L.next().is('(') && L.next().is(')') &&
         L.next().is(';') && L.next().What == Token::End;
}

void Emitter::moduleInit() {
  if (P.InitCode.empty())
    return;
  Out.Init = std::all_of(P.InitCode.begin(), P.InitCode.end(), importsArray)
                 ? ModuleInit::Imports
                 : ModuleInit::OwnCode;
  W.blank();
  if (Out.Init == ModuleInit::Imports)
    return W.line({cxx() ? "extern \"C\" " : "", "CLINCH_IMPORTS_ARRAYS"});
  // NumPy's import_array() executes `return NULL` on failure.
  W.line("static void *clinch_init_code(void)");
  W.open();
  for (const GlobalPiece &G : P.InitCode) {
    W.open();
    global(G, G.Text.Text);
    W.close();
  }
  W.line("return Py_None;");
  W.close();
  W.blank();
  entry("int clinch_module_init(void)");
  // Each function of this text calls it.
  W.line("static int clinch_begun = 0;");
  W.line("if (!clinch_begun)");
  W.line("  clinch_begun = clinch_init_code() && !PyErr_Occurred();");
  W.line("return clinch_begun ? 0 : -1;");
  W.close();
}
