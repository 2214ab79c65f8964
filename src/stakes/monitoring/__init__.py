"""A model in use: the gate that a new version must pass."""

from stakes.monitoring._gate import Gate, gate, verdict_of

__all__ = [
    "Gate",
    "gate",
]

# For other rooms of the house; not for users, and free to change.
SHARED = ("verdict_of",)
