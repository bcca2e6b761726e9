#include <clinch/Compiler/Session.h>

#include <cstdio>

int main() {
  auto Session = clinch::Session::create();
  clinch::CompileOptions Options;
  Options.Lang = clinch::Language::CXX;
  auto Module = Session->compile(
      {"square.cpp",
       "extern \"C\" int square(int x) { return x * x; }\n"
       "namespace is { bool longer(const char *s, unsigned long n, char **) {"
       " return s[n]; } }"},
      Options);
  if (!Module) {
    std::fputs(Module.error().render().c_str(), stderr);
    return 1;
  }
  std::printf("C++: %d\n", (**Module->lookup<int(int)>("square"))(7));
  // Each compiler has its own spelling of these types.
  auto IsLonger =
      Module->lookup<bool(const char *, std::size_t, char **)>("is::longer");
  if (!IsLonger) {
    std::fputs(IsLonger.error().render().c_str(), stderr);
    return 1;
  }
  std::printf("%d\n", (**IsLonger)("ab", 1, nullptr));
}
