"""The documentation as a site: `.ci/site` builds it with Sphinx from the Markdown of the repository, as it stands."""

import re
from pathlib import Path

#: The repository.
ROOT = Path(__file__).resolve().parents[2]

#: The pages of the games, in the order of their list.
GAMES = re.findall(r"\]\(([\w-]+)\.md\)", (ROOT / "docs/games/README.md").read_text(encoding="utf-8"))

#: What the site has, in the order of its sidebar. A page that does not exist is left out.
NAVIGATION = {
    "Start": ["docs/start", "docs/install"],
    "Play": ["docs/games/README", *(f"docs/games/{game}" for game in GAMES), "docs/review"],
    "Analyse": ["docs/batch", "docs/scaling", "docs/python", "docs/tablebases"],
    "Engines": ["docs/tournaments", "docs/uci", "docs/networks", "docs/tuning"],
    "Your own game": ["docs/game-files", "docs/adding-a-game"],
    "Reference": ["docs/formats", "docs/board"],
    "The code": [
        "ARCHITECTURE",
        *(f"{crate}/README" for crate in ("movegen", "engine", "tablebases", "tt", "benches", "fuzz")),
        "engine/EXPERIMENTS",
        *(f"engine/experiments/{page}" for page in ("matches", "networks", "answers")),
        "CONTRIBUTING",
        "CHANGELOG",
    ],
}


def exists(page):
    return (ROOT / f"{page}.md").is_file()


LISTED = [page for pages in NAVIGATION.values() for page in pages]
for found in (ROOT / "docs").rglob("*.md"):
    if (name := found.relative_to(ROOT).with_suffix("").as_posix()) not in LISTED:
        raise ValueError(f"{name}.md is in no part of NAVIGATION")

project = "Hexmate"
author = "the authors of Hexmate"
language = "en"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["README.md", *(f"{page}.md" for page in LISTED if exists(page))]
exclude_patterns = ["target", ".git", "**/node_modules"]

# Headings have the anchors that GitHub gives them, so one link serves both.
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
# Plain blocks without a language, and pseudo-code, are not to be coloured.
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "Hexmate"
html_short_title = "Hexmate"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = html_logo = "../../tools/board/icon.svg"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a4b12", "color-brand-content": "#9a4a08", "color-brand-visited": "#9a4a08"},
    "dark_css_variables": {"color-brand-primary": "#e8a860", "color-brand-content": "#e8a860", "color-brand-visited": "#e8a860"},
    "top_of_page_buttons": [],
}
pygments_style = "friendly"
pygments_dark_style = "native"


def title(path):
    """The title of a page, if there is such a page."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return next((line[2:] for line in lines if line.startswith("# ")), None)


def name_links(_app, page, source):
    """Links that are named by their file, as GitHub's readers know it, get the title of the page instead."""

    def named(link):
        found = title((ROOT / page).parent / link["to"])
        return f"[{found.split(':')[0]}]({link['to']}" if found else link[0]

    source[0] = re.sub(r"\[(?:[\w-]+/)*(?P<name>[\w-]+\.md)\]\((?P<to>[^)#\s]*(?P=name))", named, source[0])


def add_navigation(_app, page, source):
    """The front page is the README, which GitHub shows; only the site wants a table of contents below it."""
    if page != root_doc:
        return
    for caption, pages in NAVIGATION.items():
        names = "\n".join(f"/{page}" for page in pages if exists(page))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {caption}\n\n{names}\n```\n"


def add_name(_app, page, source):
    """The search finds a page first by the name of its file: that of a game, or of what a page is about."""
    name = page.rsplit("/", 1)[-1]
    if name != "README":
        source[0] = re.sub(r"^# .*\n", rf"\g<0>\n```{{index}} ! {name}\n```\n", source[0], count=1, flags=re.MULTILINE)


def setup(app):
    app.connect("source-read", name_links)
    app.connect("source-read", add_name)
    app.connect("source-read", add_navigation)
