"""Evaluate Parquet files on a Spark where something goes wrong once: ``spark_fault.py MASTER FAULT FOLDER FLAG``.

Prints the evaluation as JSON. It runs in a process of its own, since there is one Spark to a process.
"""

import sys
import warnings
from functools import partial

from frames import engines, faults


def main(master, fault, folder, flag):
    from pyspark import cloudpickle

    from stakes.frames import evaluate_frame

    cloudpickle.register_pickle_by_value(faults)  # the workers do not have these tests
    read = engines.spark(master).read.parquet(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of PySpark, about pandas
        frame = read.mapInArrow(partial(getattr(faults, fault), flag=flag), read.schema)
    found = evaluate_frame(frame, "died", ["new", "old"], "5%..20%", weight="weight", cluster="ward", in_memory=0)
    print(found.to_json())


if __name__ == "__main__":
    main(*sys.argv[1:])
