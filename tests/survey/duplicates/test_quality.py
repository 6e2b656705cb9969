"""The scoring on labelled pairs, and the index against it: the same code as in the benchmark."""

from pathlib import Path

from bench.dedupe import found_by_index, quality


def test_the_labelled_pairs_are_told_apart(shared: Path):
    path = shared / "inputs" / "dedupe" / "Structured_DBLP-ACM_valid.txt"
    precision, recall, f1 = quality(path)
    assert min(precision, recall) > 0.95
    assert f1 >= 0.97
    assert found_by_index(path) > 0.99
