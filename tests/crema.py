"""A paper on crema: its record, which names a preprint, and what arXiv and Crossref answer about it."""

FEED = """<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults>1</opensearch:totalResults><entry>
<id>http://arxiv.org/abs/2301.00001v4</id><title>Crema: On Foam</title><updated>2024-01-01T00:00:00Z</updated>
<published>2023-01-01T00:00:00Z</published><author><name>Ada Bean</name></author><author><name>Bo Li</name></author>
<arxiv:doi>10.1000/x</arxiv:doi>{more}</entry></feed>"""
WORK = {"DOI": "10.1000/x", "title": ["Crema: On Foam"], "issued": {"date-parts": [[2024]]}, "type": "journal-article",
        "author": [{"family": "Bean", "given": "Ada"}, {"family": "Li", "given": "Bo"}],
        "container-title": ["Journal of Foam"]}  # fmt: skip
RECORD = """# seen at a fair
title: Crema, on foam
authors:
- Bean, Ada
- others
year: 2023
venue: arXiv
identifiers: {arxiv: "2301.00001", arxiv_version: 1}
added: 2025-01-01
tags:
  device: press
"""
