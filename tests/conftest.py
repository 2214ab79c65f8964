"""Settings of every test."""

from hypothesis import settings

# The same examples in every run, so that a change is judged by itself; `--hypothesis-profile=explore` looks for more.
# No deadline: the first call of a process may load numba, and machines are shared.
settings.register_profile("stakes", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("quick", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("stakes")

# Commands of their own, not tests.
collect_ignore = ["fuzz", "mutation"]
