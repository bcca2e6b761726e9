// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles and their errors in C.

#include "CHandles.h"

using namespace clinch;

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
