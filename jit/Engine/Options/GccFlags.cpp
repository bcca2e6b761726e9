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

/// How the names begin, after `-f` or `-fno-`, of how gcc's optimiser works.
constexpr StringLiteral Optimiser[] = {
    "aggressive-loop-optimizations",
    "allocation-dce",
    "allow-store-data-races",
    "auto-inc-dec",
    "bit-tests",
    "code-hoisting",
    "combine-stack-adjustments",
    "compare-elim",
    "conserve-stack",
    "cprop-registers",
    "crossjumping",
    "cse-",
    "dce",
    "delayed-branch",
    "dse",
    "early-inlining",
    "forward-propagate",
    "function-cse",
    "gcse",
    "graphite",
    "guess-branch-probability",
    "hoist-adjacent-loads",
    "if-conversion",
    "indirect-inlining",
    "ipa-",
    "ira-",
    "isolate-erroneous-paths",
    "lifetime-dse",
    "limit-function-alignment",
    "live-range-shrinkage",
    "loop-",
    "lra-remat",
    "lto-partition",
    "move-loop-",
    "optimize-strlen",
    "partial-inlining",
    "peephole",
    "predictive-commoning",
    "printf-return-value",
    "ree",
    "reorder-blocks",
    "reorder-functions",
    "rerun-cse-after-loop",
    "reschedule-modulo-scheduled-loops",
    "sched",
    "section-anchors",
    "sel-sched",
    "selective-scheduling",
    "shrink-wrap",
    "simd-cost-model",
    "split-",
    "ssa-",
    "stdarg-opt",
    "store-merging",
    "thread-jumps",
    "toplevel-reorder",
    "tree-",
    "var-tracking",
    "vect-cost-model",
    "version-loops-for-strides",
    "vpt",
};

/// The same of other flags, whole names or beginnings that end with `=`: how
/// names are spelled and shown, and tuning.
constexpr StringLiteral Others[] = {
    "-fabi-version=",
    "-fabi-compat-version=",
    "-fcanonical-system-headers",
    "-fno-canonical-system-headers",
    "-fconcepts",
    "-fno-gnu-unique",
    "-fgnu-unique",
    "-ftrack-macro-expansion=",
    "-fworking-directory",
    "-fno-working-directory",
    "-gas-loc-support",
    "-gno-as-loc-support",
    "-gno-statement-frontiers",
    "-gno-variable-location-views",
    "-gvariable-location-views",
    "-malign-data=",
    "-mavx256-split-unaligned-load",
    "-mavx256-split-unaligned-store",
    "-mbranch-cost=",
    "-minline-stringops-dynamically",
    "-mno-avx256-split-unaligned-load",
    "-mno-avx256-split-unaligned-store",
    "-mno-push-args",
    "-mpush-args",
    "-mstringop-strategy=",
    "-mtune-ctrl=",
    "-mveclibabi=",
};

/// Warnings that Clang does not have; a name that ends with a dash is any that
/// begins so.
constexpr StringLiteral Warnings[] = {
    "abi-tag",
    "aggressive-loop-optimizations",
    "aligned-new",
    "alloc-size-larger-than",
    "alloc-zero",
    "alloca-larger-than",
    "analyzer-",
    "arith-conversion",
    "array-bounds",
    "array-parameter",
    "attribute-alias",
    "bidi-chars",
    "bool-compare",
    "builtin-declaration-mismatch",
    "c11-c2x-compat",
    "c90-c99-compat",
    "c99-c11-compat",
    "cast-align",
    "catch-value",
    "class-memaccess",
    "clobbered",
    "comma-subscript",
    "conditionally-supported",
    "coverage-mismatch",
    "dangling-pointer",
    "designated-init",
    "discarded-array-qualifiers",
    "discarded-qualifiers",
    "duplicated-branches",
    "duplicated-cond",
    "format",
    "format-contains-nul",
    "format-overflow",
    "format-truncation",
    "if-not-aligned",
    "implicit-fallthrough",
    "init-list-lifetime",
    "interference-size",
    "invalid-memory-model",
    "jump-misses-init",
    "literal-suffix",
    "logical-op",
    "lto-type-mismatch",
    "maybe-uninitialized",
    "memset-elt-size",
    "mismatched-dealloc",
    "missing-attributes",
    "missing-parameter-type",
    "multistatement-macros",
    "noexcept",
    "nonnull-compare",
    "normalized",
    "old-style-declaration",
    "openmp-simd",
    "packed-bitfield-compat",
    "packed-not-aligned",
    "placement-new",
    "redundant-tags",
    "restrict",
    "scalar-storage-order",
    "shadow",
    "shift-overflow",
    "sized-deallocation",
    "stack-usage",
    "strict-null-sentinel",
    "stringop-",
    "subobject-linkage",
    "suggest-",
    "switch-unreachable",
    "traditional",
    "trampolines",
    "unsafe-loop-optimizations",
    "unsuffixed-float-constants",
    "unused-const-variable",
    "use-after-free",
    "useless-cast",
    "vector-operation-performance",
    "vla-larger-than",
    "vla-parameter",
    "volatile",
    "zero-length-bounds",
};

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

bool isOther(StringRef Flag) {
  return llvm::any_of(Others, [&](StringRef Known) {
    return Known.ends_with("=") ? Flag.starts_with(Known) : Flag == Known;
  });
}

/// As gcc, which says nothing about `-Wno-` and a name that it does not know.
bool isGccsWarning(StringRef Flag) {
  if (!Flag.consume_front("-W"))
    return false;
  const bool IsOff = Flag.consume_front("no-");
  Flag.consume_front("error=");
  if (clang::DiagnosticIDs::getGroupForWarningOption(Flag))
    return false;
  return IsOff || llvm::any_of(Warnings, [&](StringRef Known) {
           return Known.ends_with("-") ? Flag.starts_with(Known)
                                       : Flag.split('=').first == Known;
         });
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
  const bool IsUnknown = O.matches(options::OPT_UNKNOWN);
  if (IsUnknown && (isOptimisers(Flag) || isOther(Flag)))
    return std::vector<std::string>();
  if (O.matches(options::OPT_W_Joined) &&
      isGccsWarning((Flag + A.getValue()).str()))
    return std::vector<std::string>();
  if (llvm::any_of(OfNoEffect, [&](unsigned Id) { return O.matches(Id); }))
    return std::vector<std::string>();
  return std::nullopt;
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
