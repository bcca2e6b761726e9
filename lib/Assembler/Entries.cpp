// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of a thunk.

#include "Emitter.h"

using namespace clinch;

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
