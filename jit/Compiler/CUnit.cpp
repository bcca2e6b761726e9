// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C interface: compiling.

#include "CHandles.h"

using namespace clinch;

clinch_unit *clinch_unit_new(clinch_session *session) {
  if (!session)
    return nullptr;
  return orElse(static_cast<clinch_unit *>(nullptr), [&] {
    auto *U = new clinch_unit;
    U->Session = session->State;
    return U;
  });
}

void clinch_unit_release(clinch_unit *unit) { delete unit; }

/// Refuses an argument that only a C program can get wrong.
template <typename... PartTs>
static int refuse(clinch_unit *U, const PartTs &...Parts) {
  return orFail(U, -1, [&] {
    std::string Message;
    ((Message += Parts), ...);
    U->Failure = Error(Error::Kind::InvalidArgument, std::move(Message));
    return -1;
  });
}

template <typename Change> static int change(clinch_unit *U, Change Apply) {
  if (!U)
    return -1;
  U->Failure.reset();
  return orFail(U, -1, [&] {
    Apply(U->Options);
    return 0;
  });
}

static int append(clinch_unit *U, std::vector<std::string> CompileOptions::*To,
                  const char *Text, const char *What) {
  if (U && !Text)
    return refuse(U, "Expected ", What, ", found NULL.");
  return change(U, [&](CompileOptions &O) { (O.*To).emplace_back(Text); });
}

/// Sets an enumerated option; \p Value must be from 0 to \p Last.
template <typename T>
static int choose(clinch_unit *U, T CompileOptions::*To, int Value, int Last,
                  const char *What) {
  if (U && (Value < 0 || Value > Last))
    return refuse(U, "Expected ", What, " from 0 to ", std::to_string(Last),
                  ", found ", std::to_string(Value), ".");
  return change(U, [&](CompileOptions &O) { O.*To = T(Value); });
}

int clinch_unit_set_text(clinch_unit *unit, const char *name,
                         const char *text) {
  if (unit && !text)
    return refuse(unit, "Expected a text, found NULL.");
  return clinch_unit_set_bytes(unit, name, text,
                               text ? std::char_traits<char>::length(text) : 0);
}

int clinch_unit_set_bytes(clinch_unit *unit, const char *name,
                          const char *bytes, size_t size) {
  if (unit && !bytes && size)
    return refuse(unit, "Expected a text, found NULL.");
  return change(unit, [&](CompileOptions &) {
    unit->Text.Name = name ? name : "";
    unit->Text.Text.assign(bytes ? bytes : "", size);
    unit->HasText = true;
  });
}

int clinch_unit_add_text(clinch_unit *unit, const char *text) {
  if (unit && !text)
    return refuse(unit, "Expected a text, found NULL.");
  return change(unit, [&](CompileOptions &) {
    unit->Text.Text += text;
    unit->HasText = true;
  });
}

int clinch_unit_set_language(clinch_unit *unit, clinch_language language) {
  return choose(unit, &CompileOptions::Lang, int(language), CLINCH_CXX,
                "a language");
}

int clinch_unit_set_tier(clinch_unit *unit, clinch_tier tier) {
  return choose(unit, &CompileOptions::Level, int(tier), CLINCH_MAX, "a tier");
}

int clinch_unit_set_cpu(clinch_unit *unit, const char *cpu) {
  return change(unit, [&](CompileOptions &O) { O.CPU = cpu ? cpu : ""; });
}

int clinch_unit_set_prefix(clinch_unit *unit, const char *prefix) {
  return change(unit,
                [&](CompileOptions &O) { O.Prefix = prefix ? prefix : ""; });
}

int clinch_unit_add_include_dir(clinch_unit *unit, const char *folder) {
  return append(unit, &CompileOptions::IncludeDirs, folder, "a folder");
}

int clinch_unit_add_define(clinch_unit *unit, const char *define) {
  return append(unit, &CompileOptions::Defines, define, "a macro");
}

int clinch_unit_add_flag(clinch_unit *unit, const char *flag) {
  return append(unit, &CompileOptions::Flags, flag, "a flag");
}

int clinch_unit_forbid_flag(clinch_unit *unit, const char *flag) {
  return append(unit, &CompileOptions::ForbiddenFlags, flag, "a flag");
}

int clinch_unit_add_library(clinch_unit *unit, const char *name) {
  return append(unit, &CompileOptions::Libraries, name, "a library");
}

int clinch_unit_add_library_dir(clinch_unit *unit, const char *folder) {
  return append(unit, &CompileOptions::LibraryDirs, folder, "a folder");
}

int clinch_unit_add_symbol(clinch_unit *unit, const char *name, void *address) {
  if (unit && !name)
    return refuse(unit, "Expected the name of a symbol, found NULL.");
  return change(
      unit, [&](CompileOptions &O) { O.Symbols.try_emplace(name, address); });
}

int clinch_unit_add_region(clinch_unit *unit, const char *name,
                           clinch_region_role role, size_t begin, size_t end,
                           const char *required) {
  int Value = int(role);
  if (unit && !name)
    return refuse(unit, "Expected the name of a region, found NULL.");
  if (unit && (Value < 0 || Value > CLINCH_FREE))
    return refuse(unit, "Expected a role from 0 to 3, found ",
                  std::to_string(Value), ".");
  return change(unit, [&](CompileOptions &O) {
    Region &R = O.Regions.emplace_back();
    R.Name = name;
    R.Kind = Region::Role(Value);
    R.Begin = begin;
    R.End = end;
    R.Required = required ? required : "";
  });
}

int clinch_unit_reserve_name(clinch_unit *unit, const char *name) {
  if (unit && (!name || unit->Options.Regions.empty()))
    return refuse(unit, "Expected a region, then a name that it may not "
                        "declare.");
  return change(unit, [&](CompileOptions &O) {
    O.Regions.back().Reserved.emplace_back(name);
  });
}

int clinch_unit_set_failure_variable(clinch_unit *unit, const char *name) {
  return change(
      unit, [&](CompileOptions &O) { O.FailureVariable = name ? name : ""; });
}

int clinch_unit_keep(clinch_unit *unit, clinch_stage stage) {
  int Value = int(stage);
  if (unit && (Value < 0 || Value > CLINCH_OBJ))
    return refuse(unit, "Expected a stage from 0 to ",
                  std::to_string(CLINCH_OBJ), ", found ", std::to_string(Value),
                  ".");
  return change(unit,
                [&](CompileOptions &O) { O.Keep.push_back(Stage(Value)); });
}

int clinch_unit_set_debug(clinch_unit *unit, int on) {
  return change(unit, [&](CompileOptions &O) { O.Debug = on; });
}

int clinch_unit_set_disk_cache(clinch_unit *unit, int on) {
  return change(unit, [&](CompileOptions &O) { O.UseDiskCache = on; });
}

int clinch_unit_set_time_limit(clinch_unit *unit, unsigned milliseconds) {
  return change(unit, [&](CompileOptions &O) { O.TimeLimitMs = milliseconds; });
}

int clinch_unit_set_memory_limit(clinch_unit *unit, size_t bytes) {
  return change(unit, [&](CompileOptions &O) { O.MemoryLimit = bytes; });
}

/// Returns the module that \p Make makes, or stores the error and returns null.
template <typename MakeT>
static clinch_module *handOut(clinch_unit *U, MakeT Make) {
  return orFail(U, static_cast<clinch_module *>(nullptr),
                [&]() -> clinch_module * {
                  Expected<Module> Made = Make(*U->Session->begin());
                  U->Failure.reset();
                  if (!Made) {
                    U->Failure = Made.takeError();
                    return nullptr;
                  }
                  auto *M = new clinch_module;
                  M->Module = std::move(*Made);
                  return M;
                });
}

clinch_module *clinch_compile(clinch_unit *unit) {
  if (!unit)
    return nullptr;
  return handOut(unit, [&](Session &S) -> Expected<Module> {
    if (!unit->HasText)
      return Error(Error::Kind::InvalidArgument,
                   "The unit has no text: call clinch_unit_set_text first.");
    return S.compile(unit->Text, unit->Options);
  });
}

clinch_module *clinch_adopt(clinch_unit *unit, const char *object,
                            size_t size) {
  if (!unit)
    return nullptr;
  return handOut(unit, [&](Session &S) {
    return S.adopt(unit->Text, unit->Options,
                   std::string(object ? object : "", object ? size : 0));
  });
}

const char *clinch_unit_key(clinch_unit *unit) {
  if (!unit)
    return "";
  return orFail(unit, "", [&] {
    unit->Rendered = unit->Session->begin()->key(unit->Text, unit->Options);
    return unit->Rendered.c_str();
  });
}

clinch_error_kind clinch_unit_error(const clinch_unit *unit) {
  if (!unit || !unit->Failure)
    return CLINCH_OK;
  switch (unit->Failure->kind()) {
  case Error::Kind::Compile:
    return CLINCH_ERROR_COMPILE;
  case Error::Kind::Rule:
    return CLINCH_ERROR_RULE;
  case Error::Kind::Link:
    return CLINCH_ERROR_LINK;
  case Error::Kind::InvalidArgument:
    return CLINCH_ERROR_ARGUMENT;
  case Error::Kind::Host:
    return CLINCH_ERROR_HOST;
  case Error::Kind::Limit:
    return CLINCH_ERROR_LIMIT;
  case Error::Kind::Crash:
    return CLINCH_ERROR_CRASH;
  case Error::Kind::IO:
    return CLINCH_ERROR_IO;
  default:
    return CLINCH_ERROR_OTHER;
  }
}

const char *clinch_unit_error_message(const clinch_unit *unit) {
  return unit && unit->Failure ? unit->Failure->message().c_str() : "";
}

const char *clinch_unit_error_text(clinch_unit *unit, int colour) {
  if (!unit || !unit->Failure)
    return "";
  return orElse(unit->Failure->message().c_str(), [&] {
    unit->Rendered = unit->Failure->render(colour);
    return unit->Rendered.c_str();
  });
}

size_t clinch_unit_diagnostic_count(const clinch_unit *unit) {
  return unit && unit->Failure ? unit->Failure->diagnostics().size() : 0;
}

const clinch_diagnostic *clinch_unit_diagnostic(const clinch_unit *unit,
                                                size_t index) {
  if (!unit || !unit->Failure)
    return nullptr;
  return diagnosticAt(unit->Failure->diagnostics(), index);
}
