// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of the text.

#include "SeedTypes.h"

#include <gtest/gtest.h>

using namespace clinch;

static ThunkSource assembleSumTimes(Form F, Language L) {
  Graph G = makeSumTimes();
  AssembleOptions O;
  O.Shape = F;
  O.Lang = L;
  Expected<ThunkSource> S = assemble(G, O);
  EXPECT_TRUE(bool(S)) << (S ? "" : S.error().render());
  return S ? *S : ThunkSource();
}

/// The lines of \p Text that hold any of the marks, without their margins.
static std::string skeleton(const std::string &Text) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    size_t End = Text.find('\n', At);
    std::string Line = Text.substr(At, End - At);
    Line.erase(0, Line.find_first_not_of(' '));
    for (const char *Mark : {"Block", "label_", "{ // c_", "failure ="})
      if (Line.find(Mark) != std::string::npos) {
        Out += Line + "\n";
        break;
      }
    At = End + 1;
  }
  return Out;
}

TEST(Text, FunctionFormIsTheLadderOfTheSeeds) {
  ThunkSource S = assembleSumTimes(Form::Function, Language::C);
  EXPECT_EQ(skeleton(S.Source.Text), R"(int failure = 0;
{ // Block 1: `x`, an input.
{ // c_extract
{failure = 1; goto label_1;}
{ // Block 2: `y`, an input.
if (PyList_GET_SIZE(storage_V2) != 1) {failure = 2; goto label_1;}
{ // c_extract
{failure = 2; goto label_2;}
{ // Block 3: `z`, an input.
if (PyList_GET_SIZE(storage_V3) != 1) {failure = 3; goto label_2;}
{ // c_extract
{failure = 3; goto label_3;}
{ // Block 4: `a`, a temporary.
{ // c_init
{ // Block 5: `b`, an output.
if (PyList_GET_SIZE(storage_V5) != 1) {failure = 5; goto label_4;}
{ // c_extract_out
{failure = 5; goto label_5;}
{ // Block 6: `Add` as `node_6`, its code.
{ // c_code
{ // Block 7: `Mul` as `node_7`, its code.
{ // c_code
label_7:;
label_6:;
label_5:;
{ // c_sync
failure = 5;
label_4:;
label_3:;
label_2:;
label_1:;
)");
}

TEST(Text, SameGraphSameBytes) {
  for (Form F : {Form::Function, Form::Struct})
    EXPECT_EQ(assembleSumTimes(F, Language::C).Source.Text,
              assembleSumTimes(F, Language::C).Source.Text);
}
