"""A model in use: a gate for new versions, drift of scores, a watch over labelled batches."""

from stakes.monitoring._drift import DOUBT, Drift, drift
from stakes.monitoring._gate import Gate, gate, verdict_of
from stakes.monitoring._watch import Watch
from stakes.monitoring._watch_batches import watch
from stakes.monitoring._watched_losses import most_loss

__all__ = [
    "Drift",
    "Gate",
    "Watch",
    "drift",
    "gate",
    "watch",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("DOUBT", "most_loss", "verdict_of")
