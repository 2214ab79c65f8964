"""What goes wrong on a worker, once: a process is killed, a task fails."""

import os
import signal
from pathlib import Path


def _first_time(flag):
    """Whether this has not happened yet; only one process can be the first."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def _parent(process):
    """Return the parent of a process, as the kernel tells it."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill_this_worker_once(part, flag):
    """Kill the Dask worker that holds this partition."""
    if len(part) and _first_time(flag):
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def kill_this_executor_once(batches, flag):
    """Kill the Spark executor, a Java process, that this Python process works for."""
    for batch in batches:
        if batch.num_rows and _first_time(flag):
            process = os.getpid()
            while "java" not in Path(f"/proc/{process}/exe").readlink().name:
                process = _parent(process)
            os.kill(process, signal.SIGKILL)
        yield batch


def fail_this_task_once(batches, flag):
    """Raise an error in the middle of a Spark task."""
    for batch in batches:
        yield batch
        if batch.num_rows and _first_time(flag):
            raise RuntimeError("this task was made to fail")
