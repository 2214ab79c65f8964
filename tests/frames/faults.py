"""What goes wrong on a worker, once: a process is killed, a task fails. And what is computed all the same."""

import os
import signal
from functools import partial
from itertools import count
from pathlib import Path

from stakes import Uniform, expected_regret, frames

FATAL = 3  # the fourth piece: two or three are read in each of two passes, so it is in the second


def resampled(frame):
    """Return the interval of each model: a pass for the tables, and one for the replicates."""
    found = frames.replicates(frame, "died", ["new", "old"], weight="weight", cluster="ward", n_resamples=100, rows=64)
    intervals = found.interval(partial(expected_regret, costs=Uniform(0.05, 0.2)))
    return {model: [one.estimate, one.lower, one.upper] for model, one in intervals.items()}


def _is_fatal(flags):
    """Count the pieces, in whatever process, and say whether this is the one where something goes wrong."""
    for number in count():
        try:
            os.close(os.open(f"{flags}/{number}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        return number == FATAL
    raise AssertionError


def _parent(process):
    """Return the parent of a process, as the kernel tells it."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill_this_worker_once(part, flags):
    """Kill the Dask worker that holds this partition."""
    if len(part) and _is_fatal(flags):
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def kill_this_executor_once(batches, flags):
    """Kill the Spark executor, a Java process, that this Python process works for."""
    for batch in batches:
        if batch.num_rows and _is_fatal(flags):
            process = os.getpid()
            while "java" not in Path(f"/proc/{process}/exe").readlink().name:
                process = _parent(process)
            os.kill(process, signal.SIGKILL)
        yield batch


def fail_this_task_once(batches, flags):
    """Raise an error in the middle of a Spark task."""
    for batch in batches:
        yield batch
        if batch.num_rows and _is_fatal(flags):
            raise RuntimeError("this task was made to fail")
