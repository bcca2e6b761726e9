/*===- glue.c - The compile core as functions of R ------------------------===*\
|*                                                                            *|
|* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* For R's `.Call`. The few functions of R that it uses are declared here, so *|
|* that it is built where R is not.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <clinch-c/clinch.h>
#include <string.h>

typedef struct SEXPREC *SEXP;

extern SEXP R_NilValue, R_NamesSymbol, R_ClassSymbol;
SEXP Rf_protect(SEXP);
void Rf_unprotect(int);
SEXP Rf_install(const char *);
SEXP Rf_mkString(const char *);
SEXP Rf_ScalarReal(double);
int Rf_asInteger(SEXP);
int Rf_length(SEXP);
SEXP STRING_ELT(SEXP, ptrdiff_t);
const char *Rf_translateCharUTF8(SEXP);
SEXP Rf_getAttrib(SEXP, SEXP);
SEXP Rf_setAttrib(SEXP, SEXP, SEXP);
SEXP R_MakeExternalPtr(void *, SEXP, SEXP);
void *R_ExternalPtrAddr(SEXP);
void R_ClearExternalPtr(SEXP);
void R_RegisterCFinalizerEx(SEXP, void (*)(SEXP), int);
void R_PreserveObject(SEXP);

static clinch_session *session(void) {
  static clinch_session *the;
  if (!the)
    the = clinch_session_new();
  return the;
}

static const char *text_of(SEXP strings, int i) {
  return Rf_translateCharUTF8(STRING_ELT(strings, i));
}

static const struct {
  const char *name;
  int (*set)(clinch_unit *, const char *);
} options[] = {
    {"prefix", clinch_unit_set_prefix},
    {"include_dir", clinch_unit_add_include_dir},
    {"define", clinch_unit_add_define},
    {"flag", clinch_unit_add_flag},
    {"library", clinch_unit_add_library},
    {"library_dir", clinch_unit_add_library_dir},
};

/* Gives a unit what a named character vector says. */
static void set_options(clinch_unit *unit, SEXP values) {
  SEXP names = Rf_getAttrib(values, R_NamesSymbol);
  for (int i = 0; i < Rf_length(values); ++i)
    for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
      if (!strcmp(text_of(names, i), options[k].name))
        options[k].set(unit, text_of(values, i));
}

static void release(SEXP pointer) {
  clinch_module_release(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

/* Whether objects of R's may point to the code, which nobody sees then: their
   finalizers, and the methods of its own classes. */
static int may_be_pointed_to(const clinch_module *module) {
  static const char *const makers[] = {"R_MakeExternalPtr", "R_MakeWeakRefC",
                                       "R_RegisterCFinalizer",
                                       "R_RegisterCFinalizerEx"};
  size_t size;
  const char *object = clinch_module_stage(module, CLINCH_OBJ, &size);
  for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
    if (memmem(object, size, makers[i], strlen(makers[i]) + 1))
      return 1;
  return memmem(object, size, "R_make_alt", 10) != NULL;
}

/* Returns the module, or what is wrong as text. */
SEXP clinch_r_compile(SEXP name, SEXP text, SEXP language, SEXP tier,
                      SEXP values) {
  clinch_unit *unit = clinch_unit_new(session());
  clinch_unit_set_text(unit, text_of(name, 0), text_of(text, 0));
  clinch_unit_set_language(unit, (clinch_language)Rf_asInteger(language));
  clinch_unit_set_tier(unit, (clinch_tier)Rf_asInteger(tier));
  clinch_unit_keep(unit, CLINCH_OBJ);
  set_options(unit, values);
  clinch_module *module = clinch_compile(unit);
  SEXP result = module
                    ? R_MakeExternalPtr(module, R_NilValue, R_NilValue)
                    : Rf_mkString(clinch_unit_error_text(unit, /*colour=*/0));
  clinch_unit_release(unit);
  if (!module)
    return result;
  Rf_protect(result);
  R_RegisterCFinalizerEx(result, release, /*onexit=*/0);
  if (may_be_pointed_to(module))
    R_PreserveObject(result);
  Rf_unprotect(1);
  return result;
}

/* Returns an address for `.Call` that keeps its module, or NULL. */
SEXP clinch_r_symbol(SEXP module, SEXP name) {
  void *address =
      clinch_module_symbol(R_ExternalPtrAddr(module), text_of(name, 0));
  if (!address)
    return R_NilValue;
  SEXP result = Rf_protect(
      R_MakeExternalPtr(address, Rf_install("native symbol"), module));
  Rf_setAttrib(result, R_ClassSymbol, Rf_protect(Rf_mkString("NativeSymbol")));
  Rf_unprotect(2);
  return result;
}

/* Calls what R calls when it has loaded a library. */
SEXP clinch_r_init(SEXP function, SEXP library) {
  void (*init)(void *) = (void (*)(void *))R_ExternalPtrAddr(function);
  init(R_ExternalPtrAddr(library));
  return R_NilValue;
}

SEXP clinch_r_count(SEXP counter) {
  return Rf_ScalarReal((double)clinch_session_count(
      session(), (clinch_counter)Rf_asInteger(counter)));
}
