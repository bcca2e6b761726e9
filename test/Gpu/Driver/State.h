// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver for tests knows.
//
// A libcuda.so.1 for machines without a GPU. A module's kernels run in the
// simulator: a test says which simulated program stands for which PTX. Memory
// of the device is memory of the process. A stream does nothing before somebody
// waits for it, so that a program that forgets to wait reads what is not there
// yet.

#pragma once

#include "jit/Simulate/Launch.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace gpu {

using clinch::simulate::Program;

/// A CUresult.
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  ContextIsDestroyed = 709,
  Assertion = 710,
  LaunchFailed = 719,
  NotSupported = 801,
};

using Address = uint64_t;
struct Context;

/// Something that a stream is still to do.
struct Operation {
  uint64_t Number; ///< Of all streams together, in the order of the calls.
  std::function<Result()> Do;
};

struct Stream {
  Context *Of;
  bool Waits; ///< For the stream that is null, as that does for this one.
  std::deque<Operation> Waiting{};

  void add(std::function<Result()> Do);
  /// Does what was added up to \p Number.
  void run(uint64_t Number);
};

struct Event {
  Context *Of;
  Stream *On = nullptr; ///< Where it was recorded; null: nowhere.
  uint64_t Number = 0;
  bool Happened = true;
  std::chrono::steady_clock::time_point When{};
};

struct Memory {
  size_t Bytes;
  bool OnHost; ///< Page-locked.
  std::unique_ptr<char[]> Data;
};

struct Module {
  Context *Of;
  const Program *Code;
};

/// Kernels of libraries have no context: they run in the current one.
struct Function {
  Context *Of;
  const Program *Code;
  const clinch::simulate::Kernel *Kernel;
};

struct Library {
  const Program *Code;
};

struct Context {
  int Device;
  uint64_t Id;
  bool IsAlive = true;
  Result Dead = Success; ///< What every call returns once a kernel has failed.
  unsigned Retained = 0; ///< Of a primary one.
  Stream Null{this, true};
  std::map<Stream *, std::unique_ptr<Stream>> Streams{};
  std::map<Event *, std::unique_ptr<Event>> Events{};
  std::map<Module *, std::unique_ptr<Module>> Modules{};
  std::map<Address, Memory> Allocations{};

  void wait(); ///< For all streams.
  void end();  ///< Frees all that it has.
};

/// A program that stands for an image, and its variables as they begin.
struct StandIn {
  const Program *Code;
  std::string Image; ///< Empty: any image with the same kernels.
  std::vector<std::string> Variables;
};

struct Driver {
  std::recursive_mutex Mutex;
  bool IsInitialized = false;
  uint64_t LastNumber = 0, LastContext = 0;
  std::deque<Context> Primary;
  std::set<Context *> Created;
  std::map<Function *, std::unique_ptr<Function>> Functions;
  std::map<Library *, std::unique_ptr<Library>> Libraries;
  std::vector<StandIn> StandIns;
  std::vector<std::string> Record; ///< The calls that do something.
  std::string Text;                ///< What is returned of it.
  std::string Said;                ///< Of kernels that failed.

  Driver();
  void record(const std::string &Call) { Record.push_back(Call); }
};

Driver &driver();

/// The contexts of this thread; the last is current. An entry may be null.
std::vector<Context *> &contexts();

/// What each call begins with: the lock, and the current context, which is
/// alive. If there is none, error() says why.
class Call {
public:
  Call();
  explicit Call(Context *C); ///< Of this one.
  Result error() const { return Error; }
  Context *operator->() const { return C; }
  Context *context() const { return C; }

private:
  std::lock_guard<std::recursive_mutex> Lock;
  Context *C = nullptr;
  Result Error = Success;
};

/// Returns the stream of a handle, which may be that of the null stream.
Stream *streamOf(const Call &C, Stream *Handle);

/// Returns the allocation that these bytes are in, or null.
Memory *findMemory(Context &C, Address At, size_t Bytes);

/// Finds what stands for an image. \p Log gets what the assembler says.
Result findProgram(const char *Image, const Program *&Found, std::string &Log);

/// A setting of the test: CLINCH_TEST_DRIVER_\p Name.
long setting(const char *Name, long Otherwise);

} // namespace gpu
