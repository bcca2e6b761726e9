# cmake -DOUT=header -DTEXT=versions -DFILES=a|b|... -P this: the build's
# fingerprint, which is part of every key. What decides about the code is in
# it: the versions, the engine's sources, the precompiled headers.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" FILES "${FILES}")
set(sums "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} sum)
  string(APPEND sums ${sum})
endforeach()
string(SHA256 sum "${sums}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
     "#define CLINCH_BUILD_FINGERPRINT \"\@TEXT\@ \@sum\@\"\n")
