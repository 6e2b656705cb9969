"""Program of the user's choice: real ones that answer, fail, hang, write too much, and leave children behind."""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from awesome_cli.errors import UsageError
from awesome_cli.system.programs import Program, ProgramError, words_of

Make = Callable[..., Program]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A Python program of some lines, ready to be run."""

    def made(lines: str, seconds: float = 20, size: int = 1000, **environment: str) -> Program:
        (tmp_path / "program.py").write_text(f"import os, subprocess, sys, time\n{lines}\n")
        return Program([sys.executable, str(tmp_path / "program.py")], {**os.environ, **environment}, seconds, size)

    return made


def test_what_goes_in_and_what_comes_out(make: Make):
    program = make("sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])")
    assert program.run(b"abc") == b"cba"
    assert program.run(b"") == b""


def test_a_program_need_not_read(make: Make):
    assert make("print(1)").run(b"x" * 10_000_000) == f"1{os.linesep}".encode()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("sys.exit('no\\nmodel here')", "it ended with exit code 1: model here"),
        ("sys.exit(3)", "it ended with exit code 3"),
        ("os.kill(os.getpid(), 15)", "it was killed (exit code -15)"),
        ("while True: print('x' * 1000)", "it wrote more than 1,000 bytes"),
        ("while True: print('x' * 1000, file=sys.stderr)", "it did not finish within 0.5 s"),
        ("time.sleep(60)", "it did not finish within 0.5 s"),
        (
            "subprocess.Popen(['sleep', '60']); print('y')\nif os.fork(): time.sleep(60)",
            "it did not finish within 0.5 s",
        ),
    ],
)
def test_a_program_that_fails_is_named_and_ended(make: Make, lines: str, message: str):
    with pytest.raises(ProgramError) as error:
        make(lines, seconds=0.5 if "0.5 s" in message else 20).run(b"")
    assert error.value.message == message


def test_what_a_program_leaves_running_ends_with_it(make: Make, tmp_path: Path):
    mark = tmp_path / "alive"
    child = f"import time\nwhile True:\n    open({str(mark)!r}, 'a').write('x'); time.sleep(0.02)"
    program = make(f"subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(1); print('done')")
    assert program.run(b"").startswith(b"done")
    size = mark.stat().st_size
    time.sleep(0.3)
    assert mark.stat().st_size == size


def test_a_daemon_that_keeps_the_streams_open_is_not_waited_for_and_the_answer_counts(make: Make):
    start = "daemon = subprocess.Popen(['sleep', '60'], start_new_session=True); print(daemon.pid, 'x' * 50_000)"
    number, answer = make(start, size=100_000).run(b"").split()
    assert answer == b"x" * 50_000
    os.kill(int(number), signal.SIGKILL)  # an error if it were gone


def test_a_run_in_another_thread_can_be_stopped(make: Make, tmp_path: Path):
    mark = tmp_path / "alive"
    program = make(f"while True: open({str(mark)!r}, 'a').write('x'); time.sleep(0.02)")
    with ThreadPoolExecutor() as pool:
        run = pool.submit(program.run, b"")
        while not mark.exists():
            time.sleep(0.02)
        program.stopped.set()
        with pytest.raises(ProgramError):
            run.result(timeout=5)
    size = mark.stat().st_size
    time.sleep(0.2)
    assert mark.stat().st_size == size


def test_settings_of_this_program_are_not_handed_on(make: Make):
    program = make("print(os.environ.get('AWESOME_CONTACT'), os.environ['OTHER'])", AWESOME_CONTACT="x", OTHER="y")
    assert program.run(b"").split() == [b"None", b"y"]


def test_a_command_is_split_and_its_program_must_be_there(tmp_path: Path):
    assert words_of("sh -c 'echo a b; rm'") == ["sh", "-c", "echo a b; rm"]
    assert words_of(f"{sys.executable} '$HOME'")[1] == "$HOME"
    (tmp_path / "text").write_text("no program")
    for command in ("", "none-such-program x", "'open", str(tmp_path / "text")):
        with pytest.raises(UsageError):
            words_of(command)


def test_what_cannot_be_started_is_named(tmp_path: Path):
    program = tmp_path / "none"
    program.write_text("#!/none/such\n")
    program.chmod(0o755)
    with pytest.raises(ProgramError, match="it cannot be started: No such file"):
        Program([str(program)], os.environ, 5, 10).run(b"")
