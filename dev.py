"""Every command of the project: ``python3 dev.py COMMAND``. Needs Python and nothing else.

The first call makes a virtual environment in ``.venv`` and installs the project and its tools there;
later calls only install again when ``pyproject.toml`` has changed.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT, BESIDE_PEERS = ROOT / ".venv", ROOT / ".venv-peers"
TORCH = "torch==2.13.0"  # the version tested; pip installs it, which looks for wheels on the disk where it is told to
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def python_of(environment: Path) -> Path:
    """Return where the Python of a virtual environment is."""
    return environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"


PYTHON = python_of(ENVIRONMENT)


def run(*command: str | Path, missing: str = "") -> None:
    """Run one command from the project's root; if it fails, say what is missing and stop with its exit code."""
    print("$", *command, flush=True)
    code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode
    if code:
        print(missing, end="\n" if missing else "", file=sys.stderr, flush=True)
        sys.exit(code)


def set_up(
    *install: str, with_pip: tuple[str, ...] = (), environment: Path = ENVIRONMENT, or_more: bool = False
) -> None:
    """Make an environment and install into it, unless that (`or_more`: anything) was done for this pyproject.toml."""
    done, python = environment / "installed", python_of(environment)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found, _, found_for = done.read_text(encoding="utf-8").partition("\n") if done.exists() else ("", "", "")
    if found_for == project and (or_more or found == " ".join(install)):
        return
    venv.create(environment, with_pip=True)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv", *with_pip)
    run(python, "-m", "uv", "pip", "install", "--quiet", "--python", python, *install)
    done.write_text(" ".join(install) + "\n" + project, encoding="utf-8")


def development() -> None:
    """Set up with every extra and every tool."""
    set_up("--editable", ".[all]", "--group", "dev", with_pip=(TORCH,))


def debian(package: str, missing: str) -> bool:
    """Install a package with apt on Debian; return whether this is a Debian whose packages one may install."""
    as_root = [] if os.name != "posix" or os.geteuid() == 0 else ["sudo"]
    if not (shutil.which("apt-get") and all(map(shutil.which, as_root))):
        return False
    if platform.freedesktop_os_release()["ID"] != "debian":  # elsewhere it may be a stub for another installer
        return False
    run(*as_root, "apt-get", "update", "--quiet", missing=missing)
    run(*as_root, "apt-get", "install", "--quiet", "--yes", "--no-install-recommends", package, missing=missing)
    return True


def browser() -> None:
    """Install a browser for the tests of the report, unless there is one on the path."""
    missing = f"A browser is missing for the tests of the report: put one of {', '.join(BROWSERS)} on the path."
    if not any(map(shutil.which, BROWSERS)) and not debian("chromium", missing):
        run(PYTHON, "-m", "playwright", "install", "chromium", missing=missing)


def java() -> None:
    """Install Java for the tests of Spark, unless there is one on the path."""
    missing = "Java is missing for the tests of Spark: put `java`, version 17 or newer, on the path."
    if not shutil.which("java") and not debian("openjdk-17-jre-headless", missing):
        sys.exit(missing)


def demo(arguments: list[str]) -> None:
    """Set up, rank the models of the bundled cohort, and write a report: the main job."""
    set_up("--editable", ".[command]", or_more=True)
    run(PYTHON, "-m", "stakes", "demo", *arguments)
    print(f"Here `stakes` is {PYTHON.with_name('stakes').relative_to(ROOT)}.")


def lint(arguments: list[str]) -> None:
    """Check style and formatting (``--fix`` mends what can be mended)."""
    development()
    fix = "--fix" in arguments
    run(PYTHON, "-m", "ruff", "format", *([] if fix else ["--check"]), ".")
    run(PYTHON, "-m", "ruff", "check", *(["--fix"] if fix else []), ".")


def types(_: list[str]) -> None:
    """Check types, strictly."""
    development()
    run(PYTHON, "-m", "mypy")


def test(arguments: list[str]) -> None:
    """Set up, check style and types, and run every test (further arguments go to pytest)."""
    lint([])
    types([])
    browser()
    java()
    run(PYTHON, "-m", "pytest", *arguments)


def bench(arguments: list[str]) -> None:
    """Measure speed and memory against the peers, in one run (minutes; `--rows 100000` for a quick look)."""
    development()
    run(PYTHON, ROOT / "benchmarks" / "run.py", *arguments)
    run(PYTHON, ROOT / "benchmarks" / "voros.py")


def peers(arguments: list[str]) -> None:
    """Measure the same work by every peer, in an environment with all of them (half an hour)."""
    set_up("--editable", ".[all]", "--group", "peers", with_pip=(TORCH,), environment=BESIDE_PEERS)
    run(python_of(BESIDE_PEERS), ROOT / "benchmarks" / "peers.py", *arguments)


def fuzz(arguments: list[str]) -> None:
    """Look for input that breaks a promise, for a stated time (``--minutes 10``)."""
    development()
    run(PYTHON, ROOT / "tests" / "fuzz" / "run.py", *arguments)


def mutate(arguments: list[str]) -> None:
    """Plant small faults in a room and see each one caught (``scores --sample 200``)."""
    development()
    run(PYTHON, ROOT / "tests" / "mutation" / "run.py", *arguments)


def pictures(_: list[str]) -> None:
    """Draw the gallery and the README's picture again."""
    development()
    browser()
    run(PYTHON, ROOT / "docs" / "gallery.py")
    run(PYTHON, ROOT / "docs" / "report_picture.py")


def docs(_: list[str]) -> None:
    """Build the documentation in ``build/docs``, and fail at any warning."""
    development()
    source, target = ROOT / "docs", ROOT / "build" / "docs"
    run(PYTHON, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--nitpicky", source, target)
    print(f"Open {target / 'index.html'}")


COMMANDS: dict[str, Callable[[list[str]], None]] = {
    command.__name__: command for command in (demo, test, lint, types, bench, peers, fuzz, mutate, pictures, docs)
}


def main() -> None:
    """Read the command line and run the command it names."""
    parser = argparse.ArgumentParser(
        prog="dev.py",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=(__doc__ or "").partition("\n")[0],
        epilog="commands:\n"
        + "\n".join(f"  {name:9}{(task.__doc__ or '').strip()}" for name, task in COMMANDS.items()),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed on to the command")
    chosen = parser.parse_args()
    COMMANDS[chosen.command](chosen.arguments)


if __name__ == "__main__":
    main()
