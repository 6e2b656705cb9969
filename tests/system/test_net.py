"""The network door against a real server: what is bounded, refused, retried, kept."""

import gzip
import os
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from serving import Reply

from awesome_cli.errors import NetError, TooLargeError, UnresolvedError, UsageError
from awesome_cli.system.network import Limits, Net, from_environment
from awesome_cli.system.network.wire import is_public

NO_AGE = timedelta(days=-1)


@pytest.fixture
def net(service):
    return from_environment(os.environ)


class Clock:
    """Stands for the module `time`: who sleeps goes on at once, and it is later."""

    time = staticmethod(time.time)

    def __init__(self) -> None:
        self.now, self.slept = 1000.0, list[float]()

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which requests are spaced and tried again."""
    made = Clock()
    monkeypatch.setattr("awesome_cli.system.network.time", made)
    return made


def limited(net: Net, **limits: float) -> Net:
    return replace(net, limits=replace(net.limits, **limits))


def test_an_ordinary_answer(service, monkeypatch):
    monkeypatch.setenv("AWESOME_CONTACT", "curator@example.org")
    service.routes["/a"] = Reply(b"body", headers={"Content-Type": "text/plain"})
    answer = from_environment(os.environ).get(f"{service.url}/a")
    assert (answer.status, answer.body, answer.headers["content-type"]) == (200, b"body", "text/plain")
    assert "mailto:curator@example.org" in service.agents[0]
    assert service.agents[0].startswith("awesome-survey/")


def test_not_found_is_an_answer(service, net):
    assert net.get(f"{service.url}/nowhere").status == 404


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(service, net, status):
    service.routes["/a"] = [Reply(status=status), Reply(status=status), Reply(b"at last")]
    assert net.get(f"{service.url}/a").body == b"at last"
    assert len(service.asked) == 3


def test_a_403_of_a_throttling_service_is_tried_again_and_not_kept(service, net):
    service.routes["/a"] = [Reply(status=403), Reply(b"at last")]
    assert net.get(f"{service.url}/a").status == 403
    assert net.get(f"{service.url}/a").status == 403  # from the cache
    throttled = replace(net, throttling=(f"{service.url}/",))
    service.routes["/b"] = [Reply(status=403), Reply(status=403), Reply(b"at last")]
    assert throttled.get(f"{service.url}/b").body == b"at last"
    service.routes["/c"] = Reply(status=403)
    assert [throttled.get(f"{service.url}/c").status for _ in range(2)] == [403, 403]
    assert len(service.asked) == 1 + 3 + 2 * throttled.limits.tries


def test_after_three_tries_the_refusal_is_the_answer_and_is_not_kept(service, net):
    service.routes["/a"] = Reply(status=503)
    assert net.get(f"{service.url}/a").status == 503
    assert net.get(f"{service.url}/a").status == 503
    assert len(service.asked) == 6


def test_retry_after_is_obeyed_within_patience(service, net, clock):
    service.routes["/a"] = [Reply(status=429, headers={"Retry-After": "1"}), Reply(b"now")]
    assert net.get(f"{service.url}/a").body == b"now"
    assert 1 in clock.slept
    service.routes["/b"] = Reply(status=429, headers={"Retry-After": "3600"})
    assert net.get(f"{service.url}/b").status == 429
    assert service.asked.count("/b") == 1


def test_retry_after_may_be_a_date(service, net):
    past = "Wed, 21 Oct 2015 07:28:00 GMT"
    service.routes["/a"] = [Reply(status=503, headers={"Retry-After": past}), Reply(b"now")]
    assert net.get(f"{service.url}/a").body == b"now"


def test_a_silent_server(service, net):
    service.routes["/a"] = Reply(b"late", stall=5)
    with pytest.raises(NetError, match="no response in time"):
        limited(net, silence=0.1, tries=1).get(f"{service.url}/a")


@pytest.mark.parametrize("reply", [Reply(b"x" * 5000, drip=0.05), Reply(drip_headers=0.05)], ids=["body", "headers"])
def test_a_dripping_server_is_cut_at_the_deadline(service, net, reply):
    service.routes["/a"] = reply
    with pytest.raises(NetError, match=r"not finished within 0\.5 seconds"):
        limited(net, total=0.5).get(f"{service.url}/a")


def test_a_body_that_breaks_off_is_no_answer(service, net):
    service.routes["/a"] = Reply(b"half", claim=100)
    with pytest.raises(NetError, match=r"is incomplete|no connection"):
        limited(net, tries=1).get(f"{service.url}/a")


def test_a_large_body_is_refused_also_when_it_is_packed(service, net):
    service.routes["/a"] = Reply(b"x" * 2000)
    service.routes["/b"] = Reply(gzip.compress(b"x" * 10_000_000), headers={"Content-Encoding": "gzip"})
    for path in ("/a", "/b"):
        with pytest.raises(TooLargeError, match="larger than 1,000 bytes"):
            limited(net, size=1000).get(service.url + path)


def test_redirects_are_followed_and_counted(service, net):
    service.routes["/a"] = Reply(status=301, headers={"Location": "/b"})
    service.routes["/b"] = Reply(b"here")
    answer = net.get(f"{service.url}/a")
    assert (answer.body, answer.url) == (b"here", f"{service.url}/b")
    service.routes["/loop"] = Reply(status=302, headers={"Location": "/loop"})
    with pytest.raises(NetError, match="more than 5 redirects"):
        net.get(f"{service.url}/loop")


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.org/x", "javascript:alert(1)", "data:,x"])
def test_redirects_to_other_schemes_are_refused(service, net, target):
    service.routes["/a"] = Reply(status=302, headers={"Location": target})
    with pytest.raises(NetError, match="rejected the redirect"):
        net.get(f"{service.url}/a")


def test_private_addresses_are_refused_unless_trusted(service, net):
    service.routes["/a"] = Reply(b"secret")
    port = service.url.rpartition(":")[2]
    assert net.get(f"{service.url}/a").body == b"secret"
    with pytest.raises(NetError, match="private address"):
        net.get(f"http://localhost:{port}/a")
    assert service.asked == ["/a"]


def test_a_redirect_to_a_private_address_is_refused(service, net):
    port = service.url.rpartition(":")[2]
    service.routes["/a"] = Reply(status=302, headers={"Location": f"http://localhost:{port}/b"})
    with pytest.raises(NetError, match=r"is a private address"):
        net.get(f"{service.url}/a")
    assert service.asked == ["/a"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1:9", "[::1]:9", "0x7f000001", "2130706433", "127.1", "u:secret@localhost:9"]
)
def test_a_private_address_is_not_even_connected_to(net, host):
    with pytest.raises(NetError, match="is a private address") as caught:
        net.get(f"http://{host}/a")
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("address", "public"),
    [
        *[(private, False) for private in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1", "0.0.0.0")],
        *[(private, False) for private in ("::ffff:127.0.0.1", "224.0.0.1", "100.64.0.1")],
        *[(public, True) for public in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8")],
    ],
)
def test_which_addresses_are_public(address, public):
    assert is_public(address) is public


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "example.org", "http://", "http://[::1", ""])
def test_what_is_no_web_address(net, url):
    with pytest.raises(NetError, match="not a valid URL"):
        net.get(url)


def test_nobody_listens(net):
    closed = replace(net, trusted=("http://127.0.0.1:9",), limits=replace(net.limits, tries=1))
    with pytest.raises(NetError, match="refused"):
        closed.get("http://127.0.0.1:9/a")


def test_a_name_that_does_not_exist(net):
    with pytest.raises(UnresolvedError):
        limited(net, tries=1).get("http://no-such-host.invalid/")


def test_answers_are_kept_with_their_day(service, net, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1760000000")
    service.routes["/a"] = [Reply(b"one"), Reply(b"two")]
    first = net.get(f"{service.url}/a")
    assert net.get(f"{service.url}/a") == first
    assert first.day.isoformat() == "2025-10-09"
    assert net.get(f"{service.url}/a", max_age=NO_AGE).body == b"two"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    kept = replace(net, offline=True).get(f"{service.url}/a")
    assert (kept.body, kept.day) == (b"two", first.day)


def test_offline_without_a_kept_answer(service, net):
    with pytest.raises(NetError, match="switched off"):
        replace(net, offline=True).get(f"{service.url}/a")
    assert service.asked == []


def test_a_damaged_cache_is_no_cache(service, net):
    service.routes["/a"] = Reply(b"one")
    net.get(f"{service.url}/a")
    for path in (net.cache.folder / "http").iterdir():
        path.write_bytes(b"\x00garbage")
    assert net.get(f"{service.url}/a").body == b"one"
    assert len(service.asked) == 2


def test_requests_to_one_host_are_spaced(service, net, clock):
    service.routes["/a"] = Reply(b"x")
    polite = limited(net, delay=0.2)
    for n in range(3):
        polite.get(f"{service.url}/a?{n}")
    assert clock.slept == pytest.approx([0, 0.2, 0.2])


def test_settings_that_make_no_sense(monkeypatch):
    monkeypatch.setenv("AWESOME_HTTP_TIMEOUT", "soon")
    with pytest.raises(UsageError, match="AWESOME_HTTP_TIMEOUT"):
        from_environment(os.environ)


def test_the_defaults_are_polite():
    assert Limits() == Limits(10, 20, 60, 1, 60, 20_000_000, 5, 3)
