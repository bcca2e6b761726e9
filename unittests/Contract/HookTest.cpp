// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates and their errors.

#include "clinch/Contract/Hook.h"
#include "lib/Contract/CNames.h"
#include "lib/Contract/Version.h"

#include <gtest/gtest.h>

using namespace clinch;

namespace {
constexpr const char *Where = "`Double.c_extract` for `x`";

Substitutions keys() {
  Substitutions Sub;
  Sub.set("name", "V1");
  Sub.set("fail", "{failure = 1; goto label_1;}");
  return Sub;
}

Error failureOf(std::string_view Template, const Substitutions &Sub) {
  Expected<std::string> Text = fillTemplate(Template, Sub, Where);
  EXPECT_FALSE(Text) << *Text;
  return Text ? Error(Error::Kind::Hook, "none") : Text.takeError();
}
} // namespace

TEST(Substitutions, SetReplacesAndKeepsTheOrder) {
  Substitutions Sub = keys();
  Sub.set("name", "V2");
  ASSERT_EQ(Sub.items().size(), 2u);
  EXPECT_EQ(Sub.items()[0].second, "V2");
  EXPECT_EQ(Sub.items()[1].first, "fail");
  EXPECT_EQ(Sub.find("nam"), nullptr);
}

TEST(Template, FillsKeysAndPercentSigns) {
  Expected<std::string> Text = fillTemplate(
      "double %(name)s; printf(\"%%d%%\", py_%(name)s);", keys(), Where);
  ASSERT_TRUE(Text);
  EXPECT_EQ(*Text, "double V1; printf(\"%d%\", py_V1);");
}

TEST(Template, ValuesAreNotFilledAgain) {
  Substitutions Sub;
  Sub.set("a", "%(a)s %");
  Expected<std::string> Text = fillTemplate("%(a)s", Sub, Where);
  ASSERT_TRUE(Text);
  EXPECT_EQ(*Text, "%(a)s %");
}

TEST(Template, EmptyIsEmpty) {
  Expected<std::string> Text = fillTemplate("", {}, Where);
  ASSERT_TRUE(Text);
  EXPECT_EQ(*Text, "");
}

TEST(Template, UnknownKeyNamesHookKeyAndKeys) {
  Error E = failureOf("a;\n  b = %(nam)s;\nc;", keys());
  EXPECT_EQ(E.kind(), Error::Kind::Hook);
  EXPECT_EQ(E.message(), "In `Double.c_extract` for `x`, the key of `%(nam)s` "
                         "is unknown: there are `name` and `fail`.");
  ASSERT_EQ(E.diagnostics().size(), 1u);
  const Diagnostic &D = E.diagnostics()[0];
  EXPECT_EQ(D.Origin, Where);
  EXPECT_EQ(D.Line, 2u);
  EXPECT_EQ(D.Column, 7u);
  EXPECT_EQ(D.SourceLine, "  b = %(nam)s;");
  EXPECT_EQ(D.Message, "the key of `%(nam)s` is unknown: there are `name` and "
                       "`fail`.");
}

TEST(Template, UnknownKeyWithoutAnyKeys) {
  EXPECT_EQ(failureOf("%(x)s", {}).message(),
            "In `Double.c_extract` for `x`, the key of `%(x)s` is unknown: "
            "there are no keys here.");
}

TEST(Template, FailWhereFailingIsForbidden) {
  Substitutions Sub;
  Sub.set("name", "V1");
  EXPECT_EQ(failureOf("%(fail)s", Sub).message(),
            "In `Double.c_extract` for `x`, `%(fail)s` is not allowed: a sync "
            "or a cleanup may not fail.");
}

TEST(Template, PercentAlone) {
  const std::string Message = "In `Double.c_extract` for `x`, a `%` begins "
                              "neither `%(key)s` nor `%%`: write `%%` for a "
                              "percent sign.";
  for (const char *Bad : {"100%", "a % b", "%d", "%(name)d", "%(name",
                          "%(name\n)s", "%%%", "%( name"})
    EXPECT_EQ(failureOf(Bad, keys()).message(), Message) << Bad;
  EXPECT_EQ(failureOf("ab\nx % y", keys()).diagnostics()[0].Column, 3u);
  EXPECT_EQ(failureOf("ab\nx % y", keys()).diagnostics()[0].Line, 2u);
}

TEST(Version, AnEmptyTupleIsNone) {
  EXPECT_FALSE(isVersion(""));
  EXPECT_FALSE(isVersion("()"));
  EXPECT_TRUE(isVersion("(1,)"));
}
