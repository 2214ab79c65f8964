"""What is documented is also what the types say: `mypy --strict` over the calls of `typed_calls.py`."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent


def test_documented_calls_pass_strict_types():
    settings = ("--strict", "--config-file", str(TESTS.parent / "pyproject.toml"), "--no-error-summary")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, str(TESTS / "typed_calls.py")],
        env={**os.environ, "MYPYPATH": str(TESTS.parent / "src")},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
