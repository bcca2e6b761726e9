// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of compiled code.

#include "Key.h"
#include "EngineLibrary.h"
#include "Wire.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Files/PrefixPaths.h"
#include "lib/Support/Forks.h"
#include "lib/Support/Hash.h"

#include <gnu/libc-version.h>
#include <map>

using namespace clinch;

bool clinch::usesHost(const CompileOptions &O) {
  if (O.CPU == "host" || (O.CPU.empty() && O.Level != Tier::Fast))
    return true;
  for (const std::string &Flag : O.Flags)
    if (Flag.ends_with("=native"))
      return true;
  return false;
}

/// Returns the result of \p Find for \p Of, from \p Known if possible. Calls
/// \p Find outside the lock, at worst twice, because it may wait for a library
/// that is being opened, and that library's initialisers may compile.
template <typename T, typename FindFn>
static std::string remembered(std::map<T, std::string> &Known, const T &Of,
                              FindFn Find) {
  {
    LockGuard Guard(lockOf(ProcessLock::Keys));
    if (auto At = Known.find(Of); At != Known.end())
      return At->second;
  }
  std::string Found = Find();
  LockGuard Guard(lockOf(ProcessLock::Keys));
  return Known.try_emplace(Of, std::move(Found)).first->second;
}

/// Returns a hash of the prefix and of its headers, which do not change
/// meanwhile: hashing it for each key would take as long as all the rest.
static std::string versionOf(const std::string &Prefix,
                             const std::vector<std::string> &Folders) {
  using Of = std::pair<std::string, std::vector<std::string>>;
  using Versions = std::map<Of, std::string>;
  static constinit ForProcess<Versions> Known;
  return remembered(Known.get([] { return new Versions; }), Of(Prefix, Folders),
                    [&] {
                      return KeyBuilder()
                          .add(Prefix)
                          .add(engine::prefixVersion(Prefix, Folders))
                          .finish();
                    });
}

/// Returns the versions of what runs, for each path of an engine. The engine
/// contains Clang, LLVM and lib/Math; glibc's version decides what LLVM
/// computes of constants.
static std::string runningVersions(const std::string &EnginePath) {
  using Versions = std::map<std::string, std::string>;
  static constinit ForProcess<Versions> Known;
  return remembered(Known.get([] { return new Versions; }), EnginePath, [&] {
    return buildFingerprint() + '|' + engineBuildId(EnginePath) + '|' +
           gnu_get_libc_version();
  });
}

/// Known only to a process that asks: it takes LLVM some tenths of a
/// millisecond.
static const std::string &hostFingerprint() {
  static constinit ForProcess<const std::string> Known;
  return Known.get([] { return new const std::string(hostCPUFingerprint()); });
}

std::string clinch::contentKey(const SourceText &Text, const CompileOptions &O,
                               const Session::Options &S) {
  // A key of the caller's replaces the text, but for a debugger, which shows
  // it.
  const bool HasOwn = !O.Key.empty() && !O.Debug && O.Regions.empty();
  KeyBuilder Key;
  Key.add(runningVersions(S.EnginePath))
      .add(encodeObjectSources(HasOwn ? SourceText{Text.Name, {}} : Text, O));
  Key.add(usesHost(O) ? hostFingerprint() : std::string());
  if (!O.Prefix.empty()) {
    Key.add(uint64_t(S.PrefixDirs.size()));
    for (const std::string &Folder : S.PrefixDirs)
      Key.add(Folder);
    Key.add(versionOf(O.Prefix, S.PrefixDirs));
  }
  return Key.finish();
}

std::string clinch::codeKey(const std::string &ContentKey,
                            const CompileOptions &O) {
  if (O.Symbols.empty() && O.Objects.empty())
    return ContentKey;
  KeyBuilder Key;
  Key.add(ContentKey).add(uint64_t(O.Objects.size()));
  for (const std::string &Object : O.Objects)
    Key.add(Object);
  for (const auto &[Name, Address] : O.Symbols)
    Key.add(Name).add(uint64_t(reinterpret_cast<uintptr_t>(Address)));
  return Key.finish();
}
