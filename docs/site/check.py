"""Checks a built site: every link leads somewhere, nothing is fetched from elsewhere, titles tell pages apart, and the
search finds pages by their names first.

    check.py FOLDER

Sphinx checks the links of Markdown as well, but neither those of HTML within it nor what its theme adds.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes that make a browser fetch something.
FETCHED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("source", "srcset"), ("use", "href"), ("object", "data")}


class Page(HTMLParser):
    """The links of a page, the names in it that links may lead to, and what it fetches."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.fetched, self.title = [], set(), [], ""
        self.in_title = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            value = value or ""
            if name == "id" or (tag == "a" and name == "name"):
                self.names.add(value)
            elif (tag, name) in FETCHED:
                self.fetched.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
        # Pictures within the page have titles, too.
        self.in_title = tag == "title" and not self.title

    def handle_data(self, data):
        if self.in_title:
            self.title += data

    def handle_endtag(self, tag):
        self.in_title = False


def is_outside(link):
    return bool(urlsplit(link).scheme) or link.startswith("//")


def faults(folder):
    """What is wrong with the site."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    titles = {}
    for path, page in sorted(pages.items()):
        name = path.relative_to(folder)
        # The front page is the README under another name.
        if path != folder / "index.html" and titles.setdefault(page.title, name) != name:
            yield f"{name}: {titles[page.title]} has the same title, {page.title!r}"
        for link in page.fetched:
            if is_outside(link) and not link.startswith("data:"):
                yield f"{name}: fetches {link}"
        for link in page.links + [link for link in page.fetched if not is_outside(link)]:
            if is_outside(link):
                continue
            parts = urlsplit(link)
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not to.is_file():
                yield f"{name}: {link} leads to no file"
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].names:
                yield f"{name}: {link} leads to no place of that page"
    for path in sorted(folder.rglob("*.css")):
        for url in re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(folder)}: fetches {url}"
    # A main entry comes before all pages in which the word stands.
    script = (folder / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("Search.setIndex(").removesuffix(")"))
    for number, page in enumerate(index["docnames"]):
        name = page.rsplit("/", 1)[-1]
        entries = index["indexentries"].get(name.lower(), [])
        if name != "README" and not any(to == number and first for to, _, first in entries):
            yield f"{page}.html: the search does not find it by its name, {name!r}, first"
    if len(pages) < 20:
        yield f"only {len(pages)} pages"


def main():
    found = list(faults(Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
