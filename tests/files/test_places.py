from pathlib import Path

import pytest

from awesome_cli.files.places import OutsideError, place


def test_a_link_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    assert place(tmp_path, "b.yaml") == (tmp_path / "a.yaml").resolve()
    assert place(tmp_path, "corpus/new.yaml") == (tmp_path / "corpus/new.yaml").resolve()


@pytest.mark.parametrize("target", ["/etc/hostname", "..", "circle"])
def test_a_link_out_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "circle").symlink_to(target)
    with pytest.raises(OutsideError, match="leads out of the survey"):
        place(tmp_path, "circle")
    with pytest.raises(OutsideError):
        place(tmp_path, "circle/deep.yaml" if target != "/etc/hostname" else "circle")
