"""Cases of the rules: a survey without findings, and one edit per case that breaks a rule. docs/rules.md shows them."""

from collections.abc import Mapping
from difflib import ndiff
from os import environ
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest.mock import patch

from builders import COFFEE, COFFEE_PROTOCOL, COFFEE_RUN, COFFEE_SEARCH
from claiming import COFFEE_CLAIMS

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check

Edit = tuple[str, str, str]
AERO, DRIP, SOUP, X1, TAX = (
    "corpus/aero2020.yaml", "corpus/drip2021.yaml", "corpus/soup2022.yaml", "exclusions/X1.yaml", "taxonomy.yaml"
)  # fmt: skip
CLAIMS, AUDIT, PROTOCOL = "claims.yaml", "audits/second.yaml", "protocol.yaml"
PAPER = "paper.yaml"
SEARCH, RUN = "search.yaml", "searches/2026-04-01-100000.yaml"
ANA = "screenings/ana.yaml"
SCREENED = """\
who: Ana
decisions:
- {key: drip2021, verdict: include, "on": 2026-05-02, stage: abstract}
- {key: X1, verdict: near_miss, "on": 2026-05-02, at: 2, of: drip2021, stage: abstract, reason: tea, near_miss: [taste=umami]}
- {key: X2, verdict: duplicate, "on": 2026-05-02, of: aero2020}
"""
PAPERS = """\
numbers:
  all: {statistic: totals.retained}
  sour: {count: taste=sour}
  claimed: {claim: no-cold}
tables:
  tastes: {report: gaps, by: taste}
"""
MORE_CLAIMS = """\
- id: more
  statement: Shops dose at least twice what homes do; on one bitter cup coders agree; drip2021 drips; sour is a gap.
  expect:
  - {largest: grams, group: shop, over: home, at_least: 2}
  - {agreement: "taste=*", audit: second, at_least: 1}
  - {survive: [no-cold], under: near_misses}
  - {ids: device=drip, at_least: [drip2021]}
  - {state: taste=sour, is: [gap]}
  as_of: 2026-03-01
- {id: old, statement: Old., expect: [{count: "*", equals: 3}], as_of: 2026-03-01,
   revised: {"on": 2026-04-01, by: [new], records: [drip2021], because: Another count.}}
- {id: new, statement: Four., expect: [{count: "*", equals: 4}], as_of: 2026-04-01, succeeds: [old]}
- {id: gone, statement: Gone., expect: [{count: "*", equals: 3}], as_of: 2026-03-01,
   withdrawn: {"on": 2026-04-01, because: It says little.}}
rereadings:
"""
AUDITED = """\
"on": 2026-05-02
columns: [device, taste]
groups:
  some: {label: some, cells: {drip2021: [taste=bitter]}}
codings:
- key: drip2021
  first: {device: drip, taste: "bitter:measured"}
  second: {device: drip, taste: NA}
  second_choice: {device: press}
second: Rob
"""

CASES: list[tuple[str, Edit, str, str]] = [
    ("Y003", (AERO, "year:", "=======\nyear:"), "5:1", "keep one side"),
    ("Y004", (AERO, "year: 2020", "year: 2020\nyear: 2021"), "6:1", "remove one"),
    ("V001", (AERO, "  device:", "  devise:"), "13:3", "write 'device'"),
    ("V001", (SOUP, "not_coded:\n- beans", "not_coded:\n- bans"), "11:3", "write 'beans'"),
    ("V001", (X1, "axis: taste", "axis: tast"), "11:10", "write 'taste'"),
    ("V002", (AERO, "device: press", "device: pres"), "13:11", "awesome tag aero2020 device=press"),
    ("V002", (AERO, "term: bitter", "term: biter"), "15:12", "awesome edit aero2020 # write 'bitter' instead of 'biter'"),
    ("V002", (X1, "term: umami", "term: umani"), "11:23", "write 'umami'"),
    ("V003", (AERO, "strength: measured", "strength: mesured"), "15:30", "awesome tag aero2020 taste=bitter:measured"),
    ("V003", (AERO, "strength: measured, ", ""), "15:12", "taste=bitter:STRENGTH # STRENGTH: mentioned, tasted, measured"),
    ("V003", (AERO, "strength: tasted", "part: true"), "16:11", "awesome tag aero2020 taste=sour:STRENGTH:part #"),
    ("V003", (AERO, "strength: tasted", "strength: tastd\n    part: true"), "17:15", "taste=sour:tasted:part"),
    ("V004", (TAX, "  - {id: drip, label: Drip,", "  - {id: drip, deprecated: {use: cold, \"on\": 2026-01-01}, label: Drip,"),
     "7:11", "awesome tag drip2021 device=cold"),
    ("V005", (AERO, "  device: press\n", ""), "13:3", "awesome tag aero2020 device=TERM # TERM: press, siphon"),
    ("V006", (AERO, "beans: arabica", "beans: [arabica, robusta]"), "21:10", "awesome tag aero2020 beans=arabica"),
    ("V006", (AERO, "term: sour", "term: bitter"), "16:5", "remove one"),
    ("V012", (AERO, "as: sour:mentioned", "as: {strength: loud}"), "20:54", "mentioned"),
    ("V012", (AERO, "as: sour:mentioned", "as: [soor]"), "20:54", "write 'sour'"),
    ("V013", (AERO, "as: sour:mentioned", "as: sour"), "20:16", "awesome edit aero2020"),
    ("V014", (AERO, "summary: Presses", "history:\n- {\"on\": 2026-02-01, field: tags.taste, was: biter}\nsummary: Presses"),
     "25:46", "awesome edit aero2020 # write 'bitter' instead of 'biter'"),
    ("V014", (AERO, "summary: Presses", "history:\n- {\"on\": 2026-02-01, field: tags.tast, was: bitter}\nsummary: Presses"),
     "25:29", "write 'taste'"),
    ("V014", (AERO, "summary: Presses",
     "history:\n- {\"on\": 2026-02-01, field: tags.taste, was: [{term: bitter, strength: loud}]}\nsummary: Presses"),
     "25:46", "one of: mentioned"),
    ("V014", (AERO, "summary: Presses", "history:\n- {\"on\": 2026-02-01, field: tags.taste, was: {trem: bitter}}\nsummary: Presses"),
     "25:46", "like tags"),
    ("V015", (AERO, "contested: {\"on\": 2026-01-10, ", "contested: {"), "20:16", "awesome edit aero2020 # add 'on'"),
    ("V016", (AERO, "  beans: arabica\n", "  beans: [arabica, {term: robusta, part: true}]\nhistory:\n- {\"on\": 2026-04-01, field: tags.device, was: siphon}\n"),
     "21:27", "'field: tags.beans'"),
    ("V017", (AERO, "beans: arabica", "beans: [{term: robusta, part: true}]"), "21:3", "awesome tag aero2020 beans=TERM"),
    ("V018", (TAX, "  strengths:\n  - {id: mentioned, label: mentioned, definition: Somebody says so.}\n",
     "  retired: [{id: mentioned, use: tasted, \"on\": 2026-01-05}]\n  strengths:\n"), "20:54", "write 'tasted' or a stronger one"),
    ("V019", (AERO, "evidence: Measured by chromatography., ", "evidence: Nothing was measured., direction: against, "),
     "15:84", "awesome edit aero2020 # revise the coding, or add 'contested'"),
    ("V007", (AERO, "  grams:", "  gram:"), "23:3", "write 'grams'"),
    ("V008", (X1, "stage: abstract", "stage: abstrakt"), "6:10", "awesome set X1 screening.stage=abstract"),
    ("V008", (AERO, "confidence: low", "confidence: lo"), "19:17", "awesome edit aero2020 # write 'low'"),
    ("V008", (AERO, "grade: strong", "grade: stron"), "20:42", "awesome edit aero2020 # write 'strong'"),
    ("V009", (AERO, "device: press", "device: immersion"), "13:11", "device=TERM # TERM: press, siphon"),
    ("V010", (SOUP, "- beans", "- device"), "11:3", "remove 'device'"),
    ("V011", (AERO, "evidence: Measured by chromatography., ", ""), "15:12", "--evidence"),
    ("I001", (AERO, '"2001.00010"', "2001.00010v2"), "7:22", "identifiers.arxiv=2001.00010 identifiers.arxiv_version=2"),
    ("I002", (AERO, "doi: 10.1000/coffee.1", "doi: https://doi.org/10.1000/coffee.1"), "7:41", "identifiers.doi=10.1000/coffee.1"),
    ("I003", (AERO, "doi: 10.1000/coffee.1", "openreview: a b"), "7:48", "openreview"),
    ("I004", (AERO, "doi: 10.1000/coffee.1", "acl: nothing"), "7:41", "acl"),
    ("I005", (AERO, "doi: 10.1000/coffee.1", 'isbn: "9780306406158"'), "7:42", "isbn"),
    ("I006", (AERO, "url: https://arxiv.org/abs/2001.00010", "url: javascript:alert(1)"), "9:23", "links.0.url"),
    ("I006", (X1, "url: https://example.org/tea", "url: file:///tea"), "3:6", "awesome set X1 url=…"),
    ("I006", (AERO, "evidence: Measured by chromatography., ", "evidence: Measured by chromatography., source: \"javascript:alert(1)\", "),
     "15:87", "awesome edit aero2020 # write https://… or an identifier"),
    ("I006", (AERO, "contested: {\"on\": 2026-01-10, ", "contested: {\"on\": 2026-01-10, source: \"data:text/html,x\", "),
     "20:43", "awesome edit aero2020"),
    ("I006", (AERO, "summary: Presses", "provenance: {year: {source: \"ftp://a.org/b\", \"on\": 2026-02-01}}\nsummary: Presses"),
     "24:29", "awesome set aero2020 provenance.year.source=…"),
    ("I006", (AERO, "summary: Presses", "readmitted: {\"on\": 2026-01-20, id: X7, exclusion: {title: a, url: \"javascript:x\"}}\nsummary: Presses"),
     "24:67", "awesome set aero2020 readmitted.exclusion.url=…"),
    ("I006", (X1, "note: It is", "paper: {links: [{label: Paper, url: \"vbscript:x\"}]}\nnote: It is"),
     "9:37", "awesome set X1 paper.links.0.url=…"),
    ("I006", (TAX, "survey:\n", "survey:\n  url: \"javascript:alert(1)\"\n"), "2:8", "correct it in taxonomy.yaml"),
    ("I006", (AERO, "summary: Presses", "retraction: {status: none, source: \"javascript:x\", \"on\": 2026-02-01}\nsummary: Presses"),
     "24:36", "awesome set aero2020 retraction.source=…"),
    ("I007", (DRIP, "{doi: 10.1000/coffee.2}", "{doi: 10.1000/coffee.2, arxiv_version: 2}"), "5:53", "arxiv_version"),
    ("D001", (DRIP, "10.1000/coffee.2", "10.1000/COFFEE.1"), "5:20", "awesome set drip2021 identifiers.doi=…"),
    ("D001", (DRIP, "title: Dripping slowly\nauthors:\n- Pour, Olga\nyear: 2021\nidentifiers: {doi: 10.1000/coffee.2}",
     "title: Pressing matters\nauthors:\n- Bean, Ada\nyear: 2021\nidentifiers: {doi: 10.1000/coffee.1}"), "5:20",
     "awesome dedupe --link drip2021 aero2020"),
    ("D002", (AERO, "title: \"Pressing matters: a study\"\nauthors:\n- Bean, Ada\n- Roast, Rob",
     "title: Siphons and pipes\nauthors:\n- Vapour Institute"), "1:8", "--distinct"),
    ("D003", (DRIP, "added:", "citation: {key: bean2020}\nadded:"), "6:17", "awesome set drip2021 citation.key=drip2021"),
    ("D004", (DRIP, "summary: Drips.", "summary: Drips.\naliases: [soup2022]"), "16:11", "remove the alias"),
    ("F001", (DRIP, "summary: Drips.", "summary: Drips.\nversion_of: gone2020"), "16:13", "remove 'gone2020'"),
    ("F002", ("corpus/siphon2019.yaml", "field: year", "field: yeer"), "16:11", "schema paper"),
    ("K001", (DRIP, "added: 2026-01-11", "added: 2019-01-11"), "6:8", "correct the date"),
    ("P001", (DRIP, "identifiers: {doi: 10.1000/coffee.2}\n", ""), "1:8", "identifiers.arxiv"),
    ("P002", (DRIP, "authors:\n- Pour, Olga\n", ""), "1:8", "authors"),
    ("P003", (DRIP, "- Pour, Olga\n", "- Pour, Olga\n- Kim de Lee\n"), "4:3", "authors='Pour, Olga; de Lee, Kim'"),
    ("X001", (X1, "note: It is about tea.\n", ""), "5:3", "awesome set X1 note"),
    ("A001", (TAX, "id: robusta,", "id: arabica,"), "44:10", "rename or remove"),
    ("A002", (TAX, "parent: immersion, definition: A plunger", "parent: imersion, definition: A plunger"), "16:39", "immersion"),
    ("A002", (TAX, "rows: beans, columns: taste", "rows: beans, columns: tast"), "66:26", "taste"),
    ("A002", (TAX, "definition: Vapour", "typical: {bean: arabica}, definition: Vapour"), "17:68", "beans"),
    ("A002", (TAX, "definition: Vapour", "typical: {beans: arabic}, definition: Vapour"), "17:69", "arabica"),
    ("A003", (TAX, "{id: immersion, label: Immersion, code: D1,", "{id: immersion, parent: press, label: Immersion,"), "15:29", "parents"),
    ("A004", (TAX, "where: beans=robusta", "where: beans=robust"), "60:36", "one of: arabica"),
    ("A004", (TAX, 'required_for: "*"', "required_for: all"), "13:17", 'write "*"'),
    ("A004", (TAX, 'required_for: "*"', "required_for: true"), "13:17", 'write "*"'),
    ("A005", (TAX, "- id: grams", "- id: year"), "55:7", "another id"),
    ("A005", (TAX, "- id: grams", "- id: judged"), "55:7", "another id"),
    ("A006", (TAX, "definition: Sweetness.", "definition: ''"), "34:10", "definition"),
    ("A007", (TAX, "definition: Vapour", "representatives: [syphon2019], definition: Vapour"), "17:70", "siphon2019"),
    ("A007", (TAX, "definition: Vapour", "judged: [{key: syphon2019, verdict: near, because: x}], definition: Vapour"), "17:67", "siphon2019"),
    ("A008", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{\"on\": 2026-02-01, was: {gap_strenght: two}}]\n"),
     "30:38", "rename 'gap_strenght'"),
    ("A008", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{\"on\": 2026-02-01, was: {gap_strength: [two]}}]\n"),
     "30:52", ""),
    ("A008", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{\"on\": 2026-02-01, was: {}}]\n"),
     "30:37", "remove 'was'"),
    ("A008", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{\"on\": 2026-02-01, was: {id: flavour}}]\n"),
     "30:38", "former ids"),
    ("L001", (CLAIMS, "id: pool", "id: no-cold"), "13:7", "rename one"),
    ("L002", (CLAIMS, "device=cold", "devise=cold"), "5:13", "one of: device"),
    ("L003", (CLAIMS, "largest: grams", "largest: gram"), "21:15", "write 'grams'"),
    ("L003", (CLAIMS, "group: shop", "group: shops"), "21:29", "write 'shop'"),
    ("L003", (CLAIMS, "over: home", "over: hom"), "21:41", "write 'home'"),
    ("L003", (CLAIMS, "audit: second", "audit: third"), "22:35", "one of: second"),
    ("L003", (CLAIMS, "agreement: \"taste=*\"", "agreement: taste"), "22:17", "write 'taste=*'"),
    ("L003", (CLAIMS, "audit: second", "audit: second, group: som"), "22:50", "write 'some'"),
    ("L003", (CLAIMS, "[no-cold]", "[no-cold, more]"), "23:25", "one of: no-cold"),
    ("L003", (CLAIMS, "read_as: siphon", "read_as: syphon"), "33:78", "write 'siphon'"),
    ("L003", (CLAIMS, "state: taste=sour", "state: tastes=sour"), "25:13", "write 'taste'"),
    ("L003", (CLAIMS, "state: taste=sour", "state: taste=souur"), "25:13", "write 'sour'"),
    ("L003", (CLAIMS, "state: taste=sour", "state: taste"), "25:13", "one of: bitter"),
    ("S003", (CLAIMS, "is: [gap]", "is: [gape]"), "25:30", ""),
    ("L004", (CLAIMS, "[drip2021]", "[drip2022]"), "24:35", "awesome list"),
    ("L006", (CLAIMS, "by: [new]", "by: [knew]"), "28:37", "write 'new'"),
    ("L006", (CLAIMS, "by: [new]", "by: [pool]"), "28:37", "add 'old' to succeeds of 'pool'"),
    ("L006", (CLAIMS, ", succeeds: [old]", ""), "28:37", "add 'old' to succeeds of 'new'"),
    ("L006", (CLAIMS, "succeeds: [old]", "succeeds: [old, older]"), "29:101", "write 'old'"),
    ("L006", (CLAIMS, "succeeds: [old]", "succeeds: [old, gone]"), "29:101", "add 'new' to revised.by of 'gone'"),
    ("L006", (CLAIMS, "succeeds: [old]}", "succeeds: [old], revised: {\"on\": 2026-05-01, by: [old], because: A circle.}}"),
     "29:111", "remove one name from 'revised.by'"),
    ("L007", (CLAIMS, "because: Another count.}}", "because: Another count.}, withdrawn: {\"on\": 2026-04-01, because: Why.}}"),
     "28:101", "keep one of the two"),
    ("L007", (CLAIMS, "revised: {\"on\": 2026-04-01", "revised: {\"on\": 2026-02-01"), "28:20", "not before as_of"),
    ("L007", (CLAIMS, "withdrawn: {\"on\": 2026-04-01", "withdrawn: {\"on\": 2026-02-01"), "31:22", "not before as_of"),
    ("L007", (CLAIMS, "records: [drip2021]", "records: [drip2022]"), "28:53", "awesome list"),
    ("L008", (CLAIMS, "survive: [no-cold]", "survive: [no-cold, old]"), "23:25", "write new instead of old"),
    ("L008", (CLAIMS, "survive: [no-cold]", "survive: [no-cold, gone]"), "23:25", "remove gone"),
    ("L009", (CLAIMS, "Three papers.", "Nine papers."), "14:14", "write its place: {1}"),
    ("L009", (CLAIMS, "Three papers.", "'{2} papers.'"), "14:14", "write its place: {1}"),
    ("L009", (CLAIMS, "Nobody studies cold brew.", "One in eight papers studies no cold brew."), "3:14", "correct the number"),
    ("L009", (TAX, "  short: coffee", "  finding: Of 12 papers, none is cold."), "3:12", "correct the number"),
    ("L010", (CLAIMS, "Three papers.", "Some papers."), "16:5", "write {1} in the statement"),
    ("L010", (CLAIMS, "at least twice", "more than"), "21:5", "write {1} in the statement"),
    ("L010", (CLAIMS, "at_least: [drip2021]", "at_least: [drip2021, aero2020, soup2022]"), "24:5", "write {4} in the statement"),
    ("L010", (CLAIMS, "sour is a gap", "sour is rare"), "25:5", "name it in the statement"),
    ("L012", (AUDIT, "- key: drip2021", "- {key: aero2020, blind: true, first: {taste: NA}, second: {taste: NA}}\n- key: drip2021"),
     "22:17", "group: blind"),
    ("L005", (AUDIT, "[device, taste]", "[device, smell]"), "2:19", "AXIS.strength"),
    ("L005", (AUDIT, "key: drip2021", "key: drip2029"), "6:8", "awesome list"),
    ("L005", (AUDIT, "bitter:measured", "biter:measured"), "7:32", "write 'bitter'"),
    ("L005", (AUDIT, "{drip2021: [taste=bitter]}", "{drip2022: [taste=bitter]}"), "4:41", "write 'drip2021'"),
    ("L005", (AUDIT, "[taste=bitter]", "[tast=bitter]"), "4:41", "write 'taste'"),
    ("L005", (AUDIT, "{device: press}", "{device: pres}"), "9:27", "write 'press'"),
    ("M001", (PROTOCOL, "axis: device", "axis: devise"), "14:9", "write 'device'"),
    ("M001", (PROTOCOL, "[press, drip], text", "[press, drop], text"), "16:21", "write 'drip'"),
    ("M002", (PROTOCOL, "label: cafés", "label: the library"), "6:3", "rename or remove"),
    ("M002", (PROTOCOL, "id: coffee", "id: coffee, text: x}\n- {id: coffee"), "11:3", "rename or remove"),
    ("M003", (X1, "source: library", "source: bookshop"), "4:1", "leave it if it means none of them"),
    ("M003", (X1, "  stage:", "  query_family: brews\n  stage:"), "7:1", "awesome set X1 screening.query_family"),
    ("V008", (AERO, "added:", "passed: [abstrakt]\nadded:"), "11:10", "=abstract"),
    ("V008", (X1, "  stage:", "  passed: [abstrakt]\n  stage:"), "6:12", "screening.passed.0=abstract"),
    ("Y002", (PROTOCOL, "include:", "include: ["), "10:1", ""),
    ("S001", (PROTOCOL, "note:", "notes:"), "2:1", "notes"),
    ("S001", (CLAIMS, "at_least: 2", "at_leats: 2"), "21:47", "at_leats"),
    ("Y002", (CLAIMS, "claims:", "claims: ["), "2:1", ""),
    ("Q001", (SEARCH, "id: around", "id: pressing"), "7:8", "rename one"),
    ("Q002", (SEARCH, ", citing:", ", label:"), "7:8", "one of query, citing, cited_by"),
    ("Q002", (SEARCH, "citing:", "cited_by: beans=arabica, citing:"), "7:8", "one of query, citing, cited_by"),
    ("Q003", (SEARCH, "press* AND", "press* AND AND"), "5:10", "search"),
    ("Q003", (SEARCH, "key=drip2021", "kee=drip2021"), "7:24", "one of: device"),
    ("Q004", (SEARCH, "family: brewing", "family: brewings"), "4:11", "write 'brewing'"),
    ("Q005", (SEARCH, "drip2021,aero2020", "drip2021,aero2021"), "7:24", "write 'aero2020'"),
    ("Q005", (SEARCH, "key=drip2021,aero2020", "year>2030"), "7:24", "awesome list"),
    ("Q006", (RUN, "new: 3", "new: 4"), "10:9", "git checkout"),
    ("Q007", (RUN, "at: 2026", "at: 2099"), "7:7", "the clock"),
    ("Q007", (RUN, "at: 2026", "at: 2025"), "7:7", "the clock"),
    ("R001", (ANA, "key: drip2021", "key: drip2022"), "3:9", "write 'drip2021'"),
    ("R001", (ANA, "of: aero2020", "of: aero2022"), "5:55", "write 'aero2020'"),
    ("R002", (ANA, "stage: abstract, reason: tea", "stage: abstrct, reason: tea"), "4:79", "write 'abstract'"),
    ("R002", (ANA, "reason: tea", "reason: tee"), "4:97", "one of: tea, opinion"),
    ("R002", (ANA, "taste=umami", "taste=umani"), "4:114", "umami"),
    ("R003", (ANA, ", near_miss: [taste=umami]", ""), "4:3", "add 'near_miss: …'"),
    ("R003", (ANA, ", reason: tea", ""), "4:3", "add 'reason: …'"),
    ("R003", (ANA, "key: X2, verdict: duplicate", "key: aero2020, verdict: duplicate"), "5:61", "key of the other record"),
    ("C003", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{on: 2026-02-01, was: {gap_strength: tasted}}]\n"),
     "30:14", "awesome validate --fix"),
    ("K001", (X1, "\"on\": 2026-01-05", "\"on\": 2019-01-05\nyear: 2025"), "8:9", "correct the date"),
    ("K001", (PROTOCOL, "searched_until: 2026-02-01", "begun: 2026-01-20\nsearched_until: 2026-02-01"), "8:9", "correct the date"),
    ("K001", (PROTOCOL, "searched_until: 2026-02-01", "searched_until: 2026-02-01\naudited_until: 2026-01-01"), "4:16", "correct the date"),
    ("K002", (DRIP, "added: 2026-01-11", "added: 2126-01-11"), "6:8", "correct the date"),
    ("K002", (DRIP, "year: 2021", "year: 2121"), "4:7", "correct the date"),
    ("K002", (DRIP, "{doi: 10.1000/coffee.2}", '{doi: 10.1000/coffee.2, arxiv: "9912.00001"}'), "5:45", "correct the date"),
    ("K002", (AERO, "contested: {\"on\": 2026-01-10", "contested: {\"on\": 2126-01-10"), "20:23", "correct the date"),
    ("K002", (X1, "\"on\": 2026-01-05", "\"on\": 2126-01-05"), "8:9", "correct the date"),
    ("K002", (TAX, "  gap_strength: measured\n", "  gap_strength: measured\n  history: [{\"on\": 2126-02-01, was: {gap_strength: tasted}}]\n"),
     "30:20", "correct the date"),
    ("K002", (CLAIMS, "as_of: 2026-03-01", "as_of: 2126-03-01"), "7:10", "correct the date"),
    ("K002", (AUDIT, "2026-05-02", "2126-05-02"), "1:7", "correct the date"),
    ("K002", (ANA, "2026-05-02", "2126-05-02"), "3:43", "correct the date"),
    ("K002", (PROTOCOL, "2026-02-01", "2126-02-01"), "3:17", "correct the date"),
    ("K003", (AERO, "year: 2020\nvenue: Journal of Coffee\nidentifiers: {arxiv: \"2001.00010\", doi: 10.1000/coffee.1}",
     "year: 2019\nidentifiers: {arxiv: \"2001.00010\"}"), "5:7", "awesome set aero2020 year=2020"),
    ("I008", (AERO, "abs/2001.00010", "abs/2001.00011"), "9:23", "awesome set aero2020 links.0.url"),
    ("I008", (AERO, "doi: 10.1000/coffee.1", "doi: 10.48550/arXiv.2001.00011"), "7:41", "identifiers.doi"),
    ("I009", (DRIP, "10.1000/coffee.2", "10.48550/arXiv.2101.00001"), "5:20", "awesome validate --fix"),
    ("D001", (DRIP, "10.1000/coffee.2", "10.48550/arXiv.2001.00010"), "5:20", "identifiers.doi=…"),
    ("F001", (DRIP, "summary: Drips.", "summary: Drips.\ndistinct_from: [drip2021]"), "16:17", "remove 'drip2021'"),
    ("V006", (X1, "because: Broth-like.}", "because: Broth-like.}\n- {axis: taste, term: umami, strength: tasted, because: Broth-like.}"),
     "12:3", "awesome validate --fix"),
    ("V020", (AERO, "value: 18", "value: -18"), "23:18", "measures.grams.value"),
    ("V021", (AERO, "basis: per cup, confidence: high", "basis: per cup"), "23:10", "measures.grams.confidence=LEVEL"),
    ("V022", (AERO, "evidence: A panel of nine.", "evidence: ' '"), "18:15", "awesome edit aero2020"),
    ("V022", (AERO, "    confidence: low", "    source: somewhere\n    confidence: low"), "19:13", "awesome edit aero2020"),
    ("V022", (AERO, "    confidence: low", "    source: doi:10.1000/coffee.2\n    confidence: low"), "19:13", "name the paper itself"),
    ("L003", (CLAIMS, "largest: grams", "confidence: lo, largest: grams"), "21:18", "write 'low'"),
    ("L003", (TAX, "  short: coffee", "  short: coffee\n  places: [results]"), "6:12", "one of: results"),
    ("L011", (CLAIMS, "audit: second, at_least: 1", "audit: second, at_least: 0"), "22:53", "or remove it"),
    ("L011", (CLAIMS, "is: [gap]", "is: [gap, sparse, covered]"), "25:29", "or remove it"),
    ("L013", (CLAIMS, "at_least: 2", "at_least: 2, at_most: 1"), "21:57", "correct the bounds"),
    ("L013", (CLAIMS, "{ids: device=drip", "{ids: 'device=drip key=drip2020'"), "24:11", "write 'drip2021'"),
    ("L013", (CLAIMS, "{ids: device=drip", "{ids: device=drip device=cold"), "24:11", "comma"),
    ("L014", (AUDIT, "second: Rob", "- {key: drip2021, first: {device: drip}, second: {device: drip}}\nsecond: Rob"), "10:9", "remove one"),
    ("L015", (AUDIT, "second: Rob\n", ""), "1:1", "add 'second: NAME'"),
    ("L016", (AUDIT, "first: {device: drip", "first: {device: press"), "7:19", "correct the cell"),
    ("V006", (X1, "because: Broth-like.}", "because: Broth-like.}\n- {axis: taste, term: umami, strength: measured}"), "12:3", "remove one"),
    ("V003", (X1, "strength: tasted, because", "strength: zzz, because"), "11:3", "mentioned, tasted, measured"),
    ("V022", (AERO, "evidence: A panel of nine.", "evidence: TODO"), "18:15", "awesome edit aero2020"),
    ("F002", (AERO, "summary: Presses", "history:\n- {\"on\": 2026-02-01, field: year, was: twenty}\nsummary: Presses"), "25:40", "correct the value"),
    ("F002", (DRIP, "summary: Drips.", "rejected:\n- {field: titel, value: Dripping, source: doi:10.1000/coffee.2, \"on\": 2026-02-01}\nsummary: Drips."), "16:11", "schema paper"),
    ("P004", (DRIP, "summary: Drips.", "retraction: {status: withdrawn, source: doi:10.1000/coffee.2, \"on\": 2026-02-01}\nsummary: Drips."), "15:13", "retraction.handled='…'"),
    ("L013", (CLAIMS, "audit: second, at_least: 1", "audit: second, at_least: 1, dated: true"), "22:35", "day of the audit"),
    ("D001", (X1, "{other: TEA-1}", "{doi: 10.1000/coffee.2}"), "2:20", "awesome remove X1"),
    ("D006", (X1, "https://example.org/tea", "https://arxiv.org/abs/2001.00010/"), "3:6", "awesome set X1 url=…"),
    ("S003", (SEARCH, "[crossref]", "[crosref]"), "6:13", ""),
    ("N001", (PAPER, "count: taste=sour", "count: tast=sour"), "3:17", "one of: "),
    ("N001", (PAPER, "claim: no-cold", "claim: no-colt"), "4:20", "write 'no-cold'"),
    ("N001", (PAPER, "count: taste=sour", "count: taste=sour, over: tast=sour"), "3:35", "one of: "),
    ("N001", (PAPER, "{count: taste=sour}", "{largest: grams, group: shoop}"), "3:33", "write 'shop'"),
    ("N001", (PAPER, "by: taste", "by: tast"), "6:30", "write 'taste'"),
    ("N001", (PAPER, "by: taste", "by: [device, tast]"), "6:30", "write 'taste'"),
    ("N001", (PAPER, "by: taste", "term: umani"), "6:32", "awesome taxonomy show"),
    ("N001", (PAPER, "by: taste", "term: taste=umani"), "6:32", "one of: "),
    ("N001", (PAPER, "by: taste", "measure: gram"), "6:35", "write 'grams'"),
    ("N001", (PAPER, "gaps, by: taste", "claims, claims: [pool, no-colt]"), "6:43", "write 'no-cold'"),
    ("N001", (PAPER, "gaps, by: taste", "audit, audit: secnd"), "6:34", "write 'second'"),
    ("S003", (PAPER, "report: gaps", "report: gap"), "6:20", ""),
]  # fmt: skip


def complete(root: Path) -> Path:
    """Add claims, an audit, a protocol, a search with its log, screening decisions and a contest to the coffee survey."""
    (root / CLAIMS).write_text(COFFEE_CLAIMS.replace("rereadings:\n", MORE_CLAIMS))
    (root / "audits").mkdir()
    (root / AUDIT).write_text(AUDITED)
    contest = "grade: strong, because: The panel was two people."
    text = (root / AERO).read_text()
    (root / AERO).write_text(text.replace(contest, "grade: strong, as: sour:mentioned, because: Two people."))
    (root / PROTOCOL).write_text(COFFEE_PROTOCOL)
    (root / SEARCH).write_text(COFFEE_SEARCH)
    (root / RUN).parent.mkdir()
    (root / RUN).write_text(COFFEE_RUN)
    (root / ANA).parent.mkdir()
    (root / ANA).write_text(SCREENED)
    (root / PAPER).write_text(PAPERS)
    return root


def examples() -> Mapping[str, str]:
    """Code to Markdown: the changed lines of the rule's first case, before and after, with the finding."""
    first = {code: edit for code, edit, *_ in reversed(CASES)}
    # A finding may name the current date.
    with TemporaryDirectory() as folder, patch.dict(environ, SOURCE_DATE_EPOCH="1790000000"):
        root = complete(Path(copytree(COFFEE, Path(folder) / "coffee")))
        return {code: _example(root, code, *edit) for code, edit in first.items()}


def _example(root: Path, code: str, path: str, before: str, after: str) -> str:
    passing = (root / path).read_text()
    failing = passing.replace(before, after, 1)
    (root / path).write_text(failing)
    finding = next(finding for finding in check(WorkingTree(root)) if finding.code == code)
    (root / path).write_text(passing)
    lines = [line for line in ndiff(passing.splitlines(), failing.splitlines()) if line[0] in "-+"]
    signs = {line[0] for line in lines}
    also = (
        ""
        if len(signs) > 1
        else ", and passes without these lines"
        if "+" in signs
        else ", and fails without these lines"
    )
    blocks = [
        f"{heading}{also}:\n\n```yaml\n# {path}\n"
        + "\n".join(line[2:] for line in lines if line[0] == sign)
        + "\n```\n"
        for heading, sign in (("This passes", "-"), ("This fails", "+"))
        if sign in signs
    ]
    message = f"{finding.path}:{finding.line}:{finding.column}: {code} {finding.message}\n    fix: {finding.fix}"
    return "\n".join([*blocks, f"```text\n{message}\n```\n"])
