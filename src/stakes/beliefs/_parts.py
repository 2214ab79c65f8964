"""Parts of a belief that is a mixture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stakes.beliefs._combined import Mixture
from stakes.beliefs._points import At, Atoms


def parts(belief: Any, *, split_atoms: bool = False) -> Iterator[tuple[float, Any]]:
    """Yield the parts of a mixture, each with its probability.

    A belief that is not a mixture is its only part. `Atoms` are one part, or with `split_atoms` one per value.
    """
    if isinstance(belief, Mixture):
        for part, weight in zip(belief.parts, belief.weights, strict=True):
            yield from ((weight * share, piece) for share, piece in parts(part, split_atoms=split_atoms))
    elif split_atoms and isinstance(belief, Atoms):
        yield from ((weight, At(value)) for value, weight in zip(belief.values, belief.weights, strict=True))
    else:
        yield 1.0, belief
