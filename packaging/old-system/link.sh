#!/usr/bin/env bash
# Makes the folder of an older system's libraries, with which make wheel links, and
# libclinch-newer.so, which a wheel has for the sources that it compiles there.
#
#   packaging/old-system/link.sh FOLDER GLIBC GLIBCXX CXXABI GCC
#   CC="clang-22 --target=..."    for another processor
set -euo pipefail
shopt -s inherit_errexit

here=$(dirname "$(realpath "$0")")
mkdir -p "$1"
folder=$(realpath "$1")
# Pythons remember compilers of their own.
read -r -a compiler <<<"${CC:-clang-22} -O2 -fPIC -fno-ident -ffunction-sections -fdata-sections"
archive() { "${compiler[@]}" -print-file-name="lib$1.a"; }

"$here/stubs.py" "$folder" "${@:2}"
cd "$folder"
for source in newer start; do
  "${compiler[@]}" -fvisibility=hidden -c "$here/$source.c" -o $source.o
done
rm -f libhidden.a
/usr/lib/llvm-22/bin/llvm-ar rcs libhidden.a newer.o start.o
rm newer.o start.o

# As the packages of newer compilers for older systems have them.
echo "GROUP ( $folder/libc.so.6 $folder/libhidden.a $folder/libpthread.so.0" \
  "$folder/libdl.so.2 $folder/librt.so.1 AS_NEEDED ( $folder/ld-linux-x86-64.so.2 ) )" >libc.so
for name in pthread dl rt; do echo "GROUP ( $folder/libc.so )" >lib$name.so; done
ln -sf libm.so.6 libm.so
echo "GROUP ( $folder/libstdc++.so.6 $(archive stdc++) )" >libstdc++.so
echo "GROUP ( $folder/libgcc_s.so.1 $(archive gcc) )" >libgcc_s.so

# Of the names that the older libraries lack, those of newer.c and of libstdc++.
{
  /usr/lib/llvm-22/bin/llvm-nm --defined-only -g --just-symbol-name libhidden.a |
    sed '/^$/d; /:$/d; /^__libc_start_main$/d'
  sed -n 's/^libstdc++.so.6 \(\S*\) .*/\1/p' newer.txt
} | sort -u >names.txt
sed 's/.*/-u&/' names.txt >words.txt
{ echo '{ global:'; sed 's/.*/"&";/' names.txt; echo 'local: *; };'; } >names.map
"${compiler[@]}" -shared -fuse-ld=lld -B/usr/lib/llvm-22/bin -L"$folder" \
  "$here/newer.c" -o libclinch-newer.so -Wl,-soname,libclinch-newer.so \
  -Wl,@words.txt -Wl,--version-script=names.map -Wl,--gc-sections -Wl,--strip-all \
  -Wl,-z,defs -lstdc++ -lm
rm words.txt names.map
