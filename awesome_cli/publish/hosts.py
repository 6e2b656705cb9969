"""URLs in a survey's repository on known hosts, assuming that the survey is at the root of branch main."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from awesome_cli.files.git import origin
from awesome_cli.model.appearance import ADDRESS, CONTACT, About

WORKFLOW = ".github/workflows/survey.yml"
"""The workflow written by 'awesome init' that checks a survey."""
MAIL_LENGTH = 2000
"""Maximum length of a mailto: URL; some mail programs reject longer ones."""

REMOTE = re.compile(
    r"(?:https://(?:[^@/]*@)?([\w.-]+(?::\d+)?)|(?:ssh://)?[^@/:]+@([\w.-]+)(?::\d+(?=/))?)[/:](.+?)(?:\.git)?/?"
)
"""The URL of a git remote: host of an https URL, else host of an ssh URL, and path."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host's URL paths below a repository: edit a file, show its history, open an issue, a workflow, an issue form.

    The path of a file is that of its history with `view` in place of `commits`. On a `nested` host, repositories can be
    in nested groups; on other hosts a repository is `OWNER/NAME`.
    """

    edit: str
    history: str
    send: str
    workflow: str = ""
    form: str = ""
    nested: bool = False
    view: str = "blob"


HOSTS: Mapping[str, Host] = {
    "github.com": Host("edit/main/", "commits/main/", "issues/new/choose", "actions/workflows/", "issues/new"),
    "gitlab.com": Host("-/edit/main/", "-/commits/main/", "-/issues/new", nested=True),
    "codeberg.org": Host("_edit/main/", "commits/branch/main/", "issues/new/choose", view="src"),
}


def is_repository(text: str) -> bool:
    """True if the text is a valid https address of a repository."""
    if not re.fullmatch(ADDRESS, text):
        return False
    address = urlsplit(text)
    names, host = address.path.strip("/").split("/"), HOSTS.get(address.netloc.lower())
    return not {".", ".."} & {*names} and (host is None or len(names) == 2 or (host.nested and len(names) > 2))


def repository_of(folder: Path) -> str | None:
    """Return the https address of a folder's remote `origin`, None without one; `git@gitlab.com:tea/a.git` has one."""
    match = REMOTE.fullmatch(origin(folder))
    address = f"https://{match[1] or match[2]}/{match[3]}" if match else ""
    return address if is_repository(address) else None


def on_gitlab(survey: About) -> bool:
    """True if the survey's repository is on gitlab.com or another host with `gitlab` in its name."""
    return "gitlab" in urlsplit(survey.repository or "").netloc.lower()


def in_repository(survey: About, path: str = "") -> dict[str, str | None]:
    """Return URLs by purpose; an unknown URL is None.

    `records`: the repository; `send`: a new issue; `form`: an issue form; `checks`: the workflow; `file`: the file
    or folder `path`; `edit`: its editor; `history`: its history.
    """
    top = (survey.repository or "").rstrip("/").removesuffix(".git")
    host = HOSTS.get(urlsplit(top).netloc.lower()) if is_repository(top) else None
    unknown = dict.fromkeys(("form", "checks", "file", "edit", "history"))
    addresses: dict[str, str | None] = {"records": top or None, "send": top or None, **unknown}
    if host is not None:
        file = WORKFLOW.rpartition("/")[2]
        addresses |= {"send": f"{top}/{host.send}", "checks": f"{top}/{host.workflow}{file}" if host.workflow else None}
        addresses |= {"form": f"{top}/{host.form}" if host.form else None}
        files = {"edit": host.edit, "history": host.history, "file": host.history.replace("commits", host.view)}
        addresses |= {name: f"{top}/{below}{path}" for name, below in files.items() if path}
    return addresses


def page_address(survey: About, root: Path, path: str) -> str | None:
    """Return the URL of the site's page about a file, else of the file on the host (by default `origin`), or None."""
    if not survey.site:
        repository = survey.repository or repository_of(root)
        return in_repository(survey.model_copy(update={"repository": repository}), path)["file"]
    folder, _, name = path.removesuffix(".yaml").partition("/")
    pages = {"taxonomy": "terms.html", "corpus": f"papers/{name}.html" if name else "papers.html"}
    return f"{survey.site.rstrip('/')}/{pages.get(folder, f'{folder}.html#{name}')}"


def contact_address(survey: About, subject: str = "", body: str = "") -> str | None:
    """Return the URL for a message to the curators; None if the survey has no contact.

    An e-mail contact becomes a mailto: URL with subject and body; a body that makes the URL too long is dropped.
    """
    contact = survey.contact or ""
    if not re.fullmatch(CONTACT, contact):
        return None
    if "@" not in contact:
        return contact
    filled = f"mailto:{contact}" + (f"?subject={quote(subject, safe='')}" if subject else "")
    whole = f"{filled}&body={quote(body.replace(chr(10), chr(13) + chr(10)), safe='')}"
    return whole if subject and body and len(whole) <= MAIL_LENGTH else filled
