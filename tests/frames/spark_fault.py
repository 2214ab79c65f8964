"""Resample Parquet files on a Spark where something goes wrong once: ``spark_fault.py MASTER FAULT FOLDER FLAGS``.

Prints the intervals as JSON. It runs in a process of its own, since there is one Spark to a process.
"""

import json
import sys
import warnings
from functools import partial

from frames import engines, faults


def main(master, fault, folder, flags):
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(faults)  # the workers do not have these tests
    read = engines.spark(master).read.parquet(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of PySpark, about pandas
        frame = read.mapInArrow(partial(getattr(faults, fault), flags=flags), read.schema)
    print(json.dumps(faults.resampled(frame)))


if __name__ == "__main__":
    main(*sys.argv[1:])
