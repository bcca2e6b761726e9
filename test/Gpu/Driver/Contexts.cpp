// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and contexts.

#include "State.h"

#include <cstring>
#include <map>

using namespace gpu;

static bool isDevice(int D) {
  return D >= 0 && D < static_cast<int>(driver().Primary.size());
}

/// Whether a context is one that was made and not yet destroyed.
static bool isKnown(Context *C) {
  if (driver().Created.contains(C))
    return true;
  for (Context &Each : driver().Primary)
    if (&Each == C)
      return true;
  return false;
}

static void begin(Context &C) {
  C.IsAlive = true;
  C.Dead = Success;
  C.Id = ++driver().LastContext;
  driver().record("context " + std::to_string(C.Id) + " on device " +
                  std::to_string(C.Device));
}

static int attributeOf(int Which) {
  static const std::map<int, long> Known = {
      {1, 1024},       {2, 1024},  {3, 1024},    {4, 64},
      {5, 0x7fffffff}, {6, 65535}, {7, 65535},   {8, 49152},
      {9, 65536},      {10, 32},   {12, 65536},  {16, 2},
      {39, 2048},      {41, 1},    {81, 233472}, {97, 232448},
  };
  const long Capability = setting("CAPABILITY", 90);
  if (Which == 75)
    return static_cast<int>(Capability / 10);
  if (Which == 76)
    return static_cast<int>(Capability % 10);
  auto Found = Known.find(Which);
  return Found == Known.end() ? 0 : static_cast<int>(Found->second);
}

extern "C" {

Result cuInit(unsigned Flags) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (Flags)
    return InvalidValue;
  if (driver().Primary.empty())
    return NoDevice;
  driver().IsInitialized = true;
  return Success;
}

Result cuDriverGetVersion(int *Version) {
  *Version = static_cast<int>(setting("CUDA", 13000));
  return Success;
}

Result cuDeviceGetCount(int *Count) {
  *Count = static_cast<int>(driver().Primary.size());
  return driver().IsInitialized ? Success : NotInitialized;
}

Result cuDeviceGet(int *Device, int Number) {
  if (!driver().IsInitialized)
    return NotInitialized;
  *Device = Number;
  return isDevice(Number) ? Success : InvalidDevice;
}

Result cuDeviceGetAttribute(int *Value, int Which, int Device) {
  if (!isDevice(Device))
    return InvalidDevice;
  *Value = attributeOf(Which);
  return Success;
}

Result cuDeviceGetName(char *Name, int Length, int Device) {
  if (!isDevice(Device) || Length < 1)
    return InvalidDevice;
  std::strncpy(Name, "Clinch's simulator", Length);
  Name[Length - 1] = 0;
  return Success;
}

Result cuDeviceGetUuid_v2(char *Uuid, int Device) {
  std::memset(Uuid, Device + 1, 16);
  return isDevice(Device) ? Success : InvalidDevice;
}

Result cuDeviceTotalMem_v2(size_t *Bytes, int Device) {
  *Bytes = size_t(1) << 30;
  return isDevice(Device) ? Success : InvalidDevice;
}

Result cuDevicePrimaryCtxRetain(Context **Found, int Device) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!driver().IsInitialized)
    return NotInitialized;
  if (!isDevice(Device))
    return InvalidDevice;
  Context &C = driver().Primary[Device];
  if (!C.Retained++)
    begin(C);
  *Found = &C;
  return Success;
}

Result cuDevicePrimaryCtxRelease_v2(int Device) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!isDevice(Device))
    return InvalidDevice;
  Context &C = driver().Primary[Device];
  if (!C.Retained)
    return InvalidContext;
  if (!--C.Retained)
    C.end();
  return Success;
}

Result cuDevicePrimaryCtxReset_v2(int Device) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!isDevice(Device))
    return InvalidDevice;
  Context &C = driver().Primary[Device];
  if (C.IsAlive)
    C.end();
  C.Retained = 0;
  return Success;
}

Result cuDevicePrimaryCtxGetState(int Device, unsigned *Flags, int *Active) {
  if (!isDevice(Device))
    return InvalidDevice;
  *Flags = 0;
  *Active = driver().Primary[Device].IsAlive;
  return Success;
}

Result cuCtxCreate_v2(Context **Made, unsigned, int Device) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!driver().IsInitialized)
    return NotInitialized;
  if (!isDevice(Device))
    return InvalidDevice;
  *Made = new Context{.Device = Device, .Id = 0};
  driver().Created.insert(*Made);
  begin(**Made);
  contexts().push_back(*Made);
  return Success;
}

// Contexts that were destroyed stay known, so that whoever uses one is told.
Result cuCtxDestroy_v2(Context *C) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!driver().Created.contains(C) || !C->IsAlive)
    return InvalidContext;
  C->end();
  if (!contexts().empty() && contexts().back() == C)
    contexts().pop_back();
  return Success;
}

Result cuCtxGetCurrent(Context **Found) {
  *Found = contexts().empty() ? nullptr : contexts().back();
  return driver().IsInitialized ? Success : NotInitialized;
}

Result cuCtxSetCurrent(Context *C) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!driver().IsInitialized)
    return NotInitialized;
  if (C && !(isKnown(C) && C->IsAlive))
    return InvalidContext;
  if (!contexts().empty())
    contexts().pop_back();
  if (C)
    contexts().push_back(C);
  return Success;
}

Result cuCtxPushCurrent_v2(Context *C) {
  const std::lock_guard<std::recursive_mutex> Lock(driver().Mutex);
  if (!isKnown(C) || !C->IsAlive)
    return InvalidContext;
  contexts().push_back(C);
  return Success;
}

Result cuCtxPopCurrent_v2(Context **Popped) {
  if (contexts().empty())
    return InvalidContext;
  if (Popped)
    *Popped = contexts().back();
  contexts().pop_back();
  return Success;
}

Result cuCtxGetDevice(int *Device) {
  const Call C;
  if (C.context())
    *Device = C->Device;
  return C.context() ? Success : InvalidContext;
}

Result cuCtxGetId(Context *Given, unsigned long long *Id) {
  const Call C(Given                ? Given
               : contexts().empty() ? nullptr
                                    : contexts().back());
  if (!C.context() || !isKnown(C.context()))
    return InvalidContext;
  *Id = C->Id;
  return C->IsAlive ? Success : ContextIsDestroyed;
}

Result cuCtxSynchronize() {
  const Call C;
  if (C.error())
    return C.error();
  C->wait();
  return C->Dead;
}

Result cuCtxGetStreamPriorityRange(int *Least, int *Greatest) {
  *Least = *Greatest = 0;
  return Call().error();
}

} // extern "C"
