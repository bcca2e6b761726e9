#!/usr/bin/env python3
"""Removes what the last `cmake --install` of a build wrote, and the folders that
are empty then.

    cmake/uninstall.py BUILD
"""

import os
import sys


def main():
    manifest = os.path.join(sys.argv[1], "install_manifest.txt")
    try:
        with open(manifest) as file:
            paths = file.read().splitlines()
    except FileNotFoundError:
        print(f"uninstall: nothing was installed from here: there is no "
              f"{manifest}", file=sys.stderr)
        return 1
    removed, folders = 0, set()
    for path in paths:
        if os.path.lexists(path):
            os.unlink(path)
            removed += 1
        folder = os.path.dirname(path)
        # Python may have compiled the package's modules beside them.
        cache = os.path.join(folder, "__pycache__")
        stem = os.path.basename(path).removesuffix(".py")
        if path.endswith(".py") and os.path.isdir(cache):
            for name in os.listdir(cache):
                if name.startswith(stem + ".") and name.endswith(".pyc"):
                    os.unlink(os.path.join(cache, name))
            folders.add(cache)
        folders.add(folder)
    prefix = os.path.commonpath(folders) if folders else ""
    for folder in sorted(folders, key=len, reverse=True):
        while folder.startswith(prefix + os.sep) and not _busy(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
    os.unlink(manifest)
    print(f"uninstall: removed {removed} files")
    return 0


def _busy(folder):
    return not os.path.isdir(folder) or bool(os.listdir(folder)) or \
        os.path.ismount(folder)


if __name__ == "__main__":
    sys.exit(main())
