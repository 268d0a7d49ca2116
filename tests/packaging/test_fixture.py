"""The pytest fixture works in a test suite that knows nothing of this project; the snippet is the README's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_snippet_of_the_readme_passes(tmp_path: Path) -> None:
    """A file with the snippet, run by pytest with the plugin."""
    (snippet,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "test_snippet.py").write_text(snippet, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\npytest_plugins = ['dorisette.fixture']\n", encoding="utf-8"
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:dorisette", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
