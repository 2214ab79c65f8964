"""Plant small faults in a room and see each one caught: ``python3 dev.py mutate measures --sample 200``.

A mutant is first tried in a fork of a process that has imported everything, on the tests that run its line and with few
examples of each law; what survives is planted again before the first import, and meets those tests in full.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pickle
import random
import sys
import tempfile
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "stakes"
sys.path[:0] = [str(TESTS), str(SOURCE.parent)]

import pytest  # noqa: E402
from mutation.mutants import Mutant, mutants_of  # noqa: E402
from mutation.warm import KILLED, NOT_PLANTED, SURVIVED, Warm, in_a_fork  # noqa: E402

# What is mutated, and the tests of the room that must notice, beside those of every room.
ROOMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "beliefs": (("beliefs/*.py",), ("beliefs", "prevalence", "limits")),
    "table": (("table/*.py",), ("table",)),
    "measures": (("measures/*.py",), ("measures",)),
    "prevalence": (("prevalence/*.py",), ("prevalence",)),
    "limits": (("limits/*.py", "policy/*.py"), ("limits",)),
    "large": (("large/_bin*.py", "large/_quantis*.py"), ("large",)),
}
OF_EVERY_ROOM = ("golden", "published", "test_every_argument.py")
HEAVY = ("numpy", "scipy.integrate", "scipy.stats", "mpmath", "hypothesis.strategies", "sklearn.metrics", "pandas")
PLAIN = ("-o", "addopts=", "--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:xdist", "-q")
# Plugins imported before pytest starts cannot have their assertions rewritten, and need not.
PLAIN += ("-W", "ignore::pytest.PytestAssertRewriteWarning")
# An engine is no part of a formula, and does not survive a fork.
PLAIN += ("--ignore-glob=*frames*", "--ignore-glob=*stream*")
SECONDS = 300.0  # of processor time for one mutant and its tests in full


def tell(*words: object) -> None:
    print(*words, flush=True)


def warm_round(
    paths: list[Path], tests: list[str], mutants: list[Mutant], examples: int
) -> list[tuple[Mutant, list[str]]]:
    """Try every mutant with few examples; return those that survive, each with the tests that meet it."""
    with tempfile.NamedTemporaryFile() as found:
        child = os.fork()
        if not child:
            code = 1
            try:
                out = os.fdopen(os.dup(1), "w")
                warm = Warm(paths, mutants, examples, lambda *words: print(*words, file=out, flush=True))
                code = pytest.main([*PLAIN, "-x", *tests], plugins=[warm])
                Path(found.name).write_bytes(pickle.dumps(warm.survivors))
            finally:
                sys.stdout.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit("The tests did not run.")
        return pickle.loads(Path(found.name).read_bytes())


class Only:
    """A pytest plugin that runs some tests alone, in the order given; all of them when none is given."""

    def __init__(self, names: list[str]) -> None:
        self.order = {name: number for number, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order:
            items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda i: self.order[i.nodeid])


def survives_in_full(mutant: Mutant, names: list[str], tests: list[str]) -> bool:
    """Whether the mutant, planted before the first import, passes the tests that meet it, with all their examples."""
    get_code = SourceFileLoader.get_code
    planted = []

    def mutated(loader: SourceFileLoader, name: str) -> object:
        if loader.path != str(mutant.path):
            return get_code(loader, name)
        planted.append(name)
        return mutant.code()

    def task() -> int:
        SourceFileLoader.get_code = mutated  # type: ignore[assignment, method-assign]
        ended = pytest.main([*PLAIN, "-x", *tests], plugins=[Only(names)])
        if not planted:
            return NOT_PLANTED
        # Interrupted: what fails on import does so while the tests are collected.
        outcomes = {
            pytest.ExitCode.OK: SURVIVED,
            pytest.ExitCode.TESTS_FAILED: KILLED,
            pytest.ExitCode.INTERRUPTED: KILLED,
        }
        return outcomes.get(pytest.ExitCode(ended), NOT_PLANTED)

    outcome = in_a_fork(task, SECONDS)
    if outcome == NOT_PLANTED:
        raise RuntimeError(f"could not be planted: {mutant}")
    return outcome == SURVIVED


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--sample", type=int, default=None, help="how many mutants; all unless given")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--examples", type=int, default=15, help="of each law in the first round")
    parser.add_argument("--only", default="*", help="files of the room, as a pattern")
    parser.add_argument(
        "--again", type=Path, default=None, help="output of an earlier run, whose survivors to try again"
    )
    parser.add_argument("--first-round", action="store_true", help="do not try the survivors again in full")
    chosen = parser.parse_args()
    patterns, folders = ROOMS[chosen.room]
    paths = [path for pattern in patterns for path in sorted(SOURCE.glob(pattern)) if path.match(chosen.only)]
    tests = [str(TESTS / name) for name in (*folders, *OF_EVERY_ROOM)]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    mutants = every
    if chosen.again is not None:
        survived = set(chosen.again.read_text(encoding="utf-8").splitlines())
        mutants = [mutant for mutant in every if f"survived {mutant}" in survived]
    elif chosen.sample is not None and chosen.sample < len(every):
        mutants = random.Random(chosen.seed).sample(every, chosen.sample)
    mutants.sort(key=lambda mutant: (mutant.path, mutant.number))
    tell(f"{chosen.room}: {len(mutants)} of {len(every)} mutants, seed {chosen.seed}")
    for name in HEAVY:
        importlib.import_module(name)
    began = time.monotonic()
    survivors = warm_round(paths, tests, mutants, chosen.examples)
    tell(f"first round: {len(mutants) - len(survivors)} killed, {time.monotonic() - began:.0f} s")
    if not chosen.first_round:
        survivors = [(mutant, names) for mutant, names in survivors if survives_in_full(mutant, names, tests)]
        tell(f"in full: {len(mutants) - len(survivors)} killed, {time.monotonic() - began:.0f} s")
    for mutant, _ in survivors:
        tell(f"survived {mutant}")
    killed = len(mutants) - len(survivors)
    tell(f"{chosen.room}: {killed} of {len(mutants)} killed, {100 * killed / len(mutants):.1f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
