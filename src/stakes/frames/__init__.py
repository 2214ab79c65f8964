"""Any data frame, engine or file to tables and cases: the data stay where they are, and only counts move."""

from stakes.frames._cases import cases_from_frame
from stakes.frames._evaluate import evaluate_frame
from stakes.frames._files import DataFile, open_file, read_columns
from stakes.frames._judge import DroppedRows
from stakes.frames._quantise import quantised_table_from_frame, quantised_tables_from_frame
from stakes.frames._replicates import FrameReplicates, replicates_from_frame
from stakes.frames._stream import means_from_file, score_table_from_file
from stakes.frames._tables import FrameTables, score_table_from_frame, tables_from_frame

__all__ = [
    "DataFile",
    "DroppedRows",
    "FrameReplicates",
    "FrameTables",
    "cases_from_frame",
    "evaluate_frame",
    "means_from_file",
    "open_file",
    "quantised_table_from_frame",
    "quantised_tables_from_frame",
    "read_columns",
    "replicates_from_frame",
    "score_table_from_file",
    "score_table_from_frame",
    "tables_from_frame",
]
