"""The errors that are raised when a command cannot answer; all other diagnostics are findings."""


def reason(error: OSError) -> str:
    """What the system says, and the file where it is known."""
    return ": ".join(str(part) for part in (error.strerror or error, error.filename) if part)


def install(extra: str) -> str:
    """The commands that install an extra of this package: from an index, and in a clone."""
    return f"pip install 'awesome-survey[{extra}]', or in a clone: pip install -e '.[{extra}]'"


class AwesomeError(Exception):
    """The command cannot answer; `message` says what and where, `hint` what to do next."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(f"hint: {hint}")  # A traceback shows notes.


class UsageError(AwesomeError):
    """An argument names something that does not exist or does not fit; exit code 2."""

    exit_code = 2


class RefusedError(AwesomeError):
    """The command refuses: a duplicate, a file that would be overwritten; exit code 1."""

    exit_code = 1


class SurveyError(AwesomeError):
    """The survey's files cannot be read well enough to answer."""


class GitError(AwesomeError):
    """git is absent, or refused."""


class NetError(AwesomeError):
    """Nothing usable came back from the network, or it was switched off.

    `reason` says why; `address` is the one that was asked, None where the message names a service instead.
    """

    def __init__(self, reason: str, *, address: str | None = None, hint: str | None = None) -> None:
        super().__init__(f"{address}: {reason}" if address else reason, hint=hint)
        self.reason = reason
        self.address = address


class NotKnownError(NetError):
    """A service answered that it has no such work."""


class NonsenseError(NetError):
    """A service answered what no such service means: another shape, another work, no text."""


class TooLargeError(NetError):
    """An answer is larger than was allowed; the rest of it was not fetched."""


class NoWorkError(NetError):
    """What an address leads to will never do: it is private or no web address, or no page with a title is there."""


class UnresolvedError(NetError):
    """A host's name has no address: it does not exist, or the network is down."""


class PartialError(AwesomeError):
    """A bulk command could not process some of its items; exit code 4."""

    exit_code = 4
