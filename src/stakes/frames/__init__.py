"""Tables and cases of any data frame, engine or file; the data stay in place, and only counts move."""

from typing import TYPE_CHECKING

from stakes._late import late_names
from stakes.frames._data_file import DataFile, open_file, open_files
from stakes.frames._engines import CLUSTERS, ENGINES, open_with
from stakes.frames._faults import DroppedRowsWarning, by_column, count_faults, warn_of_dropped
from stakes.frames._file_roles import name_event_labels, name_positive_label, place_roles, read_roles, scan_roles
from stakes.frames._frame import Arrays, as_frame, collect, model_columns, unpivot
from stakes.frames._one_spelling import in_one_spelling
from stakes.frames._plain_text import UNSTATED, TextOptions, text_options

if TYPE_CHECKING:
    from stakes.frames._aggregate import aggregate, check_counts, check_usable_rows, check_weight
    from stakes.frames._column_summary import ColumnSummary, summarise_columns
    from stakes.frames._draw_replicates import replicates
    from stakes.frames._frame import NarwhalsFrame
    from stakes.frames._frame_cases import cases
    from stakes.frames._frame_replicates import FrameReplicates
    from stakes.frames._frame_source import FrameSource
    from stakes.frames._frame_tables import FrameTables, score_table, score_tables
    from stakes.frames._outcome_labels import outcome_labels
    from stakes.frames._prepare import PreparedFrame, prepare, probabilities
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
    "ColumnSummary",
    "ENGINES",
    "FrameSource",
    "NarwhalsFrame",
    "PreparedFrame",
    "TextOptions",
    "UNSTATED",
    "aggregate",
    "as_frame",
    "batches",
    "by_column",
    "by_partition",
    "check_usable_rows",
    "check_counts",
    "check_weight",
    "collect",
    "count_faults",
    "in_one_spelling",
    "model_columns",
    "name_event_labels",
    "name_positive_label",
    "open_files",
    "open_with",
    "outcome_labels",
    "place_roles",
    "prepare",
    "probabilities",
    "read_roles",
    "scan_roles",
    "summarise_columns",
    "text_options",
    "unpivot",
    "warn_of_dropped",
)

# Files that load when one of their names is first used: a file that is read into memory waits for none.
_LATE = {
    "_aggregate": ("aggregate", "check_usable_rows", "check_counts", "check_weight"),
    "_column_summary": ("ColumnSummary", "summarise_columns"),
    "_draw_replicates": ("replicates",),
    "_frame_cases": ("cases",),
    "_frame_replicates": ("FrameReplicates",),
    "_frame_source": ("FrameSource",),
    "_frame_tables": ("FrameTables", "score_table", "score_tables"),
    "_outcome_labels": ("outcome_labels",),
    "_prepare": ("PreparedFrame", "prepare", "probabilities"),
    "_workers": ("batches", "by_partition"),
}

__getattr__ = late_names(__name__, _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
