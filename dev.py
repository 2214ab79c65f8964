"""Every command of the project: ``python3 dev.py COMMAND``. Needs Python and nothing else.

The first call makes a virtual environment in ``.venv`` and installs the project and its tools there, on the Python they
were tested with in the versions tested; later calls only install again when those or ``pyproject.toml`` have changed.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
ENVIRONMENT, BESIDE_PEERS = ROOT / ".venv", ROOT / ".venv-peers"
VERSIONS = ROOT / "tests" / "versions.txt"
TORCH = "torch==2.13.0"  # the version tested; pip installs it, which looks for wheels on the disk where it is told to
BENCHMARKS = ("peers", "parts", "voros", "bootstrap", "covering", "large")  # `gpu` needs a GPU
EVERYTHING = ("--editable", ".[all]", "--group", "dev")
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


def make(environment: Path, *install: str, with_pip: tuple[str, ...] = (), newest: bool = False) -> None:
    """Make an environment and install into it, in the versions tested unless the newest are wanted."""
    python = python_of(environment)
    tested = () if newest else ("--constraint", VERSIONS)
    tested_builder = () if newest else ("--build-constraint", VERSIONS)
    venv.create(environment, with_pip=True)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *tested, "uv", *with_pip)
    run(python, "-m", "uv", "pip", "install", "--quiet", "--python", python, *tested, *tested_builder, *install)


def set_up(environment: Path, *install: str, or_more: bool = False, **how: Any) -> None:
    """Make an environment, unless this one (`or_more`: one with anything in it) was made from the files as they are."""
    done = environment / "installed"
    wanted = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pyproject.toml", VERSIONS))
    found, _, found_for = done.read_text(encoding="utf-8").partition("\n") if done.exists() else ("", "", "")
    if found_for == wanted and (or_more or found == " ".join(install)):
        return
    make(environment, *install, **how)
    done.write_text(" ".join(install) + "\n" + wanted, encoding="utf-8")


def development() -> None:
    """Set up with every extra and every tool."""
    set_up(ENVIRONMENT, *EVERYTHING, with_pip=(TORCH,))


def pin(_: list[str]) -> None:
    """Note the newest version of everything, for every set-up from now on (test them before you keep them)."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), *EVERYTHING, "hatchling", "editables", with_pip=(TORCH,), newest=True)
        python = python_of(Path(folder))
        freeze = [python, "-m", "uv", "pip", "freeze", "--exclude-editable", "--python", python]
        found = subprocess.run(freeze, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()
    version = ".".join(platform.python_version_tuple()[:2])
    apart = ("pip==", "torch==")  # pip is Python's own, and the version of torch stands above
    lines = [f'{line} ; python_version == "{version}"\n' for line in found if not line.startswith(apart)]
    VERSIONS.write_text("# What the tests were run with; written by `dev.py pin`.\n" + "".join(lines), encoding="utf-8")


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
    set_up(ENVIRONMENT, "--editable", ".[command]", or_more=True)
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
    """Run every benchmark beside the peers, which it installs (two hours), or one: ``peers --rows 100000``."""
    if arguments and arguments[0] not in (*BENCHMARKS, "gpu"):
        sys.exit(f"`bench` must be followed by one of {', '.join(BENCHMARKS)} or gpu, got {arguments[0]!r}.")
    # The newest of all: some peers start with other versions than those of the tests.
    set_up(BESIDE_PEERS, *EVERYTHING, "--group", "peers", with_pip=(TORCH,), newest=True)
    named = [arguments] if arguments else [[name] for name in BENCHMARKS]
    for name, *settings in named:
        run(python_of(BESIDE_PEERS), ROOT / "benchmarks" / f"{name}.py", *settings)


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
    command.__name__: command for command in (demo, test, lint, types, bench, fuzz, mutate, pin, pictures, docs)
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
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed on to the command")
    chosen = parser.parse_args()
    if chosen.command is None:
        parser.print_help()
        sys.exit(2)
    COMMANDS[chosen.command](chosen.arguments)


if __name__ == "__main__":
    main()
