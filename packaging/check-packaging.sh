#!/usr/bin/env bash
# Reads the packaging files as those do who build packages from them: Debian's
# tools make a source package, which lintian reads, and rattler-build renders the
# recipe of the conda package. Neither builds anything.
#
#   packaging/check-packaging.sh BUILD
#   BINARY=1      also builds Debian's packages, and lets lintian read them
set -euo pipefail

build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")
scratch=$build/packaging
version=$(sed -n 's/^project(Clinch VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
tree=$scratch/clinch-$version

rm -rf "$scratch"/clinch*
mkdir -p "$tree"
git -C "$source" ls-files -z -- . ':!packaging/debian' |
  tar -C "$source" --null -T - -cf - | tar -C "$tree" -xf -
tar -C "$scratch" -czf "$scratch/clinch_$version.orig.tar.gz" "clinch-$version"
cp -r "$source/packaging/debian" "$tree/debian"
cd "$scratch"
dpkg-source --build "clinch-$version"
lintian --fail-on error,warning "clinch_$version-1.dsc"
if [ -n "${BINARY:-}" ]; then
  (cd "$tree" && dpkg-buildpackage --no-sign --build=binary)
  lintian --fail-on error "clinch_$version-1_amd64.changes"
fi

tools=$scratch/tools
[ -x "$tools/bin/python" ] || "${PYTHON:-/usr/bin/python3}" -m venv "$tools"
"$tools/bin/python" -m pip install -q --disable-pip-version-check py-rattler-build
"$tools/bin/python" - "$source/packaging/conda/recipe.yaml" "$version" <<'PYTHON'
import sys
import rattler_build
recipe = rattler_build.Stage0Recipe.from_file(sys.argv[1])
pythons = ["3.11.*", "3.12.*", "3.13.*", "3.14.*"]
variants = recipe.render(rattler_build.VariantConfig({"python": pythons}))
found = [str(variant.recipe.package.version) for variant in variants]
if found != [sys.argv[2]] * len(pythons):
    sys.exit(f"recipe.yaml: expected {len(pythons)} packages of version "
             f"{sys.argv[2]}, found {found}")
print(f"recipe.yaml: {len(found)} packages, one for each Python")
PYTHON
