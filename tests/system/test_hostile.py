"""The network door against servers that lie: each fault is an error about its address, in little time and memory."""

import gzip
import itertools
import os
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from serving import Reply

from awesome_cli.errors import NetError, TooLargeError
from awesome_cli.system.network import from_environment

OK = b"HTTP/1.1 200 OK\r\n"
FOUND = b"HTTP/1.1 302 Found\r\n"
BUSY = b"HTTP/1.1 429 Too Many Requests\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
PACKED = b"Content-Encoding: gzip\r\n\r\n"
BOMB = gzip.compress(b"\0" * 200_000_000)
THRICE = gzip.compress(gzip.compress(gzip.compress(b"\0" * 100_000_000)))
SIZE = 1_000_000
Raw = Callable[[], Iterable[bytes]]


def once(*pieces: bytes) -> Raw:
    return lambda: pieces


def forever(head: bytes, piece: bytes) -> Raw:
    return lambda: itertools.chain([head], itertools.repeat(piece))


NO_ANSWER: dict[str, Raw] = {
    "body without end": forever(OK + b"\r\n", b"x" * 65_536),
    "header line without end": forever(OK + b"X: ", b"x" * 65_536),
    "headers without end": forever(OK, b"X: y\r\n" * 100),
    "status line without end": forever(b"HTTP/1.1 200 ", b"x" * 65_536),
    "100 without end": forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "no HTTP": once(b"\x00\xff garbage\r\n\r\n"),
    "nothing": once(),
    "status of 5,000 digits": once(b"HTTP/1.1 " + b"2" * 5000 + b" OK\r\n\r\n"),
    "two lengths": once(OK + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello"),
    "chunk of -1": forever(CHUNKED + b"-1\r\n", b"x" * 65_536),
    "chunk of -5": forever(CHUNKED + b"-5\r\n", b"x" * 65_536),
    "chunk of 2**120": forever(CHUNKED + b"f" * 30 + b"\r\n", b"x" * 65_536),
    "chunk size of letters": once(CHUNKED + b"zz\r\nhello"),
    "chunk size without end": forever(CHUNKED, b"1" * 65_536),
    "tiny chunks without end": forever(CHUNKED, b"1\r\nx\r\n" * 1000),
    "trailer without end": forever(CHUNKED + b"0\r\n", b"X: y\r\n" * 1000),
    "trailer line without end": forever(CHUNKED + b"0\r\nX: ", b"y" * 65_536),
    "bomb": once(OK + PACKED + BOMB),
    "bomb in a bomb": once(OK + b"Content-Encoding: gzip, gzip, gzip\r\n\r\n" + THRICE),
    "fifty wrappings": once(OK + b"Content-Encoding: " + b"gzip, " * 50 + PACKED + THRICE),
    "packed without end": forever(OK + PACKED + gzip.compress(b"")[:10], b"\0\0\0\xff\xff" * 1000),
    "not packed": once(OK + PACKED + b"hello"),
    "redirect to half an address": once(FOUND + b"Location: http://[::1\r\n\r\n"),
    "redirect to another port": once(FOUND + b"Location: http://127.0.0.1:999999/\r\n\r\n"),
    "redirect to a port of letters": once(FOUND + b"Location: http://127.0.0.1:abc/\r\n\r\n"),
    "redirect to empty labels": once(FOUND + b"Location: http://.example..invalid/\r\n\r\n"),
    "redirect to a long label": once(FOUND + b"Location: http://" + b"a" * 300 + b".invalid/\r\n\r\n"),
    "redirect to what normalises": once(FOUND + "Location: http://℀⒈.invalid/\r\n\r\n".encode()),
    "redirect to control characters": once(FOUND + b"Location: http://127.0.0.1/\x01\x7f\x1b[2J\r\n\r\n"),
    "redirect with a body without end": forever(FOUND + b"Location: /ok\r\n\r\n", b"x" * 65_536),
    "redirect with a bomb": once(FOUND + b"Location: /ok\r\n" + PACKED + BOMB),
}
AN_ANSWER: dict[str, tuple[int, Raw]] = {
    "length of 5,000 digits": (200, once(OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nhello")),
    "length below 0": (200, once(OK + b"Content-Length: -5\r\n\r\nhello")),
    "length in other digits": (200, once(OK + "Content-Length: ²\r\n\r\nhello".encode())),
    "redirect to wrong bytes": (404, once(FOUND + b"Location: /\xff\xfe\r\n\r\n")),
    "cookies": (200, once(OK + (b"Set-Cookie: a=b; " + b"a;" * 30_000 + b"\r\n") * 90 + b"\r\nhello")),
    "a type with NUL": (200, once(OK + b"Content-Type: text/html; charset=a\x00b\r\n\r\nhello")),
    **{
        f"Retry-After: {text[:20]}": (429, once(BUSY + f"Retry-After: {text}\r\n\r\n".encode("latin-1")))
        for text in (
            "²",
            "9" * 5000,
            "-7",
            "Wed, 21 Oct 0000 07:28:00 GMT",
            "Mon, 99 Jan 1 99:99:99 +99999999999999999",
            "1 1 1 1 1 1 1 1",
        )
    },
}


@pytest.fixture
def net(service):
    net = from_environment(os.environ)
    return replace(net, limits=replace(net.limits, total=0.7, silence=0.5, patience=0, tries=2, size=SIZE))


@pytest.fixture
def bounded():
    """Fails a test for which Python's own objects took much memory."""
    tracemalloc.start()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * SIZE, f"{peak:,} bytes"


@pytest.mark.parametrize("name", NO_ANSWER)
def test_what_is_no_answer_is_an_error_of_its_address(service, net, bounded, name):
    service.routes |= {"/a": Reply(raw=NO_ANSWER[name]), "/ok": Reply(b"ok")}
    with pytest.raises(NetError):
        net.get(f"{service.url}/a")
    assert net.get(f"{service.url}/ok").body == b"ok"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"hello", "is not valid HTTP"),
        (b"HTTP/1.1 099 Odd\r\n\r\n", "is not valid HTTP"),
        (OK + b"X: y\r\n" * 5000 + b"\r\n", "is not valid HTTP"),
        (b"HTTP/1.1 200 " + b"x" * 200_000 + b"\r\n\r\n", "is not valid HTTP"),
        (b"", "no connection"),
        (FOUND + b"Location: http://" + b"a" * 300 + b".invalid/\r\n\r\n", "not a valid URL"),
    ],
)
def test_what_is_no_answer_is_called_what_it_is(service, net, answer, words):
    service.routes["/a"] = Reply(raw=once(answer))
    with pytest.raises(NetError, match=words):
        net.get(f"{service.url}/a")


@pytest.mark.parametrize("name", AN_ANSWER)
def test_what_is_odd_is_an_answer_all_the_same(service, net, bounded, name):
    status, raw = AN_ANSWER[name]
    service.routes["/a"] = Reply(raw=raw)
    assert net.get(f"{service.url}/a").status == status


@pytest.mark.parametrize("encoding", [b"", b"Content-Encoding: gzip\r\n"])
def test_the_size_counts_for_the_body_of_a_redirect_too(service, net, encoding):
    body = gzip.compress(b"x" * 2 * SIZE) if encoding else b"x" * 2 * SIZE
    service.routes |= {"/a": Reply(raw=once(FOUND + encoding + b"Location: /ok\r\n\r\n", body)), "/ok": Reply(b"ok")}
    with pytest.raises(TooLargeError):
        net.get(f"{service.url}/a")


def test_the_time_counts_for_all_redirects_together(service, net):
    service.routes |= {f"/{n}": Reply(status=302, headers={"Location": f"/{n + 1}"}, stall=0.25) for n in range(5)}
    with pytest.raises(NetError, match=r"not finished within 0\.7 seconds"):
        net.get(f"{service.url}/0")


def test_no_cookie_comes_back(service, net):
    service.routes |= {"/a": Reply(status=302, headers={"Location": "/b", "Set-Cookie": "a=b"}), "/b": Reply(b"ok")}
    net.get(f"{service.url}/a")
    assert service.cookies == ["", ""]
