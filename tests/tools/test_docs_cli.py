"""The page of the commands says what their help says."""

import re
from typing import Final

import docs_cli
from support.program import run

OPTION: Final = re.compile(r"^ +(--[a-z-]+)", re.MULTILINE)


def test_the_page_is_up_to_date() -> None:
    assert docs_cli.PAGE.read_text(encoding="utf-8") == docs_cli.page()


def test_the_page_has_every_option_of_the_help() -> None:
    page = docs_cli.page()
    sections = {part.partition("\n")[0]: part for part in page.split("## interlingua ")[1:]}
    assert {"translate", "stats", "explain", "dialects"} <= sections.keys()
    for name, section in sections.items():
        told = run(name, "--help", COLUMNS="200").out.decode()
        options = set(OPTION.findall(told)) - {"--help"}
        assert options
        assert {
            option for option in options if f"{option} " not in f"{section.replace('`', ' ').replace(',', ' ')} "
        } == set()
