// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the text of one hook.

#include "Builder.h"

#include "lib/Support/Declarations.h"
#include "lib/Support/Faults.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cstdlib>

using namespace clinch;

/// Reads `#line 12 "name"` into \p D. Returns false for other lines.
static bool readLine(std::string_view Line, Diagnostic &D) {
  if (Line.substr(0, 6) != "#line ")
    return false;
  size_t Open = Line.find('"'), Close = Line.rfind('"');
  if (Open == Line.npos || Open == Close)
    return false;
  D.Line = unsigned(strtoul(Line.data() + 6, nullptr, 10));
  D.Origin = Line.substr(Open + 1, Close - Open - 1);
  return true;
}

/// Sets the name and number that the `#line`s give to the line at \p Offset.
static void locate(std::string_view Text, size_t Offset, Diagnostic &D) {
  for (size_t At = 0, End; (End = Text.find('\n', At)) < Offset; At = End + 1)
    if (!readLine(Text.substr(At, End - At), D))
      ++D.Line;
}

/// An error that points into the author's text.
static Error textError(const Piece &Text, const std::string &Origin,
                       size_t Offset, const std::string &Message) {
  const std::string &T = Text.Text;
  size_t Newline = Offset ? T.rfind('\n', Offset - 1) : std::string::npos;
  size_t Begin = Newline == std::string::npos ? 0 : Newline + 1;
  size_t End = std::min(T.find('\n', Offset), T.size());
  Diagnostic D;
  D.Origin = Origin;
  D.Line = Text.line();
  locate(T, Offset, D);
  D.Column = unsigned(Offset - Begin) + 1;
  D.Message = Message;
  D.SourceLine = T.substr(Begin, End - Begin);
  if (!D.SourceLine.empty() && D.SourceLine.back() == '\r')
    D.SourceLine.pop_back();
  nameText(D, D.Origin, Origin,
           Text.Source ? Text.Source->LineNames : std::vector<std::string>());
  std::string What = D.Origin + ": " + Message;
  return Error(Error::Kind::Hook, std::move(What), {std::move(D)});
}

/// Returns the message for a byte that is not UTF-8 text.
static std::string noText(unsigned char Byte) {
  static constexpr char Hex[] = "0123456789abcdef";
  if (!Byte)
    return "a NUL character stands in this text";
  return std::string("this text is not UTF-8: the byte 0x") + Hex[Byte >> 4] +
         Hex[Byte & 15] + " stands here";
}

/// Whether the text, or a header that it includes and that is not ours, may use
/// `dtype_V1`.
static bool mayNameDtypes(const Piece &Text) {
  constexpr std::string_view Include = "include", Ours = " <clinch/";
  const std::string_view T = Text.Text;
  if (Text.Ours)
    return false;
  for (size_t At = 0; (At = T.find(Include, At)) != T.npos;) {
    At += Include.size();
    if (T.substr(At, Ours.size()) != Ours)
      return true;
  }
  return T.find("dtype_") != T.npos;
}

Status Builder::check(const Piece &Text, const CodeProvider &C,
                      const std::string &Subject) {
  P.Asserts |= beginsName(Text.Text, "assert");
  P.NamesDtypes |= mayNameDtypes(Text);
  size_t At = findNoText(Text.Text);
  if (At == Text.Text.npos)
    return Status::success();
  return textError(Text, pieceOrigin(C, Text, Subject), At,
                   noText(static_cast<unsigned char>(Text.Text[At])));
}

/// A struct in C has only variables without initialisers, and their names must
/// be known before any preprocessor sees them.
static std::string needsCxx(const Declarations &D, const NameSet &Macros) {
  if (D.Functions)
    return "a function at struct scope needs C++: return \"c++\" from "
           "c_compiler, or move it to c_support_code_apply";
  if (D.Initialised)
    return "a member with a value needs C++: return \"c++\" from c_compiler, "
           "or "
           "set it in c_init_code_struct";
  for (const std::string &Name : D.Names)
    if (Macros.count(Name))
      return "a member that the macro `" + Name +
             "` declares or names needs C++: return \"c++\" from c_compiler, "
             "or "
             "write it out";
  return {};
}

Status Builder::checkStructCode() {
  if (P.Options.Lang == Language::CXX || P.StructSupport.empty())
    return Status::success();
  for (const StructPiece &S : P.StructSupport) {
    const Piece &Text = S.Global.Text;
    std::string Why = needsCxx(readDeclarations(Text.Text), P.Macros.All);
    if (!Why.empty())
      return textError(Text, S.Global.Origin,
                       Text.Text.find_first_not_of(" \t\r\n"), Why);
  }
  return Status::success();
}
