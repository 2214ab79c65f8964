"""Two processes that compute metrics together, in a group of torch.distributed."""

import pickle
import sys
from pathlib import Path

import numpy as np
import torch
from torch import distributed, multiprocessing

from stakes.tensors import torch_metric


def _part(cases, seed, dtype):
    rng = np.random.default_rng(seed)
    score = rng.beta(1, 2, cases).astype(dtype)
    return score, rng.random(cases) < score, rng.choice([0.0, 0.5, 2.0], cases)


_PLAIN = [_part(300, 1, np.float32), _part(501, 2, np.float64)]
_ONES = [np.ones(300), np.ones(501)]
_SCORES, _OUTCOMES, _WEIGHTS = (list(column) for column in zip(*_PLAIN, strict=True))

# By the name of a metric: scores, outcomes and weights of each process.
PARTS = {
    "exact": (_SCORES, _OUTCOMES, _ONES),
    "binned": (_SCORES, _OUTCOMES, _ONES),
    "exact, weights in one": (_SCORES, _OUTCOMES, [_ONES[0], _WEIGHTS[1]]),
    "binned, weights in one": (_SCORES, _OUTCOMES, [_ONES[0], _WEIGHTS[1]]),
    "nothing in one": ([_SCORES[0][:0], _SCORES[1]], [_OUTCOMES[0][:0], _OUTCOMES[1]], [_ONES[0][:0], _ONES[1]]),
}


def compute_in_two_processes(folder: Path) -> list[dict[str, object]]:
    """Return what each process has found, in the order of their ranks."""
    started = multiprocessing.start_processes(_process, (str(folder), list(sys.path)), nprocs=2, start_method="spawn")
    assert started is None
    return [pickle.loads((folder / f"{rank}.pickle").read_bytes()) for rank in range(2)]


def _process(rank: int, folder: str, path: list[str]) -> None:
    sys.path[:] = path
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    found = _found(rank)
    distributed.destroy_process_group()
    Path(folder, f"{rank}.pickle").write_bytes(pickle.dumps(found))


def _found(rank: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for kind, parts in PARTS.items():
        metric = torch_metric("auc", exact=kind != "nothing in one" and "exact" in kind, bins=256)
        _update(metric, kind, rank, parts)
        found[kind] = metric.compute()
        if kind == "binned":
            found["again"] = metric.compute()
    alone = torch_metric("auc", exact=True, sync_on_compute=False)
    _update(alone, "exact", rank, PARTS["exact"])
    found["alone"] = alone.compute()
    try:
        torch_metric("auc").compute()
    except ValueError as error:
        found["no case"] = str(error)
    return found


def _update(metric, kind, rank, parts):
    score, y, weight = (torch.from_numpy(column[rank]) for column in parts)
    if len(score):
        metric.update(score, y, *((weight,) if "weights" in kind and rank == 1 else ()))
