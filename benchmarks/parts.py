"""Speed and memory of our own parts: ``python3 dev.py bench parts [--rows 100000 1000000 10000000]``.

Only ratios within one run are printed. NumPy's AVX-512 sort is far slower than its AVX2 sort on some
processors, so where there is AVX-512 everything runs twice: as NumPy chooses, and with AVX2 forced.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys

import numpy as np
from measuring import installed, processor

SWITCH = "NPY_DISABLE_CPU_FEATURES"  # NumPy reads it when it is imported: hence one process for each regime
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def avx512_features() -> list[str]:
    """AVX-512 features that NumPy found, by the names that this version of NumPy has for them."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    return [feature for feature in found if feature.startswith(("AVX512", "X86_V4"))]


def measure(rows: list[int]) -> None:
    """Run every section in this process."""
    import scoring
    import sorting

    sorting.warm_up()
    for count in rows:
        sorting.report(count)
    for count in rows:
        scoring.report_pointwise(count)
        scoring.report_numbers(count)
        scoring.report_curves(count)


def measure_in_regime(title: str, disabled: list[str], rows: list[int]) -> None:
    """Run every section in a process of its own, without some of the processor's features."""
    print(f"\n## {title}", flush=True)
    command = [sys.executable, __file__, "--here", "--rows", *map(str, rows)]
    environment = os.environ | ({SWITCH: " ".join(disabled)} if disabled else {})
    subprocess.run(command, env=environment, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10**5, 10**6, 10**7], help="sizes of the samples")
    parser.add_argument("--here", action="store_true", help="measure in this process, as NumPy is set up")
    chosen = parser.parse_args()
    if chosen.here:
        measure(chosen.rows)
    else:
        measure_everywhere(chosen.rows)


def measure_everywhere(rows: list[int]) -> None:
    """Say where this runs, and run every section in each regime."""
    print(f"# Benchmarks\n\nPython {platform.python_version()},", ", ".join(map(installed, PACKAGES)))
    print(f"on {os.cpu_count()} cores of {processor()}.")
    features = avx512_features()
    measure_in_regime("D: as NumPy chooses", [], rows)
    if features:
        measure_in_regime(f"A: AVX2 forced, {SWITCH}='{' '.join(features)}'", features, rows)
    else:
        print("\nNumPy finds no AVX-512 here, so there is no second regime.")


if __name__ == "__main__":
    main()
