// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native thread-local variables.
//
// Texts have emulated thread-locals. Objects of other compilers have native
// ones, which ask `__tls_get_addr` of the C library for the address: it knows
// only those of files that the system has loaded. Here the variables of all
// objects of a link are one emulated variable, and code that asks for an
// address calls our function.

#pragma once

#include "EmulatedThreadLocals.h"
#include "clinch/Support/Expected.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// What code gives to `__tls_get_addr`; JITLink makes them.
struct ThreadLocalPlace {
  EmulatedVariable *Of;
  char *Initial; ///< The variable's initial value.
};

/// The thread-local variables of the objects of one link.
struct ThreadLocals {
  /// What the loader has linked of one object, and the place it is copied to.
  struct Image {
    char *Place;
    const char *Linked;
    size_t Size;
  };
  size_t Capacity = 0;             ///< Enough for those of all objects.
  std::shared_ptr<char> Memory;    ///< The variable and its initial value.
  EmulatedVariable *All = nullptr; ///< In the memory, once it is made.
  std::vector<Image> Images;
  std::vector<ThreadLocalPlace *> Places;

  char *begin();
  char *reserve(size_t Size, size_t AlignedTo);
  bool has(const char *Address) const;
  /// Makes the variable; all must be linked.
  Status connect();

private:
  size_t Used = 0, Alignment = alignof(void *);
  bool IsTooLarge = false; ///< For what was counted.
};

/// Returns a copy of an object with what JITLink knows in place of what it
/// refuses: offsets in the variables of the object, internal symbols. Nothing
/// if it has none of them.
std::optional<std::string> asJITLinkKnows(std::string_view Object);

/// Gives the thread-local variables of a graph their place, which is returned,
/// or null if it has none.
char *joinThreadLocals(llvm::jitlink::LinkGraph &G, ThreadLocals &All);
/// Before memory is allocated: places are written when all is linked.
void makePlacesWritable(llvm::jitlink::LinkGraph &G);
void recordThreadLocals(llvm::jitlink::LinkGraph &G, char *Place,
                        ThreadLocals &All);

/// Returns our `__tls_get_addr`, or null for another name.
void *findThreadLocalAccess(std::string_view Name);

} // namespace clinch
