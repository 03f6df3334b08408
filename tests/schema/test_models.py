"""The models that come out, and the errors where the generator would make something of its own."""

from __future__ import annotations

import ast
import warnings

import pytest

import packages
import toolchain
from problems import SchemaProblem
from support.tree import Tree

DATA = "schema/v2/shared/text_data.json"
MODELS = "generated/interlingua_types/v2/models.py"


def models(tree: Tree) -> str:
    return packages.generated_files(tree.root)[MODELS]


def class_text(module: str, name: str) -> str:
    found = [node for node in ast.parse(module).body if isinstance(node, ast.ClassDef) and node.name == name]
    return str(ast.get_source_segment(module, found[0]))


def test_a_class_has_the_contents_of_its_file(tree: Tree) -> None:
    assert (
        class_text(models(tree), "TextData")
        == '''class TextData(InterlinguaModel):
    """TextData of the fixture.

    Example:
        >>> TextData(speaker='user', content=(TextPart(text='Hello'),), count=1).model_dump(mode='json')
        {'speaker': 'user', 'content': [{'type': 'text', 'text': 'Hello'}], 'count': 1}
    """

    model_config = ConfigDict(
        extra="forbid",
    )
    speaker: Speaker
    """The speaker."""
    content: Annotated[StrictStr | tuple[Part, ...] | None, Field(union_mode="left_to_right")] = None
    """The content."""
    count: Annotated[int, Integral(ge=0)] | None = None
    """The count."""
    weight: Annotated[int | float, Numeric(ge=0, le=1)] | None = None
    """The weight."""
    mood: Mood | None = None
    """The mood."""
    any: Any | None = None
    """The any."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            speaker: Speaker | Literal["user", "model"],
            content: Annotated[StrictStr | tuple[Part, ...] | None, Field(union_mode="left_to_right")] = None,
            count: Annotated[int, Integral(ge=0)] | None = None,
            weight: Annotated[int | float, Numeric(ge=0, le=1)] | None = None,
            mood: Mood | None = None,
            any: Any | None = None,
        ) -> None: ...'''
    )


def test_tags_have_a_default_and_reserved_names_an_alias(tree: Tree) -> None:
    text = class_text(models(tree), "NoticeMessage")
    assert 'type: Literal["notice"] = "notice"' in text
    assert 'schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None' in text


def test_unions_are_plain_aliases_and_never_root_models(tree: Tree) -> None:
    text = models(tree)
    assert 'Part: TypeAlias = Annotated[Picture | TextPart, Field(discriminator="type")]' in text
    assert 'AnyMessage: TypeAlias = Annotated[Message | UnknownMessage, Field(union_mode="left_to_right")]' in text
    assert "RootModel" not in text
    assert "TypeAliasType" not in text


def test_every_class_comes_from_a_file_and_all_are_exported(tree: Tree) -> None:
    text = models(tree)
    exported = text.partition("__all__ = [")[2].partition("]")[0]
    assert [name.strip().strip('"') for name in exported.split(",") if name.strip()] == [
        "AnyMessage", "Box", "Message", "Mood", "NoticeMessage", "Part", "Parts", "Picture", "Speaker", "TextData",
        "TextMessage", "TextPart", "UnknownMessage",
    ]  # fmt: skip


def test_a_class_invented_by_the_generator_is_an_error_that_names_it(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The house rules leave no shape that the generator would have to name; so its output is given a numbered class.
    real = toolchain.generate_models
    monkeypatch.setattr(
        "models.generate_models", lambda *given: real(*given) + "\n\nclass TextPart1(Base):\n    pass\n"
    )
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.rule == "class name"
    assert "TextPart1" in caught.value.detail


def test_a_nested_constraint_named_by_the_generator_is_an_error_that_names_it(tree: Tree) -> None:
    nested = {"anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "string"}]}
    tree.edit_member(DATA, "lines", description="The lines.", **nested)
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.rule == "class name"
    assert "the generator made" in caught.value.detail


def test_a_definition_without_a_class_is_an_error(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    real = toolchain.generate_models
    monkeypatch.setattr("models.generate_models", lambda *given: real(*given).replace("class TextPart(", "class Lost("))
    with pytest.raises(SchemaProblem, match="Lost"):
        packages.generated_files(tree.root)


@pytest.mark.parametrize(
    ("old", "new", "fix"),
    [
        ("list[Part]", "tuple[Part, ...]", "tuples"),
        ("arbitrary_types_allowed=True", "arbitrary_types_allowed=False", "arbitrary types"),
        ("Placeholder | None = None", "Holder | None = None", "placeholders"),
    ],
)
def test_a_fix_that_applies_the_wrong_number_of_times_is_an_error(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, old: str, new: str, fix: str
) -> None:
    real = toolchain.generate_models
    monkeypatch.setattr("models.generate_models", lambda *given: real(*given).replace(old, new, 1))
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert (caught.value.file, caught.value.rule) == ("schema/compiler/fixes.py", fix)


def test_an_unexpected_statement_is_an_error(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    real = toolchain.generate_models
    monkeypatch.setattr("models.generate_models", lambda *given: real(*given) + "\nNUMBER = 5\n")
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.rule == "split"


@pytest.mark.parametrize("package", sorted(toolchain.PINS))
def test_an_unpinned_tool_version_is_an_error(tree: Tree, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setattr("toolchain.PINS", {**toolchain.PINS, package: "0.0.1"})
    with pytest.raises(SchemaProblem) as caught:
        packages.generated_files(tree.root)
    assert caught.value.rule == "pin"
    assert package in caught.value.detail


def test_a_warning_of_the_generator_is_an_error(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(*_given: object, **_options: object) -> str:
        warnings.warn("unformatted output", UserWarning, stacklevel=1)
        return ""

    monkeypatch.setattr("datamodel_code_generator.generate", warn)
    with pytest.raises(UserWarning, match="unformatted"):
        packages.generated_files(tree.root)
