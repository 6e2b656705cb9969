"""A small change is compared with all that the claims ask: what it moves is found, and nothing is missed."""

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.sensitivity import perturbations
from awesome_cli.survey.corpus import Corpus


def test_a_claim_changes_only_where_a_question_moves(shipped: Corpus):
    pool = Pool(shipped)
    verdicts = [evaluate(c, pool) for c in shipped.claims.claims if c.stands(shipped.day) and c.is_due(shipped.day)]
    changes = list(perturbations(pool, verdicts))[::4]
    for change in changes:
        after = Pool(change.apply(shipped))
        for verdict in verdicts:
            living = [e for e in verdict.claim.expect if not e.dated and not e.survive]
            moved = pool.touched(verdict.claim, change) or [False] * len(verdict.claim.expect)
            touched = dict(zip(verdict.claim.expect, moved, strict=True))
            for expectation in living:
                for of, text in pool.questions_of(expectation):
                    if of == "measure":
                        continue
                    keys = [
                        {r.key for r in each.corpus.query(text).select(getattr(each.corpus, of))}
                        for each in (pool, after)
                    ]
                    assert keys[0] == keys[1] or touched[expectation], (change.name, text)
