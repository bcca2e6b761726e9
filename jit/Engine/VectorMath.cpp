//===- VectorMath.cpp - glibc's vector functions -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMath.h"

#include "VectorFunctions.h"
#include "VectorNames.h"

#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace clinch::engine;

namespace {

/// One width of vectors: the letter that the vector ABI gives the instruction
/// set, and how many doubles fit.
struct Width {
  char ISA;
  unsigned Doubles;
  bool Fused; ///< Multiplies and adds in one.
};

/// None of 512 bits: functions that Clang marks for 256 would pass such a
/// vector in two registers, and the callee reads one.
std::vector<Width> widthsOf(llvm::StringRef Features) {
  llvm::SmallVector<llvm::StringRef, 64> List;
  Features.split(List, ',');
  auto Has = [&](llvm::StringRef Name) {
    return llvm::is_contained(List, Name);
  };
  bool Fused = Has("+fma");
  std::vector<Width> Result = {{'b', 2, Fused}};
  if (Has("+avx2"))
    Result.push_back({'d', 4, Fused});
  else if (Has("+avx"))
    Result.push_back({'c', 4, Fused});
  return Result;
}

/// Collects the table of one instruction set. LLVM keeps references to the
/// names, so they stay.
class TableBuilder {
public:
  explicit TableBuilder(void *Library) : Library(Library) {}

  void add(const ScalarFunction &F, const Width &W, bool Single) {
    unsigned Lanes = Single ? 2 * W.Doubles : W.Doubles;
    std::string Shape =
        "N" + std::to_string(Lanes) + std::string(F.Arguments, 'v');
    std::string Scalar = std::string(F.Name) + (Single ? "f" : "");
    std::string Vector;
    if (W.Fused && !Single)
      Vector = ownVectorFunction(F.Name, Lanes);
    if (Vector.empty()) {
      Vector = std::string("_ZGV") + W.ISA + Shape + "_" + Scalar;
      if (!Library || !dlsym(Library, Vector.c_str()))
        return;
    }
    llvm::StringRef VectorName = keep(Vector);
    llvm::StringRef ABI = keep("_ZGV_LLVM_" + Shape);
    put(keep(Scalar), VectorName, Lanes, ABI);
    if (F.Intrinsic)
      put(keep(std::string("llvm.") + F.Name + (Single ? ".f32" : ".f64")),
          VectorName, Lanes, ABI);
  }
  llvm::ArrayRef<llvm::VecDesc> table() const { return Table; }

private:
  llvm::StringRef keep(std::string S) {
    return Names.emplace_back(std::move(S));
  }
  void put(llvm::StringRef Scalar, llvm::StringRef Vector, unsigned Lanes,
           llvm::StringRef ABI) {
    Table.emplace_back(Scalar, Vector, llvm::ElementCount::getFixed(Lanes),
                       /*Masked=*/false, ABI, std::nullopt);
  }

  void *Library;
  std::deque<std::string> Names;
  std::vector<llvm::VecDesc> Table;
};

} // namespace

void clinch::engine::noteOtherBits(llvm::Module &M,
                                   const llvm::TargetLibraryInfoImpl &Library) {
  if (llvm::none_of(M, [&](const llvm::Function &F) {
        return F.isDeclaration() && !F.use_empty() &&
               Library.isFunctionVectorizable(F.getName());
      }))
    return;
  llvm::Type *Byte = llvm::Type::getInt8Ty(M.getContext());
  new llvm::GlobalVariable(M, Byte, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantInt::get(Byte, 1), OtherBitsSymbol);
}

void clinch::engine::addVectorMath(llvm::TargetLibraryInfoImpl &Library,
                                   llvm::StringRef Features) {
  // The code calls it too: it stays loaded.
  static void *const Math = dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
  static std::mutex Lock;
  static std::map<std::string, TableBuilder> Tables;
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<Width> Widths = widthsOf(Features);
  std::string Key;
  for (const Width &W : Widths)
    Key += {W.ISA, W.Fused ? 'f' : '-'};
  auto [At, IsNew] = Tables.try_emplace(Key, Math);
  if (IsNew)
    for (const Width &W : Widths)
      for (const ScalarFunction &F : VectorisedFunctions)
        for (bool Single : {false, true})
          At->second.add(F, W, Single);
  Library.addVectorizableFunctions(At->second.table());
}
