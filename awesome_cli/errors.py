"""Errors that end a command; all other diagnostics are findings."""


def reason(error: OSError) -> str:
    """Format a system error as `No space left on device: FILE`."""
    return ": ".join(str(part) for part in (error.strerror or error, error.filename) if part)


class AwesomeError(Exception):
    """Base class of this program's errors (exit code 3); `message` is the cause, `hint` the next step."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(f"hint: {hint}")  # A traceback shows notes.


class UsageError(AwesomeError):
    """An argument is unknown or not valid (exit code 2)."""

    exit_code = 2


class RefusedError(AwesomeError):
    """The command refuses a change, such as adding a duplicate or overwriting a file (exit code 1)."""

    exit_code = 1


class SurveyError(AwesomeError):
    """The files of the survey are missing or not valid."""


class GitError(AwesomeError):
    """git is not installed, or a git command failed."""


class NetError(AwesomeError):
    """A request failed, or the network is disabled.

    `reason` is the cause; `address` is the requested URL, or None if the message names a service.
    """

    def __init__(self, reason: str, *, address: str | None = None, hint: str | None = None) -> None:
        super().__init__(f"{address}: {reason}" if address else reason, hint=hint)
        self.reason = reason
        self.address = address


class NotKnownError(NetError):
    """A service has no entry for the requested work."""


class NonsenseError(NetError):
    """A service sent an invalid response: it has a wrong schema, describes another work, or contains no text."""


class TooLargeError(NetError):
    """A response exceeds the size limit; the rest of the response was not fetched."""


class NoWorkError(NetError):
    """A URL cannot be recorded as a work: the URL is private or not valid, or the page has no title."""


class UnresolvedError(NetError):
    """A host name cannot be resolved: it does not exist, or the network is down."""


class PartialError(AwesomeError):
    """Some items of a bulk command failed (exit code 4)."""

    exit_code = 4
