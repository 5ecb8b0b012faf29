"""What several tests use."""

import pytest

#: A game of its own: Gliński's with another worth of a stalemate.
CALM = "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm chess'\n[ends]\nstalemate = '1/2'\n"


@pytest.fixture
def calm(tmp_path):
    """The path of a game's file."""
    path = tmp_path / "calm.toml"
    path.write_text(CALM)
    return path
