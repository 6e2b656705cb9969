"""Answers kept in `.awesome/cache` until something changes that they depend on; each can be computed again.

They are signed with a key of the user: answers that come with a survey are ignored.
"""

import hmac
import json
import os
import secrets
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from stat import S_IFMT, S_ISREG
from typing import Any

import awesome_cli
from awesome_cli.errors import AwesomeError
from awesome_cli.files import paths
from awesome_cli.files.tree import AROUND, BESIDE, FILES, PARTS, PLAN
from awesome_cli.files.writing import HIDDEN, hidden, write
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today
from awesome_cli.system.folders import user_cache

FOLDER = f"{HIDDEN}/cache"
ABSTRACTS = "abstracts"
KEY = 32
"""Length of the key of a user in bytes."""


def read(root: Path, name: str, made_of: str | None) -> Any:
    """Return the answer `name` that was made of the same inputs; None if there is none."""
    with suppress(AwesomeError, OSError, ValueError):
        signature, _, data = (paths.read(root, f"{FOLDER}/{name}.json") or b"").partition(b"\n")
        if made_of and hmac.compare_digest(signature, _sign(name, made_of, data)):
            return json.loads(data)
    return None


def keep(root: Path, name: str, made_of: str | None, answer: Any) -> None:
    """Keep an answer if the folder can be written."""
    with suppress(AwesomeError, OSError):
        if made_of:
            data = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
            (hidden(root) / "cache").mkdir(exist_ok=True)
            write(paths.place(root, f"{FOLDER}/{name}.json"), _sign(name, made_of, data) + b"\n" + data, last=False)


def abstracts(root: Path) -> dict[str, str]:
    """Return the fetched abstracts by identifier, such as `arxiv:2301.00001`; incomplete batches are skipped."""
    texts: dict[str, str] = {}
    with suppress(AwesomeError, OSError):
        for signature, data in pairwise((paths.read(root, f"{FOLDER}/{ABSTRACTS}.json") or b"").split(b"\n")):
            if data and hmac.compare_digest(signature, _sign(ABSTRACTS, ABSTRACTS, data)):
                texts |= json.loads(data)
    return texts


def add_abstracts(root: Path, texts: Mapping[str, str]) -> None:
    """Append a batch of abstracts; raises `OSError` if the file cannot be written."""
    data = json.dumps(texts, ensure_ascii=False).encode()
    (hidden(root) / "cache").mkdir(exist_ok=True)
    with paths.place(root, f"{FOLDER}/{ABSTRACTS}.json").open("ab") as file:
        # The first line break ends a batch whose write was interrupted.
        file.write(b"\n" + _sign(ABSTRACTS, ABSTRACTS, data) + b"\n" + data)


def with_abstracts(corpus: Corpus, root: Path) -> Corpus:
    """Return the corpus with the fetched abstracts of its records."""
    texts = abstracts(root)
    names = ((r.key, f"{scheme}:{name}") for r in corpus.records if texts for scheme, name in r.identifiers.pairs())
    return replace(corpus, abstracts={key: texts[name] for key, name in names if name in texts})


def _sign(name: str, made_of: str, data: bytes) -> bytes:
    return hmac.new(_key(), f"{name}\0{made_of}\0".encode() + data, "sha256").hexdigest().encode()


def _key() -> bytes:
    """Return the key of the user; a missing or damaged one is made anew."""
    file = user_cache() / "key"
    key = paths.contents(str(file), str(file)) or b""
    if len(key) != KEY:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o600)
        file.write_bytes(key := secrets.token_bytes(KEY))
    return key


def inputs(*about: object) -> str:
    """Return a digest of the program, its packages, the day, and `about`."""
    return sha256(repr((_program(), today(), about)).encode()).hexdigest()


@cache
def _program() -> tuple[object, ...]:
    """Return the version of Python, the time of each module, and the packages; they are read once a process."""
    package = Path(awesome_cli.__file__).parent
    modules = sorted((str(path), path.stat().st_mtime_ns) for path in package.rglob("*.py"))
    packages = Path(sysconfig.get_path("purelib"))
    return sys.version, modules, sorted(os.listdir(packages)) if packages.is_dir() else ()  # noqa: PTH208 - names only


def survey_inputs(root: Path) -> str | None:
    """Return a digest of the program and all files that validation reads; None if one of them is a link."""
    with suppress(AwesomeError, OSError):
        return inputs(list(_files(root)))
    return None


def around(root: Path) -> str | None:
    """Return a digest of the survey's inputs, and of size and times of all files that are not in a hidden folder."""
    state: list[tuple[str, int, int, int]] = []
    with suppress(OSError):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name == ".github" or name[:1] not in "._")
            for path in (Path(folder, name) for name in sorted(files)):
                entry = path.lstat()
                state.append((str(path), entry.st_size, entry.st_mtime_ns, entry.st_ctime_ns))
        abstracts = root / FOLDER / f"{ABSTRACTS}.json"
        survey = None if (root / PLAN).exists() else survey_inputs(root)
        return survey and inputs(survey, state, abstracts.exists() and abstracts.stat().st_mtime_ns)
    return None


def _files(root: Path) -> Iterator[tuple[str, object]]:
    """Yield each file of the survey with its digest, and each file and folder around it with its mode and size."""
    misnamed = (f"{name.removesuffix('yaml')}yml" for name in FILES)
    for shown, location, status in paths.entries(root, (*PARTS, *misnamed, PLAN)):
        data = paths.contents(location, shown) if S_ISREG(status.st_mode) else None
        yield shown, S_IFMT(status.st_mode) if data is None else sha256(data).digest()
    for shown, _, status in paths.entries(root, (*BESIDE, *AROUND)):
        yield shown, (status.st_mode, S_ISREG(status.st_mode) and status.st_size)
