"""The ACL Anthology, through the BibTeX file that it keeps for each paper."""

from dataclasses import replace

from awesome_cli.errors import NetError
from awesome_cli.formats import bibtex
from awesome_cli.model.drafts import Draft, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import base, checked
from awesome_cli.system.network import Net


def fetch(reference: Reference, net: Net) -> Draft:
    """The paper behind an Anthology id; raises `NetError` for an unknown one."""
    url = f"{base('AWESOME_ACL_URL', net)}/{reference.id}.bib"
    answer = checked("The ACL Anthology", net.get(url, {"Accept": "*/*"}), str(reference))
    batch = bibtex.read(answer.body.decode("utf-8", errors="replace"), str(reference))
    if len(batch.drafts) != 1:
        raise NetError("the ACL Anthology's answer is not one BibTeX entry", hint="try again later")
    draft = batch.drafts[0]
    fields = dict(draft.fields)
    fields["identifiers"] = {**fields.get("identifiers", {}), "acl": reference.id}
    fields["links"] = [link("Paper", SCHEMES["acl"].address + reference.id + "/")]
    # The Anthology holds abstracts, which are not for a survey's records to republish.
    fields["extra"] = {name: value for name, value in fields.get("extra", {}).items() if name != "abstract"}
    return replace(draft, fields={k: v for k, v in fields.items() if v}, place=str(reference), key=None)
