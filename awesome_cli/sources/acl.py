"""ACL Anthology: papers by id. The Anthology publishes a BibTeX file for each paper."""

from dataclasses import replace

from awesome_cli.model.drafts import Draft, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import Service, checked, get_parsed
from awesome_cli.system.network import Answer, Net

LONGEST = 1_000_000
"""Maximum size of an entry in bytes; an entry with thousands of authors has 100,000 bytes."""


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch a paper by its Anthology id; raises `NotKnownError` if the id is unknown."""
    from awesome_cli.formats import bibtex

    url = f"{SERVICE.base(net)}/{reference.id}.bib"

    def entry(answer: Answer) -> Draft:
        body = checked(SERVICE.name, answer, str(reference)).body[:LONGEST]
        batch = bibtex.read(body.decode("utf-8", errors="replace"), str(reference))
        if len(batch.drafts) != 1 or not batch.drafts[0].title:
            raise ValueError("expected a single BibTeX entry")
        return batch.drafts[0]

    draft = get_parsed(SERVICE.name, url, net, str(reference), entry, accept="*/*")
    fields = dict(draft.fields)
    fields["identifiers"] = {**fields.get("identifiers", {}), "acl": reference.id}
    fields["links"] = [link("Paper", SCHEMES["acl"].address + reference.id + "/")]
    # The licence does not allow a survey to republish abstracts.
    fields["extra"] = {name: value for name, value in fields.get("extra", {}).items() if name != "abstract"}
    return replace(draft, fields={k: v for k, v in fields.items() if v}, place=str(reference), key=None)


SERVICE = Service("ACL Anthology", "acl", "AWESOME_ACL_URL", "https://aclanthology.org", fetch)
