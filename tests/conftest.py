"""Settings of every test: how many examples a law gets, the tiers, and what tests need that pip may not bring."""

import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

ROOT, TESTS = Path(__file__).parents[1], Path(__file__).parent

# The same examples in every run, so that a change is judged by itself; `--hypothesis-profile=explore` looks for more.
# No deadline: the first call of a process may load numba, and machines are shared.
settings.register_profile("quick", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("full", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("full")

# Workers share the processors: threads of one would wait for those of another, several times as long as the work takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported

# Commands of their own, not tests.
collect_ignore = ["fuzz", "mutation"]


# ------------------------------------------------------------------------------------------- what tests need


class Need(NamedTuple):
    """Something tests need; the full run fails without it, unless there is no way to get it."""

    name: str
    is_here: Callable[[], object]
    how: str = ""


def packages(*names: str) -> Callable[[], object]:
    """Return a function that says whether packages are installed, without importing them."""
    return lambda: all(map(find_spec, names))


def has_browser() -> bool:
    """Say whether there is a browser: on the path, or the one that Playwright brought."""
    if not find_spec("playwright"):
        return False
    from report.watching import has_own_browser, system_browser

    return system_browser() is not None or has_own_browser()


# By marker, or by path where nothing can be imported without it.
NEEDS = {
    "browser": Need("a browser", has_browser, "put chromium on the path, or run `playwright install chromium`"),
    "cluster": Need("Java", lambda: shutil.which("java"), "put `java`, 17 or newer, on the path"),
    "torch": Need("PyTorch", packages("torch", "array_api_compat"), "pip install torch array-api-compat"),
    "gpu": Need("an NVIDIA GPU", lambda: shutil.which("nvidia-smi")),
    "tests/report": Need("Playwright", packages("playwright"), "pip install playwright"),
    "tests/curves/test_dcurves.py": Need(
        "dcurves", packages("dcurves"), "pip install dcurves" if sys.version_info < (3, 14) else ""
    ),
    "docs/from-dcurves.md": Need(
        "dcurves", packages("dcurves"), "pip install dcurves" if sys.version_info < (3, 14) else ""
    ),
    "tests/cli/test_in_a_terminal.py": Need("a POSIX terminal", packages("pty", "termios")),
}
# What brings a marker by itself: a place, a fixture, a parameter.
PLACES = {
    "tests/tensors": "torch",
    "src/stakes/tensors": "torch",
    "docs/gpu.md": "torch",
    "tests/curves/test_dcurves.py": "slow",  # importing dcurves takes seconds
    "docs/from-dcurves.md": "slow",
    "docs/from-scikit-learn.md": "slow",
    "docs/how-to/fraud.md": "slow",  # validates under a capacity
    "docs/how-to/scikit-learn.md": "slow",
    "docs/how-to/validate.md": "slow",  # fits models again and again
}
FIXTURES = {"browser": "browser"}
PARAMETERS = {"Dask": "cluster", "Spark": "cluster"}  # engines that the tests start with workers of their own
PARAMETERS |= {"dask": "slow"}  # importing it takes seconds
BEYOND_QUICK = frozenset({"slow", "browser", "cluster", "gpu", "torch"})
AT_LENGTH = 100  # tests without a marker that last as long as one that has one of these, roughly


# ------------------------------------------------------------------------------------------- what tests share


@pytest.fixture
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let intervals under limits rest on few replicates, where nothing that is compared depends on their number."""
    for file, few in (("evaluation._sources", 40), ("frames._frame_source", 40), ("evaluation._at_horizons", 100)):
        monkeypatch.setattr(f"stakes.{file}._REPLICATES", few)


# ------------------------------------------------------------------------------------------- the tiers


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=("quick", "full"),
        help="quick: few examples, nothing slow, no browser, cluster, GPU or torch; full: everything, or fail",
    )


def pytest_configure(config: pytest.Config) -> None:
    os.environ["STAKES_PROGRESS"] = "no"  # what is printed does not depend on how busy this machine is
    tier = config.getoption("tier")
    if tier == "quick" and not config.getoption("hypothesis_profile"):
        settings.load_profile("quick")
    beyond = BEYOND_QUICK if tier == "quick" else frozenset()
    missing = {key: need for key, need in NEEDS.items() if key not in beyond and not need.is_here()}
    config.stash[LEFT_OUT], config.stash[MISSING] = beyond | missing.keys(), missing
    if tier == "full" and (lacking := [f"{need.name}: {need.how}" for need in missing.values() if need.how]):
        raise pytest.UsageError(f"the full run needs {'; and '.join(lacking)}.")


LEFT_OUT = pytest.StashKey[frozenset[str]]()
MISSING = pytest.StashKey[dict[str, Need]]()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say in one line each what is missing, and how to get it."""
    return [
        f"left out: {key}, which needs {need.name}" + (f" ({need.how})" if need.how else "")
        for key, need in config.stash[MISSING].items()
    ]


def place(path: Path) -> str:
    """Return a path as it is written in the tables."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what is left out as a whole."""
    here = place(collection_path)
    return True if config.stash[LEFT_OUT] & {here, PLACES.get(here)} else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[object], list[object]]:
    """Look for examples in the house and its pages, not in tests, which would be searched name by name."""
    found = yield
    is_test = file_path.suffix == ".py" and file_path.is_relative_to(TESTS)
    return [one for one in found if type(one) is pytest.Module] if is_test else found


def brought(item: pytest.Item) -> set[str]:
    """Return the markers a test has by its place, its fixtures and its parameters."""
    here, parameters = place(item.path), item.callspec.params if hasattr(item, "callspec") else {}
    marks = {mark for folder, mark in PLACES.items() if here == folder or here.startswith(f"{folder}/")}
    marks |= {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
    return marks | {
        PARAMETERS[value] for value in parameters.values() if isinstance(value, str) and value in PARAMETERS
    }


@pytest.hookimpl(tryfirst=True)  # before the workers of pytest-xdist tell the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests, leave out those whose marker is left out, and put those first that take longest."""
    for item in items:
        for mark in brought(item):
            item.add_marker(mark)
    beyond: set[pytest.Item] = set()
    if config.getoption("tier") == "quick":
        beyond = beyond_sample(items)
        with_few_examples(items)
    out = {item for item in items if item in beyond or marks(item) & config.stash[LEFT_OUT]}
    config.hook.pytest_deselected(items=[item for item in items if item in out])
    items[:] = [item for item in items if item not in out]
    if hasattr(config, "workerinput"):
        longest_first(items)


def marks(item: pytest.Item) -> set[str]:
    """Return the names of all markers of a test."""
    return {mark.name for mark in item.iter_markers()}


def beyond_sample(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the cases of parametrised tests that the quick tier leaves to the full one."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") and not marks(item) & BEYOND_QUICK:
            cases[item.path, item.originalname].append(item)
    kept = {case for every in cases.values() for case in every[:: every[0].get_closest_marker("sample").args[0]]}
    return {case for every in cases.values() for case in every} - kept


def with_few_examples(items: list[pytest.Item]) -> None:
    """Let no law have more examples than the profile, not even one that asks for them."""
    most = settings().max_examples
    for law in {getattr(item, "function", None) for item in items}:
        asked = getattr(law, "_hypothesis_internal_use_settings", None)
        if asked is not None and asked.max_examples > most:
            law._hypothesis_internal_use_settings = settings(asked, max_examples=most)  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------- the workers


def unit(item: pytest.Item) -> str:
    """Return what a worker takes as a whole: everything that needs a cluster, or else a file."""
    return "engines" if item.get_closest_marker("cluster") else place(item.path)


def longest_first(items: list[pytest.Item]) -> None:
    """Let nothing long begin when the other workers are about to finish, and one of them start Spark and Dask."""
    length: Counter[str] = Counter()
    for item in items:
        length[unit(item)] += AT_LENGTH if marks(item) & BEYOND_QUICK else 1
        if unit(item) == "engines":
            item.add_marker(pytest.mark.xdist_group("engines"))
    items.sort(key=lambda item: -length[unit(item)])


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give each worker whole files, so that what the tests of a file share is made once."""
    from xdist.scheduler import LoadGroupScheduling

    class WholeFiles(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return WholeFiles(config, log) if config.getoption("dist") == "loadgroup" else None
