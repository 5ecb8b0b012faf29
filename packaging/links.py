"""Follows the links of Markdown pages to other files.

    packaging/links.py FOLDER PAGE...

Prints every file that is linked from the pages, and from pages that these link to, pages included; all paths are those
within FOLDER. Fails if one is not there.
"""

import pathlib
import re
import sys

LINK = re.compile(r"""\]\(([^)#\s]+)|(?:src|href)="([^"#]+)""")


def main(folder, pages):
    root = pathlib.Path(folder).resolve()
    left = [root / page for page in pages]
    found, broken = set(left), []
    while left:
        page = left.pop()
        if page.suffix != ".md":
            continue
        for link in map("".join, LINK.findall(page.read_text(encoding="utf-8"))):
            if re.match("[a-z]+:", link):
                continue
            target = (page.parent / link).resolve()
            if not target.is_file() or not target.is_relative_to(root):
                broken.append(f"links.py: {page}: {link}: no such file in {root}")
            elif target not in found:
                found.add(target)
                left.append(target)
    print(*sorted(str(path.relative_to(root)) for path in found), sep="\n")
    if broken:
        sys.exit("\n".join(broken))


if len(sys.argv) < 3:
    sys.exit("links.py: expected FOLDER PAGE...")
main(sys.argv[1], sys.argv[2:])
