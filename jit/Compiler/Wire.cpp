// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and objects between two processes.

#include "Wire.h"

#include "jit/Engine/Bytes.h"

using namespace clinch;

namespace {

/// A Sender writes its argument; a Receiver fills it. So each visit function
/// lists the fields once for both directions.
struct Sender {
  ByteWriter W;

  void operator()(const std::string &T) { W.text(T); }
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(const T &N) {
    W.number(uint64_t(N));
  }
  template <typename T> void operator()(const std::vector<T> &Items) {
    W.number(Items.size());
    for (const T &I : Items)
      visit(*this, I);
  }
};

struct Receiver {
  ByteReader In;

  void operator()(std::string &T) { T = In.text(); }
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(T &N) {
    N = T(In.number());
  }
  template <typename T> void operator()(std::vector<T> &Items) {
    for (size_t N = In.count(); N; --N)
      visit(*this, Items.emplace_back());
  }
};

template <typename Io, typename T>
  requires std::is_same_v<std::remove_const_t<T>, std::string> ||
           std::is_enum_v<std::remove_const_t<T>> ||
           std::is_integral_v<std::remove_const_t<T>>
void visit(Io &X, T &Item) {
  X(Item);
}

template <typename Io, typename... T> void visitAll(Io &X, T &...Items) {
  (X(Items), ...);
}

// These name all fields of a struct: with one more it does not compile.
template <typename Io, typename R>
  requires std::is_same_v<std::remove_const_t<R>, Region>
void visit(Io &X, R &Item) {
  auto &[Name, Kind, Block, Label, Begin, End, Required, Reserved, Parts] =
      Item;
  visitAll(X, Name, Kind, Block, Label, Begin, End, Required, Reserved, Parts);
}

/// What the object is made from, or what else the engine must know.
enum class Which { Object, Request };

template <typename Io, typename Options>
void visitOptions(Io &X, Options &O, Which W) {
  auto &[Lang, Level, CPU, Device, Launches, Simulate, Check, Prefix,
         IncludeDirs, Defines, Flags, ForbiddenFlags, Libraries, LibraryDirs,
         Objects, Symbols, Regions, Variables, FailureVariable, Key, Saved,
         Debug, UseDiskCache, OwnVariables, TimeLimitMs, MemoryLimit,
         Interrupted, Keep] = O;
  visitAll(X, Lang, Level, CPU, Device, Launches, Simulate, Check, IncludeDirs,
           Defines, Flags, ForbiddenFlags, Libraries, LibraryDirs, Regions,
           Variables, FailureVariable, Key, Saved, Debug);
  if (W == Which::Request) // Of the prefix the key has a hash.
    visitAll(X, Prefix, TimeLimitMs, MemoryLimit, Keep);
}

} // namespace

std::string clinch::encodeObjectSources(const SourceText &Text,
                                        const CompileOptions &O) {
  constexpr size_t UsualRest = 2048;
  Sender X;
  X.W.Out.reserve(Text.Text.size() + UsualRest);
  visitAll(X, Text.Name, Text.Text);
  visitOptions(X, O, Which::Object);
  return std::move(X.W.Out);
}

std::string clinch::encodeRequest(const EngineConfig &Config,
                                  const std::string &Folder,
                                  const SourceText &Text,
                                  const CompileOptions &O) {
  Sender X;
  X(Config.PrefixDirs), X(Config.PrefixCacheDir), X(Config.CacheLimit);
  X(Folder);
  X(Text.Name), X(Text.Text);
  visitOptions(X, O, Which::Request);
  return std::move(X.W.Out);
}

std::optional<WireRequest> clinch::decodeRequest(std::string_view Bytes) {
  Receiver X{ByteReader(Bytes)};
  WireRequest R;
  X(R.Config.PrefixDirs), X(R.Config.PrefixCacheDir), X(R.Config.CacheLimit);
  X(R.Folder);
  X(R.Text.Name), X(R.Text.Text);
  visitOptions(X, R.Options, Which::Request);
  return X.In.atEnd() ? std::optional(std::move(R)) : std::nullopt;
}

std::string clinch::encodeReply(const Expected<EngineResult> &R) {
  ByteWriter W;
  W.number(bool(R));
  if (!R) {
    W.number(uint64_t(R.error().kind()));
    W.text(R.error().message());
    W.diagnostics(R.error().diagnostics());
    W.number(R.error().arguments().size());
    for (const std::string &A : R.error().arguments())
      W.text(A);
    return std::move(W.Out);
  }
  W.result(*R);
  W.diagnostics(R->Uses);
  W.number(R->PrefixBytes);
  W.number(R->Times.size());
  for (const auto &[Name, Milliseconds] : R->Times) {
    W.text(Name);
    W.number(uint64_t(Milliseconds * 1000));
  }
  return std::move(W.Out);
}

std::optional<Expected<EngineResult>>
clinch::decodeReply(std::string_view Bytes) {
  ByteReader In(Bytes);
  if (!In.number()) {
    auto Kind = Error::Kind(In.number());
    std::string Message = In.text();
    std::vector<Diagnostic> Diags = In.diagnostics();
    std::vector<std::string> Arguments;
    for (size_t N = In.count(); N; --N)
      Arguments.push_back(In.text());
    if (!In.atEnd())
      return std::nullopt;
    return Expected<EngineResult>(Error(
        Kind, std::move(Message), std::move(Diags), std::move(Arguments)));
  }
  EngineResult R = In.result();
  R.Uses = In.diagnostics();
  R.PrefixBytes = In.number();
  for (size_t N = In.count(); N; --N) {
    std::string Name = In.text();
    R.Times.emplace_back(std::move(Name), double(In.number()) / 1000);
  }
  return In.atEnd() ? std::optional(Expected<EngineResult>(std::move(R)))
                    : std::nullopt;
}
