// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who computes which numbers of a loop.

#include "Gomp.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <type_traits>

using namespace clinch;
using namespace clinch::openmp;

namespace {

/// Clang's numbers of schedules; those of loops with `ordered` are greater.
enum Schedule : int32_t {
  StaticChunked = 33,
  Static = 34,
  Dynamic = 35,
  Guided = 36,
  Runtime = 37,
  Auto = 38,
  StaticSimd = 45, ///< Chunks of whole vectors.
  FirstOrdered = 65,
  OrderedBy = 32, ///< By which those with `ordered` are greater.
  Monotonic = 1 << 29,
  Modifiers = Monotonic | (1 << 30)
};

/// How many numbers a loop has, both ends among them.
template <typename T>
Number countOf(T Lower, T Upper, std::make_signed_t<T> Step) {
  using U = std::make_unsigned_t<T>;
  if (Step > 0 ? Upper < Lower : Lower < Upper)
    return 0;
  return Step > 0 ? Number(U(U(Upper) - U(Lower)) / U(Step)) + 1
                  : Number(U(U(Lower) - U(Upper)) / (U(0) - U(Step))) + 1;
}

/// The part of a thread of a loop without a schedule or with `static`.
template <typename T> class StaticPart {
public:
  using Signed = std::make_signed_t<T>;

  StaticPart(T &Lower, T &Upper, Signed &Stride, int32_t *Last, Signed Step)
      : Lower(Lower), Upper(Upper), Stride(Stride), Last(Last), Step(Step),
        Count(countOf(Lower, Upper, Step)), Thread(gomp().ThreadNumber()),
        Threads(gomp().Threads()) {}

  void choose(int32_t Kind, Signed Chunk) {
    const Number Wanted = Chunk > 0 ? Number(Chunk) : 1;
    if (!Count) {
      Stride = Step;
      setLast(false);
    } else if (Kind == StaticChunked) {
      inTurn(Wanted);
    } else if (Kind == StaticSimd) {
      const Number Each = (Count + Threads - 1) / Threads;
      inTurn((Each + Wanted - 1) / Wanted * Wanted);
    } else {
      evenly();
    }
  }

private:
  /// One chunk after another, each thread the next.
  void inTurn(Number Chunk) {
    const T Span = T(T(Chunk) * T(Step));
    Stride = Signed(T(Span * T(Threads)));
    Lower = T(Lower + T(Span * T(Thread)));
    Upper = T(Lower + Span - T(Step));
    setLast((Count - 1) / Chunk % Threads == Thread);
  }

  /// A thread has one part, and none has two numbers more than another.
  void evenly() {
    const Number Each = Count / Threads, More = Count % Threads;
    const Number Begin = Thread * Each + std::min(Thread, More);
    const Number Own = Each + (Thread < More);
    Stride = Signed(T(T(Count) * T(Step)));
    setLast(Own && Begin + Own == Count);
    Lower = T(Lower + T(T(Begin) * T(Step)));
    Upper = Own ? T(Lower + T(T(Own - 1) * T(Step))) : T(Lower - T(Step));
  }

  void setLast(bool IsLast) {
    if (Last)
      *Last = IsLast;
  }

  T &Lower, &Upper;
  Signed &Stride;
  int32_t *const Last;
  const Signed Step;
  const Number Count, Thread, Threads;
};

template <typename T>
void startStatic(Place *, int32_t, int32_t Kind, int32_t *Last, T *Lower,
                 T *Upper, std::make_signed_t<T> *Stride,
                 std::make_signed_t<T> Step, std::make_signed_t<T> Chunk) {
  StaticPart<T>(*Lower, *Upper, *Stride, Last, Step)
      .choose(Kind & ~Modifiers, Chunk);
}
void for_static_fini(Place *, int32_t) {}

/// A loop of this thread whose numbers the runtime deals out.
struct Dealt {
  int32_t Kind;
  bool IsOrdered;
  Number Count, Chunk;
  uint64_t Lower, Step;
  Dealt *Around; ///< In whose body it stands.
  bool IsStarted = false;
};
constinit thread_local Dealt *Innermost = nullptr;

/// Gets the first chunk of the thread, from 0 on.
bool start(const Dealt &L, Number *First, Number *Behind) {
  const Gomp &G = gomp();
  auto By = [&](auto *Plain, auto *InOrder) {
    return (L.IsOrdered ? InOrder : Plain)(true, 0, L.Count, 1, L.Chunk, First,
                                           Behind);
  };
  switch (L.Kind) {
  case Dynamic:
    return By(G.loop_ull_dynamic_start, G.loop_ull_ordered_dynamic_start);
  case Guided:
    return By(G.loop_ull_guided_start, G.loop_ull_ordered_guided_start);
  case Runtime:
    return (L.IsOrdered
                ? G.loop_ull_ordered_runtime_start
                : G.loop_ull_runtime_start)(true, 0, L.Count, 1, First, Behind);
  default:
    return By(G.loop_ull_static_start, G.loop_ull_ordered_static_start);
  }
}

/// Gets the next one.
bool goOn(const Dealt &L, Number *First, Number *Behind) {
  const Gomp &G = gomp();
  auto By = [&](auto *Plain, auto *InOrder) {
    return (L.IsOrdered ? InOrder : Plain)(First, Behind);
  };
  switch (L.Kind) {
  case Dynamic:
    return By(G.loop_ull_dynamic_next, G.loop_ull_ordered_dynamic_next);
  case Guided:
    return By(G.loop_ull_guided_next, G.loop_ull_ordered_guided_next);
  case Runtime:
    return By(G.loop_ull_runtime_next, G.loop_ull_ordered_runtime_next);
  default:
    return By(G.loop_ull_static_next, G.loop_ull_ordered_static_next);
  }
}

template <typename T>
void startDealt(Place *, int32_t, int32_t Kind, T Lower, T Upper,
                std::make_signed_t<T> Step, std::make_signed_t<T> Chunk) {
  Kind &= ~Modifiers;
  const bool IsOrdered = Kind >= FirstOrdered;
  Kind -= IsOrdered ? OrderedBy : 0;
  // Without chunks each thread has one part.
  Number Each = Chunk > 0 ? Number(Chunk) : 1;
  if (Kind == Static || Kind == Auto)
    Each = 0;
  Innermost = new Dealt{Kind,     IsOrdered,       countOf(Lower, Upper, Step),
                        Each,     uint64_t(Lower), uint64_t(Step),
                        Innermost};
}

template <typename T>
int32_t nextDealt(Place *, int32_t, int32_t *Last, T *Lower, T *Upper,
                  std::make_signed_t<T> *Stride) {
  Dealt &L = *Innermost;
  Number First = 0, Behind = 0;
  if (!(L.IsStarted ? goOn : start)(L, &First, &Behind)) {
    const std::unique_ptr<Dealt> Done(Innermost);
    Innermost = Done->Around;
    gomp().loop_end_nowait();
    return 0;
  }
  L.IsStarted = true;
  *Lower = T(L.Lower + First * L.Step);
  *Upper = T(L.Lower + (Behind - 1) * L.Step);
  *Stride = std::make_signed_t<T>(L.Step);
  if (Last)
    *Last = Behind == L.Count;
  return 1;
}

void dispatch_fini(Place *, int32_t) {}

template <typename T>
using Start = void (*)(Place *, int32_t Thread, int32_t Kind, T Lower, T Upper,
                       std::make_signed_t<T> Step, std::make_signed_t<T> Chunk);

/// The runtime's own, on which startMonotonic() stands.
template <typename T> constinit std::atomic<Start<T>> OwnStart{nullptr};

/// LLVM's runtimes before 19 lose who computed the last number of a `dynamic`
/// loop, unless each thread goes upwards.
template <typename T>
void startMonotonic(Place *P, int32_t Thread, int32_t Kind, T Lower, T Upper,
                    std::make_signed_t<T> Step, std::make_signed_t<T> Chunk) {
  if ((Kind & ~Modifiers) == Dynamic)
    Kind = Dynamic | Monotonic;
  OwnStart<T>.load(std::memory_order_relaxed)(P, Thread, Kind, Lower, Upper,
                                              Step, Chunk);
}

template <typename T> void *monotonic(void *Own) {
  OwnStart<T> = reinterpret_cast<Start<T>>(Own);
  return reinterpret_cast<void *>(&startMonotonic<T>);
}

} // namespace

void *openmp::findLoop(std::string_view Name) {
#define CLINCH_KMPC_LOOPS(Ending, T)                                           \
  {"__kmpc_for_static_init_" Ending,                                           \
   reinterpret_cast<void *>(&startStatic<T>)},                                 \
      {"__kmpc_dispatch_init_" Ending,                                         \
       reinterpret_cast<void *>(&startDealt<T>)},                              \
      {"__kmpc_dispatch_next_" Ending,                                         \
       reinterpret_cast<void *>(&nextDealt<T>)},                               \
  {                                                                            \
    "__kmpc_dispatch_fini_" Ending, reinterpret_cast<void *>(&dispatch_fini)   \
  }
  const Entry Entries[] = {
      CLINCH_KMPC(for_static_fini),
      {"__kmpc_dispatch_deinit", reinterpret_cast<void *>(&dispatch_fini)},
      CLINCH_KMPC_LOOPS("4", int32_t),
      CLINCH_KMPC_LOOPS("4u", uint32_t),
      CLINCH_KMPC_LOOPS("8", int64_t),
      CLINCH_KMPC_LOOPS("8u", uint64_t),
  };
#undef CLINCH_KMPC_LOOPS
  return findIn(Entries, Name);
}

void *openmp::findForOldLlvm(std::string_view Name, void *Own) {
  if (Name == "__kmpc_dispatch_deinit") // They end a loop without being told.
    return reinterpret_cast<void *>(&dispatch_fini);
  if (Name == "__kmpc_dispatch_init_4")
    return monotonic<int32_t>(Own);
  if (Name == "__kmpc_dispatch_init_4u")
    return monotonic<uint32_t>(Own);
  if (Name == "__kmpc_dispatch_init_8")
    return monotonic<int64_t>(Own);
  if (Name == "__kmpc_dispatch_init_8u")
    return monotonic<uint64_t>(Own);
  return nullptr;
}
