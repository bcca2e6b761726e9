#!/usr/bin/env bash
# Makes FOLDER/sysroot of what `clinch cc` needs where no C library's headers are
# installed: these and Linux's, the objects that programs begin with, and the stub
# libraries that link.sh has written to FOLDER. What they link runs where a wheel runs.
#
#   packaging/old-system/sysroot.sh FOLDER
set -euo pipefail

libraries=usr/lib/$(uname -m)-linux-gnu
stubs=(libc.so.6 libpthread.so.0 libdl.so.2 librt.so.1 ld-linux-x86-64.so.2)
cd "$1"
rm -rf sysroot
mkdir -p sysroot/$libraries

# Of Linux, not the interfaces of single devices.
dpkg -L libc6-dev linux-libc-dev |
  grep -E '^/usr/include/.*\.(h|def)$' |
  grep -vE '^/usr/include/(drm|misc|mtd|rdma|sound|video|xen)/' |
  sed 's|^/||' | sort -u | tar -C / -T - -cf - | tar -C sysroot -xf -
cp /$libraries/{crt1,Scrt1,crti,crtn}.o /$libraries/libc_nonshared.a libhidden.a \
  libm.so.6 "${stubs[@]}" sysroot/$libraries

# A linker looks for these paths in the sysroot.
echo "GROUP ( $(printf "/$libraries/%s " libc_nonshared.a libhidden.a "${stubs[@]}"))" \
  >sysroot/$libraries/libc.so
echo "GROUP ( /$libraries/libm.so.6 )" >sysroot/$libraries/libm.so
for name in pthread dl rt; do
  echo "GROUP ( /$libraries/libc.so )" >sysroot/$libraries/lib$name.so
done
