// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, libraries and their kernels.

#include "State.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

using namespace gpu;

/// What the assembler says goes where the options want it.
static void tell(const std::string &Log, unsigned Count, const int *Options,
                 void **Values) {
  constexpr int ErrorLog = 5, ErrorLogBytes = 6;
  char *Buffer = nullptr;
  size_t Bytes = 0;
  for (unsigned I = 0; I < Count; ++I)
    if (Options[I] == ErrorLog)
      Buffer = static_cast<char *>(Values[I]);
    else if (Options[I] == ErrorLogBytes)
      Bytes = reinterpret_cast<size_t>(Values[I]);
  if (Buffer && Bytes) {
    std::strncpy(Buffer, Log.c_str(), Bytes - 1);
    Buffer[Bytes - 1] = 0;
  }
}

static Result find(const void *Image, unsigned Count, const int *Options,
                   void **Values, const Program *&Code) {
  std::string Log;
  const Result Found = findProgram(static_cast<const char *>(Image), Code, Log);
  tell(Log, Count, Options, Values);
  return Found;
}

static Result functionOf(Function **Found, Context *Of, const Program *Code,
                         const char *Name) {
  for (uint32_t I = 0; I < Code->NumKernels; ++I)
    if (!std::strcmp(Code->Kernels[I].Symbol, Name)) {
      auto F = std::make_unique<Function>(Of, Code, &Code->Kernels[I]);
      *Found = F.get();
      driver().Functions[*Found] = std::move(F);
      return Success;
    }
  return NotFound;
}

static bool isFunction(Function *F) { return driver().Functions.contains(F); }

/// What the author calls a variable that PTX calls \p Symbol.
static std::string written(const char *Symbol) {
  int Failed = 0;
  char *Name = abi::__cxa_demangle(Symbol, nullptr, nullptr, &Failed);
  std::string Text = Failed ? Symbol : Name;
  std::free(Name);
  return Text;
}

static Result variableOf(Address *Found, size_t *Bytes, const Program *Code,
                         const char *Name) {
  for (uint32_t I = 0; I < Code->NumVariables; ++I) {
    const clinch::simulate::Variable &V = Code->Variables[I];
    if (V.IsShared ||
        (std::strcmp(V.Name, Name) != 0 && V.Name != written(Name)))
      continue;
    if (Found)
      *Found = reinterpret_cast<Address>(V.Address);
    if (Bytes)
      *Bytes = V.Bytes;
    return Success;
  }
  return NotFound;
}

extern "C" {

Result cuModuleLoadDataEx(Module **Made, const void *Image, unsigned Count,
                          const int *Options, void **Values) {
  const Call C;
  if (C.error())
    return C.error();
  const Program *Code = nullptr;
  if (const Result Error = find(Image, Count, Options, Values, Code))
    return Error;
  auto M = std::make_unique<Module>(C.context(), Code);
  *Made = M.get();
  C->Modules[*Made] = std::move(M);
  driver().record("load " + std::to_string(Code->NumKernels) + " kernels");
  return Success;
}
Result cuModuleLoadData(Module **Made, const void *Image) {
  return cuModuleLoadDataEx(Made, Image, 0, nullptr, nullptr);
}

Result cuModuleUnload(Module *M) {
  const Call C;
  if (C.error())
    return C.error();
  if (!C->Modules.contains(M))
    return InvalidHandle;
  C->wait();
  std::erase_if(driver().Functions, [&](const auto &F) {
    return F.second->Of == C.context() && F.second->Code == M->Code;
  });
  C->Modules.erase(M);
  driver().record("unload");
  return Success;
}

Result cuModuleGetFunction(Function **Found, Module *M, const char *Name) {
  const Call C;
  if (C.error())
    return C.error();
  if (!C->Modules.contains(M))
    return InvalidHandle;
  return functionOf(Found, C.context(), M->Code, Name);
}

Result cuModuleGetGlobal_v2(Address *Found, size_t *Bytes, Module *M,
                            const char *Name) {
  const Call C;
  if (C.error())
    return C.error();
  if (!C->Modules.contains(M))
    return InvalidHandle;
  return variableOf(Found, Bytes, M->Code, Name);
}

Result cuLibraryLoadData(Library **Made, const void *Image, const int *Options,
                         void **Values, unsigned Count, const int *, void **,
                         unsigned) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  const Program *Code = nullptr;
  if (const Result Error = find(Image, Count, Options, Values, Code))
    return Error;
  auto L = std::make_unique<Library>(Code);
  *Made = L.get();
  driver().Libraries[*Made] = std::move(L);
  driver().record("load " + std::to_string(Code->NumKernels) + " kernels");
  return Success;
}

Result cuLibraryUnload(Library *L) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  driver().record("unload");
  return driver().Libraries.erase(L) ? Success : InvalidHandle;
}

Result cuLibraryGetKernel(Function **Found, Library *L, const char *Name) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!driver().Libraries.contains(L))
    return InvalidHandle;
  return functionOf(Found, nullptr, L->Code, Name);
}

Result cuKernelGetFunction(Function **Found, Function *Kernel) {
  *Found = Kernel;
  return isFunction(Kernel) ? Success : InvalidHandle;
}

Result cuKernelGetName(const char **Name, Function *F) {
  if (!isFunction(F))
    return InvalidHandle;
  *Name = F->Kernel->Symbol;
  return Success;
}

/// The offsets and sizes of parameters, which stand as in a C struct.
Result cuKernelGetParamInfo(Function *F, size_t Index, size_t *Offset,
                            size_t *Bytes) {
  if (!isFunction(F))
    return InvalidHandle;
  if (Index >= F->Kernel->Parameters)
    return InvalidValue;
  size_t At = 0;
  for (size_t I = 0; I <= Index; ++I) {
    const size_t Size = F->Kernel->ParameterBytes[I];
    const size_t Align = Size % 8 == 0 ? 8 : Size % 4 == 0 ? 4 : 1;
    At = (At + Align - 1) / Align * Align;
    *Offset = At;
    if (Bytes)
      *Bytes = Size;
    At += Size;
  }
  return Success;
}
Result cuFuncGetParamInfo(Function *F, size_t Index, size_t *Offset,
                          size_t *Bytes) {
  return cuKernelGetParamInfo(F, Index, Offset, Bytes);
}

/// The most threads of a block, and the bytes of shared variables.
Result cuFuncGetAttribute(int *Value, int Which, Function *F) {
  constexpr int MaxThreads = 0, SharedBytes = 1;
  if (!isFunction(F))
    return InvalidHandle;
  *Value = 0;
  if (Which == MaxThreads)
    *Value =
        F->Kernel->MaxThreads ? static_cast<int>(F->Kernel->MaxThreads) : 1024;
  else if (Which == SharedBytes)
    *Value = static_cast<int>(F->Kernel->SharedBytes);
  return Success;
}
Result cuKernelGetAttribute(int *Value, int Which, Function *F, int) {
  return cuFuncGetAttribute(Value, Which, F);
}

Result cuFuncSetAttribute(Function *F, int Which, int Value) {
  constexpr int MaxDynamicShared = 8;
  if (!isFunction(F))
    return InvalidHandle;
  if (Which == MaxDynamicShared &&
      static_cast<uint64_t>(Value) > F->Code->SharedLimit)
    return InvalidValue;
  driver().record("attribute " + std::to_string(Which) + " " +
                  std::to_string(Value));
  return Success;
}
Result cuKernelSetAttribute(int Which, int Value, Function *F, int) {
  return cuFuncSetAttribute(F, Which, Value);
}

} // extern "C"
