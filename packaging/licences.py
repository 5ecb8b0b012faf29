"""Prints the licences of all libraries that are part of the named packages of this workspace.

    packaging/licences.py PACKAGE...

Each text is printed once, with the libraries that come under it. The answer depends only on Cargo.lock.
"""

import collections
import json
import pathlib
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
TARGET = "x86_64-unknown-linux-gnu"


def linked(metadata, roots):
    """The ids of what is compiled into the roots: neither build scripts' libraries nor those of tests."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    left = [member for member in metadata["workspace_members"] if names[member] in roots]
    if len(left) != len(roots):
        sys.exit(f"licences.py: expected names of packages of this workspace, not {' '.join(roots)}")
    found = set(left)
    while left:
        for below in nodes[left.pop()]["deps"]:
            normal = any(kind["kind"] is None for kind in below["dep_kinds"])
            if normal and below["pkg"] not in found:
                found.add(below["pkg"])
                left.append(below["pkg"])
    return found


def texts(package):
    """The texts of a package's licences."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name.upper().startswith(NAMES):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            yield "\n".join(line.rstrip() for line in lines).strip("\n")


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    ids = linked(metadata, sys.argv[1:])
    packages = [package for package in metadata["packages"] if package["id"] in ids and package["source"]]
    packages.sort(key=lambda package: (package["name"], package["version"]))
    title = {id(package): f"{package['name']} {package['version']}" for package in packages}

    print("Hexmate contains these libraries, each under the licence that its line names.")
    print("SQLite, which libsqlite3-sys contains, is in the public domain.\n")
    for package in packages:
        print(f"{title[id(package)]}: {package['license'] or 'see its licence below'}")
    under = collections.defaultdict(list)
    for package in packages:
        for text in texts(package):
            under[text].append(title[id(package)])
    for text, titles in under.items():
        print(f"\n{'=' * 80}\n{', '.join(dict.fromkeys(titles))}\n{'=' * 80}\n\n{text}")


main()
