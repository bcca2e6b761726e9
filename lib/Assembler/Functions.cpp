// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the assembled text.
//
// The innermost block of one function calls the next function, so its own
// blocks stay open meanwhile. The same cleanups run in the same order as if all
// blocks were nested in one function.

#include "Emitter.h"

using namespace clinch;

/// How a function is declared: a member in C++, so that an Op's struct code is
/// in scope; a plain one in C.
std::string Emitter::signature(const char *Ladder, size_t Index,
                               const char *Parameter, bool InStruct) {
  bool Keep = std::string_view(Ladder) == "clinch_keep";
  bool Several = (Keep ? L.Keep : L.Run).size() > 1;
  // Functions that run once per thunk are not worth optimising.
  std::string Out;
  if (InStruct && Several)
    Out = Keep ? "__attribute__((noinline, cold, optnone)) "
               : "__attribute__((noinline)) ";
  std::string Name = Ladder;
  if (Several)
    Name += "_" + std::to_string(Index + 1);
  if (cxx())
    return Out + "int " + (InStruct ? "" : "clinch_state::") + Name + "(" +
           Parameter + ")";
  Out += "static int " + Name + "(struct clinch_state *clinch_self";
  if (*Parameter)
    Out += std::string(", ") + Parameter;
  return Out + ")";
}

std::string Emitter::call(const char *Ladder, size_t Index,
                          const char *Argument) {
  bool Keep = std::string_view(Ladder) == "clinch_keep";
  bool Several = (Keep ? L.Keep : L.Run).size() > 1;
  std::string Name = Ladder;
  if (Several)
    Name += "_" + std::to_string(Index + 1);
  if (cxx())
    return Name + "(" + Argument + ")";
  return Name + "(clinch_self" + (*Argument ? ", " : "") + Argument + ")";
}

/// In C a macro names a member through the state. It has no parentheses, so it
/// is valid only where a name is: `f V1` is no call. Clang's AST shows whether
/// a text gives the name another meaning.
void Emitter::aliases(const Chunk &C, bool Define) {
  if (cxx())
    return;
  auto Alias = [&](std::string_view Prefix, std::string_view Name) {
    if (Define)
      W.line({"#define ", Prefix, Name, " clinch_self->", Prefix, Name});
    else
      W.line({"#undef ", Prefix, Name});
  };
  for (const auto *List : {&C.Members, &C.Copied})
    for (unsigned N : *List)
      if (L.Places[N - 1].PythonMember)
        Alias("py_", block(N).Name);
  for (unsigned N : C.Members)
    for (const std::string &Name : L.Places[N - 1].Declared->Names)
      Alias("", Name);
  for (unsigned N : C.Structs)
    if (auto It = StructNames.find(N); It != StructNames.end())
      for (const std::string &Name : It->second)
        Alias("", Name);
}

static bool needsCells(const Chunk &C) {
  for (const Block *B : C.Blocks)
    if (B->Var && B->Kind != BlockKind::Temporary)
      return true;
  return false;
}

void Emitter::fetchCells(const Chunk &C) {
  if (needsCells(C))
    W.line({"PyObject *const *clinch_cells = ", self(), "clinch_cells;"});
}

/// Copies members to locals of the same names.
void Emitter::load(const Chunk &C, size_t Index, bool Declare) {
  for (unsigned N : C.Copied) {
    const Placement &Pl = L.Places[N - 1];
    if (Declare && Pl.Floating && Pl.Home == Index)
      continue; // It is declared where it opens.
    for (const std::string &Name : Pl.Declared->Names) {
      if (Declare)
        W.line({"__typeof__(", self(), Name, ") ", Name, " = ", self(), Name,
                ";"});
      else
        W.line({Name, " = ", self(), Name, ";"});
    }
  }
}

void Emitter::store(const Chunk &C, size_t Index) {
  for (unsigned N : C.Copied) {
    const Placement &Pl = L.Places[N - 1];
    if (Pl.Floating && Pl.Last <= Index)
      continue;
    for (const std::string &Name : Pl.Declared->Names)
      W.line({self(), Name, " = ", Name, ";"});
  }
}

/// Names objects of C++ that are members as a lambda can capture them. That a
/// name is a reference, `decltype` would see; of a structured binding it sees
/// the object.
void Emitter::bind(const Chunk &C) {
  for (unsigned N : C.Bound)
    for (const std::string &Name : L.Places[N - 1].Declared->Names)
      if (C.ByReference)
        W.line({"auto &", Name, " = this->", Name, ";"});
      else
        W.line({"auto &[", Name,
                "] = reinterpret_cast<clinch_only<decltype(this->", Name,
                ")> &>(this->", Name, ");"});
}

void Emitter::runBody(size_t Index) {
  const Chunk &C = L.Run[Index];
  bool Last = Index + 1 == L.Run.size();
  W.line("int failure = 0;");
  if (hasState())
    fetchCells(C);
  bind(C);
  load(C, Index, true);
  for (unsigned N : C.Floating)
    openFloating(C, block(N));
  openBlocks(C.Blocks, Index == 0);
  if (!Last && C.Releases) {
    store(C, Index);
    W.line({"failure = ", call("clinch_ladder", Index + 1, ""), ";"});
    load(C, Index, false);
  }
  for (auto B = C.Blocks.rbegin(); B != C.Blocks.rend(); ++B)
    closeBlock(**B);
  store(C, Index);
  // This function has nothing to release, so the next one can be called last.
  if (!Last && !C.Releases)
    W.line({"if (!failure)\n    failure = ",
            call("clinch_ladder", Index + 1, ""), ";"});
  W.line("return failure;");
}

void Emitter::runFunction(size_t Index) {
  const Chunk &C = L.Run[Index];
  aliases(C, true);
  W.line(signature("clinch_ladder", Index, "", false));
  W.open();
  runBody(Index);
  W.close();
  aliases(C, false);
  W.blank();
}

/// Writes one ladder for both init and cleanup. In init every block is opened
/// and stays open; with `undo` only the cleanups run, all of them.
void Emitter::keepFunction(size_t Index) {
  const Chunk &C = L.Keep[Index];
  bool Last = Index + 1 == L.Keep.size();
  aliases(C, true);
  W.line(signature("clinch_keep", Index, "int undo", false));
  W.open();
  W.line("int failure = 0;");
  fetchCells(C);
  W.line("if (undo)");
  W.line("  goto clinch_undo;");
  openBlocks(C.Blocks, Index == 0);
  W.dedent();
  W.line("clinch_undo:;");
  W.indent();
  if (!Last)
    W.line({"failure = ", call("clinch_keep", Index + 1, "undo"), ";"});
  W.line("if (!undo && !failure)");
  W.line("  return 0; // All stays open until the cleanup.");
  for (auto B = C.Blocks.rbegin(); B != C.Blocks.rend(); ++B)
    closeBlock(**B);
  W.line("return failure;");
  W.close();
  aliases(C, false);
  W.blank();
}

void Emitter::runFunctions() {
  for (size_t I = 0; I < L.Run.size(); ++I)
    runFunction(I);
}

void Emitter::keepFunctions() {
  InInit = true;
  for (size_t I = 0; I < L.Keep.size(); ++I)
    keepFunction(I);
  InInit = false;
}

void Emitter::entry(std::string_view Signature) {
  W.line({cxx() ? "extern \"C\" " : "", Signature});
  W.open();
}

/// Function form needs no state unless the ladder was split or an Op has struct
/// code.
void Emitter::functionForm() {
  if (hasState())
    runFunctions();
  constexpr std::string_view Call =
      "int clinch_call(PyObject *const *clinch_cells)";
  if (!hasState()) {
    // The body is outside the linkage specification, so that its `extern`
    // declarations have C++ linkage, as in a member function.
    if (cxx())
      W.line({"extern \"C\" ", Call, ";"});
    W.line(Call);
    W.open();
    runBody(0);
    W.close();
    return;
  }
  entry(Call);
  // An Op may rely on its members being zero; blocks set the rest.
  W.line({"struct clinch_state clinch_frame",
          P.StructSupport.empty() ? ";" : " = {};"});
  W.line("clinch_frame.clinch_cells = clinch_cells;");
  std::string Ladder = call("clinch_ladder", 0, "");
  if (cxx())
    W.line({"return clinch_frame.", Ladder, ";"});
  else
    W.line({"struct clinch_state *clinch_self = &clinch_frame;\n  return ",
            Ladder, ";"});
  W.close();
}

/// Declares `clinch_self`, the state in the caller's memory.
void Emitter::findSelf() {
  W.line(cxx() ? "clinch_state *clinch_self = "
                 "static_cast<clinch_state *>(clinch_memory);"
               : "struct clinch_state *clinch_self = clinch_memory;");
}

void Emitter::initEntry() {
  std::string Keep =
      keeps() ? (cxx() ? "clinch_self->" : "") + call("clinch_keep", 0, "0")
              : "0";
  entry("int clinch_init(void *clinch_memory, PyObject *const *clinch_cells)");
  if (HasObjects)
    W.line("clinch_state *clinch_self = "
           "new (clinch_memory, clinch_place()) clinch_state();");
  else
    findSelf();
  W.line("clinch_self->clinch_cells = clinch_cells;");
  if (HasObjects && keeps()) {
    W.line({"int failure = ", Keep, ";"});
    W.line("if (failure)");
    W.line("  clinch_self->~clinch_state();");
    W.line("return failure;");
  } else {
    W.line({"return ", Keep, ";"});
  }
  W.close();
  W.blank();
}

void Emitter::cleanupEntry() {
  entry("void clinch_cleanup(void *clinch_memory)");
  if (keeps() || HasObjects)
    findSelf();
  if (keeps())
    W.line({cxx() ? "clinch_self->" : "", call("clinch_keep", 0, "1"), ";"});
  if (HasObjects)
    W.line("clinch_self->~clinch_state();");
  W.close();
}

void Emitter::structForm() {
  if (keeps())
    keepFunctions();
  runFunctions();
  if (!cxx() && !keeps() && L.Run.size() == 1)
    return W.line("CLINCH_ENTRIES");
  W.line({cxx() ? "extern \"C\" " : "",
          "const size_t clinch_state_size = sizeof(struct clinch_state);"});
  W.blank();
  initEntry();
  entry("int clinch_run(void *clinch_memory)");
  findSelf();
  W.line({"return ", cxx() ? "clinch_self->" : "", call("clinch_ladder", 0, ""),
          ";"});
  W.close();
  W.blank();
  cleanupEntry();
}
