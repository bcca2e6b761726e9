#include <clinch/Compiler/Session.h>

#include <cstdio>

int main() {
  auto Session = clinch::Session::create();
  clinch::CompileOptions Options;
  Options.Lang = clinch::Language::CXX;
  auto Module = Session->compile(
      {"square.cpp", "extern \"C\" int square(int x) { return x * x; }"},
      Options);
  if (!Module) {
    std::fputs(Module.error().render().c_str(), stderr);
    return 1;
  }
  std::printf("C++: %d\n", Module->lookupAs<int (*)(int)>("square")(7));
}
