from awesome_cli.curation.intake.vocabulary import heading_terms


def test_nested_headings_are_parents_and_works_right_under_one_get_a_term_of_their_own() -> None:
    found = heading_terms([("Tools",), ("Tools", "3D"), ("Tools", "Test"), ("Data", "Test")], taken=["data"])
    assert [(term.id, term.label, term.parent) for term in found.terms] == [
        ("tools", "Tools", None),
        ("h_3d", "3D", "tools"),
        ("test", "Test", "tools"),
        ("data_2", "Data", None),
        ("data_2_test", "Test", "data_2"),
        ("tools_in_general", "Tools in general", "tools"),
    ]
    assert found.ids[("Tools",)] == "tools_in_general"
    assert found.ids[("Data", "Test")] == "data_2_test"


def test_a_heading_without_latin_letters_gets_an_id() -> None:
    assert [term.id for term in heading_terms([("日本",), ("語",)]).terms] == ["heading", "heading_2"]
