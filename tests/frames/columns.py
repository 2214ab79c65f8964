"""Columns of a file as arrays, in the order of its rows."""

from stakes.frames._data_file import as_floats, as_objects, fetch


def read_columns(file, *, numbers=(), labels=()):
    """Read columns: a missing number is ``nan``, a missing label ``None``; labels of a text file stay text."""
    found = fetch(file, lambda: file.relation(numbers=numbers, labels=labels))
    return {name: (as_floats if name in numbers else as_objects)(column) for name, column in found.items()}
