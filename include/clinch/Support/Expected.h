// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or an error.
//
// How all functions report failure. Modelled on llvm::Expected, so that hosts
// need no headers of LLVM.

#pragma once

#include <cassert>
#include <concepts>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace clinch {

struct Diagnostic {
  enum class Severity { Note, Warning, Error };

  /// Replaces the columns [Begin, End) of the line.
  struct FixIt {
    unsigned BeginColumn = 0;
    unsigned EndColumn = 0;
    std::string Replacement;
  };

  Severity Level = Severity::Error;
  /// A file, the name of a text, or a hook of a Type or an Op, such as
  /// "`Double.c_extract` for `x`". Empty if the message is about no text.
  std::string Origin;
  unsigned Line = 0;   ///< From 1; 0 if there is no line.
  unsigned Column = 0; ///< From 1, in bytes; 0 if there is no column.
  std::string Message;
  std::string SourceLine; ///< The line itself, without its newline.
  std::vector<FixIt> FixIts;
  std::vector<Diagnostic> Notes;
  /// For a hook's text: "Double", "c_extract" and the variable or apply that
  /// the hook was called for. Empty if not known.
  std::string Class, Hook, Subject;
  std::string File;   ///< The file of these lines, if the author named it.
  unsigned Block = 0; ///< The block's number in `failure`; 0: no block.
  unsigned Apply = 0; ///< From 1, in execution order; 0: none.
};

/// Returns "origin:line:col: error: message", the line, a caret, then fix-its
/// and notes; in ANSI colours if \p Colour. Ends in a newline.
std::string renderDiagnostic(const Diagnostic &D, bool Colour = false);

/// A failure. Success is an Expected without an Error.
class [[nodiscard]] Error {
public:
  enum class Kind {
    Compile,         ///< The text is wrong; the diagnostics say where.
    Rule,            ///< The text parses but breaks a rule of the contract.
    Link,            ///< Symbols or libraries are missing.
    InvalidArgument, ///< An option, a name or a number is invalid.
    Graph,           ///< A cycle, a foreign variable, wrong types or counts.
    Hook,            ///< A hook returned something unusable.
    Host,            ///< The host (Python) raised; its own error is pending.
    Limit,           ///< Time or memory ran out.
    Crash,           ///< The compiler crashed and was caught.
    IO,              ///< A file or a folder could not be used.
  };

  Error(Kind What, std::string Message, std::vector<Diagnostic> Diags = {},
        std::vector<std::string> Arguments = {})
      : What(What), Message(std::move(Message)), Diags(std::move(Diags)),
        Arguments(std::move(Arguments)) {}

  Kind kind() const { return What; }
  /// One sentence; the diagnostics say the rest.
  const std::string &message() const { return Message; }
  const std::vector<Diagnostic> &diagnostics() const { return Diags; }
  std::vector<Diagnostic> &diagnostics() { return Diags; }
  /// The flags, flag values and libraries that the message is about.
  const std::vector<std::string> &arguments() const { return Arguments; }

  /// The message and every diagnostic, as a terminal shows them.
  std::string render(bool Colour = false) const;

private:
  Kind What;
  std::string Message;
  std::vector<Diagnostic> Diags;
  std::vector<std::string> Arguments;
};

/// A T, or an Error. Test it, then dereference it.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(Error E) : Storage(std::in_place_index<1>, std::move(E)) {}
  template <std::convertible_to<T> U = T>
    requires(!std::same_as<std::remove_cvref_t<U>, Expected>)
  Expected(U &&Value)
      : Storage(std::in_place_index<0>, std::forward<U>(Value)) {}

  explicit operator bool() const { return Storage.index() == 0; }
  T &operator*() {
    assert(Storage.index() == 0 && "test an Expected before you use it");
    return *std::get_if<0>(&Storage);
  }
  const T &operator*() const { return *const_cast<Expected &>(*this); }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  const Error &error() const {
    assert(Storage.index() == 1 && "no error here");
    return *std::get_if<1>(&Storage);
  }
  Error takeError() {
    assert(Storage.index() == 1 && "no error here");
    return std::move(*std::get_if<1>(&Storage));
  }

private:
  std::variant<T, Error> Storage;
};

/// Success or an Error.
template <>
class [[nodiscard]] Expected<void> : public Expected<std::monostate> {
public:
  Expected() : Expected<std::monostate>(std::monostate()) {}
  Expected(Error E) : Expected<std::monostate>(std::move(E)) {}
  static Expected success() { return {}; }
};
using Status = Expected<void>;

} // namespace clinch

/// Returns the error of an Expected, if any, from the enclosing function.
#define CLINCH_TRY(...)                                                        \
  do {                                                                         \
    if (auto Tried = (__VA_ARGS__); !Tried)                                    \
      return Tried.takeError();                                                \
  } while (false)

/// Assigns the value of an Expected to a variable, new or not, or returns its
/// error: `CLINCH_TRY_ASSIGN(std::string Text, read(Path));`.
#define CLINCH_TRY_ASSIGN(Target, ...)                                         \
  CLINCH_TRY_ASSIGN_BY(CLINCH_NUMBERED(Tried, __LINE__), Target, __VA_ARGS__)
#define CLINCH_TRY_ASSIGN_BY(Tried, Target, ...)                               \
  auto Tried = (__VA_ARGS__);                                                  \
  if (!Tried)                                                                  \
    return Tried.takeError();                                                  \
  Target = std::move(*Tried)
#define CLINCH_NUMBERED(Name, Line) CLINCH_NUMBERED_BY(Name, Line)
#define CLINCH_NUMBERED_BY(Name, Line) Name##Line
