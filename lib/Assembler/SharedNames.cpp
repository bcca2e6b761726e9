//===- SharedNames.cpp - A text without the names of its place -----------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedNames.h"

#include "Remembered.h"
#include "clinch/Support/Lexer.h"

#include <algorithm>
#include <cctype>

using namespace clinch;

static bool isWord(char C) {
  return std::isalnum(static_cast<unsigned char>(C));
}

/// Whether the \p Length characters at \p At are not a part of a word; `_`
/// divides words.
static bool standsAlone(std::string_view Text, size_t At, size_t Length) {
  bool Before = At > 0 && isWord(Text[At - 1]);
  bool After = At + Length < Text.size() && isWord(Text[At + Length]);
  return !Before && !After;
}

/// Appends \p Text with its names changed; whether there were any.
bool SharedNames::rename(std::string_view Text, std::string &Out) const {
  bool Changed = false;
  for (size_t At = 0; At < Text.size();) {
    // Names begin with `V`, or, of applies, with `n`.
    size_t Next = std::min(Text.find_first_of("Vn", At), Text.size());
    Out.append(Text, At, Next - At);
    At = Next;
    if (At == Text.size())
      break;
    auto Found =
        std::find_if(Pairs.begin(), Pairs.end(), [&](const auto &Pair) {
          return Text.compare(At, Pair.first.size(), Pair.first) == 0 &&
                 standsAlone(Text, At, Pair.first.size());
        });
    if (Found == Pairs.end()) {
      Out += Text[At++];
      continue;
    }
    Out += Found->second;
    At += Found->first.size();
    Changed = true;
  }
  return Changed;
}

/// What means something else in another function, or on another line.
static bool dependsOnPlace(std::string_view Word) {
  static constexpr std::string_view Words[] = {
      "static",       "thread_local",
      "this",         "return",
      "__LINE__",     "__FILE__",
      "__COUNTER__",  "__func__",
      "__FUNCTION__", "__PRETTY_FUNCTION__",
      "__FILE_NAME__"};
  return Word.substr(0, 7) == "clinch_" ||
         std::find(std::begin(Words), std::end(Words), Word) != std::end(Words);
}

/// Replaces each \p Fail; false when the text says `failure`, or a label of
/// ours, in another way.
static bool replaceFail(std::string_view Text, std::string_view Fail,
                        std::string &Out) {
  while (!Text.empty()) {
    size_t At = Fail.empty() ? Text.npos : Text.find(Fail);
    std::string_view Own = Text.substr(0, At);
    for (std::string_view Word : {"failure", "label_"})
      for (size_t I = Own.find(Word); I != Own.npos; I = Own.find(Word, I + 1))
        if (I == 0 || (!isWord(Own[I - 1]) && Own[I - 1] != '_'))
          return false;
    Out += Own;
    if (At == Text.npos)
      break;
    Out += SharedFail;
    Text.remove_prefix(At + Fail.size());
  }
  return true;
}

/// What is between two tokens, without its comments: these name variables, too.
static void appendSpace(std::string_view Text, std::string &Out) {
  if (!Text.empty() && Text.front() == '/')
    Out += ' ';
  for (char C : Text)
    if (C == '\n' || C == ' ' || C == '\t')
      Out += C;
}

std::optional<std::string> SharedNames::renameAll(std::string_view Text,
                                                  bool Anywhere) const {
  std::string Out;
  Out.reserve(Text.size() + Text.size() / 8);
  Lexer In(Text);
  size_t Copied = 0;
  for (Token T = In.next(); T.What != Token::End; T = In.next()) {
    if (T.What == Token::Unfinished || (!Anywhere && dependsOnPlace(T.Text)))
      return std::nullopt;
    appendSpace(Text.substr(Copied, T.Offset - Copied), Out);
    Copied = T.Offset + T.Text.size();
    bool Changed = rename(T.Text, Out);
    bool Quotes = T.What == Token::Literal ||
                  (T.What == Token::Directive &&
                   T.Text.find('"') != std::string_view::npos);
    if (Changed && Quotes)
      return std::nullopt;
  }
  appendSpace(Text.substr(Copied), Out);
  return Out;
}

std::optional<std::string>
SharedNames::replaceAll(std::string_view Text, std::string_view Fail) const {
  std::string Failing;
  Failing.reserve(Text.size());
  if (!replaceFail(Text, Fail, Failing))
    return std::nullopt;
  return renameAll(Failing, false);
}

/// All that decides what becomes of \p Text; names that are not in it do not.
std::string SharedNames::keyOf(std::string_view Text,
                               std::string_view Fail) const {
  std::string Key;
  Key.reserve(Text.size() + Fail.size() + 64);
  for (std::string_view Part : {Fail, Text}) {
    Key += std::to_string(Part.size());
    Key += ' ';
    Key += Part;
  }
  for (const auto &[From, To] : Pairs)
    if (Text.find(From) != Text.npos) {
      Key += ' ';
      Key += From;
      Key += ' ';
      Key += To;
    }
  return Key;
}

using Texts = Remembered<std::optional<std::string>>;

std::optional<std::string> SharedNames::apply(std::string_view Text,
                                              std::string_view Fail) const {
  static auto *Known = new Texts;
  if (!Remembers || Text.empty())
    return replaceAll(Text, Fail);
  std::string Key = keyOf(Text, Fail);
  if (auto Before = Known->find(Key))
    return *Before;
  std::optional<std::string> Now = replaceAll(Text, Fail);
  Known->add(std::move(Key), Now);
  return Now;
}

std::optional<std::string>
SharedNames::applyGlobally(std::string_view Text) const {
  static auto *Known = new Texts;
  constexpr size_t Short = 200;
  if (Text.size() < Short)
    return renameAll(Text, true);
  // Said again for each variable, and in graphs of any size.
  std::string Key = keyOf(Text, "");
  if (auto Before = Known->find(Key))
    return *Before;
  std::optional<std::string> Now = renameAll(Text, true);
  Known->add(std::move(Key), Now);
  return Now;
}
