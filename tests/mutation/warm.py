"""A pytest plugin that tries mutants on the tests it collected, each in a fork of a process that has imported all."""

from __future__ import annotations

import functools
import gc
import os
import pickle
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import hypothesis
import pytest
from mutation.mutants import Mutant

Lines = set[tuple[str, int]]
SURVIVED, KILLED, NOT_PLANTED = range(3)
MEMORY = 8 << 30  # bytes that a mutant may ask for
NO_SHRINKING = tuple(phase for phase in hypothesis.Phase if phase.name in ("explicit", "generate"))


def in_a_fork(task: Callable[[], int], seconds: float) -> int:
    """Run a task in a fork; return its result, or that it was killed, as one is that takes too long."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else KILLED
    import resource  # not everywhere, as `fork`; but pytest looks for examples in this file everywhere

    code = KILLED
    try:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        # Its own processor time counts, so that a busy machine kills no one; the clock ends one that waits for ever.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 20 * seconds)
        code = task()
    finally:
        os._exit(code)


class Warm:
    """Runs the tests once, noting which lines each runs, and then tries each mutant on the tests that meet it."""

    def __init__(self, paths: Iterable[Path], mutants: list[Mutant], examples: int, tell: Callable[..., None]) -> None:
        self.paths, self.mutants, self.examples, self.tell = {str(path) for path in paths}, mutants, examples, tell
        self.survivors: list[tuple[Mutant, list[str]]] = []
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        for item in items:
            mine = getattr(item.function, "_hypothesis_internal_use_settings", None)
            if mine is not None:
                few = min(mine.max_examples, self.examples)
                item.function._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[attr-defined]
                    mine, max_examples=few, phases=NO_SHRINKING, database=None
                )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        session.config.pluginmanager.unregister(name="terminalreporter")
        items = session.items
        met, seconds = self._noted(items)
        functions, caches = self._functions(), _caches()
        kills: dict[tuple[Path, str | None], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        gc.freeze()
        for mutant in self.mutants:
            here = kills[mutant.path, mutant.function]
            tests = set().union(*(met[str(mutant.path), line] for line in mutant.lines))
            order = sorted(tests, key=lambda test: (-here[test], seconds[test]))
            limit = 10 + 5 * sum(seconds[test] for test in order)
            killer = self._try(mutant, functions, caches, [items[test] for test in order], limit)
            if killer is None:
                self.survivors.append((mutant, [items[test].nodeid for test in order]))
                self.tell(f"? {mutant}  ({len(order)} tests)")
            elif killer >= 0:
                here[order[killer]] += 1
            else:
                self.tell(f"! {mutant}  (did not come to an end)")
        return True

    def _noted(self, items: list[pytest.Item]) -> tuple[dict[tuple[str, int], set[int]], list[float]]:
        """Which tests run a line, and how long each takes; in a fork, so that no engine starts its threads here."""
        met: dict[tuple[str, int], set[int]] = defaultdict(set)
        seconds: list[float] = []
        with tempfile.NamedTemporaryFile() as notes:

            def task() -> int:
                for number, item in enumerate(items):
                    lines, began = set[tuple[str, int]](), time.process_time()
                    with self._noting(lines):
                        _run(item, None)
                    seconds.append(time.process_time() - began)
                    for line in lines:
                        met[line].add(number)
                Path(notes.name).write_bytes(pickle.dumps((met, seconds, self.failed)))
                return 0

            in_a_fork(task, 3600)
            met, seconds, failed = pickle.loads(Path(notes.name).read_bytes())
        if failed:
            raise pytest.UsageError(f"the tests fail without a mutant: {', '.join(failed)}")
        self.tell(f"{len(items)} tests, {sum(seconds):.0f} s of processor time while their lines were noted")
        return met, seconds

    @contextmanager
    def _noting(self, lines: Lines) -> Iterator[None]:
        def trace(frame: FrameType, _: str, __: object) -> Any:
            path = frame.f_code.co_filename
            if path not in self.paths:
                return None
            lines.add((path, frame.f_lineno))
            return trace

        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(None)

    def _functions(self) -> dict[tuple[str, str], list[FunctionType]]:
        """Every function of the room that lives, by file and name."""
        found = defaultdict(list)
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in self.paths:
                found[thing.__code__.co_filename, thing.__code__.co_qualname].append(thing)
        return found

    def _try(
        self,
        mutant: Mutant,
        functions: dict[tuple[str, str], list[FunctionType]],
        caches: list[Any],
        items: list[pytest.Item],
        limit: float,
    ) -> int | None:
        """Return which test killed the mutant, -1 where it ran too long or crashed, None for a survivor."""
        if mutant.function is None or not items:
            return None  # what is run on import is planted before the import
        reader, writer = os.pipe()

        def task() -> int:
            try:
                codes = {code.co_qualname: code for code in _inner(mutant.code())}
                alive = functions[str(mutant.path), mutant.function or ""]
                for function in alive:
                    function.__code__ = codes[mutant.function or ""]
            except (KeyError, SyntaxError, ValueError):  # no fault of the mutant
                return NOT_PLANTED
            if not alive:
                return NOT_PLANTED
            for cache in caches:
                cache.cache_clear()
            for number, (item, after) in enumerate(zip(items, [*items[1:], None], strict=True)):
                _run(item, after)
                if self.failed:
                    os.write(writer, number.to_bytes(4, "big"))
                    return KILLED
            return SURVIVED

        code = in_a_fork(task, limit)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            answer = pipe.read()
        if code == NOT_PLANTED:
            raise RuntimeError(f"could not be planted: {mutant}")
        if code == SURVIVED:
            return None
        return int.from_bytes(answer, "big") if answer else -1


def _run(item: pytest.Item, after: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def _caches() -> list[Any]:
    return [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)
