"""Tables and cases of any data frame, engine or file; the data stay in place, and only counts move."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stakes.frames._aggregate import aggregate, check_cases, check_counts, check_weight
    from stakes.frames._data_file import DataFile, open_file, read_columns
    from stakes.frames._engines import CLUSTERS, ENGINES, open_with
    from stakes.frames._faults import DroppedRowsWarning, by_column, count_faults, warn_of_dropped
    from stakes.frames._frame import Arrays, NarwhalsFrame, as_frame, collect, model_columns, unpivot
    from stakes.frames._frame_cases import cases
    from stakes.frames._frame_replicates import FrameReplicates, replicates
    from stakes.frames._frame_source import FrameSource
    from stakes.frames._frame_tables import FrameTables, score_table, score_tables
    from stakes.frames._prepare import Prepared, outcome_labels, prepare, probabilities
    from stakes.frames._workers import batches, by_partition

__all__ = [
    "DataFile",
    "DroppedRowsWarning",
    "FrameReplicates",
    "FrameTables",
    "cases",
    "open_file",
    "replicates",
    "score_table",
    "score_tables",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "Arrays",
    "CLUSTERS",
    "ENGINES",
    "FrameSource",
    "NarwhalsFrame",
    "Prepared",
    "aggregate",
    "as_frame",
    "batches",
    "by_column",
    "by_partition",
    "check_cases",
    "check_counts",
    "check_weight",
    "collect",
    "count_faults",
    "model_columns",
    "open_with",
    "outcome_labels",
    "prepare",
    "probabilities",
    "read_columns",
    "unpivot",
    "warn_of_dropped",
)

# The names of each file, which is imported when one of them is first used: few of them read a small file.
_HOMES = {
    "_aggregate": ("aggregate", "check_cases", "check_counts", "check_weight"),
    "_data_file": ("DataFile", "open_file", "read_columns"),
    "_engines": ("CLUSTERS", "ENGINES", "open_with"),
    "_faults": ("DroppedRowsWarning", "by_column", "count_faults", "warn_of_dropped"),
    "_frame": ("Arrays", "as_frame", "collect", "model_columns", "unpivot"),
    "_frame_cases": ("cases",),
    "_frame_replicates": ("FrameReplicates", "replicates"),
    "_frame_source": ("FrameSource",),
    "_frame_tables": ("FrameTables", "score_table", "score_tables"),
    "_prepare": ("Prepared", "outcome_labels", "prepare", "probabilities"),
    "_workers": ("batches", "by_partition"),
}


def __getattr__(name: str) -> object:
    """Import the file of a name on first use."""
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"stakes.frames.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
