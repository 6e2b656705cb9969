"""Queries in plain words."""

import re

import pytest
from builders import coffee

from awesome_cli.model.claims import Expectation
from awesome_cli.query.query_words import described, lowered
from awesome_cli.survey.corpus import Corpus

SYNTAX = re.compile(r"[=<>~*]|:\w|\b(AND|OR|NOT)\b|\w_\w")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("*", "papers"),
        ("device=press", "papers with device “Press”"),
        ("press", "papers with device “Press”"),
        ("device=D1", "papers with device “Immersion”"),
        ("device=press,drip", "papers with device “Press” or “Drip”"),
        ("device=*", "papers with any device"),
        ("device!=NA", "papers with any main device"),
        ("device=NA,press", "papers with no main device or device “Press”"),
        ("device!=NA,press", "papers with any main device and another device than “Press”"),
        ("taste=sour:tasted", "papers with taste “Sour”, tasted or stronger"),
        ("taste=sour:=measured:part", "papers with taste “Sour”, exactly measured, as a part"),
        ("taste=sour:part,sweet", "papers with taste “Sour” as a part or “Sweet”"),
        ("device=press NOT beans=robusta", "papers with device “Press” and without beans “Robusta”"),
        ("(device=press OR device=drip) taste=sour", "papers with (device “Press” or device “Drip”) and taste “Sour”"),
        ("NOT (device=press taste=sour)", "papers not (with device “Press” and taste “Sour”)"),
        ("NOT (device=press OR taste=sour)", "papers without device “Press” or taste “Sour”"),
        ("* AND device=press", "papers with device “Press”"),
        ("* OR device=press", "papers"),
        ("NOT *", "papers not (any)"),
        ("key=a,b", "papers with key “a” or “b”"),
        ("key!=a", "papers without key “a”"),
        ("year>=2025", "papers with year at least 2025"),
        ("venue!=NA", "papers with any venue"),
        ('title~"cold brew"', "papers with “cold brew” in their title"),
        ('"cold brew"', "papers with “cold brew” in their text"),
        ("contested=yes", "papers with a contested coding"),
        ("contested=strong", "papers with a coding contested at strong or above"),
        ("near_miss!=yes", "papers without a near miss"),
        ("judged=yes,near", "papers judged “yes” or “near”"),
        ("judged!=yes device=drip", "papers not judged “yes” and with device “Drip”"),
        ("grams>15", "papers with dose over 15 grams"),
        ("grams=NA", "papers with no dose"),
    ],
)
def test_a_query_in_words(query: str, words: str):
    corpus = coffee()
    corpus.query(query)
    assert described(query, corpus.taxonomy) == words


def test_exclusions_and_labels():
    taxonomy = coffee().taxonomy
    assert described("reason=tea", taxonomy, "screened-out records") == "screened-out records with reason “tea”"
    assert lowered("Credit unit") == "credit unit"
    assert lowered("RL status") == "RL status"


def test_no_query_of_the_shipped_claims_shows_its_syntax(shipped: Corpus):
    def queries(asked: Expectation) -> list[str]:
        own = [asked.topic] if asked.kind in {"count", "share", "ids"} else []
        others = [asked.over, asked.minus] if asked.kind == "count" else []
        return [text for text in (*own, *others, asked.among) if text]

    told = {
        query: described(query, shipped.taxonomy)
        for claim in shipped.claims.claims
        for asked in claim.expect
        for query in queries(asked)
    }
    assert told
    assert {query: words for query, words in told.items() if SYNTAX.search(words)} == {}
