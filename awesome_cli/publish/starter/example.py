"""A small survey of made-up works, in `templates/starter/example/`: it uses every field but those of traces."""

from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.files import yaml_reading
from awesome_cli.files.paths import below
from awesome_cli.model.appearance import About
from awesome_cli.model.taxonomy import Axis
from awesome_cli.publish import shipped
from awesome_cli.publish.starter.answers import Answers
from awesome_cli.publish.starter.files import STARTER
from awesome_cli.survey.loading import TAXONOMY


@dataclass(frozen=True, slots=True)
class Example:
    """The files of the example, which win over those of the starter."""

    files: Mapping[str, bytes]
    axes: tuple[Axis, ...] = ()
    uncoded: tuple[str, ...] = ()
    incomplete: int = 0

    @classmethod
    def shipped(cls) -> "Example":
        """The example that comes with the tool."""
        folder = shipped() / STARTER / "example"
        return cls({path.relative_to(folder).as_posix(): path.read_bytes() for path in below(folder)})

    @property
    def answers(self) -> Answers:
        """What its own taxonomy says of the survey."""
        survey = About.model_validate(yaml_reading.read(self.files[TAXONOMY])[0]["survey"])
        return Answers(survey.title, survey.description, licence=survey.licence, authors=survey.authors)
