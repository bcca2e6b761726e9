// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device, and copies.

#include "State.h"

#include <cstring>

using namespace gpu;

static Result allocate(Address *Made, size_t Bytes, bool OnHost) {
  const Call C;
  if (C.error())
    return C.error();
  if (!Bytes)
    return InvalidValue;
  if (Bytes > size_t(1) << 30)
    return OutOfMemory;
  auto Data = std::make_unique_for_overwrite<char[]>(Bytes);
  std::memset(Data.get(), 0xCB, Bytes);
  *Made = reinterpret_cast<Address>(Data.get());
  C->Allocations[*Made] = {Bytes, OnHost, std::move(Data)};
  driver().record("allocate " + std::to_string(Bytes));
  return Success;
}

static Result release(const Call &C, Address At, bool OnHost) {
  if (!At)
    return Success;
  auto Found = C->Allocations.find(At);
  if (Found == C->Allocations.end() || Found->second.OnHost != OnHost)
    return InvalidValue;
  driver().record("free " + std::to_string(Found->second.Bytes));
  C->Allocations.erase(Found);
  return Success;
}

/// Finds an allocation of any context, as unified addresses let it be.
static Memory *findAnywhere(Address At, size_t Bytes, Context **Of = nullptr) {
  auto In = [&](Context *C) {
    Memory *Found = C->IsAlive ? findMemory(*C, At, Bytes) : nullptr;
    if (Found && Of)
      *Of = C;
    return Found;
  };
  for (Context &C : driver().Primary)
    if (Memory *Found = In(&C))
      return Found;
  for (Context *C : driver().Created)
    if (Memory *Found = In(C))
      return Found;
  return nullptr;
}

/// Whether bytes are in memory of the driver's, which variables of modules are
/// too.
static bool isOurs(Address At, size_t Bytes) {
  for (const StandIn &S : driver().StandIns)
    for (uint32_t I = 0; I < S.Code->NumVariables; ++I) {
      const clinch::simulate::Variable &V = S.Code->Variables[I];
      const auto Begin = reinterpret_cast<Address>(V.Address);
      if (!V.IsShared && At >= Begin && At + Bytes <= Begin + V.Bytes)
        return true;
    }
  return findAnywhere(At, Bytes);
}

/// Whether bytes begin in memory of the driver's, and end outside.
static bool leaves(Address At, size_t Bytes) {
  return isOurs(At, 0) && !isOurs(At, Bytes);
}

enum class Place { Device, Host, Anywhere };

static bool isAt(Address At, size_t Bytes, Place P) {
  if (P == Place::Anywhere)
    return !leaves(At, Bytes);
  return P == Place::Host || isOurs(At, Bytes);
}

/// Copies in the order of a stream. What is not the driver's memory is read and
/// written before this returns.
static Result copy(Address To, Place Target, Address From, Place Source,
                   size_t Bytes, Stream *Handle, bool Waits) {
  const Call C;
  if (C.error())
    return C.error();
  Stream *S = streamOf(C, Handle);
  if (!S)
    return InvalidHandle;
  if (!isAt(To, Bytes, Target) || !isAt(From, Bytes, Source))
    return InvalidValue;
  driver().record("copy " + std::to_string(Bytes));
  const bool IsStaged = !isOurs(From, Bytes);
  const auto *Begin = reinterpret_cast<const char *>(From);
  std::vector<char> Staged;
  if (IsStaged)
    Staged.assign(Begin, Begin + Bytes);
  S->add([=, Staged = std::move(Staged)] {
    std::memmove(reinterpret_cast<char *>(To), IsStaged ? Staged.data() : Begin,
                 Bytes);
    return Success;
  });
  if (Waits || !isOurs(To, Bytes)) {
    S->run(driver().LastNumber);
    return C->Dead;
  }
  return Success;
}

static Result fill(Address To, const void *Value, size_t Size, size_t Count,
                   Stream *Handle, bool Waits) {
  const Call C;
  if (C.error())
    return C.error();
  Stream *S = streamOf(C, Handle);
  if (!S)
    return InvalidHandle;
  if (!isOurs(To, Size * Count))
    return InvalidValue;
  driver().record("set " + std::to_string(Size * Count));
  const std::string Bytes(static_cast<const char *>(Value), Size);
  S->add([=] {
    for (size_t I = 0; I < Count; ++I)
      std::memcpy(reinterpret_cast<char *>(To) + I * Size, Bytes.data(), Size);
    return Success;
  });
  if (Waits)
    S->run(driver().LastNumber);
  return Success;
}

static Address of(const void *At) { return reinterpret_cast<Address>(At); }

extern "C" {

Result cuMemAlloc_v2(Address *Made, size_t Bytes) {
  return allocate(Made, Bytes, false);
}
Result cuMemAllocAsync(Address *Made, size_t Bytes, Stream *) {
  return allocate(Made, Bytes, false);
}
Result cuMemAllocFromPoolAsync(Address *Made, size_t Bytes, void *, Stream *) {
  return allocate(Made, Bytes, false);
}
Result cuMemHostAlloc(Address *Made, size_t Bytes, unsigned) {
  return allocate(Made, Bytes, true);
}
Result cuMemAllocHost_v2(Address *Made, size_t Bytes) {
  return allocate(Made, Bytes, true);
}

Result cuMemFree_v2(Address At) {
  const Call C;
  if (C.error())
    return C.error();
  C->wait();
  return release(C, At, false);
}
Result cuMemFreeHost(void *At) {
  const Call C;
  if (C.error())
    return C.error();
  C->wait();
  return release(C, of(At), true);
}
Result cuMemFreeAsync(Address At, Stream *Handle) {
  const Call C;
  if (C.error())
    return C.error();
  Stream *S = streamOf(C, Handle);
  if (!S)
    return InvalidHandle;
  Context *Of = C.context();
  S->add([=] { return release(Call(Of), At, false); });
  return Success;
}

Result cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  *Total = size_t(1) << 30;
  *Free = *Total / 2;
  return Call().error();
}

Result cuMemcpyHtoD_v2(Address To, const void *From, size_t Bytes) {
  return copy(To, Place::Device, of(From), Place::Host, Bytes, nullptr, true);
}
Result cuMemcpyDtoH_v2(void *To, Address From, size_t Bytes) {
  return copy(of(To), Place::Host, From, Place::Device, Bytes, nullptr, true);
}
Result cuMemcpyDtoD_v2(Address To, Address From, size_t Bytes) {
  return copy(To, Place::Device, From, Place::Device, Bytes, nullptr, false);
}
Result cuMemcpy(Address To, Address From, size_t Bytes) {
  return copy(To, Place::Anywhere, From, Place::Anywhere, Bytes, nullptr, true);
}
Result cuMemcpyHtoDAsync_v2(Address To, const void *From, size_t Bytes,
                            Stream *S) {
  return copy(To, Place::Device, of(From), Place::Host, Bytes, S, false);
}
Result cuMemcpyDtoHAsync_v2(void *To, Address From, size_t Bytes, Stream *S) {
  return copy(of(To), Place::Host, From, Place::Device, Bytes, S, false);
}
Result cuMemcpyDtoDAsync_v2(Address To, Address From, size_t Bytes, Stream *S) {
  return copy(To, Place::Device, From, Place::Device, Bytes, S, false);
}
Result cuMemcpyAsync(Address To, Address From, size_t Bytes, Stream *S) {
  return copy(To, Place::Anywhere, From, Place::Anywhere, Bytes, S, false);
}

Result cuMemsetD8_v2(Address To, unsigned char Value, size_t Count) {
  return fill(To, &Value, 1, Count, nullptr, true);
}
Result cuMemsetD8Async(Address To, unsigned char Value, size_t Count,
                       Stream *S) {
  return fill(To, &Value, 1, Count, S, false);
}
Result cuMemsetD16Async(Address To, unsigned short Value, size_t Count,
                        Stream *S) {
  return fill(To, &Value, 2, Count, S, false);
}
Result cuMemsetD32_v2(Address To, unsigned Value, size_t Count) {
  return fill(To, &Value, 4, Count, nullptr, true);
}
Result cuMemsetD32Async(Address To, unsigned Value, size_t Count, Stream *S) {
  return fill(To, &Value, 4, Count, S, false);
}

/// The context, the kind of memory (1 host, 2 device) and the device's number.
Result cuPointerGetAttribute(void *Value, int Which, Address At) {
  const Call C;
  Context *Of = nullptr;
  Memory *Found = findAnywhere(At, 0, &Of);
  if (!Found)
    return InvalidValue;
  switch (Which) {
  case 1:
    *static_cast<Context **>(Value) = Of;
    return Success;
  case 2:
    *static_cast<unsigned *>(Value) = Found->OnHost ? 1 : 2;
    return Success;
  case 3:
    *static_cast<Address *>(Value) = At;
    return Success;
  case 8:
    *static_cast<unsigned *>(Value) = 0;
    return Success;
  case 9:
    *static_cast<int *>(Value) = Of->Device;
    return Success;
  default:
    return NotSupported;
  }
}

Result cuPointerGetAttributes(unsigned Count, const int *Which, void **Values,
                              Address At) {
  for (unsigned I = 0; I < Count; ++I)
    if (cuPointerGetAttribute(Values[I], Which[I], At))
      std::memset(Values[I], 0, Which[I] == 8 || Which[I] == 2 ? 4 : 8);
  return Success;
}

} // extern "C"
