"""The ACL Anthology, through the BibTeX file that it keeps for each paper."""

from dataclasses import replace

from awesome_cli.errors import NetError
from awesome_cli.model.drafts import Draft, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import Service, checked
from awesome_cli.system.network import Net


def fetch(reference: Reference, net: Net) -> Draft:
    """The paper behind an Anthology id; raises `NotKnownError` for an unknown one."""
    from awesome_cli.formats import bibtex

    url = f"{SERVICE.base(net)}/{reference.id}.bib"
    answer = checked(SERVICE.name, net.get(url, {"Accept": "*/*"}), str(reference))
    batch = bibtex.read(answer.body.decode("utf-8", errors="replace"), str(reference))
    if len(batch.drafts) != 1:
        raise NetError(f"{SERVICE.name}'s answer is not one BibTeX entry", hint="try again later")
    draft = batch.drafts[0]
    fields = dict(draft.fields)
    fields["identifiers"] = {**fields.get("identifiers", {}), "acl": reference.id}
    fields["links"] = [link("Paper", SCHEMES["acl"].address + reference.id + "/")]
    # The licence of abstracts does not allow a survey to publish them again.
    fields["extra"] = {name: value for name, value in fields.get("extra", {}).items() if name != "abstract"}
    return replace(draft, fields={k: v for k, v in fields.items() if v}, place=str(reference), key=None)


SERVICE = Service("ACL Anthology", "acl", "AWESOME_ACL_URL", "https://aclanthology.org", fetch)
