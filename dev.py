"""Every command of the project: ``python3 dev.py COMMAND``. Needs Python and nothing else.

The first call makes a virtual environment in ``.venv`` and installs the project there, with packages in the versions
and with the hashes of ``requirements/test.txt``; later calls do so again when that file or ``pyproject.toml`` changes.
Bytecode is kept there too, so each module is compiled once, also where a container forbids that beside the source.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT, PINS = Path(__file__).resolve().parent, Path("requirements", "test.txt")
PIP = ["pip", "install", "--quiet", "--disable-pip-version-check"]
TORCH = [*PIP, "torch==2.13.0"]  # by pip, which takes it from a wheel on the disk where it is told to
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PROGRAMS = {"a browser": (BROWSERS, BROWSERS[0]), "Java 17 or newer": (("java",), "openjdk-17-jre-headless")}
_COVERING = ("covering", "covering_bands", "covering_groups", "covering_costs", "covering_planning", "covering_sites")
_COVERING += ("covering_followed", "resampled")
BENCHMARKS = ("peers", "parts", "wait", "voros", "bootstrap", *_COVERING, "ranking", "large")  # and gpu, page
# What `uv pip install` is given, by environment: the command alone, the versions tested, the newest beside our peers.
INSTALL = {
    "command": (["--editable", ".[command]", "--constraint", PINS, "--build-constraint", PINS],),
    "tested": (["--require-hashes", "--requirement", PINS], ["--no-deps", "--no-build-isolation", "--editable", "."]),
    "peers": (["--editable", ".[all]", "--group", "dev", "--group", "peers"],),
}
COMPILE = ["uv", "pip", "compile", "pyproject.toml", "--all-extras", "--group=dev", "--upgrade", "--quiet"]
COMPILE += ["--universal", "--python-version=3.11", "--generate-hashes", "--no-emit-index-url", "--no-annotate"]
COMPILE += ["--custom-compile-command=python3 dev.py pin", f"--output-file={PINS.as_posix()}"]
SPHINX = ["sphinx", "--builder=html", "--fail-on-warning", "--keep-going", "--nitpicky", "docs", "build/docs"]
CHECKS = [["ruff", "format", "--check", "."], ["ruff", "check", "."], ["mypy"]]
FULL = ["pytest", "--tier=full", "--maxfail=30"]  # what breaks more than that is better told at once
# Environment, further needs, what is run there (scripts and modules; arguments go to the last one), and what for.
COMMANDS: dict[str, tuple[str, tuple[str, ...], list[list[str]], str]] = {
    "demo": ("command", (), [["stakes", "demo"]], "rank the models of the bundled cohort and write a report"),
    "test": ("tested", tuple(PROGRAMS), [TORCH, *CHECKS, FULL], "style, types, every test"),
    "test --quick": ("tested", (), [*CHECKS, ["pytest", "--tier=quick"]], "style, types, and tests of two minutes"),
    "lint": ("tested", (), CHECKS[:2], "check style and formatting"),
    "lint --fix": ("tested", (), [["ruff", "format", "."], ["ruff", "check", "--fix", "."]], "mend them"),
    "types": ("tested", (), CHECKS[2:], "check types, strictly"),
    "docs": ("tested", (), [TORCH, SPHINX], "build the documentation in build/docs; a warning is an error"),
    "pictures": ("tested", ("a browser",), [["docs/gallery.py"], ["docs/report_picture.py"]], "draw them again"),
    "fuzz": ("tested", (), [TORCH, ["tests/fuzz/run.py"]], "look for input that breaks a promise (--minutes 10)"),
    "mutate": ("tested", (), [TORCH, ["tests/mutation/run.py"]], "plant faults in a room and see each one caught"),
    "pin": ("tested", (), [COMPILE], "take the newest version of everything from now on"),
    "bench": ("peers", (), [[f"benchmarks/{name}.py"] for name in BENCHMARKS], "every benchmark beside our peers"),
}
COMMANDS |= {f"bench {name}": ("peers", (), [[f"benchmarks/{name}.py"]], "") for name in (*BENCHMARKS, "gpu")}
COMMANDS["bench page"] = ("tested", ("a browser",), [["benchmarks/page.py"], ["benchmarks/opening.py"]], "")


def run(*command: str | Path, missing: str = "") -> None:
    """Run one command from the project's root; if it fails, stop, with its exit code or saying what is missing."""
    print("$", *command, flush=True)
    if code := subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode:
        sys.exit(missing or code)


def uv(python: Path) -> list[str | Path]:
    """Find uv, or install it into an environment."""
    if not (found := shutil.which("uv")):
        run(python, "-m", *PIP, "uv==0.13.7")
    return [found] if found else [python, "-m", "uv"]


def set_up(kind: str) -> Path:
    """Return the Python of an environment, made anew unless it was made from the files as they are."""
    environment = ROOT / (".venv-peers" if kind == "peers" else ".venv")
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = environment / "installed"
    wanted = "".join((ROOT / path).read_text("utf-8") for path in ("pyproject.toml", PINS))
    found, _, found_for = done.read_text("utf-8").partition("\n") if done.exists() else ("", "", "")
    if found_for != wanted or kind not in (found, "command"):  # which every environment holds
        venv.create(environment, with_pip=True)
        if kind == "peers":
            run(python, "-m", *TORCH)  # before uv would fetch another
        for arguments in INSTALL[kind]:
            run(*uv(python), "pip", "install", "--quiet", "--python", python, *arguments)
        done.write_text(f"{kind}\n{wanted}", "utf-8")
    return python


def find(need: str, python: Path) -> None:
    """Find a program, or install it: with apt on Debian (elsewhere apt may bring a stub), a browser with Playwright."""
    names, package = PROGRAMS[need]
    if any(map(shutil.which, names)):
        return
    missing = f"dev.py needs {need}: put {' or '.join(names)} on the path."
    as_root = [] if os.name != "posix" or os.geteuid() == 0 else ["sudo"]
    if all(map(shutil.which, ["apt-get", *as_root])) and platform.freedesktop_os_release()["ID"] == "debian":
        run(*as_root, "apt-get", "update", "--quiet", missing=missing)
        run(*as_root, "apt-get", "install", "--quiet", "--yes", "--no-install-recommends", package, missing=missing)
    elif need == "a browser":
        run(python, "-m", "playwright", "install", "chromium", missing=missing)
    else:
        sys.exit(missing)


def main(*typed: str) -> None:
    """Run the command that was typed."""
    words = 2 if " ".join(typed[:2]) in COMMANDS else 1
    name, arguments = " ".join(typed[:words]), typed[words:]
    if name not in COMMANDS or (name == "bench" and arguments):
        sys.exit("\n".join(["commands:", *(f"  {one:16}{what}" for one, (*_, what) in COMMANDS.items())]))
    kind, needs, runs, _ = COMMANDS[name]
    python = set_up(kind)
    os.environ |= {"PYTHONPYCACHEPREFIX": str(python.parents[1] / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    for need in needs:
        find(need, python)
    if name == "test" and arguments:  # part of the tests, or with settings of its own: then no tier
        runs = [*runs[:-1], ["pytest"]]
    for number, (first, *rest) in enumerate(runs, start=1):
        start = uv(python) if first == "uv" else [python, first] if first.endswith(".py") else [python, "-m", first]
        run(*start, *rest, *(arguments if number == len(runs) else ()))
    if name == "demo":
        print(f"Here `stakes` is {python.with_name('stakes').relative_to(ROOT)}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
