// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that are gcc's alone.

#include "GccFlags.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch::engine;
namespace options = clang::options;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {

/// What Clang calls otherwise.
struct Mapping {
  StringLiteral Gccs, First, Second;
};
constexpr Mapping Mappings[] = {
    {"-Ofast", "-O3", "-ffast-math"},
    {"-ftree-loop-vectorize", "-fvectorize", ""},
    {"-fno-tree-loop-vectorize", "-fno-vectorize", ""},
    {"-mprefer-avx128", "-mprefer-vector-width=128", ""},
};

/// Clang knows them, and they say nothing here: for a linker, for the driver,
/// or for what Clang has no passes for.
constexpr unsigned OfNoEffect[] = {
    options::OPT_Link_Group,
    options::OPT_clang_ignored_gcc_optimization_f_Group,
    options::OPT_c,
    options::OPT_flto_EQ,
    options::OPT_fno_lto,
    options::OPT_ffat_lto_objects,
    options::OPT_fno_fat_lto_objects,
    options::OPT_fmax_errors_EQ,
    options::OPT_fuse_ld_EQ,
    options::OPT__param,
    options::OPT_static_libgcc,
    options::OPT_static_libstdcxx,
};

/// How the names of gcc's flags begin, after `-f` or `-fno-`, that say how its
/// optimiser works or how its names are spelled.
constexpr StringLiteral Optimiser[] = {
    "abi-version=", "gcse",  "gnu-unique",   "graphite",
    "ipa-",         "loop-", "lto-",         "sched",
    "split-",       "tree-", "var-tracking", "vect-cost-model"};

/// What a linker would make of the symbols that a text uses or defines.
constexpr StringLiteral OfSymbols[] = {"--wrap", "--defsym", "-l",
                                       "--whole-archive", "--just-symbols"};

bool isOptimisers(StringRef Flag) {
  if (!Flag.consume_front("-f"))
    return false;
  Flag.consume_front("no-");
  return llvm::any_of(Optimiser,
                      [&](StringRef Begin) { return Flag.starts_with(Begin); });
}

/// The name of a warning that Clang does not have. A level of one that it has
/// is none.
bool isUnknownWarning(StringRef Name) {
  constexpr StringLiteral NoGroups[] = {"error", "everything", "fatal-errors",
                                        "system-headers"};
  return !llvm::is_contained(NoGroups, Name) &&
         !clang::DiagnosticIDs::getGroupForWarningOption(Name);
}

/// As gcc, which says nothing about `-Wno-` and a name that it does not know.
bool isSilentWarning(StringRef Flag) {
  const bool IsOff = Flag.consume_front("-Wno-");
  if (!IsOff)
    Flag.consume_front("-W");
  Flag.consume_front("error=");
  return isUnknownWarning(Flag) &&
         (IsOff || !isUnknownWarning(Flag.split('=').first));
}

} // namespace

std::optional<std::vector<std::string>>
clinch::engine::fromGcc(const llvm::opt::Arg &A) {
  const StringRef Flag = A.getSpelling();
  for (const Mapping &M : Mappings)
    if (Flag == M.Gccs && M.Second.empty())
      return {{M.First.str()}};
    else if (Flag == M.Gccs)
      return {{M.First.str(), M.Second.str()}};
  const llvm::opt::Option &O = A.getOption();
  if (O.matches(options::OPT_UNKNOWN) && isOptimisers(Flag))
    return std::vector<std::string>();
  if (O.matches(options::OPT_W_Joined) &&
      isSilentWarning((Flag + A.getValue()).str()))
    return std::vector<std::string>();
  if (llvm::any_of(OfNoEffect, [&](unsigned Id) { return O.matches(Id); }))
    return std::vector<std::string>();
  return std::nullopt;
}

bool clinch::engine::isUnknown(const llvm::opt::Arg &A) {
  const StringRef Flag = A.getSpelling();
  if (A.getOption().matches(options::OPT_UNKNOWN))
    return Flag.starts_with("-f") || Flag.starts_with("-g") ||
           Flag.starts_with("-m");
  if (!A.getOption().matches(options::OPT_W_Joined))
    return false;
  StringRef Name = A.getValue();
  Name.consume_front("no-");
  Name.consume_front("error=");
  return isUnknownWarning(Name);
}

const char *clinch::engine::ofALinker(const llvm::opt::Arg &A) {
  const llvm::opt::Option &O = A.getOption();
  if (!O.matches(options::OPT_Wl_COMMA) && !O.matches(options::OPT_Xlinker))
    return nullptr;
  for (const char *Part : A.getValues())
    if (llvm::any_of(OfSymbols, [&](StringRef Begin) {
          return StringRef(Part).starts_with(Begin);
        }))
      return Part;
  return nullptr;
}
