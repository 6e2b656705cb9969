"""Fuzz all targets: `python -m tests.fuzz [--minutes 2] [TARGET…]`.

Guided by coverage where atheris is installed, elsewhere by chance. Prints how many inputs each target was given, and
how many took more than a second of the processor. An input that is a fault, or that takes too long, is kept under
tests/fuzz/seeds/, where the tests try it again; then the exit code is 1.
"""

import argparse
import hashlib
import io
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stderr
from functools import partial
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from tests.fuzz.mutating import mutated
from tests.fuzz.seeds import LARGEST, SEEDS, seeds

try:
    import atheris
except ImportError:  # not to be had for this Python or platform
    atheris = None


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--minutes", type=float, default=2)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--seed", type=int, default=int(time.time()) % 2**31)
    options.add_argument("names", nargs="*")
    asked = options.parse_args()
    instrumented = atheris.instrument_imports(include=["awesome_cli"]) if atheris else nullcontext()
    with redirect_stderr(io.StringIO()), instrumented:
        from tests.fuzz.targets import TARGETS, tried
    names = asked.names or list(TARGETS)
    seconds = max(1, int(asked.minutes * 60 * asked.processes / len(names)))
    # Inputs, faults and slow inputs of each target: its process adds, this one reads.
    counts = {name: RawArray("L", 3) for name in names}
    print(
        f"seed {asked.seed}, {'guided by coverage' if atheris else 'by chance'}, {seconds} s for each target",
        flush=True,
    )
    waiting, running = list(reversed(names)), {}
    while waiting or running:
        while waiting and len(running) < asked.processes:
            name = waiting.pop()
            # Open as long as its process runs: what it says, and its input.
            log, last = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
            child = os.fork()
            if not child:
                files = log.fileno(), last.fileno()
                alone(name, partial(tried, name), counts[name], files, asked.seed, seconds)
            running[child] = name, log, last
        child, status = os.wait()
        name, log, last = running.pop(child)
        if status:
            path = keep(name, os.pread(last.fileno(), LARGEST, 0))
            said = os.pread(log.fileno(), 1 << 20, 0)[-2000:].decode(errors="replace")
            print(f"{name} ended with {status} at {path}:\n{said}", flush=True)
            counts[name][1] += 1
        log.close()
        last.close()
        print(f"{name:24}{told(counts[name])}", flush=True)
    print(f"{len(names)} targets: {told([sum(of) for of in zip(*counts.values(), strict=True)])}")
    return int(any(faults for _, faults, _ in counts.values()))


def told(counts: Sequence[int]) -> str:
    return "{:9,} inputs, {} faults, {} over 1 s".format(*counts)


def alone(
    name: str, target: Callable[[bytes], None], counts: Any, files: tuple[int, int], seed: int, seconds: int
) -> NoReturn:
    """Fuzz one target, and end the process. The files get what libFuzzer says of its progress, and the last input."""
    log, last = files
    os.dup2(log, 2)
    known: set[object] = set()

    def once(data: bytes) -> None:
        counts[0] += 1
        os.ftruncate(last, 0)
        os.pwrite(last, data, 0)
        begun = time.process_time()
        try:
            target(data)
        except BaseException as error:  # noqa: BLE001 - whatever is raised is a fault
            frames = [f for f in traceback.extract_tb(error.__traceback__) if "/awesome_cli/" in f.filename]
            deep = isinstance(error, RecursionError) or not frames
            at = type(error) if deep else (type(error), frames[-1].filename, frames[-1].lineno)
            if at not in known:
                known.add(at)
                counts[1] += 1
                print(
                    f"\n{name}: {keep(name, data)}\n{''.join(traceback.format_exception(error, limit=-4))}", flush=True
                )
        counts[2] += time.process_time() - begun > 1

    try:
        (guided if atheris else by_chance)(name, once, seed, seconds)
    except BaseException:  # noqa: BLE001 - the process ends, and not as its parent
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def keep(name: str, data: bytes) -> Path:
    """The file in which an input that is a fault is kept."""
    path = SEEDS / name / f"found-{hashlib.sha256(data).hexdigest()[:8]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def by_chance(name: str, once: Callable[[bytes], None], seed: int, seconds: int) -> None:
    chance, known = Random(seed), seeds(name)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        once(mutated(chance.choice(known), chance, LARGEST))


def guided(name: str, once: Callable[[bytes], None], seed: int, seconds: int) -> None:
    """libFuzzer's loop; it ends the process."""

    def other(data: bytes, most: int, number: int) -> bytes:
        chance = Random(number)
        return atheris.Mutate(data, most) if chance.random() < 0.3 else mutated(data, chance, most)

    with tempfile.TemporaryDirectory() as folder:
        for n, data in enumerate(seeds(name)):
            (Path(folder) / str(n)).write_bytes(data)
        words = (
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            f"-max_len={LARGEST}",
            f"-artifact_prefix={folder}/",
            "-timeout=120",
            "-rss_limit_mb=4096",
        )
        atheris.Setup([name, *words, folder], once, custom_mutator=other)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
