/*===- clinch.h - The compile core in C -----------------------------------===*\
|*                                                                            *|
|* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* C or C++ text in, addresses of machine code out, in this process:          *|
|*                                                                            *|
|*   clinch_session *session = clinch_session_new();                          *|
|*   clinch_unit *unit = clinch_unit_new(session);                            *|
|*   clinch_unit_set_text(unit, "twice.c", "int f(int x) { return 2 * x; }"); *|
|*   clinch_module *module = clinch_compile(unit);                            *|
|*   int (*f)(int) = (int (*)(int))clinch_module_symbol(module, "f");         *|
|*                                                                            *|
|* A session may be used by any number of threads at once, a unit by one at   *|
|* a time. Nothing is printed; a unit keeps errors as data. A returned string *|
|* belongs to the object that returned it and is valid until that object is   *|
|* released; a unit's is valid until the unit is used again. Functions that   *|
|* return int return 0, or -1 and set the unit's error.                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef CLINCH_C_CLINCH_H
#define CLINCH_C_CLINCH_H

#include <stddef.h>
#include <stdint.h>

/* With a fixed type, C++ callers may pass any number; bad ones are refused. */
#ifdef __cplusplus
#define CLINCH_ENUM_TYPE : int
extern "C" {
#else
#define CLINCH_ENUM_TYPE
#endif

typedef struct clinch_session clinch_session;
typedef struct clinch_unit clinch_unit;
typedef struct clinch_module clinch_module;
typedef struct clinch_diagnostic clinch_diagnostic;

/*===-- Sessions ---------------------------------------------------------===*/

clinch_session *clinch_session_new(void);
/* Units and modules of the session stay valid. */
void clinch_session_release(clinch_session *session);

/* Call these before the first compile; later they return -1. */

/* Sets the folder of the disk cache; NULL or "" means no disk cache. */
int clinch_session_set_cache_dir(clinch_session *session, const char *folder);
int clinch_session_set_cache_limit(clinch_session *session, size_t bytes);
/* If isolated is not 0, compiles in a separate process, which is killed when a
   compile overruns its limits or crashes. */
int clinch_session_set_isolation(clinch_session *session, int isolated);
/* Sets the path of libclinch-engine.so, if it is not beside this library. */
int clinch_session_set_engine(clinch_session *session, const char *path);
/* Adds a folder with headers of prefixes, if not those of the build. */
int clinch_session_add_prefix_dir(clinch_session *session, const char *folder);

typedef enum clinch_counter CLINCH_ENUM_TYPE {
  CLINCH_COMPILES = 0,
  CLINCH_MEMORY_HITS = 1,
  CLINCH_DISK_HITS = 2,
  CLINCH_LIVE_MODULES = 3,
  CLINCH_LIVE_BYTES = 4
} clinch_counter;

size_t clinch_session_count(clinch_session *session, clinch_counter counter);
/* Returns "" if there is no disk cache. */
const char *clinch_session_cache_dir(clinch_session *session);
/* Removes every entry; returns how many bytes were freed. */
size_t clinch_session_clear_disk_cache(clinch_session *session);

/*===-- Units: a text and its options ------------------------------------===*/

typedef enum clinch_language CLINCH_ENUM_TYPE {
  CLINCH_C = 0,
  CLINCH_CXX = 1
} clinch_language;

typedef enum clinch_tier CLINCH_ENUM_TYPE {
  CLINCH_FAST = 0,
  CLINCH_DEFAULT = 1,
  CLINCH_MAX = 2
} clinch_tier;

typedef enum clinch_stage CLINCH_ENUM_TYPE {
  CLINCH_LLVM = 0,
  CLINCH_LLVM_OPT = 1,
  CLINCH_ASM = 2,
  CLINCH_OBJ = 3
} clinch_stage;

clinch_unit *clinch_unit_new(clinch_session *session);
void clinch_unit_release(clinch_unit *unit);

/* The name is what diagnostics call the text. */
int clinch_unit_set_text(clinch_unit *unit, const char *name, const char *text);
/* The same for a text that may contain NULs and need not end in one. */
int clinch_unit_set_bytes(clinch_unit *unit, const char *name,
                          const char *bytes, size_t size);
/* Appends to the text. */
int clinch_unit_add_text(clinch_unit *unit, const char *text);

int clinch_unit_set_language(clinch_unit *unit, clinch_language language);
int clinch_unit_set_tier(clinch_unit *unit, clinch_tier tier);
/* "host" or a name that clang knows; "" chooses by the tier. */
int clinch_unit_set_cpu(clinch_unit *unit, const char *cpu);
/* What stands before the text, such as "#include <math.h>\n", precompiled once
   for all units that have the same. */
int clinch_unit_set_prefix(clinch_unit *unit, const char *prefix);
int clinch_unit_add_include_dir(clinch_unit *unit, const char *folder);
/* "NAME" or "NAME=VALUE". */
int clinch_unit_add_define(clinch_unit *unit, const char *define);
int clinch_unit_add_flag(clinch_unit *unit, const char *flag);
int clinch_unit_forbid_flag(clinch_unit *unit, const char *flag);
/* As for -l and -L. */
int clinch_unit_add_library(clinch_unit *unit, const char *name);
int clinch_unit_add_library_dir(clinch_unit *unit, const char *folder);
/* Adds a symbol that the text may use. */
int clinch_unit_add_symbol(clinch_unit *unit, const char *name, void *address);
typedef enum clinch_region_role CLINCH_ENUM_TYPE {
  CLINCH_DECLARATIONS = 0, /* Declares variables and types, nothing else. */
  CLINCH_CODE = 1,         /* May fail; may not return or jump out of itself. */
  CLINCH_NO_FAIL = 2,      /* As code, and may not fail either. */
  CLINCH_FREE = 3 /* May contain anything that is complete in itself. */
} clinch_region_role;

/* Holds the bytes [begin, end) of the text to the rules of the role. Messages
   use the name. If required is not NULL, every name that the region declares
   must contain it. Regions may not overlap. */
int clinch_unit_add_region(clinch_unit *unit, const char *name,
                           clinch_region_role role, size_t begin, size_t end,
                           const char *required);
/* Adds a name that the region added last may not declare. */
int clinch_unit_reserve_name(clinch_unit *unit, const char *name);
/* Names the variable that a failing region sets before it jumps. */
int clinch_unit_set_failure_variable(clinch_unit *unit, const char *name);
/* Keeps a stage for clinch_module_stage(). */
int clinch_unit_keep(clinch_unit *unit, clinch_stage stage);
/* Writes sources to disk and registers the code with gdb and perf. */
int clinch_unit_set_debug(clinch_unit *unit, int on);
int clinch_unit_set_disk_cache(clinch_unit *unit, int on);
/* 0: no limit. */
int clinch_unit_set_time_limit(clinch_unit *unit, unsigned milliseconds);
int clinch_unit_set_memory_limit(clinch_unit *unit, size_t bytes);

/*===-- Compiling --------------------------------------------------------===*/

/* Returns NULL on failure. The caller releases the module. */
clinch_module *clinch_compile(clinch_unit *unit);

/* Links an object (CLINCH_OBJ) of an earlier compile of the same text and
   options; compiles nothing. */
clinch_module *clinch_adopt(clinch_unit *unit, const char *object, size_t size);
/* Returns the key that both would use: 32 hexadecimal digits. */
const char *clinch_unit_key(clinch_unit *unit);

typedef enum clinch_error_kind CLINCH_ENUM_TYPE {
  CLINCH_OK = 0,
  CLINCH_ERROR_COMPILE = 1,  /* The text is wrong; the diagnostics say where. */
  CLINCH_ERROR_RULE = 2,     /* The text parses but breaks a rule. */
  CLINCH_ERROR_LINK = 3,     /* Symbols or libraries are missing. */
  CLINCH_ERROR_ARGUMENT = 4, /* An option is invalid. */
  CLINCH_ERROR_HOST = 5,     /* An initialiser of the text failed. */
  CLINCH_ERROR_LIMIT = 6,    /* Time or memory ran out. */
  CLINCH_ERROR_CRASH = 7,    /* The compiler crashed, and was caught. */
  CLINCH_ERROR_IO = 8,       /* A file or a folder could not be used. */
  CLINCH_ERROR_OTHER = 9
} clinch_error_kind;

clinch_error_kind clinch_unit_error(const clinch_unit *unit);
/* One sentence; the diagnostics say the rest. "" if nothing failed. */
const char *clinch_unit_error_message(const clinch_unit *unit);
/* Message and diagnostics as a terminal shows them. */
const char *clinch_unit_error_text(clinch_unit *unit, int colour);
size_t clinch_unit_diagnostic_count(const clinch_unit *unit);
const clinch_diagnostic *clinch_unit_diagnostic(const clinch_unit *unit,
                                                size_t index);

typedef enum clinch_severity CLINCH_ENUM_TYPE {
  CLINCH_NOTE = 0,
  CLINCH_WARNING = 1,
  CLINCH_ERROR = 2
} clinch_severity;

/* An index out of range gives NULL. A NULL diagnostic gives 0, "" or NULL. */
clinch_severity clinch_diagnostic_severity(const clinch_diagnostic *diagnostic);
/* The name of the text, a file, or what `#line` said. */
const char *clinch_diagnostic_origin(const clinch_diagnostic *diagnostic);
/* From 1; 0 if there is none. Columns count bytes. */
unsigned clinch_diagnostic_line(const clinch_diagnostic *diagnostic);
unsigned clinch_diagnostic_column(const clinch_diagnostic *diagnostic);
const char *clinch_diagnostic_message(const clinch_diagnostic *diagnostic);
const char *clinch_diagnostic_source_line(const clinch_diagnostic *diagnostic);
size_t clinch_diagnostic_note_count(const clinch_diagnostic *diagnostic);
const clinch_diagnostic *
clinch_diagnostic_note(const clinch_diagnostic *diagnostic, size_t index);
size_t clinch_diagnostic_fixit_count(const clinch_diagnostic *diagnostic);
/* The replacement for the columns [*begin, *end) of the line. */
const char *clinch_diagnostic_fixit(const clinch_diagnostic *diagnostic,
                                    size_t index, unsigned *begin,
                                    unsigned *end);

/*===-- Modules: code that can be called ---------------------------------===*/

/* Returns NULL if there is no such symbol. */
void *clinch_module_symbol(const clinch_module *module, const char *name);
/* Adds a reference; the code is freed when every reference is released. */
clinch_module *clinch_module_retain(clinch_module *module);
void clinch_module_release(clinch_module *module);

/* 32 hexadecimal digits: the same for the same text and options. */
const char *clinch_module_key(const clinch_module *module);
size_t clinch_module_warning_count(const clinch_module *module);
const clinch_diagnostic *clinch_module_warning(const clinch_module *module,
                                               size_t index);
/* Returns a stage that clinch_unit_keep() asked for, else NULL. */
const char *clinch_module_stage(const clinch_module *module, clinch_stage stage,
                                size_t *size);

typedef enum clinch_cache_result CLINCH_ENUM_TYPE {
  CLINCH_MISS = 0,
  CLINCH_HIT_MEMORY = 1,
  CLINCH_HIT_DISK = 2
} clinch_cache_result;

clinch_cache_result clinch_module_cache_result(const clinch_module *module);
size_t clinch_module_source_bytes(const clinch_module *module);
size_t clinch_module_object_bytes(const clinch_module *module);
size_t clinch_module_code_bytes(const clinch_module *module);
/* The steps of this compile, with their times. */
size_t clinch_module_step_count(const clinch_module *module);
const char *clinch_module_step(const clinch_module *module, size_t index,
                               double *milliseconds);

#ifdef __cplusplus
}
#endif

#endif /* CLINCH_C_CLINCH_H */
