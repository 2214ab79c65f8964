"""States of an accumulating metric: sums by bin, which never grow, or the cases themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from stakes.large import Bins, QuantisedTable
from stakes.tensors._device import Array, arrays_of
from stakes.tensors._door import ValidColumns
from stakes.tensors._tensor_bins import CellSums


@dataclass
class Binned:
    """Sums by bin and class: as much memory after a billion cases as after one."""

    bins: Bins
    device: Any
    sums: CellSums = field(init=False)
    whole: bool = True

    def __post_init__(self) -> None:
        self.sums = CellSums.empty(_arrays_on(self.device), self.bins)

    def add(self, found: ValidColumns) -> None:
        """Add cases."""
        self.sums.add(self.bins, found)
        self.whole &= found.weight is None

    def merge(self, other: Binned) -> None:
        """Add what another has, which lies on this device."""
        for mine, its in zip(self.sums[:4], other.sums, strict=False):
            mine += its
        self.sums.least.clamp_(max=other.sums.least)
        self.sums.most.clamp_(min=other.sums.most)
        self.whole &= other.whole

    def of_all_processes(self, group: Any) -> Binned:
        """Return the sums over every process of a group, the same in each."""
        from torch import distributed

        found = self.on(self.device)
        weighted = found.sums.cases.new_tensor([not self.whole])
        reduced = (*((column, "SUM") for column in found.sums[:4]), (found.sums.least, "MIN"), (found.sums.most, "MAX"))
        for column, how in (*reduced, (weighted, "MAX")):
            distributed.all_reduce(column, getattr(distributed.ReduceOp, how), group=group)
        found.whole = not weighted.item()
        return found

    def on(self, device: Any) -> Binned:
        """Return a copy on a device."""
        found = Binned(self.bins, device)
        found.sums = CellSums(*(column.to(device, copy=True) for column in self.sums))
        found.whole = self.whole
        return found

    def __len__(self) -> int:
        return int(self.sums.cases.sum())

    def table(self) -> QuantisedTable:
        """Fetch the sums."""
        return self.sums.table(_arrays_on(self.device), self.bins, whole=self.whole)


class Kept(NamedTuple):
    """Cases as they came."""

    label: Array
    score: Array
    weight: Array | None


@dataclass
class Exact:
    """Every case, in as many parts as it came in."""

    device: Any
    parts: list[Kept] = field(default_factory=list)

    def add(self, found: ValidColumns) -> None:
        """Add a copy of cases, whose arrays may be overwritten afterwards."""
        columns = (found.label, found.score, found.weight)
        self.parts.append(Kept(*(None if column is None else column.clone() for column in columns)))

    def merge(self, other: Exact) -> None:
        """Add what another has, which lies on this device."""
        self.parts += other.parts

    def of_all_processes(self, group: Any) -> Exact:
        """Return the cases of every process of a group, in the same order in each."""
        import torch
        from torch import distributed

        mine = self.joined()
        about = torch.tensor(
            [len(mine.score), mine.score.dtype == torch.float64, mine.weight is not None], device=self.device
        )
        others = [torch.empty_like(about) for _ in range(distributed.get_world_size(group))]
        distributed.all_gather(others, about, group=group)
        lengths, is_double, weighted = torch.stack(others).T.tolist()
        score = mine.score.double() if any(is_double) else mine.score
        columns = [mine.label.to(torch.uint8), score, *([_weights(mine)] if any(weighted) else [])]
        gathered = [_gather(column, lengths, group) for column in columns]
        weight = gathered[2] if any(weighted) else [None] * len(lengths)
        parts = zip(gathered[0], gathered[1], weight, strict=True)
        return Exact(self.device, [Kept(label.bool(), *others) for label, *others in parts])

    def on(self, device: Any) -> Exact:
        """Return the same on a device."""
        parts = [Kept(*(None if column is None else column.to(device) for column in part)) for part in self.parts]
        return Exact(device, parts)

    def __len__(self) -> int:
        return sum(len(part.score) for part in self.parts)

    def joined(self) -> Kept:
        """Return all cases in one: in float64, and with weights, if some are."""
        import torch

        if not self.parts:
            return Kept(torch.empty(0, dtype=torch.bool, device=self.device), torch.empty(0, device=self.device), None)
        label = torch.cat([part.label for part in self.parts])
        score = torch.cat([part.score for part in self.parts])
        weighted = any(part.weight is not None for part in self.parts)
        return Kept(label, score, torch.cat([_weights(part) for part in self.parts]) if weighted else None)


def _weights(part: Kept) -> Array:
    import torch

    return torch.ones_like(part.score, dtype=torch.float64) if part.weight is None else part.weight


def _gather(column: Array, lengths: list[int], group: Any) -> list[Array]:
    """Gather columns of different lengths, padded to the longest and trimmed again."""
    from torch import distributed

    padded = column.new_zeros(max(lengths))
    padded[: len(column)] = column
    found = [padded.new_empty(len(padded)) for _ in lengths]
    distributed.all_gather(found, padded, group=group)
    return [one[:length] for one, length in zip(found, lengths, strict=True)]


def _arrays_on(device: Any) -> Any:
    import torch

    return arrays_of("device", torch.empty(0, device=device))
