"""Files that are packed with gzip or zstd; their first bytes say so, not their names."""

import gzip
import sys
import zlib
from typing import BinaryIO, cast

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def unpacked(plain: BinaryIO) -> BinaryIO:
    """What `plain` holds; raises `ModuleNotFoundError` for zstd where `zstandard` is absent."""
    start = plain.read(4)
    plain.seek(0)
    if start.startswith(GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=plain))
    if start != ZSTD:
        return plain
    import zstandard

    return cast("BinaryIO", zstandard.ZstdDecompressor().stream_reader(plain, read_across_frames=True))


def damages() -> tuple[type[Exception], ...]:
    """What reading a damaged file raises; the error of zstd only where it was read."""
    zstandard = sys.modules.get("zstandard")
    return (EOFError, zlib.error, gzip.BadGzipFile, *((zstandard.ZstdError,) if zstandard else ()))
