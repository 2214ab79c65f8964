"""Nothing asks the network: Python itself reports every attempt, and none is made."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # each starts a process

# An audit hook sees what Python does about sockets, whoever does it; it cannot be taken off again.
WATCHED = """
import sys
asked = []
sys.addaudithook(lambda event, _: asked.append(event) if event.startswith("socket.") else None)
"""
TELL = """
sys.exit(f"asked: {asked}" if asked else 0)
"""

DEMO = """
from stakes.cli import main
assert main(["demo"]) == 0
"""
ATTEMPT = """
import contextlib, socket
with contextlib.suppress(OSError):
    socket.create_connection(("127.0.0.1", 9), timeout=1)
"""
EVALUATION = """
import stakes
from stakes.datasets import load_cohort
cohort = load_cohort()
models = {"model": cohort["cancerpredmarker"], "history": cohort["famhistory"]}
found = stakes.evaluate(cohort["cancer"], models, stakes.Decision("5%..20%", prevalence="2%..10%"))
found.save_html("report.html")
found.to_json()
"""


def run(script, folder):
    """Run a script in a process of its own that watches for sockets; return its exit code and what it complained of."""
    command = [sys.executable, "-c", WATCHED + script + TELL]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, done.stderr


def test_the_main_job_and_its_report_ask_no_network(tmp_path):
    assert run(DEMO, tmp_path) == (0, "")
    assert (tmp_path / "stakes-demo.html").exists()


def test_an_evaluation_and_its_report_ask_no_network(tmp_path):
    assert run(EVALUATION, tmp_path) == (0, "")


def test_an_attempt_would_be_seen(tmp_path):
    code, complaint = run(ATTEMPT, tmp_path)
    assert code == 1
    assert "socket.connect" in complaint
