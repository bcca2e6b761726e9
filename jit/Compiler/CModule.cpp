// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and diagnostics in C.

#include "CHandles.h"

using namespace clinch;

clinch_severity clinch_diagnostic_severity(const clinch_diagnostic *d) {
  return d ? clinch_severity(fromC(d)->Level) : CLINCH_NOTE;
}

const char *clinch_diagnostic_origin(const clinch_diagnostic *d) {
  return d ? fromC(d)->Origin.c_str() : "";
}

unsigned clinch_diagnostic_line(const clinch_diagnostic *d) {
  return d ? fromC(d)->Line : 0;
}

unsigned clinch_diagnostic_column(const clinch_diagnostic *d) {
  return d ? fromC(d)->Column : 0;
}

const char *clinch_diagnostic_message(const clinch_diagnostic *d) {
  return d ? fromC(d)->Message.c_str() : "";
}

const char *clinch_diagnostic_source_line(const clinch_diagnostic *d) {
  return d ? fromC(d)->SourceLine.c_str() : "";
}

size_t clinch_diagnostic_note_count(const clinch_diagnostic *d) {
  return d ? fromC(d)->Notes.size() : 0;
}

const clinch_diagnostic *clinch_diagnostic_note(const clinch_diagnostic *d,
                                                size_t index) {
  return d ? diagnosticAt(fromC(d)->Notes, index) : nullptr;
}

size_t clinch_diagnostic_fixit_count(const clinch_diagnostic *d) {
  return d ? fromC(d)->FixIts.size() : 0;
}

const char *clinch_diagnostic_fixit(const clinch_diagnostic *d, size_t index,
                                    unsigned *begin, unsigned *end) {
  if (index >= clinch_diagnostic_fixit_count(d))
    return nullptr;
  const Diagnostic::FixIt &F = fromC(d)->FixIts[index];
  if (begin)
    *begin = F.BeginColumn;
  if (end)
    *end = F.EndColumn;
  return F.Replacement.c_str();
}

void *clinch_module_symbol(const clinch_module *module, const char *name) {
  return module && name ? module->Module.lookup(name) : nullptr;
}

clinch_module *clinch_module_retain(clinch_module *module) {
  if (module)
    ++module->Users;
  return module;
}

void clinch_module_release(clinch_module *module) {
  if (module && --module->Users == 0)
    delete module;
}

const char *clinch_module_key(const clinch_module *module) {
  return module ? module->Module.key().c_str() : "";
}

size_t clinch_module_warning_count(const clinch_module *module) {
  return module ? module->Module.warnings().size() : 0;
}

const clinch_diagnostic *clinch_module_warning(const clinch_module *module,
                                               size_t index) {
  return module ? diagnosticAt(module->Module.warnings(), index) : nullptr;
}

const char *clinch_module_stage(const clinch_module *module, clinch_stage stage,
                                size_t *size) {
  const std::string *Text =
      module ? module->Module.stage(Stage(stage)) : nullptr;
  if (size)
    *size = Text ? Text->size() : 0;
  return Text ? Text->c_str() : nullptr;
}

clinch_cache_result clinch_module_cache_result(const clinch_module *module) {
  return module ? clinch_cache_result(module->Module.stats().Cache)
                : CLINCH_MISS;
}

size_t clinch_module_source_bytes(const clinch_module *module) {
  return module ? module->Module.stats().SourceBytes : 0;
}

size_t clinch_module_object_bytes(const clinch_module *module) {
  return module ? module->Module.stats().ObjectBytes : 0;
}

size_t clinch_module_code_bytes(const clinch_module *module) {
  return module ? module->Module.stats().CodeBytes : 0;
}

size_t clinch_module_step_count(const clinch_module *module) {
  return module ? module->Module.stats().Stages.size() : 0;
}

const char *clinch_module_step(const clinch_module *module, size_t index,
                               double *milliseconds) {
  if (index >= clinch_module_step_count(module))
    return nullptr;
  const auto &[Name, Milliseconds] = module->Module.stats().Stages[index];
  if (milliseconds)
    *milliseconds = Milliseconds;
  return Name.c_str();
}
