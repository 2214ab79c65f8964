"""How the tests themselves are told apart: the sample of the quick tier, and what a worker takes as a whole."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdist.scheduler import LoadGroupScheduling

TESTS = Path(__file__).parent


class Test:
    """As much of a test as the settings look at."""

    __test__ = False

    def __init__(self, name, *marks, file="test_some.py", number=0):
        self.originalname, self.number, self.path, self.marks = name, number, TESTS / file, list(marks)

    def __repr__(self):
        return f"{self.originalname}[{self.number}]"

    def iter_markers(self, name=None):
        return [mark.mark for mark in self.marks if name in (None, mark.mark.name)]

    def get_closest_marker(self, name):
        return next(iter(self.iter_markers(name)), None)

    def add_marker(self, mark):
        self.marks.append(mark)


@pytest.fixture
def shared(pytestconfig):
    """Find the settings that all tests share."""
    return pytestconfig.pluginmanager.get_plugin(str(TESTS / "conftest.py"))


def test_the_quick_tier_runs_every_nth_case_of_a_sampled_test_and_all_of_the_others(shared):
    tests = [Test(name, number=k) for name in ("plain", "thinned", "few") for k in range(10)]
    for test in tests:
        test.marks += {"thinned": [pytest.mark.sample(4)], "few": [pytest.mark.sample(99)]}.get(test.originalname, [])
    kept = [repr(test) for test in tests if test not in shared.beyond_sample(tests)]
    assert kept == [f"plain[{k}]" for k in range(10)] + ["thinned[0]", "thinned[4]", "thinned[8]", "few[0]"]


def test_a_sample_is_of_the_cases_that_the_quick_tier_could_run(shared):
    tests = [Test("thinned", pytest.mark.sample(2), *([pytest.mark.slow] if k < 3 else []), number=k) for k in range(6)]
    assert [test.number for test in tests if test not in shared.beyond_sample(tests)] == [0, 1, 2, 3, 5]


def test_what_is_sampled_has_cases_of_its_own_in_each_file(shared):
    tests = [Test("thinned", pytest.mark.sample(2), file=file, number=k) for file in ("a.py", "b.py") for k in range(3)]
    assert [test.number for test in tests if test not in shared.beyond_sample(tests)] == [0, 2, 0, 2]


def test_no_law_of_the_quick_tier_has_more_examples_than_the_others(shared):
    def asking(examples):
        one = Test("law")
        one.function = settings(max_examples=examples)(given(st.none())(lambda _: None))
        return one

    many, few, plain = asking(10**6), asking(2), Test("plain")
    shared.with_few_examples([many, few, plain])
    found = [one.function._hypothesis_internal_use_settings.max_examples for one in (many, few)]
    assert found == [settings().max_examples, 2]


def test_the_longest_files_come_first_and_every_cluster_is_in_one_group(shared):
    slow, cluster = pytest.mark.slow, pytest.mark.cluster
    tests = [Test("short", file="a.py"), Test("long", slow, file="b.py"), Test("short", file="b.py")]
    tests += [Test("spark", cluster, file="a.py"), Test("spark", cluster, file="c.py")]
    shared.longest_first(tests)
    assert [(test.originalname, test.path.name) for test in tests] == [
        ("spark", "a.py"),
        ("spark", "c.py"),
        ("long", "b.py"),
        ("short", "b.py"),
        ("short", "a.py"),
    ]
    groups = [[mark.args for mark in test.iter_markers("xdist_group")] for test in tests]
    assert groups == [[("engines",)], [("engines",)], [], [], []]


@pytest.mark.parametrize(
    ("test", "whole"),
    [
        ("tests/a.py::test_one", "tests/a.py"),
        ("tests/a.py::test_one[x::y@z]", "tests/a.py"),
        ("README.md::README.md", "README.md"),
        ("tests/a.py::test_one[Spark]@engines", "engines"),
    ],
)
def test_a_worker_takes_a_file_or_a_group_as_a_whole(test, whole, shared, pytestconfig, monkeypatch):
    monkeypatch.setattr(pytestconfig.option, "dist", "loadgroup")
    monkeypatch.setattr(LoadGroupScheduling, "__init__", lambda *_: None)  # which counts workers
    assert shared.pytest_xdist_make_scheduler(pytestconfig, None)._split_scope(test) == whole
