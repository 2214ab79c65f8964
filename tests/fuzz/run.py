"""Look for input that breaks a promise, for a stated time: ``python3 dev.py fuzz --minutes 10``.

Half of the time goes to broken texts and files, half to new examples of every law in the tests. Broken input is made
from good input in processes of their own, so that one that dies is noticed; what broke something is kept in
``build/fuzz``, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import targets

KEPT = Path(__file__).parents[2] / "build" / "fuzz"
BATCH = 200  # inputs a process
LAWS = Path(__file__).parents[1]


def broken(rng: random.Random, seeds: list[bytes]) -> bytes:
    """Return good input with one to four things done to it."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([1, 1, 2, 8, 64]))
        match rng.randrange(6):
            case 0:
                del data[start:end]
            case 1:
                data[start:start] = rng.choice(targets.TOKENS)
            case 2:
                data[start:end] = rng.choice(targets.TOKENS)
            case 3:
                data[start:end] = rng.randbytes(end - start)
            case 4:
                data[start:start] = rng.choice(seeds)[: rng.randint(0, 200)]
            case 5:
                del data[start:]
    return bytes(data)


def batch(seed: int) -> int:
    """Feed one batch of broken inputs to the doors; return how many promises broke."""
    rng, failures = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as good, tempfile.TemporaryDirectory() as scratch:
        for feed, seeds in targets.seeds(Path(good)).items():
            for turn in range(BATCH):
                data = broken(rng, seeds)
                kept = KEPT / f"{feed.__name__}-{seed}-{turn}"
                kept.write_bytes(data)  # before it is fed: a process that dies leaves it behind
                try:
                    feed(data, Path(scratch))
                except Exception as error:  # any other kind is what we are looking for
                    if not targets.is_a_sentence(error):
                        failures += 1
                        print(f"{kept.name}: {type(error).__name__}: {error}", flush=True)
                        continue
                kept.unlink()
    return failures


def feed_until(end: float, seed: int) -> int:
    """Run batches until the time is up; return how many of them found something."""
    found = done = 0
    while time.monotonic() < end:
        ran = subprocess.run([sys.executable, __file__, "--batch", str(seed + done)], check=False)
        done, found = done + 1, found + bool(ran.returncode)
        if ran.returncode < 0:
            print(f"batch {seed + done - 1} died of signal {-ran.returncode}; see {KEPT}", flush=True)
    print(f"{done * BATCH} broken inputs at each of four doors; {found} of {done} batches found something", flush=True)
    return found


def laws_until(end: float, seed: int) -> int:
    """Try new examples of the laws, one file of tests after another, until the time is up; return how many failed."""
    files = sorted(path for path in LAWS.rglob("test_*.py") if "@given" in path.read_text(encoding="utf-8"))
    random.Random(seed).shuffle(files)
    failed = done = 0
    for path in files:
        left = end - time.monotonic()
        if left <= 0:
            break
        command = ["pytest", "-q", "-n0", "--hypothesis-profile=explore", f"--hypothesis-seed={seed}", str(path)]
        try:
            ran = subprocess.run([sys.executable, "-m", *command], check=False, timeout=left)
        except subprocess.TimeoutExpired:
            break
        done, failed = done + 1, failed + bool(ran.returncode)
    print(f"laws of {done} of {len(files)} files tried with new examples; {failed} failed", flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to look")
    parser.add_argument("--seed", type=int, default=None, help="where to start; by the clock unless given")
    parser.add_argument("--batch", type=int, default=None, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if chosen.batch is not None:
        return min(batch(chosen.batch), 1)
    seed = int(time.time()) if chosen.seed is None else chosen.seed
    print(f"seed {seed}", flush=True)
    start, half = time.monotonic(), chosen.minutes * 30
    found = feed_until(start + half, seed)
    found += laws_until(start + 2 * half, seed)
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
